#include <gtest/gtest.h>

#include <crosshead/graphs/error.hpp>
#include <crosshead/trainer/pickle.hpp>

#include "pickle_writer.hpp"

namespace crosshead {
namespace {

using namespace test;
using Kind = PickleValue::Kind;

const std::set<std::string, std::less<>> allowed = {"collections.OrderedDict", "torch.FloatStorage"};

Pickle parse(const std::string& bytes, const PickleLimits& limits = {}) {
    return Pickle(bytes, allowed, "model.pt: data.pkl", limits);
}

std::string refusal(const std::string& bytes, const PickleLimits& limits = {}) {
    try {
        parse(bytes, limits);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

void expect_refused(const std::string& bytes, const std::string& reason, const PickleLimits& limits = {}) {
    const std::string message = refusal(bytes, limits);
    EXPECT_NE(message.find(reason), std::string::npos) << message;
    EXPECT_EQ(message.find("model.pt: data.pkl byte "), 0u) << message;
    EXPECT_NE(message.find("nothing was run"), std::string::npos) << message;
}

TEST(Pickle, ReadsPlainData) {
    const Pickle pickle = parse(proto + "(K\x07M\x01\x02J\xff\xff\xff\xff\x88\x89NG\x3f\xf8\0\0\0\0\0\0"s +
                                text("w") + "\x8c\x01v" + "\x8a\x01\xff" + "]K\x01" + "a" + "t.");
    const PickleValue& root = pickle.root();
    ASSERT_EQ(root.kind, Kind::tuple);
    ASSERT_EQ(root.items.size(), 11u);
    const auto item = [&](std::size_t i) -> const PickleValue& { return pickle[root.items[i]]; };
    EXPECT_EQ(item(0).integer, 7);
    EXPECT_EQ(item(1).integer, 513);
    EXPECT_EQ(item(2).integer, -1);
    EXPECT_EQ(item(3).integer, 1);
    EXPECT_EQ(item(4).kind, Kind::boolean);
    EXPECT_EQ(item(5).kind, Kind::none);
    EXPECT_EQ(item(6).real, 1.5);
    EXPECT_EQ(item(7).text, "w");
    EXPECT_EQ(item(8).text, "v");
    EXPECT_EQ(item(9).integer, -1);
    EXPECT_EQ(item(10).kind, Kind::list);
}

TEST(Pickle, RemembersAndCalls) {
    const Pickle pickle = parse(proto + ordered_dict + "q\x05" + text("k") + "r\x07\0\0\0"s +
                                "h\x05"s.substr(0, 0) + "j\x07\0\0\0"s + "s.");
    ASSERT_EQ(pickle.root().kind, Kind::dict);
    ASSERT_EQ(pickle.root().items.size(), 2u);
    EXPECT_EQ(pickle.root().items[0], pickle.root().items[1]);
    EXPECT_EQ(parse(proto + global("torch", "FloatStorage") + ")R.").root().kind, Kind::call);
}

TEST(Pickle, ToleratesMetadataAlone) {
    const std::string built = proto + ordered_dict + "}" + text("_metadata") + ordered_dict + "sb.";
    EXPECT_EQ(parse(built).root().kind, Kind::dict);
    expect_refused(proto + ordered_dict + "}" + text("_hooks") + "Nsb.", "attributes other than _metadata");
    expect_refused(proto + "]}" + text("_metadata") + "Nsb.", "attributes of something");
    expect_refused(proto + ordered_dict + "Nb.", "attributes of something");
}

TEST(Pickle, RefusesGlobalsByName) {
    expect_refused(proto + global("os", "system") + text("true") + "\x85R.",
                   "pickle names os.system, which is not on the list");
    expect_refused(proto + global("posix", "system") + ".", "posix.system");
    expect_refused(proto + global("builtins", "eval") + ".", "builtins.eval");
    expect_refused("\x80\x04" + ("\x8c\x02os"s + "\x8c\x06system"s) + "\x93.", "os.system");
    expect_refused(proto + global("a\x1b[31m", "b") + ".", "a\\x1b[31m.b");
    expect_refused(proto + "c" + std::string(1000, 'a'), "a name has no end");
    expect_refused("\x80\x04K\x01K\x02\x93.", "not a short text");
}

TEST(Pickle, RefusesOpcodesByName) {
    expect_refused(proto + ")\x81.", "opcode NEWOBJ (0x81)");
    expect_refused(proto + "(ios\nsystem\n.", "opcode INST (0x69)");
    expect_refused(proto + "\x82\x01.", "opcode EXT1");
    expect_refused(proto + "\xff.", "opcode 0xff");
    expect_refused("\x80\x01N.", "protocol 1");
}

TEST(Pickle, RefusesEveryTruncation) {
    const std::string whole = state_dict({{"w", integers({1, 2, 3})}, {"v", "N"}});
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_NE(refusal(whole.substr(0, size)), "accepted") << size;
    EXPECT_EQ(refusal(whole), "accepted");
    expect_refused(whole + "x", "bytes follow");
}

TEST(Pickle, RefusesHugeLengths) {
    expect_refused(proto + "X\xff\xff\xff\xff" + "abc", "truncated");
    expect_refused(proto + "\x8d" + little_endian(~std::uint64_t{0}, 8) + "abc", "truncated");
    expect_refused(proto + "\x8a\xff", "an integer of 255 bytes");
}

TEST(Pickle, RefusesMisuseOfStackAndMemo) {
    expect_refused(proto + "h\x01.", "never remembered");
    expect_refused(proto + "q\x01.", "empty stack");
    expect_refused(proto + "\x94.", "empty stack");
    expect_refused(proto + "\x86.", "empty stack");
    expect_refused(proto + "N(\x85t.", "empty stack");  // must not reach below the mark
    expect_refused(proto + "t.", "mark that is not open");
    expect_refused(proto + "(N.", "does not end with one value");
    expect_refused(proto + "NN.", "does not end with one value");
    expect_refused(proto + ".", "does not end with one value");
    expect_refused(proto + "NN(Nu.", "not a dict");
    expect_refused(proto + "}(Nu.", "key without a value");
    expect_refused(proto + "NNa.", "not a list");
    expect_refused(proto + "N)R.", "not a global");
    expect_refused(proto + global("torch", "FloatStorage") + "NR.", "not with a tuple");
    expect_refused(proto + global("collections", "OrderedDict") + "N\x85R.", "made with arguments");
}

TEST(Pickle, BoundsDepthAndSize) {
    expect_refused(proto + std::string(100, '('), "nest deeper");
    std::string nested = proto + ")";
    for (int i = 0; i < 100; ++i) nested += '\x85';
    expect_refused(nested + ".", "nest deeper");
    expect_refused(proto + std::string(11, 'N') + ".", "more than the 10 values", {.max_values = 10});
    expect_refused(proto + "Nq\x01" + std::string(30, 'N').replace(0, 30, "h\x01h\x01h\x01h\x01h\x01h\x01"),
                   "stack grows", {.max_values = 3});
    expect_refused(proto + std::string(200, 'N'), "more than the 100 that are read", {.max_bytes = 100});
}

TEST(Pickle, SurvivesContainersInThemselves) {
    expect_refused(proto + "]q\x01h\x01" + "a.", "put into itself");
    // a holds b, b holds a: harmless, since nothing walks the values recursively.
    EXPECT_EQ(refusal(proto + "]q\x01]q\x02h\x01" + "ah\x02"s.substr(0, 1) + "a."), "accepted");
}

}  // namespace
}  // namespace crosshead
