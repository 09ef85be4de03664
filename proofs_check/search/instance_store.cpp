#include <fmt/format.h>

#include <algorithm>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/file_io.hpp>
#include <crosshead/graphs/json_io.hpp>
#include <crosshead/graphs/strict_json.hpp>
#include <crosshead/proofs_check/search/instance_store.hpp>
#include <cstdint>

namespace crosshead {
namespace {

constexpr std::string_view schema = "crosshead.instances/1";
constexpr std::uint64_t largest_file = 64u << 20;

/// FNV-1a of the text: a file name; the statement in the file is compared, so that a collision is harmless.
std::string file_name(const std::string& statement) {
    std::uint64_t hash = 14695981039346656037u;
    for (const char c : statement) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return fmt::format("{:016x}.json", hash);
}

[[noreturn]] void damaged(const std::filesystem::path& path, const std::string& what) {
    throw InputError(fmt::format("{}: {}; delete the file, or run with --no-database", path.string(), what));
}

}  // namespace

std::filesystem::path InstanceStore::file_of(const std::string& statement) const {
    return folder_ / file_name(statement);
}

std::vector<HeadSystem> InstanceStore::load(const std::string& statement) const {
    std::vector<HeadSystem> systems;
    if (folder_.empty()) return systems;
    const auto path = file_of(statement);
    std::error_code none;
    if (!std::filesystem::exists(path, none)) return systems;
    const auto document = nlohmann::json::parse(read_file(path, largest_file), nullptr, false);
    if (document.is_discarded() || !document.is_object()) damaged(path, "not a JSON object");
    const auto text = [&](const char* key) {
        const auto found = document.find(key);
        if (found == document.end() || !found->is_string())
            damaged(path, fmt::format("\"{}\" is not a string", key));
        return found->get<std::string>();
    };
    if (text("schema") != schema) damaged(path, fmt::format("the schema is not {}", schema));
    if (text("statement") != statement) return systems;
    const auto found = document.find("instances");
    if (found == document.end() || !found->is_array()) damaged(path, "\"instances\" is not an array");
    for (const auto& instance : *found) systems.push_back(parse_head_system(instance.dump(), path.string()));
    return systems;
}

void InstanceStore::store(const std::string& statement, const HeadSystem& system) const {
    if (folder_.empty()) return;
    std::vector<nlohmann::ordered_json> kept = {head_system_json(system)};
    for (const auto& old : load(statement)) {
        auto json = head_system_json(old);
        if (kept.size() < most_kept && std::find(kept.begin(), kept.end(), json) == kept.end())
            kept.push_back(std::move(json));
    }
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error)
        throw InputError(fmt::format("{}: cannot be made: {}; choose another --database", folder_.string(),
                                     error.message()));
    const nlohmann::ordered_json document = {
        {"schema", schema}, {"statement", statement}, {"instances", kept}};
    write_file_atomically(file_of(statement), document.dump(1) + "\n");
}

}  // namespace crosshead
