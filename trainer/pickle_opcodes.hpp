// Names for what a pickle must not contain, for the messages that refuse it. Private to trainer/.
#pragma once

#include <string>
#include <string_view>

namespace crosshead {

/// "opcode NEWOBJ (0x81)", or "opcode 0xff" for a byte that is no opcode.
std::string refused_opcode_name(unsigned char code);

/// Untrusted text made fit for a message: printable ASCII, at most 80 characters.
std::string printable(std::string_view text);

}  // namespace crosshead
