// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The status for programs: one object, described in halftone-status(1).

#include "base/json.h"
#include "daemon/supervisor/status/snapshot.h"

namespace halftoned::daemon {
namespace {

double Rounded(double number) { return RoundedTo(1000, number); }

Json Worker(const WorkerStatus& worker) {
  Json json;
  json["number"] = worker.number;
  json["kind"] = worker.kind;
  json["pid"] = worker.pid;
  json["state"] = worker.state;
  json["answers"] = worker.answers;
  json["engine"] = worker.engine;
  json["threads"] = worker.threads;
  json["deaths"] = worker.deaths;
  json["uptime_seconds"] = Rounded(worker.uptime_seconds);
  json["connections"] = worker.connections;
  json["pages_per_second"] = Rounded(worker.pages_per_second);
  json["gray_bytes_per_second"] = Rounded(worker.gray_bytes_per_second);
  json["page_bytes"] = worker.page_bytes;
  if (!worker.device.empty()) {
    json["device"] = worker.device;
    json["device_bytes"] = worker.device_bytes;
    json["device_memory"] = worker.device_memory;
    json["slow"] = worker.is_slow;
  }
  return json;
}

Json Session(const SessionStatus& session, uid_t viewer) {
  Json json;
  json["connection"] = session.connection;
  json["worker"] = session.worker;
  json["uid"] = session.uid;
  json["job"] = session.job;
  json["printer"] = session.printer;
  if (MaySeeTitle(session, viewer)) json["title"] = session.title;
  json["page"] = session.page;
  json["row"] = session.row;
  json["pages"] = session.done.pages;
  json["rows"] = session.done.rows;
  json["rows_per_second"] = Rounded(session.rows_per_second());
  json["age_seconds"] = Rounded(session.age_seconds);
  json["idle_seconds"] = Rounded(session.idle_seconds);
  return json;
}

Json Done(const Counters& done) {
  Json json;
  for (const CounterName& known : kCounterNames) {
    json[std::string(known.name)] = done.*known.counter;
  }
  return json;
}

// An object, empty or not.
Json Named(const auto& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) json[name] = value;
  return json;
}

Json Engines(const Snapshot& snapshot) {
  Json json = Json::object();
  for (const auto& [name, done] : snapshot.engines) json[name] = Done(done);
  return json;
}

Json Refusals(const Snapshot& snapshot) {
  Json json;
  for (size_t i = 0; i < kRefusals.size(); ++i) {
    json[std::string(kRefusals[i].name)] = snapshot.refusals[i];
  }
  return json;
}

}  // namespace

std::string StatusJson(const Snapshot& snapshot, uid_t viewer) {
  Json workers = Json::array();
  for (const WorkerStatus& each : snapshot.workers) {
    workers.push_back(Worker(each));
  }
  Json sessions = Json::array();
  for (const SessionStatus& each : snapshot.sessions) {
    sessions.push_back(Session(each, viewer));
  }
  Json json;
  json["version"] = snapshot.version;
  json["state"] = snapshot.is_stopping ? "stopping" : "serving";
  json["uptime_seconds"] = Rounded(snapshot.uptime_seconds);
  json["workers"] = std::move(workers);
  json["sessions"] = std::move(sessions);
  json["engines"] = Engines(snapshot);
  json["connections"] = snapshot.connections;
  json["refusals"] = Refusals(snapshot);
  json["deaths"] = Named(snapshot.deaths);
  json["fail_overs"] = snapshot.fail_overs;
  json["dismissed"] = snapshot.dismissed;
  json["kept_out"] = Named(snapshot.kept_out);
  json["absent"] = Named(snapshot.absent);
  json["health_checks"] = snapshot.health_checks;
  json["health_failures"] = snapshot.health_failures;
  return JsonLine(json);
}

}  // namespace halftoned::daemon
