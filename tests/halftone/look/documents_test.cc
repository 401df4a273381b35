// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the manual, the sample of halftoned.conf and the printer models, as
// the build completes them, agree with the table of settings, and the bit
// contract with the table of methods.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "halftone/look/settings.h"
#include "halftone/page/method.h"

namespace halftoned {
namespace {

using Texts = std::vector<std::string>;

std::string Document(const char* path,
                     const std::string& folder = HALFTONED_SOURCE_DIR) {
  std::ifstream file(folder + "/" + path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_FALSE(text.str().empty()) << path;
  return text.str();
}

std::string Completed(const char* name) {
  return Document(name, HALFTONED_DOCUMENTS_DIR);
}

Texts LinesOf(const std::string& text) {
  std::istringstream all(text);
  Texts lines;
  for (std::string line; std::getline(all, line);) lines.push_back(line);
  return lines;
}

std::string Replaced(std::string text, std::string_view from,
                     std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != text.npos;
       at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// "least to most", as messages have it.
std::string RangeOf(const PrintSetting& setting) {
  const std::string values = setting.Values();
  return values.substr(values.find(" from ") + 6);
}

class Manual : public testing::Test {
 protected:
  // The row of a setting in the manual's table.
  static std::string RowOf(const PrintSetting& setting,
                           const std::string& values) {
    const std::string of_prints = setting.is_automatic ? "see TONE"
                                  : setting.is_file()
                                      ? "none"
                                      : setting.TextOf(DefaultLookOfPrints());
    const std::string of_files = setting.TextOf(Look());
    std::string row = std::string(setting.name) + "\t" +
                      std::string(setting.keyword) + "\t" + values + "\t" +
                      of_prints;
    if (!setting.is_file() && of_files != of_prints) row += "\t" + of_files;
    return "\n" + row + "\n";
  }

  const std::string text_ = Completed("halftone-settings.7");
};

TEST_F(Manual, HasEachSettingWithItsValuesAndItsDefaults) {
  for (const PrintSetting& setting : kPrintSettings) {
    std::string values = setting.Values();
    if (setting.is_file()) values = "a file";
    if (setting.is_number()) {
      values = RangeOf(setting);
      if (setting.is_whole) values += ", whole";
      values = Replaced(values, "-", "\\-");
    }
    if (setting.name == "halftone-type" || setting.name == "screen-shape") {
      values = "see TYPES";
    }
    if (setting.name == "technology" || setting.name == "tone-aim") {
      values = "see TONE";
    }
    if (setting.name == "text-edges") values = "see EDGES";
    const std::string row = RowOf(setting, values);
    EXPECT_NE(text_.find(row), text_.npos) << row;
  }
}

TEST_F(Manual, DescribesEachSettingAndEachChoice) {
  const auto describes = [&](std::string_view name) {
    const std::string word(name);
    return text_.find("\n.B " + word + "\n") != text_.npos ||
           text_.find("\n" + word + "\tT{\n") != text_.npos ||
           text_.find("\n.BR " + word + " ") != text_.npos;
  };
  for (const PrintSetting& setting : kPrintSettings) {
    EXPECT_TRUE(describes(setting.name)) << setting.name;
    for (const Choice& choice : setting.Choices()) {
      if (setting.is_choice_of_numbers()) continue;
      EXPECT_TRUE(describes(choice.name)) << choice.name;
    }
    for (const ForeignName& foreign : setting.ForeignNames()) {
      EXPECT_TRUE(describes(foreign.name)) << foreign.name;
    }
  }
}

TEST_F(Manual, SaysHowJobsNameASetting) {
  const size_t begin = text_.find(".B jobs\n");
  const std::string jobs =
      text_.substr(begin, text_.find(".B PPD files\n") - begin);
  std::string exceptions = jobs.substr(jobs.find(".BR \"lp"));
  exceptions.resize(exceptions.find(".BR halftone-printer-app"));
  for (const PrintSetting& setting : kPrintSettings) {
    const std::string name(setting.name);
    const bool is_short = !setting.short_job_option.empty();
    const bool is_refused = !setting.MayBeSetBy(kJobOption);
    if (is_short) {
      EXPECT_EQ(setting.short_job_option, name);
    }
    if (!is_refused && name != "halftone-type") {
      EXPECT_EQ(setting.job_option, "halftone-" + name);
    }
    // brightness and gamma are there to say why they need it.
    if (name == "brightness" || name == "gamma") continue;
    EXPECT_EQ(exceptions.find("\n.B " + name + "\n") != exceptions.npos ||
                  exceptions.find("\n.BR " + name + " ") != exceptions.npos,
              is_short || is_refused)
        << name;
  }
}

TEST(Sample, OfTheConfigurationHasEachSettingWithItsValuesAndItsDefault) {
  const std::string text = Completed("halftoned.conf");
  for (const PrintSetting& setting : kPrintSettings) {
    ASSERT_TRUE(setting.MayBeSetBy(kConfiguration));
    const std::string key = "\n#" + std::string(setting.name) + " = ";
    const size_t at = text.find(key);
    ASSERT_NE(at, text.npos) << "there is no " << setting.name;
    const size_t value_at = at + key.size();
    const std::string value =
        text.substr(value_at, text.find_first_of(" \n", value_at) - value_at);
    // What is written between two empty lines.
    const size_t begin = text.rfind("\n\n", at);
    const std::string about = text.substr(begin, text.find("\n\n", at) - begin);
    if (setting.is_number()) {
      EXPECT_NE(about.find(Replaced(RangeOf(setting), " to ", " … ")),
                about.npos)
          << setting.name << about;
    }
    for (const Choice& choice : setting.Choices()) {
      // The manual lists them.
      if (setting.has_auto()) break;
      std::string name(choice.name);
      if (!setting.is_choice_of_numbers()) name = "\"" + name + "\"";
      EXPECT_NE(about.find(name), about.npos) << setting.name << name;
    }
    if (setting.is_automatic || setting.is_file()) continue;
    Look shown;
    EXPECT_TRUE(setting.Set(Replaced(value, "\"", ""), shown)) << value;
    EXPECT_EQ(setting.TextOf(shown), setting.TextOf(DefaultLookOfPrints()))
        << setting.name;
  }
}

TEST(Sample, OfTheConfigurationNamesTheKeysWithoutADefault) {
  const std::string text = Completed("halftoned.conf");
  const std::string head = text.substr(0, text.find("\n\n"));
  for (const PrintSetting& setting : kPrintSettings) {
    const bool is_named =
        head.find(" " + std::string(setting.name)) != head.npos;
    EXPECT_EQ(is_named, setting.is_automatic || setting.is_file())
        << setting.name;
  }
}

TEST(BitContract, ListsEveryMethodInItsVersion) {
  const std::string text = Document("docs/reference/bits.md");
  for (const Method& method : Methods()) {
    const std::string name(method.name);
    const std::string number =
        std::to_string(static_cast<int>(method.id.algorithm));
    const size_t at = text.find("\n| " + number + " | [`" + name + "`](#");
    ASSERT_NE(at, text.npos) << name;
    const std::string rest = text.substr(text.find(')', at));
    const std::string version = std::to_string(method.id.version);
    EXPECT_TRUE(rest.starts_with(") | " + version + " | 2" +
                                 (method.has_levels ? ", 4, 8, 16 |" : " |")))
        << name;
  }
}

// Options of a driver information file, with their choices; the default first.
std::map<std::string, Texts> OptionsOf(const Texts& lines) {
  std::map<std::string, Texts> options;
  Texts* choices = nullptr;
  for (const std::string& line : lines) {
    const size_t quote = line.find('"');
    if (quote == line.npos) continue;
    const std::string name = line.substr(
        quote + 1, line.find_first_of("/\"", quote + 1) - quote - 1);
    const std::string before = Replaced(line.substr(0, quote), " ", "");
    if (before == "Option") {
      choices = &options[name];
      choices->assign(1, "");
    } else if (choices && before == "*Choice") {
      choices->front() = name;
    } else if (choices && before == "Choice") {
      choices->push_back(name);
    }
  }
  return options;
}

TEST(PrinterModels, HaveTheOptionsThatDialogsAreToShow) {
  const auto options = OptionsOf(LinesOf(Completed("halftoned.drv")));
  for (const PrintSetting& setting : kPrintSettings) {
    const auto found = options.find(std::string(setting.keyword));
    ASSERT_EQ(found != options.end(), setting.is_in_dialogs) << setting.name;
    if (found == options.end()) continue;
    ASSERT_EQ(found->second.front(), "auto") << setting.name;
    const std::set<std::string> shown(std::next(found->second.begin()),
                                      found->second.end());
    EXPECT_GE(shown.size(), 2u);
    for (const std::string& value : shown) {
      Look look;
      EXPECT_TRUE(setting.Set(value, look)) << setting.name << " " << value;
    }
    for (const Choice& choice : setting.Choices()) {
      EXPECT_EQ(shown.contains(std::string(choice.name)), choice.is_in_dialogs)
          << choice.name;
    }
  }
}

// Those of the options that every model and adopted queue gets.
std::set<std::string> TranslatableTexts(const Texts& lines) {
  const auto begin = std::ranges::find(lines, "Group \"halftoned/Halftone\"");
  std::set<std::string> texts;
  for (auto line = begin; line != lines.end() && !line->empty(); ++line) {
    const size_t slash = line->find('/');
    const std::string text =
        line->substr(slash + 1, line->find('"', slash) - slash - 1);
    if (text.find_first_not_of("0123456789 %") != text.npos) texts.insert(text);
  }
  return texts;
}

TEST(PrinterModels, AreTranslated) {
  const Texts lines = LinesOf(Completed("halftoned.drv"));
  const auto texts = TranslatableTexts(lines);
  ASSERT_GT(texts.size(), 10u);
  size_t languages = 0;
  for (const std::string& line : lines) {
    if (!line.starts_with("#po ")) continue;
    ++languages;
    const size_t quote = line.find('"');
    const std::string file =
        "ppd/" + line.substr(quote + 1, line.size() - quote - 2);
    const std::string catalogue = Document(file.c_str());
    for (const std::string& text : texts) {
      const std::string entry = "\nmsgid \"" + text + "\"\nmsgstr \"";
      const size_t at = catalogue.find(entry);
      ASSERT_NE(at, catalogue.npos) << file << " lacks " << text;
      EXPECT_NE(catalogue[at + entry.size()], '"') << file << ": " << text;
    }
  }
  EXPECT_GT(languages, 0u);
}

TEST(PrinterModels, HaveNoKeywordThatNobodyReads) {
  std::set<std::string_view> known = {"halftonedOutput"};
  for (const PrintSetting& setting : kPrintSettings) {
    known.insert(setting.keyword);
  }
  size_t keywords = 0;
  for (const std::string& line : LinesOf(Completed("halftoned.drv"))) {
    const size_t at = line.find("\"halftoned");
    if (at == line.npos || line.find("Group") != line.npos) continue;
    ++keywords;
    const std::string keyword =
        line.substr(at + 1, line.find_first_of("/\"", at + 1) - at - 1);
    if (keyword.ends_with(".po")) continue;
    EXPECT_EQ(known.count(keyword), 1u) << keyword;
  }
  EXPECT_GT(keywords, 5u);
}

}  // namespace
}  // namespace halftoned
