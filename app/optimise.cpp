#include "optimise.hpp"

#include <fmt/format.h>

#include <cmath>
#include <crosshead/graphs/error.hpp>
#include <memory>

#include "optimum_report.hpp"
#include "progress.hpp"

namespace crosshead {
namespace {

struct OptimiseArguments {
    std::string file, objective = "minimax-fidelity";
    std::string epsilon = "1/4", norm = "l1", start = "worst";
    bool non_strict = false;
    int layer = -1;
    double width = WeightSearchOptions{}.width;
    std::uint64_t cells = WeightSearchOptions{}.most_cells;
    OutputOptions output;
    WeightOptions weights;
    InputOptions input;
};

OptimisationOptions options_of(const OptimiseArguments& arguments) {
    OptimisationOptions options;
    if (arguments.objective == "mixing-time") options.goal = WeightGoal::mixing_time;
    if (arguments.objective == "absorption") options.goal = WeightGoal::absorption;
    ConventionOptions convention;
    convention.epsilons = {arguments.epsilon};
    convention.norm = arguments.norm;
    convention.start = arguments.start;
    convention.non_strict = arguments.non_strict;
    const MeasureOptions measure = convention.measure_options();
    options.epsilon = measure.epsilons.front();
    options.convention = measure.convention;
    if (!(arguments.width >= 1e-9 && arguments.width < 1))
        throw UsageError(fmt::format("--width {}: give a number from 1e-9 to 1, relative to the best value",
                                     arguments.width));
    options.search.width = arguments.width;
    options.search.most_cells = static_cast<std::size_t>(arguments.cells);
    return options;
}

Json optimise_document(const OptimiseArguments& arguments, const OptimisationOptions& options,
                       const Context& context, const LoadedInput& input,
                       const std::vector<OptimisedLayer>& layers, const std::vector<std::string>& notes) {
    Json document = {{"schema", "crosshead.optimise/1"}, {"objective", arguments.objective}};
    if (options.goal == WeightGoal::mixing_time) document["epsilon"] = to_string(options.epsilon);
    document["convention"] = to_json(options.convention);
    document["width"] = arguments.width;
    document["system"] = system_json(layers.front().system);
    if (layers.size() > 1)
        for (const char* key : {"walk_weights", "diffusion_weights"}) document["system"].erase(key);
    document["system"]["file"] = arguments.file;
    document["system"]["format"] = input.format;
    document["system"]["layers"] = input.layers.size();
    if (layers.size() == 1 && (arguments.layer >= 0 || input.layers.size() == 1)) {
        if (arguments.layer >= 0) document["system"]["layer"] = arguments.layer;
        document.update(optimum_json(layers.front(), options, arguments.output.full));
    } else {
        document["layers"] = Json::array();
        for (const auto& layer : layers) {
            Json object = {{"layer", layer.index}};
            object.update(optimum_json(layer, options, arguments.output.full));
            document["layers"].push_back(std::move(object));
        }
    }
    document["notes"] = notes;
    document["command"] = context.command_line;
    return document;
}

void run_optimise(const OptimiseArguments& arguments, Context& context) {
    OptimisationOptions options = options_of(arguments);
    const LoadedInput input = load_input(arguments.file, arguments.input.load_options());
    if (arguments.layer >= static_cast<int>(input.layers.size()))
        throw UsageError(fmt::format("--layer {}: {} holds layers 0..{}", arguments.layer, arguments.file,
                                     input.layers.size() - 1));
    const std::atomic<bool>& stop = catch_interrupts();
    options.search.stop = &stop;
    std::vector<std::string> notes = input.notes;
    std::vector<OptimisedLayer> layers;
    const std::size_t first = arguments.layer >= 0 ? static_cast<std::size_t>(arguments.layer) : 0;
    const std::size_t end = arguments.layer >= 0 ? first + 1 : input.layers.size();
    for (std::size_t l = first; l < end && (layers.empty() || !stop); ++l) {
        HeadSystem system = weighted(input.layers[l], arguments.weights, l, {}, notes);
        Progress progress(fmt::format("layer {}: cells", l), arguments.output.quiet);
        options.search.progress = [&](std::size_t cells, double best, double upper) {
            progress.at(static_cast<double>(cells), static_cast<double>(arguments.cells),
                        fmt::format("best {:.8g}, bound {:.8g}", std::abs(best), std::abs(upper)));
        };
        WeightOptimum optimum = optimise_weights(system, options);
        layers.push_back({l, std::move(system), std::move(optimum)});
    }
    if (stop) {
        context.exit_code = ExitCode::interrupted;
        notes.push_back(fmt::format("interrupted: {} of {} layers looked at, the last one not to its end",
                                    layers.size(), end - first));
    }
    if (arguments.output.json) {
        write_stdout(document_text(optimise_document(arguments, options, context, input, layers, notes)));
        return;
    }
    const HeadSystem& system = layers.front().system;
    std::string text =
        fmt::format("{} ({}): {} head{} on {} nodes\n{}\n", arguments.file, input.format, system.head_count(),
                    system.head_count() == 1 ? "" : "s", system.nodes(), goal_text(options));
    for (const auto& layer : layers) {
        text += input.layers.size() > 1 ? fmt::format("\nlayer {}\n", layer.index) : "\n";
        text += optimum_text(layer, options);
    }
    for (const auto& note : notes) text += "note: " + note + "\n";
    write_stdout(text);
}

void add_options(CLI::App& command, OptimiseArguments& arguments) {
    command.add_option("file", arguments.file, "A head system, as for measure")
        ->required()
        ->type_name("SYSTEM");
    command
        .add_option("--objective", arguments.objective,
                    "minimax-fidelity (over beta), mixing-time or absorption (over alpha)")
        ->check(CLI::IsMember({"minimax-fidelity", "mixing-time", "absorption"}))
        ->capture_default_str();
    command
        .add_option("--epsilon", arguments.epsilon, "Distance of the mixing time, a fraction or a decimal")
        ->capture_default_str();
    command.add_option("--norm", arguments.norm, "Distance to the sink: l1, or tv (half of it)")
        ->check(CLI::IsMember({"l1", "tv"}))
        ->capture_default_str();
    command.add_option("--start", arguments.start, "From the worst start, or the mean over all n starts")
        ->check(CLI::IsMember({"worst", "mean"}))
        ->capture_default_str();
    command.add_flag("--non-strict", arguments.non_strict, "T is the first t with d(t) <= epsilon");
    command
        .add_option("--width", arguments.width,
                    "Width of the enclosure at which the search ends, relative to the best value")
        ->capture_default_str();
    command
        .add_option("--cells", arguments.cells,
                    "Cells of the weight simplex that may be looked at; then the enclosure stays as wide as "
                    "it is")
        ->check(whole_number())
        ->capture_default_str();
    command.add_option("--layer", arguments.layer, "Only this layer")->check(whole_number());
}

}  // namespace

void add_optimise_command(CLI::App& app, Context& context) {
    auto* command = app.add_subcommand(
        "optimise", "Find the best head weights, with a certified bound on what any weights can do");
    auto arguments = std::make_shared<OptimiseArguments>();
    add_options(*command, *arguments);
    arguments->weights.add_to(*command);
    arguments->input.add_to(*command);
    arguments->output.add_to(*command);
    command->footer(
        "Up to four heads: the weight simplex is halved until Bernstein coefficients enclose the optimum.\n"
        "More heads: ascent, and one bound over all weights; the gap is stated. The good end of the "
        "enclosure\n"
        "is measured at the exact weights that are printed; no weights reach beyond the other end. Ctrl-C "
        "ends\n"
        "the search with what it has.\n"
        "Examples:\n"
        "  crosshead optimise examples/second_example.json\n"
        "  crosshead optimise examples/second_example.json --objective mixing-time --epsilon 1/100\n"
        "  crosshead optimise attention.npy --layer 0 --width 1e-4 --json");
    command->callback([arguments, &context] { run_optimise(*arguments, context); });
}

}  // namespace crosshead
