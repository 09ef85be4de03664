#include "generate.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <crosshead/graphs/dot.hpp>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/families.hpp>
#include <crosshead/graphs/file_io.hpp>
#include <crosshead/graphs/graphml.hpp>
#include <crosshead/graphs/json_io.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "context.hpp"

namespace crosshead {
namespace {

struct GenerateArguments {
    FamilySpec spec;
    std::string family, output, format = "json", probability = "1/2", head_weights = "uniform";
    bool reach_sink = false;
};

std::string help_footer() {
    std::string text = "Families (each node also has a self-loop; the sink is the last node):\n";
    for (const auto& info : families()) text += fmt::format("  {:<16} {}\n", info.name, info.description);
    return text +
           "\nThe same command gives the same system on every machine; --seed chooses another one.\n"
           "Examples:\n"
           "  crosshead generate line --nodes 8 -o line.json\n"
           "  crosshead generate erdos-renyi --nodes 12 --heads 4 --probability 1/4 --seed 7 -o random.json\n"
           "  crosshead generate sliding-window --nodes 16 --window 3 --format dot | dot -Tsvg > "
           "window.svg\n";
}

std::string formatted(const HeadSystem& system, const GenerateArguments& arguments) {
    if (arguments.format == "dot") return format_dot(system);
    if (arguments.format == "graphml") {
        if (system.head_count() > 1)
            throw UsageError("a GraphML file holds one head; leave --heads at 1, or use --format json");
        return format_graphml(system);
    }
    return format_head_system(system, generate_command_line(arguments.spec));
}

void run_generate(GenerateArguments& arguments) {
    FamilySpec& spec = arguments.spec;
    spec.family = family_named(arguments.family).family;
    try {
        spec.probability = parse_rational(arguments.probability, "--probability");
    } catch (const InputError& error) {
        throw UsageError(error.what());
    }
    spec.random_head_weights = arguments.head_weights == "random";
    spec.reach = arguments.reach_sink ? Reach::sink : Reach::as_drawn;
    const std::string text = formatted(generate_system(spec), arguments);
    if (arguments.output.empty())
        write_stdout(text);
    else
        write_file_atomically(arguments.output, text);
}

}  // namespace

void add_generate_command(CLI::App& app) {
    auto* command =
        app.add_subcommand("generate", "Write a head system of a named family, for measure and validate");
    auto arguments = std::make_shared<GenerateArguments>();
    FamilySpec& spec = arguments->spec;
    command->add_option("family", arguments->family, "Which family (listed below)")
        ->required()
        ->type_name("FAMILY");
    command->add_option("-n,--nodes", spec.nodes, "Nodes of every head, the sink included")
        ->capture_default_str();
    command->add_option("-H,--heads", spec.heads, "Heads; a family without chance repeats its head")
        ->capture_default_str();
    command->add_option("--window", spec.window, "Windows: in-edges of a node besides its self-loop")
        ->capture_default_str();
    command->add_option("--dilation", spec.dilation, "dilated-window: distance between them")
        ->capture_default_str();
    command->add_option("-p,--probability", arguments->probability, "A fraction or a decimal, taken exactly")
        ->capture_default_str();
    command->add_option("--budget", spec.budget, "look-back: most in-edges of a node")->capture_default_str();
    command
        ->add_option("--max-weight", spec.max_weight,
                     "Random weights are integers from 1 to this, over their sum")
        ->check(whole_number())
        ->capture_default_str();
    command->add_option("--head-weights", arguments->head_weights, "Walk and diffusion weights of the heads")
        ->check(CLI::IsMember({"uniform", "random"}))
        ->capture_default_str();
    command->add_flag("--reach-sink", arguments->reach_sink,
                      "Give a node that no edge leaves an edge to the next node, so that all reach the sink");
    command->add_option("--seed", spec.seed, "Seed of the random families")
        ->check(whole_number())
        ->capture_default_str();
    command
        ->add_option("-o,--output", arguments->output,
                     "File to write, replaced in one step; stdout otherwise")
        ->type_name("FILE");
    command->add_option("--format", arguments->format, "What to write")
        ->check(CLI::IsMember({"json", "dot", "graphml"}))
        ->capture_default_str();
    command->footer(help_footer());
    command->callback([arguments] { run_generate(*arguments); });
}

}  // namespace crosshead
