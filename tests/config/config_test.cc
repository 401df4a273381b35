// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "config/config.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "config/known_keys.h"
#include "halftone/look/settings.h"
#include "halftone/page/method.h"

namespace halftoned {
namespace {

std::string ErrorOf(std::string_view text) {
  const Result<Config> config = ParseConfig(text, "c");
  return config.ok() ? "" : config.error().message;
}

TEST(Config, ReadsEveryKey) {
  const Result<Config> config = ParseConfig(R"(
[filter]
engine = "scalar"
threads = 3
levels = 4
gamma = 1.5
tone-curve = "/x"
black-point = 32
contrast = -1.5
brightness = 8
toner-save = 30
dot-gain = 19.5
text-edges = "off"
technology = "inkjet"
halftone-type = "clustered"
cluster-size = 6
screen-angle = 30.5
[daemon]
socket = "/a"
status-socket = "/b"
user = "u"
group = "g"
threads = 5
memory = 64
max-connections = 7
max-connections-per-user = 6
page-idle = 9
stop-timeout = 10
health-interval = 11
log-level = "debug"
gpus = ["GPU-1234abcd-00", "MIG-5"]
gpu-memory = 512
gpu-check = 3
worker-user = "w"
[queue.one]
gamma = 2        # a whole number is a number
halftone-type = "auto"  # says nothing
[queue."with.dot"]
levels = 16
[queue.Two]
tone-curve = "two.curve"
)",
                                            "/etc/h/h.conf");
  ASSERT_TRUE(config.ok()) << config.error().message;
  EXPECT_EQ(config->engine->value, "scalar");
  EXPECT_EQ(config->threads->value, 3);
  const Look& look = config->look.look();
  EXPECT_EQ(look.levels, 4);
  EXPECT_EQ(look.gamma, 1.5);
  EXPECT_EQ(look.tone_curve, "/x");
  EXPECT_EQ(look.dot_gain, 19.5);
  EXPECT_EQ(look.text_edges, TextEdges::kOff);
  EXPECT_EQ(look.technology, Technology::kInkjet);
  EXPECT_EQ(look.algorithm, Algorithm::kClustered);
  EXPECT_EQ(*config->look.Where(*FindSetting("contrast")),
            "/etc/h/h.conf, line 9");
  EXPECT_EQ(*config->look.Where(*FindSetting("levels")),
            "/etc/h/h.conf, line 5");
  EXPECT_FALSE(config->queues.at("one").Where(*FindSetting("halftone-type")));
  EXPECT_EQ(config->queues.at("one").look().gamma, 2);
  EXPECT_EQ(config->queues.at("with.dot").look().levels, 16);
  // Names of queues are as CUPS has them.
  EXPECT_EQ(config->queues.find("tWO")->second.look().tone_curve,
            "/etc/h/two.curve");
  const DaemonConfig& daemon = config->daemon;
  EXPECT_EQ(daemon.socket, "/a");
  EXPECT_EQ(daemon.status_socket, "/b");
  EXPECT_EQ(daemon.user.value, "u");
  EXPECT_EQ(daemon.user.where, "/etc/h/h.conf, line 21");
  EXPECT_EQ(daemon.worker_user.value, "w");
  EXPECT_EQ(daemon.group.value, "g");
  EXPECT_EQ(daemon.threads, 5);
  EXPECT_EQ(daemon.memory, 64);
  EXPECT_EQ(daemon.max_connections, 7);
  EXPECT_EQ(daemon.max_connections_per_user, 6);
  EXPECT_EQ(daemon.page_idle, 9);
  EXPECT_EQ(daemon.stop_timeout, 10);
  EXPECT_EQ(daemon.health_interval, 11);
  EXPECT_FALSE(daemon.gpus.all);
  EXPECT_EQ(daemon.gpus.uuids,
            (std::vector<std::string>{"GPU-1234abcd-00", "MIG-5"}));
  EXPECT_EQ(daemon.gpu_memory, 512);
  EXPECT_EQ(daemon.gpu_check, 3);
  EXPECT_EQ(daemon.log_level, LogLevel::kDebug);
}

// As TOML has it.
std::string ValueOf(const PrintSetting& setting) {
  if (setting.is_number()) return std::to_string(setting.most);
  if (setting.is_choice_of_numbers()) return "16";
  const std::string name =
      setting.is_file() ? "/a" : std::string(setting.Choices().back().name);
  return "\"" + name + "\"";
}

TEST(Config, TakesTheRendererOfEarlierVersions) {
  EXPECT_TRUE(ParseConfig("[filter]\nrenderer = \"pdftoraster\"", "c").ok());
}

TEST(Config, ReadsTheLimitsOfRenderers) {
  for (const RenderInteger& known : kRenderIntegers) {
    const auto parse = [&](int value) {
      const std::string key(known.name);
      return ParseConfig("[filter]\n" + key + "=" + std::to_string(value), "c");
    };
    for (const int value : {known.least, known.most}) {
      const auto config = parse(value);
      ASSERT_TRUE(config.ok()) << config.error().message;
      RenderLimits expected;
      expected.*known.member = value;
      EXPECT_EQ(config->render, expected);
    }
    for (const int value : {known.least - 1, known.most + 1}) {
      EXPECT_FALSE(parse(value).ok()) << known.name << " = " << value;
    }
  }
}

TEST(Config, ReadsEachPageSetting) {
  for (const PrintSetting& setting : kPrintSettings) {
    const std::string name(setting.name);
    const std::string value = ValueOf(setting);
    const auto config =
        ParseConfig("[filter]\n" + name + " = " + value + "\n", "c");
    ASSERT_TRUE(config.ok()) << config.error().message;
    for (const PrintSetting& any : kPrintSettings) {
      EXPECT_EQ(config->look.Where(any) != nullptr, &any == &setting) << name;
    }
    const auto of_queue =
        ParseConfig("[queue.a]\n" + name + " = " + value + "\n", "c");
    ASSERT_TRUE(of_queue.ok()) << of_queue.error().message;
    EXPECT_EQ(*of_queue->queues.at("a").Where(setting), "c, line 2");
    EXPECT_EQ(ErrorOf("[filter]\n" + name + " = true\n").substr(0, 11),
              "c, line 2: ");
  }
}

TEST(Config, AnEmptyFileIsValid) {
  EXPECT_EQ(ErrorOf(""), "");
  EXPECT_EQ(ErrorOf("# all defaults\n[filter]\n"), "");
}

TEST(Config, ErrorsNameTheFileAndTheLine) {
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

TEST(Config, TheErrorForAKeyInAWrongTableNamesTheRightOne) {
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

TEST(Config, TheErrorForCapitalLettersNamesTheKey) {
  EXPECT_EQ(ErrorOf("[Queue.x]\n"),
            "c, line 1: 'Queue' must be written 'queue'");
  EXPECT_EQ(ErrorOf("[filter]\nGamma = 2\n"),
            "c, line 2: 'Gamma' must be written 'gamma'");
  EXPECT_EQ(ErrorOf("[filter]\nGama = 2\n"),
            "c, line 2: unknown key 'Gama' in [filter]; did you mean "
            "'gamma'?");
}

TEST(Config, MisspelledKeysOfTheSampleAreRecognized) {
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

TEST(Config, InvalidTomlIsExplained) {
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

TEST(Config, LettersBeyondAsciiAreForTextsAndComments) {
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

TEST(Config, ErrorsAreOneLine) {
  EXPECT_EQ(ErrorOf("\"é\\n\" = 1"), "c, line 1: unknown key 'é?'");
  EXPECT_EQ(ErrorOf("a = t\n").find('\n'), std::string::npos);
}

TEST(Config, ProblemsComeInTheOrderOfTheirLines) {
  EXPECT_EQ(
      CheckConfig("[filter]\nz = 1\ny = 1\n[daemon]\nx = 1", "c").problems,
      (std::vector<std::string>{"c, line 2: unknown key 'z' in [filter]",
                                "c, line 3: unknown key 'y' in [filter]",
                                "c, line 5: unknown key 'x' in [daemon]"}));
}

TEST(Config, EveryProblemHasItsLine) {
  EXPECT_EQ(
      CheckConfig("[daemon]\na = 1\nmemory = 1\n[queue.x]\nlevels = 3", "c")
          .problems,
      (std::vector<std::string>{
          "c, line 2: unknown key 'a' in [daemon]",
          "c, line 3: 'memory' must be a whole number from 16 to 1048576",
          "c, line 5: 'levels' must be 2, 4, 8 or 16"}));
  EXPECT_TRUE(CheckConfig("", "c").problems.empty());
}

TEST(Config, AMissingFileSetsNothing) {
  EXPECT_FALSE(ReadConfig("/nowhere/halftoned.conf")->is_said);
  EXPECT_EQ(ReadConfig("/").error().message, "/: cannot read: Is a directory");
}

TEST(Config, TheInstalledFileIsValidWithAndWithoutItsExamples) {
  std::ifstream file(HALFTONED_SOURCE_DIR "/conf/halftoned.conf");
  std::stringstream text;
  text << file.rdbuf();
  ASSERT_FALSE(text.str().empty());
  EXPECT_EQ(ErrorOf(text.str()), "");
  // Every example line is "#key = value" or "#[table]".
  std::string examples;
  for (std::string line; std::getline(text, line);) {
    const bool is_example = line.size() > 1 && line[0] == '#' && line[1] != ' ';
    examples += (is_example ? line.substr(1) : line) + "\n";
  }
  const Result<Config> shown = ParseConfig(examples, "c");
  ASSERT_TRUE(shown.ok()) << shown.error().message;
  // They show the defaults.
  const Config defaults;
  EXPECT_EQ(shown->engine->value, "auto");
  EXPECT_EQ(shown->threads->value, 0);
  EXPECT_EQ(shown->machine_threads, defaults.machine_threads);
  EXPECT_EQ(shown->use_of_daemon, defaults.use_of_daemon);
  EXPECT_EQ(shown->daemon, defaults.daemon);
}

}  // namespace
}  // namespace halftoned
