#include <gtest/gtest.h>

#include <cmath>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/safetensors.hpp>
#include <cstring>
#include <filesystem>
#include <limits>

#include "../scratch_file.hpp"

namespace crosshead {
namespace {

template <class T>
std::string raw(std::initializer_list<T> values) {
    std::string bytes;
    for (const T value : values) bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
    return bytes;
}

std::string with_header(const std::string& header, const std::string& data) {
    return raw({static_cast<std::uint64_t>(header.size())}) + header + data;
}

std::string refusal(const std::string& bytes) {
    try {
        parse_safetensors(bytes, "w.safetensors");
    } catch (const InputError& error) {
        EXPECT_EQ(std::string(error.what()).find("w.safetensors"), 0u) << error.what();
        return error.what();
    }
    return "accepted";
}

#define EXPECT_REFUSED(bytes, reason) \
    EXPECT_NE(refusal(bytes).find(reason), std::string::npos) << refusal(bytes)

SafeTensors example() {
    SafeTensors contents;
    contents.metadata["format"] = "pt";
    contents.metadata["note"] = "heads \"4\"\n";
    contents.tensors["b"] = {"F32", {2, 2}, raw<float>({1, -2, 0.5, 3})};
    contents.tensors["a"] = {"I64", {}, raw<std::int64_t>({7})};
    contents.tensors["none"] = {"F64", {0, 3}, ""};
    return contents;
}

TEST(Safetensors, RoundTripsThroughAFile) {
    const test::ScratchFile scratch("w.safetensors");
    const SafeTensors written = example();
    write_safetensors(scratch.path(), written);
    const SafeTensors read = read_safetensors(scratch.path());
    EXPECT_EQ(read.metadata, written.metadata);
    ASSERT_EQ(read.tensors.size(), 3u);
    for (const auto& [name, tensor] : written.tensors) {
        EXPECT_EQ(read.tensors.at(name).dtype, tensor.dtype);
        EXPECT_EQ(read.tensors.at(name).shape, tensor.shape);
        EXPECT_EQ(read.tensors.at(name).bytes, tensor.bytes);
    }
}

TEST(Safetensors, AlignsTheHeaderAndIsDeterministic) {
    const std::string bytes = format_safetensors(example());
    std::uint64_t header = 0;
    std::memcpy(&header, bytes.data(), 8);
    EXPECT_EQ(header % 8, 0u);
    EXPECT_EQ(bytes, format_safetensors(example()));
}

TEST(Safetensors, ReadsWhatTheReferenceImplementationWrites) {
    const std::string header =
        R"({"__metadata__":{"format":"pt"},"w":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}}   )";
    const SafeTensors read =
        parse_safetensors(with_header(header, raw<std::uint16_t>({0x3c00, 0xc000})), "w");
    EXPECT_EQ(values_as_double(read.tensors.at("w"), "w"), (std::vector<double>{1, -2}));
    EXPECT_TRUE(parse_safetensors(with_header("{}", ""), "w").tensors.empty());
}

TEST(Safetensors, RefusesEveryTruncation) {
    const std::string whole = format_safetensors(example());
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_NE(refusal(whole.substr(0, size)), "accepted") << size;
    EXPECT_EQ(refusal(whole), "accepted");
    EXPECT_REFUSED(whole + "x", "follow the last tensor");
}

TEST(Safetensors, RefusesWrongHeaders) {
    EXPECT_REFUSED("This is a line of text, not a tensor file.\n", "is not safetensors");
    EXPECT_REFUSED(raw({std::uint64_t{1} << 60}) + "{}", "states a header");
    EXPECT_REFUSED(with_header("{", ""), "not JSON");
    EXPECT_REFUSED(with_header("{} {}", ""), "not JSON");
    EXPECT_REFUSED(with_header(R"({"a":1})", ""), "is not an object of dtype");
    EXPECT_REFUSED(with_header(R"({"__metadata__":{"a":1}})", ""), "is not text");
    EXPECT_REFUSED(with_header(R"({"__metadata__":[]})", ""), "not an object");
    EXPECT_REFUSED(with_header(R"({"a":{"dtype":"F32","shape":[],"data_offsets":[0,4],"more":0}})", "1234"),
                   "is not an object of dtype");
    EXPECT_REFUSED(with_header(std::string(100'000, '[') + std::string(100'000, ']'), ""),
                   "is not safetensors");
    EXPECT_REFUSED(with_header("{\"a\":" + std::string(100'000, '['), ""), "not JSON");
}

std::string one_tensor(const std::string& dtype, const std::string& shape, const std::string& offsets,
                       std::size_t data) {
    return with_header(
        R"({"a":{"dtype":)" + dtype + R"(,"shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}",
        std::string(data, 'x'));
}

TEST(Safetensors, RefusesTensorsThatDoNotFit) {
    EXPECT_EQ(refusal(one_tensor("\"F32\"", "[2]", "[0,8]", 8)), "accepted");
    EXPECT_REFUSED(one_tensor("\"F33\"", "[2]", "[0,8]", 8), "dtype \"F33\" is not known");
    EXPECT_REFUSED(one_tensor("32", "[2]", "[0,8]", 8), "is not known");
    EXPECT_REFUSED(one_tensor("\"F32\"", "[3]", "[0,8]", 8), "do not fit");
    EXPECT_REFUSED(one_tensor("\"F32\"", "[-2]", "[0,8]", 8), "not a whole number");
    EXPECT_REFUSED(one_tensor("\"F32\"", "[2.0]", "[0,8]", 8), "not a whole number");
    EXPECT_REFUSED(one_tensor("\"F32\"", "[2]", "[8,0]", 8), "do not fit");
    EXPECT_REFUSED(one_tensor("\"F32\"", "[2]", "[0]", 8), "right length");
    EXPECT_REFUSED(one_tensor("\"F32\"", "2", "[0,8]", 8), "right length");
    EXPECT_REFUSED(one_tensor("\"F32\"", "[4294967296,4294967296]", "[0,0]", 0), "do not fit");
    EXPECT_REFUSED(one_tensor("\"F32\"", "[18446744073709551615]", "[0,0]", 0), "too large");
    EXPECT_REFUSED(one_tensor("\"F32\"", "[2]", "[8,16]", 8), "truncated");
    EXPECT_REFUSED(one_tensor("\"F32\"", "[2]", "[1,9]", 9), "hole");
}

TEST(Safetensors, RefusesOverlapsHolesAndDuplicates) {
    const auto two = [](const std::string& second, std::size_t data) {
        return with_header(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)" + second + "}",
                           std::string(data, 'x'));
    };
    EXPECT_EQ(refusal(two(R"("b":{"dtype":"U8","shape":[4],"data_offsets":[4,8]})", 8)), "accepted");
    EXPECT_REFUSED(two(R"("b":{"dtype":"U8","shape":[4],"data_offsets":[2,6]})", 6), "inside");
    EXPECT_REFUSED(two(R"("b":{"dtype":"U8","shape":[4],"data_offsets":[0,4]})", 4), "inside");
    EXPECT_REFUSED(two(R"("b":{"dtype":"U8","shape":[4],"data_offsets":[6,10]})", 10), "hole");
    EXPECT_REFUSED(two(R"("a":{"dtype":"U8","shape":[4],"data_offsets":[4,8]})", 8), "twice");
}

TEST(Safetensors, ConvertsFloatsExactly) {
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(values_as_double({"F64", {2}, raw<double>({0.1, -infinity})}, "w"),
              (std::vector<double>{0.1, -infinity}));
    EXPECT_EQ(values_as_double({"F32", {1}, raw<float>({0.1f})}, "w"), (std::vector<double>{0.1f}));
    // Smallest subnormal, largest subnormal, smallest normal, largest finite, infinity of binary16.
    EXPECT_EQ(values_as_double({"F16", {5}, raw<std::uint16_t>({1, 0x3ff, 0x400, 0x7bff, 0x7c00})}, "w"),
              (std::vector<double>{0x1p-24, 1023 * 0x1p-24, 0x1p-14, 65504, infinity}));
    EXPECT_TRUE(std::isnan(values_as_double({"F16", {1}, raw<std::uint16_t>({0x7e00})}, "w")[0]));
    EXPECT_EQ(values_as_double({"BF16", {2}, raw<std::uint16_t>({0x3f80, 0xc000})}, "w"),
              (std::vector<double>{1, -2}));
    EXPECT_THROW(values_as_double({"I64", {1}, raw<std::int64_t>({1})}, "w"), InputError);
    EXPECT_THROW(values_as_double({"F32", {2}, raw<float>({1})}, "w"), InputError);
}

TEST(Safetensors, WritesOnlyWhatCanBeRead) {
    SafeTensors contents;
    contents.tensors["a"] = {"F32", {3}, "1234"};
    EXPECT_THROW(format_safetensors(contents), InputError);
    contents.tensors.clear();
    contents.metadata["a"] = "\xff";
    EXPECT_THROW(format_safetensors(contents), InputError);
}

TEST(Safetensors, RefusesTheRejectFile) {
    const std::filesystem::path path = CROSSHEAD_SHARED_DATA "/reject/not_safetensors.safetensors";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here";
    EXPECT_THROW(read_safetensors(path), InputError);
    EXPECT_THROW(read_safetensors(path.parent_path()), InputError);
}

}  // namespace
}  // namespace crosshead
