// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// halftone-sheets: reads a PDF document for the server, and puts its pages on
// sheets (sheet_order.h).

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "print/limits/render_guard.h"
#include "print/render/pdf_pages.h"
#include "printer_app/sheets/pdf_sheets.h"
#include "printer_app/sheets/sheet_order.h"

namespace halftoned {
namespace {

// Pages that draw only in black need no gray. If a page is unclear, it counts
// as gray.
std::vector<PageWork> WorkOf(const SheetRequest& request) {
  const size_t count = request.order.last_page - request.order.first_page + 1;
  auto pages = PagesOf(request.path, std::nullopt, request.order.may_be_black);
  if (pages.ok() && pages->pages.size() == count) {
    return std::move(pages->pages);
  }
  constexpr double kMilliseconds = 50;
  return std::vector<PageWork>(count, {kMilliseconds, {}});
}

Result<void> Make(const std::string& document) {
  HALFTONED_TRY_ASSIGN(const auto sheets, PdfSheets::Open(document));
  std::cout << kPagesWord << sheets->pages() << std::endl;
  std::string line;
  if (!std::getline(std::cin, line)) return {};  // nobody wants them any more
  HALFTONED_TRY_ASSIGN(const SheetRequest request, ReadRequest(line));
  HALFTONED_TRY(sheets->Write(request.order, request.path));
  for (const PageWork& work : WorkOf(request)) {
    std::cout << kSheetWord << TextOf(work) << '\n';
  }
  std::cout << kEndWord << std::endl;
  return {};
}

int Main(int argc, char* argv[]) {
  if (argc != 2) {
    std::fputs("halftone-sheets is a part of halftone-printer-app.\n", stderr);
    return EXIT_FAILURE;
  }
  // For halftone check. Documents always have absolute paths.
  if (std::string_view(argv[1]) == "--version") {
    std::puts("halftone-sheets " HALFTONED_VERSION);
    return EXIT_SUCCESS;
  }
  LimitToRender();
  Result<void> made;
  try {
    made = Make(argv[1]);
  } catch (const std::exception& error) {
    made = IoError(error.what());
  }
  if (made.ok()) return EXIT_SUCCESS;
  std::cout << TextOf(made.error()) << std::endl;
  return EXIT_FAILURE;
}

}  // namespace
}  // namespace halftoned

int main(int argc, char* argv[]) { return halftoned::Main(argc, argv); }
