// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An engine for a worker under test: pages of one width get no answer until the
// test allows it, or fail at a call that it chooses; all others pass through.

#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "halftone/cpu/local_engines.h"

namespace halftoned::testing {

class StagedEngine : public Engine {
 public:
  // The plan of the engine, which it outlives.
  struct Stage {
    int32_t width = 0;
    int calls_to_live = 1 << 30;  // of a page's session; used by the worker

    // Releases the answers that were held back, and all later ones.
    void Open() {
      is_open = true;
      const std::lock_guard lock(mutex);
      for (const auto& tell : waiting) tell();
    }
    std::atomic<bool> is_open = true;
    std::mutex mutex;
    std::vector<std::function<void()>> waiting;
  };

  // The best engine of this machine, on its own threads.
  explicit StagedEngine(Stage& stage) : stage_(stage) {}

  std::string_view name() const override { return "staged"; }
  std::string_view needs() const override { return "a test"; }
  int priority() const override { return 1; }
  Result<void> Probe() const override { return {}; }
  Result<void> Serves(const Recipe&) const override { return {}; }
  Result<std::unique_ptr<Session>> Open(const PageOrder& order) const override {
    HALFTONED_TRY_ASSIGN(const Engine* best,
                         ChooseEngine(engines_, "auto", order.recipe));
    HALFTONED_TRY_ASSIGN(auto session, best->Open(order));
    if (order.page.width() != stage_.width) return session;
    {
      const std::lock_guard lock(stage_.mutex);
      stage_.waiting.push_back(order.on_ready);
    }
    return std::unique_ptr<Session>(
        std::make_unique<Staged>(stage_, std::move(session)));
  }

  // The list of engines for a worker.
  static EngineList ListOf(Stage& stage) {
    EngineList list;
    list.push_back(std::make_unique<StagedEngine>(stage));
    return list;
  }

 private:
  class Staged : public Session {
   public:
    Staged(Stage& stage, std::unique_ptr<Session> session)
        : stage_(stage),
          calls_to_live_(stage.calls_to_live),
          session_(std::move(session)) {}

    Result<GrayRoom> Lend() override {
      HALFTONED_TRY(Live());
      return session_->Lend();
    }
    Result<void> Submit(int32_t rows, bool last) override {
      HALFTONED_TRY(Live());
      return session_->Submit(rows, last);
    }
    Result<Finished> Take() override {
      HALFTONED_TRY(Live());
      return session_->Take();
    }
    bool Ready() override { return stage_.is_open && session_->Ready(); }

   private:
    Result<void> Live() {
      if (calls_to_live_-- > 0) return {};
      return Unavailable("struck by the test");
    }

    const Stage& stage_;
    int calls_to_live_;
    const std::unique_ptr<Session> session_;
  };

  Stage& stage_;
  mutable Pool pool_{1};
  const EngineList engines_ = LocalEngines(pool_);
};

}  // namespace halftoned::testing
