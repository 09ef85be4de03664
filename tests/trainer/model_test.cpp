#include <gtest/gtest.h>

#include <cmath>
#include <crosshead/graphs/error.hpp>
#include <crosshead/trainer/blas.hpp>
#include <crosshead/trainer/model.hpp>
#include <crosshead/trainer/training_state.hpp>
#include <cstring>

#include "../scratch_file.hpp"

namespace crosshead {
namespace {

const ModelConfiguration tiny{2, 2, 8, 12, 5, 6, 0.1};

std::string refusal(const StateDict& tensors, std::int64_t heads = 2) {
    try {
        Model(tensors, heads, "m.pt");
    } catch (const InputError& error) {
        EXPECT_EQ(std::string(error.what()).find("m.pt: "), 0u) << error.what();
        return error.what();
    }
    return "accepted";
}

#define EXPECT_REFUSED(reason, ...) \
    EXPECT_NE(refusal(__VA_ARGS__).find(reason), std::string::npos) << refusal(__VA_ARGS__)

TEST(Model, InitialisesFromTheSeed) {
    EXPECT_EQ(Model(tiny, 1).parameters(), Model(tiny, 1).parameters());
    EXPECT_NE(Model(tiny, 1).parameters(), Model(tiny, 2).parameters());
    const Model model(tiny, 1);
    for (const ParameterSlot& slot : parameter_slots(tiny))
        for (std::size_t i = slot.offset; i < slot.offset + slot.size; ++i) {
            const float value = model.parameters()[i];
            if (slot.name.find(".ln") != std::string::npos) {
                EXPECT_EQ(value, 1.0f);
            }
            if (slot.name.find(".W_") != std::string::npos) {
                EXPECT_LE(std::abs(value), 1 / std::sqrt(8.0f));
            }
        }
}

TEST(Model, HasThePublishedParameterCount) {
    EXPECT_EQ(parameter_count({}), 172'800u);  // 691,200 bytes of float32 in the published files
}

TEST(Model, RoundTripsThroughAFile) {
    const test::ScratchFile file("m.safetensors");
    const Model model(tiny, 7);
    save_model(file.path(), model);
    const Model read = load_model(file.path()).model;
    EXPECT_EQ(read.configuration(), tiny);
    EXPECT_EQ(read.parameters(), model.parameters());
    EXPECT_NO_THROW(load_model(file.path(), 2));
    EXPECT_THROW(load_model(file.path(), 4), InputError);
}

TEST(Model, NeedsHeadsWhereTheFileHasNone) {
    const test::ScratchFile file("m.safetensors");
    write_safetensors(file.path(), {{}, Model(tiny, 7).state_dict()});
    EXPECT_THROW(load_model(file.path()), InputError);
    EXPECT_EQ(load_model(file.path(), 4).model.configuration().heads, 4);
    EXPECT_THROW(load_model(file.path(), 3), InputError);
    EXPECT_THROW(load_model(file.path(), 0), InputError);
}

TEST(Model, RefusesMetadataThatIsWrong) {
    const Model model(tiny, 7);
    const auto refused = [&](const std::string& configuration) {
        const test::ScratchFile file("m.safetensors");
        auto metadata = configuration_metadata(tiny);
        metadata["crosshead.configuration"] = configuration;
        write_safetensors(file.path(), {metadata, model.state_dict()});
        EXPECT_THROW(load_model(file.path()), InputError) << configuration;
    };
    refused("");
    refused("{}");
    refused("[1]");
    const std::string rest = R"("heads":2,"embedding":8,"mlp":12,"vocabulary":5,"length":6,"dropout":0.1)";
    refused(R"({"layers":3,)" + rest + "}");           // not the tensors'
    refused(R"({"layers":"2",)" + rest + "}");         // not a number
    refused(R"({"layers":0,)" + rest + "}");           // not valid
    refused(R"({"layers":2,"more":1,)" + rest + "}");  // unknown field
    refused(R"({"lairs":2,)" + rest + "}");            // field missing
}

TEST(Model, RefusesOtherArchitectures) {
    StateDict tensors = Model(tiny, 1).state_dict();
    EXPECT_EQ(refusal(tensors), "accepted");
    tensors.erase("layers.1.attn.W_k.bias");
    EXPECT_REFUSED("lacks layers.1.attn.W_k.bias", tensors);
    tensors = Model(tiny, 1).state_dict();
    tensors["ln_f.weight"] = tensors.at("out_proj.bias");
    EXPECT_REFUSED("also holds ln_f.weight", tensors);
    EXPECT_REFUSED("lacks token_emb.weight", {{"embed.W_E", tensors.at("out_proj.bias")}});
    EXPECT_REFUSED("found embed.W_E", {{"embed.W_E", tensors.at("out_proj.bias")}});
    EXPECT_REFUSED("another architecture", StateDict{});
}

TEST(Model, RefusesWrongShapesAndValues) {
    StateDict tensors = Model(tiny, 1).state_dict();
    EXPECT_REFUSED("3 heads do not divide the embedding of 8", tensors, 3);
    tensors["layers.1.mlp.0.bias"] = tensors.at("out_proj.bias");
    EXPECT_REFUSED("tensor layers.1.mlp.0.bias has shape [5], but the other tensors imply [12]", tensors);
    tensors = Model(tiny, 1).state_dict();
    tensors["token_emb.weight"].shape = {40};
    EXPECT_REFUSED("token_emb.weight has shape [40]", tensors);
    tensors = Model(tiny, 1).state_dict();
    tensors["out_proj.bias"] = {"I64", {5}, std::string(40, '\0')};
    EXPECT_REFUSED("dtype I64", tensors);
    tensors = Model(tiny, 1).state_dict();
    const float infinite = INFINITY;
    std::memcpy(tensors["out_proj.bias"].bytes.data() + 8, &infinite, 4);
    EXPECT_REFUSED("tensor out_proj.bias element 2 is inf", tensors);
}

TEST(Model, ValidatesConfigurations) {
    const auto refused = [](auto change) {
        ModelConfiguration configuration;
        change(configuration);
        EXPECT_THROW(configuration.validate(), UsageError);
    };
    EXPECT_NO_THROW(ModelConfiguration{}.validate());
    refused([](auto& c) { c.heads = 3; });
    refused([](auto& c) { c.heads = 0; });
    refused([](auto& c) { c.layers = -1; });
    refused([](auto& c) { c.vocabulary = 1 << 20; });
    refused([](auto& c) { c.dropout = 1; });
    refused([](auto& c) { c.dropout = std::nan(""); });
    refused([](auto& c) { c.embedding = c.mlp = 65'536; });
}

TEST(Model, HeadNormsAreThoseOfColumnSlices) {
    Model model({1, 2, 4, 3, 5, 6, 0}, 1);
    for (const ParameterSlot& slot : parameter_slots(model.configuration()))
        if (slot.name == "layers.0.attn.out_proj.weight")
            for (std::size_t i = 0; i < slot.size; ++i)
                model.parameters()[slot.offset + i] = i % 4 < 2 ? 3 : 4;
    const auto norms = model.out_proj_norms();
    ASSERT_EQ(norms.size(), 1u);
    ASSERT_EQ(norms[0].size(), 2u);
    EXPECT_DOUBLE_EQ(norms[0][0], std::sqrt(8 * 9.0));
    EXPECT_DOUBLE_EQ(norms[0][1], std::sqrt(8 * 16.0));
}

TEST(Blas, IsNamedAndWarnedAbout) {
    const BlasLibrary blas = blas_in_use();
    EXPECT_FALSE(blas.name.empty());
    EXPECT_EQ(blas_warning(blas).empty(), blas.kind != BlasLibrary::Kind::reference);
    const BlasLibrary reference{BlasLibrary::Kind::reference, "reference BLAS", "/usr/lib/blas/libblas.so.3"};
    EXPECT_NE(blas_warning(reference).find("apt-get install"), std::string::npos);
}

}  // namespace
}  // namespace crosshead
