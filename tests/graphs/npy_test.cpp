#include <zip.h>

#include <cmath>
#include <crosshead/graphs/npy.hpp>
#include <crosshead/graphs/zip_archive.hpp>
#include <cstring>
#include <limits>

#include "../scratch_file.hpp"
#include "helpers.hpp"

namespace crosshead {
namespace {

using test::refusal;
using test::says;
using test::ScratchFile;

template <class T>
std::string raw(std::initializer_list<T> values, bool big_endian = false) {
    std::string bytes;
    for (const T value : values) {
        std::string one(reinterpret_cast<const char*>(&value), sizeof(T));
        if (big_endian) one.assign(one.rbegin(), one.rend());
        bytes += one;
    }
    return bytes;
}

std::string npy_with_header(const std::string& header, const std::string& data, int version = 1) {
    const std::string length = version == 1 ? raw({static_cast<std::uint16_t>(header.size())})
                                            : raw({static_cast<std::uint32_t>(header.size())});
    return "\x93NUMPY" + std::string(1, static_cast<char>(version)) + std::string(1, '\0') + length + header +
           data;
}

std::string npy(const std::string& dtype, const std::string& shape, const std::string& data,
                bool fortran = false, int version = 1) {
    return npy_with_header("{'descr': '" + dtype + "', 'fortran_order': " + (fortran ? "True" : "False") +
                               ", 'shape': " + shape + ", }   \n",
                           data, version);
}

std::string refusal_of(const std::string& bytes) {
    return refusal([&] { parse_npy(bytes, "w.npy"); });
}

void write_zip(const std::filesystem::path& path,
               const std::vector<std::pair<std::string, std::string>>& entries) {
    zip_t* archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
    ASSERT_NE(archive, nullptr);
    for (const auto& [name, bytes] : entries)
        zip_file_add(archive, name.c_str(), zip_source_buffer(archive, bytes.data(), bytes.size(), 0), 0);
    ASSERT_EQ(zip_close(archive), 0);
}

TEST(Npy, EveryVersionAndFloatWidth) {
    for (const int version : {1, 2, 3}) {
        const auto array =
            parse_npy(npy("<f4", "(2, 2)", raw<float>({1, 0.1f, -0.f, 3}), false, version), "w");
        EXPECT_EQ(array.kind, NpyArray::Kind::floating);
        EXPECT_EQ(array.shape, (std::vector<std::int64_t>{2, 2}));
        EXPECT_EQ(array.floating, (std::vector<double>{1, 0.1f, -0., 3}));
    }
    EXPECT_EQ(parse_npy(npy("<f8", "(2,)", raw<double>({0.1, 1e-310})), "w").floating,
              (std::vector<double>{0.1, 1e-310}));
}

TEST(Npy, HalfPrecisionIsExact) {
    const std::string bytes =
        raw<std::uint16_t>({0x3c00, 0xc000, 0x3555, 0x0001, 0x03ff, 0x7bff, 0x7c00, 0x7e00, 0x8000});
    const auto values = parse_npy(npy("<f2", "(9,)", bytes), "w").floating;
    EXPECT_EQ(values[0], 1);
    EXPECT_EQ(values[1], -2);
    EXPECT_EQ(values[2], 0.333251953125);
    EXPECT_EQ(values[3], std::ldexp(1, -24));
    EXPECT_EQ(values[4], std::ldexp(1023, -24));
    EXPECT_EQ(values[5], 65504);
    EXPECT_EQ(values[6], HUGE_VAL);
    EXPECT_TRUE(std::isnan(values[7]));
    EXPECT_TRUE(std::signbit(values[8]) && values[8] == 0);
}

TEST(Npy, BigEndianAndIntegers) {
    EXPECT_EQ(parse_npy(npy(">f4", "(2,)", raw<float>({1.5, -2}, true)), "w").floating,
              (std::vector<double>{1.5, -2}));
    EXPECT_EQ(parse_npy(npy(">f2", "(1,)", raw<std::uint16_t>({0x3c00}, true)), "w").floating[0], 1);
    EXPECT_EQ(parse_npy(npy(">i8", "(2,)", raw<std::int64_t>({-5, 7}, true)), "w").integers,
              (std::vector<std::int64_t>{-5, 7}));
    EXPECT_EQ(parse_npy(npy("|i1", "(2,)", "\xff\x02"), "w").integers, (std::vector<std::int64_t>{-1, 2}));
    EXPECT_EQ(parse_npy(npy("|u1", "(2,)", "\xff\x02"), "w").integers, (std::vector<std::int64_t>{255, 2}));
    EXPECT_EQ(parse_npy(npy("<u4", "(1,)", "\xff\xff\xff\xff"), "w").integers[0], 4294967295);
    EXPECT_EQ(parse_npy(npy("<i2", "(1,)", "\xff\xff"), "w").integers[0], -1);
    EXPECT_EQ(parse_npy(npy("|b1", "(2,)", std::string("\0\1", 2)), "w").integers,
              (std::vector<std::int64_t>{0, 1}));
}

TEST(Npy, FortranOrderBecomesCOrder) {
    // a[i][j][k] = 100 i + 10 j + k, stored with the first index fastest.
    std::string data;
    std::vector<double> expected;
    for (int k = 0; k < 4; ++k)
        for (int j = 0; j < 3; ++j)
            for (int i = 0; i < 2; ++i) data += raw<float>({static_cast<float>(100 * i + 10 * j + k)});
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 4; ++k) expected.push_back(100 * i + 10 * j + k);
    EXPECT_EQ(parse_npy(npy("<f4", "(2, 3, 4)", data, true), "w").floating, expected);
}

TEST(Npy, ScalarsEmptyArraysAndOldHeaders) {
    EXPECT_EQ(parse_npy(npy("<f8", "()", raw<double>({7})), "w").floating, std::vector<double>{7});
    EXPECT_TRUE(parse_npy(npy("<f8", "(0, 9223372036854775807, 2)", ""), "w").floating.empty());
    EXPECT_EQ(parse_npy(npy("<f4", "(2L, 1L)", raw<float>({1, 2})), "w").shape.size(), 2u);
    const std::string shuffled = "{\"shape\": (1,), \"descr\": \"<f4\", \"fortran_order\": False}\n";
    EXPECT_EQ(parse_npy(npy_with_header(shuffled, raw<float>({3})), "w").floating[0], 3);
}

TEST(Npy, PicklesAreRefusedUnread) {
    for (const std::string header :
         {"{'descr': '|O', 'fortran_order': False, 'shape': ()}", "{'descr': [('a', '<f4'), ('b', '|O')], ",
          "{'descr': 'O', 'fortran_order': False, 'shape': (1,)}"})
        EXPECT_TRUE(
            says(refusal_of(npy_with_header(header, "\x80\x04.")),
                 {"w.npy: holds pickled Python objects", "can run code", "save it with a numeric dtype"}));
}

TEST(Npy, UnreadableTypesAreNamed) {
    for (const std::string dtype :
         {"<c8", "<U3", "|S4", "<M8[s]", "|V8", "<f16", "<u8", "f4", "=f4", "|f4", "<f3", ""})
        EXPECT_TRUE(says(refusal_of(npy(dtype, "(1,)", "12345678")),
                         {"w.npy: dtype '" + dtype + "' is not read", "astype"}));
    EXPECT_TRUE(
        says(refusal_of(npy_with_header("{'descr': [('a', '<f4')], ", "")), {"named fields", "a['field']"}));
}

TEST(Npy, SizesThatDoNotFitTheFileAreRefused) {
    const std::string one = raw<float>({1});
    EXPECT_TRUE(
        says(refusal_of(npy("<f4", "(2,)", one)), {"w.npy: truncated", "(2,)", "needs 8 bytes", "holds 4"}));
    EXPECT_TRUE(
        says(refusal_of(npy("<f4", "(1,)", one + "x")), {"bytes follow the array", "needs 4", "holds 5"}));
    EXPECT_TRUE(says(refusal_of(npy("<f4", "(4611686018427387904, 4)", one)), {"does not fit a file"}));
    EXPECT_TRUE(says(refusal_of(npy("<f4", "(9223372036854775807, 1)", one)), {"does not fit a file"}));
    EXPECT_TRUE(says(refusal_of(npy("<f4", "(9223372036854775808,)", one)), {"exceeds 64 bits"}));
    std::string many = "(";
    for (int d = 0; d < 33; ++d) many += "1, ";
    EXPECT_TRUE(says(refusal_of(npy("<f4", many + ")", one)), {"more than 32 dimensions"}));
}

TEST(Npy, MalformedHeadersAreRefused) {
    const std::string tail = "'fortran_order': False, 'shape': (1,)}";
    for (const std::string& header :
         {std::string("{}"), "{'descr': '<f4', " + tail + " x", "{'descr': '<f4', 'descr': '<f4', " + tail,
          "{'descr': '<f4', 'extra': 1, " + tail, "{'descr': '<f4' " + tail, "{'descr': '<f4, " + tail,
          "{'descr': '\\x3cf4', " + tail, std::string("{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}"),
          std::string("{'descr': '<f4', 'fortran_order': False, 'shape': (1)}"),
          std::string("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}"),
          std::string("{'descr': '<f4', 'fortran_order': False, 'shape': [1]}"),
          std::string("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)"),
          std::string("{'descr': '<f4', 'fortran_order': False, 'shape': (1 2)}"),
          std::string("__import__('os')")})
        EXPECT_TRUE(says(refusal_of(npy_with_header(header, raw<float>({1}))),
                         {"w.npy: the .npy header is malformed", "numpy.save"}))
            << header;
}

TEST(Npy, EveryTruncationIsRefused) {
    const std::string whole = npy("<f4", "(1,)", raw<float>({1}));
    for (std::size_t length = 0; length < whole.size(); ++length)
        EXPECT_NE(refusal_of(whole.substr(0, length)), "accepted") << length;
    EXPECT_TRUE(says(refusal_of(whole.substr(0, 20)), {"truncated"}));
    EXPECT_TRUE(says(refusal_of("hello, world"), {"not a .npy file"}));
    std::string wrong = whole;
    wrong[6] = 9;
    EXPECT_TRUE(says(refusal_of(wrong), {"version 9"}));
    EXPECT_TRUE(says(refusal_of("\x93NUMPY\x02" + std::string(1, '\0') + "\xff\xff\xff\xff{"),
                     {"claims 4294967295 bytes"}));
}

TEST(Npz, ArraysByName) {
    const ScratchFile scratch("w.npz");
    write_zip(scratch.path(), {{"attn.npy", npy("<f4", "(1,)", raw<float>({5}))},
                               {"tokens.npy", npy("<i8", "(1,)", raw<std::int64_t>({9}))}});
    const auto arrays = read_npz(scratch.path());
    EXPECT_EQ(arrays.at("attn").floating[0], 5);
    EXPECT_EQ(arrays.at("tokens").integers[0], 9);
    EXPECT_EQ(npz_names(scratch.path()).size(), 2u);
}

TEST(Npz, ArraysBesideTheOneAskedForStayUnread) {
    const ScratchFile scratch("w.npz");
    write_zip(scratch.path(),
              {{"bad.npy", npy("|O", "()", "\x80\x04.")}, {"good.npy", npy("<f4", "(1,)", raw<float>({5}))}});
    EXPECT_EQ(read_npz_array(scratch.path(), "good").floating[0], 5);
    EXPECT_TRUE(says(refusal([&] { read_npz(scratch.path()); }), {"w.npz: bad", "pickled"}));
    const ScratchFile other("x.npz");
    write_zip(other.path(), {{"readme.txt", "hello"}});
    EXPECT_TRUE(says(refusal([&] { npz_names(other.path()); }), {"x.npz", "readme.txt", "numpy.savez"}));
}

RC_GTEST_PROP(NpyProperty, NoBytesMakeItMisbehave, (std::vector<std::uint8_t> edits)) {
    std::string bytes = npy("<f4", "(2, 1)", raw<float>({1, 2}));
    for (const auto edit : edits)
        bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] = static_cast<char>(edit);
    try {
        const auto array = parse_npy(bytes, "w");
        RC_ASSERT(array.floating.size() + array.integers.size() <= bytes.size());
    } catch (const InputError&) {
    }
}

}  // namespace
}  // namespace crosshead
