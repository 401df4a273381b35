// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "config/queue_table.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "config/config.h"

namespace halftoned {
namespace {

constexpr const PrintSetting& kGamma = SettingNamed("gamma");
constexpr const PrintSetting& kTechnology = SettingNamed("technology");

Result<std::string> Changed(std::string_view text, std::string_view queue,
                            std::vector<SettingChange> changes) {
  return WithChanges(text, "c", queue, changes);
}

std::string Set(std::string_view text, std::string_view queue = "a",
                std::string value = "2") {
  const auto changed = Changed(text, queue, {{&kGamma, std::move(value)}});
  return changed.ok() ? *changed : "error: " + changed.error().message;
}

std::string Unset(std::string_view text) { return Set(text, "a", ""); }

TEST(QueueTable, IsAddedAtTheEnd) {
  EXPECT_EQ(Set(""), "[queue.a]\ngamma = 2\n");
  EXPECT_EQ(Set("[daemon]\n# x"), "[daemon]\n# x\n\n[queue.a]\ngamma = 2\n");
  EXPECT_EQ(Set("# x\n\n"), "# x\n\n[queue.a]\ngamma = 2\n");
  EXPECT_EQ(Set("# x\r\n"), "# x\r\n\r\n[queue.a]\r\ngamma = 2\r\n");
  EXPECT_EQ(Set("\xef\xbb\xbf"), "\xef\xbb\xbf[queue.a]\ngamma = 2\n");
}

TEST(QueueTable, CanHaveANameThatNeedsQuotes) {
  for (const char* name : {"a.b", "b\xc3\xbcro", "q\"x\\y", "7", "a'b"}) {
    const std::string once = Set("", name);
    const auto config = ParseConfig(once, "c");
    ASSERT_TRUE(config.ok()) << once;
    EXPECT_EQ(config->queues.count(name), 1u) << once;
    EXPECT_EQ(Set(once, name, "3").size(), once.size()) << once;
  }
}

TEST(QueueTable, AddsASettingAfterTheOthers) {
  EXPECT_EQ(Set("[queue.a]\n# first\nlevels = 2 # why\n# last\n[queue.b]\n"),
            "[queue.a]\n# first\nlevels = 2 # why\ngamma = 2\n# last\n"
            "[queue.b]\n");
  EXPECT_EQ(Set("[queue.a]"), "[queue.a]\ngamma = 2\n");
  EXPECT_EQ(Set("[queue.A]\n\n[filter]\n"),
            "[queue.A]\ngamma = 2\n\n[filter]\n");
}

TEST(QueueTable, ChangesOnlyTheValue) {
  EXPECT_EQ(Set("[queue.a]\n  gamma\t=  1.25  # \xc3\xa4\r\nlevels=2"),
            "[queue.a]\n  gamma\t=  2  # \xc3\xa4\r\nlevels=2");
  EXPECT_EQ(Set("[queue]\na.gamma = 1.5 # b\n"), "[queue]\na.gamma = 2 # b\n");
  EXPECT_EQ(Set("[queue]\na = { gamma = 1, levels = 2 }\n"),
            "[queue]\na = { gamma = 2, levels = 2 }\n");
  const auto named = Changed("[queue.a]\ntechnology = 'laser'# x", "a",
                             {{&kTechnology, "\"thermal\""}});
  ASSERT_TRUE(named.ok()) << named.error().message;
  EXPECT_EQ(*named, "[queue.a]\ntechnology = \"thermal\"# x");
}

TEST(FilterTable, AppliesToAllQueues) {
  EXPECT_EQ(Set("", ""), "[filter]\ngamma = 2\n");
  EXPECT_EQ(Set("[filter]\n# x\n[queue.a]\n", ""),
            "[filter]\ngamma = 2\n# x\n[queue.a]\n");
  EXPECT_EQ(Set("[queue.a]\ngamma = 3\n[filter]\nuse-daemon = false\n", ""),
            "[queue.a]\ngamma = 3\n[filter]\nuse-daemon = false\ngamma = 2\n");
  EXPECT_EQ(Set("[filter]\ngamma = 1 # x\n", "", ""), "");
  EXPECT_EQ(Set("[queue.a]\ngamma = 1\n", "", ""), "[queue.a]\ngamma = 1\n");
  EXPECT_EQ(Set("filter = {}\n", "")
                .find("error: c: the settings of all queues are not below a "
                      "line [filter]"),
            0u);
}

TEST(QueueTable, IsRemovedWithItsLastSetting) {
  EXPECT_EQ(Unset("# x\n\n[queue.a]\ngamma = 1 # y\n"), "# x\n");
  EXPECT_EQ(Unset("[queue.a]\ngamma = 1\n\n[filter]\n"), "\n[filter]\n");
  EXPECT_EQ(Unset("[queue.a]\ngamma = 1\n# why\n"), "[queue.a]\n# why\n");
  EXPECT_EQ(Unset("[queue.a]\ngamma = 1\nlevels = 2\n"),
            "[queue.a]\nlevels = 2\n");
  EXPECT_EQ(Unset("[filter]\n"), "[filter]\n");
}

TEST(QueueTable, RefusesInvalidChanges) {
  EXPECT_EQ(Set("[filter]\nx = 1\n"),
            "error: c, line 2: unknown key 'x' in [filter]");
  EXPECT_EQ(Set("[queue.a]\n[queue.a]\n"),
            "error: c, line 2: [queue.a] appears twice, first in line 1; merge "
            "both into one table");
  EXPECT_EQ(Set("[queue]\na = {}\n").find("error: c: the settings of a"), 0u);
  EXPECT_NE(Set("queue = {}\n").find("error: c"), std::string::npos);
  EXPECT_NE(Set("", "a/b").find("is not the name of a queue"),
            std::string::npos);
  EXPECT_EQ(Set("\xff"), "error: c, line 1: this is not UTF-8");
  // A change may be what mends the file.
  EXPECT_EQ(Set("[queue.a]\ngamma = 99\n"), "[queue.a]\ngamma = 2\n");
}

TEST(QueueTable, KeepsTheInstalledFile) {
  std::ifstream file(HALFTONED_SOURCE_DIR "/conf/halftoned.conf");
  std::stringstream text;
  text << file.rdbuf();
  const std::string changed = Set(text.str(), "office-laser");
  EXPECT_TRUE(changed.starts_with(text.str()));
  const auto back = Changed(changed, "office-laser", {{&kGamma, ""}});
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, text.str());
}

TEST(QueueTable, WritesValuesAsTomlDoes) {
  const auto value = [](std::string_view name, const char* text) {
    const auto toml = TomlValueOf(*FindSetting(name), text);
    return toml.ok() ? *toml : "error: " + toml.error().message;
  };
  EXPECT_EQ(value("gamma", "1.40"), "1.4");
  EXPECT_EQ(value("levels", "4"), "4");
  EXPECT_EQ(value("technology", "Thermal"), "\"thermal\"");
  EXPECT_EQ(value("halftone-type", "auto"), "\"auto\"");
  EXPECT_EQ(value("tone-curve", "/a\"b/../c"), "\"/c\"");
  EXPECT_EQ(value("gamma", "99"),
            "error: gamma must be a number from 0.1 to 10, not '99'");
  EXPECT_EQ(value("text-edges", ""),
            "error: text-edges must be off, crisp, soft or barcode, not ''");
}

}  // namespace
}  // namespace halftoned
