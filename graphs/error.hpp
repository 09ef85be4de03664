// The errors that reach a user. Each message carries place, value and remedy (where, what, what to do).
#pragma once

#include <stdexcept>
#include <string>

namespace crosshead {

/// Bad input: a file, a graph or a number that is not what it should be. The program exits with 3.
class InputError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A command line that does not make sense. The program exits with 2.
class UsageError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Something this build was made without; the message says how to get it. The program exits with 4.
class NotBuiltError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A quantity that the definitions leave undefined for this system, with the reason.
/// (For instance a walk column of a node that has no out-weight at all.)
class UndefinedQuantity : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace crosshead
