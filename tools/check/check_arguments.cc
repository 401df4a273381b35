// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/check_arguments.h"

#include "command/command_help.h"
#include "command/command_line.h"

namespace halftoned {

CLI::App* AddCheckCommand(CLI::App& app, CheckOptions& options) {
  CLI::App* command = app.add_subcommand(
      "check",
      "Find problems on this machine, and show commands that fix them");
  SetHelp(*command, {{"check [OPTIONS]"}, {"check"}, ""});
  command->add_flag(
      "-v,--verbose", options.verbose,
      "Also show what is in order, and what this user cannot see");
  command
      ->add_option("--timeout", options.timeout,
                   "Timeout in seconds for each reply from CUPS or the daemon")
      ->check(MustBeWhole(1, 3600))
      ->type_name("NUMBER")
      ->capture_default_str();
  AddJson(*command, options.json, "for each finding, good or bad");
  AddConfig(*command);
  return command;
}

}  // namespace halftoned
