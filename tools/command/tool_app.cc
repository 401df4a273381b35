// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "command/tool_app.h"

#include <algorithm>

#include "base/text.h"
#include "command/command_help.h"
#include "command/command_line.h"
#include "halftone/page/page.h"
#include "halftone/run/pool.h"
#include "print/image/open_image.h"

namespace halftoned {
namespace {

// Adds an option whose value is one of `names`, in any case; `chosen` gets it
// in lower case.
void AddChoice(CLI::App& app, const std::string& option, std::string& chosen,
               const std::vector<std::string_view>& names,
               const std::string& help, ToolApp::Choices& choices) {
  choices[option].assign(names.begin(), names.end());
  app.add_option_function<std::string>(
         option,
         [&chosen](const std::string& text) { chosen = LowerCase(text); },
         help + ": " + Listed(names))
      ->check(MustBeOneOf(names))
      ->type_name("NAME");
}

void AddFiles(CLI::App& app, ConvertOptions& options,
              ToolApp::Choices& choices) {
  app.add_option("FILE", options.files,
                 "Input images (TIFF, PNG, JPEG, PNM) or documents (PDF, "
                 "PostScript), then the output unless --output is given; - is "
                 "standard input or output");
  app.add_option("-o,--output", options.output,
                 "Output file, or directory for several outputs")
      ->check(MustBeSaid("the name of a file or directory"))
      ->type_name("FILE");
  std::vector<std::string_view> formats;
  for (const OutputFormat& format : OutputFormats()) {
    formats.push_back(format.name);
  }
  AddChoice(
      app, "--format", options.format, formats,
      "Output format; by default determined by the output name's extension",
      choices);
  AddChoice(app, "--compression", options.compression,
            {"none", "packbits", "deflate", "lzw", "g4"},
            "Compression of TIFF, or of PNG (only none and deflate)", choices);
  app.add_flag("--bigtiff", options.big_tiff,
               "Write BigTIFF, which can exceed 4 GiB");
  app.add_option_function<std::string>(
         "--pages,--page",
         [&options](const std::string& text) {
           options.pages = PageRanges::Parse(text).value_or(PageRanges());
         },
         "Convert only these pages, counted from 1, such as 1-3,5")
      ->check(MustBe("a list of pages in ascending order, such as 1-3,5",
                     [](const std::string& text) {
                       return PageRanges::Parse(text).has_value();
                     }))
      ->type_name("PAGES");
  app.add_flag("--any-size", options.any_size,
               "Accept images with far more pixels than bytes");
}

void AddShares(CLI::App& app, ConvertOptions& options) {
  app.add_option_function<std::string>(
         "--shard",
         [&options](const std::string& text) {
           options.shard = Shard::Parse(text).value_or(Shard());
         },
         "Convert only this part, such as 2/8, of the inputs, or of the pages "
         "of a single input")
      ->check(MustBe("PART/PARTS, such as 2/8",
                     [](const std::string& text) {
                       return Shard::Parse(text).has_value();
                     }))
      ->type_name("PART");
  app.add_flag(
      "--resume", options.resume,
      "Keep complete TIFF and PNG outputs of the same input and settings");
  AddNoClobber(app, options.no_clobber)->excludes("--resume");
  app.add_option("--manifest", options.manifest,
                 "List the outputs in this file, one line of JSON each")
      ->check(MustBe("the name of a file",
                     [](const std::string& text) { return text != "-"; }))
      ->type_name("FILE");
}

void AddSize(CLI::App& app, ConvertOptions& options,
             ToolApp::Choices& choices) {
  app.add_option_function<std::string>(
         "--dpi",
         [&options](const std::string& text) {
           options.dpi = ParseResolution(text);
         },
         "Resolution of the output in dpi, such as 600 or 600x300")
      ->check(MustBe("a resolution from 10 to 10000, such as 600 or 600x300",
                     [](const std::string& text) {
                       return ParseResolution(text).has_value();
                     }))
      ->type_name("DPI");
  app.add_option_function<std::string>(
         "--size",
         [&options](const std::string& text) {
           options.size = ParseSize(text);
         },
         "Width and height of the output in mm, cm, in or px; if one is "
         "omitted, as in 100mm or x80mm, pictures keep their aspect ratio")
      ->check(MustBe(
          "a size, such as 100x80mm, 100mm (wide), x80mm (high) or 800x600px",
          [](const std::string& text) { return ParseSize(text).has_value(); }))
      ->type_name("SIZE");
  const std::vector<std::string> scalings = {"stretch", "fill", "fit"};
  choices["--scaling"] = scalings;
  app.add_option_function<std::string>(
         "--scaling",
         [&options, scalings](const std::string& text) {
           options.scaling = static_cast<Scaling>(
               std::ranges::find(scalings, text) - scalings.begin());
         },
         "How pictures fit a --size with both width and height: stretch (the "
         "default), fill (crops the excess) or fit (adds white margins)")
      ->check(MustBe("stretch, fill or fit",
                     [scalings](const std::string& text) {
                       return std::ranges::count(scalings, text) > 0;
                     }))
      ->type_name("NAME");
  const std::vector<std::string> turns = {"90", "180", "270"};
  choices["--rotate"] = turns;
  app.add_option("--rotate", options.rotate,
                 "Rotate clockwise, in degrees: 90, 180 or 270")
      ->check(MustBe("90, 180 or 270",
                     [turns](const std::string& text) {
                       return std::ranges::count(turns, text) > 0;
                     }))
      ->type_name("NUMBER");
}

// The help's name for the value.
std::string KindOf(const PrintSetting& setting) {
  if (setting.is_file()) return "FILE";
  const bool is_numeric = setting.is_number() || setting.is_choice_of_numbers();
  return is_numeric ? "NUMBER" : "NAME";
}

void AddLook(CLI::App& app, ConvertOptions& options,
             ToolApp::Choices& choices) {
  for (const PrintSetting& setting : kPrintSettings) {
    if (!setting.MayBeSetBy(kCommandLine)) continue;
    std::string help(setting.help);
    if (!setting.is_file()) help += ": " + setting.Values();
    auto& names = choices["--" + std::string(setting.name)];
    if (setting.has_auto()) names.emplace_back("auto");
    for (const Choice& choice : setting.Choices()) {
      names.emplace_back(choice.name);
    }
    app.add_option_function<std::string>(
           OptionOf(setting),
           [&setting, &options](const std::string& text) {
             setting.Set(setting.is_file() ? text : LowerCase(text),
                         options.look);
           },
           help)
        ->check(MustBeOf(setting))
        ->type_name(KindOf(setting))
        ->default_str(setting.TextOf(options.look));
  }
  app.get_option("--tone-curve")->excludes("--dot-gain");
  app.add_flag("--invert", options.invert, "Invert (negative)");
}

// Each page in color is a file of its own.
void AddPalette(CLI::App& app, ConvertOptions& options) {
  const std::vector<CLI::Option*> others = app.get_options();
  CLI::Option* palette =
      app.add_option("--palette", options.palette,
                     "Convert to the colors of a panel, as PNG: a name such as "
                     "spectra6, a file, or colors such as '#000000,#ffffff'")
          ->check(MustBeSaid("a palette"))
          ->type_name("PALETTE");
  for (CLI::Option* other : others) {
    const std::string name = other->get_name();
    const bool suits =
        name == "FILE" || name == "--help" || name == "--output" ||
        name == "--any-size" || name == "--format" || name == "--compression" ||
        name == "--dpi" || name == "--size" || name == "--scaling" ||
        name == "--rotate" || name == "--no-clobber";
    if (!suits) palette->excludes(other);
  }
}

void AddWork(CLI::App& app, ConvertOptions& options) {
  app.add_option("--engine", options.engine,
                 "auto, an engine from 'halftone engines', remote (the daemon) "
                 "or cuda (a GPU)")
      ->check(MustBeSaid("the name of an engine"))
      ->type_name("ENGINE")
      ->capture_default_str();
  app.add_option("--socket", options.socket,
                 "The daemon's socket; by default the one in halftoned.conf")
      ->check(MustBeSaid("the path of a socket"))
      ->type_name("PATH");
  app.add_option("--threads", options.threads,
                 "Number of threads, or 0 for one per CPU core")
      ->check(MustBeWhole(0, Pool::kMaxThreads))
      ->type_name("NUMBER")
      ->capture_default_str();
  app.add_option("--rows-per-band", options.rows_per_band,
                 "Rows to halftone at a time, or 0 to suit the page")
      ->check(MustBeWhole(0, Page::kMaxRowsPerBand))
      ->type_name("NUMBER")
      ->capture_default_str();
  app.add_flag("-q,--quiet", options.quiet, "Show no progress, only errors");
  AddJson(app, options.json, "to standard output for each image");
  AddConfig(app);
}

void AddStatus(CLI::App& app, StatusOptions& options) {
  auto* json = app.add_flag_callback(
      "--json", [&options] { options.format = "json"; }, "Print JSON");
  auto* metrics =
      app.add_flag_callback(
             "--metrics", [&options] { options.format = "metrics"; },
             "Print metrics in the text format of OpenMetrics")
          ->excludes(json);
  auto* http =
      app.add_flag(
             "--http", options.http,
             "Answer an HTTP request from standard input, for a systemd socket")
          ->excludes(json)
          ->excludes(metrics);
  app.add_option(
         "--http-name", options.http_names,
         "Another name of this machine that requests can use; can be repeated")
      ->check(MustBeSaid("a name"))
      ->allow_extra_args(false)
      ->type_name("NAME")
      ->needs(http);
  app.add_option("--watch", options.watch_seconds,
                 "Repeat at this interval in seconds, 2 by default")
      ->expected(0, 1)
      ->default_str("2")
      ->check(MustBeWhole(1, 3600))
      ->type_name("SECONDS")
      ->excludes(metrics)
      ->excludes(http);
  app.add_option(
         "--socket", options.socket,
         "The daemon's status socket; by default the one in halftoned.conf")
      ->check(MustBeSaid("the path of a socket"))
      ->type_name("PATH");
  AddConfig(app);
}

}  // namespace

ToolApp::ToolApp()
    : app("Halftones print queues, finds printing problems, calibrates and "
          "previews\nprints, and converts files.",
          "halftone") {
  app.set_version_flag("--version", "halftone " HALFTONED_VERSION);
  app.require_subcommand(0, 1);
  SetHelp(app, {{"COMMAND ...", "help COMMAND"},
                {"list", "adopt laser", "check"},
                "Manual: man halftone"});
  AddCommandsOfQueues();
  check_app = AddCheckCommand(app, check);
  preview_app = AddPreviewCommand(app, preview);
  calibrate_app = AddCalibrateCommand(app, calibrate);
  AddConvertCommand();
  engines_app =
      app.add_subcommand("engines", "List the engines and their requirements");
  SetHelp(*engines_app, {{"engines [--json]"}, {}, ""});
  AddJson(*engines_app, engines.json, "for each engine");
  status_app = app.add_subcommand("status", "Show what the daemon is doing");
  SetHelp(*status_app, {{"status [OPTIONS]"}, {}, ""});
  AddStatus(*status_app, status);
  AddHelpCommand();
}

void ToolApp::AddHelpCommand() {
  CLI::App* command = help_app =
      app.add_subcommand("help", "Show the help of a command");
  SetHelp(*command, {{"help [COMMAND]"}, {"help adopt"}, ""});
  command->add_option("COMMAND", helped, "The command");
  command->callback([this] {
    const auto is_meant = [this](const CLI::App* one) {
      return one->get_name() == helped;
    };
    if (helped.empty() || !app.get_subcommands(is_meant).empty()) return;
    throw CLI::ValidationError("unknown command '" + helped + "'; see --help");
  });
}

// Another program parses these commands again. They are defined here, too, so
// that help works without that program.
void ToolApp::AddCommandsOfQueues() {
  AddAdoptCommands(app, adopt);
  AddAddCommand(app, add);
  AddListCommands(app, list);
  AddTestPageCommand(app, test_page);
  for (const PrinterLanguage& language : kPrinterLanguages) {
    choices["--language"].emplace_back(language.name);
  }
  AddSettingsCommands(app, settings);
}

void ToolApp::AddConvertCommand() {
  convert_app =
      app.add_subcommand("convert", "Convert image files to halftones");
  SetHelp(*convert_app,
          {{"convert [OPTIONS] INPUT OUTPUT",
            "convert [OPTIONS] INPUT ... -o DIRECTORY/"},
           {"convert scan.tif plate.tif", "convert *.tif -o plates/",
            "convert --dpi 203 --size 4x6in label.pdf label.png"},
           ""});
  AddFiles(*convert_app, convert, choices);
  AddShares(*convert_app, convert);
  AddSize(*convert_app, convert, choices);
  AddLook(*convert_app, convert, choices);
  AddPalette(*convert_app, convert);
  AddWork(*convert_app, convert);
  convert_app->get_option("--palette")->excludes("--json");
}

}  // namespace halftoned
