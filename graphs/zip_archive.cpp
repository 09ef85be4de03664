#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/file_io.hpp>
#include <crosshead/graphs/zip_archive.hpp>
#include <unordered_map>

namespace crosshead {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

std::string error_text(zip_error_t* error) {
    return zip_error_strerror(error);
}

/// Fields of a directory record without which it cannot be checked.
constexpr zip_uint64_t needed_fields =
    ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;

/// Refuses a directory record that states what no honest archive needs.
void require_entry_within(const zip_stat_t& entry, const ZipLimits& limits, const std::string& place) {
    if (entry.encryption_method != ZIP_EM_NONE)
        throw InputError(fmt::format("{}: is encrypted; write the archive again without a password", place));
    if (entry.comp_method != ZIP_CM_STORE && entry.comp_method != ZIP_CM_DEFLATE)
        throw InputError(fmt::format(
            "{}: compressed with method {}; only stored and deflated entries are read, so write it again "
            "with one of those",
            place, entry.comp_method));
    if (entry.size > limits.max_entry_bytes)
        throw InputError(fmt::format("{}: would be {} bytes, more than the {} that are read; split it", place,
                                     entry.size, limits.max_entry_bytes));
    if (entry.comp_method == ZIP_CM_STORE && entry.size != entry.comp_size)
        throw InputError(
            fmt::format("{}: stored, yet {} bytes take {}; the directory is damaged, write the archive again",
                        place, entry.size, entry.comp_size));
    if (entry.size > mebibyte && entry.size / std::max<zip_uint64_t>(entry.comp_size, 1) > limits.max_ratio)
        throw InputError(
            fmt::format("{}: {} bytes would inflate to {}, more than {} to 1: a zip bomb; if it is honest "
                        "data, write it uncompressed",
                        place, entry.comp_size, entry.size, limits.max_ratio));
}

}  // namespace

struct ZipArchive::Implementation {
    std::string place;
    std::string bytes;  // the whole archive: libzip reads from here, so the file cannot change under it
    zip_t* archive = nullptr;
    std::vector<ZipEntry> entries;
    std::unordered_map<std::string, zip_uint64_t> index;

    Implementation() = default;
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;
    ~Implementation() {
        if (archive != nullptr) zip_discard(archive);
    }

    void open();
    void read_directory(const ZipLimits& limits);
};

void ZipArchive::Implementation::open() {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
    if (source != nullptr) archive = zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error);
    if (archive == nullptr) {
        const std::string reason = error_text(&error);
        zip_error_fini(&error);
        if (source != nullptr) zip_source_free(source);
        throw InputError(
            fmt::format("{}: is not a whole zip archive ({}); write or download it again", place, reason));
    }
    zip_error_fini(&error);
}

void ZipArchive::Implementation::read_directory(const ZipLimits& limits) {
    const auto count = static_cast<zip_uint64_t>(std::max<zip_int64_t>(zip_get_num_entries(archive, 0), 0));
    if (count > limits.max_entries)
        throw InputError(fmt::format("{}: has {} entries, more than the {} that are read; split it", place,
                                     count, limits.max_entries));
    zip_uint64_t total = 0, compressed = 0;
    for (zip_uint64_t i = 0; i < count; ++i) {
        zip_stat_t entry;
        if (zip_stat_index(archive, i, 0, &entry) != 0 || (entry.valid & needed_fields) != needed_fields)
            throw InputError(fmt::format("{}: the record of entry {} cannot be read ({}); write it again",
                                         place, i, error_text(zip_get_error(archive))));
        const std::string name = entry.name;
        require_entry_within(entry, limits, fmt::format("{}: entry {}", place, name));
        // Entries that share bytes are how a small archive inflates beyond any ratio of one entry.
        if (entry.comp_size > bytes.size() - compressed)
            throw InputError(
                fmt::format("{}: the entries up to {} claim more than the {} bytes of the archive, so they "
                            "overlap; write it again",
                            place, name, bytes.size()));
        compressed += entry.comp_size;
        if (entry.size > limits.max_total_bytes - total)
            throw InputError(
                fmt::format("{}: the entries up to {} hold more than the {} bytes that are read; split it",
                            place, name, limits.max_total_bytes));
        total += entry.size;
        if (!index.emplace(name, i).second)
            throw InputError(
                fmt::format("{}: two entries are named {}; which one is meant is not defined, write it again",
                            place, name));
        entries.push_back({name, entry.size});
    }
}

ZipArchive::ZipArchive(const std::filesystem::path& path, const ZipLimits& limits)
    : implementation_(std::make_unique<Implementation>()) {
    implementation_->place = path.string();
    implementation_->bytes = read_file(path);
    implementation_->open();
    implementation_->read_directory(limits);
}

ZipArchive::~ZipArchive() = default;
ZipArchive::ZipArchive(ZipArchive&&) noexcept = default;
ZipArchive& ZipArchive::operator=(ZipArchive&&) noexcept = default;

const std::vector<ZipEntry>& ZipArchive::entries() const {
    return implementation_->entries;
}

bool ZipArchive::contains(const std::string& name) const {
    return implementation_->index.contains(name);
}

std::string ZipArchive::read(const std::string& name) const {
    const auto found = implementation_->index.find(name);
    if (found == implementation_->index.end())
        throw InputError(fmt::format("{}: has no entry {}; it is not the kind of archive that was expected",
                                     implementation_->place, name));
    const auto fail = [&](const std::string& reason) {
        throw InputError(fmt::format("{}: entry {} cannot be read ({}); write or download it again",
                                     implementation_->place, name, reason));
    };
    zip_file_t* opened = zip_fopen_index(implementation_->archive, found->second, 0);
    if (opened == nullptr) fail(error_text(zip_get_error(implementation_->archive)));
    const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(opened, zip_fclose);
    std::string bytes(implementation_->entries[found->second].bytes, '\0');
    std::size_t filled = 0;
    while (filled < bytes.size()) {
        const zip_int64_t got = zip_fread(file.get(), bytes.data() + filled, bytes.size() - filled);
        if (got < 0) fail(error_text(zip_file_get_error(file.get())));
        if (got == 0) fail(fmt::format("it ends after {} of {} bytes", filled, bytes.size()));
        filled += static_cast<std::size_t>(got);
    }
    // libzip compares the checksum when it reaches the end, which takes one more read.
    char beyond = 0;
    const zip_int64_t more = zip_fread(file.get(), &beyond, 1);
    if (more < 0) fail(error_text(zip_file_get_error(file.get())));
    if (more > 0) fail(fmt::format("it goes on after the {} bytes that the directory states", bytes.size()));
    return bytes;
}

}  // namespace crosshead
