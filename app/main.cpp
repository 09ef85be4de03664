// The program: parses the command line, runs one command, maps errors to exit codes (design §4).
#include <fmt/format.h>

#include <crosshead/graphs/error.hpp>
#include <csignal>
#include <exception>

#include "check.hpp"
#include "claims.hpp"
#include "context.hpp"
#include "expand.hpp"
#include "generate.hpp"
#include "measure.hpp"
#include "optimise.hpp"
#include "train.hpp"
#include "validate.hpp"

namespace {

using crosshead::ExitCode;

/// One argument as a POSIX shell would have to be given it.
std::string shell_quoted(const std::string& argument) {
    const std::string plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+@%";
    if (!argument.empty() && argument.find_first_not_of(plain) == std::string::npos) return argument;
    std::string quoted = "'";
    for (const char c : argument) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::string command_line(int argc, char** argv) {
    std::string line = "crosshead";
    for (int i = 1; i < argc; ++i) line += " " + shell_quoted(argv[i]);
    return line;
}

int fail(ExitCode code, const std::string& message) {
    crosshead::print_error("crosshead: " + message + "\n");
    return static_cast<int>(code);
}

}  // namespace

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error message, not a silent death
    crosshead::Context context;
    context.arguments.assign(argv, argv + argc);
    context.command_line = command_line(argc, argv);
    CLI::App app("Crosshead checks theorems about how information moves through multi-head attention.",
                 "crosshead");
    app.require_subcommand(1);
    app.set_version_flag("--version", std::string("crosshead ") + CROSSHEAD_VERSION);
    app.footer(
        "Exit codes: 0 done, nothing refuted; 10 a counterexample was found; 2 usage; 3 bad input; 4 not "
        "built in;\n"
        "70 internal error; 130 interrupted, state saved.  `crosshead COMMAND --help` explains a command.");
    try {
        crosshead::add_measure_command(app, context);
        crosshead::add_expand_command(app, context);
        crosshead::add_optimise_command(app, context);
        crosshead::add_validate_command(app, context);
        crosshead::add_train_command(app, context);
        crosshead::add_generate_command(app);
        crosshead::add_claims_command(app, context);
        crosshead::add_check_command(app, context);
        crosshead::add_refute_command(app, context);
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : static_cast<int>(ExitCode::usage);
    } catch (const crosshead::UsageError& error) {
        return fail(ExitCode::usage, error.what());
    } catch (const crosshead::InputError& error) {
        return fail(ExitCode::bad_input, error.what());
    } catch (const crosshead::UndefinedQuantity& error) {  // what was asked for has no value on this system
        return fail(ExitCode::bad_input, error.what());
    } catch (const crosshead::NotBuiltError& error) {
        return fail(ExitCode::not_built, error.what());
    } catch (const std::bad_alloc&) {
        return fail(
            ExitCode::bad_input,
            "the input needs more memory than there is; measure one layer at a time, or a smaller system");
    } catch (const std::exception& error) {
        return fail(ExitCode::internal_error,
                    fmt::format("internal error: {}; please report it with the command: {}", error.what(),
                                context.command_line));
    }
    return static_cast<int>(context.exit_code);
}
