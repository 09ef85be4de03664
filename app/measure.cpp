#include "measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <crosshead/graphs/error.hpp>
#include <memory>

#include "json_output.hpp"
#include "progress.hpp"
#include "table.hpp"

namespace crosshead {
namespace {

struct MeasureArguments {
    std::string file;
    int layer = -1;
    OutputOptions output;
    ConventionOptions convention;
    WeightOptions weights;
    InputOptions input;
};

struct MeasuredLayer {
    std::size_t index;
    HeadSystem system;
    SystemMeasure measure;
};

std::string step_text(const FidelityMeasure& fidelity) {
    if (fidelity.kind == FidelityKind::limit) return "limit";
    return "t = " + to_text(MixingTime{false, fidelity.attained_from, fidelity.attained_to});
}

std::vector<std::string> operator_row(const std::string& name, const HeadSystem& system,
                                      const OperatorMeasure& measure) {
    std::vector<std::string> row = {name};
    if (measure.walk) {
        row.push_back(to_text(measure.walk->forward_probability));
        for (const auto& time : measure.walk->mixing_times) row.push_back(to_text(time));
        row.push_back(to_text(measure.walk->absorption_mean));
        row.push_back(to_text(measure.walk->absorption_worst));
    } else {
        row.resize(row.size() + 3 + measure.reverse_mixing_times.size(), "undefined");
    }
    row.push_back(to_text(measure.minimax.fidelity.value));
    row.push_back((measure.minimax.node_decided ? "" : "~") + system.name(measure.minimax.node));
    row.push_back(step_text(measure.minimax.fidelity));
    return row;
}

std::string layer_text(const MeasuredLayer& layer, const MeasureOptions& options) {
    const HeadSystem& system = layer.system;
    const SystemMeasure& measure = layer.measure;
    std::vector<std::string> header = {"", "p"};
    for (const auto& epsilon : options.epsilons)
        header.push_back(fmt::format("T_mix({})", to_string(epsilon)));
    for (const char* name : {"absorption mean", "worst", "minimax fidelity", "node", "at"})
        header.push_back(name);
    Table table(header);
    for (std::size_t h = 0; h < measure.heads.size(); ++h)
        table.add(operator_row(fmt::format("head {}", h), system, measure.heads[h]));
    if (measure.heads.size() > 1) table.add(operator_row("mixture", system, measure.mixture));
    std::string text = table.text();

    std::vector<std::string> reverse;
    for (std::size_t k = 0; k < options.epsilons.size(); ++k)
        reverse.push_back(fmt::format("T_bwd({}) = {}", to_string(options.epsilons[k]),
                                      to_text(measure.mixture.reverse_mixing_times[k])));
    text += fmt::format("reverse walk of the {}: {}\n", measure.heads.size() > 1 ? "mixture" : "head",
                        fmt::join(reverse, ", "));
    if (measure.forward_probability_bound)
        text +=
            fmt::format("bound p = sum of alpha_h p_h = {}\n", to_text(*measure.forward_probability_bound));
    if (measure.heads.size() > 1) {
        text += fmt::format("synergy (above 1, the mixture beats the best head): fidelity {}",
                            measure.fidelity_gain ? to_text(*measure.fidelity_gain) : "undefined");
        for (std::size_t k = 0; k < options.epsilons.size(); ++k)
            text += fmt::format(", mixing({}) {}", to_string(options.epsilons[k]),
                                measure.mixing_gain[k] ? to_text(*measure.mixing_gain[k]) : "undefined");
        text += "\n";
    }
    const auto undefined = [&](const std::string& name, const OperatorMeasure& one) {
        if (!one.walk) text += fmt::format("{}: no walk: {}\n", name, one.walk_undefined_because);
    };
    for (std::size_t h = 0; h < measure.heads.size(); ++h)
        undefined(fmt::format("head {}", h), measure.heads[h]);
    return text;
}

/// Fidelity of every node: one row a node, one column an operator.
std::string fidelity_text(const MeasuredLayer& layer) {
    const auto& measure = layer.measure;
    std::vector<std::string> header = {"fidelity of node"};
    for (std::size_t h = 0; h < measure.heads.size(); ++h) header.push_back(fmt::format("head {}", h));
    if (measure.heads.size() > 1) header.push_back("mixture");
    Table table(header);
    const auto cell = [](const FidelityMeasure& fidelity) {
        return fmt::format("{} ({})", to_text(fidelity.value), step_text(fidelity));
    };
    for (Node j = 0; j < layer.system.nodes(); ++j) {
        std::vector<std::string> row = {layer.system.name(j)};
        for (const auto& head : measure.heads)
            row.push_back(cell(head.fidelity[static_cast<std::size_t>(j)]));
        if (measure.heads.size() > 1)
            row.push_back(cell(measure.mixture.fidelity[static_cast<std::size_t>(j)]));
        table.add(row);
    }
    return table.text();
}

Json measure_document(const MeasureArguments& arguments, const Context& context, const LoadedInput& input,
                      const std::vector<MeasuredLayer>& layers, const std::vector<std::string>& notes,
                      const MeasureOptions& options) {
    Json document = {{"schema", "crosshead.measure/1"}, {"convention", to_json(options.convention)}};
    const bool single = layers.size() == 1;
    document["system"] = system_json(layers.front().system);
    if (!single)
        for (const char* key : {"walk_weights", "diffusion_weights"}) document["system"].erase(key);
    document["system"]["file"] = arguments.file;
    document["system"]["format"] = input.format;
    document["system"]["layers"] = input.layers.size();
    const auto add_layer = [&](Json& object, const MeasuredLayer& layer) {
        if (!input.residuals.empty()) {
            const auto& residual = input.residuals[layer.index];
            object["largest_row_residual"] = {
                {"estimate", residual.largest}, {"head", residual.head}, {"row", residual.row}};
        }
        object.update(layer_json(layer.measure, options, arguments.output.full));
    };
    if (single) {
        add_layer(document, layers.front());
        if (arguments.layer >= 0) document["system"]["layer"] = arguments.layer;
    } else {
        document["layers"] = Json::array();
        for (const auto& layer : layers) {
            Json object = {{"layer", layer.index}};
            const Json system = system_json(layer.system);
            for (const char* key : {"walk_weights", "diffusion_weights"}) object[key] = system[key];
            add_layer(object, layer);
            document["layers"].push_back(std::move(object));
        }
    }
    document["notes"] = notes;
    document["command"] = context.command_line;
    return document;
}

void run_measure(const MeasureArguments& arguments, Context& context) {
    const MeasureOptions options = arguments.convention.measure_options();
    const LoadedInput input = load_input(arguments.file, arguments.input.load_options());
    if (arguments.layer >= static_cast<int>(input.layers.size()))
        throw UsageError(fmt::format("--layer {}: {} holds layers 0..{}", arguments.layer, arguments.file,
                                     input.layers.size() - 1));
    std::vector<std::string> notes = input.notes;
    std::vector<MeasuredLayer> layers;
    Progress progress("measuring layer", arguments.output.quiet);
    const std::size_t first = arguments.layer >= 0 ? static_cast<std::size_t>(arguments.layer) : 0;
    const std::size_t end = arguments.layer >= 0 ? first + 1 : input.layers.size();
    for (std::size_t l = first; l < end; ++l) {
        HeadSystem system = weighted(input.layers[l], arguments.weights, l, {}, notes);
        SystemMeasure measure = measure_system(system, options, [&](std::size_t done, std::size_t total) {
            progress.at(
                static_cast<double>(l - first) + static_cast<double>(done) / static_cast<double>(total),
                static_cast<double>(end - first));
        });
        layers.push_back({l, std::move(system), std::move(measure)});
    }
    progress.clear();
    if (arguments.output.json) {
        write_stdout(document_text(measure_document(arguments, context, input, layers, notes, options)));
        return;
    }
    constexpr int most_nodes_listed = 16;
    std::string text =
        fmt::format("{} ({}): {} head{} on {} nodes, sink {}\n", arguments.file, input.format,
                    layers.front().system.head_count(), layers.front().system.head_count() == 1 ? "" : "s",
                    layers.front().system.nodes(), layers.front().system.name(layers.front().system.sink()));
    for (const auto& layer : layers) {
        text += input.layers.size() > 1 ? fmt::format("\nlayer {}\n", layer.index) : "\n";
        text += layer_text(layer, options);
        if (!input.residuals.empty() && input.residuals[layer.index].largest > 0) {
            const RowResidual& residual = input.residuals[layer.index];
            text += fmt::format("rows rescaled exactly to sum 1; furthest off: head {} row {}, by ≈{:.2g}\n",
                                residual.head, residual.row, residual.largest);
        }
        if (layer.system.nodes() <= most_nodes_listed) text += "\n" + fidelity_text(layer);
    }
    text += "\n" + convention_text(options.convention);
    for (const auto& note : notes) text += "note: " + note + "\n";
    write_stdout(text);
}

}  // namespace

void add_measure_command(CLI::App& app, Context& context) {
    auto* command = app.add_subcommand(
        "measure", "Measure a head system: mixing and absorption times, fidelities, synergy");
    auto arguments = std::make_shared<MeasureArguments>();
    command
        ->add_option("file", arguments->file,
                     "Head-system JSON, GraphML, DOT, .npy, .npz, safetensors or BertViz (docs/formats.md)")
        ->required()
        ->type_name("FILE");
    command
        ->add_option("--layer", arguments->layer, "Only this layer, printed as a single-layer file would be")
        ->check(whole_number());
    arguments->weights.add_to(*command);
    arguments->convention.add_to(*command);
    arguments->input.add_to(*command);
    arguments->output.add_to(*command);
    command->footer(
        "Exact values are fractions, or decimals cut with \"…\"; an enclosure is written 0.1875±3e-17 or "
        "[0.1, 0.3] and holds the\n"
        "true value; a node after ~ is the likeliest of several that the enclosures leave open.\n"
        "A column of W needs an out-weight: where a node has none, walk quantities are undefined and say "
        "so.\n"
        "Examples:\n"
        "  crosshead measure examples/second_example.json\n"
        "  crosshead measure attention.npy --layer 3 --weights 1/4,1/4,1/4,1/4 --json");
    command->callback([arguments, &context] { run_measure(*arguments, context); });
}

}  // namespace crosshead
