#include <zip.h>

#include <crosshead/graphs/dot.hpp>
#include <crosshead/graphs/families.hpp>
#include <crosshead/graphs/file_io.hpp>
#include <crosshead/graphs/graphml.hpp>
#include <crosshead/graphs/input.hpp>
#include <crosshead/graphs/json_io.hpp>
#include <crosshead/graphs/safetensors.hpp>
#include <cstring>

#include "../scratch_file.hpp"
#include "helpers.hpp"

namespace crosshead {
namespace {

using test::refusal;
using test::says;
using test::ScratchFile;

std::string floats(std::initializer_list<float> values) {
    return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(float)};
}

std::string npy(const std::string& shape, const std::string& data, const std::string& dtype = "<f4") {
    const std::string header = "{'descr': '" + dtype + "', 'fortran_order': False, 'shape': " + shape + "}\n";
    return std::string("\x93NUMPY\1\0", 8) + static_cast<char>(header.size()) + '\0' + header + data;
}

std::string zip_of(const std::vector<std::pair<std::string, std::string>>& entries) {
    const ScratchFile scratch("a.zip");
    zip_t* archive = zip_open(scratch.path().c_str(), ZIP_CREATE, nullptr);
    for (const auto& [name, bytes] : entries)
        zip_file_add(archive, name.c_str(), zip_source_buffer(archive, bytes.data(), bytes.size(), 0), 0);
    EXPECT_EQ(zip_close(archive), 0);
    return read_file(scratch.path());
}

LoadedInput load(const std::string& name, const std::string& bytes, const LoadOptions& options = {}) {
    const ScratchFile scratch(name, bytes);
    return load_input(scratch.path(), options);
}
std::string refusal_of(const std::string& name, const std::string& bytes, const LoadOptions& options = {}) {
    return refusal([&] { load(name, bytes, options); });
}

const std::string two_rows = floats({1, 0, 0.25, 0.75});
const std::string attn_json = "{\"attn\": [[[[1, 0], [0.25, 0.75]]]], \"tokens\": [\"a\", \"a\"]}";

TEST(LoadInput, ArraysOfEveryRank) {
    for (const std::string shape : {"(2, 2)", "(1, 2, 2)", "(1, 1, 2, 2)"}) {
        const auto loaded = load("w.npy", npy(shape, two_rows));
        EXPECT_EQ(loaded.format, ".npy");
        ASSERT_EQ(loaded.layers.size(), 1u);
        EXPECT_EQ(loaded.layers[0].head(0).weight(1), Rational(1, 4));
        EXPECT_EQ(loaded.residuals.size(), 1u);
    }
    const auto model = load("w.npy", npy("(2, 1, 2, 2)", two_rows + floats({1, 0, 0.5, 0.5})));
    ASSERT_EQ(model.layers.size(), 2u);
    EXPECT_EQ(model.layers[1].head(0).weight(1), Rational(1, 2));
    EXPECT_EQ(load("w.npy", npy("(2, 2)", std::string("\1\0\0\1", 4), "|u1")).layers[0].head(0).edge_count(),
              2u);
}

TEST(LoadInput, ShapesThatAreNoAttention) {
    EXPECT_TRUE(
        says(refusal_of("w.npy", npy("(4,)", two_rows)), {"w.npy: shape (4,)", "(layers, heads, n, n)"}));
    EXPECT_TRUE(says(refusal_of("w.npy", npy("(1, 4)", two_rows)), {"shape (1, 4)"}));
    EXPECT_TRUE(says(refusal_of("w.npy", npy("(1, 1, 1, 2, 2)", two_rows)), {"shape (1, 1, 1, 2, 2)"}));
    EXPECT_TRUE(says(refusal_of("w.npy", npy("(0, 2, 2)", "")), {"holds no attention"}));
    EXPECT_TRUE(says(refusal_of("w.npy", npy("(1, 2, 2)", floats({1, 0, 0.25, 0.5}))),
                     {"w.npy: layer 0 head 0 row 1 sums to 0.75", "--renormalise"}));
    LoadOptions options;
    options.attention.renormalise = true;
    EXPECT_EQ(load("w.npy", npy("(1, 2, 2)", floats({1, 0, 0.25, 0.5})), options).layers[0].head(0).weight(1),
              Rational(1, 3));
}

TEST(LoadInput, ArchivesAndTensorsByName) {
    const std::string one = zip_of({{"attn.npy", npy("(2, 2)", two_rows)}});
    EXPECT_TRUE(says(load("w.npz", one).notes.at(0), {"\"attn\"", "only one"}));
    const std::string two = zip_of({{"attn.npy", npy("(2, 2)", two_rows)}, {"ids.npy", npy("()", "", "|O")}});
    EXPECT_TRUE(says(refusal_of("w.npz", two), {"w.npz: holds 2 arrays", "attn, ids", "--array"}));
    LoadOptions options;
    options.array = "attn";
    EXPECT_EQ(load("w.npz", two, options).format, ".npz");
    options.array = "attention";
    EXPECT_TRUE(says(refusal_of("w.npz", two, options), {"no array \"attention\"", "attn, ids"}));
    options.array = "ids";
    EXPECT_TRUE(says(refusal_of("w.npz", two, options), {"w.npz: ids", "pickled"}));

    SafeTensors tensors;
    tensors.tensors["layer.0"] = {"F32", {1, 2, 2}, two_rows};
    const auto loaded = load("w.safetensors", format_safetensors(tensors));
    EXPECT_EQ(loaded.format, "safetensors");
    EXPECT_EQ(loaded.layers[0].head(0).weight(1), Rational(1, 4));
    tensors.tensors["ids"] = {"I64", {1}, std::string(8, '\0')};
    EXPECT_TRUE(
        says(refusal_of("w.safetensors", format_safetensors(tensors)), {"holds 2 arrays", "ids, layer.0"}));
    options.array = "ids";
    EXPECT_TRUE(says(refusal_of("w.safetensors", format_safetensors(tensors), options),
                     {"w.safetensors: ids", "I64"}));
    options.array = "layer.0";
    EXPECT_EQ(load("w.safetensors", format_safetensors(tensors), options).layers.size(), 1u);
}

TEST(LoadInput, GraphsAndPages) {
    const HeadSystem line = generate_system({.family = Family::line, .nodes = 3});
    for (const auto& [name, text, format] :
         {std::tuple("g.json", format_head_system(line), "head-system JSON"),
          {"g.graphml", format_graphml(line), "GraphML"},
          {"g.dot", format_dot(line), "DOT"},
          {"noending", "/* a */ // b\n" + format_dot(line), "DOT"},
          {"noending", "\n " + format_head_system(line), "head-system JSON"}}) {
        const auto loaded = load(name, text);
        EXPECT_EQ(loaded.format, format);
        EXPECT_TRUE(test::same(loaded.layers[0], line));
        EXPECT_TRUE(loaded.residuals.empty());
    }
    const auto json = load("b.json", attn_json);
    EXPECT_EQ(json.format, "BertViz JSON");
    EXPECT_EQ(json.layers[0].names(), (std::vector<std::string>{"0:a", "1:a"}));
    EXPECT_EQ(load("b.html", "<script>params = {\"attention\": [" + attn_json + "]}</script>").format,
              "BertViz page");
    EXPECT_EQ(load("g.json", R"({"nodes": 1, "names": ["attn"], "heads": [{"edges": []}]})").format,
              "head-system JSON");
    EXPECT_TRUE(
        says(load("g.json", R"({"nodes": 1, "heads": [{"edges": []}], "walk_weights": [0.9999999999]})")
                 .notes.at(0),
             {"walk_weights summed to", "divided"}));
}

TEST(LoadInput, NameAndContentMustAgree) {
    EXPECT_TRUE(
        says(refusal_of("w.safetensors", "/home/user/model.safetensors\n"),
             {"w.safetensors: is named like safetensors but holds something else", "/home/user/model"}));
    EXPECT_TRUE(
        says(refusal_of("w.json", npy("(2, 2)", two_rows)), {"named like JSON but holds a .npy array"}));
    EXPECT_TRUE(says(refusal_of("w.npy", attn_json), {"named like a .npy array but holds JSON"}));
    EXPECT_TRUE(says(refusal_of("g.dot", "<graphml/>"), {"named like a DOT graph but holds GraphML"}));
    EXPECT_TRUE(says(refusal_of("w.txt", "hello"),
                     {"not in a format that is read", "\"hello\"", "head-system JSON"}));
    EXPECT_TRUE(says(refusal_of("w.npy", std::string("\x93NUM")), {"w.npy", "\\x93NUM"}));
    EXPECT_TRUE(says(refusal_of("w.safetensors", std::string("\xff\1\0\0\0\0\0\0{}", 10)),
                     {"w.safetensors", "truncated"}));
}

TEST(LoadInput, CheckpointsAndPicklesAreRefusedWithTheCommandThatReadsThem) {
    const std::string checkpoint = zip_of({{"model/data.pkl", "\x80\2."}, {"model/version", "3"}});
    EXPECT_TRUE(says(refusal_of("m.pt", checkpoint), {"m.pt: a PyTorch checkpoint", "crosshead validate"}));
    EXPECT_TRUE(says(refusal_of("m.npz", checkpoint), {"a PyTorch checkpoint", "crosshead validate"}));
    EXPECT_TRUE(says(refusal_of("m.pt", "\x80\2}."), {"a Python pickle", "can run code"}));
}

TEST(LoadInput, FilesThatAreNone) {
    EXPECT_TRUE(says(refusal_of("w.npy", ""), {"w.npy: is empty"}));
    const ScratchFile scratch("x", "y");
    EXPECT_TRUE(says(refusal([&] { load_input(scratch.path().parent_path()); }), {"is a directory"}));
    EXPECT_TRUE(
        says(refusal([&] { load_attention(scratch.path().string() + "gone"); }), {"cannot be opened"}));
}

TEST(LoadAttention, GivesTheArraysAsTheyAre) {
    const ScratchFile scratch("w.npy", npy("(2, 2)", floats({1, -3, 0, 9})));
    EXPECT_EQ(load_attention(scratch.path()).layers.at(0).values, (std::vector<double>{1, -3, 0, 9}));
    const ScratchFile graph("g.dot", "digraph { a -> b }");
    EXPECT_TRUE(
        says(refusal([&] { load_attention(graph.path()); }), {"g.dot: a DOT graph", "not attention"}));
}

class SharedData : public testing::Test {
  protected:
    void SetUp() override {
        if (!std::filesystem::is_directory(CROSSHEAD_SHARED_DATA))
            GTEST_SKIP() << "no real data at " << CROSSHEAD_SHARED_DATA;
    }
    static std::filesystem::path file(const std::string& name) {
        return std::filesystem::path(CROSSHEAD_SHARED_DATA) / name;
    }
};

TEST_F(SharedData, TheRejectedFilesAreRefused) {
    const auto refused = [](const std::string& name) {
        return refusal([&] { load_input(file("reject/" + name)); });
    };
    EXPECT_TRUE(says(refused("not_causal.npy"),
                     {"not_causal.npy: layer 0 head 0 row 0 column 1 is", "causal model"}));
    EXPECT_TRUE(says(refused("pickled_object_array.npy"), {"pickled Python objects", "numeric dtype"}));
    EXPECT_TRUE(says(refused("not_safetensors.safetensors"),
                     {"named like safetensors", "/home/user", "give the right file"}));
    EXPECT_TRUE(
        says(refused("bidirectional_transformerlens.pt"), {"PyTorch checkpoint", "crosshead validate"}));
}

TEST_F(SharedData, TheAttentionOfTheTrainedModelsLoads) {
    for (const auto& [name, heads] : {std::pair("copy", 1u), {"cycle", 1u}, {"copy", 4u}, {"cycle", 4u}}) {
        const auto loaded = load_input(file("attention/attn_" + std::to_string(heads) + "_" + name + ".npy"));
        ASSERT_EQ(loaded.layers.size(), 4u);
        EXPECT_EQ(loaded.layers[3].head_count(), heads);
        EXPECT_EQ(loaded.layers[3].nodes(), 100);
        for (const auto& residual : loaded.residuals) EXPECT_LT(residual.largest, 1e-5);
    }
}

TEST_F(SharedData, TheBertvizFileLoads) {
    const auto loaded = load_input(file("attention/bertviz_12x12_n7.json"));
    EXPECT_EQ(loaded.format, "BertViz JSON");
    ASSERT_EQ(loaded.layers.size(), 12u);
    EXPECT_EQ(loaded.layers[0].head_count(), 12u);
    EXPECT_EQ(loaded.layers[0].name(6), " weights");
}

}  // namespace
}  // namespace crosshead
