#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "expansion.hpp"
#include "table.hpp"

namespace crosshead {
namespace {

std::string share_text(const Quantity& part, const SignalExpansion& expansion) {
    const auto fraction = fraction_of(part, expansion.total);
    return fraction ? to_text(*fraction) : "undefined";
}

std::string mean_text(const std::vector<Quantity>& distribution, const SignalExpansion& expansion) {
    const auto mean = mean_of(distribution, expansion.total);
    return mean ? to_text(*mean) : "undefined";
}

std::string count_text(const std::optional<Integer>& count) {
    if (!count) return "too many states to count";
    const std::string digits = count->str();
    if (digits.size() <= 24) return digits;
    return fmt::format("≈{}.{}e+{}", digits.substr(0, 1), digits.substr(1, 3), digits.size() - 1);
}

std::string signal_name(const ExpandedLayer& layer) {
    const auto& options = layer.expansion.options;
    return fmt::format("({}^{})[{}][{}]", options.kind == Operator::walk ? "W" : "D", options.steps,
                       layer.system.name(layer.system.sink()), layer.system.name(options.source));
}

std::string heads_text(const SignalExpansion& expansion) {
    Table table({"", "carries", "share", "mean uses"});
    for (std::size_t h = 0; h < expansion.pure.size(); ++h)
        table.add({fmt::format("head {} alone", h), to_text(expansion.pure[h]),
                   share_text(expansion.pure[h], expansion), mean_text(expansion.uses[h], expansion)});
    table.add({"across heads", to_text(expansion.cross_head), share_text(expansion.cross_head, expansion)});
    return table.text();
}

/// As many numbers of switches as carry anything worth a row, the others as one.
std::string switches_text(const SignalExpansion& expansion) {
    constexpr std::size_t most_rows = 12;
    Table table({"head switches", "carries", "share"});
    for (std::size_t s = 0; s < std::min(most_rows, expansion.switches.size()); ++s)
        table.add({std::to_string(s), to_text(expansion.switches[s]),
                   share_text(expansion.switches[s], expansion)});
    std::string text = table.text();
    if (expansion.switches.size() > most_rows)
        text += fmt::format("… up to {} switches (--json has all)\n", expansion.switches.size() - 1);
    return text + fmt::format("mean number of switches: {}\n", mean_text(expansion.switches, expansion));
}

std::string words_text(const SignalExpansion& expansion) {
    const WordsMeasure& words = expansion.words;
    Table table({"word", "carries", "share"});
    for (const auto& word : words.top)
        table.add({word_text(word.word), to_text(word.share), share_text(word.share, expansion)});
    std::string text = table.text();
    const std::string number = words.count ? count_text(words.count) : "an unknown number of";
    const bool one = words.count && *words.count == 1;
    text += words.enumerated
                ? fmt::format("{} word{} something; all were enumerated, and {} the signal{}\n", number,
                              one ? " carries" : "s carry", one ? "equals" : "sum to",
                              expansion.exact ? " exactly" : " within their enclosures")
                : fmt::format("{} words carry something; these are the largest, found best first\n", number);
    text += fmt::format("listed: {} of the signal; not listed: {}; no other word carries more than {}\n",
                        share_text(words.listed, expansion), share_text(words.not_listed, expansion),
                        to_text(words.others_at_most));
    if (!words.top_complete)
        text += "the search for words ended at its budget: larger ones may be missing (--budget)\n";
    if (!words.order_certain) text += "enclosures of neighbours overlap: their order is not certain\n";
    return text;
}

std::string first_last_text(const SignalExpansion& expansion) {
    constexpr std::size_t most_heads = 8;
    const std::size_t heads = expansion.first_last.size();
    if (heads > most_heads) return "by first and last head: --json has the table\n";
    std::vector<std::string> header = {"share by first head"};
    for (std::size_t l = 0; l < heads; ++l) header.push_back(fmt::format("last {}", l));
    Table table(header);
    for (std::size_t f = 0; f < heads; ++f) {
        std::vector<std::string> row = {fmt::format("first {}", f)};
        for (const auto& part : expansion.first_last[f]) row.push_back(share_text(part, expansion));
        table.add(row);
    }
    return table.text();
}

std::string paths_text(const ExpandedLayer& layer) {
    const SignalExpansion& expansion = layer.expansion;
    Table counts({"paths", "with self-loops", "without"});
    for (std::size_t h = 0; h < expansion.paths.in_head.size(); ++h)
        counts.add({fmt::format("in head {}", h), count_text(expansion.paths.in_head[h]),
                    count_text(expansion.paths_without_self_loops.in_head[h])});
    counts.add({"in the union", count_text(expansion.paths.in_union),
                count_text(expansion.paths_without_self_loops.in_union)});
    counts.add({"only across heads", count_text(expansion.paths.only_across_heads),
                count_text(expansion.paths_without_self_loops.only_across_heads)});
    Table strongest({"strongest paths (head that carries most of a step)", "carries", "share"});
    for (const auto& path : expansion.strongest_paths) {
        std::string text = layer.system.name(path.nodes.front());
        for (std::size_t k = 0; k < path.leading_head.size(); ++k)
            text += fmt::format(" -{}-> {}", path.leading_head[k], layer.system.name(path.nodes[k + 1]));
        strongest.add({text, to_text(path.share), share_text(path.share, expansion)});
    }
    return counts.text() + "\n" + strongest.text();
}

std::string diversity_text(const ExpandedLayer& layer) {
    if (layer.diversity.empty()) return "";
    const bool walk = layer.expansion.options.kind == Operator::walk;
    Table table({"heads", "commutator, largest entry", "at", "shared edges (Jaccard)",
                 walk ? "total variation of columns, largest" : "total variation of rows, largest", "mean"});
    for (const auto& pair : layer.diversity) {
        const bool commute = pair.commutator.exact && *pair.commutator.exact == 0;
        const std::string place = fmt::format("[{}][{}]", layer.system.name(pair.commutator_row),
                                              layer.system.name(pair.commutator_column));
        table.add({fmt::format("{}, {}", pair.first, pair.second),
                   commute ? "0: they commute" : to_text(pair.commutator),
                   commute ? "" : (pair.commutator_place_decided ? "" : "~") + place, to_text(pair.jaccard),
                   to_text(pair.largest_distance), to_text(pair.mean_distance)});
    }
    return "\n" + table.text();
}

std::string polynomial_text(const ExpandedLayer& layer, bool latex) {
    if (!layer.polynomial) return "";
    const bool walk = layer.expansion.options.kind == Operator::walk;
    const std::string left = walk ? "1 - " + signal_name(layer) : signal_name(layer);
    if (latex) return fmt::format("\n{}\n", layer.polynomial->latex(walk ? "\\alpha" : "\\beta"));
    return fmt::format("\n{} = {}\n({}: the weights of heads 0..{})\n", left,
                       layer.polynomial->text(walk ? "α" : "β"), walk ? "α₁, α₂, …" : "β₁, β₂, …",
                       layer.polynomial->heads() - 1);
}

}  // namespace

std::string word_text(const Word& word) {
    constexpr std::size_t longest_plain = 16;
    if (word.size() <= longest_plain) return fmt::format("{}", fmt::join(word, " "));
    std::vector<std::string> runs;
    for (std::size_t begin = 0; begin < word.size();) {
        std::size_t end = begin;
        while (end < word.size() && word[end] == word[begin]) ++end;
        runs.push_back(end - begin == 1 ? std::to_string(word[begin])
                                        : fmt::format("{}×{}", word[begin], end - begin));
        begin = end;
    }
    return fmt::format("{}", fmt::join(runs, " "));
}

std::string expansion_text(const ExpandedLayer& layer, bool latex) {
    const SignalExpansion& expansion = layer.expansion;
    const auto& options = expansion.options;
    std::string text = fmt::format(
        "{} = {}: {} node {} after {} step{} ({})\n", signal_name(layer), to_text(expansion.total),
        options.kind == Operator::walk ? "the walk has reached the sink from" : "what the sink holds of",
        layer.system.name(options.source), options.steps, options.steps == 1 ? "" : "s", layer.why_here);
    text += expansion.exact ? "all parts are exact, and every division below sums to the signal exactly\n"
                            : "all parts are certified enclosures: exact fractions would be too long\n";
    if (expansion.total.exact && *expansion.total.exact == 0)
        text += "nothing arrives: shares of it are undefined\n";
    return text + "\n" + heads_text(expansion) + "\n" + switches_text(expansion) + "\n" +
           words_text(expansion) + "\n" + first_last_text(expansion) + "\n" + paths_text(layer) +
           diversity_text(layer) + polynomial_text(layer, latex);
}

}  // namespace crosshead
