// bench/measure: what propagation costs on this machine, beside its goals, its baselines and the machine's
// limits.
//     measure [--json] [--benchmark_filter=REGEX] [--benchmark_repetitions=N]
#include "suite.hpp"

int main(int argc, char** argv) {
    using namespace crosshead::bench;
    Suite suite;
    add_peaks(suite);
    add_head_system(suite);
    add_propagation(suite);
    add_exact(suite);
    return suite.run(argc, argv);
}
