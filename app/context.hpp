// What every command shares: how it was called, what it exits with, and the options that mean the same
// everywhere.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <crosshead/graphs/input.hpp>
#include <crosshead/numeric/measure.hpp>
#include <string>
#include <vector>

namespace crosshead {

/// Exit codes (design §4); UsageError, InputError and NotBuiltError are mapped in main.
enum class ExitCode : int {
    done = 0,
    usage = 2,
    bad_input = 3,
    not_built = 4,
    counterexample = 10,
    internal_error = 70,
    interrupted = 130
};

struct Context {
    std::vector<std::string> arguments;  // as main got them, the program's name first
    std::string command_line;            // the call, quoted for a shell: the line that reproduces the result
    ExitCode exit_code = ExitCode::done;
};

/// From here on SIGINT sets the flag that is returned, for work that looks at it, saves, and ends with
/// ExitCode::interrupted; a second SIGINT ends the program at once. Commands that save nothing do not call
/// it.
const std::atomic<bool>& catch_interrupts();

/// --json and --quiet.
struct OutputOptions {
    bool json = false;
    bool quiet = false;
    bool full = false;  // long exact values in full

    void add_to(CLI::App& command);
};

/// --epsilon, --norm, --non-strict, --start: which mixing time.
struct ConventionOptions {
    std::vector<std::string> epsilons = {"1/2", "1/4", "1/10", "1/100"};
    std::string norm = "l1", start = "worst";
    bool non_strict = false;

    void add_to(CLI::App& command);
    /// Throws UsageError for an ε that is not a positive number, or given twice.
    MeasureOptions measure_options() const;
};

/// --weights, --walk-weights, --diffusion-weights: "uniform", "a,b,c", "out-proj-norm" or a file.
struct WeightOptions {
    std::string both, walk, diffusion;

    void add_to(CLI::App& command);
};

/// --tolerance, --renormalise, --array, --no-self-loops: how a file is read.
struct InputOptions {
    LoadOptions load;
    bool no_self_loops = false;

    void add_to(CLI::App& command);
    LoadOptions load_options() const;
};

/// The weights of one layer as one option value says; `scores` are the layer's out-proj norms (empty where
/// the input is no model). nullopt for an empty text: what the system has already. Throws UsageError,
/// InputError.
std::optional<ConvexWeights> head_weights(const std::string& text, std::size_t heads, std::size_t layer,
                                          const std::vector<double>& scores, const std::string& option);

/// The system under the weights that were asked for; says in `notes` what was normalised.
HeadSystem weighted(const HeadSystem& system, const WeightOptions& options, std::size_t layer,
                    const std::vector<double>& scores, std::vector<std::string>& notes);

/// Writes to stderr, control characters shown as '?'; what cannot be written there is lost without a word.
void print_error(const std::string& text);

/// "T_mix(eps): first t with d(t) < eps, …": the convention of a result, for people.
std::string convention_text(const Convention& convention);

/// Checks that an option is digits only, within 64 bits: CLI11 would wrap "-1" around.
CLI::Validator whole_number();

/// Writes to stdout; throws InputError where that fails (a closed pipe, a full disk).
void write_stdout(const std::string& text);

}  // namespace crosshead
