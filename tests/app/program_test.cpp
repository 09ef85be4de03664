// The program from outside: output, JSON, exit codes, and what it says to wrong input.
#include "program.hpp"

#include <limits>

namespace crosshead::testing {
namespace {

TEST_F(Program, MeasuresThePapersSecondExampleAsJson) {
    const Finished result = run("measure " + second_example + " --json");
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const json document = json::parse(result.out);
    EXPECT_EQ(document["schema"], "crosshead.measure/1");
    EXPECT_EQ(document["system"]["nodes"], 4);
    EXPECT_EQ(document["heads"][0]["mixing_time"],
              json::parse(R"({"1/2": 7, "1/4": 9, "1/10": 11, "1/100": 15})"));
    EXPECT_EQ(document["heads"][1]["minimax_fidelity"]["attained_at"], "limit");
    EXPECT_EQ(document["mixture"]["minimax_fidelity"]["value"]["exact"], "5/12");
    EXPECT_EQ(
        document["mixture"]["fidelity"][1],
        json::parse(R"({"value": {"exact": "259/576", "approx": 0.4496527777777778}, "attained_at": 3})"));
    EXPECT_EQ(document["mixture"]["forward_probability_bound"]["exact"], "1/2");
    EXPECT_EQ(document["synergy"]["fidelity_gain"]["exact"], "10/9");
    EXPECT_EQ(document["command"], "crosshead measure " + second_example + " --json");
}

TEST_F(Program, TextAndJsonAgree) {
    const Finished text = run("measure " + second_example);
    ASSERT_EQ(text.exit_code, 0);
    EXPECT_NE(text.out.find("259/576 (t = 3)"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("1/4 (limit)"), std::string::npos) << text.out;
}

TEST_F(Program, RefusesHeadWeightsThatDoNotSumToOneAndSaysWhenItNormalised) {
    const Finished refused = run("measure " + second_example + " --weights 0.5,0.49");
    EXPECT_EQ(refused.exit_code, 3);
    EXPECT_NE(refused.err.find("sum to 99/100, not 1"), std::string::npos) << refused.err;
    const Finished normalised = run("measure " + second_example + " --weights 0.5,0.50000000001 --json");
    ASSERT_EQ(normalised.exit_code, 0) << normalised.err;
    EXPECT_NE(json::parse(normalised.out)["notes"].dump().find("divided by their sum exactly"),
              std::string::npos);
    EXPECT_EQ(run("measure " + second_example + " --weights 1/2,1/4,1/4").exit_code, 3);
    EXPECT_EQ(run("measure " + second_example + " --weights out-proj-norm").exit_code, 2);
}

TEST_F(Program, MixingWeightsFollowTheirOptions) {
    const Finished result =
        run("measure " + second_example + " --walk-weights 1,0 --diffusion-weights 0,1 --json");
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const json document = json::parse(result.out);
    EXPECT_EQ(document["mixture"]["mixing_time"], document["heads"][0]["mixing_time"]);
    EXPECT_EQ(document["mixture"]["fidelity"], document["heads"][1]["fidelity"]);
}

TEST_F(Program, AttentionFromAnArrayAndItsErrors) {
    const std::string good = file("good.npy", npy("(2, 2, 2)", {1, 0, 0.25, 0.75, 1, 0, 0.5, 0.5}));
    EXPECT_EQ(run("measure " + good).exit_code, 0);
    const Finished row = run("measure " + file("row.npy", npy("(1, 2, 2)", {1, 0, 0.25, 0.5})));
    EXPECT_EQ(row.exit_code, 3);
    EXPECT_NE(row.err.find("head 0 row 1 sums to 0.75"), std::string::npos) << row.err;
    EXPECT_NE(row.err.find("--renormalise"), std::string::npos) << row.err;
    EXPECT_EQ(
        run("measure " + file("row.npy", npy("(1, 2, 2)", {1, 0, 0.25, 0.5})) + " --renormalise").exit_code,
        0);
    const Finished not_a_number = run(
        "measure " + file("nan.npy", npy("(2, 2)", {1, 0, 0.5, std::numeric_limits<double>::quiet_NaN()})));
    EXPECT_EQ(not_a_number.exit_code, 3);
    EXPECT_NE(not_a_number.err.find("row 1 column 1"), std::string::npos) << not_a_number.err;
    // Nobody attends to position 1: its walk column is zero. The walk is refused with the reason, diffusion
    // is given.
    const Finished column =
        run("measure " + file("column.npy", npy("(3, 3)", {1, 0, 0, 1, 0, 0, 0.5, 0, 0.5})));
    EXPECT_EQ(column.exit_code, 0);
    EXPECT_NE(column.out.find("node 1 has no out-weight"), std::string::npos) << column.out;
    EXPECT_NE(column.out.find("undefined"), std::string::npos);
}

TEST_F(Program, WrongInputExitsWithThreeAndWrongUsageWithTwo) {
    for (const auto& path : {folder.string(), (folder / "absent").string(), file("empty.json", ""),
                             file("cut.json", "{\"nodes\": 3")}) {
        const Finished result = run("measure " + path);
        EXPECT_EQ(result.exit_code, 3) << path;
        EXPECT_NE(result.err.find(path), std::string::npos) << result.err;
    }
    const Finished backward =
        run("measure " + file("back.json", R"({"nodes": 2, "heads": [{"edges": [[1, 0]]}]})"));
    EXPECT_EQ(backward.exit_code, 3);
    EXPECT_NE(backward.err.find("heads[0].edges[0]"), std::string::npos) << backward.err;
    for (const char* usage : {"", "measure", "measure --nonsense x", "nonsense", "generate no-such-family",
                              "generate line --nodes 0"})
        EXPECT_EQ(run(usage).exit_code, 2) << usage;
    for (const char* epsilon : {"0", "-1", "1/0", "abc", "1/2,0.5"})
        EXPECT_EQ(run("measure " + second_example + " --epsilon=" + epsilon).exit_code, 2) << epsilon;
    EXPECT_EQ(run("measure " + second_example + " --layer 1").exit_code, 2);
    EXPECT_EQ(run("--version").exit_code, 0);
    EXPECT_EQ(run("measure --help").exit_code, 0);
}

TEST_F(Program, AFullDiskIsReported) {
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "/dev/full is not here";
    const int status = std::system(
        (std::string(CROSSHEAD_PROGRAM) + " measure " + second_example + " >/dev/full 2>/dev/null").c_str());
    EXPECT_EQ(WEXITSTATUS(status), 3);
}

TEST_F(Program, GeneratesWhatItMeasures) {
    const std::string path = (folder / "line.json").string();
    ASSERT_EQ(run("generate line --nodes 8 -o " + path).exit_code, 0);
    const json document = json::parse(run("measure " + path + " --json --epsilon 1/2").out);
    EXPECT_EQ(document["mixture"]["mixing_time"]["1/2"], 16);
    EXPECT_EQ(document["mixture"]["minimax_fidelity"]["value"]["exact"], "231/1024");
    for (const char* format : {"dot", "graphml"}) {
        const std::string other = (folder / (std::string("line.") + format)).string();
        ASSERT_EQ(run(std::string("generate line --nodes 8 --format ") + format + " -o " + other).exit_code,
                  0);
        EXPECT_EQ(json::parse(run("measure " + other + " --json --epsilon 1/2").out)["mixture"],
                  document["mixture"]);
    }
}

TEST_F(Program, ValidatesAttentionAndExitsWithTenWhenRefuted) {
    // One edge: mixing-literal fails at ε = 1/100 (T_mix = 8 > 4 = 2N/p).
    const std::string edge =
        file("edge.json", R"({"nodes": 2, "heads": [{"edges": [[0, 1]]}, {"edges": [[0, 1]]}]})");
    const Finished result = run("validate " + edge + " --json --report " + (folder / "report").string());
    EXPECT_EQ(result.exit_code, 10) << result.err;
    const json document = json::parse(result.out);
    EXPECT_EQ(document["schema"], "crosshead.validate/1");
    EXPECT_EQ(document["results"][0]["claim"], "mixing-literal");
    EXPECT_EQ(document["results"][0]["verdict"], "refuted");
    EXPECT_EQ(document["results"][0]["violations"], 2);  // 1/10 and 1/100
    EXPECT_EQ(json::parse(text_of((folder / "report" / "report.json").string())), document);
    EXPECT_NE(text_of((folder / "report" / "report.md").string()).find("**refuted**"), std::string::npos);
    EXPECT_EQ(run("validate " + edge + " --epsilon 1/4").exit_code, 0);
}

#ifdef CROSSHEAD_TORCH
TEST_F(Program, TrainsStopsResumesAndValidates) {
    const std::string model = (folder / "tiny.safetensors").string();
    const std::string shape =
        " --heads 2 --layers 1 --embedding 8 --mlp 8 --vocabulary 5 --length 6 --batch 4 --sequences 8";
    const Finished trained =
        run("train -q --task copy" + shape + " --epochs 2 --target-accuracy 0 --json -o " + model);
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
    EXPECT_EQ(json::parse(trained.out)["steps"], 4);
    const Finished resumed = run("train -q --resume " + model + " --epochs 3 --json");
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_EQ(json::parse(resumed.out)["steps"], 6);
    const Finished refused = run("train -q --resume " + model + " --heads 4");
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.err.find("--heads"), std::string::npos);
    const Finished validated = run("validate -q " + model + " --task copy --inputs 2 --json");
    ASSERT_TRUE(validated.exit_code == 0 || validated.exit_code == 10) << validated.err;
    const json document = json::parse(validated.out);
    EXPECT_EQ(document["layers"].size(), 2u);
    EXPECT_EQ(document["weights"], "out-proj-norm");
    EXPECT_EQ(run("validate " + model + " --heads 4").exit_code, 3);
    EXPECT_EQ(run("train --heads 3 --embedding 64").exit_code, 2);
    EXPECT_EQ(run("train -o /nonexistent/model.safetensors").exit_code, 3);
}
#else
TEST_F(Program, SaysWhatIsNotBuiltAndHowToGetIt) {
    const Finished result = run("train --task copy");
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_NE(result.err.find("libtorch-dev"), std::string::npos) << result.err;
}
#endif

}  // namespace
}  // namespace crosshead::testing
