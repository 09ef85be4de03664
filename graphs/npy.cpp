// Source: the format specification in NumPy's documentation ("NEP 1", numpy.lib.format), versions 1 to 3.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/file_io.hpp>
#include <crosshead/graphs/npy.hpp>
#include <crosshead/graphs/zip_archive.hpp>
#include <cstring>
#include <limits>
#include <optional>

namespace crosshead {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are decoded for a little-endian machine");

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t max_header = 1 << 16;
constexpr std::size_t max_dimensions = 32;  // NumPy's own limit

/// What the header says.
struct Header {
    std::string dtype;
    bool fortran_order = false;
    std::vector<std::int64_t> shape;
};

/// Reads the one Python literal that a header may be: {'descr': '<f4', 'fortran_order': False,
/// 'shape': (2, 3), }, keys in any order, then spaces and a newline. Nothing is evaluated.
class HeaderParser {
  public:
    HeaderParser(std::string_view text, const std::string& place) : text_(text), place_(place) {}

    Header parse() {
        std::optional<std::string> dtype;
        std::optional<bool> fortran_order;
        std::optional<std::vector<std::int64_t>> shape;
        expect('{');
        while (!accept('}')) {
            const std::string key = parse_string();
            expect(':');
            if (key == "descr" && !dtype)
                dtype = parse_dtype();
            else if (key == "fortran_order" && !fortran_order)
                fortran_order = parse_bool();
            else if (key == "shape" && !shape)
                shape = parse_shape();
            else
                fail(fmt::format("key '{}' is unknown or given twice", key));
            if (!accept(',') && peek() != '}') fail("a comma or } is missing");
        }
        skip_spaces();
        if (at_ != text_.size()) fail("text follows the header's }");
        if (!dtype || !fortran_order || !shape) fail("descr, fortran_order or shape is missing");
        return {*dtype, *fortran_order, *shape};
    }

  private:
    [[noreturn]] void fail(const std::string& why) const {
        throw InputError(fmt::format(
            "{}: the .npy header is malformed at byte {} of it: {}; save the array again with numpy.save",
            place_, at_, why));
    }
    void skip_spaces() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
    }
    char peek() {
        skip_spaces();
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool accept(char wanted) {
        if (peek() != wanted) return false;
        ++at_;
        return true;
    }
    void expect(char wanted) {
        if (!accept(wanted)) fail(fmt::format("'{}' expected", wanted));
    }
    std::string parse_string() {
        const char quote = peek();
        if (quote != '\'' && quote != '"') fail("a string expected");
        const std::size_t begin = ++at_;
        while (at_ < text_.size() && text_[at_] != quote) {
            if (text_[at_] == '\\' || text_[at_] == '\n') fail("an escape or a line break in a string");
            ++at_;
        }
        if (at_ == text_.size()) fail("a string does not end");
        return std::string(text_.substr(begin, at_++ - begin));
    }
    std::string parse_dtype() {
        if (peek() == '[' || peek() == '(') {
            // A list of fields. An object field makes it a pickle like any other.
            const auto rest = text_.substr(at_);
            const bool objects = rest.find("O'") != rest.npos || rest.find("O\"") != rest.npos;
            if (objects) refuse_objects();
            throw InputError(
                fmt::format("{}: holds records with named fields; save one numeric field, as in "
                            "numpy.save(path, a['field'])",
                            place_));
        }
        const std::string dtype = parse_string();
        if (dtype.find('O') != dtype.npos) refuse_objects();
        return dtype;
    }
    [[noreturn]] void refuse_objects() const {
        throw InputError(
            fmt::format("{}: holds pickled Python objects (dtype object), which can run code; save it with a "
                        "numeric dtype, as "
                        "in numpy.save(path, a.astype('float32'))",
                        place_));
    }
    bool parse_bool() {
        skip_spaces();
        for (const auto& [word, value] : {std::pair(std::string_view("True"), true), {"False", false}})
            if (text_.substr(at_).starts_with(word)) {
                at_ += word.size();
                return value;
            }
        fail("True or False expected");
    }
    std::vector<std::int64_t> parse_shape() {
        std::vector<std::int64_t> shape;
        expect('(');
        while (!accept(')')) {
            shape.push_back(parse_size());
            if (shape.size() > max_dimensions) fail(fmt::format("more than {} dimensions", max_dimensions));
            if (!accept(',') && (peek() != ')' || shape.size() == 1)) fail("a comma is missing in the shape");
        }
        return shape;
    }
    std::int64_t parse_size() {
        skip_spaces();
        constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
        std::int64_t value = 0;
        const std::size_t begin = at_;
        for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
            const int digit = text_[at_] - '0';
            if (value > (largest - digit) / 10) fail("a dimension exceeds 64 bits");
            value = value * 10 + digit;
        }
        if (at_ == begin) fail("a dimension expected, as a plain number");
        if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote (3L, 4L)
        return value;
    }

