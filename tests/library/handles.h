// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handles of halftone.h as tests hold them: freed at the end, and made
// without errors.

#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "halftoned/halftone.h"

namespace halftoned::testing {

struct FreeHandle {
  void operator()(ht_recipe* recipe) const { ht_recipe_free(recipe); }
  void operator()(ht_engine* engine) const { ht_engine_free(engine); }
  void operator()(ht_page* page) const { ht_page_free(page); }
};
using RecipeHandle = std::unique_ptr<ht_recipe, FreeHandle>;
using EngineHandle = std::unique_ptr<ht_engine, FreeHandle>;
using PageHandle = std::unique_ptr<ht_page, FreeHandle>;

inline RecipeHandle NewRecipe(const std::string& options) {
  ht_recipe* recipe = nullptr;
  ht_error error;
  EXPECT_EQ(ht_recipe_new(options.c_str(), nullptr, &recipe, &error), HT_OK)
      << error.text;
  return RecipeHandle(recipe);
}

inline EngineHandle NewEngine(const char* name, int threads) {
  ht_engine* engine = nullptr;
  ht_error error;
  EXPECT_EQ(ht_engine_new(name, threads, &engine, &error), HT_OK) << error.text;
  return EngineHandle(engine);
}

inline PageHandle NewPage(const ht_engine* engine, const ht_recipe* recipe,
                          const ht_layout& layout) {
  ht_page* page = nullptr;
  ht_error error;
  EXPECT_EQ(ht_page_open(engine, recipe, &layout, nullptr, 0, &page, &error),
            HT_OK)
      << error.text;
  return PageHandle(page);
}

}  // namespace halftoned::testing
