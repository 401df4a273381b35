// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The status for programs: one object, described in halftone(1).

#include <cstdio>

#include "base/text.h"
#include "daemon/supervisor/snapshot.h"

namespace halftoned::daemon {
namespace {

// Members of an object, in braces at the end.
class Object {
 public:
  Object& Add(std::string_view name, const std::string& json) {
    text_ += text_.empty() ? "{" : ", ";
    text_ += JsonString(name) + ": " + json;
    return *this;
  }
  Object& Add(std::string_view name, uint64_t number) {
    return Add(name, std::to_string(number));
  }
  Object& AddReal(std::string_view name, double number) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.3f", number);
    return Add(name, std::string(text));
  }
  std::string End() const { return text_.empty() ? "{}" : text_ + "}"; }

 private:
  std::string text_;
};

template <typename Item, typename Render>
std::string List(const std::vector<Item>& items, const Render& render) {
  std::string text = "[";
  for (const Item& item : items) {
    if (text.size() > 1) text += ", ";
    text += render(item);
  }
  return text + "]";
}

std::string Worker(const WorkerStatus& worker) {
  Object object;
  object.Add("number", worker.number)
      .Add("kind", JsonString(worker.kind))
      .Add("pid", static_cast<uint64_t>(worker.pid))
      .Add("state", JsonString(worker.state))
      .Add("answers", std::string(worker.answers ? "true" : "false"))
      .Add("engine", JsonString(worker.engine))
      .Add("threads", static_cast<uint64_t>(worker.threads))
      .Add("deaths", worker.deaths)
      .AddReal("uptime_seconds", worker.uptime_seconds)
      .Add("connections", worker.connections)
      .AddReal("pages_per_second", worker.pages_per_second)
      .AddReal("gray_bytes_per_second", worker.gray_bytes_per_second)
      .Add("page_bytes", worker.page_bytes);
  if (!worker.device.empty()) {
    object.Add("device", JsonString(worker.device))
        .Add("device_bytes", worker.device_bytes)
        .Add("device_memory", worker.device_memory)
        .Add("slow", std::string(worker.is_slow ? "true" : "false"));
  }
  return object.End();
}

std::string Session(const SessionStatus& session, uid_t viewer) {
  Object object;
  object.Add("connection", session.connection)
      .Add("worker", session.worker)
      .Add("uid", session.uid)
      .Add("job", session.job)
      .Add("printer", JsonString(session.printer));
  if (MaySeeTitle(session, viewer)) {
    object.Add("title", JsonString(session.title));
  }
  object.Add("page", session.page)
      .Add("row", static_cast<uint64_t>(session.row))
      .Add("pages", session.done.pages)
      .Add("rows", session.done.rows)
      .AddReal("rows_per_second", session.rows_per_second())
      .AddReal("age_seconds", session.age_seconds)
      .AddReal("idle_seconds", session.idle_seconds);
  return object.End();
}

std::string Done(const Counters& done) {
  Object object;
  for (const CounterName& known : kCounterNames) {
    object.Add(known.name, done.*known.counter);
  }
  return object.End();
}

}  // namespace

std::string StatusJson(const Snapshot& snapshot, uid_t viewer) {
  Object engines;
  for (const auto& [name, done] : snapshot.engines) {
    engines.Add(name, Done(done));
  }
  Object refusals;
  for (size_t i = 0; i < kRefusals.size(); ++i) {
    refusals.Add(kRefusals[i].name, snapshot.refusals[i]);
  }
  Object deaths;
  for (const auto& [kind, count] : snapshot.deaths) deaths.Add(kind, count);
  Object kept_out;
  for (const auto& [kind, reason] : snapshot.kept_out) {
    kept_out.Add(kind, JsonString(reason));
  }
  Object absent;
  for (const auto& [kind, reason] : snapshot.absent) {
    absent.Add(kind, JsonString(reason));
  }
  return Object()
             .Add("version", JsonString(snapshot.version))
             .Add("state",
                  JsonString(snapshot.is_stopping ? "stopping" : "serving"))
             .AddReal("uptime_seconds", snapshot.uptime_seconds)
             .Add("workers", List(snapshot.workers, Worker))
             .Add("sessions", List(snapshot.sessions,
                                   [viewer](const SessionStatus& session) {
                                     return Session(session, viewer);
                                   }))
             .Add("engines", engines.End())
             .Add("connections", snapshot.connections)
             .Add("refusals", refusals.End())
             .Add("deaths", deaths.End())
             .Add("fail_overs", snapshot.fail_overs)
             .Add("kept_out", kept_out.End())
             .Add("absent", absent.End())
             .Add("health_checks", snapshot.health_checks)
             .Add("health_failures", snapshot.health_failures)
             .End() +
         "\n";
}

}  // namespace halftoned::daemon
