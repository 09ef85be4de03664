// Reading a pickle as data. Nothing is ever called or imported: what a pickle wants called stays a value.
//
// A pickle is a program for a small stack machine. Only the opcodes that torch.save writes for plain data are
// understood, and every global must be on the caller's list; the first one that is not ends the reading with
// its name. Values lie in one flat list and refer to each other by index, so that neither deep nor cyclic
// input can overflow our stack, and no traversal here recurses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace crosshead {

/// Limits far above any state_dict (a tensor takes about a dozen values), far below what hurts.
struct PickleLimits {
    std::size_t max_bytes = std::size_t{64} << 20;
    std::size_t max_values = 1'000'000;
    std::size_t max_depth = 64;  // of containers in containers, and of open marks
};

using PickleId = std::size_t;

struct PickleValue {
    enum class Kind {
        none,
        boolean,     // integer
        integer,     // integer
        real,        // real
        text,        // text (UTF-8)
        tuple,       // items
        list,        // items
        dict,        // items: key, value, key, value, … (collections.OrderedDict too)
        global,      // text: "module.name"
        call,        // items: the global, the tuple of arguments (never run)
        persistent,  // items: the one value that identifies an object outside the pickle
    };
    Kind kind = Kind::none;
    std::int64_t integer = 0;
    double real = 0;
    std::string text{};
    std::vector<PickleId> items{};
    std::size_t depth = 0;
};

/// "tuple", "text", … for messages.
std::string to_string(PickleValue::Kind kind);

class Pickle {
  public:
    /// Throws InputError ("PLACE byte N: …") for anything but one well-formed pickle of plain data whose
    /// globals, written "module.name", are all in `allowed`.
    Pickle(std::string_view bytes, const std::set<std::string, std::less<>>& allowed,
           const std::string& place, const PickleLimits& limits = {});

    const PickleValue& root() const { return values_[root_]; }
    const PickleValue& operator[](PickleId id) const { return values_[id]; }

  private:
    friend class PickleMachine;
    std::vector<PickleValue> values_;
    PickleId root_ = 0;
};

}  // namespace crosshead
