// claims, check and refute from outside.
#include "program.hpp"

namespace crosshead::testing {
namespace {

/// Names a file that holds one claim.
constexpr const char* fidelity_claim =
    "claim: never-hurts\nreading: the mixture is no worse than its worst head\n"
    "statement: phi >= phi[worst]\nmutant: phi >= phi[best]\nmutant: n > 1\nnodes: 2..4\nheads: 2\n";

TEST_F(Program, MixingLiteralFailsMinimallyOnOneEdge) {
    const Finished result = run("check mixing-literal --minimal --epsilon 1/10 --json");
    EXPECT_EQ(result.exit_code, 10) << result.err;
    const json document = json::parse(result.out);
    EXPECT_EQ(document["schema"], "crosshead.check/1");
    EXPECT_EQ(document["convention"]["norm"], "l1");
    const json& one = document["results"].at(0);
    EXPECT_EQ(one["claim"], "mixing-literal");
    EXPECT_EQ(one["parameters"], json::parse(R"({"epsilon": "1/10"})"));
    EXPECT_EQ(one["verdict"], "refuted");
    const json& witness = one["witness"];
    EXPECT_EQ(witness["system"]["nodes"], 2);
    EXPECT_EQ(witness["system"]["heads"], json::parse(R"([{"edges": [[0, 1]]}])"));
    EXPECT_EQ(witness["left"]["exact"], "5");
    EXPECT_EQ(witness["right"]["exact"], "4");
    EXPECT_EQ(witness["minimal"], "proved");
    EXPECT_EQ(witness["largest_epsilon"]["exact"], "1/8");
    EXPECT_EQ(witness["distances"]["d(4)"]["exact"], "1/8");
}

TEST_F(Program, CountsViolationsOverAWholeDomain) {
    const Finished result =
        run("check mixing-literal --nodes 4 --heads 2 --count --epsilon 1/2,1/4,1/10,1/100 --json");
    ASSERT_EQ(result.exit_code, 10) << result.err;
    const json document = json::parse(result.out);
    EXPECT_EQ(document["domain"]["systems"], "210");
    std::vector<int> violations;
    for (const auto& one : document["results"]) {
        EXPECT_EQ(one["systems"], 210);
        EXPECT_EQ(one["met_hypotheses"], 210);
        violations.push_back(one["violations"]);
    }
    EXPECT_EQ(violations, (std::vector<int>{0, 0, 0, 19}));
}

TEST_F(Program, RefuteSaysWhatItCoveredAndHowClose) {
    const Finished result =
        run("refute 'N*p >= ln(2/eps) => tmix(eps) <= ceil(2*N/p)' --nodes 2..4 --heads 2 "
            "--forall 'eps in {1/2,1/100}'");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(
        result.out.find("eps = 1/2    exhausted: 213 systems, 210 met the hypotheses; closest margin 0.5"),
        std::string::npos)
        << result.out;
    EXPECT_NE(result.out.find("eps = 1/100  vacuous: none of 213 systems met the hypotheses"),
              std::string::npos)
        << result.out;
}

TEST_F(Program, NonsenseIsExplained) {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"'tmix(2) <'", "an expression is missing after `<`"},
        {"'tmx(eps) < 3'", "did you mean tmix?"},
        {"'phi + heads_commute < 1'", "heads_commute"},
        {"'tmix(0) < 3'", "epsilon must be > 0"},
        {"'n'", "a conjecture is a statement"},
    };
    for (const auto& [statement, message] : cases) {
        const Finished result = run("refute " + statement);
        EXPECT_EQ(result.exit_code, 3) << statement;
        EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
        EXPECT_NE(result.err.find('^'), std::string::npos) << result.err;
    }
    for (const char* arguments :
         {"refute 'n > 0' --nodes 5..2", "refute 'n > 0' --nodes 9", "refute 'n > 0' --alpha grid:1",
          "check no-such-claim", "check published-mixing-proxy", "check mixing-literal --trials 5",
          "refute 'n > 0' --method random --minimal", "refute 'n > 0' --nodes many"}) {
        const Finished result = run(arguments);
        EXPECT_EQ(result.exit_code, 2) << arguments << result.out;
        EXPECT_FALSE(result.err.empty()) << arguments;
    }
    EXPECT_EQ(run("check mixing-literal --report /nonexistent/report.md").exit_code, 3);
}

TEST_F(Program, UndefinedSystemsAreCountedAndEmptyDomainsVacuous) {
    const json document = json::parse(run("refute '1/(n - 3) > -9' --nodes 2..4 --count --json").out);
    EXPECT_EQ(document["results"][0]["undefined"], 3);
    EXPECT_EQ(document["results"][0]["met_hypotheses"], 210);
    EXPECT_EQ(document["results"][0]["verdict"], "exhausted");
    const json empty = json::parse(run("refute 'H > 5 => false' --json").out);
    EXPECT_EQ(empty["results"][0]["verdict"], "vacuous");
    const json false_everywhere = json::parse(run("refute 'phi > 1' --heads 1..2 --nodes 2..4 --json").out);
    EXPECT_EQ(false_everywhere["results"][0]["witness"]["system"]["nodes"], 2);
}

