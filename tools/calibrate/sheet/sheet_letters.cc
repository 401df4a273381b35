// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calibrate/sheet/sheet_letters.h"

#include <cstdint>

namespace halftoned {
namespace {

constexpr double kSquare = 0.45;  // millimeters
constexpr int kColumns = 3;
constexpr int kRows = 5;

struct Letter {
  char name;
  uint16_t squares;  // one octal digit per row, the top row first
};

constexpr Letter kLetters[] = {
    {'A', 025755}, {'B', 065656}, {'C', 034443}, {'D', 065556}, {'E', 074647},
    {'F', 074644}, {'G', 034553}, {'H', 055755}, {'I', 072227}, {'J', 011152},
    {'K', 055655}, {'L', 044447}, {'M', 057755}, {'N', 065555}, {'O', 025552},
    {'P', 065644}, {'Q', 025563}, {'R', 065655}, {'S', 034216}, {'T', 072222},
    {'U', 055557}, {'V', 055552}, {'W', 055775}, {'X', 055255}, {'Y', 055222},
    {'Z', 071247}, {'0', 075557}, {'1', 026227}, {'2', 061247}, {'3', 061216},
    {'4', 055711}, {'5', 074616}, {'6', 034757}, {'7', 071222}, {'8', 075757},
    {'9', 075716}, {'-', 000700}, {'.', 000002}, {',', 000024}, {':', 002020},
    {'/', 011244}, {'_', 000007}, {'=', 007070}, {'+', 002720}, {'(', 012221},
    {')', 042224},
};

uint16_t SquaresOf(char name) {
  if (name >= 'a' && name <= 'z') name = static_cast<char>(name - 'a' + 'A');
  for (const Letter& letter : kLetters) {
    if (letter.name == name) return letter.squares;
  }
  return 0;
}

}  // namespace

void AddLetters(std::string_view words, double left, double top, double right,
                std::vector<SheetMark>& marks) {
  for (const char name : words) {
    if (left + kColumns * kSquare > right) return;
    const uint16_t squares = SquaresOf(name);
    for (int i = 0; i < kRows * kColumns; ++i) {
      if ((squares >> (kRows * kColumns - 1 - i) & 1) == 0) continue;
      marks.push_back({left + i % kColumns * kSquare,
                       top + i / kColumns * kSquare, kSquare, kSquare});
    }
    left += (kColumns + 1) * kSquare;
  }
}

}  // namespace halftoned
