#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <crosshead/graphs/error.hpp>
#include <crosshead/trainer/random.hpp>
#include <crosshead/trainer/train.hpp>
#include <crosshead/trainer/training_state.hpp>
#include <crosshead/trainer/transformer.hpp>
#include <numeric>

namespace crosshead {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// One Adam step (Kingma & Ba, algorithm 1; β1 = 0.9, β2 = 0.999, ε = 1e-8) over the whole parameter array;
/// clears the gradients for the next step.
void adam_step(TrainingState& state, std::vector<float>& gradients, double learning_rate) {
    constexpr float beta1 = 0.9f, beta2 = 0.999f, epsilon = 1e-8f;
    const auto t = static_cast<double>(state.step + 1);
    const auto rate = static_cast<float>(learning_rate / (1 - std::pow(0.9, t)));
    const auto correction = static_cast<float>(1 / std::sqrt(1 - std::pow(0.999, t)));
    float* parameters = state.model.parameters().data();
    float *m = state.first_moment.data(), *v = state.second_moment.data(), *g = gradients.data();
    for (std::size_t i = 0; i < gradients.size(); ++i) {
        m[i] = beta1 * m[i] + (1 - beta1) * g[i];
        v[i] = beta2 * v[i] + (1 - beta2) * g[i] * g[i];
        parameters[i] -= rate * m[i] / (std::sqrt(v[i]) * correction + epsilon);
        g[i] = 0;
    }
}

/// The sequences of one step: every epoch goes through all of them once, in an order of its own.
class Batches {
  public:
    Batches(const TrainOptions& options)
        : options_(options),
          inputs_(generate_sequences(options.seed, SequenceSet::training, options.training_sequences,
                                     options.model.length, options.model.vocabulary)),
          targets_(targets_of(options.task, inputs_)) {}

    struct Batch {
        torch::Tensor inputs, targets;  // rows × length
    };

    Batch at(std::int64_t step) {
        const std::int64_t epoch = step / options_.steps_per_epoch();
        if (epoch != epoch_) shuffle(epoch);
        const std::int64_t begin = step % options_.steps_per_epoch() * options_.batch;
        const std::int64_t rows = std::min(options_.batch, options_.training_sequences - begin);
        Batch batch{torch::empty({rows, inputs_.length}, torch::kInt64),
                    torch::empty({rows, inputs_.length}, torch::kInt64)};
        for (std::int64_t row = 0; row < rows; ++row) {
            const std::int64_t from = order_[static_cast<std::size_t>(begin + row)] * inputs_.length;
            const auto copy = [&](const Sequences& source, torch::Tensor& to) {
                std::copy_n(source.tokens.begin() + from, inputs_.length,
                            to.data_ptr<std::int64_t>() + row * inputs_.length);
            };
            copy(inputs_, batch.inputs);
            copy(targets_, batch.targets);
        }
        return batch;
    }

  private:
    void shuffle(std::int64_t epoch) {
        RandomSource random(
            derived_seed(options_.seed, SeedPurpose::order, static_cast<std::uint64_t>(epoch)));
        order_.resize(static_cast<std::size_t>(options_.training_sequences));
        std::iota(order_.begin(), order_.end(), 0);
        for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[random.below(i)]);
        epoch_ = epoch;
    }

    const TrainOptions& options_;
    Sequences inputs_, targets_;
    std::vector<std::int64_t> order_;
    std::int64_t epoch_ = -1;
};

/// One run, from the state it is given to the end, a target or a stop.
class Run {
  public:
    Run(const TrainOptions& options, TrainingState state)
        : options_(options),
          state_(std::move(state)),
          first_step_(state_.step),
          steps_(options.epochs * options.steps_per_epoch()),
          batches_(options),
          held_out_(generate_sequences(options.seed, SequenceSet::held_out, options.held_out_sequences,
                                       options.model.length, options.model.vocabulary)),
          transformer_(state_.model, Transformer::Gradients::kept) {}

    TrainResult go(const TrainCallback& progress, const std::atomic<bool>* stop) {
        start_ = Clock::now();
        save();  // a path that cannot be written is found out now, not after an hour
        // A run that goes on from an evaluation that met the target is over already.
        std::optional<Evaluation> seen;
        if (state_.step > 0 && evaluation_due()) seen = look();
        bool stopped = false;
        while (!over(seen)) {
            if (stop != nullptr && stop->load()) {
                stopped = true;
                break;
            }
            TrainProgress now = step();
            seen.reset();
            if (evaluation_due()) {
                save();
                now.held_out = seen = look();
            }
            finish(now);
            if (progress) progress(now);
        }
        save();
        TrainResult result{state_.model, state_.step, loss_, {}, false, stopped, 0};
        result.held_out = seen ? *seen : look();
        result.reached_target = met(result.held_out);
        result.seconds = seconds_since(start_);
        return result;
    }

