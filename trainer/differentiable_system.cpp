#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <crosshead/graphs/error.hpp>
#include <crosshead/trainer/differentiable_measurement.hpp>
#include <crosshead/trainer/differentiable_system.hpp>
#include <crosshead/trainer/inference.hpp>
#include <crosshead/trainer/random.hpp>
#include <stdexcept>

namespace crosshead {
namespace {

using torch::Tensor;

constexpr double largest_logit = 20;  // gates down to 2e-9
constexpr int largest_step = 10'000;  // that a request may ask for

std::size_t idx(std::int64_t i) {
    return static_cast<std::size_t>(i);
}
int triangle_size(int nodes) {
    return nodes * (nodes + 1) / 2;
}

torch::TensorOptions doubles() {
    return torch::TensorOptions().dtype(torch::kFloat64);
}

std::vector<double> numbers(const Tensor& tensor) {
    const Tensor flat = tensor.detach().contiguous();
    return {flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel()};
}

void require_valid(const QuantityRequest& request, const GradientOptions& options) {
    using Q = DifferentiableQuantity;
    const auto require = [](bool holds, const char* what, auto value, auto may_be) {
        if (!holds)
            throw std::invalid_argument(
                fmt::format("differentiable system: {} {}: give {}", what, value, may_be));
    };
    const bool weight = request.quantity == Q::walk_weight || request.quantity == Q::diffusion_weight;
    require(request.head >= (weight ? 0 : -1) && request.head < options.heads, "head", request.head,
            fmt::format("one of {} heads", options.heads));
    require(request.node >= 0 && request.node < options.nodes, "node", request.node,
            fmt::format("one of {} nodes", options.nodes));
    require(request.step >= 0 && request.step <= largest_step, "step", request.step,
            fmt::format("a step from 0 to {}", largest_step));
    const bool timed = request.quantity == Q::mixing_time || request.quantity == Q::mixing_time_tv ||
                       request.quantity == Q::reverse_mixing_time ||
                       request.quantity == Q::reverse_mixing_time_tv;
    require(!timed || (request.epsilon > 0 && std::isfinite(request.epsilon)), "epsilon", request.epsilon,
            "a number above 0");
}

/// The free parameters in one array, and what they mean.
class Parametrisation {
  public:
    explicit Parametrisation(const GradientOptions& options)
        : options_(options), triangle_(triangle_size(options.nodes)) {
        const Tensor places = torch::tril_indices(options.nodes, options.nodes);
        places_ = places[0] * options.nodes + places[1];
        below_ = torch::ones({options.nodes, options.nodes}, torch::kBool).tril(-1);
    }

    bool walk_learned() const {
        return options_.learn_walk_weights || (options_.tied_weights && options_.learn_diffusion_weights);
    }
    bool diffusion_learned() const { return options_.learn_diffusion_weights && !options_.tied_weights; }
    std::int64_t size() const {
        return options_.heads * (triangle_ + (walk_learned() ? 1 : 0) + (diffusion_learned() ? 1 : 0));
    }

    struct System {
        Tensor weights, alpha, beta;  // H × n × n, H, H
    };

    System system(const Tensor& parameters) const {
        const std::int64_t h = options_.heads, n = options_.nodes, edges = h * triangle_;
        const Tensor logits = torch::zeros({h, n * n}, doubles())
                                  .index_copy(1, places_, parameters.slice(0, 0, edges).view({h, triangle_}))
                                  .view({h, n, n});
        System system{edge_weights(logits), torch::full({h}, 1.0 / options_.heads, doubles()), {}};
        if (walk_learned()) system.alpha = parameters.slice(0, edges, edges + h).softmax(0);
        system.beta = options_.tied_weights ? system.alpha
                      : diffusion_learned() ? parameters.slice(0, size() - h).softmax(0)
                                            : torch::full({h}, 1.0 / options_.heads, doubles());
        return system;
    }

    Tensor triangles(const Tensor& weights) const { return weights.flatten(1).index_select(1, places_); }

  private:
    /// As the header says. Where every head must reach, the probability that independent gates σ(x) would all
    /// be closed goes to the edges by softmax: the out-weight M·Σσ + Π(1−σ) is at least 1 (union bound), and
    /// where all gates close the heaviest edge is left with weight 1, as rounding leaves it.
    Tensor edge_weights(const Tensor& logits) const {
        const double most = options_.largest_weight();
        const Tensor gates = logits.sigmoid();
        Tensor edges = most * gates;
        if (options_.every_head_reaches) {
            const Tensor none =
                torch::where(below_, (-logits).sigmoid(), torch::ones({}, doubles())).prod(1, true);
            edges = edges + none * logits.masked_fill(~below_, -1e30).softmax(1);
        }
        const Tensor loops = 1 + (most - 1) * gates.diagonal(0, 1, 2);
        return edges * below_ + torch::diag_embed(loops);
    }

    GradientOptions options_;
    std::int64_t triangle_;
    Tensor places_, below_;  // of a triangle in n × n; strictly lower
};

}  // namespace

struct DifferentiableSystem::State {
    explicit State(const GradientOptions& given)
        : options(given),
          meaning(given),
          parameters(torch::zeros({meaning.size()}, doubles()).set_requires_grad(true)),
          adam({parameters}, torch::optim::AdamOptions(given.learning_rate)) {}

