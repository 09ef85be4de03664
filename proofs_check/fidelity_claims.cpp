// The claims about words, fidelity and horizons.
#include <crosshead/proofs_check/catalogue.hpp>

namespace crosshead::catalogue {
namespace {

std::vector<Claim> cross_head_claims() {
    return {
        {"word-expansion",
         section_3,
         "the power of a mixture is the sum over all words of its heads",
         "(D^t)[sink][j] of the mixture is the sum over all words h_1 ... h_t of beta_{h_1} ... beta_{h_t} "
         "(D_{h_t} ... D_{h_1})[sink][j], each formed by itself, for every j and t = 1..6",
         ClaimKind::universal,
         "forall j in nodes: forall t in 1..6: signal(t, j) == word_sum(t, j)",
         {"forall j in nodes: forall t in 1..6: signal(t, j) == (sum h in heads: beta[h]^t*signal[h](t, j))",
          "forall j in nodes: forall t in 1..6: signal(t, j) == cross_signal(t, j)",
          "forall j in nodes: forall t in 1..6: signal(t, j) == word_sum(t + 1, j)"},
         {pairs(4), weighted_pairs(3, 2, 3)}},
        {"two-step-example",
         section_3,
         "u -> v in head 1, v -> sink in head 2: the signal is beta_1 beta_2/4",
         "(D^2)[sink][u] = beta_1 beta_2/4 on three nodes with just these two edges, for every beta on a "
         "grid",
         ClaimKind::universal,
         "n == 3 and H == 2 and edges[0] == 1 and edges[1] == 1 and edge[0](0, 1) and edge[1](1, 2) => "
         "signal(2, 0) == beta[0]*beta[1]/4",
         {"n == 3 and H == 2 and edges[0] == 1 and edges[1] == 1 and edge[0](0, 1) and edge[1](1, 2) => "
          "signal(2, 0) == beta[0]*beta[1]/2"},
         {two_step_pairs()}},
        {"within-head-floor",
         section_3,
         "words of a single head are part of the mixture's signal",
         "(D^t)[sink][j] of the mixture >= sum over h of beta_h^t (D_h^t)[sink][j], for every j and t = "
         "1..12",
         ClaimKind::universal,
         "forall j in nodes: forall t in 1..12: signal(t, j) >= (sum h in heads: beta[h]^t*signal[h](t, j))",
         {"forall j in nodes: forall t in 1..12: signal(t, j) >= (sum h in heads: beta[h]*signal[h](t, j))"},
         {pairs(4)}},
    };
}

std::vector<Claim> amplification_claims() {
    return {
        {"amplification",
         section_3,
         "heads together amplify the weakest signal",
         "some system has phi(mixture) > the best head's phi, over all nodes",
         ClaimKind::existential,
         "H >= 2 => phi > phi[best]",
         {"H >= 2 => phi > n*phi[best]"},
         {pairs(4)},
         true},
        {"combination-never-hurts",
         section_3,
         "combining heads does not lose signal",
         "phi(mixture) >= the worst head's phi, the sink not counted",
         ClaimKind::universal,
         "H >= 2 => phi_nosink >= phi_nosink[worst]",
         {"H >= 2 => phi_nosink >= phi_nosink[best]"},
         {pairs(4)},
         true},
        {"combination-never-hurts-with-sink",
         section_3,
         "combining heads does not lose signal",
         "phi(mixture) >= the worst head's phi, over all nodes",
         ClaimKind::universal,
         "H >= 2 => phi >= phi[worst]",
         {"H >= 2 => phi >= phi[best]"},
         {pairs(4)},
         true},
    };
}

std::vector<Claim> mixture_claims() {
    return {
        {"heads-need-not-commute",
         section_3,
         "the order of heads in a word matters",
         "some system has heads whose diffusion matrices do not commute",
         ClaimKind::existential,
         "H >= 2 => not heads_commute",
         {"H >= 2 => not heads_commute and edges == 0"},
         {pairs(4)}},
        {"commuting-heads-gain-nothing",
         section_3,
         "only heads that do not commute amplify",
         "phi(mixture) <= the best head's phi wherever all diffusion matrices commute",
         ClaimKind::universal,
         "H >= 2 and heads_commute => phi <= phi[best]",
         {"H >= 2 and heads_commute => phi < phi[worst]"},
         {pairs(5), united_pairs(4), with_edge_weights(heads_on(3, 3, 2, 2), 2), heads_on(6, 6, 2, 2)},
         false,
         nullptr,
         "Heads that commute form cross-head words too. What does hold, for all n and beta: where one matrix "
         "is a polynomial in the other with non-negative coefficients (a square, a lazy copy), each power of "
         "the mixture is an average of powers of that other, so that no node but the sink gains. So a gain "
         "is the sink's, whose share lies between those of the heads, as in the second and third domain; or "
         "the heads are no such polynomials, as in the fourth. With the sink not counted (phi_nosink, beta = "
         "1/2) the smallest gains have 3 nodes and edge weights up to 3, or 6 nodes and uniform weights"},
        {"best-weights-at-a-vertex",
         section_3,
         "(no mixture beats the best single head: the best beta is a vertex of the simplex)",
         "phi(mixture) <= the best head's phi for every beta on a grid of the simplex; a grid can refute and "
         "cannot exhaust",
         ClaimKind::universal,
         "H >= 2 => phi <= phi[best]",
         {"H >= 2 => phi < phi[best]", "H >= 2 => phi <= phi[worst]"},
         {with_beta_grid(pairs(4), 12), with_beta_grid(united_pairs(3), 12)},
         false,
         nullptr,
         "For all beta, by Bernstein coefficients of the signals (a test): on 2 nodes one head alone reaches "
         "the sink; on 3 nodes the claim is exhausted, all 3 pairs; of the 210 pairs on 4 nodes it holds for "
         "155, an interior beta of the grid beats both heads of 45, and 10 stay undecided. Where a head "
         "alone does not reach the sink, its vertex has phi = 0 while weights near it may do best: the "
         "supremum over beta is then not attained"},
    };
}

std::vector<Claim> horizon_claims() {
    return {
        {"fidelity-unimodal",
         feedforward,
         "the signal rises to its peak and then falls",
         "once (D^t)[sink][j] has fallen from t to t + 1, it never rises again up to t = 13",
         ClaimKind::universal,
         "forall j in nodes: forall t in 1..12: signal(t + 1, j) < signal(t, j) => "
         "(forall s in t + 1..12: signal(s + 1, j) <= signal(s, j))",
         {"forall j in nodes: forall t in 1..12: signal(t + 1, j) >= signal(t, j)"},
         {single(6)}},
        {"horizon-100",
         "the reference code of arXiv 2507.02944",
         "100 steps suffice to find a fidelity",
         "every node that attains its fidelity first does so by t = 100",
         ClaimKind::universal,
         "forall j in nodes: attained(j) => peak(j) <= 100",
         {"forall j in nodes: attained(j) => peak(j) <= 2"},
         {family(Family::line, 2, 60), pairs(4)},
         true},
        {"stopping-certificate",
         "Crosshead (docs/definitions.md)",
         "m_j(t) never grows and bounds what follows",
         "m_j(t+1) <= m_j(t) and (D^(t+1))[sink][j] <= m_j(t), for every j and t = 1..24",
         ClaimKind::universal,
         "forall j in nodes: forall t in 1..24: mass(t + 1, j) <= mass(t, j) and signal(t + 1, j) <= mass(t, "
         "j)",
         {"forall j in nodes: forall t in 1..24: signal(t + 1, j) <= signal(t, j)"},
         {heads_on(2, 4, 1, 2)}},
    };
}

}  // namespace

std::vector<Claim> fidelity_claims() {
    std::vector<Claim> all;
    for (auto* part : {&cross_head_claims, &amplification_claims, &mixture_claims, &horizon_claims})
        for (auto& claim : part()) all.push_back(std::move(claim));
    return all;
}

}  // namespace crosshead::catalogue
