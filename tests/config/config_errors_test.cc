// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said of a wrong halftoned.conf.

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "config/config.h"
#include "halftone/look/settings.h"
#include "tests/config/error_of.h"

namespace halftoned {
namespace {

TEST(ConfigErrors, ErrorsNameTheFileAndTheLine) {
  EXPECT_EQ(ErrorOf("[filter]\n\ngama = 2\n"),
            "c, line 3: unknown key 'gama' in [filter]; did you mean "
            "'gamma'?");
  EXPECT_EQ(ErrorOf("gama = 2\n"), "c, line 1: unknown key 'gama'");
  EXPECT_EQ(ErrorOf("[queue.a.b]\n"),
            "c, line 1: unknown table 'queue.a.b'; there are [filter], "
            "[queue.NAME] and [daemon]");
  EXPECT_EQ(ErrorOf("[fitler]\n"),
            "c, line 1: unknown table 'fitler'; there are [filter], "
            "[queue.NAME] and [daemon]");
  EXPECT_EQ(ErrorOf("[filter]\nthreads = 257\n"),
            "c, line 2: 'threads' must be a whole number from 0 to 256");
  EXPECT_EQ(ErrorOf("[filter]\nthreads = \"2\"\n"),
            "c, line 2: 'threads' must be a whole number from 0 to 256");
  EXPECT_EQ(ErrorOf("[filter]\nlevels = 3\n"),
            "c, line 2: 'levels' must be 2, 4, 8 or 16");
  EXPECT_EQ(ErrorOf("[filter]\nlevels = 4294967298\n"),
            "c, line 2: 'levels' must be 2, 4, 8 or 16");
  EXPECT_EQ(ErrorOf("[filter]\nlevels = -9223372036854775806\n"),
            "c, line 2: 'levels' must be 2, 4, 8 or 16");
  EXPECT_EQ(ErrorOf("[filter]\ngamma = nan\n"),
            "c, line 2: 'gamma' must be a number from 0.1 to 10");
  EXPECT_EQ(ErrorOf("[filter]\ndot-gain = 46\n"),
            "c, line 2: 'dot-gain' must be a number from 0 to 45");
  EXPECT_EQ(ErrorOf("[queue.a]\ncontrast = \"1\"\n"),
            "c, line 2: 'contrast' must be a number from -100 to 100, without "
            "quotes");
  EXPECT_EQ(ErrorOf("[filter]\nlevels = \"4\"\n"),
            "c, line 2: 'levels' must be 2, 4, 8 or 16, without quotes");
  EXPECT_EQ(ErrorOf("[filter]\nscreen-angle = 181\n"),
            "c, line 2: 'screen-angle' must be a number from 0 to 180");
  EXPECT_EQ(ErrorOf("[filter]\ncluster-size = 3.5\n"),
            "c, line 2: 'cluster-size' must be a whole number from 2 to 9");
  EXPECT_TRUE(ErrorOf("[filter]\nhalftone-type = fine\n")
                  .ends_with("; texts are in quotes, numbers are not"));
  EXPECT_EQ(ErrorOf("[filter]\nhalftone-type = \"newsprint\"\n"),
            "c, line 2: 'halftone-type' must be " +
                FindSetting("halftone-type")->Values("\""));
  EXPECT_EQ(ErrorOf("[filter]\ntext-edges = \"crips\"\n"),
            "c, line 2: 'text-edges' must be \"off\", \"crisp\", \"soft\" or "
            "\"barcode\"; did you mean 'crisp'?");
  EXPECT_EQ(ErrorOf("[filter]\ntext-edges = true\n"),
            "c, line 2: 'text-edges' must be \"off\", \"crisp\", \"soft\" or "
            "\"barcode\"");
  EXPECT_EQ(ErrorOf("[filter]\ntechnology = \"Laser\"\n"),
            "c, line 2: 'technology' must be \"laser\", \"inkjet\" or "
            "\"thermal\"; did you mean 'laser'?");
  EXPECT_EQ(ErrorOf("[filter]\ntone-curve = \"\"\n"),
            "c, line 2: 'tone-curve' must not be empty");
  EXPECT_EQ(ErrorOf("[filter]\nengine = 1\n"),
            "c, line 2: 'engine' must be a text in quotes");
  EXPECT_EQ(ErrorOf("[queue]\na = 1\n"),
            "c, line 2: [queue] needs a name, such as [queue.office]");
  for (const std::string name : {"", "a\\tb", "a\\nb", "a/b"}) {
    EXPECT_TRUE(ErrorOf("[queue.\"" + name + "\"]\n")
                    .ends_with("is not the name of a queue or printer, which "
                               "has no / and no control character"))
        << name;
  }
  EXPECT_EQ(ErrorOf("filter = 1\n"), "c, line 1: 'filter' must be a table");
  EXPECT_EQ(ErrorOf("[filter]\n[filter\n").substr(0, 11), "c, line 2: ");
  EXPECT_EQ(ErrorOf("[queue.Big]\n[queue.big]\n"),
            "c, line 2: there is another table for the queue 'big': names are "
            "not case-sensitive");
  EXPECT_EQ(ErrorOf("[queue.a]\n[queue.A]\n").substr(0, 11), "c, line 2: ");
  EXPECT_EQ(ErrorOf("[daemon]\nsockets = 1\n"),
            "c, line 2: unknown key 'sockets' in [daemon]; did you mean "
            "'socket'?");
  EXPECT_EQ(
      ErrorOf("[daemon]\nsocket = \"relative\"\n"),
      "c, line 2: 'socket' must be an absolute path of at most 107 bytes");
  EXPECT_EQ(
      ErrorOf("[daemon]\nsocket = \"/a\\u0000b\"\n"),
      "c, line 2: 'socket' must be an absolute path of at most 107 bytes");
  EXPECT_EQ(ErrorOf("[daemon]\nsocket = \"/a\"\nstatus-socket = \"/a\"\n"),
            "c, line 3: 'socket' and 'status-socket' are the same");
  const std::string status = DaemonConfig().status_socket;
  EXPECT_EQ(ErrorOf("[daemon]\nsocket = \"" + status + "\"\n"),
            "c, line 2: 'socket' and 'status-socket' are the same");
  EXPECT_EQ(ErrorOf("[daemon]\nuser = \"root\"\n"),
            "c, line 2: 'user' must be a user other than root");
  EXPECT_EQ(ErrorOf("[daemon]\nworker-user = \"root\"\n"),
            "c, line 2: 'worker-user' must be a user other than root");
  EXPECT_EQ(
      ErrorOf("[daemon]\nmax-connections = 0\n"),
      "c, line 2: 'max-connections' must be a whole number from 1 to 2000");
  for (const char* gpus : {"0", "\"GPU-1\"", "[1]", "[\"0\"]", "[\"GPU-x\"]",
                           "[\"GPU-\"]", "[\"GPU-1\", \"GPU-1\"]"}) {
    EXPECT_EQ(ErrorOf(std::string("[daemon]\ngpus = ") + gpus + "\n"),
              "c, line 2: 'gpus' must be \"auto\", \"none\" or a list of "
              "different UUIDs, each \"GPU-…\" or \"MIG-…\"")
        << gpus;
  }
  EXPECT_EQ(
      ErrorOf("[daemon]\nlog-level = \"loud\"\n"),
      "c, line 2: 'log-level' must be \"error\", \"warning\", \"info\" or "
      "\"debug\"");
}

TEST(ConfigErrors, AKeyInAnotherTableIsToldItsOwn) {
  for (const char* table : {"", "[daemon]"}) {
    EXPECT_EQ(ErrorOf(std::string(table) + "\ngamma = 2\n"),
              "c, line 2: 'gamma' belongs in [filter] or [queue.NAME]");
  }
  EXPECT_EQ(ErrorOf("[queue.a]\nengine = \"auto\"\n"),
            "c, line 2: 'engine' belongs in [filter]");
  EXPECT_EQ(ErrorOf("[filter]\nmemory = \"no number\"\n"),
            "c, line 2: 'memory' belongs in [daemon]");
  EXPECT_EQ(ErrorOf("threads = 2\n"),
            "c, line 1: 'threads' belongs in [filter] or [daemon]");
}

TEST(ConfigErrors, CapitalLettersAreToldFromUnknownNames) {
  EXPECT_EQ(ErrorOf("[Queue.x]\n"),
            "c, line 1: 'Queue' must be written 'queue'");
  EXPECT_EQ(ErrorOf("[filter]\nGamma = 2\n"),
            "c, line 2: 'Gamma' must be written 'gamma'");
  EXPECT_EQ(ErrorOf("[filter]\nGama = 2\n"),
            "c, line 2: unknown key 'Gama' in [filter]; did you mean "
            "'gamma'?");
}

TEST(ConfigErrors, MisspeltKeysOfTheSampleAreRecognised) {
  std::ifstream sample(std::string(HALFTONED_SOURCE_DIR) +
                       "/conf/halftoned.conf");
  std::string table;
  int keys = 0;
  for (std::string line; std::getline(sample, line);) {
    if (line.starts_with('#')) line.erase(0, 1);
    if (line.starts_with('[')) table = line.substr(0, line.find(']') + 1);
    const size_t sign = line.find(" = ");
    const std::string key = line.substr(0, sign);
    if (sign == line.npos || key.find(' ') != key.npos) continue;
    std::string misspelt = key;
    misspelt.erase(key.size() / 2, 1);
    const std::string error = ErrorOf(table + "\n" + misspelt + " = 1\n");
    EXPECT_NE(error.find("did you mean '" + key + "'?"), error.npos) << error;
    ++keys;
  }
  EXPECT_GT(keys, 30);
}

TEST(ConfigErrors, WhatIsNotTomlIsExplained) {
  EXPECT_EQ(ErrorOf("[filter]\ngamma = 2\ngamma = 3\n"),
            "c, line 3: 'gamma' is set twice");
  EXPECT_EQ(ErrorOf("[queue.a]\n[filter]\n[queue.a]\n"),
            "c, line 3: [queue.a] appears twice, first in line 1; merge both "
            "into one table");
  EXPECT_EQ(ErrorOf("a = 1\n [ queue . \"b\" ] # [queue.b]\n[queue.b]\n"),
            "c, line 3: [queue.b] appears twice, first in line 2; merge both "
            "into one table");
  const char* hint = "; texts are in quotes, numbers are not";
  for (const char* value : {"fine", "laser", "nine", "/a"}) {
    EXPECT_TRUE(ErrorOf(std::string("a = ") + value).ends_with(hint)) << value;
  }
  for (const char* text : {"[filter", "a = \"b", "a\n", "a = 1 b\n"}) {
    EXPECT_EQ(ErrorOf(text).substr(0, 11), "c, line 1: ");
    EXPECT_EQ(ErrorOf(text).find(hint), std::string::npos) << text;
  }
}

TEST(ConfigErrors, LettersBeyondAsciiAreForTextsAndComments) {
  const std::string mistake =
      ": letters beyond ASCII must be in quotes or in a comment";
  for (const std::string line : {"halftoneϋype = 2", "[filteré]", "gamma = 1 é",
                                 "'a\\' é = 1", "\"a\\\" # \"é = 1"}) {
    const Result<Config> config = ParseConfig("\n" + line + "\n", "c");
    ASSERT_FALSE(config.ok()) << line;
    EXPECT_EQ(config.error().message, "c, line 2" + mistake) << line;
  }
  const Result<Config> config = ParseConfig(
      "\xef\xbb\xbf# Büro\n[queue.\"Büro\"]\ngamma = 2  # 'é\n"
      "tone-curve = \"/\\\"é\"\n",
      "c");
  ASSERT_TRUE(config.ok()) << config.error().message;
  EXPECT_EQ(config->queues.count("Büro"), 1u);
  EXPECT_EQ(ErrorOf("gamma = é").substr(0, 33),
            "c, line 1: Error while parsing va");
  EXPECT_EQ(ErrorOf("gamma = 2\"\"\"é").substr(0, 11), "c, line 1: ");
  EXPECT_EQ(ErrorOf("a = 1\n# \xe9"), "c, line 2: this is not UTF-8");
}

TEST(ConfigErrors, ErrorsAreOneLine) {
  EXPECT_EQ(ErrorOf("\"é\\n\" = 1"), "c, line 1: unknown key 'é?'");
  EXPECT_EQ(ErrorOf("a = t\n").find('\n'), std::string::npos);
}

TEST(ConfigErrors, ProblemsComeInTheOrderOfTheirLines) {
  EXPECT_EQ(
      CheckConfig("[filter]\nz = 1\ny = 1\n[daemon]\nx = 1", "c").problems,
      (std::vector<std::string>{"c, line 2: unknown key 'z' in [filter]",
                                "c, line 3: unknown key 'y' in [filter]",
                                "c, line 5: unknown key 'x' in [daemon]"}));
}

TEST(ConfigErrors, EveryProblemHasItsLine) {
  EXPECT_EQ(
      CheckConfig("[daemon]\na = 1\nmemory = 1\n[queue.x]\nlevels = 3", "c")
          .problems,
      (std::vector<std::string>{
          "c, line 2: unknown key 'a' in [daemon]",
          "c, line 3: 'memory' must be a whole number from 16 to 1048576",
          "c, line 5: 'levels' must be 2, 4, 8 or 16"}));
  EXPECT_TRUE(CheckConfig("", "c").problems.empty());
}

}  // namespace
}  // namespace halftoned
