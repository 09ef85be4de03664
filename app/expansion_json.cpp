#include "expansion.hpp"

namespace crosshead {
namespace {

Json fraction_json(const Quantity& part, const SignalExpansion& expansion, bool full) {
    const auto fraction = fraction_of(part, expansion.total);
    return fraction ? to_json(*fraction, full) : Json(nullptr);
}

/// What a part carries, and which fraction of the signal that is.
Json part_json(const Quantity& part, const SignalExpansion& expansion, bool full) {
    return {{"signal", to_json(part, full)}, {"share", fraction_json(part, expansion, full)}};
}

Json list_json(const std::vector<Quantity>& quantities, bool full) {
    Json list = Json::array();
    for (const auto& quantity : quantities) list.push_back(to_json(quantity, full));
    return list;
}

Json mean_json(const std::vector<Quantity>& distribution, const SignalExpansion& expansion, bool full) {
    const auto mean = mean_of(distribution, expansion.total);
    return mean ? to_json(*mean, full) : Json(nullptr);
}

Json count_json(const Integer& count) {
    return to_json(Quantity::of(Rational(count)), true);
}

Json counts_json(const PathCounts& counts) {
    Json heads = Json::array();
    for (const auto& head : counts.in_head) heads.push_back(count_json(head));
    return {{"heads", std::move(heads)},
            {"union", count_json(counts.in_union)},
            {"only_across_heads",
             counts.only_across_heads ? count_json(*counts.only_across_heads) : Json(nullptr)}};
}

Json words_json(const SignalExpansion& expansion, bool full) {
    const WordsMeasure& words = expansion.words;
    Json top = Json::array();
    for (const auto& word : words.top) {
        Json entry = {{"word", word.word}};
        entry.update(part_json(word.share, expansion, full));
        top.push_back(std::move(entry));
    }
    return {{"enumerated", words.enumerated},
            {"count", words.count ? count_json(*words.count) : Json(nullptr)},
            {"top", std::move(top)},
            {"top_complete", words.top_complete},
            {"order_certain", words.order_certain},
            {"listed", part_json(words.listed, expansion, full)},
            {"not_listed", part_json(words.not_listed, expansion, full)},
            {"others_at_most", to_json(words.others_at_most, full)}};
}

Json paths_json(const SignalExpansion& expansion, bool full) {
    Json strongest = Json::array();
    for (const auto& path : expansion.strongest_paths) {
        Json entry = {{"nodes", path.nodes}};
        entry.update(part_json(path.share, expansion, full));
        entry["leading_heads"] = path.leading_head;
        strongest.push_back(std::move(entry));
    }
    return {{"with_self_loops", counts_json(expansion.paths)},
            {"without_self_loops", counts_json(expansion.paths_without_self_loops)},
            {"strongest", std::move(strongest)}};
}

Json diversity_json(const std::vector<HeadPairDiversity>& pairs, bool full) {
    Json list = Json::array();
    for (const auto& pair : pairs)
        list.push_back({{"heads", {pair.first, pair.second}},
                        {"commutator",
                         {{"largest_entry", to_json(pair.commutator, full)},
                          {"destination", pair.commutator_row},
                          {"source", pair.commutator_column},
                          {"place_decided", pair.commutator_place_decided}}},
                        {"jaccard", to_json(pair.jaccard, full)},
                        {"total_variation",
                         {{"largest", to_json(pair.largest_distance, full)},
                          {"node", pair.largest_distance_node},
                          {"mean", to_json(pair.mean_distance, full)}}}});
    return list;
}

Json polynomial_json(const ExpandedLayer& layer) {
    const HeadWeightPolynomial& polynomial = *layer.polynomial;
    const bool walk = layer.expansion.options.kind == Operator::walk;
    Json terms = Json::array();
    for (std::size_t m = 0; m < polynomial.coefficients().size(); ++m) {
        if (polynomial.coefficients()[m] == 0) continue;
        const auto exponents = polynomial.monomials().exponents(m);
        terms.push_back({{"exponents", std::vector<std::uint32_t>(exponents.begin(), exponents.end())},
                         {"coefficient", to_json(Quantity::of(polynomial.coefficients()[m]), true)}});
    }
    const auto bounds = polynomial.bernstein_bounds();
    return {{"of", walk ? "survivor probability" : "signal"},
            {"degree", polynomial.degree()},
            {"variables", walk ? "alpha" : "beta"},
            {"text", polynomial.text(walk ? "α" : "β")},
            {"latex", polynomial.latex(walk ? "\\alpha" : "\\beta")},
            {"terms", std::move(terms)},
            {"bounds_on_simplex",
             {{"lower", to_json(Quantity::of(bounds.lower), true)},
              {"upper", to_json(Quantity::of(bounds.upper), true)}}}};
}

}  // namespace

Json expansion_json(const ExpandedLayer& layer, bool full) {
    const SignalExpansion& expansion = layer.expansion;
    Json object = {{"source", expansion.options.source},
                   {"source_name", layer.system.name(expansion.options.source)},
                   {"steps", expansion.options.steps},
                   {"chosen", layer.why_here},
                   {"exact", expansion.exact},
                   {"signal", to_json(expansion.total, full)},
                   {"cross_head", part_json(expansion.cross_head, expansion, full)}};
    object["heads"] = Json::array();
    for (std::size_t h = 0; h < expansion.pure.size(); ++h)
        object["heads"].push_back({{"index", h},
                                   {"alone", part_json(expansion.pure[h], expansion, full)},
                                   {"uses", list_json(expansion.uses[h], full)},
                                   {"mean_uses", mean_json(expansion.uses[h], expansion, full)}});
    object["switches"] = list_json(expansion.switches, full);
    object["mean_switches"] = mean_json(expansion.switches, expansion, full);
    object["first_last"] = Json::array();
    for (const auto& row : expansion.first_last) object["first_last"].push_back(list_json(row, full));
    object["words"] = words_json(expansion, full);
    object["paths"] = paths_json(expansion, full);
    object["diversity"] = diversity_json(layer.diversity, full);
    if (layer.polynomial) object["polynomial"] = polynomial_json(layer);
    return object;
}

}  // namespace crosshead
