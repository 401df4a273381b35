// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "preview/preview_arguments.h"

#include <filesystem>
#include <limits>
#include <system_error>

#include "base/text.h"
#include "calibrate/calibrate_arguments.h"
#include "command/command_help.h"
#include "command/command_line.h"

namespace halftoned {
namespace {

constexpr const PrintSetting& kTypeOfPreview = SettingNamed("halftone-type");

// The position of --magnify must be part of the same word; a separate word
// would be FILE.
CLI::Validator IsNoPlace() {
  return CLI::Validator(
      [](std::string& text) -> std::string {
        MagnifierPlace tried;
        std::error_code unknown;
        if (!SetMagnifierPlace(text, tried) ||
            std::filesystem::exists(text, unknown)) {
          return "";
        }
        return "'" + text +
               "' is a position, not a file; write --magnify=" + text;
      },
      "");
}

void AddPreviewFiles(CLI::App& command, PreviewOptions& options) {
  command
      .add_option("FILE", options.input,
                  "File to preview (PDF, PostScript, TIFF, PNG, JPEG, PNM); - "
                  "is standard input")
      ->required()
      ->check(MustBeSaid("the name of a file"))
      ->check(IsNoPlace());
  command
      .add_option("-o,--output", options.output,
                  "Output file, PNG; FILE-preview.png by default")
      ->check(MustBeSaid("the name of a file"))
      ->type_name("FILE");
  AddNoClobber(command, options.no_clobber);
  command
      .add_option("--page", options.page, "The page to show, counted from 1")
      ->check(MustBeWhole(1, std::numeric_limits<int>::max()))
      ->type_name("NUMBER")
      ->capture_default_str();
}

void AddPreviewPrint(CLI::App& command, PreviewOptions& options) {
  command
      .add_option(
          OptionOf(kTypeOfPreview), options.types,
          "Show these types, separated by commas: " + kTypeOfPreview.Values())
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(MustBeOf(kTypeOfPreview))
      ->type_name("NAME");
  command
      .add_option("--queue", options.queue,
                  "Show pages as this queue or printer would print them")
      ->check(MustBeSaid("the name of a queue"))
      ->type_name("QUEUE");
  command
      .add_option("--dpi", options.resolution,
                  "The printer's resolution in dpi, such as 1200x600; by "
                  "default the resolution of the queue, or 600")
      ->check(MustBe("a resolution in dpi, such as 600 or 1200x600",
                     [](const std::string& text) {
                       SheetResolution tried;
                       return SetResolution(text, tried) &&
                              std::min(tried.across, tried.down) >= 50 &&
                              std::max(tried.across, tried.down) <= 4800;
                     }))
      ->type_name("NUMBER");
  const std::string place = "X,Y in millimeters from the top left corner";
  command
      .add_flag("--magnify{middle}", options.magnifier,
                "Show enlarged dots in the middle of the page, or with "
                "--magnify=X,Y at this position: " +
                    place)
      ->check(MustBe(place, [](const std::string& text) {
        MagnifierPlace tried;
        return text == "middle" || SetMagnifierPlace(text, tried);
      }));
}

void AddPreviewSettings(CLI::App& command, PreviewOptions& options) {
  for (const PrintSetting& setting : kPrintSettings) {
    if (&setting == &kTypeOfPreview || !setting.MayBeSetBy(kCommandLine)) {
      continue;
    }
    std::string help(setting.help);
    if (!setting.is_file()) help += ": " + setting.Values();
    const bool is_number =
        setting.is_number() || setting.is_choice_of_numbers();
    command
        .add_option_function<std::string>(
            OptionOf(setting),
            [&setting, &options](const std::string& text) {
              options.settings.emplace_back(
                  &setting, setting.is_file() ? text : LowerCase(text));
            },
            help)
        ->check(MustBeOf(setting))
        ->type_name(setting.is_file() ? "FILE"
                    : is_number       ? "NUMBER"
                                      : "NAME");
  }
  command.get_option("--tone-curve")->excludes("--dot-gain");
}

}  // namespace

bool SetMagnifierPlace(const std::string& text, MagnifierPlace& place) {
  constexpr double kMost = 1e5;
  std::string_view rest = text;
  const auto x = TakeNumber<double>(rest);
  if (!rest.starts_with(',')) return false;
  const auto y = ParseNumber<double>(rest.substr(1));
  if (!(x >= 0.0 && y >= 0.0 && x <= kMost && y <= kMost)) return false;
  place = {*x, *y};
  return true;
}

CLI::App* AddPreviewCommand(CLI::App& app, PreviewOptions& options) {
  CLI::App* command = app.add_subcommand(
      "preview",
      "Show what prints will look like, with several types side by side");
  SetHelp(*command, {{"preview [OPTIONS] FILE"},
                     {"preview --queue laser report.pdf",
                      "preview --dpi 300 -t fine,clustered photo.png"},
                     ""});
  AddPreviewFiles(*command, options);
  AddPreviewPrint(*command, options);
  AddPreviewSettings(*command, options);
  AddConfig(*command);
  return command;
}

}  // namespace halftoned
