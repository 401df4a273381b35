// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A page of noise, its expected output, and the messages that carry it.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "halftone/run/engine.h"
#include "tests/equality/oracle.h"
#include "wire/codec.h"

namespace halftoned::testing {

// Its first row is 5, and it goes on from a carry.
class SamplePage {
 public:
  explicit SamplePage(int width = 200, int32_t rows = 96,
                      int32_t rows_per_band = 32,
                      const Recipe& recipe = Recipe::FloydSteinberg());
  // The same page of `best`: the answer to its first band has no rows, that to
  // its last more than the band.
  static SamplePage OfBest() {
    return SamplePage(200, 96, 32,
                      *Recipe::Make(Recipe::PartsOf(Algorithm::kBest)));
  }

  wire::Open open() const;
  int32_t rows_per_band() const { return rows_per_band_; }
  int bands() const { return gray_.rows / rows_per_band_; }
  size_t gray_band_bytes() const;
  // The most of a band.
  size_t bits_band_bytes() const;
  wire::View gray(int band) const;
  // The answer to it.
  wire::View bits(int band) const;
  int64_t first_row(int band) const;
  int32_t rows(int band) const {
    return static_cast<int32_t>(first_row(band + 1) - first_row(band));
  }
  // The state below it.
  const Carry& below(int band) const {
    return below_[static_cast<size_t>(band)];
  }
  PageOrder order() const;

 private:
  const Recipe recipe_;
  const Page page_;
  const int32_t rows_per_band_;
  const GrayPage gray_;
  const Carry above_;
  const BitPage expected_;
  std::vector<Carry> below_;  // each band's answer
};

// Takes that page through a session. Its functions return an empty text, or a
// description of an error or of a wrong bit.
class PageRun {
 public:
  PageRun(const SamplePage& page, const Engine& engine);

  // Submits the next band.
  std::string Submit();
  // Takes the answer to the oldest.
  std::string Take();
  // Both, for this many bands.
  std::string Go(int bands);
  std::string GoToEnd() { return Go(page_.bands() - submitted_); }

  Session* session() { return session_.get(); }
  // The code of the failure, if it was an error.
  std::optional<ErrorCode> code() const { return code_; }

 private:
  const SamplePage& page_;
  std::unique_ptr<Session> session_;
  std::string Fail(const Error& error);

  std::string failure_;
  std::optional<ErrorCode> code_;
  int submitted_ = 0;
  int taken_ = 0;
};

// The whole page.
std::string RunPage(const SamplePage& page, const Engine& engine);

}  // namespace halftoned::testing
