#include <gtest/gtest.h>

#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/file_io.hpp>
#include <crosshead/trainer/state_dict.hpp>
#include <numeric>

#include "pickle_writer.hpp"

namespace crosshead {
namespace {

using namespace test;

/// Storage bytes: the floats 0, 1, 2, …
std::string floats(std::size_t count) {
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 0.0f);
    return {reinterpret_cast<const char*>(values.data()), count * sizeof(float)};
}

void write_pt(const ScratchFile& file, const std::string& pickle, const std::string& storage) {
    write_archive(
        file,
        {{"m/data.pkl", pickle}, {"m/byteorder", "little"}, {"m/data/0", storage}, {"m/version", "3\n"}});
}

/// The message with which a file is refused that holds one tensor "w".
std::string refusal(const std::string& value, const std::string& storage) {
    const ScratchFile file("model.pt");
    write_pt(file, state_dict({{"w", value}}), storage);
    try {
        read_pt(file.path());
    } catch (const InputError& error) {
        EXPECT_EQ(std::string(error.what()).find(file.path().string()), 0u);
        return error.what();
    }
    return "accepted";
}

#define EXPECT_REFUSED(value, storage, reason) \
    EXPECT_NE(refusal(value, storage).find(reason), std::string::npos) << refusal(value, storage)

std::vector<double> values(const TensorRecipe& recipe, const std::string& storage) {
    const ScratchFile file("model.pt");
    write_pt(file, state_dict({{"w", recipe.pickled()}}), storage);
    const SafeTensor tensor = read_pt(file.path()).at("w");
    EXPECT_EQ(tensor.shape, recipe.shape);
    return values_as_double(tensor, "w");
}

TEST(StateDict, GathersStridesAndOffsets) {
    EXPECT_EQ(values({{2, 3}, {3, 1}, 0, 6}, floats(6)), (std::vector<double>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(values({{3, 2}, {1, 3}, 0, 6}, floats(6)), (std::vector<double>{0, 3, 1, 4, 2, 5}));
    EXPECT_EQ(values({{2, 2}, {4, 2}, 1, 8}, floats(8)), (std::vector<double>{1, 3, 5, 7}));
    EXPECT_EQ(values({{}, {}, 2, 3}, floats(3)), (std::vector<double>{2}));
    EXPECT_EQ(values({{0, 5}, {5, 1}, 0, 0}, ""), std::vector<double>{});
}

TEST(StateDict, TakesParametersAndSharedStorages) {
    const TensorRecipe recipe{{2}, {1}, 0, 4};
    TensorRecipe tail = recipe;
    tail.offset = 2;
    const std::string parameter =
        global("torch._utils", "_rebuild_parameter") + tuple({recipe.pickled(), "\x88", ordered_dict}) + "R";
    const ScratchFile file("model.pt");
    write_pt(file, state_dict({{"head", parameter}, {"tail", tail.pickled()}}), floats(4));
    const StateDict read = read_pt(file.path());
    EXPECT_EQ(values_as_double(read.at("head"), ""), (std::vector<double>{0, 1}));
    EXPECT_EQ(values_as_double(read.at("tail"), ""), (std::vector<double>{2, 3}));
}

TEST(StateDict, ReadsOtherTypes) {
    TensorRecipe recipe{{1}, {1}, 0, 1};
    recipe.type = "HalfStorage";
    EXPECT_EQ(values(recipe, "\0\x3c"s), std::vector<double>{1});
    recipe.type = "BFloat16Storage";
    EXPECT_EQ(values(recipe, "\x80\x3f"), std::vector<double>{1});
    recipe.type = "DoubleStorage";
    EXPECT_EQ(values(recipe, "\0\0\0\0\0\0\xf0\x3f"s), std::vector<double>{1});
    recipe.type = "QInt8Storage";
    EXPECT_REFUSED(recipe.pickled(), "1", "torch.QInt8Storage");
}

TEST(StateDict, RefusesTensorsOutsideTheirStorage) {
    const std::int64_t big = std::int64_t{1} << 62;
    const auto pickled = [](TensorRecipe recipe) { return recipe.pickled(); };
    EXPECT_EQ(refusal(pickled({{6}, {1}, 0, 6}), floats(6)), "accepted");
    EXPECT_REFUSED(pickled({{7}, {1}, 0, 6}), floats(6), "do not lie within");
    EXPECT_REFUSED(pickled({{6}, {1}, 1, 6}), floats(6), "do not lie within");
    EXPECT_REFUSED(pickled({{3}, {3}, 0, 6}), floats(6), "do not lie within");
    EXPECT_REFUSED(pickled({{6}, {-1}, 5, 6}), floats(6), "do not lie within");
    EXPECT_REFUSED(pickled({{-6}, {1}, 0, 6}), floats(6), "do not lie within");
    EXPECT_REFUSED(pickled({{6}, {1}, -1, 6}), floats(6), "do not lie within");
    EXPECT_REFUSED(pickled({{6, 1}, {1}, 0, 6}), floats(6), "do not lie within");
    EXPECT_REFUSED(pickled({{1000}, {0}, 0, 6}), floats(6), "do not lie within");
    EXPECT_REFUSED(pickled({{big, big}, {1, 1}, 0, 6}), floats(6), "do not lie within");
    EXPECT_REFUSED(pickled({{2}, {big}, big, 6}), floats(6), "do not lie within");
    EXPECT_REFUSED(pickled({{6}, {1}, 0, 7}), floats(6), "said to hold 7");
    EXPECT_REFUSED(pickled({{6}, {1}, 0, -1}), floats(6), "said to hold -1");
    EXPECT_REFUSED(pickled({std::vector<std::int64_t>(65, 1), std::vector<std::int64_t>(65, 1), 0, 6}),
                   floats(6), "65 dimensions");
    TensorRecipe elsewhere{{1}, {1}, 0, 1};
    elsewhere.key = "../7";
    EXPECT_REFUSED(elsewhere.pickled(), floats(1), "data/../7 is not in the file");
}

TEST(StateDict, RefusesWhatIsNoTensor) {
    EXPECT_REFUSED("K\x01", "", "tensor \"w\": holds an integer");
    EXPECT_REFUSED(ordered_dict, "", "holds a dict");
    EXPECT_REFUSED(global("torch._utils", "_rebuild_tensor_v2") + ")R", "", "0 arguments");
    EXPECT_REFUSED(global("torch._utils", "_rebuild_parameter") + ")R", "", "made of nothing");
    EXPECT_REFUSED(
        global("torch._utils", "_rebuild_tensor_v2") + tuple({"N", "K\x01", ")", ")", "N", "N"}) + "R", "",
        "not described");
    EXPECT_REFUSED(
        global("os", "system") + text("touch /tmp/owned") + "\x85R", "",
        "pickle names os.system, which is not on the list of what a checkpoint may hold; nothing was run");
    EXPECT_REFUSED(global("torch._utils", "_rebuild_tensor_v3") + ")R", "",
                   "torch._utils._rebuild_tensor_v3");
}

TEST(StateDict, RefusesTensorsThatMultiplyTheFile) {
    std::vector<std::pair<std::string, std::string>> items;
    for (int i = 0; i < 200; ++i)
        items.emplace_back(std::to_string(i), TensorRecipe{{100'000}, {1}, 0, 100'000}.pickled());
    const ScratchFile file("model.pt");
    write_pt(file, state_dict(items), floats(100'000));
    EXPECT_THROW(read_pt(file.path()), InputError);
}

void expect_file_refused(const std::vector<ArchiveEntry>& entries, const std::string& reason) {
    const ScratchFile file("model.pt");
    write_archive(file, entries);
    try {
        read_pt(file.path());
        ADD_FAILURE() << "accepted; expected: " << reason;
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
    }
}

TEST(StateDict, RefusesOtherArchives) {
    const std::string empty = state_dict({});
    expect_file_refused({{"word/document.xml", "x"}}, "without a data.pkl");
    expect_file_refused({{"m/data.pkl", empty}, {"m/constants.pkl", "x"}}, "TorchScript");
    expect_file_refused({{"m/data.pkl", empty}, {"n/data.pkl", empty}}, "two data.pkl");
    expect_file_refused({{"m/data.pkl", empty}, {"m/byteorder", "big"}}, "big-endian");
    expect_file_refused({{"m/data.pkl", proto + "]."}}, "holds a list, not a state_dict");
    expect_file_refused({{"m/data.pkl", proto + "}K\x01Ns."}}, "names a tensor by an integer");
    const std::string tensor = TensorRecipe{{1}, {1}, 0, 1}.pickled();
    expect_file_refused({{"m/data.pkl", state_dict({{"w", tensor}, {"w", tensor}})}, {"m/data/0", floats(1)}},
                        "\"w\" twice");
}

TEST(StateDict, RefusesFilesThatAreNotArchives) {
    EXPECT_THROW(read_pt(ScratchFile("old.pt", "\x80\x02\x8a\x0al\xfc").path()), InputError);
    EXPECT_THROW(read_pt(ScratchFile("empty.pt", "").path()), InputError);
    EXPECT_THROW(read_pt("no/such.pt"), InputError);
    EXPECT_THROW(read_checkpoint_file(std::filesystem::temp_directory_path()), InputError);
    const ScratchFile file("model.pt");
    write_pt(file, state_dict({{"w", TensorRecipe{{6}, {1}, 0, 6}.pickled()}}), floats(6));
    const std::string whole = read_file(file.path());
    for (std::size_t size = 1; size < whole.size(); size += 7)
        EXPECT_THROW(read_pt(ScratchFile("cut.pt", whole.substr(0, size)).path()), InputError) << size;
}

TEST(StateDict, TellsTheFormatByContent) {
    const ScratchFile disguised("model.safetensors");
    write_pt(disguised, state_dict({{"w", TensorRecipe{{6}, {1}, 0, 6}.pickled()}}), floats(6));
    EXPECT_EQ(read_checkpoint_file(disguised.path()).tensors.size(), 1u);
    const ScratchFile plain("weights.bin");
    write_safetensors(plain.path(), {{{"k", "v"}}, {{"w", {"F32", {6}, floats(6)}}}});
    EXPECT_EQ(read_checkpoint_file(plain.path()).metadata.at("k"), "v");
}

}  // namespace
}  // namespace crosshead
