// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The status as metrics, for Prometheus and similar programs. It names no jobs.

#include <limits>

#include "daemon/supervisor/status/metrics_text.h"
#include "daemon/supervisor/status/snapshot.h"
#include "halftone/page/method.h"

namespace halftoned::daemon {
namespace {

std::string LabelsOf(const WorkerStatus& worker) {
  return Label("worker", std::to_string(worker.number)) + "," +
         Label("kind", worker.kind) + "," + Label("engine", worker.engine);
}

template <auto kMember>
double ValueOf(const WorkerStatus& worker) {
  return static_cast<double>(worker.*kMember);
}

struct Gauge {
  const char* name;
  const char* help;
  double (*value)(const WorkerStatus& worker);
};
constexpr Gauge kGauges[] = {
    {"worker_ready", "1 if the worker accepts connections.",
     [](const WorkerStatus& worker) {
       return worker.is_serving() ? 1.0 : 0.0;
     }},
    {"worker_connections", "Connections that the worker serves.",
     ValueOf<&WorkerStatus::connections>},
    {"worker_open_pages", "Pages that are open at the worker.",
     ValueOf<&WorkerStatus::open_pages>},
    {"worker_places", "Pages that the worker can work on at the same time.",
     ValueOf<&WorkerStatus::places>},
    {"worker_bands_in_flight", "Bands that wait for the worker's reply.",
     ValueOf<&WorkerStatus::bands_in_flight>},
    {"worker_slow", "1 if other workers are preferred.",
     ValueOf<&WorkerStatus::is_slow>},
    {"worker_pages_per_second",
     "Pages that the worker finished in the last minute.",
     ValueOf<&WorkerStatus::pages_per_second>},
    {"worker_gray_bytes_per_second",
     "Gray that the worker halftoned in the last minute.",
     ValueOf<&WorkerStatus::gray_bytes_per_second>},
    {"worker_page_bytes", "Memory in use for clients.",
     ValueOf<&WorkerStatus::page_bytes>},
    {"worker_device_bytes", "GPU memory in use by the worker.",
     ValueOf<&WorkerStatus::device_bytes>},
    {"worker_device_memory_bytes", "Total memory of the GPU.",
     ValueOf<&WorkerStatus::device_memory>},
};

void AddWorkers(const Snapshot& snapshot, MetricsText& metrics) {
  for (const Gauge& gauge : kGauges) {
    metrics.Begin(gauge.name, "gauge", gauge.help);
    for (const WorkerStatus& worker : snapshot.workers) {
      metrics.Add(LabelsOf(worker), gauge.value(worker));
    }
  }
}

// Counts of the running workers only: those of ended workers are lost.
void AddTypes(const Snapshot& snapshot, MetricsText& metrics) {
  struct Counter {
    const char* name;
    const char* help;
    double (*value)(const TypeWork& work);
  };
  constexpr Counter kCounters[] = {
      {"type_pages", "Pages that the worker finished, by halftone type.",
       [](const TypeWork& work) { return static_cast<double>(work.pages); }},
      {"type_rows", "Rows that the worker finished, by halftone type.",
       [](const TypeWork& work) { return static_cast<double>(work.rows); }},
      {"type_page_seconds",
       "Time from opening to finishing a page, by halftone type.",
       [](const TypeWork& work) {
         return static_cast<double>(work.microseconds) / 1e6;
       }},
  };
  for (const Counter& counter : kCounters) {
    metrics.Begin(counter.name, "counter", counter.help);
    for (const WorkerStatus& worker : snapshot.workers) {
      for (const Method& method : Methods()) {
        const auto index = static_cast<size_t>(method.id.algorithm);
        metrics.Add(LabelsOf(worker) + "," + Label("type", method.name),
                    counter.value(worker.work.types.at(index)));
      }
    }
  }
}

void AddLatencies(const Snapshot& snapshot, MetricsText& metrics) {
  metrics.Begin("page_seconds", "histogram",
                "Time from opening to finishing a page.");
  for (const WorkerStatus& worker : snapshot.workers) {
    metrics.Add(LabelsOf(worker), worker.work.pages);
  }
  metrics.Begin("band_seconds", "histogram",
                "Time from the arrival of a band to its reply.");
  for (const WorkerStatus& worker : snapshot.workers) {
    metrics.Add(LabelsOf(worker), worker.work.bands);
  }
  metrics.Begin("wait_seconds", "histogram",
                "Time from accepting a connection to passing it to a worker.");
  metrics.Add("", snapshot.waits);
}

void AddConnections(const Snapshot& snapshot, MetricsText& metrics) {
  metrics.Begin("jobs", "gauge", "Jobs that have connections.");
  metrics.Add("", snapshot.jobs);
  metrics.Begin("waiting_connections", "gauge",
                "Connections that no worker has yet.");
  metrics.Add("", snapshot.waiting);
  metrics.Begin("sessions", "gauge", "Connections of clients.");
  metrics.Add("", snapshot.sessions.size());
  for (const CounterName& known : kCounterNames) {
    metrics.Begin(std::string(known.name), "counter",
                  "Work done for clients, by engine.");
    for (const auto& [engine, done] : snapshot.engines) {
      metrics.Add(Label("engine", engine), done.*known.counter);
    }
  }
  metrics.Begin("connections", "counter",
                "Connections that were accepted, including refused ones.");
  metrics.Add("", snapshot.connections);
  metrics.Begin("refusals", "counter", "Connections that were refused.");
  for (size_t i = 0; i < kRefusals.size(); ++i) {
    metrics.Add(Label("reason", kRefusals[i].name), snapshot.refusals[i]);
  }
}

void AddHealth(const Snapshot& snapshot, MetricsText& metrics) {
  metrics.Begin("worker_deaths", "counter", "Workers that died.");
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
  metrics.Begin("fail_overs", "counter",
                "Client connections that moved from a failed worker.");
  metrics.Add("", snapshot.fail_overs);
  metrics.Begin("dismissed", "counter",
                "Idle connections that were evicted to make room for others.");
  metrics.Add("", snapshot.dismissed);
  metrics.Begin("health_checks", "counter", "Health checks of workers.");
  metrics.Add("", snapshot.health_checks);
  metrics.Begin("health_failures", "counter",
                "Health checks that were late or wrong.");
  metrics.Add("", snapshot.health_failures);
}

}  // namespace

double Load(const Snapshot& snapshot) {
  size_t pages = 0;
  size_t places = 0;
  for (const WorkerStatus& worker : snapshot.workers) {
    if (!worker.is_serving()) continue;
    pages += worker.open_pages;
    places += worker.places;
  }
  if (places == 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(pages) / static_cast<double>(places);
}

std::string StatusMetrics(const Snapshot& snapshot) {
  MetricsText metrics;
  metrics.Begin("", "info", "Version of the daemon.");
  metrics.Add(Label("version", snapshot.version), uint64_t{1});
  metrics.Begin("uptime_seconds", "gauge", "Time since the daemon started.");
  metrics.Add("", snapshot.uptime_seconds);
  metrics.Begin("load", "gauge",
                "Open pages divided by the pages that workers can process at "
                "the same time.");
  metrics.Add("", Load(snapshot));
  AddWorkers(snapshot, metrics);
  AddTypes(snapshot, metrics);
  AddLatencies(snapshot, metrics);
  AddConnections(snapshot, metrics);
  AddHealth(snapshot, metrics);
  return metrics.Finish();
}

}  // namespace halftoned::daemon
