#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/file_io.hpp>
#include <cstring>

namespace crosshead {
namespace {

/// A file descriptor that closes itself.
class Descriptor {
  public:
    explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    int get() const { return descriptor_; }
    /// Takes over a descriptor; requires that it holds none.
    void reset(int descriptor) { descriptor_ = descriptor; }
    /// Closes now, so that a failing close can be reported.
    int close() {
        const int result = ::close(descriptor_);
        descriptor_ = -1;
        return result;
    }

  private:
    int descriptor_;
};

std::string system_reason() {
    return std::strerror(errno);
}

/// An empty temporary file in the folder of the file that it is to replace; links are followed.
struct Replacement {
    std::string target, temporary;
    Descriptor file{-1};
    bool exists = false;
    struct stat existing {};

    /// Throws InputError: the place is no regular file, or its folder cannot be written.
    explicit Replacement(const std::filesystem::path& path) {
        const std::string place = path.string();
        std::error_code unresolved;
        const auto followed = std::filesystem::canonical(path, unresolved);
        target = unresolved ? place : followed.string();
        exists = ::stat(target.c_str(), &existing) == 0;
        if (exists && !S_ISREG(existing.st_mode))
            throw InputError(
                fmt::format("{}: is not a regular file, and would be replaced; name a file", place));
        temporary = target + ".XXXXXX";
        file.reset(::mkostemp(temporary.data(), O_CLOEXEC));
        if (file.get() < 0)
            throw InputError(
                fmt::format("{}: cannot be written: {}; choose another place", place, system_reason()));
    }
};

}  // namespace

std::string read_file(const std::filesystem::path& path, std::uint64_t limit) {
    const std::string place = path.string();
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0)
        throw InputError(fmt::format("{}: cannot be opened: {}; check the path", place, system_reason()));
    struct stat status {};
    if (::fstat(file.get(), &status) != 0)
        throw InputError(fmt::format("{}: cannot be read: {}", place, system_reason()));
    if (S_ISDIR(status.st_mode))
        throw InputError(fmt::format("{}: is a directory; name a file in it", place));
    if (!S_ISREG(status.st_mode))
        throw InputError(fmt::format("{}: is not a regular file; save the data to a file first", place));
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size == 0) throw InputError(fmt::format("{}: is empty; write it again", place));
    if (size > limit)
        throw InputError(
            fmt::format("{}: {} bytes, more than the {} that are read; split it", place, size, limit));
    std::string bytes(size, '\0');
    std::size_t filled = 0;
    while (filled < bytes.size()) {
        const ssize_t got = ::read(file.get(), bytes.data() + filled, bytes.size() - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw InputError(fmt::format("{}: cannot be read: {}", place, system_reason()));
        if (got == 0) throw InputError(fmt::format("{}: became shorter while it was read; try again", place));
        filled += static_cast<std::size_t>(got);
    }
    return bytes;
}

void require_writable(const std::filesystem::path& path) {
    const Replacement replacement(path);
    ::unlink(replacement.temporary.c_str());
}

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes) {
    const std::string place = path.string();
    Replacement replacement(path);
    auto& [target, temporary, file, exists, existing] = replacement;
    const auto fail = [&] {
        const std::string reason = system_reason();
        ::unlink(temporary.c_str());
        throw InputError(fmt::format("{}: cannot be written: {}; nothing was changed", place, reason));
    };
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(file.get(), exists ? existing.st_mode & 07777 : 0666 & ~mask) != 0) fail();
    for (std::size_t written = 0; written < bytes.size();) {
        const ssize_t put = ::write(file.get(), bytes.data() + written, bytes.size() - written);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) fail();
        written += static_cast<std::size_t>(put);
    }
    if (::fsync(file.get()) != 0 || file.close() != 0 || ::rename(temporary.c_str(), target.c_str()) != 0)
        fail();
}

}  // namespace crosshead
