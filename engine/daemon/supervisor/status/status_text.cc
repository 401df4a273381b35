// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The status for people: tables.

#include <algorithm>
#include <cstdio>

#include "daemon/supervisor/status/snapshot.h"

namespace halftoned::daemon {
namespace {

using Row = std::vector<std::string>;

// Pads all columns but the last.
std::string Table(const std::vector<Row>& rows) {
  std::vector<size_t> widths(rows.front().size());
  for (const Row& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  std::string text;
  for (const Row& row : rows) {
    for (size_t i = 0; i + 1 < row.size(); ++i) {
      text += row[i] + std::string(widths[i] + 2 - row[i].size(), ' ');
    }
    text += row.back() + "\n";
  }
  return text;
}

std::string Time(double seconds) {
  const auto whole = static_cast<uint64_t>(seconds);
  char text[48];
  std::snprintf(text, sizeof(text), "%llu:%02u:%02u",
                static_cast<unsigned long long>(whole / 3600),
                static_cast<unsigned>(whole / 60 % 60),
                static_cast<unsigned>(whole % 60));
  return text;
}

std::string Number(double number, int decimals = 0) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.*f", decimals, number);
  return text;
}

std::string OrDash(std::string text) { return text.empty() ? "-" : text; }

std::string OrDash(uint64_t number) {
  return number == 0 ? "-" : std::to_string(number);
}

std::string Workers(const Snapshot& snapshot) {
  std::vector<Row> rows = {{"WORKER", "KIND", "PID", "STATE", "ENGINE",
                            "THREADS", "CONNECTIONS", "MEMORY", "PAGES/S",
                            "MB/S", "DEATHS", "UP"}};
  for (const WorkerStatus& worker : snapshot.workers) {
    rows.push_back(
        {std::to_string(worker.number), worker.kind, std::to_string(worker.pid),
         std::string(worker.answers ? worker.state : "silent"),
         OrDash(worker.engine), OrDash(static_cast<uint64_t>(worker.threads)),
         std::to_string(worker.connections),
         std::to_string(worker.page_bytes >> 20) + " MiB",
         Number(worker.pages_per_second, 2),
         Number(worker.gray_bytes_per_second / 1e6),
         std::to_string(worker.deaths), Time(worker.uptime_seconds)});
  }
  return Table(rows);
}

// Only workers with a device.
std::string Devices(const Snapshot& snapshot) {
  std::vector<Row> rows = {{"WORKER", "GPU MEMORY", "OF", "GPU"}};
  for (const WorkerStatus& worker : snapshot.workers) {
    if (worker.device.empty()) continue;
    rows.push_back({std::to_string(worker.number),
                    std::to_string(worker.device_bytes >> 20) + " MiB",
                    std::to_string(worker.device_memory >> 20) + " MiB",
                    worker.device});
  }
  return rows.size() > 1 ? Table(rows) : "";
}

std::string Sessions(const Snapshot& snapshot, uid_t viewer) {
  std::vector<Row> rows = {{"SESSION", "JOB", "PRINTER", "UID", "WORKER",
                            "PAGE", "ROW", "ROWS/S", "IDLE", "TITLE"}};
  for (const SessionStatus& session : snapshot.sessions) {
    rows.push_back(
        {std::to_string(session.connection), OrDash(session.job),
         OrDash(session.printer), std::to_string(session.uid),
         std::to_string(session.worker), OrDash(session.page),
         OrDash(static_cast<uint64_t>(session.row)),
         Number(session.rows_per_second()), Time(session.idle_seconds),
         MaySeeTitle(session, viewer) ? OrDash(session.title) : "-"});
  }
  return Table(rows);
}

std::string EngineLines(const Snapshot& snapshot) {
  std::vector<Row> rows = {
      {"ENGINE", "PAGES", "ROWS", "FAILED", "CANCELLED", "EVICTED"}};
  for (const auto& [name, done] : snapshot.engines) {
    rows.push_back({name, std::to_string(done.pages), std::to_string(done.rows),
                    std::to_string(done.failed_pages),
                    std::to_string(done.cancelled_pages),
                    std::to_string(done.evicted_pages)});
  }
  return Table(rows);
}

std::string Troubles(const Snapshot& snapshot) {
  std::string text;
  for (size_t i = 0; i < kRefusals.size(); ++i) {
    if (snapshot.refusals[i] == 0) continue;
    text += "refused " + std::to_string(snapshot.refusals[i]) +
            " times: " + std::string(kRefusals[i].message) + "\n";
  }
  for (const auto& [kind, count] : snapshot.deaths) {
    if (count == 0) continue;
    text += "workers of kind " + kind + " have died " + std::to_string(count) +
            " times\n";
  }
  if (snapshot.fail_overs > 0) {
    text += "clients have moved from a failed worker " +
            std::to_string(snapshot.fail_overs) + " times\n";
  }
  if (snapshot.dismissed > 0) {
    text += "idle connections were evicted for others " +
            std::to_string(snapshot.dismissed) + " times\n";
  }
  for (const auto& [kind, reason] : snapshot.kept_out) {
    text += kind + " is quarantined: " + reason + "\n";
  }
  for (const auto& [kind, reason] : snapshot.absent) {
    text += kind + " is missing: " + reason + "\n";
  }
  if (snapshot.health_failures > 0) {
    text += "health checks have failed " +
            std::to_string(snapshot.health_failures) + " times of " +
            std::to_string(snapshot.health_checks) + "\n";
  }
  return text;
}

}  // namespace

std::string StatusText(const Snapshot& snapshot, uid_t viewer) {
  std::string text = "halftoned " + snapshot.version + " is " +
                     (snapshot.is_stopping ? "stopping" : "serving") + "; up " +
                     Time(snapshot.uptime_seconds) + ", " +
                     std::to_string(snapshot.connections) +
                     " connections so far\n";
  text.append("\n").append(Workers(snapshot));
  const std::string devices = Devices(snapshot);
  if (!devices.empty()) text.append("\n").append(devices);
  if (!snapshot.sessions.empty()) {
    text.append("\n").append(Sessions(snapshot, viewer));
  }
  if (!snapshot.engines.empty()) {
    text.append("\n").append(EngineLines(snapshot));
  }
  const std::string troubles = Troubles(snapshot);
  if (!troubles.empty()) text.append("\n").append(troubles);
  return text;
}

}  // namespace halftoned::daemon
