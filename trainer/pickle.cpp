#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <crosshead/graphs/error.hpp>
#include <crosshead/trainer/pickle.hpp>
#include <crosshead/trainer/pickle_opcodes.hpp>
#include <cstring>
#include <unordered_map>
#include <utility>

namespace crosshead {
namespace {

using Kind = PickleValue::Kind;

constexpr std::size_t max_global_text = 256;

}  // namespace

std::string to_string(Kind kind) {
    static constexpr const char* names[] = {"None",     "a truth value", "an integer",       "a number",
                                            "text",     "a tuple",       "a list",           "a dict",
                                            "a global", "a call",        "an outside object"};
    return names[static_cast<std::size_t>(kind)];
}

/// The stack machine. One object reads one pickle.
class PickleMachine {
  public:
    PickleMachine(std::string_view bytes, const std::set<std::string, std::less<>>& allowed,
                  const std::string& place, const PickleLimits& limits, Pickle& result)
        : bytes_(bytes), allowed_(allowed), place_(place), limits_(limits), values_(result.values_) {}

    PickleId run() {
        if (bytes_.size() > limits_.max_bytes)
            refuse(fmt::format("is {} bytes long, more than the {} that are read", bytes_.size(),
                               limits_.max_bytes));
        for (;;) {
            opcode_at_ = at_;
            const auto code = static_cast<unsigned char>(take(1)[0]);
            if (code == '.') break;
            if (!literal(code) && !container(code) && !structure(code))
                refuse(refused_opcode_name(code) + " is not plain data");
        }
        if (at_ != bytes_.size()) refuse("bytes follow the end of the pickle");
        if (stack_.size() != 1 || !marks_.empty()) refuse("the pickle does not end with one value");
        return stack_.front();
    }

  private:
    [[noreturn]] void refuse(const std::string& why) const {
        throw InputError(
            fmt::format("{} byte {}: {}; nothing was run (save the model's state_dict() with torch.save)",
                        place_, opcode_at_, why));
    }

    std::string_view take(std::uint64_t count) {
        if (count > bytes_.size() - at_)
            refuse(fmt::format("{} bytes are needed but {} are left; the file is truncated", count,
                               bytes_.size() - at_));
        const std::string_view taken = bytes_.substr(at_, count);
        at_ += count;
        return taken;
    }

    /// A little-endian unsigned integer of `count` ≤ 8 bytes.
    std::uint64_t number(std::size_t count) {
        std::uint64_t value = 0;
        std::memcpy(&value, take(count).data(), count);
        return value;
    }

    std::string_view line() {
        const std::size_t end = bytes_.substr(at_, max_global_text + 1).find('\n');
        if (end == std::string_view::npos) refuse("a name has no end");
        const std::string_view text = take(end);
        take(1);
        return text;
    }

    void push(PickleValue value) {
        for (const PickleId item : value.items) value.depth = std::max(value.depth, values_[item].depth + 1);
        require_depth(value.depth);
        if (values_.size() == limits_.max_values)
            refuse(fmt::format("more than the {} values that are read", limits_.max_values));
        values_.push_back(std::move(value));
        stack_.push_back(values_.size() - 1);
    }
    void push_integer(std::int64_t value) { push({.kind = Kind::integer, .integer = value}); }
    void push_text(std::string_view text) { push({.kind = Kind::text, .text = std::string(text)}); }

    void require_depth(std::size_t depth) const {
        if (depth > limits_.max_depth) refuse(fmt::format("values nest deeper than {}", limits_.max_depth));
    }

    /// Values above the last open mark are all that an opcode may reach.
    std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }

    PickleId pop() {
        if (stack_.size() <= floor()) refuse("takes a value from an empty stack");
        const PickleId id = stack_.back();
        stack_.pop_back();
        return id;
    }

    std::vector<PickleId> pop_many(std::size_t count) {
        if (stack_.size() < floor() + count) refuse("takes a value from an empty stack");
        std::vector<PickleId> items(stack_.end() - static_cast<std::ptrdiff_t>(count), stack_.end());
        stack_.resize(stack_.size() - count);
        return items;
    }

