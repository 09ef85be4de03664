#include "train.hpp"

#include <memory>

#ifdef CROSSHEAD_TORCH
#include <fmt/format.h>

#include <crosshead/graphs/error.hpp>
#include <crosshead/trainer/blas.hpp>
#include <crosshead/trainer/train.hpp>
#include <filesystem>

#include "json_output.hpp"
#include "progress.hpp"
#else
#include "torch_program.hpp"
#endif

namespace crosshead {

#ifdef CROSSHEAD_TORCH
namespace {

struct TrainArguments {
    TrainOptions options;
    std::string task = "copy", output, resume;
    double target_accuracy = -1;
    OutputOptions print;
};

/// What a resumed run may change; everything else comes from the checkpoint.
TrainOptions resumed_options(const TrainArguments& arguments, const CLI::App& command) {
    for (const char* fixed : {"--task", "--heads", "--layers", "--embedding", "--mlp", "--vocabulary",
                              "--length", "--dropout", "--seed", "--batch", "--learning-rate", "--sequences"})
        if (command.count(fixed) > 0)
            throw UsageError(
                fmt::format("{}: a resumed run takes it from the checkpoint; leave it out, or start a new "
                            "run without --resume",
                            fixed));
    TrainOptions options = training_options(arguments.resume);
    if (command.count("--epochs") > 0) options.epochs = arguments.options.epochs;
    if (command.count("--target-accuracy") > 0) options.target_accuracy = arguments.target_accuracy;
    if (command.count("--threads") > 0) options.threads = arguments.options.threads;
    if (!arguments.output.empty()) options.checkpoint = arguments.output;
    return options;
}

Json train_document(const TrainOptions& options, const TrainResult& result, const BlasLibrary& blas,
                    const Context& context) {
    const auto& model = options.model;
    return {{"schema", "crosshead.train/1"},
            {"task", to_string(options.task)},
            {"model",
             {{"layers", model.layers},
              {"heads", model.heads},
              {"embedding", model.embedding},
              {"mlp", model.mlp},
              {"vocabulary", model.vocabulary},
              {"length", model.length},
              {"dropout", model.dropout}}},
            {"seed", options.seed},
            {"threads", options.threads},
            {"blas", blas.name},
            {"steps", result.steps},
            {"seconds", result.seconds},
            {"loss", result.loss},
            {"held_out", {{"loss", result.held_out.loss}, {"accuracy", result.held_out.accuracy}}},
            {"reached_target", result.reached_target},
            {"interrupted", result.stopped},
            {"checkpoint", options.checkpoint.string()},
            {"command", context.command_line}};
}

void run_train(const TrainArguments& arguments, const CLI::App& command, Context& context) {
    TrainOptions options = arguments.options;
    if (arguments.resume.empty()) {
        options.task = task_named(arguments.task);
        options.checkpoint = arguments.output.empty() ? fmt::format("{}-h{}-s{}.safetensors", arguments.task,
                                                                    options.model.heads, options.seed)
                                                      : arguments.output;
        if (command.count("--target-accuracy") > 0) options.target_accuracy = arguments.target_accuracy;
    } else {
        options = resumed_options(arguments, command);
    }
    options.validate();
    const BlasLibrary blas = blas_in_use();
    if (const auto warning = blas_warning(blas); !warning.empty() && !arguments.print.quiet)
        print_error(fmt::format("crosshead: warning: {}\n", warning));
    if (!arguments.print.quiet)
        print_error(fmt::format("training {}: {} layers, {} heads, embedding {}, seed {}, {} thread{}, {}\n",
                                to_string(options.task), options.model.layers, options.model.heads,
                                options.model.embedding, options.seed, options.threads,
                                options.threads == 1 ? "" : "s", blas.name));

    Progress progress("step", arguments.print.quiet);
    double held_out = 0;
    const auto show = [&](const TrainProgress& now) {
        if (now.held_out) held_out = now.held_out->accuracy;
        progress.at(static_cast<double>(now.step), static_cast<double>(now.steps),
                    fmt::format("epoch {}/{}, loss {:.4f}, held-out accuracy {:.4f}, {:.0f} tokens/s",
                                now.epoch, now.epochs, now.loss, held_out, now.tokens_per_second));
    };
    const auto& stop = catch_interrupts();
    const TrainResult result = arguments.resume.empty()
                                   ? train(options, show, &stop)
                                   : resume_training(arguments.resume, options, show, &stop);
    progress.clear();
    if (arguments.print.json) write_stdout(document_text(train_document(options, result, blas, context)));
    if (result.stopped) {
        context.exit_code = ExitCode::interrupted;
        print_error(
            fmt::format("crosshead: interrupted at step {}; go on with: crosshead train --resume {}\n",
                        result.steps, options.checkpoint.string()));
        return;
    }
    if (!arguments.print.json)
        write_stdout(fmt::format(
            "{}: {} steps in {:.1f} s, loss {:.4f}, held-out accuracy {:.4f}{}\n",
            options.checkpoint.string(), result.steps, result.seconds, result.loss, result.held_out.accuracy,
            result.reached_target || options.target() <= 0
                ? ""
                : fmt::format(" (the target {:.4f} was not reached)", options.target())));
}

void add_options(CLI::App& command, TrainArguments& arguments) {
    TrainOptions& options = arguments.options;
    command.add_option("--task", arguments.task, "copy (target = input), or cycle (input rolled by one)")
        ->check(CLI::IsMember({"copy", "cycle"}))
        ->capture_default_str();
    command.add_option("-o,--output", arguments.output,
                       "Checkpoint to write (safetensors); default TASK-hHEADS-sSEED.safetensors");
    command.add_option("--resume", arguments.resume, "Go on from a checkpoint, as if it had never stopped")
        ->check(CLI::ExistingFile);
    command.add_option("--heads", options.model.heads, "Heads of each layer")->capture_default_str();
    command.add_option("--layers", options.model.layers, "Layers")->capture_default_str();
    command.add_option("--embedding", options.model.embedding, "Width of the residual stream")
        ->capture_default_str();
    command.add_option("--mlp", options.model.mlp, "Width of the hidden layer")->capture_default_str();
    command.add_option("--vocabulary", options.model.vocabulary, "Tokens")->capture_default_str();
    command.add_option("--length", options.model.length, "Positions of a sequence")->capture_default_str();
    command.add_option("--dropout", options.model.dropout, "Dropout in training")->capture_default_str();
    command.add_option("--seed", options.seed, "Seed of parameters, data and dropout")
        ->check(whole_number())
        ->capture_default_str();
    command.add_option("--batch", options.batch, "Sequences a step")->capture_default_str();
    command.add_option("--sequences", options.training_sequences, "Sequences of the training set")
        ->capture_default_str();
    command.add_option("--learning-rate", options.learning_rate, "Adam's step size")->capture_default_str();
    command.add_option("--epochs", options.epochs, "Passes over the training set, at most")
        ->capture_default_str();
    command
        .add_option(
            "--target-accuracy", arguments.target_accuracy,
            "Stop at this held-out accuracy; 0 runs all epochs (default: 0.99 of what the task allows)")
        ->check(CLI::Range(0.0, 1.0));
    command
        .add_option("--threads", options.threads,
                    "Threads of the arithmetic; results are reproducible for each number")
        ->capture_default_str();
}

}  // namespace

void add_train_command(CLI::App& app, Context& context) {
    auto* command = app.add_subcommand("train", "Train a small decoder whose heads can be validated");
    auto arguments = std::make_shared<TrainArguments>();
    add_options(*command, *arguments);
    arguments->print.add_to(*command);
    command->footer(
        "The decoder of arXiv 2507.02944, trained with Adam on cross-entropy. Ctrl-C saves; --resume goes on "
        "and ends bit-identical.\n"
        "Example:\n"
        "  crosshead train --task copy --heads 4 -o copy4.safetensors && crosshead validate "
        "copy4.safetensors --task copy");
    command->callback([arguments, command, &context] { run_train(*arguments, *command, context); });
}
#else
void add_train_command(CLI::App& app, Context& context) {
    auto* command = app.add_subcommand("train", "Train a small decoder whose heads can be validated");
    command->set_help_flag();  // the program with LibTorch has the options, and explains them
    command->allow_extras();
    command->callback([&context] { continue_with_torch("train", context.arguments); });
}
#endif

}  // namespace crosshead
