// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/adopt_arguments.h"

#include <string_view>

#include "command/command_help.h"
#include "command/command_line.h"
#include "halftone/look/settings.h"

namespace halftoned {
namespace {

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
                                 : "All adopted queues")
      ->excludes(queues)
      ->excludes("--ppd");
  command
      ->add_flag("-n,--dry-run", options.dry_run,
                 "Change nothing; print what would change")
      ->excludes("--ppd");
  AddNoClobber(*command, options.no_clobber)->needs("--ppd");
  AddJson(*command, options.json, "for each queue")->excludes("--ppd");
  return command;
}

void AddAgain(CLI::App& command, AdoptOptions& options) {
  command
      .add_flag("--again", options.again,
                "All adopted queues that are out of date")
      ->excludes("QUEUE")
      ->excludes("--ppd")
      ->excludes("--all");
}

std::vector<std::string_view> LanguageNames() {
  std::vector<std::string_view> names;
  for (const PrinterLanguage& language : kPrinterLanguages) {
    names.push_back(language.name);
  }
  return names;
}

void CheckIsComplete(const AdoptOptions& options) {
  if (options.all || options.again || !options.ppd.empty() ||
      !options.queues.empty()) {
    return;
  }
  throw CLI::ValidationError("missing queue; halftone list shows them");
}

void SetAddHelp(CLI::App& command) {
  SetHelp(command,
          {{"add NAME URI [--dry-run]",
            "add NAME URI --language LANGUAGE | --model MODEL [--dry-run]"},
           {"add office printer.local", "add labels 192.0.2.7 --language zpl",
            "add hall ipps://hall.local/ipp/print --dry-run"},
           "lpinfo -v lists the printers on your network."});
}

void SetAdoptHelp(CLI::App& command) {
  SetHelp(command, {{"adopt QUEUE ... [--dry-run]", "adopt --all [--dry-run]",
                     "adopt --again [--dry-run]", "adopt --ppd IN OUT"},
                    {"adopt laser", "adopt --all --dry-run"},
                    "halftone release undoes the change."});
}

void SetReleaseHelp(CLI::App& command) {
  SetHelp(command, {{"release QUEUE ... [--dry-run]",
                     "release --all [--dry-run]", "release --ppd IN OUT"},
                    {"release laser"},
                    ""});
}

}  // namespace

const CLI::App* AddAddCommand(CLI::App& app, AddOptions& options) {
  CLI::App* command = app.add_subcommand(
      "add", "Create a queue for a printer without a driver");
  SetAddHelp(*command);
  command->add_option("NAME", options.name, "Name of the queue");
  command->add_option(
      "URI", options.uri,
      "Address, such as printer.local or ipp://printer.local/ipp/print");
  CLI::Option* language =
      command
          ->add_option(
              "--language", options.language,
              "Language of a printer without IPP: " + Listed(LanguageNames()))
          ->check(MustBeOneOf(LanguageNames()))
          ->type_name("LANGUAGE");
  command->add_option("--model", options.model, "Driver model, from lpinfo -m")
      ->check(MustBeSaid("a model from lpinfo -m"))
      ->type_name("MODEL")
      ->excludes(language);
  command->add_flag("-n,--dry-run", options.dry_run,
                    "Change nothing; print what would change");
  AddJson(*command, options.json, "for the queue");
  command->callback([&options] {
    if (!options.uri.empty()) return;
    throw CLI::ValidationError(
        options.name.empty()
            ? "missing name and address, such as office printer.local"
            : "missing address, such as printer.local; lpinfo -v lists the "
              "printers on your network");
  });
  return command;
}

void AddAdoptCommands(CLI::App& app, AdoptOptions& options) {
  CLI::App* adopt = AddCommand(
      app, "adopt",
      "Halftone the pages of a queue before its driver receives them", options);
  SetAdoptHelp(*adopt);
  AddAgain(*adopt, options);
  adopt->callback([&options] { CheckIsComplete(options); });
  CLI::App* release = AddCommand(
      app, "release", "Undo adopt: restore the PPD file of a queue", options);
  SetReleaseHelp(*release);
  release->callback([&options] {
    options.releases = true;
    CheckIsComplete(options);
  });
}

void AddListCommands(CLI::App& app, ListOptions& options) {
  const auto add = [&](const std::string& name, const std::string& noun,
                       const std::string& what, const CommandHelp& help) {
    CLI::App* command = app.add_subcommand(name, what);
    SetHelp(*command, help);
    AddJson(*command, options.json, "for each " + noun);
    return command;
  };
  add("list", "queue", "Show all queues, and which ones can be adopted",
      {{"list [--json]"}, {"list"}, ""});
  CLI::App* models =
      add("models", "model",
          "Show installed printer models, and which ones can be adopted",
          {{"models WORD [--json]"}, {"models hl-20"}, ""});
  models
      ->add_option("WORD", options.model,
                   "Part of the name of a model; case does not matter")
      ->check(MustBeSaid("a word of a printer's name"));
  models->callback([&options] {
    if (options.model.empty()) {
      throw CLI::ValidationError("missing part of a model's name");
    }
  });
}

CLI::App* AddTestPageCommand(CLI::App& app, TestPageOptions& options) {
  CLI::App* command = app.add_subcommand(
      "test-page", "Print a page with the settings of a queue");
  SetHelp(*command, {{"test-page QUEUE"}, {"test-page laser"}, ""});
  command->add_option("QUEUE", options.queue, "Queue to print the page to")
      ->check(MustBeSaid("the name of a queue"));
  AddJson(*command, options.json, "for the job");
  AddConfig(*command);
  command->callback([&options] {
    if (options.queue.empty()) {
      throw CLI::ValidationError("missing queue; halftone list shows them");
    }
  });
  return command;
}

}  // namespace halftoned
