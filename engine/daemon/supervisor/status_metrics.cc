// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The status for Prometheus, in its text format. It names no jobs.

#include <cstdio>

#include "base/text.h"
#include "daemon/supervisor/snapshot.h"

namespace halftoned::daemon {
namespace {

class Metrics {
 public:
  // Starts a metric. type: "counter" or "gauge".
  void Begin(std::string name, std::string_view type, std::string_view help) {
    name_ = "halftoned_" + std::move(name);
    text_ += "# HELP " + name_ + " " + std::string(help) + "\n";
    text_ += "# TYPE " + name_ + " " + std::string(type) + "\n";
  }
  void Add(const std::string& labels, const std::string& value) {
    text_ +=
        name_ + (labels.empty() ? "" : "{" + labels + "}") + " " + value + "\n";
  }
  void Add(const std::string& labels, uint64_t value) {
    Add(labels, std::to_string(value));
  }
  void Add(const std::string& labels, double value) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.15g", value);
    Add(labels, std::string(text));
  }
  std::string Take() { return std::move(text_); }

 private:
  std::string name_;
  std::string text_;
};

// Escaped as the format demands.
std::string Label(std::string_view name, std::string_view value) {
  std::string label = std::string(name) + "=\"";
  for (const char c : Printable(value)) {
    if (c == '"' || c == '\\') label += '\\';
    label += c;
  }
  return label + '"';
}

void AddWorkers(const Snapshot& snapshot, Metrics& metrics) {
  struct Gauge {
    const char* name;
    const char* help;
    double (*value)(const WorkerStatus& worker);
  };
  constexpr Gauge kGauges[] = {
      {"worker_ready", "Whether the worker accepts connections.",
       [](const WorkerStatus& worker) {
         return worker.state == "ready" && worker.answers ? 1.0 : 0.0;
       }},
      {"worker_connections", "Connections that the worker serves.",
       [](const WorkerStatus& worker) {
         return static_cast<double>(worker.connections);
       }},
      {"worker_pages_per_second",
       "Pages that the worker finished in the last minute.",
       [](const WorkerStatus& worker) { return worker.pages_per_second; }},
      {"worker_gray_bytes_per_second",
       "Gray that the worker halftoned in the last minute.",
       [](const WorkerStatus& worker) { return worker.gray_bytes_per_second; }},
      {"worker_page_bytes", "Memory that clients hold.",
       [](const WorkerStatus& worker) {
         return static_cast<double>(worker.page_bytes);
       }},
      {"worker_device_bytes", "GPU memory that the worker uses.",
       [](const WorkerStatus& worker) {
         return static_cast<double>(worker.device_bytes);
       }},
      {"worker_device_memory_bytes", "Total memory of the GPU.",
       [](const WorkerStatus& worker) {
         return static_cast<double>(worker.device_memory);
       }},
  };
  for (const Gauge& gauge : kGauges) {
    metrics.Begin(gauge.name, "gauge", gauge.help);
    for (const WorkerStatus& worker : snapshot.workers) {
      metrics.Add(Label("worker", std::to_string(worker.number)) + "," +
                      Label("kind", worker.kind) + "," +
                      Label("engine", worker.engine),
                  gauge.value(worker));
    }
  }
}

}  // namespace

std::string StatusMetrics(const Snapshot& snapshot) {
  Metrics metrics;
  metrics.Begin("info", "gauge", "Version of the daemon.");
  metrics.Add(Label("version", snapshot.version), uint64_t{1});
  metrics.Begin("uptime_seconds", "gauge", "Time since the daemon started.");
  metrics.Add("", snapshot.uptime_seconds);
  AddWorkers(snapshot, metrics);
  metrics.Begin("sessions", "gauge", "Connections of clients.");
  metrics.Add("", snapshot.sessions.size());
  for (const CounterName& known : kCounterNames) {
    metrics.Begin(std::string(known.name) + "_total", "counter",
                  "Work done for clients, by engine.");
    for (const auto& [engine, done] : snapshot.engines) {
      metrics.Add(Label("engine", engine), done.*known.counter);
    }
  }
  metrics.Begin("connections_total", "counter",
                "Connections that were accepted, including refused ones.");
  metrics.Add("", snapshot.connections);
  metrics.Begin("refusals_total", "counter", "Connections that were refused.");
  for (size_t i = 0; i < kRefusals.size(); ++i) {
    metrics.Add(Label("reason", kRefusals[i].name), snapshot.refusals[i]);
  }
  metrics.Begin("worker_deaths_total", "counter", "Workers that died.");
  for (const auto& [kind, count] : snapshot.deaths) {
    metrics.Add(Label("kind", kind), count);
  }
  metrics.Begin("device_kept_out", "gauge",
                "Devices that computed wrong bits and get no pages, by kind.");
  for (const auto& [kind, reason] : snapshot.kept_out) {
    metrics.Add(Label("kind", kind), uint64_t{1});
  }
  metrics.Begin("device_absent", "gauge",
                "Devices that are missing, by kind of worker.");
  for (const auto& [kind, reason] : snapshot.absent) {
    metrics.Add(Label("kind", kind), uint64_t{1});
  }
  metrics.Begin("fail_overs_total", "counter",
                "Connections of clients that left a worker that had failed.");
  metrics.Add("", snapshot.fail_overs);
  metrics.Begin("dismissed_total", "counter",
                "Idle connections that were ended to make room for others.");
  metrics.Add("", snapshot.dismissed);
  metrics.Begin("health_checks_total", "counter", "Health checks of workers.");
  metrics.Add("", snapshot.health_checks);
  metrics.Begin("health_failures_total", "counter",
                "Health checks that were late or wrong.");
  metrics.Add("", snapshot.health_failures);
  return metrics.Take();
}

}  // namespace halftoned::daemon