    void set(const Tensor& values) {
        const torch::NoGradGuard no_gradients;
        parameters.copy_(values.clamp(-largest_logit, largest_logit));
        values_known.clear();
    }

    GradientOptions options;
    Parametrisation meaning;
    Tensor parameters;
    torch::optim::Adam adam;
    std::vector<Tensor> values_known;  // with their graph
};

void GradientOptions::validate() const {
    const auto require = [](bool holds, const char* option, auto value, const std::string& may_be) {
        if (!holds) throw UsageError(fmt::format("{} {}: give {}", option, value, may_be));
    };
    require(nodes >= 2 && nodes <= 64, "nodes", nodes, "a number from 2 to 64");
    require(heads >= 1 && heads <= 64, "heads", heads, "a number from 1 to 64");
    require(learning_rate > 0 && learning_rate <= 10, "learning rate", learning_rate, "a number in (0, 10]");
    require(uniform_edges || (max_edge_weight >= 1 && max_edge_weight <= 10'000), "max edge weight",
            max_edge_weight, "a number from 1 to 10,000");
    require(head_weight_grid >= heads || !(learn_walk_weights || learn_diffusion_weights), "head weight grid",
            head_weight_grid, fmt::format("at least one unit for each of {} heads", heads));
    require(head_weight_grid <= 1'000'000, "head weight grid", head_weight_grid, "a number up to 1,000,000");
}

DifferentiableSystem::DifferentiableSystem(const GradientOptions& options) {
    options.validate();
    set_threads(1);
    state_ = std::make_unique<State>(options);
    RandomSource random(derived_seed(options.seed, SeedPurpose::parameters));
    std::vector<double> start(idx(state_->meaning.size()));
    for (double& value : start) value = normal(random);
    set_parameters(start);
}

DifferentiableSystem::~DifferentiableSystem() = default;
DifferentiableSystem::DifferentiableSystem(DifferentiableSystem&&) noexcept = default;
DifferentiableSystem& DifferentiableSystem::operator=(DifferentiableSystem&&) noexcept = default;

std::vector<double> DifferentiableSystem::values(std::span<const QuantityRequest> requests) {
    const torch::AutoGradMode with_gradients(true);
    for (const QuantityRequest& request : requests) require_valid(request, state_->options);
    const auto system = state_->meaning.system(state_->parameters);
    DifferentiableMeasurement measurement(system.weights, system.alpha, system.beta);
    state_->values_known.clear();
    std::vector<double> result;
    for (const QuantityRequest& request : requests) {
        state_->values_known.push_back(measurement.value(request));
        result.push_back(state_->values_known.back().item<double>());
    }
    return result;
}

std::vector<double> DifferentiableSystem::gradient(std::span<const double> weights) const {
    if (weights.size() != state_->values_known.size())
        throw std::invalid_argument(
            fmt::format("differentiable system: {} weights for {} values; ask for values() "
                        "first and give one weight each",
                        weights.size(), state_->values_known.size()));
    std::vector<Tensor> of, by;
    for (std::size_t k = 0; k < weights.size(); ++k) {
        if (!std::isfinite(weights[k]))
            throw std::invalid_argument(fmt::format("differentiable system: weight {} is {}", k, weights[k]));
        // Some values do not depend on the parameters: fixed head weights, d(0).
        if (weights[k] == 0 || !state_->values_known[k].requires_grad()) continue;
        of.push_back(state_->values_known[k]);
        by.push_back(torch::full({}, weights[k], doubles()));
    }
    if (of.empty()) return std::vector<double>(idx(state_->meaning.size()), 0.0);
    return numbers(torch::autograd::grad(of, {state_->parameters}, by, true)[0]);
}

void DifferentiableSystem::ascend(std::span<const double> gradient) {
    std::vector<double> downhill = this->gradient(gradient);  // the optimiser minimises
    for (double& slope : downhill) {
        if (!std::isfinite(slope))
            throw std::overflow_error("differentiable system: the gradient is not finite");
        slope = -slope;
    }
    state_->parameters.mutable_grad() = torch::tensor(downhill, doubles());
    state_->adam.step();
    state_->set(state_->parameters.detach().clone());
}

std::vector<double> DifferentiableSystem::parameters() const {
    return numbers(state_->parameters);
}

void DifferentiableSystem::set_parameters(std::span<const double> parameters) {
    if (parameters.size() != idx(state_->meaning.size()) ||
        std::any_of(parameters.begin(), parameters.end(), [](double x) { return std::isnan(x); }))
        throw std::invalid_argument(fmt::format("differentiable system: {} parameters; give {} numbers",
                                                parameters.size(), state_->meaning.size()));
    state_->set(torch::tensor(std::vector<double>(parameters.begin(), parameters.end()), doubles()));
}

RelaxedSystem DifferentiableSystem::weights() const {
    const torch::NoGradGuard no_gradients;
    const auto system = state_->meaning.system(state_->parameters);
    const Tensor triangles = state_->meaning.triangles(system.weights);
    RelaxedSystem result{state_->options.nodes, {}, numbers(system.alpha), numbers(system.beta)};
    for (std::int64_t h = 0; h < state_->options.heads; ++h) result.heads.push_back(numbers(triangles[h]));
    return result;
}

RoundedSystem DifferentiableSystem::rounded() const {
    return nearest_integers(weights(), state_->options);
}

}  // namespace crosshead