    std::string_view text_;
    const std::string& place_;
    std::size_t at_ = 0;
};

/// IEEE binary16, exactly.
double half_to_double(std::uint16_t bits) {
    const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
    double magnitude = 0;
    if (exponent == 31)
        magnitude =
            fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    else if (exponent == 0)
        magnitude = std::ldexp(fraction, -24);
    else
        magnitude = std::ldexp(1024 + fraction, exponent - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
}

/// A bit pattern of `Bits` as the number of type `Stored`, widened without loss.
template <class Wide, class Bits, class Stored>
Wide widen(Bits bits) {
    return static_cast<Wide>(std::bit_cast<Stored>(bits));
}

/// Brings `count` elements to C order and to the machine's byte order.
template <class Bits, class Wide, class Convert>
std::vector<Wide> decode(std::string_view bytes, const Header& header, bool big_endian, Convert convert) {
    const std::size_t count = bytes.size() / sizeof(Bits);
    std::vector<Wide> values(count);
    // Fortran order: the first index runs fastest. `offset` walks the file in C order of the indices.
    const std::size_t rank = header.shape.size();
    std::array<std::size_t, max_dimensions> index{}, stride{1};
    for (std::size_t d = 1; d < rank; ++d)
        stride[d] = stride[d - 1] * static_cast<std::size_t>(header.shape[d - 1]);
    std::size_t offset = 0;
    for (std::size_t c = 0; c < count; ++c) {
        Bits bits;
        char raw[sizeof(Bits)];
        std::memcpy(raw, bytes.data() + (header.fortran_order ? offset : c) * sizeof(Bits), sizeof(Bits));
        if (big_endian) std::reverse(raw, raw + sizeof(Bits));
        std::memcpy(&bits, raw, sizeof(Bits));
        values[c] = convert(bits);
        for (std::size_t d = rank; header.fortran_order && d-- > 0;) {
            offset += stride[d];
            if (++index[d] < static_cast<std::size_t>(header.shape[d])) break;
            offset -= stride[d] * index[d];
            index[d] = 0;
        }
    }
    return values;
}

std::size_t element_size(const Header& header, const std::string& place) {
    static constexpr std::string_view supported[] = {"f2", "f4", "f8", "i1", "i2", "i4",
                                                     "i8", "u1", "u2", "u4", "b1"};
    const std::string_view dtype = header.dtype;
    const bool known =
        dtype.size() == 3 && std::ranges::find(supported, dtype.substr(1)) != std::end(supported);
    const bool order = known && (dtype[0] == '<' || dtype[0] == '>' || (dtype[0] == '|' && dtype[2] == '1'));
    if (!order)
        throw InputError(fmt::format(
            "{}: dtype '{}' is not read; save it as float16, float32, float64 or an integer of at most 64 "
            "bits (uint64 excepted), as in numpy.save(path, a.astype('float64'))",
            place, dtype));
    return static_cast<std::size_t>(dtype[2] - '0');
}

NpyArray decode_elements(std::string_view bytes, const Header& header) {
    NpyArray array;
    array.shape = header.shape;
    const bool big = header.dtype[0] == '>';
    const std::string_view type = std::string_view(header.dtype).substr(1);
    const auto floats = [&]<class Bits>(auto convert) {
        array.floating = decode<Bits, double>(bytes, header, big, convert);
    };
    const auto integers = [&]<class Bits, class Stored>() {
        array.kind = NpyArray::Kind::integer;
        array.integers = decode<Bits, std::int64_t>(bytes, header, big, widen<std::int64_t, Bits, Stored>);
    };
    if (type == "f2") floats.operator()<std::uint16_t>(half_to_double);
    if (type == "f4") floats.operator()<std::uint32_t>(widen<double, std::uint32_t, float>);
    if (type == "f8") floats.operator()<std::uint64_t>(widen<double, std::uint64_t, double>);
    if (type == "i1") integers.operator()<std::uint8_t, std::int8_t>();
    if (type == "i2") integers.operator()<std::uint16_t, std::int16_t>();
    if (type == "i4") integers.operator()<std::uint32_t, std::int32_t>();
    if (type == "i8") integers.operator()<std::uint64_t, std::int64_t>();
    if (type == "u1" || type == "b1") integers.operator()<std::uint8_t, std::uint8_t>();
    if (type == "u2") integers.operator()<std::uint16_t, std::uint16_t>();
    if (type == "u4") integers.operator()<std::uint32_t, std::uint32_t>();
    return array;
}

/// The header's text and where the data begins.
std::pair<std::string_view, std::size_t> split_header(std::string_view bytes, const std::string& place) {
    const auto truncated = [&] {
        return InputError(
            fmt::format("{}: truncated: the file ends inside the .npy header; copy it again", place));
    };
    if (!bytes.starts_with(magic.substr(0, std::min(bytes.size(), magic.size()))) || bytes.empty())
        throw InputError(fmt::format(
            "{}: not a .npy file (it does not start with \\x93NUMPY); save it with numpy.save", place));
    if (bytes.size() < 8) throw truncated();
    const int version = static_cast<unsigned char>(bytes[6]);
    if (version < 1 || version > 3)
        throw InputError(fmt::format("{}: .npy version {}; versions 1 to 3 are read", place, version));
    const std::size_t length_bytes = version == 1 ? 2 : 4;
    if (bytes.size() < 8 + length_bytes) throw truncated();
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data() + 8, length_bytes);
    if (length > max_header)
        throw InputError(
            fmt::format("{}: the .npy header claims {} bytes (at most {} are read); save one plain array",
                        place, length, max_header));
    const std::size_t start = 8 + length_bytes;
    if (bytes.size() - start < length) throw truncated();
    return {bytes.substr(start, length), start + length};
}

