#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <crosshead/graphs/error.hpp>
#include <crosshead/proofs_check/claims.hpp>

namespace crosshead {
namespace {

constexpr std::string_view paper = "arXiv 2507.02944, Theorem 2.9";

constexpr std::array<Claim, 7> catalogue{{
    {"mixing-literal", paper, "T_mix <~ 2N/p, p = sum of alpha_h p_h",
     "T_mix(eps) <= 2N/p for every eps asked for, N = n - 1", false, judge_mixing_literal},
    {"mixing-every-epsilon", "repaired form of arXiv 2507.02944, Theorem 2.9", "T_mix <~ 2N/p",
     "T_mix(eps) <= ceil(2(N + ln(2/eps))/p)", false, judge_mixing_every_epsilon},
    {"binomial-domination", "proof of arXiv 2507.02944, Theorem 2.9",
     "the steps forward are at least Bin(t, p)",
     "1 - (W^t)[sink][j] <= P(Bin(t, p) < N), and < longest path from j, for every j and every t up to the "
     "longest mixing time",
     false, judge_binomial_domination},
    {"forward-probability", "proof of arXiv 2507.02944, Theorem 2.9",
     "the mixture moves forward with probability at least p",
     "min over j of (1 - W[j][j]) >= sum of alpha_h p_h", false, judge_forward_probability},
    {"mixture-no-slower", "arXiv 2507.02944, section 2", "mixing heads speeds mixing",
     "T_mix(mixture, eps) <= the slowest head's", false, judge_mixture_no_slower},
    {"mixture-no-faster", "arXiv 2507.02944, section 2",
     "(the converse: where it fails, the mixture beats every head)",
     "T_mix(mixture, eps) >= the fastest head's", false, judge_mixture_no_faster},
    {"amplification", "arXiv 2507.02944, section 3", "heads together amplify the weakest signal",
     "phi(mixture) > the best head's phi, over all nodes; one system is enough", true, judge_amplification},
}};

}  // namespace

std::span<const Claim> claims() {
    return catalogue;
}

const Claim& claim_named(std::string_view id) {
    const auto found =
        std::find_if(catalogue.begin(), catalogue.end(), [&](const Claim& claim) { return claim.id == id; });
    if (found != catalogue.end()) return *found;
    std::vector<std::string_view> ids;
    for (const auto& claim : catalogue) ids.push_back(claim.id);
    throw UsageError(fmt::format("no claim is called \"{}\"; the claims are {}", id, fmt::join(ids, ", ")));
}

Verdict verdict_over(const Claim& claim, std::span<const Judgement> judgements) {
    const auto any = [&](Outcome outcome) {
        return std::any_of(judgements.begin(), judgements.end(),
                           [&](const Judgement& j) { return j.outcome == outcome; });
    };
    if (claim.existential && any(Outcome::holds)) return Verdict::witnessed;
    if (!claim.existential && any(Outcome::fails)) return Verdict::refuted;
    if (any(Outcome::undecided)) return Verdict::undecided;
    if (claim.existential) return any(Outcome::fails) ? Verdict::unwitnessed : Verdict::vacuous;
    return any(Outcome::holds) ? Verdict::exhausted : Verdict::vacuous;
}

}  // namespace crosshead
