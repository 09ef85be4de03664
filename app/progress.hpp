// One line of progress on stderr, where that is a terminal: done, rate, time left.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace crosshead {

class Progress {
  public:
    /// Shows nothing when `quiet`, or when stderr is no terminal.
    Progress(std::string what, bool quiet);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// `done` of `total`; redraws at most ten times a second.
    void at(double done, double total, const std::string& detail = "");
    /// Removes the line.
    void clear();

  private:
    using Clock = std::chrono::steady_clock;
    std::string what_;
    bool shown_;
    bool drawn_ = false;
    Clock::time_point begin_ = Clock::now(), last_ = begin_;
};

}  // namespace crosshead
