#include <fmt/format.h>

#include <algorithm>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/strict_json.hpp>
#include <utility>
#include <vector>

namespace crosshead {
namespace {

using nlohmann::json;

/// Builds the tree from the parser's events. nlohmann's own builder has no say over decimals and keeps the
/// last of two equal keys.
class StrictBuilder : public nlohmann::json_sax<json> {
  public:
    StrictBuilder(std::string_view text, const std::string& place, Decimals decimals)
        : text_(text), place_(place), decimals_(decimals) {}

    json take() { return std::move(root_); }

    bool null() override { return put(nullptr); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(number_integer_t value) override { return put(value); }
    bool number_unsigned(number_unsigned_t value) override { return put(value); }
    bool number_float(number_float_t value, const string_t& text) override {
        if (decimals_ == Decimals::as_double) return put(value);
        return put(json::binary(std::vector<std::uint8_t>(text.begin(), text.end())));
    }
    bool string(string_t& value) override { return put(std::move(value)); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(json::object()); }
    bool start_array(std::size_t) override { return open(json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t& name) override {
        json& object = *open_.back().value;
        if (object.contains(name))
            throw InputError(
                fmt::format("{}: {}key {} is given twice; give it once", place_, path(), shown_json(name)));
        open_.back().key = name;
        return true;
    }

    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception& error) override {
        // "[json.exception.parse_error.101] parse error at line 1, column 2: …": the library's own part goes.
        std::string reason = error.what();
        if (const auto bracket = reason.find("] "); bracket != std::string::npos)
            reason.erase(0, bracket + 2);
        constexpr std::string_view opening = "parse error at ";
        if (reason.starts_with(opening)) reason.erase(0, opening.size());
        constexpr std::size_t longest = 300;
        if (reason.size() > longest) reason = reason.substr(0, longest) + "…";
        std::string remedy = "write it again, or check it with a JSON tool";
        const auto at = text_.substr(std::min(position ? position - 1 : 0, text_.size()));
        if (at.starts_with("NaN") || at.starts_with("Infinity"))
            remedy = "JSON has no NaN and no Infinity, so write finite numbers";
        if (dynamic_cast<const json::out_of_range*>(&error))
            remedy = "write it as a string, which is read exactly";
        throw InputError(fmt::format("{}: not JSON: {}; {}", place_, reason, remedy));
    }

  private:
    struct Open {
        json* value;
        std::string key;  // of an object: the member being read
    };

    /// Where the parser stands, as "heads[0].edges: ", or nothing at the root.
    std::string path() const {
        std::string text;
        for (std::size_t depth = 0; depth + 1 < open_.size(); ++depth) {
            const auto& level = open_[depth];
            if (level.value->is_array())
                text += fmt::format("[{}]", level.value->size() - 1);
            else
                text += (text.empty() ? "" : ".") + level.key;
        }
        return text.empty() ? text : text + ": ";
    }

    json* place_value(json&& value) {
        if (open_.empty()) {
            root_ = std::move(value);
            return &root_;
        }
        json& parent = *open_.back().value;
        if (parent.is_object()) return &(parent[open_.back().key] = std::move(value));
        parent.push_back(std::move(value));
        return &parent.back();
    }
    bool put(json&& value) {
        place_value(std::move(value));
        return true;
    }
    bool open(json&& empty) {
        if (open_.size() == max_json_depth)
            throw InputError(fmt::format("{}: JSON nested deeper than {} levels; no input of ours is", place_,
                                         max_json_depth));
        open_.push_back({place_value(std::move(empty)), {}});
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    std::string_view text_;
    const std::string& place_;
    Decimals decimals_;
    json root_;
    std::vector<Open> open_;
};

}  // namespace

json parse_strict_json(std::string_view text, const std::string& place, Decimals decimals) {
    StrictBuilder builder(text, place, decimals);
    json::sax_parse(text.begin(), text.end(), &builder);
    return builder.take();
}

bool is_decimal_text(const json& value) {
    return value.is_binary();
}

std::string decimal_text(const json& value) {
    const auto& bytes = value.get_binary();
    return {bytes.begin(), bytes.end()};
}

std::string shown_json(const json& value) {
    constexpr std::size_t longest = 60;
    if (value.is_object()) return "an object";
    if (value.is_array()) return fmt::format("an array of {}", value.size());
    const std::string text = is_decimal_text(value)
                                 ? decimal_text(value)
                                 : value.dump(-1, ' ', false, json::error_handler_t::replace);
    return text.size() <= longest ? text : text.substr(0, longest) + "…";
}

}  // namespace crosshead
