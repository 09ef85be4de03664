// crosshead optimise from outside.
#include "program.hpp"

namespace crosshead::testing {
namespace {

class Optimise : public Program {
  protected:
    json document(const std::string& arguments) const {
        const Finished result = run("optimise " + arguments + " --json");
        EXPECT_EQ(result.exit_code, 0) << result.err;
        return json::parse(result.out);
    }
};

TEST_F(Optimise, EnclosesTheBestFidelityOfTheSecondExample) {
    const json found = document(second_example);
    EXPECT_EQ(found["schema"], "crosshead.optimise/1");
    EXPECT_EQ(found["own"]["value"]["exact"], "5/12");
    EXPECT_EQ(found["heads"][0]["exact"], "3/8");
    EXPECT_EQ(found["beats_best_head"], "yes");
    EXPECT_EQ(found["search"]["end"], "narrow");
    const double lower = std::stod(found["optimum"]["lower"].get<std::string>());
    const double upper = std::stod(found["optimum"]["upper"].get<std::string>());
    EXPECT_LT(upper - lower, 1e-6);
    EXPECT_LE(lower, found["best"]["value"]["approx"].get<double>());
    // The weights that are printed reach the lower end when they are measured.
    const std::string weights = found["best"]["weights"][0]["exact"].get<std::string>() + "," +
                                found["best"]["weights"][1]["exact"].get<std::string>();
    const json measured =
        json::parse(run("measure " + second_example + " --weights " + weights + " --json").out);
    EXPECT_EQ(measured["mixture"]["minimax_fidelity"]["value"], found["best"]["value"]);
}

TEST_F(Optimise, MixingTimesAreIntegersAndAbsorptionIsNot) {
    const json mixing = document(second_example + " --objective mixing-time --epsilon 1/10");
    EXPECT_EQ(mixing["heads"], json::parse("[11, 8]"));
    EXPECT_EQ(mixing["optimum"], 8);
    EXPECT_EQ(mixing["epsilon"], "1/10");
    const json absorption = document(second_example + " --objective absorption --start mean");
    EXPECT_EQ(absorption["heads"][1]["exact"], "17/8");
    EXPECT_FALSE(absorption.contains("epsilon"));
}

TEST_F(Optimise, TextAnswersInSentences) {
    const Finished result = run("optimise " + second_example);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.out.find("Can weights make this layer beat its best head? Yes:"), std::string::npos)
        << result.out;
    EXPECT_NE(result.out.find("The layer's own weights are within"), std::string::npos) << result.out;
}

TEST_F(Optimise, WrongUsageIsRefused) {
    EXPECT_EQ(run("optimise " + second_example + " --objective speed").exit_code, 2);
    EXPECT_EQ(run("optimise " + second_example + " --width 0").exit_code, 2);
    EXPECT_EQ(run("optimise " + second_example + " --width nan").exit_code, 2);
    EXPECT_EQ(run("optimise " + second_example + " --epsilon 0").exit_code, 2);
    EXPECT_EQ(run("optimise " + second_example + " --epsilon 1/4,1/8").exit_code, 2);
    EXPECT_EQ(run("optimise " + second_example + " --cells -1").exit_code, 2);
    EXPECT_EQ(run("optimise " + second_example + " --layer 3").exit_code, 2);
    EXPECT_EQ(run("optimise missing.json").exit_code, 3);
    const std::string no_walk =
        file("no_walk.json", R"({"schema": "crosshead.head_system/1", "nodes": 2, "self_loops": false,
                                 "heads": [{"edges": [[0, 0], [1, 1]]}, {"edges": [[0, 0], [0, 1]]}]})");
    const Finished undefined = run("optimise " + no_walk + " --objective absorption");
    EXPECT_EQ(undefined.exit_code, 3) << undefined.err;
    EXPECT_NE(undefined.err.find("head 1: node 1 has no out-weight"), std::string::npos) << undefined.err;
}

}  // namespace
}  // namespace crosshead::testing