    std::vector<PickleId> pop_to_mark() {
        if (marks_.empty()) refuse("closes a mark that is not open");
        std::vector<PickleId> items = pop_many(stack_.size() - marks_.back());
        marks_.pop_back();
        return items;
    }

    /// Moves items into the list or dict on top of the stack.
    void extend(Kind kind, const std::vector<PickleId>& items) {
        if (stack_.size() <= floor() || values_[stack_.back()].kind != kind)
            refuse(fmt::format("adds items to something that is not {}", to_string(kind)));
        if (kind == Kind::dict && items.size() % 2 != 0) refuse("adds a key without a value");
        PickleValue& container = values_[stack_.back()];
        for (const PickleId item : items) {
            if (item == stack_.back()) refuse("a container is put into itself");
            container.depth = std::max(container.depth, values_[item].depth + 1);
        }
        require_depth(container.depth);
        container.items.insert(container.items.end(), items.begin(), items.end());
    }

    void remember(std::uint64_t key) {
        if (stack_.size() <= floor()) refuse("remembers a value from an empty stack");
        if (memo_.size() >= limits_.max_values) refuse("remembers too many values");
        memo_[key] = stack_.back();
    }

    void recall(std::uint64_t key) {
        const auto found = memo_.find(key);
        if (found == memo_.end()) refuse(fmt::format("recalls value {}, which was never remembered", key));
        stack_.push_back(found->second);
        if (stack_.size() > limits_.max_values) refuse("the stack grows beyond what is read");
    }

    void global(std::string_view module, std::string_view name) {
        std::string full = fmt::format("{}.{}", module, name);
        if (!allowed_.contains(full))
            throw InputError(fmt::format(
                "{} byte {}: pickle names {}, which is not on the list of what a checkpoint may hold; "
                "nothing was run (save the model's state_dict() with torch.save)",
                place_, opcode_at_, printable(full)));
        push({.kind = Kind::global, .text = std::move(full)});
    }

    void stack_global() {
        const std::vector<PickleId> names = pop_many(2);
        for (const PickleId id : names)
            if (values_[id].kind != Kind::text || values_[id].text.size() > max_global_text)
                refuse("a global is named by something that is not a short text");
        global(values_[names[0]].text, values_[names[1]].text);
    }

    /// An OrderedDict of nothing is a dict; every other call stays a value.
    void call() {
        const std::vector<PickleId> items = pop_many(2);
        const PickleValue& callee = values_[items[0]];
        const PickleValue& arguments = values_[items[1]];
        if (callee.kind != Kind::global || arguments.kind != Kind::tuple)
            refuse("calls something that is not a global, or not with a tuple");
        if (callee.text != "collections.OrderedDict") return push({.kind = Kind::call, .items = items});
        if (!arguments.items.empty()) refuse("an OrderedDict is made with arguments");
        push({.kind = Kind::dict});
    }

    /// Attributes set on a state_dict: `_metadata` holds version numbers, which are not needed.
    void set_attributes() {
        const PickleId state = pop();
        if (stack_.size() <= floor() || values_[stack_.back()].kind != Kind::dict ||
            values_[state].kind != Kind::dict)
            refuse("sets attributes of something that is not an OrderedDict");
        const std::vector<PickleId>& items = values_[state].items;
        if (items.size() != 2 || values_[items[0]].text != "_metadata")
            refuse("sets attributes other than _metadata");
    }

    void long_integer() {
        const std::size_t count = number(1);
        if (count > 8) refuse(fmt::format("an integer of {} bytes", count));
        std::uint64_t value = number(count);
        const bool negative = count > 0 && ((value >> (8 * count - 1)) & 1) != 0;
        if (negative && count < 8) value |= ~std::uint64_t{0} << (8 * count);
        push_integer(static_cast<std::int64_t>(value));
    }

    void begin() {
        if (const std::uint64_t protocol = number(1); protocol < 2 || protocol > 5)
            refuse(fmt::format("pickle protocol {}; 2 to 5 are read", protocol));
    }

