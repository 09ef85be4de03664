#include "context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/file_io.hpp>
#include <crosshead/graphs/strict_json.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace crosshead {

namespace {

std::atomic<bool> interrupt_requested = false;

extern "C" void on_interrupt(int) {
    if (interrupt_requested.exchange(true)) std::_Exit(static_cast<int>(ExitCode::interrupted));
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
    std::signal(SIGINT, on_interrupt);
    return interrupt_requested;
}

void OutputOptions::add_to(CLI::App& command) {
    command.add_flag("--json", json,
                     "Print one JSON document (a versioned schema, docs/formats.md) instead of tables");
    command.add_flag("--full", full, "With --json: exact values of any length in full");
    command.add_flag("-q,--quiet", quiet, "No progress and no notes on stderr");
}

void ConventionOptions::add_to(CLI::App& command) {
    command
        .add_option("--epsilon", epsilons,
                    "Distances at which mixing times are measured, as fractions or decimals")
        ->delimiter(',')
        ->capture_default_str();
    command.add_option("--norm", norm, "Distance to the sink: l1, or tv (total variation, half of it)")
        ->check(CLI::IsMember({"l1", "tv"}))
        ->capture_default_str();
    command.add_option("--start", start, "Distance from the worst start, or the mean over all n starts")
        ->check(CLI::IsMember({"worst", "mean"}))
        ->capture_default_str();
    command.add_flag("--non-strict", non_strict, "T is the first t with d(t) <= eps (default: d(t) < eps)");
}

MeasureOptions ConventionOptions::measure_options() const {
    MeasureOptions options;
    options.convention = {norm == "l1" ? Norm::l1 : Norm::total_variation, !non_strict,
                          start == "worst" ? Start::worst : Start::mean};
    options.epsilons.clear();
    for (const auto& text : epsilons) {
        Rational epsilon;
        try {
            epsilon = parse_rational(text, "--epsilon");
        } catch (const InputError& error) {
            throw UsageError(error.what());
        }
        if (epsilon <= 0)
            throw UsageError(
                fmt::format("--epsilon: {} is not positive; a mixing time needs epsilon > 0", text));
        if (std::find(options.epsilons.begin(), options.epsilons.end(), epsilon) != options.epsilons.end())
            throw UsageError(fmt::format("--epsilon: {} is given twice", text));
        options.epsilons.push_back(epsilon);
    }
    return options;
}

void WeightOptions::add_to(CLI::App& command) {
    command.add_option("--weights", both,
                       "Head weights for walk and diffusion: uniform, out-proj-norm (models), a,b,c "
                       "(fractions or decimals that sum to "
                       "1), or a JSON file of them (one list, or one for each layer)");
    command.add_option("--walk-weights", walk, "Walk weights (alpha) alone");
    command.add_option("--diffusion-weights", diffusion, "Diffusion weights (beta) alone");
}

void InputOptions::add_to(CLI::App& command) {
    command
        .add_option("--tolerance", load.attention.row_sum_tolerance,
                    "How far attention rows may be from summing to 1")
        ->capture_default_str();
    command.add_flag("--renormalise", load.attention.renormalise,
                     "Rescale attention rows whatever they sum to");
    command.add_option("--array", load.array,
                       "Which array of an .npz, tensor of a safetensors file, or entry of a BertViz page");
    command.add_flag("--no-self-loops", no_self_loops,
                     "Graph files: add no self-loop to nodes that have none");
}

LoadOptions InputOptions::load_options() const {
    const double tolerance = load.attention.row_sum_tolerance;
    if (!(tolerance >= 0 && tolerance <= 1))
        throw UsageError(fmt::format("--tolerance {}: give a number from 0 to 1", tolerance));
    LoadOptions options = load;
    options.self_loops = !no_self_loops;
    return options;
}

namespace {

constexpr std::uint64_t max_weight_file_bytes = 1 << 20;

Rational json_weight(const nlohmann::json& value, const std::string& place) {
    if (value.is_string()) return parse_rational(value.get<std::string>(), place);
    if (value.is_number_integer()) return parse_rational(value.dump(), place);
    if (is_decimal_text(value)) return parse_rational(decimal_text(value), place);
    throw InputError(fmt::format("{}: {} is not a number", place, shown_json(value)));
}

std::vector<Rational> weights_from_file(const std::string& path, std::size_t layer) {
    const auto document = parse_strict_json(read_file(path, max_weight_file_bytes), path, Decimals::as_text);
    if (!document.is_array() || document.empty())
        throw InputError(
            fmt::format("{}: is not a JSON list of head weights, such as [\"1/2\", \"1/2\"]", path));
    const bool by_layer = document.front().is_array();
    if (by_layer && layer >= document.size())
        throw InputError(
            fmt::format("{}: weights for {} layers, but there is a layer {}; give one list for each", path,
                        document.size(), layer));
    const auto& list = by_layer ? document[layer] : document;
    if (!list.is_array())
        throw InputError(fmt::format("{}: entry {} is not a list of head weights", path, layer));
    std::vector<Rational> weights;
    for (const auto& value : list)
        weights.push_back(
            json_weight(value, fmt::format("{}: layer {} weight {}", path, layer, weights.size())));
    return weights;
}

std::vector<Rational> weights_from_list(const std::string& text, const std::string& option) {
    std::vector<Rational> weights;
    for (std::size_t begin = 0; begin <= text.size();) {
        const auto end = std::min(text.find(',', begin), text.size());
        weights.push_back(parse_rational(std::string_view(text).substr(begin, end - begin), option));
        begin = end + 1;
    }
    return weights;
}

}  // namespace

std::optional<ConvexWeights> head_weights(const std::string& text, std::size_t heads, std::size_t layer,
                                          const std::vector<double>& scores, const std::string& option) {
    if (text.empty()) return std::nullopt;
    if (text == "uniform") return ConvexWeights::uniform(heads);
    if (text == "out-proj-norm") {
        if (scores.empty())
            throw UsageError(
                fmt::format("{} out-proj-norm: the norms are read from a model, and this file holds none; "
                            "give the weights",
                            option));
        std::vector<Rational> exact;
        for (const double score : scores) exact.push_back(rational_from_dyadic(score));
        return ConvexWeights::from_scores(std::move(exact), option);
    }
    const bool is_list = text.find(',') != std::string::npos || !std::filesystem::exists(text);
    if (is_list && text.find_first_not_of("0123456789./,-eE") != std::string::npos)
        throw InputError(fmt::format(
            "{}: \"{}\" is neither a file that exists nor a list of numbers such as 1/2,1/2", option, text));
    auto weights = is_list ? weights_from_list(text, option) : weights_from_file(text, layer);
    if (weights.size() != heads)
        throw InputError(fmt::format("{}: {} weights for {} heads; give one for each head", option,
                                     weights.size(), heads));
    return ConvexWeights::nearly(std::move(weights), option);
}

HeadSystem weighted(const HeadSystem& system, const WeightOptions& options, std::size_t layer,
                    const std::vector<double>& scores, std::vector<std::string>& notes) {
    if (!options.both.empty() && (!options.walk.empty() || !options.diffusion.empty()))
        throw UsageError(
            "--weights sets both kinds of weights; leave it out where --walk-weights or --diffusion-weights "
            "is given");
    const std::string& walk_text = options.both.empty() ? options.walk : options.both;
    const std::string& diffusion_text = options.both.empty() ? options.diffusion : options.both;
    const auto walk = head_weights(walk_text, system.head_count(), layer, scores,
                                   options.both.empty() ? "--walk-weights" : "--weights");
    const auto diffusion = head_weights(diffusion_text, system.head_count(), layer, scores,
                                        options.both.empty() ? "--diffusion-weights" : "--weights");
    const auto note = [&](const ConvexWeights& weights, const char* what) {
        if (weights.was_normalised())
            notes.push_back(
                fmt::format("layer {}: {} summed to about {:.12g} and were divided by their sum exactly",
                            layer, what, approximate(weights.given_sum())));
    };
    auto result = system.with_weights(walk.value_or(system.walk_weights()),
                                      diffusion.value_or(system.diffusion_weights()));
    note(result.walk_weights(), "walk weights");
    note(result.diffusion_weights(), "diffusion weights");
    return result;
}

void print_error(const std::string& text) {
    std::string printable = text;
    for (char& c : printable)
        if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7F) c = '?';
    std::fputs(printable.c_str(), stderr);
}

std::string convention_text(const Convention& convention) {
    return fmt::format(
        "T_mix(eps): first t with d(t) {0} eps, d the {1} distance to the sink from the {2} start; "
        "T_bwd(eps): the same for the walk "
        "down the diffusion matrix into node 0; n starts count in means\n",
        convention.strict ? "<" : "<=", convention.norm == Norm::l1 ? "L1" : "total variation",
        convention.start == Start::worst ? "worst" : "mean");
}

CLI::Validator whole_number() {
    return CLI::Validator(
        [](const std::string& text) {
            const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
            const bool fits =
                digits && (text.size() < 20 || (text.size() == 20 && text <= "18446744073709551615"));
            return fits ? std::string() : "\"" + text + "\" is not a whole number from 0 to 2^64 - 1";
        },
        "WHOLE", "whole number");
}

void write_stdout(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        throw InputError("stdout: cannot be written; the reader may have stopped, or the disk is full");
}

}  // namespace crosshead
