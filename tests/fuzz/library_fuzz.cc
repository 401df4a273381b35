// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the C library in any order: the input is the options of a recipe,
// and then a call a byte. Whatever a caller does, the library answers; and rows
// that come out are those that one call for the whole page gives. If the line
// begins with # or @, it is a palette.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "halftoned/halftone.h"

namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

// Bytes of the input; 0 once there are none left.
class Input {
 public:
  Input(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  bool is_empty() const { return size_ == 0; }
  uint8_t Byte() {
    if (size_ == 0) return 0;
    --size_;
    return *data_++;
  }
  std::string Line() {
    const auto* end = static_cast<const uint8_t*>(
        size_ > 0 ? std::memchr(data_, '\n', size_) : nullptr);
    const size_t length = end ? static_cast<size_t>(end - data_) : size_;
    std::string line(reinterpret_cast<const char*>(data_), length);
    const size_t used = std::min(length + 1, size_);
    data_ += used;
    size_ -= used;
    // C's strings end at the first 0.
    return line.substr(0, line.find('\0'));
  }

 private:
  const uint8_t* data_;
  size_t size_;
};

const ht_engine* NewEngine(const char* name, int threads) {
  ht_engine* engine = nullptr;
  Require(ht_engine_new(name, threads, &engine, nullptr) == HT_OK,
          "there is no engine");
  return engine;
}

// One page, what it was given and what it gave.
class Caller {
 public:
  Caller(Input& input, const ht_recipe* recipe)
      : input_(input), recipe_(recipe) {
    const uint8_t kind = input.Byte();
    layout_.width = 1 + input.Byte() + 256 * (kind / 16 % 8);
    layout_.bits_per_sample = kind % 2 ? 16 : 8;
    layout_.rows_per_band = kind / 2 % 2 ? 1 + input.Byte() % 40 : 0;
    static const ht_engine* const engines[] = {nullptr, NewEngine("auto", 1),
                                               NewEngine("scalar", 1),
                                               NewEngine("auto", 2)};
    engine_ = engines[kind / 4 % 4];
    gray_bytes_ = static_cast<size_t>(layout_.width) *
                  static_cast<size_t>(layout_.bits_per_sample / 8);
    bit_bytes_ = ht_recipe_row_bytes(recipe, layout_.width);
    Open(nullptr, 0);
  }
  ~Caller() { ht_page_free(page_); }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  void Run() {
    while (page_ && !input_.is_empty() && gray_.size() < (size_t{1} << 19)) {
      Call(input_.Byte());
    }
    Compare();
  }

 private:
  void Open(const void* carry, size_t bytes) {
    ht_page_free(page_);
    page_ = nullptr;
    layout_.first_row = static_cast<int64_t>(gray_.size() / gray_bytes_);
    room_ = {};
    Check(ht_page_open(engine_, recipe_, &layout_, carry, bytes, &page_,
                       &error_));
  }

  // After an error the page gives only that.
  bool Check(ht_status status) {
    Require(status == error_.status, "two statuses");
    Require((status == HT_OK) == (error_.text[0] == '\0'), "a wrong text");
    if (status == HT_OK) return true;
    if (page_) {
      ht_room room;
      Require(carry_failed_ || ht_page_lend(page_, &room, nullptr) == status,
              "a lost page goes on");
    }
    return false;
  }

  void Call(uint8_t call) {
    carry_failed_ = false;
    switch (call % 8) {
      case 0:
        return Lend();
      case 1:
        return Submit(call / 8);
      case 2:
        return Take();
      case 3:
        return Put();
      case 4:
        return Get();
      case 5:
        if (call / 8 % 8 == 0) Check(ht_page_end(page_, &error_));
        return;
      case 6:
        return Continue();
      default:
        Require(ht_page_ready(page_) <= 1, "neither ready nor not");
        Require(ht_page_engine(page_)[0] != '\0', "no name");
    }
  }

  void Lend() {
    if (Check(ht_page_lend(page_, &room_, &error_)) && room_.rows > 0) {
      Require(room_.bytes_per_row == gray_bytes_, "rows of another length");
    }
  }

  void Submit(int choice) {
    int32_t rows = choice % 8 == 7 ? choice / 8 - 1 : choice % 8;
    const bool last = choice >= 28;
    const int32_t filled = std::clamp(rows, 0, room_.rows);
    const auto bytes = static_cast<size_t>(filled) * gray_bytes_;
    for (size_t i = 0; i < bytes; ++i) room_.gray[i] = NextSample();
    const std::vector<uint8_t> given(room_.gray, room_.gray + bytes);
    room_ = {};
    if (!Check(ht_page_submit(page_, rows, last, &error_))) return;
    Require(rows == filled, "more rows were taken than there is room for");
    gray_.insert(gray_.end(), given.begin(), given.end());
  }

  void Take() {
    ht_rows rows;
    if (!Check(ht_page_take(page_, &rows, &error_))) return;
    Require(rows.first_row == static_cast<int64_t>(bits_.size() / bit_bytes_),
            "rows out of order");
    Require(rows.rows == 0 || rows.bytes_per_row == bit_bytes_,
            "bits of another length");
    bits_.insert(bits_.end(), rows.bits,
                 rows.bits + static_cast<size_t>(rows.rows) * bit_bytes_);
  }

