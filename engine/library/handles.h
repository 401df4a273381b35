// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contents of the handles of recipes and engines, and how pages are opened
// with them.

#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "halftone/cpu/local_engines.h"
#include "halftone/page/page.h"
#include "halftone/run/engine.h"
#include "halftone/run/pool.h"
#include "halftone/run/session.h"
#include "halftoned/halftone.h"
#include "library/library_options.h"

namespace halftoned {

// The engines of this machine, with the threads that they share.
struct SharedEngines {
  // threads: as in ht_engine_new.
  explicit SharedEngines(int threads)
      : pool(threads == 1 ? Pool::kCallersThread : threads),
        engines(LocalEngines(pool)) {}

  Pool pool;
  const EngineList engines;
};

}  // namespace halftoned

struct ht_recipe {
  halftoned::PageRecipe page;
};

struct ht_engine {
  std::string name;
  std::shared_ptr<halftoned::SharedEngines> shared;
};

namespace halftoned {

// A session, and the objects that it uses.
struct OpenPage {
  std::shared_ptr<SharedEngines> engines;
  const Engine* engine = nullptr;
  std::unique_ptr<Session> session = nullptr;  // ends before the threads do
};

// kBug if there is none.
Result<Page> PageOf(const ht_layout* layout);

// Opens a page of `recipe`, with crisp edges if it has them. engine: null for
// one without threads.
Result<OpenPage> Open(const ht_engine* engine, const PageRecipe& recipe,
                      PageOrder order);

}  // namespace halftoned
