#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "expansion.hpp"

namespace crosshead {
namespace {

/// A Graphviz string.
std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return result + "\"";
}

/// Colours that differ in print and for the colour-blind (Okabe and Ito, 2008), by head.
const char* head_colour(std::size_t head) {
    static constexpr const char* colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                              "#E69F00", "#56B4E9", "#000000", "#999999"};
    return colours[head % std::size(colours)];
}

}  // namespace

std::string expansion_drawing(const ExpandedLayer& layer) {
    const SignalExpansion& expansion = layer.expansion;
    struct Step {
        double share = 0;
        std::size_t head = 0;
    };
    std::map<std::tuple<std::size_t, Node, Node>, Step> steps;
    double largest = 0;
    for (const auto& path : expansion.strongest_paths)
        for (std::size_t k = 0; k < path.leading_head.size(); ++k) {
            auto& step = steps[{k, path.nodes[k], path.nodes[k + 1]}];
            step.share += path.share.approximation();
            step.head = path.leading_head[k];
            largest = std::max(largest, step.share);
        }
    const double total = expansion.total.approximation();
    std::string text = fmt::format(
        "// The strongest paths of node {} into the sink in {} steps; a step is as wide as the signal of "
        "the\n"
        "// paths through it, and has the colour of the head that carries most of it.\n"
        "digraph paths {{\n  rankdir=LR;\n  node [shape=circle, fontname=\"Helvetica\"];\n"
        "  edge [fontname=\"Helvetica\", fontsize=10];\n",
        expansion.options.source, expansion.options.steps);
    std::map<std::size_t, std::map<Node, std::string>> columns;
    const auto place = [](std::size_t k, Node node) { return fmt::format("t{}_n{}", k, node); };
    for (const auto& [key, step] : steps) {
        const auto& [k, from, to] = key;
        columns[k][from] = place(k, from);
        columns[k + 1][to] = place(k + 1, to);
    }
    for (const auto& [k, nodes] : columns) {
        text += "  { rank=same;";
        for (const auto& [node, id] : nodes)
            text += fmt::format(" {} [label={}];", id, quoted(layer.system.name(node)));
        text += " }\n";
    }
    for (const auto& [key, step] : steps) {
        const auto& [k, from, to] = key;
        text += fmt::format("  {} -> {} [label=\"head {}: {:.3g}\", color=\"{}\", penwidth={:.2f}];\n",
                            place(k, from), place(k + 1, to), step.head, total > 0 ? step.share / total : 0.0,
                            head_colour(step.head), 1 + 5 * (largest > 0 ? step.share / largest : 0.0));
    }
    return text + "}\n";
}

}  // namespace crosshead
