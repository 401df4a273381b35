// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/wire/sample_page.h"

#include <cstring>

#include "tests/equality/pages.h"

namespace halftoned::testing {
namespace {

Random Seeded(int width, int32_t rows) {
  return Random(static_cast<uint64_t>(width) * 100'003 +
                static_cast<uint64_t>(rows));
}

GrayPage Noise(const Page& page, int32_t rows) {
  Random random = Seeded(page.width(), rows);
  return MakePage(page, rows, Content::kNoise, random);
}

Carry Anything(const Recipe& recipe, const Page& page) {
  Random random = Seeded(page.width(), 0);
  return MakeCarry(recipe, page, random);
}

}  // namespace

SamplePage::SamplePage(int width, int32_t rows, int32_t rows_per_band,
                       const Recipe& recipe)
    : recipe_(recipe),
      page_(*Page::Make(width, 8, 5)),
      rows_per_band_(rows_per_band),
      gray_(Noise(page_, rows)),
      above_(Anything(recipe_, page_)),
      expected_(HalftoneWhole(gray_, recipe_, above_)) {
  CarriesBelow carries(gray_, recipe_, above_);
  for (int i = 0; i < bands(); ++i) {
    below_.push_back(carries.Below(
        static_cast<int32_t>(first_row(i + 1) - page_.first_row())));
  }
}

wire::Open SamplePage::open() const {
  return {page_, recipe_, above_, rows_per_band_};
}

PageOrder SamplePage::order() const {
  return {page_, recipe_, above_, rows_per_band_};
}

size_t SamplePage::gray_band_bytes() const {
  return gray_.bytes_per_row() * static_cast<size_t>(rows_per_band_);
}

size_t SamplePage::bits_band_bytes() const {
  return expected_.bytes_per_row *
         static_cast<size_t>(rows_per_band_ + recipe_.most_waiting_rows());
}

wire::View SamplePage::gray(int band) const {
  return wire::View(gray_.samples)
      .subspan(static_cast<size_t>(band) * gray_band_bytes(),
               gray_band_bytes());
}

wire::View SamplePage::bits(int band) const {
  return wire::View(expected_.bytes)
      .subspan(static_cast<size_t>(first_row(band) - page_.first_row()) *
                   expected_.bytes_per_row,
               static_cast<size_t>(rows(band)) * expected_.bytes_per_row);
}

int64_t SamplePage::first_row(int band) const {
  return recipe_.FirstUnanswered(
      page_.first_row(), page_.first_row() + int64_t{band} * rows_per_band_,
      band == bands());
}

PageRun::PageRun(const SamplePage& page, const Engine& engine) : page_(page) {
  auto session = engine.Open(page.order());
  if (session.ok()) {
    session_ = std::move(*session);
  } else {
    Fail(session.error());
  }
}

std::string PageRun::Fail(const Error& error) {
  code_ = error.code;
  return failure_ = error.message;
}

std::string PageRun::Submit() {
  if (!failure_.empty()) return failure_;
  const auto room = session_->Lend();
  if (!room.ok()) return Fail(room.error());
  if (room->rows != page_.rows_per_band()) return failure_ = "no room";
  const wire::View gray = page_.gray(submitted_++);
  std::memcpy(room->bytes, gray.data(), gray.size());
  const auto submitted =
      session_->Submit(page_.rows_per_band(), submitted_ == page_.bands());
  return submitted.ok() ? "" : Fail(submitted.error());
}

std::string PageRun::Take() {
  if (!failure_.empty()) return failure_;
  const auto finished = session_->Take();
  if (!finished.ok()) return Fail(finished.error());
  const wire::View bits = page_.bits(taken_);
  if (finished->bits.first_row != page_.first_row(taken_) ||
      finished->bits.rows != page_.rows(taken_) ||
      std::memcmp(finished->bits.bytes, bits.data(), bits.size()) != 0 ||
      *finished->carry != page_.below(taken_)) {
    failure_ = "band " + std::to_string(taken_) + " is wrong";
  }
  ++taken_;
  return failure_;
}

std::string PageRun::Go(int bands) {
  for (int i = 0; i < bands && failure_.empty(); ++i) {
    if (Submit().empty()) Take();
  }
  return failure_;
}

std::string RunPage(const SamplePage& page, const Engine& engine) {
  return PageRun(page, engine).GoToEnd();
}

}  // namespace halftoned::testing