TEST_F(Program, ClaimFilesAreCheckedWithTheirMutants) {
    const std::string claim = file("mine.claim", fidelity_claim);
    const Finished result = run("check " + claim + " --json");
    EXPECT_EQ(result.exit_code, 10) << result.err;
    const json one = json::parse(result.out)["results"][0];
    EXPECT_EQ(one["claim"], "never-hurts");
    EXPECT_EQ(one["mutants"][0]["refuted"], true);
    EXPECT_EQ(one["mutants"][1]["refuted"], false);
    const Finished broken = run("check " + file("broken.claim", "claim: a\nstatement: phi >\n"));
    EXPECT_EQ(broken.exit_code, 3);
    EXPECT_NE(broken.err.find("broken.claim:2"), std::string::npos) << broken.err;
}

TEST_F(Program, WritesAReportAndAWitnessThatMeasureReads) {
    const std::string report = (folder / "report.md").string(), witness = (folder / "w.json").string();
    const Finished result = run("refute 'phi_nosink >= phi_nosink[worst]' --nodes 3 --report " + report +
                                " --witness " + witness);
    EXPECT_EQ(result.exit_code, 10) << result.err;
    const std::string text = text_of(report);
    for (const char* part :
         {"**refuted**", "35/72", "1/2", "```dot", "Walk matrix", "## Reproduce", "Conventions"})
        EXPECT_NE(text.find(part), std::string::npos) << part;
    const json measured = json::parse(run("measure " + witness + " --json").out);
    EXPECT_EQ(measured["mixture"]["minimax_fidelity_without_sink"]["value"]["exact"], "35/72");
}

TEST_F(Program, RandomSearchRepeatsItselfAndReplaysWhatItFound) {
    const std::string search =
        "refute 'phi <= phi[best]' --method random --nodes 4..6 --seed 3 --json --database " +
        (folder / "database").string();
    const json first = json::parse(run(search).out);
    ASSERT_EQ(first["results"][0]["verdict"], "refuted");
    EXPECT_GT(first["results"][0]["systems"], 1);
    EXPECT_EQ(first["results"][0]["witness"]["minimal"], "shrunk");
    const json again = json::parse(run(search).out);
    EXPECT_EQ(again["results"][0]["systems"], 1);  // the stored instance was the first to be tried
    const json fresh = json::parse(run(search + "2").out);
    EXPECT_EQ(fresh["results"], first["results"]);
    const json none =
        json::parse(run("refute 'p_mix >= p' --method random --trials 50 --no-database --json").out);
    EXPECT_EQ(none["results"][0]["verdict"], "unrefuted");
    EXPECT_EQ(none["results"][0]["systems"], 50);
}

TEST_F(Program, ClaimsAreListedAndExplained) {
    const Finished one = run("claims adaptive-weights");
    ASSERT_EQ(one.exit_code, 0) << one.err;
    EXPECT_NE(one.out.find("vacuous: none of 213 systems met the hypotheses"), std::string::npos) << one.out;
    EXPECT_NE(one.out.find("exhausted: "), std::string::npos) << one.out;
    const json document = json::parse(run("claims amplification --json").out);
    EXPECT_EQ(document["claims"][0]["evidence"][0]["status"], "witnessed");
    EXPECT_EQ(document["claims"][0]["evidence"][0]["results"][0]["witness"]["left"]["exact"], "1355/3456");
    EXPECT_EQ(run("claims no-such-claim").exit_code, 2);
}

TEST_F(Program, AnInterruptedSearchEndsWithItsCounts) {
    const std::string out = (folder / "out").string();
    const auto interrupted_after = [&](int seconds) {
        return std::system(("timeout -s INT " + std::to_string(seconds) + " " + CROSSHEAD_PROGRAM +
                            " refute 'tmix(eps) <= 99*N/p' --nodes 6 --json >" + out + " 2>/dev/null")
                               .c_str());
    };
    // A busy machine may not have started the search after two seconds; then the signal ends the program.
    int status = interrupted_after(2);
    for (const int seconds : {10, 60})
        if (text_of(out).empty()) status = interrupted_after(seconds);
    EXPECT_EQ(WEXITSTATUS(status), 124);  // timeout's own code; the program's is 130
    const json document = json::parse(text_of(out));
    EXPECT_EQ(document["interrupted"], true);
    EXPECT_EQ(document["results"][0]["verdict"], "unrefuted");
    EXPECT_EQ(document["results"][0]["whole_domain"], false);
}

TEST_F(Program, GradientSearchConfirmsExactlyOrSaysWhatIsMissing) {
    const Finished result =
        run("refute 'phi <= phi[best]' --method gradient --nodes 4..5 --trials 60 "
            "--no-database --json");
#ifdef CROSSHEAD_TORCH
    ASSERT_EQ(result.exit_code, 10) << result.err;
    EXPECT_EQ(json::parse(result.out)["results"][0]["witness"]["minimal"], "shrunk");
    EXPECT_EQ(run("refute 'edges > 2' --method gradient --no-database").exit_code, 2);
#else
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_NE(result.err.find("libtorch-dev"), std::string::npos) << result.err;
#endif
}

}  // namespace
}  // namespace crosshead::testing