std::string shown_shape(const std::vector<std::int64_t>& shape) {
    return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

constexpr std::string_view suffix = ".npy";

}  // namespace

NpyArray parse_npy(std::string_view bytes, const std::string& place) {
    const auto [text, start] = split_header(bytes, place);
    const Header header = HeaderParser(text, place).parse();
    std::size_t wanted = element_size(header, place);
    const bool is_empty = std::ranges::find(header.shape, 0) != header.shape.end();
    for (const auto dimension : header.shape)
        if (!is_empty && __builtin_mul_overflow(wanted, static_cast<std::size_t>(dimension), &wanted))
            throw InputError(fmt::format("{}: shape {} does not fit a file; save the array again", place,
                                         shown_shape(header.shape)));
    if (is_empty) wanted = 0;
    const std::string_view data = bytes.substr(start);
    if (data.size() != wanted)
        throw InputError(
            fmt::format("{}: {}: shape {} of {} needs {} bytes of data, the file holds {}; copy it again",
                        place, data.size() < wanted ? "truncated" : "bytes follow the array",
                        shown_shape(header.shape), header.dtype, wanted, data.size()));
    return decode_elements(data, header);
}

NpyArray read_npy(const std::filesystem::path& path) {
    return parse_npy(read_file(path), path.string());
}

std::map<std::string, NpyArray> read_npz(const std::filesystem::path& path) {
    std::map<std::string, NpyArray> arrays;
    for (const auto& name : npz_names(path)) arrays.emplace(name, read_npz_array(path, name));
    return arrays;
}

std::vector<std::string> npz_names(const std::filesystem::path& path) {
    std::vector<std::string> names;
    const ZipArchive archive(path);
    for (const auto& entry : archive.entries()) {
        if (!entry.name.ends_with(suffix) || entry.name.size() == suffix.size())
            throw InputError(
                fmt::format("{}: entry \"{}\" is not an array (NAME.npy); save the archive with numpy.savez",
                            path.string(), entry.name));
        names.push_back(entry.name.substr(0, entry.name.size() - suffix.size()));
    }
    return names;
}

NpyArray read_npz_array(const std::filesystem::path& path, const std::string& name) {
    return parse_npy(ZipArchive(path).read(name + std::string(suffix)),
                     fmt::format("{}: {}", path.string(), name));
}

}  // namespace crosshead
