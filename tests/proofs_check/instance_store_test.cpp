// The store of found instances: replayed first, kept small, and refused where it is damaged.
#include <gtest/gtest.h>

#include <crosshead/graphs/error.hpp>
#include <fstream>
#include <sstream>

#include "../scratch_file.hpp"
#include "search_helpers.hpp"

namespace crosshead {
namespace {

using testing::checked;
using testing::conjecture_of;
using testing::heads_on;

TEST(Store, WhatWasFoundIsTriedFirstAndDamagedFilesAreRefused) {
    const test::ScratchFile scratch("instances");
    CheckOptions options;
    options.method = Method::random;
    options.trials = 2000;
    options.seed = 5;
    options.database = scratch.path();
    const auto statement = conjecture_of("edges <= 9");
    const Domain domain = heads_on(2, 6, 1, 2);
    const auto first = checked(statement, domain, options);
    ASSERT_EQ(first.instances[0].verdict, Verdict::refuted);
    ASSERT_TRUE(std::filesystem::is_directory(scratch.path()));
    options.trials = 0;  // nothing is drawn: only the store can refute
    const auto replayed = checked(statement, domain, options);
    ASSERT_EQ(replayed.instances[0].verdict, Verdict::refuted);
    EXPECT_EQ(testing::edges_text(*replayed.instances[0].search.witness),
              testing::edges_text(*first.instances[0].search.witness));
    EXPECT_EQ(checked(conjecture_of("edges <= 8"), domain, options).instances[0].verdict, Verdict::vacuous);
    options.database.clear();
    EXPECT_EQ(checked(statement, domain, options).instances[0].verdict, Verdict::vacuous);

    options.database = scratch.path();
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(scratch.path()))
        files.push_back(entry.path());
    ASSERT_EQ(files.size(), 1u);
    std::stringstream good;
    good << std::ifstream(files[0]).rdbuf();
    const std::string bytes = good.str();
    const auto edited = [&](const std::string& from, const std::string& to) {
        std::string text = bytes;
        const auto place = text.find(from);
        EXPECT_NE(place, std::string::npos) << from;
        return place == std::string::npos ? text : text.replace(place, from.size(), to);
    };
    for (const auto& damage :
         {std::string(), std::string("[]"), bytes.substr(0, bytes.size() / 2),
          edited("crosshead.instances/1", "crosshead.instances/2"),
          edited("\"instances\": [", "\"instances\": 3, \"x\": ["), edited("\"edges\"", "\"edgs\"")}) {
        std::ofstream(files[0], std::ios::trunc) << damage;
        EXPECT_THROW(checked(statement, domain, options), InputError) << damage;
    }
}

// Fails today: nlohmann's type_error escapes, which is an internal error to the program.
TEST(Store, KeysOfAnotherTypeAreAnInputErrorToo) {
    const test::ScratchFile scratch("instances");
    InstanceStore(scratch.path()).store("n > 2", HeadSystem({line_head(2)}));
    const auto file = std::filesystem::directory_iterator(scratch.path())->path();
    for (const char* damage : {R"({"schema": 1, "statement": "n > 2", "instances": []})",
                               R"({"schema": "crosshead.instances/1", "statement": 7, "instances": []})"}) {
        std::ofstream(file, std::ios::trunc) << damage;
        EXPECT_THROW(InstanceStore(scratch.path()).load("n > 2"), InputError) << damage;
    }
}

TEST(Store, KeepsTheNewestEachOnce) {
    const test::ScratchFile scratch("instances");
    const InstanceStore store(scratch.path());
    EXPECT_TRUE(store.load("n > 2").empty());
    for (int n = 2; n < 80; ++n) store.store("n > 2", HeadSystem({line_head(n)}));
    store.store("n > 2", HeadSystem({line_head(79)}));
    const auto kept = store.load("n > 2");
    ASSERT_EQ(kept.size(), InstanceStore::most_kept);
    for (std::size_t k = 0; k < kept.size(); ++k) EXPECT_EQ(kept[k].nodes(), 79 - static_cast<int>(k));
    EXPECT_TRUE(store.load("n > 3").empty());
    InstanceStore("").store("n > 2", HeadSystem({line_head(2)}));
    EXPECT_TRUE(InstanceStore("").load("n > 2").empty());
}

}  // namespace
}  // namespace crosshead
