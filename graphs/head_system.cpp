#include <fmt/format.h>

#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/head_system.hpp>
#include <numeric>
#include <set>
#include <utility>

namespace crosshead {
namespace {

Rational checked_sum(const std::vector<Rational>& weights, const std::string& place) {
    if (weights.empty()) throw InputError(fmt::format("{}: no weights; give one for each head", place));
    Rational sum = 0;
    for (std::size_t h = 0; h < weights.size(); ++h) {
        if (weights[h] < 0)
            throw InputError(fmt::format("{}: weight {} is {}; head weights are not negative", place, h,
                                         to_string(weights[h])));
        sum += weights[h];
    }
    return sum;
}

std::string shown(const Rational& value) {
    const std::string exact = to_string(value);
    return exact.size() <= 24 ? exact : fmt::format("about {:.12g}", approximate(value));
}

[[noreturn]] void refuse_sum(const Rational& sum, const std::string& place) {
    throw InputError(
        fmt::format("{}: the head weights sum to {}, not 1; give weights that sum to 1", place, shown(sum)));
}

std::vector<Rational> divided(std::vector<Rational> weights, const Rational& sum) {
    for (auto& weight : weights) weight /= sum;
    return weights;
}

}  // namespace

ConvexWeights::ConvexWeights(std::vector<Rational> weights, const std::string& place)
    : weights_(std::move(weights)) {
    if (const Rational sum = checked_sum(weights_, place); sum != 1) refuse_sum(sum, place);
}

ConvexWeights ConvexWeights::uniform(std::size_t count) {
    return {std::vector<Rational>(count, Rational(1, static_cast<unsigned long>(count ? count : 1))),
            "uniform weights"};
}

ConvexWeights ConvexWeights::nearly(std::vector<Rational> weights, const std::string& place) {
    const Rational sum = checked_sum(weights, place);
    if (abs(Rational(sum - 1)) > normalisation_tolerance()) refuse_sum(sum, place);
    ConvexWeights result(divided(std::move(weights), sum), place);
    result.given_sum_ = sum;
    return result;
}

ConvexWeights ConvexWeights::from_scores(std::vector<Rational> scores, const std::string& place) {
    const Rational sum = checked_sum(scores, place);
    if (sum == 0)
        throw InputError(fmt::format("{}: every head weight is zero; at least one must be positive", place));
    return {divided(std::move(scores), sum), place};
}

const Rational& ConvexWeights::normalisation_tolerance() {
    static const Rational tolerance(1, 1'000'000'000);
    return tolerance;
}

HeadSystem::HeadSystem(std::vector<HeadDag> heads, ConvexWeights walk_weights,
                       ConvexWeights diffusion_weights, std::vector<std::string> names)
    : heads_(std::move(heads)),
      walk_weights_(std::move(walk_weights)),
      diffusion_weights_(std::move(diffusion_weights)),
      names_(std::move(names)) {
    if (heads_.empty()) throw InputError("head system: no heads; it needs at least one");
    for (std::size_t h = 1; h < heads_.size(); ++h)
        if (heads_[h].nodes() != nodes())
            throw InputError(
                fmt::format("head {}: {} nodes, but head 0 has {}; the heads of a system share their nodes",
                            h, heads_[h].nodes(), nodes()));
    for (const auto& [weights, what] :
         {std::pair(&walk_weights_, "walk_weights"), std::pair(&diffusion_weights_, "diffusion_weights")})
        if (weights->size() != heads_.size())
            throw InputError(fmt::format("{}: {} weights for {} heads; give one for each head", what,
                                         weights->size(), heads_.size()));
    if (!names_.empty()) {
        if (names_.size() != static_cast<std::size_t>(nodes()))
            throw InputError(fmt::format("names: {} names for {} nodes; give one for each node, or none",
                                         names_.size(), nodes()));
        std::set<std::string> seen;
        for (const auto& name : names_)
            if (!seen.insert(name).second)
                throw InputError(fmt::format("names: \"{}\" names two nodes; give each its own", name));
    }
}

HeadSystem::HeadSystem(std::vector<HeadDag> heads)
    : HeadSystem(heads, ConvexWeights::uniform(heads.empty() ? 1 : heads.size()),
                 ConvexWeights::uniform(heads.empty() ? 1 : heads.size())) {}

std::string HeadSystem::name(Node node) const {
    return names_.empty() ? std::to_string(node) : names_[static_cast<std::size_t>(node)];
}

HeadSystem HeadSystem::with_weights(ConvexWeights walk_weights, ConvexWeights diffusion_weights) const {
    return HeadSystem(heads_, std::move(walk_weights), std::move(diffusion_weights), names_);
}

HeadSystem HeadSystem::single_head(std::size_t h) const {
    return HeadSystem({heads_[h]}, ConvexWeights::uniform(1), ConvexWeights::uniform(1), names_);
}

}  // namespace crosshead
