// Which BLAS this process multiplies matrices with. Debian's LibTorch takes whatever provides libblas.so.3,
// and the reference implementation there is several times slower than OpenBLAS.
#pragma once

#include <string>

namespace crosshead {

struct BlasLibrary {
    enum class Kind { reference, openblas, other, unknown };
    Kind kind = Kind::unknown;
    std::string name;  // "OpenBLAS 0.3.21 (pthread)", "reference BLAS", …
    std::string path;  // of the shared library; empty where unknown
};

/// Looks at where sgemm_ comes from.
BlasLibrary blas_in_use();

/// What to tell the user, with the remedy; empty unless the reference BLAS is in use.
std::string blas_warning(const BlasLibrary& blas);

/// Threads that OpenBLAS uses; does nothing with another BLAS.
void set_blas_threads(int threads);

}  // namespace crosshead