  private:
    TrainProgress step() {
        const auto batch = batches_.at(state_.step);
        const Dropout dropout{options_.model.dropout, derived_seed(options_.seed, SeedPurpose::dropout,
                                                                   static_cast<std::uint64_t>(state_.step))};
        const auto logits = transformer_.logits(batch.inputs, &dropout).flatten(0, 1);
        const auto targets = batch.targets.flatten();
        const auto loss = torch::nn::functional::cross_entropy(logits, targets);
        loss.backward();
        loss_ = loss.item<double>();
        if (!std::isfinite(loss_))
            throw InputError(fmt::format("training: the loss is {} at step {}; lower --learning-rate ({})",
                                         loss_, state_.step + 1, options_.learning_rate));
        adam_step(state_, transformer_.gradients(), options_.learning_rate);
        ++state_.step;
        tokens_ += targets.numel();
        TrainProgress now;
        now.loss = loss_;
        now.accuracy = (logits.detach().argmax(-1) == targets).to(torch::kFloat64).mean().item<double>();
        return now;
    }

    void finish(TrainProgress& now) const {
        now.step = state_.step;
        now.steps = steps_;
        now.epoch = (state_.step + options_.steps_per_epoch() - 1) / options_.steps_per_epoch();
        now.epochs = options_.epochs;
        now.seconds = seconds_since(start_);
        now.tokens_per_second = static_cast<double>(tokens_) / now.seconds;
        now.seconds_left = now.seconds / static_cast<double>(state_.step - first_step_) *
                           static_cast<double>(steps_ - state_.step);
    }

    bool evaluation_due() const {
        return state_.step % options_.evaluate_every == 0 || state_.step >= steps_;
    }
    bool met(const Evaluation& seen) const {
        return options_.target() > 0 && seen.accuracy >= options_.target();
    }
    bool over(const std::optional<Evaluation>& seen) const {
        return state_.step >= steps_ || (seen && met(*seen));
    }

    Evaluation look() const { return evaluate(state_.model, options_.task, held_out_, "held-out set"); }

    void save() const {
        if (!options_.checkpoint.empty()) save_training_state(options_.checkpoint, state_, options_);
    }

    const TrainOptions& options_;
    TrainingState state_;
    std::int64_t first_step_, steps_;
    Batches batches_;
    Sequences held_out_;
    Transformer transformer_;
    Clock::time_point start_;
    double loss_ = 0;
    std::int64_t tokens_ = 0;
};

}  // namespace

void TrainOptions::validate() const {
    model.validate();
    const auto require = [](bool holds, const char* option, auto value, const char* may_be) {
        if (!holds) throw UsageError(fmt::format("{} {}: give {}", option, value, may_be));
    };
    constexpr std::int64_t many = 10'000'000;
    const auto counts = [&](const char* option, std::int64_t value) {
        require(value >= 1 && value <= many, option, value, "a number from 1 to 10,000,000");
    };
    counts("batch", batch);
    counts("training sequences", training_sequences);
    counts("held-out sequences", held_out_sequences);
    counts("epochs", epochs);
    counts("evaluate every", evaluate_every);
    require(learning_rate > 0 && learning_rate <= 1, "learning rate", learning_rate, "a number in (0, 1]");
    require(!target_accuracy || (*target_accuracy >= 0 && *target_accuracy <= 1), "target accuracy",
            target_accuracy.value_or(0), "a number in [0, 1]; 0 runs every epoch");
    require(threads >= 1 && threads <= 1024, "threads", threads, "a number from 1 to 1,024");
}

TrainResult train(const TrainOptions& options, const TrainCallback& progress, const std::atomic<bool>* stop) {
    options.validate();
    set_threads(options.threads);
    return Run(options, TrainingState(Model(options.model, options.seed))).go(progress, stop);
}

TrainResult resume_training(const std::filesystem::path& checkpoint, const TrainOptions& options,
                            const TrainCallback& progress, const std::atomic<bool>* stop) {
    options.validate();
    set_threads(options.threads);
    return Run(options, load_training_state(checkpoint, options)).go(progress, stop);
}

}  // namespace crosshead
