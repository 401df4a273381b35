// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "config/config.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "config/known_keys.h"
#include "halftone/look/settings.h"
#include "halftone/page/method.h"
#include "tests/config/error_of.h"

namespace halftoned {
namespace {

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
