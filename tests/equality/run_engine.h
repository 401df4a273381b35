// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes a page through an engine's sessions according to a plan: its bands, how
// far they run ahead of the answers, and where a new session takes over.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "halftone/run/engine.h"
#include "tests/equality/oracle.h"
#include "tests/equality/pages.h"

namespace halftoned::testing {

struct Plan {
  std::string name;
  std::vector<int32_t> bands;  // rows of each; their sum is the page's
  int answers_behind = 1;      // bands submitted before the first answer
  bool end_is_news = false;    // the page ends with an empty band
  // After this many bands, again and again, the page moves to a new session, by
  // a carry that was saved and loaded. 0: never.
  int bands_per_session = 0;
  // Whether the memory of answers may be poisoned: false if only the far side
  // can write to it.
  bool poisons_answers = true;
  // The engine of all sessions but the first; null: the same.
  const Engine* moves_to = nullptr;
};

// The plans that differ in kind, for a page of `rows` rows.
std::vector<Plan> PlansFor(int32_t rows, Random& random);

// The page from `engine`. Memory that a session must not use is poisoned: rows
// of a room beyond those filled, and answers after they have been read.
Result<BitPage> RunEngine(const Engine& engine, const GrayPage& gray,
                          const Recipe& recipe, const Carry& above,
                          const Plan& plan);

// As above, for several plans that share the expected output.
Result<BitPage> RunEngine(const Engine& engine, CarriesBelow& carries,
                          const Plan& plan);

}  // namespace halftoned::testing
