#include <fmt/format.h>

#include <algorithm>
#include <crosshead/trainer/pickle_opcodes.hpp>
#include <iterator>
#include <utility>

namespace crosshead {
namespace {

/// Opcodes that are refused, with the names that Python's pickletools gives them.
constexpr std::pair<unsigned char, std::string_view> refused_opcodes[] = {{'i', "INST"},
                                                                          {'o', "OBJ"},
                                                                          {'\x81', "NEWOBJ"},
                                                                          {'\x92', "NEWOBJ_EX"},
                                                                          {'\x82', "EXT1"},
                                                                          {'\x83', "EXT2"},
                                                                          {'\x84', "EXT4"},
                                                                          {'P', "PERSID"},
                                                                          {'F', "FLOAT"},
                                                                          {'I', "INT"},
                                                                          {'L', "LONG"},
                                                                          {'\x8b', "LONG4"},
                                                                          {'S', "STRING"},
                                                                          {'T', "BINSTRING"},
                                                                          {'U', "SHORT_BINSTRING"},
                                                                          {'V', "UNICODE"},
                                                                          {'B', "BINBYTES"},
                                                                          {'C', "SHORT_BINBYTES"},
                                                                          {'\x8e', "BINBYTES8"},
                                                                          {'\x96', "BYTEARRAY8"},
                                                                          {'\x97', "NEXT_BUFFER"},
                                                                          {'\x98', "READONLY_BUFFER"},
                                                                          {'\x8f', "EMPTY_SET"},
                                                                          {'\x90', "ADDITEMS"},
                                                                          {'\x91', "FROZENSET"},
                                                                          {'0', "POP"},
                                                                          {'1', "POP_MARK"},
                                                                          {'2', "DUP"},
                                                                          {'d', "DICT"},
                                                                          {'l', "LIST"},
                                                                          {'p', "PUT"},
                                                                          {'g', "GET"}};

}  // namespace

std::string refused_opcode_name(unsigned char code) {
    const auto* found = std::find_if(std::begin(refused_opcodes), std::end(refused_opcodes),
                                     [&](const auto& entry) { return entry.first == code; });
    return found == std::end(refused_opcodes) ? fmt::format("opcode 0x{:02x}", code)
                                              : fmt::format("opcode {} (0x{:02x})", found->second, code);
}

std::string printable(std::string_view text) {
    std::string out;
    for (const char c : text.substr(0, 80))
        out += c >= ' ' && c <= '~' ? std::string(1, c)
                                    : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    return text.size() > 80 ? out + "…" : out;
}

}  // namespace crosshead
