// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "arguments.h"

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <limits>
#include <utility>

#include "base/text.h"
#include "halftone/page.h"
#include "halftone/pool.h"

namespace halftoned {
namespace {

void AddFiles(CLI::App& app, ConvertOptions& options) {
  app.add_option("FILE", options.files,
                 "Images (TIFF, PNG, PNM); without --output the last is where "
                 "the halftone goes; - is standard input or output")
      ->required();
  app.add_option("-o,--output", options.output,
                 "Where the halftone goes: a file, or a folder for several");
  app.add_option("--format", options.format,
                 "Format of the output, if its name does not tell")
      ->check(CLI::IsMember({"tiff", "png", "pbm", "pgm"}));
  app.add_option("--compression", options.compression, "Of TIFF")
      ->check(CLI::IsMember({"none", "packbits", "deflate", "lzw", "g4"}));
  app.add_flag("--bigtiff", options.big_tiff,
               "Write BigTIFF, which may grow above 4 GiB");
  app.add_option("--page", options.page, "Only this page, from 1 on")
      ->check(CLI::Range(1, std::numeric_limits<int>::max()));
}

// One option for each number, with its help.
template <typename Owner, size_t count>
void AddNumbers(CLI::App& app,
                const std::array<NamedNumber<Owner>, count>& numbers,
                const std::array<const char*, count>& help, Owner& owner) {
  for (size_t i = 0; i < count; ++i) {
    const NamedNumber<Owner>& number = numbers[i];
    app.add_option("--" + std::string(number.name), owner.*number.member,
                   help[i])
        ->check([number](const std::string& text) {
          double value = 0;
          const bool is_number = CLI::detail::lexical_cast(text, value);
          return is_number && number.Takes(value)
                     ? ""
                     : "'" + text + "' is not " + number.Range();
        })
        ->capture_default_str();
  }
}

void AddType(CLI::App& app, ConvertOptions& options) {
  app.add_option_function<std::string>(
         "--halftone-type",
         [&options](const std::string& name) {
           options.type.algorithm = AlgorithmNamed(name);
         },
         "What the dots are like")
      ->check([](const std::string& name) {
        return name == "auto" || AlgorithmNamed(name)
                   ? ""
                   : "'" + name + "' is not auto, " + kAlgorithmNames;
      })
      ->default_str("auto");
  AddNumbers(app, kTypeNumbers,
             {"Of clustered: dots of a cluster",
              "Of printer-model: of the distance between dots"},
             options.type);
  app.add_option_function<std::string>(
         "--text-edges",
         [&options](const std::string& edges) {
           options.crisp_edges = edges == "crisp";
         },
         "Whether gray between black and white becomes one of them")
      ->check(CLI::IsMember({"crisp", "off"}))
      ->default_str("off");
  app.add_option("--levels", options.levels, "Gray levels of the output")
      ->check([](const std::string& text) {
        int levels = 0;
        const bool is_served =
            CLI::detail::lexical_cast(text, levels) && Levels::IsServed(levels);
        return is_served ? "" : "'" + text + "' is not 2, 4, 8 or 16";
      })
      ->capture_default_str();
}

void AddTone(CLI::App& app, ConvertOptions& options) {
  app.add_flag("--invert", options.invert, "Take light for dark");
  AddNumbers(app, kToneNumbers,
             {"What is as dark as this, of 255, is black; 32 for what "
              "Ghostscript makes of CMYK",
              "Percent: above 0 steepens the middle",
              "Percent: above 0 lightens", "Above 1 lightens, below 1 darkens",
              "Percent of ink that tints and pictures do without",
              "Percent that the printer's dots add in the middle tone"},
             options.tone);
  app.add_option("--tone-curve", options.tone_curve,
                 "A file of lines 'input output', light in 0 … 255, in place "
                 "of --dot-gain")
      ->check([](const std::string& path) {
        return std::string(path.empty() ? "'' is not the name of a file" : "");
      })
      ->excludes("--dot-gain");
}

void AddWork(CLI::App& app, ConvertOptions& options) {
  app.add_option("--engine", options.engine,
                 "An engine that 'halftone engines' lists, remote for the "
                 "daemon, cuda for a GPU, or auto")
      ->capture_default_str();
  app.add_option("--socket", options.socket, "Of the daemon")
      ->capture_default_str();
  app.add_option("--threads", options.threads,
                 "Threads to work on; 0: one for each processor")
      ->check(CLI::Range(0, Pool::kMaxThreads))
      ->capture_default_str();
  app.add_option("--rows-per-band", options.rows_per_band,
                 "Rows that are halftoned at once; 0: what suits the page")
      ->check(CLI::Range(0, Page::kMaxRowsPerBand))
      ->capture_default_str();
  app.add_flag("-q,--quiet", options.quiet, "No progress, only errors");
  app.add_flag("--json", options.json,
               "Say on standard output what was done, a line of JSON a file");
}

void AddStatus(CLI::App& app, StatusOptions& options) {
  auto* json = app.add_flag_callback(
      "--json", [&options] { options.format = "json"; }, "As JSON");
  app.add_flag_callback(
         "--metrics", [&options] { options.format = "metrics"; },
         "In the text format of Prometheus")
      ->excludes(json);
  app.add_option("--socket", options.socket, "Where the daemon is asked")
      ->capture_default_str();
}

// Stand in the list of commands, and leave what follows unread.
void AddPrinterCommands(CLI::App& app) {
  for (const auto& [name, what] :
       {std::pair("adopt", "Puts the halftone in front of a queue's driver"),
        std::pair("release", "Takes it away again")}) {
    app.add_subcommand(name, what)->prefix_command()->set_help_flag("");
  }
}

}  // namespace

Command ParseArguments(int argc, char** argv) {
  CLI::App app("Halftones images, with the engine that prints.", "halftone");
  app.set_version_flag("--version", "halftone " HALFTONED_VERSION);
  app.require_subcommand(0, 1);
  ConvertOptions convert;
  CLI::App* convert_app =
      app.add_subcommand("convert", "Halftones image files");
  AddFiles(*convert_app, convert);
  AddType(*convert_app, convert);
  AddTone(*convert_app, convert);
  AddWork(*convert_app, convert);
  CLI::App* engines_app =
      app.add_subcommand("engines", "Lists the engines and what they need");
  StatusOptions status;
  CLI::App* status_app =
      app.add_subcommand("status", "Says what the daemon is doing");
  AddStatus(*status_app, status);
  AddPrinterCommands(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return Ended{app.exit(error)};
    std::fprintf(stderr, "halftone: %s\n", Printable(error.what()).c_str());
    return Ended{kUsageStatus};
  }
  if (engines_app->parsed()) return ListEngines{};
  if (status_app->parsed()) return status;
  if (convert_app->parsed()) return convert;
  if (!app.get_subcommands().empty()) return PrinterCommand{argv};
  std::fputs("halftone: name a command, such as convert; --help tells more\n",
             stderr);
  return Ended{kUsageStatus};
}

}  // namespace halftoned