    /// Opcodes that push a value of their own. False for any other opcode.
    bool literal(unsigned char code) {
        switch (code) {
            case 'N':
                push({});
                return true;
            case 0x88:
                push({.kind = Kind::boolean, .integer = 1});
                return true;
            case 0x89:
                push({.kind = Kind::boolean, .integer = 0});
                return true;
            case 'K':
                push_integer(static_cast<std::int64_t>(number(1)));
                return true;
            case 'M':
                push_integer(static_cast<std::int64_t>(number(2)));
                return true;
            case 'J':
                push_integer(static_cast<std::int32_t>(number(4)));
                return true;
            case 0x8a:
                long_integer();
                return true;
            case 'G': {
                std::uint64_t bits = number(8);  // stored big-endian
                std::reverse(reinterpret_cast<char*>(&bits), reinterpret_cast<char*>(&bits + 1));
                push({.kind = Kind::real, .real = std::bit_cast<double>(bits)});
                return true;
            }
            case 0x8c:
                push_text(take(number(1)));
                return true;
            case 'X':
                push_text(take(number(4)));
                return true;
            case 0x8d:
                push_text(take(number(8)));
                return true;
            case ')':
                push({.kind = Kind::tuple});
                return true;
            case ']':
                push({.kind = Kind::list});
                return true;
            case '}':
                push({.kind = Kind::dict});
                return true;
            case 'c': {
                const std::string_view module = line();
                global(module, line());
                return true;
            }
            default:
                return false;
        }
    }

    /// Opcodes that build tuples, lists and dicts from the stack. False for any other opcode.
    bool container(unsigned char code) {
        switch (code) {
            case 't':
                push({.kind = Kind::tuple, .items = pop_to_mark()});
                return true;
            case 0x85:
                push({.kind = Kind::tuple, .items = pop_many(1)});
                return true;
            case 0x86:
                push({.kind = Kind::tuple, .items = pop_many(2)});
                return true;
            case 0x87:
                push({.kind = Kind::tuple, .items = pop_many(3)});
                return true;
            case 'a':
                extend(Kind::list, pop_many(1));
                return true;
            case 'e':
                extend(Kind::list, pop_to_mark());
                return true;
            case 's':
                extend(Kind::dict, pop_many(2));
                return true;
            case 'u':
                extend(Kind::dict, pop_to_mark());
                return true;
            default:
                return false;
        }
    }

    /// Opcodes that frame, mark, remember, name and call. False for any other opcode.
    bool structure(unsigned char code) {
        switch (code) {
            case 0x80:
                begin();
                return true;
            case 0x95:
                number(8);
                return true;  // FRAME: a hint for buffered readers
            case '(':
                require_depth(marks_.size() + 1);
                marks_.push_back(stack_.size());
                return true;
            case 'q':
                remember(number(1));
                return true;
            case 'r':
                remember(number(4));
                return true;
            case 0x94:
                remember(memo_.size());
                return true;
            case 'h':
                recall(number(1));
                return true;
            case 'j':
                recall(number(4));
                return true;
            case 0x93:
                stack_global();
                return true;
            case 'R':
                call();
                return true;
            case 'b':
                set_attributes();
                return true;
            case 'Q':
                push({.kind = Kind::persistent, .items = pop_many(1)});
                return true;
            default:
                return false;
        }
    }

    std::string_view bytes_;
    const std::set<std::string, std::less<>>& allowed_;
    const std::string& place_;
    const PickleLimits& limits_;
    std::vector<PickleValue>& values_;
    std::size_t at_ = 0, opcode_at_ = 0;
    std::vector<PickleId> stack_;
    std::vector<std::size_t> marks_;  // stack sizes at the open marks
    std::unordered_map<std::uint64_t, PickleId> memo_;
};

Pickle::Pickle(std::string_view bytes, const std::set<std::string, std::less<>>& allowed,
               const std::string& place, const PickleLimits& limits) {
    root_ = PickleMachine(bytes, allowed, place, limits, *this).run();
}

}  // namespace crosshead
