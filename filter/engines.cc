// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/engines.h"

#include <chrono>

#include "halftone/cpu/local_engines.h"
#include "print/engines/thread_gate.h"
#include "print/process/machine.h"
#include "wire/remote_engine.h"

namespace halftoned {
namespace {

std::unique_ptr<Pool::Gate> GateAt(const std::string& file, int slots) {
  if (file.empty()) return nullptr;
  return std::make_unique<ThreadGate>(
      file, slots > 0 ? slots : ProcessorsOfMachine());
}

wire::RemoteOptions RemoteFor(const Settings& settings,
                              const wire::Hello& hello, const Stop& stop) {
  wire::RemoteOptions options =
      DaemonOptions(settings.use_of_daemon, settings.daemon);
  options.hello = hello;
  options.hello.recipe_kind = KindOf(settings.rendering.parts);
  // Longer than the daemon lets a client wait for a worker.
  options.welcome_patience = std::chrono::seconds(3);
  options.stop_fd = stop.fd();
  return options;
}

}  // namespace

Engines::Engines(const Settings& settings, const wire::Hello& hello,
                 const std::string& slots_file, const Stop& stop,
                 Messages& messages)
    : settings_(settings),
      messages_(messages),
      pool_(settings.threads, nullptr,
            GateAt(slots_file, settings.machine_threads)),
      remote_options_(RemoteFor(settings, hello, stop)),
      engines_(LocalEngines(pool_)) {
  engines_.push_back(std::make_unique<wire::RemoteEngine>(remote_options_));
  remote_ = engines_.back().get();
}

// Messages do not repeat the job's engine name: it may be any text.
Result<const Engine*> Engines::Choose(std::vector<std::string>& problems) {
  if (settings_.job_engine) {
    auto chosen = ChooseNamed(*settings_.job_engine);
    // A job that names the daemon accepts no other engine.
    if (chosen.ok() || *settings_.job_engine == remote_->name()) return chosen;
    messages_.Warning("halftone-engine of the job is ignored: " +
                      (chosen.error().code == ErrorCode::kBadInput
                           ? "no such engine"
                           : chosen.error().message));
  }
  auto chosen = ChooseNamed(settings_.engine.value);
  if (chosen.ok() || settings_.engine.where.empty()) return chosen;
  const std::string why =
      settings_.engine.where + ": " + chosen.error().message;
  // A daemon that is not running is no mistake in the configuration.
  if (settings_.engine.value == remote_->name()) return Unavailable(why);
  problems.push_back(why);
  return ChooseNamed("auto");
}

Result<const Engine*> Engines::ChooseNamed(const std::string& name) {
  // Every engine serves every curve.
  HALFTONED_TRY_ASSIGN(const Recipe recipe,
                       Recipe::Make(settings_.rendering.parts));
  HALFTONED_TRY_ASSIGN(const Engine* chosen,
                       ChooseEngine(engines_, name, recipe));
  description_ = "engine " + std::string(chosen->name()) + ", " +
                 std::to_string(pool_.threads()) + " threads";
  const auto say = [this](const Move& move) { Say(move); };
  if (name == "auto" && settings_.use_of_daemon.use) {
    chain_ = std::make_unique<DaemonChain>(remote_options_, *chosen, say);
    return &chain_->engine();
  }
  if (chosen != remote_) return chosen;
  failover_ =
      std::make_unique<FailoverEngine>(std::vector<const Engine*>{chosen}, say);
  return failover_.get();
}

void Engines::Say(const Move& move) {
  const std::lock_guard lock(mutex_);
  constexpr int64_t kMostMessages = 100;
  if (move.from != remote_->name()) {
    row_of_daemon_ = move.row;
    return;
  }
  if (move.row == row_of_daemon_) {
    // A missing daemon is reported once, with the move to this process.
    if (move.to == move.from || ++begun_here_ > 1) return;
  } else if (++moves_ > kMostMessages) {
    return;
  }
  messages_.Debug("row " + std::to_string(move.row) + " and later rows by " +
                  std::string(move.to) + ": " + move.error.message);
}

std::string Engines::Moves() const {
  const std::lock_guard lock(mutex_);
  if (moves_ == 0 && begun_here_ == 0) return "";
  return "pages begun without the daemon: " + std::to_string(begun_here_) +
         "; moved in mid-page: " + std::to_string(moves_);
}

}  // namespace halftoned
