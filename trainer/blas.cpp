#include <dlfcn.h>

#include <crosshead/trainer/blas.hpp>
#include <cstdlib>
#include <filesystem>

namespace crosshead {
namespace {

/// The path of the library that defines a symbol, links followed; empty if there is none.
std::string defining_library(void* symbol) {
    Dl_info info{};
    if (symbol == nullptr || dladdr(symbol, &info) == 0 || info.dli_fname == nullptr) return {};
    std::error_code error;
    const auto path = std::filesystem::canonical(info.dli_fname, error);
    return error ? info.dli_fname : path.string();
}

bool contains(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

/// Debian names OpenBLAS's threading in the folder: …/openblas-pthread/libblas.so.3.
std::string openblas_name(const std::string& path) {
    std::string name = "OpenBLAS";
    if (auto* config = reinterpret_cast<char* (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_config"))) {
        // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH … Haswell MAX_THREADS=64": the first two words.
        const std::string text = config();
        name = text.substr(0, text.find(' ', text.find(' ') + 1));
    }
    for (const char* threading : {"pthread", "openmp", "serial"})
        if (contains(path, threading)) return name + " (" + threading + ")";
    return name;
}

}  // namespace

BlasLibrary blas_in_use() {
    BlasLibrary blas;
    blas.path = defining_library(dlsym(RTLD_DEFAULT, "sgemm_"));
    if (blas.path.empty()) {
        blas.name = "unknown BLAS";
    } else if (contains(blas.path, "openblas") || dlsym(RTLD_DEFAULT, "openblas_get_config") != nullptr) {
        blas.kind = BlasLibrary::Kind::openblas;
        blas.name = openblas_name(blas.path);
    } else if (contains(blas.path, "/blas/libblas.so")) {
        blas.kind = BlasLibrary::Kind::reference;
        blas.name = "reference BLAS";
    } else {
        blas.kind = BlasLibrary::Kind::other;
        blas.name = std::filesystem::path(blas.path).filename().string();
    }
    return blas;
}

std::string blas_warning(const BlasLibrary& blas) {
    if (blas.kind != BlasLibrary::Kind::reference) return {};
    return "matrices are multiplied by the reference BLAS (" + blas.path +
           "), several times slower than OpenBLAS; install it: apt-get install libopenblas0-pthread";
}

void set_blas_threads(int threads) {
    if (auto* set = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads")))
        set(threads);
}

}  // namespace crosshead
