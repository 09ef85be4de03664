#include <gtest/gtest.h>
#include <zip.h>

#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/file_io.hpp>
#include <crosshead/graphs/zip_archive.hpp>
#include <filesystem>
#include <functional>

#include "../scratch_file.hpp"

namespace crosshead {
namespace {

struct Part {
    std::string name, bytes;
    zip_int32_t method = ZIP_CM_STORE;
};

/// A well-formed archive, as bytes.
std::string archive_of(const std::vector<Part>& parts) {
    const test::ScratchFile scratch("made.zip");
    int code = 0;
    zip_t* archive = zip_open(scratch.path().c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
    for (const Part& part : parts) {
        zip_source_t* source = zip_source_buffer(archive, part.bytes.data(), part.bytes.size(), 0);
        const zip_int64_t at = zip_file_add(archive, part.name.c_str(), source, 0);
        EXPECT_GE(at, 0);
        zip_set_file_compression(archive, static_cast<zip_uint64_t>(at), part.method, 9);
    }
    EXPECT_EQ(zip_close(archive), 0);
    return read_file(scratch.path());
}

/// The message with which `bytes` are refused, by the directory or while `entry` is read.
std::string refusal(const std::string& bytes, const ZipLimits& limits = {}, const std::string& entry = "a") {
    const test::ScratchFile scratch("refused.zip", bytes);
    try {
        ZipArchive(scratch.path(), limits).read(entry);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

TEST(ZipArchive, ReadsStoredAndDeflatedEntries) {
    const std::string zeros(5000, '\0');
    const test::ScratchFile scratch(
        "good.zip", archive_of({{"a", "hello"}, {"d/b", zeros, ZIP_CM_DEFLATE}, {"empty", ""}}));
    const ZipArchive archive(scratch.path());
    ASSERT_EQ(archive.entries().size(), 3u);
    EXPECT_EQ(archive.entries()[1].name, "d/b");
    EXPECT_EQ(archive.entries()[1].bytes, 5000u);
    EXPECT_EQ(archive.read("a"), "hello");
    EXPECT_EQ(archive.read("d/b"), zeros);
    EXPECT_EQ(archive.read("empty"), "");
    EXPECT_TRUE(archive.contains("empty"));
    EXPECT_FALSE(archive.contains("c"));
    EXPECT_THROW(archive.read("c"), InputError);
}

TEST(ZipArchive, SurvivesBeingMoved) {
    const test::ScratchFile scratch("moved.zip", archive_of({{"a", "hello"}}));
    ZipArchive first(scratch.path());
    ZipArchive second(std::move(first));
    EXPECT_EQ(second.read("a"), "hello");
}

TEST(ZipArchive, RefusesWhatIsNoArchive) {
    EXPECT_NE(refusal("plain text that goes on for a while").find("not a whole zip"), std::string::npos);
    EXPECT_NE(refusal("").find("is empty"), std::string::npos);
    EXPECT_THROW(ZipArchive(std::filesystem::temp_directory_path()), InputError);
    EXPECT_THROW(ZipArchive("no/such/file.zip"), InputError);
}

TEST(ZipArchive, RefusesEveryTruncation) {
    const std::string whole = archive_of({{"a", std::string(300, 'x')}, {"b", "second"}});
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_NE(refusal(whole.substr(0, size)), "accepted") << size;
    EXPECT_EQ(refusal(whole), "accepted");
}

TEST(ZipArchive, RefusesDamagedBytes) {
    std::string bytes = archive_of({{"a", "checksummed"}});
    replace_all(bytes, "checksummed", "checksunned");
    EXPECT_NE(refusal(bytes).find("entry a"), std::string::npos);
}

TEST(ZipArchive, RefusesABomb) {
    // 8 MiB of zeros deflate to about 8 KiB: 1029 to 1.
    const std::string bomb = archive_of({{"a", std::string(8u << 20, '\0'), ZIP_CM_DEFLATE}});
    EXPECT_NE(refusal(bomb).find("zip bomb"), std::string::npos);
}

TEST(ZipArchive, HoldsToEachLimit) {
    const std::string two = archive_of({{"a", std::string(600, 'x')}, {"b", std::string(600, 'y')}});
    EXPECT_EQ(refusal(two), "accepted");
    EXPECT_NE(refusal(two, {.max_entries = 1}).find("2 entries"), std::string::npos);
    EXPECT_NE(refusal(two, {.max_entry_bytes = 599}).find("600 bytes"), std::string::npos);
    EXPECT_NE(refusal(two, {.max_total_bytes = 1199}).find("more than the 1199"), std::string::npos);
    EXPECT_EQ(refusal(two, {.max_entry_bytes = 600, .max_total_bytes = 1200}), "accepted");
}

TEST(ZipArchive, RefusesTwoEntriesOfOneName) {
    std::string bytes = archive_of({{"first", "1"}, {"other", "2"}});
    replace_all(bytes, "other", "first");
    EXPECT_NE(refusal(bytes, {}, "first"), "accepted");
}

TEST(ZipArchive, NeverReadsPastTheStatedSize) {
    std::string bytes = archive_of({{"a", std::string(1000, 'x'), ZIP_CM_DEFLATE}});
    // Uncompressed size 1000 = 0x3e8 becomes 500 in the local header and in the directory.
    replace_all(bytes, std::string("\xe8\x03\0\0", 4), std::string("\xf4\x01\0\0", 4));
    EXPECT_NE(refusal(bytes), "accepted");
}

TEST(ZipArchive, RefusesEncryptedEntries) {
    std::string bytes = archive_of({{"a", "secret"}});
    const auto directory = bytes.find("PK\x01\x02");
    ASSERT_NE(directory, std::string::npos);
    bytes[6] = 1;              // general purpose flag, local header
    bytes[directory + 8] = 1;  // and directory
    EXPECT_NE(refusal(bytes).find("encrypted"), std::string::npos);
}

}  // namespace
}  // namespace crosshead
