// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/arguments.h"

#include "command/command_help.h"
#include "command/command_line.h"

namespace halftoned {

CLI::App* AddCheckCommand(CLI::App& app, CheckOptions& options) {
  CLI::App* command = app.add_subcommand(
      "check", "Says what is wrong on this machine, and what to type");
  SetHelp(*command,
          {{"check [--verbose] [--timeout SECONDS]", "check --print QUEUE"},
           {"check", "check --print laser"},
           ""});
  CLI::Option* print =
      command
          ->add_option("--print", options.queue,
                       "Print a page to this queue, with its settings in "
                       "words, and check nothing")
          ->check(MustBeSaid("the name of a queue"))
          ->type_name("QUEUE");
  command
      ->add_flag("-v,--verbose", options.verbose,
                 "Show what is well, too, and what this user may not see")
      ->excludes(print);
  command
      ->add_option("--timeout", options.timeout,
                   "Seconds to wait for each answer of CUPS and of the daemon")
      ->check(MustBeWhole(1, 3600))
      ->type_name("NUMBER")
      ->capture_default_str();
  return command;
}

}  // namespace halftoned
