// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/arguments.h"

#include <CLI/CLI.hpp>
#include <cstdio>

#include "command_line.h"

namespace halftoned {
namespace {

constexpr int kUsageStatus = 2;

CLI::App* AddCommand(CLI::App& app, const std::string& name,
                     const std::string& what, AdoptOptions& options) {
  CLI::App* command = app.add_subcommand(name, what);
  CLI::Option* queues =
      command->add_option("QUEUE", options.queues, "CUPS queues");
  command
      ->add_option("--ppd", options.ppd,
                   "Change no queue: read PPD file IN and write OUT")
      ->check(MustBeSaid("two files, IN and OUT"))
      ->type_name("IN OUT")
      ->expected(2)
      ->excludes(queues);
  command
      ->add_flag("--all", options.all,
                 name == "adopt" ? "All queues that can be adopted"
                                 : "All queues that are adopted")
      ->excludes(queues)
      ->excludes("--ppd");
  return command;
}

void AddList(CLI::App& command, AdoptOptions& options) {
  CLI::Option* list =
      command.add_flag("--list", options.lists, "Show the state of all queues");
  list->excludes("QUEUE")->excludes("--ppd")->excludes("--all");
}

}  // namespace

std::variant<AdoptOptions, int> ParseAdoptArguments(int argc, char** argv) {
  CLI::App app("Puts rastertohalftone in front of drivers.", "halftone");
  app.require_subcommand(1);
  AdoptOptions options;
  CLI::App* adopt =
      AddCommand(app, "adopt",
                 "Puts rastertohalftone in front of a queue's driver", options);
  AddList(*adopt, options);
  CLI::App* release = AddCommand(
      app, "release", "Undoes adopt, and restores the PPD file", options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    std::fprintf(stderr, "halftone: %s\n", MessageOf(error, app).c_str());
    return kUsageStatus;
  }
  options.releases = release->parsed();
  if (!options.lists && !options.all && options.ppd.empty() &&
      options.queues.empty()) {
    std::fputs("halftone: missing queue; see --help\n", stderr);
    return kUsageStatus;
  }
  return options;
}

}  // namespace halftoned
