#include "check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/file_io.hpp>
#include <crosshead/graphs/json_io.hpp>
#include <crosshead/proofs_check/claims.hpp>
#include <crosshead/proofs_check/conjecture/claim_file.hpp>
#include <crosshead/proofs_check/conjecture/parser.hpp>
#include <memory>

#include "check_report.hpp"
#include "context.hpp"
#include "domain_options.hpp"
#include "gradient.hpp"
#include "progress.hpp"

namespace crosshead {
namespace {

/// What both commands are given.
struct SharedArguments {
    DomainOptions domain;
    SearchOptions search;
    ConventionOptions convention;
    OutputOptions output;
    std::string report, witness;

    /// Options that would do nothing are usage errors rather than silence, and files are tried before the
    /// search.
    void refuse_what_is_ignored(const CLI::App& command) const {
        for (const char* option : {"--trials", "--seed", "--database", "--no-database"})
            if (search.method == "exhaustive" && command.count(option) > 0)
                throw UsageError(
                    fmt::format("{}: an exhaustive search has none; leave it out, or take --method random, "
                                "climb or gradient",
                                option));
        if (search.no_database && command.count("--database") > 0)
            throw UsageError("--database, --no-database: leave one of the two out");
        for (const std::string& path : {report, witness})
            if (!path.empty()) require_writable(path);
    }

    void add_to(CLI::App& command) {
        domain.add_to(command);
        search.add_to(command);
        convention.add_to(command);
        command.add_option("--report", report, "Write a Markdown report here")->type_name("FILE");
        command
            .add_option(
                "--witness", witness,
                "Write the first witness here as a head system: raw the moment it is found, then shrunk")
            ->type_name("FILE");
        output.add_to(command);
    }
};

struct CheckArguments : SharedArguments {
    std::vector<std::string> claims;
};

struct RefuteArguments : SharedArguments {
    std::string statement;
    std::vector<std::string> parameters;
    bool existential = false;
};

/// A statement to check, before it is.
struct Task {
    CheckedClaim claim;
    ClaimKind kind = ClaimKind::universal;
    std::shared_ptr<const Conjecture> conjecture;
    std::vector<std::string> mutants, parameters;
};

class Runner {
  public:
    Runner(const SharedArguments& arguments, Context& context)
        : arguments_(arguments),
          context_(context),
          measure_(arguments.convention.measure_options()),
          options_(arguments.search.check_options(measure_.convention)),
          progress_("searching", arguments.output.quiet) {
        options_.gradient = gradient_search(options_, context.arguments);
        run_.convention = measure_.convention;
        run_.command = context.command_line;
        run_.full = arguments.output.full;
        run_.count = arguments.search.count;
    }

    const std::vector<Rational>& epsilons() const { return measure_.epsilons; }

    void run(std::vector<Task> tasks) {
        const auto& interrupted = catch_interrupts();
        for (auto& task : tasks) {
            if (task.kind == ClaimKind::distribution)
                for (int n = task.claim.domain.nodes_from; n <= task.claim.domain.nodes_to; ++n)
                    task.claim.distribution.push_back(
                        more_heads_better_best(task.claim.domain, n, most_heads_compared));
            else
                check(task, interrupted);
            check_mutants(task, interrupted);
            run_.claims.push_back(std::move(task.claim));
            if (interrupted) break;
        }
        progress_.clear();
        finish();
    }

  private:
    void check(Task& task, const std::atomic<bool>& interrupted) {
        SearchLimits limits;
        limits.stop = &interrupted;
        limits.progress = [&](double done, double total, const std::string& detail) {
            progress_.at(done, total, task.claim.id.empty() ? detail : task.claim.id + ", " + detail);
        };
        limits.found = [&](std::size_t, const HeadSystem& system) { write_witness(system); };
        if (depends_on_head_order(*task.conjecture) && task.claim.domain.tuples != Tuples::ordered) {
            if (arguments_.domain.tuples.empty()) task.claim.domain.tuples = Tuples::ordered;
            task.claim.notes.push_back(arguments_.domain.tuples.empty()
                                           ? "the statement tells heads apart by their number, so all orders "
                                             "are searched (--tuples ordered)"
                                           : "the statement tells heads apart by their number; --tuples " +
                                                 arguments_.domain.tuples + " tries one order of each");
        }
        task.claim.checked = check_statement(task.conjecture, task.kind == ClaimKind::existential,
                                             task.claim.domain, options_, limits);
    }

