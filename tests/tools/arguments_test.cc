// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "command/arguments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "command/command_line.h"
#include "command/tool_app.h"

namespace halftoned {
namespace {

Command Parse(std::vector<std::string> words) {
  words.insert(words.begin(), "halftone");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  return ParseArguments(static_cast<int>(arguments.size()), arguments.data());
}

// Each option begins a line of the help; what follows may be on several.
std::string HelpOf(const std::string& help, const std::string& option) {
  const size_t at = help.find("\n  " + option + " ");
  if (at == help.npos) return "";
  const std::string text = help.substr(at, help.find("\n  -", at + 1) - at);
  std::string words;
  for (char c : text) {
    if (c == '\n') c = ' ';
    if (c != ' ' || !words.ends_with(' ')) words += c;
  }
  return words;
}

TEST(Help, HasEachSettingWithItsValuesAndItsDefault) {
  testing::internal::CaptureStdout();
  const Command command = Parse({"convert", "--help"});
  const std::string help = testing::internal::GetCapturedStdout();
  ASSERT_TRUE(std::holds_alternative<Ended>(command));
  for (const PrintSetting& setting : kPrintSettings) {
    const std::string text = HelpOf(help, OptionOf(setting));
    ASSERT_EQ(!text.empty(), setting.MayBeSetBy(kCommandLine)) << setting.name;
    if (text.empty()) continue;
    EXPECT_NE(text.find(setting.help), text.npos) << text;
    if (setting.is_file()) continue;
    EXPECT_NE(text.find(setting.Values()), text.npos) << text;
    // As versions of CLI11 write it.
    const std::string value = setting.TextOf(Look());
    EXPECT_TRUE(text.find("=" + value + " ") != text.npos ||
                text.find("[" + value + "]") != text.npos)
        << text;
  }
}

// CLI11 2.4 refuses other names when a program starts.
TEST(Arguments, HaveNamesThatEachCli11Takes) {
  const ToolApp tool;
  const auto all = [](const CLI::App*) { return true; };
  for (const CLI::App* command : tool.app.get_subcommands(all)) {
    for (const CLI::Option* option : command->get_options()) {
      const std::string name = option->get_name();
      EXPECT_EQ(name.find('='), name.npos) << name;
    }
  }
}

TEST(Help, FitsATerminalAndShowsCommands) {
  const ToolApp tool;
  const auto all = [](const CLI::App*) { return true; };
  for (const CLI::App* command : tool.app.get_subcommands(all)) {
    const std::string help = command->help("halftone");
    const std::string way = "Usage: halftone " + command->get_name();
    EXPECT_NE(help.find(way), help.npos) << help;
    EXPECT_EQ(help.find("Excludes"), help.npos) << help;
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) {
      const auto continued = std::ranges::count_if(
          line, [](unsigned char c) { return c >> 6 == 2; });
      EXPECT_LE(line.size() - static_cast<size_t>(continued), 80U) << line;
    }
  }
}

// A value that is not the default.
Look OtherLook(const PrintSetting& setting) {
  const auto is_other = [&](const Look& look) {
    return setting.TextOf(look) != setting.TextOf(Look());
  };
  for (const double value : {setting.least, setting.most}) {
    Look look;
    if (setting.Set(value, look) && is_other(look)) return look;
  }
  for (const Choice& choice : setting.Choices()) {
    Look look;
    if (setting.Set(choice.name, look) && is_other(look)) return look;
  }
  Look look;
  EXPECT_TRUE(setting.Set("curve", look) && is_other(look)) << setting.name;
  return look;
}

// What is printed about a wrong command line.
std::string ErrorOf(std::vector<std::string> words) {
  testing::internal::CaptureStderr();
  const Command command = Parse(std::move(words));
  const auto* ended = std::get_if<Ended>(&command);
  EXPECT_TRUE(ended && ended->status == kUsageStatus);
  return testing::internal::GetCapturedStderr();
}

TEST(CommandLine, SaysWhatAnOptionExpects) {
  EXPECT_EQ(ErrorOf({"convert", "a", "b", "--gamma"}),
            "halftone: --gamma: expected a number from 0.1 to 10\n");
  EXPECT_EQ(ErrorOf({"convert", "a", "b", "--gamma", ""}),
            "halftone: --gamma: expected a number from 0.1 to 10\n");
  EXPECT_EQ(ErrorOf({"convert", "a", "b", "--threads", "-o", "c"}),
            "halftone: --threads: '-o' is not a whole number from 0 to 256\n");
  EXPECT_EQ(ErrorOf({"convert", "a", "b", "--threads", "2x"}),
            "halftone: --threads: '2x' is not a whole number from 0 to 256\n");
  EXPECT_EQ(ErrorOf({"convert", "a", "b", "--page", "0"}),
            "halftone: --pages: '0' is not a list of pages in ascending order, "
            "such as 1-3,5\n");
  EXPECT_EQ(
      ErrorOf({"convert", "a", "b", "--format", "jpeg"}),
      "halftone: --format: 'jpeg' is not tiff, png, bmp, pbm, pgm or pnm\n");
  EXPECT_EQ(ErrorOf({"convert", "a", "-o"}),
            "halftone: --output: expected the name of a file or directory\n");
  EXPECT_EQ(ErrorOf({"status", "--socket"}),
            "halftone: --socket: expected the path of a socket\n");
  EXPECT_EQ(ErrorOf({"convert", "a", "b", "--invert=x"}),
            "halftone: --invert: takes no value\n");
  EXPECT_EQ(ErrorOf({"convert", "a", "b", "--gamma", "1", "--gamma", "2"}),
            "halftone: --gamma: given more than once\n");
}

TEST(CommandLine, SuggestsASimilarValue) {
  EXPECT_EQ(ErrorOf({"convert", "a", "b", "--format", "Tif"}),
            "halftone: --format: 'Tif' is not tiff, png, bmp, pbm, pgm or pnm; "
            "did you mean 'tiff'?\n");
  EXPECT_EQ(ErrorOf({"convert", "a", "b", "--text-edges", "crips"}),
            "halftone: --text-edges: 'crips' is not off, crisp, soft or "
            "barcode; did you mean 'crisp'?\n");
  EXPECT_EQ(ErrorOf({"convert", "a", "b", "--gamma", "1,4"}),
            "halftone: --gamma: '1,4' is not a number from 0.1 to 10, with a "
            "point for decimals\n");
  for (std::vector<std::string> words :
       {std::vector<std::string>{"preview", "a", "--halftone-type", "clusterd"},
        {"convert", "a", "b", "--halftone-type", "Clustred"}}) {
    const std::string error = ErrorOf(words);
    EXPECT_TRUE(error.ends_with("; did you mean 'clustered'?\n")) << error;
  }
  EXPECT_EQ(ErrorOf({"add", "a", "b", "--language", "zpl2"}),
            "halftone: --language: 'zpl2' is not pcl5e, zpl, epl1, epl2 or "
            "cpcl; did you mean 'zpl'?\n");
}

TEST(CommandLine, NamesTheFirstArgumentThatIsWrong) {
  EXPECT_EQ(ErrorOf({"convert", "a", "--one", "b", "--two"}),
            "halftone: unknown option '--one'\n");
  EXPECT_EQ(ErrorOf({"convert", "a", "b", "--one=2"}),
            "halftone: unknown option '--one'\n");
  EXPECT_EQ(ErrorOf({"konvert", "a", "b"}),
            "halftone: unknown command 'konvert'; did you mean 'convert'?\n");
  EXPECT_EQ(ErrorOf({"print", "a", "b"}),
            "halftone: unknown command 'print'; see --help\n");
  EXPECT_EQ(ErrorOf({"convert", "a", "b", "--dot-gian", "2"}),
            "halftone: unknown option '--dot-gian'; did you mean "
            "'--dot-gain'?\n");
  EXPECT_EQ(ErrorOf({"convert", "a", "b", "--type", "fine"}),
            "halftone: unknown option '--type'; did you mean "
            "'--halftone-type'?\n");
  EXPECT_EQ(ErrorOf({"adopt", "--agian"}),
            "halftone: unknown option '--agian'; did you mean '--again'?\n");
  EXPECT_EQ(ErrorOf({"help", "konvert"}),
            "halftone: unknown command 'konvert'; see --help\n");
  EXPECT_EQ(ErrorOf({"models"}), "halftone: missing part of a model's name\n");
  EXPECT_EQ(ErrorOf({"engines", "a", "b"}),
            "halftone: unexpected argument 'a'; see --help\n");
  EXPECT_EQ(ErrorOf({"status", "--json", "--metrics"}),
            "halftone: --json cannot be given with --metrics\n");
}

TEST(CommandLine, DistinguishesQueueSettingsFromUnknownOptions) {
  for (const PrintSetting& setting : kPrintSettings) {
    if (setting.MayBeSetBy(kCommandLine)) continue;
    const std::string option = "--" + std::string(setting.name);
    EXPECT_EQ(ErrorOf({"convert", "a", "b", option, "inkjet"}),
              "halftone: unknown option '" + option +
                  "': it is a setting of queues; for files, use --dot-gain\n");
    EXPECT_EQ(ErrorOf({"convert", "a", "b", option, "inkjet", "--page", "0"}),
              ErrorOf({"convert", "a", "b", "--page", "0"}));
  }
}

TEST(Preview, TakesTypesBeforeItsFile) {
  const Command command =
      Parse({"preview", "--halftone-type", "fine,clustered", "photo.png"});
  ASSERT_TRUE(std::holds_alternative<PreviewOptions>(command));
  const auto& options = std::get<PreviewOptions>(command);
  EXPECT_EQ(options.types, (std::vector<std::string>{"fine", "clustered"}));
  EXPECT_EQ(options.input, "photo.png");
}

TEST(CommandLine, TakesNamesInAnyCase) {
  const Command command =
      Parse({"convert", "a", "b", "--format", "TIFF", "--compression",
             "PackBits", "--halftone-type", "Bi-Level"});
  const auto* options = std::get_if<ConvertOptions>(&command);
  ASSERT_TRUE(options);
  EXPECT_EQ(options->format, "tiff");
  EXPECT_EQ(options->compression, "packbits");
  EXPECT_EQ(options->look.algorithm, Algorithm::kBiLevel);
}

TEST(CommandLine, SetsEachSetting) {
  for (const PrintSetting& setting : kPrintSettings) {
    if (!setting.MayBeSetBy(kCommandLine)) continue;
    const Look other = OtherLook(setting);
    const Command command =
        Parse({"convert", "in.pgm", "out.pbm", "--" + std::string(setting.name),
               setting.TextOf(other)});
    const auto* options = std::get_if<ConvertOptions>(&command);
    ASSERT_TRUE(options) << setting.name;
    for (const PrintSetting& any : kPrintSettings) {
      EXPECT_EQ(any.TextOf(options->look),
                any.TextOf(&any == &setting ? other : Look()))
          << setting.name << " " << any.name;
    }
  }
}

}  // namespace
}  // namespace halftoned
