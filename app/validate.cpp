#include "validate.hpp"

#include <fmt/format.h>

#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/file_io.hpp>
#include <crosshead/numeric/float_matrix.hpp>
#include <crosshead/numeric/published_proxy.hpp>
#include <filesystem>
#include <memory>

#include "model_input.hpp"
#include "progress.hpp"
#include "validation.hpp"

namespace crosshead {
namespace {

struct ValidateArguments {
    std::string file, report;
    TokenOptions tokens;
    OutputOptions output;
    ConventionOptions convention;
    WeightOptions weights;
    InputOptions input;
};

/// One layer that waits to be measured.
struct Pending {
    std::size_t input, layer;
    HeadSystem system;
    RowResidual residual;
};

std::vector<Pending> layers_of_model(const ValidateArguments& arguments, const Context& context,
                                     Validation& validation) {
    const ModelAttention model = run_model(arguments.file, arguments.tokens, context);
    validation.model = model.configuration;
    validation.inputs = model.description;
    validation.accuracy = model.accuracy;
    WeightOptions weights = arguments.weights;
    if (weights.both.empty() && weights.walk.empty() && weights.diffusion.empty())
        weights.both = "out-proj-norm";
    validation.weights =
        weights.both.empty()
            ? fmt::format("walk {}, diffusion {}", weights.walk.empty() ? "uniform" : weights.walk,
                          weights.diffusion.empty() ? "uniform" : weights.diffusion)
            : weights.both;
    std::vector<Pending> pending;
    for (std::size_t k = 0; k < model.inputs.size(); ++k)
        for (std::size_t l = 0; l < model.inputs[k].size(); ++l) {
            auto [system, residual] =
                heads_from_attention(model.inputs[k][l], arguments.input.load.attention,
                                     fmt::format("{} input {} layer {}", arguments.file, k, l));
            // A note about weights belongs to the layer, whatever the input.
            std::vector<std::string> notes;
            pending.push_back({k, l, weighted(system, weights, l, model.out_proj_norms[l], notes), residual});
            if (k == 0) validation.notes.insert(validation.notes.end(), notes.begin(), notes.end());
        }
    return pending;
}

std::vector<Pending> layers_of_file(const ValidateArguments& arguments, Validation& validation) {
    const LoadedInput input = load_input(arguments.file, arguments.input.load_options());
    validation.inputs = input.format;
    validation.notes = input.notes;
    const auto& weights = arguments.weights;
    validation.weights = !weights.both.empty()                               ? weights.both
                         : weights.walk.empty() && weights.diffusion.empty() ? "as in the file, else uniform"
                                                                             : "given";
    std::vector<Pending> pending;
    for (std::size_t l = 0; l < input.layers.size(); ++l)
        pending.push_back({0, l, weighted(input.layers[l], arguments.weights, l, {}, validation.notes),
                           input.residuals.empty() ? RowResidual{} : input.residuals[l]});
    return pending;
}

ValidatedLayer measured(Pending pending, const MeasureOptions& options) {
    ValidatedLayer layer{
        pending.input, pending.layer, std::move(pending.system), pending.residual, {}, 0, {}};
    layer.measure = measure_system(layer.system, options);
    layer.published_proxy =
        published_mixing_proxy(double_matrix(float_matrix(layer.system, Operator::diffusion, entry_bits)));
    for (const auto* claim : model_claims())
        layer.judgements.push_back(judge(*claim, {layer.system, layer.measure, options}));
    return layer;
}

void write_report(const Validation& validation, const std::string& folder, bool full) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        throw InputError(
            fmt::format("{}: cannot be created: {}; choose another folder", folder, error.message()));
    const std::filesystem::path directory(folder);
    write_file_atomically(directory / "report.json", document_text(validation_json(validation, full)));
    write_file_atomically(directory / "report.md", validation_markdown(validation));
}

/// Options that would do nothing are usage errors rather than silence.
void refuse_what_is_ignored(const CLI::App& command, const std::string& file, bool is_model) {
    for (const char* option : {"--heads", "--tokens", "--task", "--inputs", "--seed", "--threads"})
        if (!is_model && command.count(option) > 0)
            throw UsageError(fmt::format("{}: {} holds no model to run; leave it out", option, file));
    for (const char* option : {"--inputs", "--seed"})
        if (command.count("--tokens") > 0 && command.count(option) > 0)
            throw UsageError(
                fmt::format("{}: the sequences are those of --tokens; leave one of the two out", option));
}

void run_validate(const ValidateArguments& arguments, const CLI::App& command, Context& context) {
    Validation validation;
    validation.file = arguments.file;
    validation.command = context.command_line;
    validation.options = arguments.convention.measure_options();
    const bool is_model = holds_model(arguments.file);
    refuse_what_is_ignored(command, arguments.file, is_model);
    auto pending =
        is_model ? layers_of_model(arguments, context, validation) : layers_of_file(arguments, validation);
    Progress progress("measuring layer", arguments.output.quiet);
    const auto total = static_cast<double>(pending.size());
    for (auto& one : pending) {
        progress.at(static_cast<double>(validation.layers.size()), total);
        validation.layers.push_back(measured(std::move(one), validation.options));
    }
    progress.clear();
    if (!arguments.report.empty()) write_report(validation, arguments.report, arguments.output.full);
    write_stdout(arguments.output.json ? document_text(validation_json(validation, arguments.output.full))
                                       : validation_text(validation));
    if (!arguments.report.empty() && !arguments.output.quiet)
        print_error(fmt::format("report: {0}/report.md, {0}/report.json\n", arguments.report));
    if (any_refuted(validation)) context.exit_code = ExitCode::counterexample;
}

}  // namespace

void add_validate_command(CLI::App& app, Context& context) {
    auto* command = app.add_subcommand(
        "validate", "Hold a trained model's heads (or attention from a file) against the claims");
    auto arguments = std::make_shared<ValidateArguments>();
    command
        ->add_option("model", arguments->file,
                     "Checkpoint (.pt state_dict, safetensors), or attention as for measure")
        ->required()
        ->type_name("MODEL");
    command->add_option("--heads", arguments->tokens.heads,
                        "Heads of each layer, where the checkpoint does not record them");
    command->add_option("--tokens", arguments->tokens.tokens,
                        "Sequences to run the model on: .npy of integers, (length) or (sequences, length)");
    command->add_option("--task", arguments->tokens.task, "Report the accuracy on this task")
        ->check(CLI::IsMember({"copy", "cycle"}));
    command->add_option("--inputs", arguments->tokens.inputs, "Without --tokens: how many sequences to draw")
        ->capture_default_str();
    command->add_option("--seed", arguments->tokens.seed, "Seed of the sequences drawn")
        ->check(whole_number())
        ->capture_default_str();
    command->add_option("--threads", arguments->tokens.threads, "Threads of the model's arithmetic")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command->add_option("--report", arguments->report, "Folder for report.md and report.json")
        ->type_name("DIR");
    arguments->weights.add_to(*command);
    arguments->convention.add_to(*command);
    arguments->input.add_to(*command);
    arguments->output.add_to(*command);
    command->footer(
        "Every layer of every input is measured and each claim is judged on it. Head weights default to "
        "out-proj-norm for models.\n"
        "Exit code 10: a claim over all systems fails in one of these.\n"
        "Example:\n"
        "  crosshead validate copy4.safetensors --task copy --report out");
    command->callback([arguments, command, &context] { run_validate(*arguments, *command, context); });
}

}  // namespace crosshead
