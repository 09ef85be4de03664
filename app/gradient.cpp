#include "gradient.hpp"

#include "torch_program.hpp"

namespace crosshead {

ExternalSearch gradient_search(const CheckOptions& options, const std::vector<std::string>& arguments) {
    if (options.method != Method::gradient) return {};
    continue_with_torch("--method gradient", arguments);
}

}  // namespace crosshead
