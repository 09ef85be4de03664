#include "expand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/file_io.hpp>
#include <crosshead/numeric/fidelity_measure.hpp>
#include <limits>
#include <memory>
#include <optional>

#include "expansion.hpp"
#include "progress.hpp"

namespace crosshead {
namespace {

struct ExpandArguments {
    std::string file, source, kind = "diffusion", drawing;
    int layer = -1;
    std::optional<std::uint64_t> steps;
    std::uint64_t top = 10, budget = ExpansionOptions{}.budget;
    bool symbolic = false, latex = false, without_sink = false;
    OutputOptions output;
    WeightOptions weights;
    InputOptions input;
};

constexpr std::uint64_t most_steps = 10'000, most_listed = 100'000;
constexpr double most_work = 2e11;  // multiply-adds: some minutes

Node node_named(const HeadSystem& system, const std::string& text) {
    for (Node j = 0; j < system.nodes(); ++j)
        if (system.name(j) == text) return j;
    const bool number =
        !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos;
    if (number && std::stoi(text) < system.nodes()) return std::stoi(text);
    throw UsageError(fmt::format("--source {}: no node has that name or number; nodes are 0..{}{}", text,
                                 system.nodes() - 1,
                                 system.names().empty() ? "" : ", or their names in the file"));
}

/// The node with the least signal that is not zero after t steps (the first, where they tie).
Node weakest_at(const HeadSystem& system, Operator kind, std::size_t steps) {
    const auto signals = signals_at(system, kind, steps);
    Node weakest = system.sink();
    double least = std::numeric_limits<double>::infinity();
    for (Node j = 0; j < system.nodes(); ++j) {
        const double value = signals[static_cast<std::size_t>(j)].approximation();
        if (value <= 0 || value >= least) continue;
        least = value;
        weakest = j;
    }
    return weakest;
}

/// Source and step: as asked for, else the weakest node, and the step at which it is strongest.
std::string choose_signal(const ExpandArguments& arguments, const HeadSystem& system,
                          ExpansionOptions& options) {
    const bool source_given = !arguments.source.empty(), steps_given = arguments.steps.has_value();
    if (source_given) options.source = node_named(system, arguments.source);
    options.steps = static_cast<std::size_t>(arguments.steps.value_or(0));
    if (source_given && steps_given) return "as asked for";
    if (options.kind == Operator::walk) {
        if (!steps_given)
            throw UsageError("expand --operator walk: needs --steps, as every walk ends in the sink at last");
        options.source = weakest_at(system, options.kind, options.steps);
        return "the start with the least of it";
    }
    const auto fidelity = measure_fidelities(system, MeasureOptions{});
    const std::size_t counted = fidelity.size() - (arguments.without_sink && fidelity.size() > 1 ? 1 : 0);
    if (!source_given) options.source = minimax_fidelity(fidelity, counted).node;
    const std::string which = source_given             ? "as asked for"
                              : arguments.without_sink ? "the weakest node, the sink not counted,"
                                                       : "the weakest node";
    if (steps_given) return which;
    const auto& measure = fidelity[static_cast<std::size_t>(options.source)];
    if (measure.kind != FidelityKind::attained || measure.attained_from > most_steps)
        throw UsageError(fmt::format(
            "expand: node {} has no best step ({}); say which with --steps", system.name(options.source),
            measure.kind == FidelityKind::limit ? "its signal only approaches a limit"
            : measure.kind == FidelityKind::unreachable
                ? "nothing of it reaches the sink"
                : fmt::format("it lies beyond {} steps", most_steps)));
    options.steps = measure.attained_from.convert_to<std::size_t>();
    return which + " at its best step";
}

ExpandedLayer expand_layer(const ExpandArguments& arguments, HeadSystem system, std::size_t index) {
    ExpansionOptions options;
    options.kind = arguments.kind == "walk" ? Operator::walk : Operator::diffusion;
    options.top = static_cast<std::size_t>(arguments.top);
    options.budget = arguments.budget;
    if (options.kind == Operator::walk) require_walk_defined(system);
    std::string why = choose_signal(arguments, system, options);
    if (distribution_work(system, options.steps) > most_work)
        throw UsageError(fmt::format(
            "expand: {} steps of {} heads on {} nodes would take hours; ask for fewer with --steps",
            options.steps, system.head_count(), system.nodes()));
    auto expansion = expand_signal(system, options);
    std::optional<HeadWeightPolynomial> polynomial;
    if (arguments.symbolic)
        polynomial = std::move(head_weight_polynomials(
            system, options.kind, options.steps)[static_cast<std::size_t>(options.source)]);
    auto diversity = head_diversity(system, options.kind);
    return {index,
            std::move(system),
            std::move(why),
            std::move(expansion),
            std::move(diversity),
            std::move(polynomial)};
}

Json expand_document(const ExpandArguments& arguments, const Context& context, const LoadedInput& input,
                     const std::vector<ExpandedLayer>& layers, const std::vector<std::string>& notes) {
    const bool full = arguments.output.full;
    Json document = {{"schema", "crosshead.expand/1"}, {"operator", arguments.kind}};
    document["system"] = system_json(layers.front().system);
    if (layers.size() > 1)
        for (const char* key : {"walk_weights", "diffusion_weights"}) document["system"].erase(key);
    document["system"]["file"] = arguments.file;
    document["system"]["format"] = input.format;
    document["system"]["layers"] = input.layers.size();
    if (layers.size() == 1) {
        if (arguments.layer >= 0) document["system"]["layer"] = arguments.layer;
        document.update(expansion_json(layers.front(), full));
    } else {
        document["layers"] = Json::array();
        for (const auto& layer : layers) {
            Json object = {{"layer", layer.index}};
            const Json system = system_json(layer.system);
            for (const char* key : {"walk_weights", "diffusion_weights"}) object[key] = system[key];
            object.update(expansion_json(layer, full));
            document["layers"].push_back(std::move(object));
        }
    }
    document["notes"] = notes;
    document["command"] = context.command_line;
    return document;
}

void require_sensible(const ExpandArguments& arguments, const LoadedInput& input) {
    if (arguments.steps && (*arguments.steps < 1 || *arguments.steps > most_steps))
        throw UsageError(fmt::format("--steps {}: give 1 to {}", *arguments.steps, most_steps));
    if (arguments.top > most_listed)
        throw UsageError(fmt::format("--top {}: give at most {}", arguments.top, most_listed));
    if (arguments.layer >= static_cast<int>(input.layers.size()))
        throw UsageError(fmt::format("--layer {}: {} holds layers 0..{}", arguments.layer, arguments.file,
                                     input.layers.size() - 1));
    if (!arguments.drawing.empty() && arguments.layer < 0 && input.layers.size() > 1)
        throw UsageError(fmt::format("--draw: {} holds {} layers; pick one with --layer", arguments.file,
                                     input.layers.size()));
    if (!arguments.drawing.empty()) require_writable(arguments.drawing);
}

void run_expand(const ExpandArguments& arguments, Context& context) {
    const LoadedInput input = load_input(arguments.file, arguments.input.load_options());
    require_sensible(arguments, input);
    std::vector<std::string> notes = input.notes;
    std::vector<ExpandedLayer> layers;
    Progress progress("expanding layer", arguments.output.quiet);
    const std::size_t first = arguments.layer >= 0 ? static_cast<std::size_t>(arguments.layer) : 0;
    const std::size_t end = arguments.layer >= 0 ? first + 1 : input.layers.size();
    for (std::size_t l = first; l < end; ++l) {
        progress.at(static_cast<double>(l - first), static_cast<double>(end - first));
        layers.push_back(
            expand_layer(arguments, weighted(input.layers[l], arguments.weights, l, {}, notes), l));
    }
    progress.clear();
    if (!arguments.drawing.empty()) {
        write_file_atomically(arguments.drawing, expansion_drawing(layers.front()));
        notes.push_back(fmt::format("strongest paths drawn to {}; `dot -Tsvg {}` makes a picture of it",
                                    arguments.drawing, arguments.drawing));
    }
    if (arguments.output.json) {
        write_stdout(document_text(expand_document(arguments, context, input, layers, notes)));
        return;
    }
    const HeadSystem& system = layers.front().system;
    std::string text = fmt::format("{} ({}): {} head{} on {} nodes, sink {}\n", arguments.file, input.format,
                                   system.head_count(), system.head_count() == 1 ? "" : "s", system.nodes(),
                                   system.name(system.sink()));
    for (const auto& layer : layers) {
        text += input.layers.size() > 1 ? fmt::format("\nlayer {}\n", layer.index) : "\n";
        text += expansion_text(layer, arguments.latex);
    }
    for (const auto& note : notes) text += "note: " + note + "\n";
    write_stdout(text);
}

}  // namespace

void add_expand_command(CLI::App& app, Context& context) {
    auto* command = app.add_subcommand(
        "expand", "Take a signal apart: words, head switches, cross-head share, paths, diversity");
    auto arguments = std::make_shared<ExpandArguments>();
    command->add_option("file", arguments->file, "A head system, as for measure")
        ->required()
        ->type_name("SYSTEM");
    command
        ->add_option("--steps", arguments->steps,
                     "Steps t of the power (default, for diffusion: where the source's signal is strongest)")
        ->check(whole_number());
    command->add_option("--source", arguments->source,
                        "Node whose signal is expanded, by name or number (default: the weakest)");
    command->add_flag("--without-sink", arguments->without_sink,
                      "The weakest node among all but the sink, for diffusion without --source");
    command
        ->add_option("--operator", arguments->kind,
                     "diffusion: (D^t)[sink][source] under beta; walk: (W^t)[sink][source] under alpha")
        ->check(CLI::IsMember({"diffusion", "walk"}))
        ->capture_default_str();
    command->add_option("--top", arguments->top, "Words and paths listed")
        ->check(whole_number())
        ->capture_default_str();
    command
        ->add_option(
            "--budget", arguments->budget,
            "Prefixes of words that may be worked out: within it all words are enumerated, beyond it "
            "the largest are searched best first")
        ->check(whole_number())
        ->capture_default_str();
    auto* symbolic = command->add_flag(
        "--symbolic", arguments->symbolic,
        "Also print the signal (walk: the survivor probability) as a polynomial in the head "
        "weights; subscript 1 is head 0");
    command->add_flag("--latex", arguments->latex, "With --symbolic: print it as LaTeX")->needs(symbolic);
    command
        ->add_option("--draw", arguments->drawing,
                     "Write the strongest paths as a Graphviz graph to this file")
        ->type_name("FILE.dot");
    command->add_option("--layer", arguments->layer, "Only this layer")->check(whole_number());
    arguments->weights.add_to(*command);
    arguments->input.add_to(*command);
    arguments->output.add_to(*command);
    command->footer(
        "A word h_1 ... h_t says which head acts at each step, h_1 first; it carries\n"
        "beta_h1 ... beta_ht * (D^(ht) ... D^(h1))[sink][source], and all words sum to the signal. Words of\n"
        "one head are what heads do alone; the rest is the cross-head share.\n"
        "Examples:\n"
        "  crosshead expand examples/second_example.json\n"
        "  crosshead expand examples/second_example.json --source u --steps 3 --symbolic\n"
        "  crosshead expand attention.npy --layer 0 --top 5 --draw paths.dot --json");
    command->callback([arguments, &context] {
        if (arguments->latex) arguments->symbolic = true;
        run_expand(*arguments, context);
    });
}

}  // namespace crosshead