    /// Statements close by, each over the same domain until its first counterexample.
    void check_mutants(Task& task, const std::atomic<bool>& interrupted) {
        CheckOptions options = options_;
        options.count = options.minimal = false;
        options.database.clear();
        SearchLimits limits;
        limits.stop = &interrupted;
        for (const auto& text : task.mutants) {
            const auto mutant = std::make_shared<const Conjecture>(
                parse_conjecture(text, "mutant of " + task.claim.id, task.parameters, epsilons()));
            const bool existential = task.kind == ClaimKind::existential;
            const auto checked = check_statement(mutant, existential, task.claim.domain, options, limits);
            if (interrupted) return;
            const auto is = [&](Verdict verdict) {
                return std::any_of(checked.instances.begin(), checked.instances.end(),
                                   [&](const CheckedInstance& one) { return one.verdict == verdict; });
            };
            task.claim.mutants.push_back(
                {text, existential ? !is(Verdict::witnessed) : is(Verdict::refuted)});
        }
    }

    /// The first witness of the run, raw; finish() replaces it.
    void write_witness(const HeadSystem& system) {
        if (arguments_.witness.empty() || witness_written_) return;
        write_file_atomically(arguments_.witness, format_head_system(system, context_.command_line));
        witness_written_ = true;
    }

    void finish() {
        for (const auto& claim : run_.claims) {
            if (!claim.checked || arguments_.witness.empty()) continue;
            bool written = false;
            for (const auto& one : claim.checked->instances) {
                if (!one.search.witness || written) continue;
                write_file_atomically(arguments_.witness,
                                      format_head_system(*one.search.witness, context_.command_line));
                written = true;
            }
            if (written) break;
        }
        if (!arguments_.report.empty()) write_file_atomically(arguments_.report, check_run_markdown(run_));
        write_stdout(arguments_.output.json ? document_text(check_run_json(run_)) : check_run_text(run_));
        if (any_refuted(run_)) context_.exit_code = ExitCode::counterexample;
        if (was_interrupted(run_)) context_.exit_code = ExitCode::interrupted;
    }

