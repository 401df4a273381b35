// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of ht_engine.

#include <memory>
#include <string>

#include "library/answer.h"
#include "library/handles.h"

using halftoned::Result;

ht_status ht_engine_new(const char* name, int threads, ht_engine** engine,
                        ht_error* error) {
  return halftoned::Answer(error, [&]() -> Result<void> {
    if (!engine) return halftoned::Bug("the pointer to the engine is null");
    if (threads < 0 || threads > halftoned::Pool::kMaxThreads) {
      return halftoned::BadInput(std::to_string(threads) +
                                 " threads are not in 0 … " +
                                 std::to_string(halftoned::Pool::kMaxThreads));
    }
    auto made = std::make_unique<ht_engine>(
        ht_engine{name ? name : "auto",
                  std::make_shared<halftoned::SharedEngines>(threads)});
    if (made->name != "auto") {
      HALFTONED_TRY_ASSIGN(
          const halftoned::Engine* named,
          halftoned::FindEngine(made->shared->engines, made->name));
      HALFTONED_TRY(named->Probe());
    }
    *engine = made.release();
    return {};
  });
}

void ht_engine_free(ht_engine* engine) { delete engine; }
