#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <crosshead/graphs/error.hpp>
#include <crosshead/proofs_check/catalogue.hpp>
#include <crosshead/proofs_check/conjecture/parser.hpp>
#include <crosshead/proofs_check/formula_judge.hpp>

namespace crosshead {
namespace {

using namespace catalogue;

std::vector<Claim> mixing_claims() {
    return {
        {"mixing-literal",
         theorem,
         "T_mix <~ 2N/p with p = sum of alpha_h p_h",
         "T_mix(eps) <= 2N/p for every eps asked for, N = n - 1, wherever p > 0",
         ClaimKind::universal,
         "p > 0 => tmix(eps) <= 2*N/p",
         {"p > 0 => tmix(eps) <= 2*(N-1)/p", "p > 0 => tmix(eps) < N/p"},
         {heads_on(2, 4, 1, 2), united_pairs(3)},
         true},
        {"mixing-large-N",
         theorem,
         "T_mix <~ 2N/p for large N",
         "T_mix(eps) <= ceil(2N/p) wherever N p >= ln(2/eps), which Chernoff's bound asks for",
         ClaimKind::universal,
         "p > 0 and N*p >= ln(2/eps) => tmix(eps) <= ceil(2*N/p)",
         {"p > 0 and N*p >= ln(2/eps)/4 => tmix(eps) <= ceil(2*N/p)",
          "p > 0 and N*p >= ln(2/eps) => tmix(eps) <= ceil(N/p)"},
         {heads_on(2, 5, 1, 2), united_pairs(4)},
         true},
        {"mixing-every-epsilon",
         "repaired form of arXiv 2507.02944, Theorem 2.9",
         "T_mix <~ 2N/p",
         "T_mix(eps) <= ceil(2(N + ln(2/eps))/p) for every eps, wherever p > 0",
         ClaimKind::universal,
         "p > 0 => tmix(eps) <= ceil(2*(N + ln(2/eps))/p)",
         {"p > 0 => tmix(eps) <= ceil(N + ln(2/eps))", "p > 0 => tmix(eps) <= ceil(2*ln(2/eps)/p)"},
         {heads_on(2, 4, 1, 2), weighted_pairs(3, 2, 3)},
         true},
        {"binomial-domination",
         proof,
         "the steps forward are at least Bin(t, p)",
         "1 - (W^t)[sink][j] <= P(Bin(t, p) < N), and < the longest path from j, for every j and t = 1..16",
         ClaimKind::universal,
         "p > 0 => forall j in nonsink: forall t in 1..16: survive(t, j) <= binomial_tail(t, p, N) and "
         "survive(t, j) <= binomial_tail(t, p, longest_path_from(j))",
         {"p > 0 => forall j in nonsink: forall t in 1..16: survive(t, j) <= binomial_tail(t, p, N - 1)",
          "p > 0 => forall j in nonsink: forall t in 1..16: survive(t, j) < binomial_tail(t, p, "
          "longest_path_from(j))"},
         {heads_on(2, 4, 1, 2)},
         true,
         judge_binomial_domination},
        {"forward-probability",
         proof,
         "the mixture moves forward with probability at least p",
         "p(W) of the mixture >= sum of alpha_h p_h",
         ClaimKind::universal,
         "p_mix >= p",
         {"p_mix > p", "p_mix >= (max h in heads: p[h])"},
         {pairs(4), weighted_pairs(3, 2, 3)},
         true,
         judge_forward_probability},
        {"adaptive-weights",
         paper,
         "weights that adapt make the bound 2N/max p_h",
         "no alpha has a better bound 2N/p than 2N/max p_h; tested where the p_h differ, as otherwise it "
         "says nothing",
         ClaimKind::universal,
         "(min h in heads: p[h]) < (max h in heads: p[h]) and p > 0 => 2*N/p >= 2*N/(max h in heads: p[h])",
         {"(min h in heads: p[h]) < (max h in heads: p[h]) and p > 0 => 2*N/p >= 2*N/(min h in heads: p[h])"},
         {pairs(4), weighted_pairs(3, 2, 4)},
         true},
        {"mixture-no-slower",
         "arXiv 2507.02944, section 2",
         "mixing heads speeds mixing",
         "T_mix(mixture, eps) <= the slowest head's",
         ClaimKind::universal,
         "H >= 2 => tmix(eps) <= tmix[worst](eps)",
         {"H >= 2 => tmix(eps) <= tmix[best](eps)"},
         {pairs(4)},
         true},
        {"mixture-no-faster",
         "arXiv 2507.02944, section 2",
         "(the converse: where it fails, the mixture beats every head)",
         "T_mix(mixture, eps) >= the fastest head's",
         ClaimKind::universal,
         "H >= 2 => tmix(eps) >= tmix[best](eps)",
         {"H >= 2 => tmix(eps) >= tmix[worst](eps)"},
         {pairs(4)},
         true},
        {"more-heads-better-best",
         paper,
         "with more heads, the best of them is better",
         "P(max over H independent heads of p_h >= x) grows with H, for every x, heads drawn evenly from the "
         "domain",
         ClaimKind::distribution,
         "",
         {},
         {single(4),
          [] {
              Domain domain = single(3);
              domain.max_edge_weight = 3;
              return domain;
          }()}},
    };
}

std::vector<Claim> family_and_reverse_claims() {
    return {
        {"line-fidelity",
         feedforward,
         "the line's fidelity is a central binomial probability",
         "phi = C(2n-5, n-2)/2^(2n-5) on the line of n >= 3 nodes",
         ClaimKind::universal,
         "n >= 3 => phi == choose(2*n - 5, n - 2)/2^(2*n - 5)",
         {"n >= 3 => phi == choose(2*n - 5, n - 2)/2^(2*n - 4)"},
         {family(Family::line, 2, 16)}},
        {"full-causal-fidelity",
         feedforward,
         "the full causal graph has fidelity 1/n",
         "phi = 1/n",
         ClaimKind::universal,
         "phi == 1/n",
         {"phi == 1/N"},
         {family(Family::full_causal, 2, 16)}},
        {"line-mixing",
         feedforward,
         "the line mixes like a sum of coin tosses",
         "d(t) = 2 P(Bin(t, 1/2) < N) for t = 0..4n",
         ClaimKind::universal,
         "forall t in 0..4*n: d(t) == 2*binomial_tail(t, 1/2, N)",
         {"forall t in 0..4*n: d(t) == 2*binomial_tail(t, 1/2, n)"},
         {family(Family::line, 2, 16)}},
        {"full-causal-mixing",
         feedforward,
         "the full causal graph mixes like a chain of uniform jumps",
         "d(t) = 2 (1 - sum over k of (-1)^k C(N, k)/(k+1)^t) for t = 0..4n",
         ClaimKind::universal,
         "forall t in 0..4*n: d(t) == 2*(1 - (sum k in 0..N: (-1)^k*choose(N, k)/(k + 1)^t))",
         {"forall t in 0..4*n: d(t) == 2*(1 - (sum k in 0..N: (-1)^k*choose(N, k)/(k + 2)^t))"},
         {family(Family::full_causal, 2, 16)}},
        {"reverse-bound",
         "Feedforward Mixing is as Sharp as it is Slow in Reverse (2026)",
         "n phi <= (8/3) T_bwd for a unique source and sink",
         "n phi <= (8/3) T_bwd(1/4), total variation, wherever node 0 is the only source and all reach the "
         "sink; where m is the closest margin, the constant could be (8/3)(1 - m) on that domain",
         ClaimKind::universal,
         "unique_source and reaches_sink => n*phi <= 8/3*tbwd_tv(1/4)",
         {"unique_source and reaches_sink => n*phi <= 1/4*tbwd_tv(1/4)"},
         {heads_on(2, 4, 1, 2), single(5)},
         true},
        {"published-mixing-proxy",
         "the reference code of arXiv 2507.02944",
         "mixing time as the mean length of sampled walks",
         "its sampler walks along rows of A transposed, which do not sum to 1, lets the missing mass fall "
         "into the sink "
         "and stops at 100 steps; `crosshead validate` gives its expectation in closed form beside T_mix",
         ClaimKind::measurement,
         "",
         {},
         {}},
    };
}

std::vector<Claim> build_catalogue() {
    std::vector<Claim> all = mixing_claims();
    for (auto* part : {&fidelity_claims, &family_and_reverse_claims})
        for (auto& claim : part()) all.push_back(std::move(claim));
    return all;
}

}  // namespace

std::shared_ptr<const Conjecture> Claim::conjecture() const {
    return std::make_shared<const Conjecture>(parse_conjecture(statement, fmt::format("claim {}", id)));
}

std::span<const Claim> claims() {
    static const std::vector<Claim> catalogue = build_catalogue();
    return catalogue;
}

std::span<const Claim* const> model_claims() {
    static const std::vector<const Claim*> held_against_models = [] {
        std::vector<const Claim*> result;
        for (const auto& claim : claims())
            if (claim.for_models) result.push_back(&claim);
        return result;
    }();
    return held_against_models;
}

const Claim& claim_named(std::string_view id) {
    const auto all = claims();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Claim& claim) { return claim.id == id; });
    if (found != all.end()) return *found;
    std::vector<std::string_view> ids;
    for (const auto& claim : all) ids.push_back(claim.id);
    throw UsageError(fmt::format("no claim is called \"{}\"; the claims are {}", id, fmt::join(ids, ", ")));
}

std::vector<Judgement> judge(const Claim& claim, const MeasuredSystem& measured) {
    return claim.judge_model != nullptr ? claim.judge_model(measured) : judge_formula(claim, measured);
}

Verdict verdict_over(const Claim& claim, std::span<const Judgement> judgements) {
    const auto any = [&](Outcome outcome) {
        return std::any_of(judgements.begin(), judgements.end(),
                           [&](const Judgement& j) { return j.outcome == outcome; });
    };
    if (claim.existential() && any(Outcome::holds)) return Verdict::witnessed;
    if (!claim.existential() && any(Outcome::fails)) return Verdict::refuted;
    if (any(Outcome::undecided)) return Verdict::undecided;
    if (claim.existential()) return any(Outcome::fails) ? Verdict::unwitnessed : Verdict::vacuous;
    return any(Outcome::holds) ? Verdict::exhausted : Verdict::vacuous;
}

}  // namespace crosshead
