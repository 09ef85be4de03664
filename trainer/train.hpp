// Training: Adam on cross-entropy, reproducible to the bit, stoppable and resumable.
//
// For one binary, one BLAS and one number of threads, the parameters after step s are a function of the
// options alone: the batch of a step and its dropout masks are derived from (seed, step), so the whole state
// is the parameters, Adam's two moments and s. A run that is stopped and resumed ends bit-identical to one
// that was not.
#pragma once

#include <atomic>
#include <crosshead/trainer/inference.hpp>
#include <crosshead/trainer/model.hpp>
#include <crosshead/trainer/tasks.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace crosshead {

struct TrainOptions {
    Task task = Task::copy;
    ModelConfiguration model;
    std::uint64_t seed = 1;
    std::int64_t batch = 50;  // sequences a step
    std::int64_t training_sequences = 5000;
    std::int64_t held_out_sequences = 100;
    double learning_rate = 3e-3;
    std::int64_t epochs = 20;  // at most
    /// Stop when the held-out accuracy reaches this; 0: run all epochs. Default: 0.99 of what the task
    /// allows.
    std::optional<double> target_accuracy;
    std::int64_t evaluate_every = 25;  // steps between looks at the held-out set
    int threads = 1;
    /// Written at the start, at every evaluation, when stopped and at the end. Empty: nothing is written.
    std::filesystem::path checkpoint;

    std::int64_t steps_per_epoch() const { return (training_sequences + batch - 1) / batch; }
    double target() const { return target_accuracy.value_or(0.99 * accuracy_ceiling(task, model.length)); }
    /// Throws UsageError naming the option, its value and what it may be.
    void validate() const;
};

struct TrainProgress {
    std::int64_t step = 0, steps = 0;  // done, and at most
    std::int64_t epoch = 0, epochs = 0;
    double loss = 0, accuracy = 0;       // of this step's batch, under dropout
    std::optional<Evaluation> held_out;  // at evaluations
    double tokens_per_second = 0;
    double seconds = 0, seconds_left = 0;  // an upper estimate: a target may be reached earlier
};

/// Called after every step, on the calling thread.
using TrainCallback = std::function<void(const TrainProgress&)>;

struct TrainResult {
    Model model;
    std::int64_t steps = 0;
    double loss = 0;      // of the last batch
    Evaluation held_out;  // of the final model
    bool reached_target = false;
    bool stopped = false;  // by request, before the end; the checkpoint can be resumed
    double seconds = 0;
};

/// Trains from fresh parameters. `stop` is looked at after every step; a signal handler may set it.
/// Throws UsageError for options that make no sense, InputError where the checkpoint cannot be written and
/// for a loss that is no longer finite (with the step, and the learning rate to lower).
TrainResult train(const TrainOptions& options, const TrainCallback& progress = {},
                  const std::atomic<bool>* stop = nullptr);

/// The options that a training checkpoint was written with; `checkpoint` is set to its path.
/// Throws InputError for a file that holds no training state.
TrainOptions training_options(const std::filesystem::path& checkpoint);

/// Goes on where a checkpoint stopped. Of `options`, taken from training_options(), the caller may change
/// epochs, target_accuracy, evaluate_every, threads and checkpoint (where to write from now on).
/// Throws InputError where the file does not match the options or is damaged.
TrainResult resume_training(const std::filesystem::path& checkpoint, const TrainOptions& options,
                            const TrainCallback& progress = {}, const std::atomic<bool>* stop = nullptr);

}  // namespace crosshead
