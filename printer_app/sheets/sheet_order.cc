// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/sheets/sheet_order.h"

#include <limits>
#include <sstream>

namespace halftoned {
namespace {

constexpr int kAsItSuits = -1;  // turns
constexpr std::string_view kBad = "bad ";
constexpr std::string_view kIo = "io ";

// A stream that writes numbers with all of their digits.
std::ostringstream Exact() {
  std::ostringstream text;
  text.precision(std::numeric_limits<double>::max_digits10);
  return text;
}

}  // namespace

std::string TextOf(const SheetOrder& order, const std::string& path) {
  std::ostringstream text = Exact();
  const SheetPaper& paper = order.paper;
  text << order.first_page << ' ' << order.last_page << ' '
       << static_cast<int>(order.fit) << ' ' << order.turns.value_or(kAsItSuits)
       << ' ' << order.may_be_black << ' ' << paper.size.width << ' '
       << paper.size.height << ' ' << paper.left << ' ' << paper.right << ' '
       << paper.top << ' ' << paper.bottom << ' ' << paper.dot << ' '
       << paper.is_endless << ' ' << path;
  return text.str();
}

std::string TextOf(const PageWork& work) {
  std::ostringstream text = Exact();
  text << work.gray;
  if (work.black) text << ' ' << *work.black;
  return text.str();
}

std::string TextOf(const Error& error) {
  return std::string(error.code == ErrorCode::kBadInput ? kBad : kIo) +
         error.message;
}

Result<SheetRequest> ReadRequest(const std::string& line) {
  std::istringstream text(line);
  SheetRequest request;
  SheetOrder& order = request.order;
  SheetPaper& paper = order.paper;
  int fit = 0, turns = 0;
  text >> order.first_page >> order.last_page >> fit >> turns >>
      order.may_be_black >> paper.size.width >> paper.size.height >>
      paper.left >> paper.right >> paper.top >> paper.bottom >> paper.dot >>
      paper.is_endless;
  if (!text || text.get() != ' ' || !std::getline(text, request.path) ||
      fit < 0 || fit > static_cast<int>(PageFit::kNone) || turns > 3) {
    return Bug("the order of sheets cannot be read");
  }
  order.fit = static_cast<PageFit>(fit);
  if (turns >= 0) order.turns = turns;
  return request;
}

Result<std::string> ReadAnswer(std::string_view line, std::string_view word) {
  if (line.starts_with(kBad)) {
    return BadInput(std::string(line.substr(kBad.size())));
  }
  if (line.starts_with(kIo)) {
    return IoError(std::string(line.substr(kIo.size())));
  }
  if (!line.starts_with(word))
    return Bug("halftone-sheets gave an invalid answer");
  return std::string(line.substr(word.size()));
}

Result<PageWork> ReadWork(const std::string& text) {
  std::istringstream numbers(text);
  PageWork work{};
  double black = 0;
  if (!(numbers >> work.gray) || work.gray <= 0) {
    return Bug("halftone-sheets gave an invalid answer");
  }
  if (numbers >> black && black > 0) work.black = black;
  return work;
}

}  // namespace halftoned
