// crosshead expand from outside.
#include "program.hpp"

namespace crosshead::testing {
namespace {

class Expand : public Program {
  protected:
    std::string two_step() const {
        return file("two_step.json",
                    R"({"schema": "crosshead.head_system/1", "nodes": 3, "names": ["u", "v", "sink"],
                        "heads": [{"edges": [["u", "v"]]}, {"edges": [["v", "sink"]]}]})");
    }
    json document(const std::string& arguments) const {
        const Finished result = run("expand " + arguments + " --json");
        EXPECT_EQ(result.exit_code, 0) << result.err;
        return json::parse(result.out);
    }
};

TEST_F(Expand, TwoStepExampleIsOneWordAndPrintsItsPolynomial) {
    const Finished text = run("expand " + two_step() + " --source u --steps 2 --symbolic");
    ASSERT_EQ(text.exit_code, 0) << text.err;
    EXPECT_NE(text.out.find("(D^2)[sink][u] = β₁β₂/4\n"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("u -0-> v -1-> sink"), std::string::npos) << text.out;
    const json found = document(two_step() + " --source u --steps 2 --symbolic");
    EXPECT_EQ(found["schema"], "crosshead.expand/1");
    EXPECT_EQ(found["signal"]["exact"], "1/16");
    EXPECT_EQ(found["cross_head"]["share"]["exact"], "1");
    EXPECT_EQ(found["words"]["count"]["exact"], "1");
    EXPECT_EQ(found["words"]["top"][0]["word"], json::parse("[0, 1]"));
    EXPECT_EQ(found["paths"]["with_self_loops"]["only_across_heads"]["exact"], "1");
    EXPECT_EQ(found["diversity"][0]["commutator"]["largest_entry"]["exact"], "1/4");
    EXPECT_EQ(found["polynomial"]["latex"], R"(\frac{1}{4}\beta_{1}\beta_{2})");
    EXPECT_EQ(found["polynomial"]["terms"],
              json::parse(R"([{"exponents": [1, 1], "coefficient": {"exact": "1/4", "approx": 0.25}}])"));
}

TEST_F(Expand, SecondExampleAgreesWithMeasure) {
    const json measured = json::parse(run("measure " + second_example + " --json").out);
    const json found = document(second_example + " --source v");
    EXPECT_EQ(found["steps"], measured["mixture"]["fidelity"][1]["attained_at"]);
    EXPECT_EQ(found["signal"], measured["mixture"]["fidelity"][1]["value"]);
    EXPECT_EQ(found["signal"]["exact"], "259/576");
    // The weakest node, at its best step.
    const json weakest = document(second_example);
    EXPECT_EQ(weakest["source"], measured["mixture"]["minimax_fidelity"]["node"]);
    EXPECT_EQ(weakest["signal"], measured["mixture"]["minimax_fidelity"]["value"]);
}

TEST_F(Expand, LargestWordsDoNotDependOnTheBudget) {
    const json all = document(second_example + " --source v --steps 9 --top 7");
    const json searched = document(second_example + " --source v --steps 9 --top 7 --budget 100");
    EXPECT_TRUE(all["words"]["enumerated"]);
    EXPECT_FALSE(searched["words"]["enumerated"]);
    EXPECT_TRUE(searched["words"]["top_complete"]);
    for (const char* key : {"top", "count", "listed", "not_listed"})
        EXPECT_EQ(all["words"][key], searched["words"][key]) << key;
    const json cut_short = document(second_example + " --source v --steps 40 --budget 3");
    EXPECT_FALSE(cut_short["words"]["top_complete"]);
}

TEST_F(Expand, WalkIsExpandedUnderAlpha) {
    const json found = document(two_step() + " --source u --steps 3 --operator walk --symbolic");
    EXPECT_EQ(found["operator"], "walk");
    EXPECT_EQ(found["polynomial"]["of"], "survivor probability");
    EXPECT_NE(found["polynomial"]["text"].get<std::string>().find("α₁³"), std::string::npos);
    EXPECT_EQ(run("expand " + two_step() + " --operator walk").exit_code, 2);  // which step?
}

TEST_F(Expand, DrawsPathsForGraphviz) {
    const std::string drawing = (folder / "paths.dot").string();
    ASSERT_EQ(run("expand " + second_example + " --source v --draw " + drawing).exit_code, 0);
    const std::string text = text_of(drawing);
    EXPECT_NE(text.find("digraph paths {"), std::string::npos);
    EXPECT_NE(text.find("[label=\"v\"]"), std::string::npos) << text;
    EXPECT_NE(text.find("label=\"head "), std::string::npos) << text;
}

TEST_F(Expand, ErrorsNameThePlaceAndTheRemedy) {
    const Finished source = run("expand " + second_example + " --source nobody");
    EXPECT_EQ(source.exit_code, 2);
    EXPECT_NE(source.err.find("--source nobody: no node has that name or number"), std::string::npos)
        << source.err;
    const Finished limit = run("expand " + second_example + " --source u");
    EXPECT_EQ(limit.exit_code, 2);
    EXPECT_NE(limit.err.find("only approaches a limit"), std::string::npos) << limit.err;
    EXPECT_EQ(run("expand " + second_example + " --steps 0").exit_code, 2);
    EXPECT_EQ(run("expand " + second_example + " --latex").exit_code, 2);  // of what?
    EXPECT_EQ(run("expand " + second_example + " --steps -3").exit_code, 2);
    EXPECT_EQ(run("expand " + second_example + " --layer 1").exit_code, 2);
    EXPECT_EQ(run("expand missing.json").exit_code, 3);
    EXPECT_EQ(run("expand " + second_example + " --steps 3 --draw /nowhere/x.dot").exit_code, 3);
    const Finished terms = run("expand " + file("five.json", run("generate full-causal -H 5 -n 3").out) +
                               " --source 1 --steps 200 --symbolic");
    EXPECT_EQ(terms.exit_code, 3);
    EXPECT_NE(terms.err.find("ask for fewer steps"), std::string::npos) << terms.err;
}

TEST_F(Expand, NothingArrivesIsNotAnError) {
    const json found = document(two_step() + " --source u --steps 1");
    EXPECT_EQ(found["signal"]["exact"], "0");
    EXPECT_TRUE(found["cross_head"]["share"].is_null());
    EXPECT_EQ(found["words"]["count"]["exact"], "0");
}

}  // namespace
}  // namespace crosshead::testing
