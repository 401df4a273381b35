// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

#include "daemon/supervisor/status/snapshot.h"

namespace halftoned::daemon {
namespace {

constexpr uid_t kOwner = 7;
constexpr uid_t kOther = 8;

Snapshot Sample() {
  Snapshot snapshot;
  snapshot.version = "1.2";
  snapshot.uptime_seconds = 3723;
  snapshot.workers.push_back({.number = 3,
                              .kind = "cpu",
                              .pid = 42,
                              .state = "ready",
                              .engine = "avx2",
                              .threads = 2,
                              .deaths = 1,
                              .uptime_seconds = 61,
                              .connections = 1,
                              .pages_per_second = 2.25,
                              .gray_bytes_per_second = 8e7,
                              .page_bytes = 5 << 20});
  SessionStatus session;
  session.connection = 9;
  session.worker = 3;
  session.uid = kOwner;
  session.job = 12;
  session.printer = "laser";
  session.title = "a \"title\"";
  session.page = 2;
  session.row = 512;
  session.done.rows = 1000;
  session.age_seconds = 2;
  session.idle_seconds = 0.25;
  snapshot.sessions.push_back(session);
  snapshot.engines["avx2"].rows = 1000;
  snapshot.connections = 4;
  snapshot.refusals[static_cast<size_t>(Refusal::kBannedJob)] = 2;
  snapshot.deaths["cpu"] = 1;
  snapshot.fail_overs = 3;
  snapshot.dismissed = 6;
  snapshot.health_checks = 5;
  return snapshot;
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Status, TextIsTables) {
  EXPECT_EQ(StatusText(Sample(), kOwner),
            R"(halftoned 1.2 is serving; up 1:02:03, 4 connections so far

WORKER  KIND  PID  STATE  ENGINE  THREADS  CONNECTIONS  MEMORY  PAGES/S  MB/S  DEATHS  UP
3       cpu   42   ready  avx2    2        1            5 MiB   2.25     80    1       0:01:01

SESSION  JOB  PRINTER  UID  WORKER  PAGE  ROW  ROWS/S  IDLE     TITLE
9        12   laser    7    3       2     512  500     0:00:00  a "title"

ENGINE  PAGES  ROWS  FAILED  CANCELLED  EVICTED
avx2    0      1000  0       0          0

refused 2 times: workers died while working for this job
workers of kind cpu have died 1 times
clients have moved from a failed worker 3 times
idle connections were evicted for others 6 times
)");
}

TEST(Status, OnlyOwnersAndRootSeeTitles) {
  for (const uid_t viewer : {kOwner, uid_t{0}}) {
    EXPECT_TRUE(Has(StatusText(Sample(), viewer), "a \"title\""));
    EXPECT_TRUE(Has(StatusJson(Sample(), viewer), R"("title":"a \"title\"")"));
  }
  EXPECT_FALSE(Has(StatusText(Sample(), kOther), "a \"title\""));
  EXPECT_FALSE(Has(StatusJson(Sample(), kOther), "title"));
  EXPECT_FALSE(Has(StatusMetrics(Sample()), "title"));
}

TEST(Status, ASilentWorkerIsShownAsSuch) {
  Snapshot snapshot = Sample();
  snapshot.workers[0].answers = false;
  EXPECT_TRUE(Has(StatusText(snapshot, 0), "  silent  "));
  EXPECT_TRUE(Has(StatusJson(snapshot, 0), R"("answers":false)"));
  EXPECT_TRUE(Has(StatusMetrics(snapshot),
                  "halftoned_worker_ready{worker=\"3\""
                  ",kind=\"cpu\",engine=\"avx2\"} 0"));
}

TEST(Status, JsonIsOneObject) {
  const std::string json = StatusJson(Sample(), kOther);
  EXPECT_TRUE(json.starts_with(R"({"version":"1.2","state":"serving",)"));
  EXPECT_TRUE(json.ends_with(R"("fail_overs":3,"dismissed":6,"kept_out":{},)"
                             R"("absent":{},)"
                             R"("health_checks":5,"health_failures":0})"
                             "\n"));
  EXPECT_TRUE(Has(json, R"("rows_per_second":500.0)"));
  EXPECT_TRUE(Has(json, R"("pages_per_second":2.25,)"
                        R"("gray_bytes_per_second":80000000.0)"));
  EXPECT_TRUE(Has(json, R"("banned_job":2)"));
  EXPECT_TRUE(Has(StatusJson(Snapshot(), 0), R"("engines":{})"));
}

// The words of halftone-status(1) that stand for themselves.
std::set<std::string> WordsOfManual() {
  std::ifstream manual(HALFTONED_SOURCE_DIR "/tools/manuals/halftone-status.1");
  std::set<std::string> words;
  for (std::string line; std::getline(manual, line);) {
    if (line.find("Cm ") == line.npos) continue;
    std::istringstream all(line);
    words.insert(std::istream_iterator<std::string>(all), {});
  }
  return words;
}

TEST(Status, TheManualDescribesEachJsonField) {
  Snapshot snapshot = Sample();
  snapshot.workers[0].device = "a GPU";
  const std::string json = StatusJson(snapshot, kOwner);
  const std::set<std::string> words = WordsOfManual();
  const std::regex field("\"(\\w+)\":");
  int fields = 0;
  for (std::sregex_iterator at(json.begin(), json.end(), field), end; at != end;
       ++at) {
    const std::string name = (*at)[1];
    // Names of engines and of kinds of workers.
    if (name == "avx2" || name == "cpu") continue;
    EXPECT_TRUE(words.contains(name)) << name;
    ++fields;
  }
  EXPECT_GT(fields, 50);
}

TEST(Status, JsonIsAsciiWhateverAJobIsCalled) {
  Snapshot snapshot = Sample();
  snapshot.sessions[0].title = "gr\xfcn \u00fc \xe2\x82 \x1b\x7f\u009b\n";
  snapshot.sessions[0].printer = "\xff";
  const std::string json = StatusJson(snapshot, kOwner);
  EXPECT_TRUE(Has(json, R"("printer":"\ufffd")")) << json;
  EXPECT_TRUE(Has(json, R"("title":"gr\ufffdn \u00fc \ufffd \u001b\u007f)"
                        R"(\u009b\n")"))
      << json;
}

TEST(Status, MetricsEscapeTheirLabels) {
  Snapshot snapshot = Sample();
  snapshot.engines["a\"b\\c\nd\xff"].rows = 1;
  EXPECT_TRUE(Has(StatusMetrics(snapshot),
                  R"(halftoned_rows_total{engine="a\"b\\c?d?"} 1)"));
}

TEST(Status, MetricsHaveTheirTypes) {
  const std::string metrics = StatusMetrics(Sample());
  for (const char* line :
       {"# TYPE halftoned_rows counter\n",
        "halftoned_rows_total{engine=\"avx2\"} 1000\n",
        "halftoned_refusals_total{reason=\"banned_job\"} 2\n",
        "halftoned_worker_deaths_total{kind=\"cpu\"} 1\n",
        "halftoned_fail_overs_total 3\n", "halftoned_dismissed_total 6\n",
        "# TYPE halftoned_sessions gauge\n",
        "halftoned_worker_pages_per_second{worker=\"3\",kind=\"cpu\""
        ",engine=\"avx2\"} 2.25\n",
        "halftoned_worker_gray_bytes_per_second{worker=\"3\",kind=\"cpu\""
        ",engine=\"avx2\"} 80000000\n",
        "halftoned_uptime_seconds 3723\n"}) {
    EXPECT_TRUE(Has(metrics, line)) << line << metrics;
  }
}

}  // namespace
}  // namespace halftoned::daemon