  void Put() {
    std::vector<uint8_t> row(gray_bytes_);
    for (uint8_t& sample : row) sample = NextSample();
    if (Check(ht_page_put(page_, row.data(), &error_))) {
      gray_.insert(gray_.end(), row.begin(), row.end());
    }
  }

  void Get() {
    const unsigned char* row = nullptr;
    if (Check(ht_page_get(page_, &row, &error_)) && row) {
      bits_.insert(bits_.end(), row, row + bit_bytes_);
    }
  }

  // Goes on with another page, from the last answer.
  void Continue() {
    std::vector<uint8_t> carry(ht_page_carry_bytes(page_));
    carry_failed_ = true;
    const uint8_t damage = input_.Byte();
    if (!Check(
            ht_page_save_carry(page_, carry.data(), carry.size(), &error_))) {
      return;
    }
    if (damage % 16 == 1) carry[damage % carry.size()] ^= damage;
    // Rows that were given and not answered are lost.
    gray_.resize(bits_.size() / bit_bytes_ * gray_bytes_);
    is_damaged_ |= damage % 16 == 1;
    Open(carry.data(), carry.size());
  }

  uint8_t NextSample() {
    // Text, tints and edges between them.
    state_ = state_ * 1664525 + 1013904223;
    const uint32_t high = state_ >> 24;
    return static_cast<uint8_t>(high < 100 ? 0 : high < 180 ? 255 : high);
  }

  void Compare() {
    const size_t rows = gray_.size() / gray_bytes_;
    const size_t answered = bits_.size() / bit_bytes_;
    Require(answered <= rows, "more rows came out than went in");
    if (is_damaged_) return;
    std::vector<uint8_t> whole(rows * bit_bytes_);
    ht_layout layout = layout_;
    layout.first_row = 0;
    Require(ht_halftone(nullptr, recipe_, &layout, gray_.data(), 0,
                        static_cast<int64_t>(rows), whole.data(), 0,
                        nullptr) == HT_OK,
            "the whole page fails");
    Require(std::equal(bits_.begin(), bits_.end(), whole.begin()),
            "other bits than at once");
  }

  Input& input_;
  const ht_recipe* recipe_;
  const ht_engine* engine_ = nullptr;
  ht_layout layout_{};
  size_t gray_bytes_ = 0;
  size_t bit_bytes_ = 0;
  ht_page* page_ = nullptr;
  ht_room room_{};
  ht_error error_{};
  std::vector<uint8_t> gray_;
  std::vector<uint8_t> bits_;
  uint32_t state_ = 1;
  bool is_damaged_ = false;    // by a carry that was changed and still accepted
  bool carry_failed_ = false;  // which leaves the page as it is
};

// A palette, and a page of it at once by vectors, and in rows by plain loops.
void RunPalette(const std::string& colors, Input& input) {
  ht_palette* palette = nullptr;
  ht_error error;
  const ht_status status = ht_palette_new(colors.c_str(), &palette, &error);
  Require(status == HT_OK || status == HT_BAD_INPUT, error.text);
  if (!palette) return;
  const int32_t width = 1 + input.Byte();
  const int64_t rows = 1 + input.Byte() % 40;
  const auto pixels = static_cast<size_t>(width * rows);
  std::vector<uint8_t> rgb(3 * pixels);
  for (uint8_t& sample : rgb) sample = input.Byte();
  std::vector<uint8_t> whole(pixels);
  std::vector<uint8_t> by_row(pixels);
  static const ht_engine* const scalar = NewEngine("scalar", 1);
  ht_palette_page* page = nullptr;
  Require(
      ht_palette_halftone(nullptr, palette, width, rgb.data(), 0, rows,
                          whole.data(), 0, nullptr) == HT_OK &&
          ht_palette_page_open(scalar, palette, width, &page, nullptr) == HT_OK,
      "there is no page");
  for (size_t at = 0; at < pixels; at += static_cast<size_t>(width)) {
    Require(ht_palette_page_put(page, &rgb[3 * at], 0, 1, &by_row[at], 0,
                                nullptr) == HT_OK,
            "a row is refused");
  }
  Require(whole == by_row, "rows differ from the whole page");
  for (const uint8_t index : whole) {
    Require(index < ht_palette_count(palette), "an index has no color");
  }
  ht_palette_page_free(page);
  ht_palette_free(palette);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input(data, size);
  const std::string options = input.Line();
  if (options.starts_with('#') || options.starts_with('@')) {
    RunPalette(options.substr(options[0] == '@' ? 1 : 0), input);
    return 0;
  }
  ht_recipe* recipe = nullptr;
  ht_error error;
  const ht_status status =
      ht_recipe_new(options.c_str(), nullptr, &recipe, &error);
  Require(status == HT_OK || status == HT_BAD_INPUT, error.text);
  Require((status == HT_OK) == (recipe != nullptr), "a recipe and an error");
  if (!recipe) return 0;
  Caller(input, recipe).Run();
  ht_recipe_free(recipe);
  return 0;
}
