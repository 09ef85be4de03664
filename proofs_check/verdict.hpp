// What Crosshead says of a statement. Never a bool: each word is a different kind of knowledge (design §3).
#pragma once

#include <string_view>

namespace crosshead {

/// One statement at one system.
enum class Outcome {
    holds,
    fails,
    undecided,  // the enclosures straddle
    vacuous     // the hypothesis is not met, or a side is undefined: nothing was tested
};

/// A statement over a set of systems.
enum class Verdict {
    exhausted,    // holds in every system of a stated finite set
    unrefuted,    // no counterexample in the systems that were tried, which were not all
    refuted,      // fails in one, which is the witness
    witnessed,    // an existential statement: one system satisfies it
    unwitnessed,  // an existential statement: no system of the stated set satisfies it
    undecided,
    vacuous  // no system of the set meets the hypotheses
};

constexpr std::string_view to_string(Outcome outcome) {
    switch (outcome) {
        case Outcome::holds:
            return "holds";
        case Outcome::fails:
            return "fails";
        case Outcome::undecided:
            return "undecided";
        case Outcome::vacuous:
            return "vacuous";
    }
    return "";
}

constexpr std::string_view to_string(Verdict verdict) {
    switch (verdict) {
        case Verdict::exhausted:
            return "exhausted";
        case Verdict::unrefuted:
            return "unrefuted";
        case Verdict::refuted:
            return "refuted";
        case Verdict::witnessed:
            return "witnessed";
        case Verdict::unwitnessed:
            return "unwitnessed";
        case Verdict::undecided:
            return "undecided";
        case Verdict::vacuous:
            return "vacuous";
    }
    return "";
}

}  // namespace crosshead
