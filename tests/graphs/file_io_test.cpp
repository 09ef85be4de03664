#include <sys/stat.h>

#include <crosshead/graphs/file_io.hpp>
#include <filesystem>

#include "../scratch_file.hpp"
#include "helpers.hpp"

namespace crosshead {
namespace {

using test::refusal;
using test::says;
using test::ScratchFile;

TEST(FileIo, ReadsWhatWasWritten) {
    const ScratchFile scratch("data.bin");
    const std::string bytes("a\0b\n\xff", 5);
    write_file_atomically(scratch.path(), bytes);
    EXPECT_EQ(read_file(scratch.path()), bytes);
    write_file_atomically(scratch.path(), "shorter");
    EXPECT_EQ(read_file(scratch.path()), "shorter");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch.path().parent_path()), {}), 1)
        << "no temporary file stays behind";
}

TEST(FileIo, WhatCannotBeReadIsRefusedByName) {
    const ScratchFile empty("empty.npy", ""), some("some.npy", "12345");
    EXPECT_TRUE(says(refusal([&] { read_file(empty.path()); }), {"empty.npy: is empty"}));
    EXPECT_TRUE(says(refusal([&] { read_file(some.path(), 4); }), {"some.npy: 5 bytes, more than the 4"}));
    EXPECT_TRUE(says(refusal([&] { read_file(some.path().parent_path()); }), {"is a directory"}));
    EXPECT_TRUE(says(refusal([&] { read_file(some.path().string() + ".gone"); }),
                     {"some.npy.gone", "cannot be opened"}));
    EXPECT_TRUE(says(refusal([&] { read_file("/dev/null"); }), {"not a regular file"}));
}

TEST(FileIo, APipeIsRefusedWithoutWaitingForAWriter) {
    const ScratchFile scratch("pipe");
    ASSERT_EQ(::mkfifo(scratch.path().c_str(), 0600), 0);
    EXPECT_TRUE(says(refusal([&] { read_file(scratch.path()); }), {"not a regular file"}));
}

TEST(FileIo, WhatCannotBeWrittenIsRefusedByName) {
    const ScratchFile scratch("x");
    const auto nowhere = scratch.path().parent_path() / "no-such-folder" / "x";
    EXPECT_TRUE(
        says(refusal([&] { write_file_atomically(nowhere, "x"); }), {"no-such-folder", "cannot be written"}));
    EXPECT_TRUE(says(refusal([&] { write_file_atomically(scratch.path().parent_path(), "x"); }),
                     {"is not a regular file", "name a file"}));
    EXPECT_TRUE(std::filesystem::is_directory(scratch.path().parent_path()));
}

TEST(FileIo, PipesAreLeftAloneLinksFollowedAndModesKept) {
    const ScratchFile target("target", "old");
    const auto folder = target.path().parent_path();
    const auto pipe = folder / "pipe", link = folder / "link";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_TRUE(says(refusal([&] { write_file_atomically(pipe, "x"); }), {"pipe", "is not a regular file"}));
    EXPECT_TRUE(std::filesystem::is_fifo(pipe));
    ASSERT_EQ(::chmod(target.path().c_str(), 0600), 0);
    std::filesystem::create_symlink(target.path(), link);
    write_file_atomically(link, "new");
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    EXPECT_EQ(read_file(target.path()), "new");
    EXPECT_EQ(std::filesystem::status(target.path()).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

}  // namespace
}  // namespace crosshead