    const SharedArguments& arguments_;
    Context& context_;
    MeasureOptions measure_;
    CheckOptions options_;
    Progress progress_;
    CheckRun run_;
    bool witness_written_ = false;
};

Task task_of(const Claim& claim, const SharedArguments& arguments, const std::vector<Rational>& epsilons) {
    if (claim.kind == ClaimKind::measurement)
        throw UsageError(fmt::format(
            "{} is a published measurement, not a statement; `crosshead validate` shows it beside "
            "the defined quantity",
            claim.id));
    Task task;
    task.kind = claim.kind;
    task.claim.id = claim.id;
    task.claim.source = claim.source;
    task.claim.published = claim.published;
    task.claim.reading = claim.reading;
    task.claim.statement = claim.statement;
    task.mutants.assign(claim.mutants.begin(), claim.mutants.end());
    task.claim.domain = arguments.domain.domain(claim.domains.front());
    if (!claim.statement.empty())
        task.conjecture = std::make_shared<const Conjecture>(
            parse_conjecture(claim.statement, fmt::format("claim {}", claim.id), {}, epsilons));
    return task;
}

Task task_of(const ClaimText& text, const std::string& file, const SharedArguments& arguments,
             const std::vector<Rational>& epsilons) {
    Task task;
    task.kind = text.existential ? ClaimKind::existential : ClaimKind::universal;
    task.claim.id = text.id;
    task.claim.source = text.source;
    task.claim.published = text.published;
    task.claim.reading = text.reading;
    task.claim.statement = text.statement;
    task.mutants = text.mutants;
    task.parameters = text.parameters;
    Domain usual;
    if (text.nodes) std::tie(usual.nodes_from, usual.nodes_to) = *text.nodes;
    if (text.heads) std::tie(usual.heads_from, usual.heads_to) = *text.heads;
    task.claim.domain = arguments.domain.domain(usual);
    task.conjecture = std::make_shared<const Conjecture>(
        parse_conjecture(text.statement, fmt::format("{}:{}", file, text.line), text.parameters, epsilons));
    return task;
}

bool is_claim_file(const std::string& name) {
    constexpr std::string_view ending = ".claim";
    return name.size() > ending.size() &&
           name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
}

void run_check(const CheckArguments& arguments, Context& context) {
    Runner runner(arguments, context);
    std::vector<Task> tasks;
    for (const auto& name : arguments.claims) {
        if (is_claim_file(name)) {
            for (const auto& text : parse_claim_file(read_file(name, max_claim_file_bytes), name))
                tasks.push_back(task_of(text, name, arguments, runner.epsilons()));
        } else if (name == "all") {
            for (const auto& claim : claims())
                if (claim.kind != ClaimKind::measurement)
                    tasks.push_back(task_of(claim, arguments, runner.epsilons()));
        } else {
            tasks.push_back(task_of(claim_named(name), arguments, runner.epsilons()));
        }
    }
    runner.run(std::move(tasks));
}

void run_refute(const RefuteArguments& arguments, Context& context) {
    Runner runner(arguments, context);
    Task task;
    task.kind = arguments.existential ? ClaimKind::existential : ClaimKind::universal;
    task.conjecture = std::make_shared<const Conjecture>(
        parse_conjecture(arguments.statement, "conjecture", arguments.parameters, runner.epsilons()));
    task.claim.statement = arguments.statement;
    task.claim.domain = arguments.domain.domain(Domain{});
    std::vector<Task> tasks;
    tasks.push_back(std::move(task));
    runner.run(std::move(tasks));
}

constexpr const char* shared_footer =
    "Verdicts: exhausted: holds in every system of the domain; refuted: fails in one, which was re-checked "
    "exactly;\n"
    "unrefuted: no counterexample in the systems that were tried; vacuous: no system met the hypotheses; "
    "undecided.\n"
    "Exit code 10: refuted.\n";

}  // namespace

void add_check_command(CLI::App& app, Context& context) {
    auto* command =
        app.add_subcommand("check", "Check claims of the catalogue, or of .claim files, over a domain");
    auto arguments = std::make_shared<CheckArguments>();
    command
        ->add_option("claims", arguments->claims, "Ids (`crosshead claims` lists them), .claim files, or all")
        ->required()
        ->type_name("CLAIM");
    arguments->add_to(*command);
    command->footer(std::string(shared_footer) +
                    "Without options, a claim is checked over its usual domain.\n"
                    "Examples:\n"
                    "  crosshead check mixing-literal --minimal\n"
                    "  crosshead check mixing-literal --nodes 4 --heads 2 --count --json\n"
                    "  crosshead check my.claim --nodes 2..5");
    command->callback([arguments, command, &context] {
        arguments->refuse_what_is_ignored(*command);
        run_check(*arguments, context);
    });
}

void add_refute_command(CLI::App& app, Context& context) {
    auto* command = app.add_subcommand("refute", "Search for a counterexample to a conjecture of your own");
    auto arguments = std::make_shared<RefuteArguments>();
    command
        ->add_option("statement", arguments->statement,
                     "In the conjecture language (docs/conjectures.md), quoted for the shell")
        ->required()
        ->type_name("CONJECTURE");
    command
        ->add_option("--forall", arguments->parameters,
                     "A parameter and its values: 'eps in {1/2,1/4}', 'k in 1..5'; one verdict for each")
        ->type_name("'x in {…}'");
    command->add_flag("--exists", arguments->existential,
                      "The conjecture says that some system satisfies it: search for a witness instead");
    arguments->add_to(*command);
    command->footer(
        std::string(shared_footer) +
        "A statement that begins with a minus stands after --.\n"
        "Examples:\n"
        "  crosshead refute 'N*p >= ln(2/eps) => tmix(eps) <= ceil(2*N/p)' --nodes 2..5 --heads 2\n"
        "  crosshead refute 'phi >= phi[worst]' --nodes 2..4 --minimal --report report.md\n"
        "  crosshead refute 'phi > 2*phi[best]' --exists --method climb --nodes 6 --edge-weights 5");
    command->callback([arguments, command, &context] {
        arguments->refuse_what_is_ignored(*command);
        run_refute(*arguments, context);
    });
}

}  // namespace crosshead
