#include "suite.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <crosshead/numeric/dense_propagation.hpp>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

namespace crosshead::bench {
namespace {

/// Collects the time of one call in each repetition; shows progress where stderr is a terminal.
class Collector : public benchmark::BenchmarkReporter {
  public:
    explicit Collector(std::size_t jobs) : jobs_(jobs) {}
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            if (run.run_type != Run::RT_Iteration || run.error_occurred) continue;
            const double seconds = elapsed_.count(run.run_name.function_name) > 0 ? run.real_accumulated_time
                                                                                  : run.cpu_accumulated_time;
            times_[run.run_name.function_name].push_back(seconds / static_cast<double>(run.iterations));
        }
        if (isatty(STDERR_FILENO) == 1) fmt::print(stderr, "\r{} of {} jobs measured ", times_.size(), jobs_);
    }
    void time_by_the_clock(const std::string& key) { elapsed_.insert(key); }
    std::map<std::string, std::vector<double>> sorted_times() {
        if (isatty(STDERR_FILENO) == 1) fmt::print(stderr, "\r{:40}\r", "");
        for (auto& [name, times] : times_) std::sort(times.begin(), times.end());
        return times_;
    }

  private:
    std::size_t jobs_;
    std::set<std::string> elapsed_;
    std::map<std::string, std::vector<double>> times_;
};

std::string show_seconds(double seconds) {
    if (seconds < 1e-6) return fmt::format("{:.3g} ns", seconds * 1e9);
    if (seconds < 1e-3) return fmt::format("{:.3g} µs", seconds * 1e6);
    if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
    return fmt::format("{:.3g} s", seconds);
}

std::string show_rate(const Row& row, double rate) {
    if (rate <= 0) return "";
    return fmt::format("{:.1f} {}", rate * 1e-9, row.flops > 0 ? "GFLOP/s" : "GB/s");
}

/// Pads by characters, not bytes ("µs" is longer in bytes than on the screen).
std::string pad(const std::string& text, std::size_t width) {
    const auto shown = static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & '\xC0') != '\x80'; }));
    return text + std::string(shown < width ? width - shown : 0, ' ');
}

}  // namespace

int Suite::run(int argc, char** argv) {
    bool json = false;
    std::vector<char*> arguments = {argv[0]};
    std::string defaults[] = {"--benchmark_enable_random_interleaving=true", "--benchmark_repetitions=7"};
    for (std::string& text : defaults) arguments.push_back(text.data());
    for (int a = 1; a < argc; ++a) {
        if (std::strcmp(argv[a], "--json") == 0)
            json = true;
        else
            arguments.push_back(argv[a]);
    }
    int count = static_cast<int>(arguments.size());
    arguments.push_back(nullptr);
    benchmark::Initialize(&count, arguments.data());
    if (count > 1) {
        fmt::print(stderr, "measure: unknown argument {}; --json or a --benchmark_… argument is expected\n",
                   arguments[1]);
        return 2;
    }
    measure();
    json ? print_json() : print_table();
    return std::all_of(checks_.begin(), checks_.end(), [](const Check& c) { return c.holds; }) ? 0 : 70;
}

void Suite::measure() {
    Collector collector(rows_.size());
    for (const Row& row : rows_) {
        if (row.elapsed) collector.time_by_the_clock(row.key);
        benchmark::RegisterBenchmark(row.key.c_str(),
                                     [call = row.call](benchmark::State& state) {
                                         for (auto iteration : state) {
                                             (void)iteration;
                                             call();
                                         }
                                     })
            ->UseRealTime()
            ->MinTime(row.least_seconds);
    }
    benchmark::RunSpecifiedBenchmarks(&collector);
    times_ = collector.sorted_times();
}

const Row* Suite::find(const std::string& key) const {
    const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Row& r) { return r.key == key; });
    return row == rows_.end() ? nullptr : &*row;
}

double Suite::seconds(const std::string& key) const {
    const Row* row = find(key);
    const auto times = times_.find(key);
    return row == nullptr || times == times_.end() ? 0 : times->second[times->second.size() / 2] / row->parts;
}

double Suite::rate(const Row& row) const {
    const double time = seconds(row.key);
    return time > 0 ? std::max(row.flops, row.bytes) / time : 0;
}

void Suite::print_table() const {
    fmt::print(
        "Processor time (elapsed time for 2 threads), median and least over the repetitions. AVX2 and FMA: "
        "{}; "
        "processors: {}\n",
        dense_uses_avx2() ? "yes" : "no", std::thread::hardware_concurrency());
    std::string group;
    for (const Row& row : rows_) {
        const double time = seconds(row.key);
        if (time <= 0) continue;  // filtered out
        if (row.group != group) {
            group = row.group;
            fmt::print("\n{}\n  {}{}{}{}{}{}{}\n", group, pad("", 46), pad("median", 10), pad("least", 10),
                       pad("goal", 11), pad("rate", 15), pad("of peak", 9), "faster than");
        }
        const double least = times_.at(row.key).front() / row.parts;
        const Row* peak = find(row.peak);
        const double limit = peak == nullptr ? 0 : rate(*peak);
        std::string ratios;
        for (const std::string& other : row.against)
            if (seconds(other) > 0)
                ratios +=
                    fmt::format("{}{:.3g} × {}", ratios.empty() ? "" : "; ", seconds(other) / time, other);
        fmt::print("  {}{}{}{}{}{}{}\n", pad(row.what, 46), pad(show_seconds(time), 10),
                   pad(show_seconds(least), 10), pad(row.goal > 0 ? "< " + show_seconds(row.goal) : "", 11),
                   pad(show_rate(row, rate(row)), 15),
                   pad(limit > 0 ? fmt::format("{:.0f} %", 100 * rate(row) / limit) : "", 9), ratios);
    }
    fmt::print("\n");
    for (const std::string& text : notes_) fmt::print("{}\n", text);
    for (const Check& check : checks_) fmt::print("{}: {}\n", check.holds ? "checked" : "FAILED", check.what);
}

void Suite::print_json() const {
    nlohmann::ordered_json out = {{"schema", "crosshead.bench_measure/1"},
                                  {"avx2", dense_uses_avx2()},
                                  {"processors", std::thread::hardware_concurrency()}};
    for (const Row& row : rows_) {
        const double time = seconds(row.key);
        if (time <= 0) continue;
        nlohmann::ordered_json entry = {{"group", row.group},
                                        {"what", row.what},
                                        {"seconds", time},
                                        {"least_seconds", times_.at(row.key).front() / row.parts}};
        if (row.goal > 0) entry["goal_seconds"] = row.goal;
        if (row.flops > 0) entry["flops_per_second"] = rate(row);
        if (row.flops <= 0 && row.bytes > 0) entry["bytes_per_second"] = rate(row);
        if (const Row* peak = find(row.peak); peak != nullptr && rate(*peak) > 0)
            entry["of_peak"] = rate(row) / rate(*peak);
        for (const std::string& other : row.against)
            if (seconds(other) > 0)
                entry["against"].push_back({{"what", other}, {"ratio", seconds(other) / time}});
        out[row.is_peak ? "peaks" : "rows"].push_back(entry);
    }
    for (const Check& check : checks_)
        out["checks"].push_back({{"what", check.what}, {"holds", check.holds}});
    out["notes"] = notes_;
    fmt::print("{}\n", out.dump(2));
}

}  // namespace crosshead::bench
