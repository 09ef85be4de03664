// Benchmarks as rows of a table: a measured time, the goal beside it, a ratio to a baseline of the same run.
// Google Benchmark runs and repeats them, interleaved at random, so that a slow moment of the machine does
// not fall on one side of a ratio; every number shown is the median over the repetitions.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace crosshead::bench {

/// One row. Times are shown for `parts`-th parts of a call (a call of 100 steps with parts = 100 is shown as
/// the time of one step); flops, bytes and goal belong to such a part.
struct Row {
    std::string group;
    std::string what;
    std::function<void()> call;
    double parts = 1;
    double flops = 0;                       // floating-point operations; a multiply-add is two
    double bytes = 0;                       // bytes that have to be read from the matrix
    std::string peak = {};                  // key of the row that the rate is compared with
    double goal = 0;                        // seconds
    std::vector<std::string> against = {};  // keys of the rows that this one is compared with
    std::string key = what;                 // unique
    bool is_peak = false;                   // a measured limit of the machine, not a job
    bool elapsed = false;                   // time by the clock: for calls that use several threads
    double least_seconds = 0.05;            // of measuring in each repetition
};

class Suite {
  public:
    void add(Row row) { rows_.push_back(std::move(row)); }
    /// A fact that must hold for the times to mean anything. Recorded; a false one makes run() fail.
    void check(const std::string& what, bool holds) { checks_.push_back({what, holds}); }
    void note(const std::string& text) { notes_.push_back(text); }

    /// Measures and prints a table, or JSON with `--json`. Arguments of Google Benchmark (--benchmark_filter,
    /// --benchmark_repetitions) pass through. Returns the exit code: 0, 2 for usage, 70 for a failed check.
    int run(int argc, char** argv);

  private:
    struct Check {
        std::string what;
        bool holds;
    };
    void measure();
    double seconds(const std::string& key) const;  // of one part, median; 0 where it was not measured
    double rate(const Row& row) const;             // flops or bytes a second
    const Row* find(const std::string& key) const;
    void print_table() const;
    void print_json() const;

    std::vector<Row> rows_;
    std::vector<Check> checks_;
    std::vector<std::string> notes_;
    std::map<std::string, std::vector<double>> times_;  // seconds of one call, sorted
};

/// The machine's limits; the keys that rows name as `peak`.
inline constexpr const char* peak_read = "read from memory, 1 thread";
inline constexpr const char* peak_read_2 = "read from memory, 2 threads";
inline constexpr const char* peak_double = "multiply-add, double, 1 thread";
inline constexpr const char* peak_float = "multiply-add, float, 1 thread";

void add_peaks(Suite& suite);        // peaks.cpp
void add_head_system(Suite& suite);  // head_system_rows.cpp
void add_propagation(Suite& suite);  // propagation_rows.cpp
void add_exact(Suite& suite);        // exact_rows.cpp

}  // namespace crosshead::bench
