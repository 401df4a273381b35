// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C library as an engine among others, so that the equality suite can run
// it; and its two other ways to halftone a page.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "halftone/run/engine.h"
#include "tests/equality/oracle.h"
#include "tests/library/handles.h"

namespace halftoned::testing {

// Pages of one recipe, which its options give; the orders' own is not used.
class LibraryEngine : public Engine {
 public:
  LibraryEngine(const char* name, int threads, const std::string& options)
      : engine_(NewEngine(name, threads)), recipe_(NewRecipe(options)) {}

  std::string_view name() const override { return "library"; }
  std::string_view needs() const override { return "nothing"; }
  int priority() const override { return 0; }
  Result<void> Probe() const override { return {}; }
  Result<void> Serves(const Recipe&) const override { return {}; }
  Result<std::unique_ptr<Session>> Open(const PageOrder& order) const override;

  // The page by one call; `gap` bytes lie between rows of gray and of bits.
  std::vector<std::byte> Whole(const GrayPage& gray, size_t gap = 0,
                               int32_t rows_per_band = 0) const;
  std::vector<std::byte> ByRows(const GrayPage& gray,
                                int32_t rows_per_band = 0) const;
  std::vector<std::byte> ByBands(const GrayPage& gray,
                                 const std::vector<int32_t>& bands) const;

 private:
  ht_layout LayoutOf(const Page& page, int32_t rows_per_band) const;

  const EngineHandle engine_;
  const RecipeHandle recipe_;
};

}  // namespace halftoned::testing
