// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/print_check.h"

#include "adopt/page_words.h"
#include "adopt/ppd_file.h"
#include "print/page/test_page.h"

namespace halftoned {
namespace {

// As filters get them: "NAME=VALUE NAME=VALUE", with backslashes before what
// would end a value.
std::string TextOf(const PrintServer::Options& options) {
  std::string text;
  for (const auto& [name, value] : options) {
    text += (text.empty() ? "" : " ") + name + "=";
    for (const char c : value) {
      if (c == ' ' || c == '\\' || c == '"' || c == '\'') text += '\\';
      text += c;
    }
  }
  return text;
}

}  // namespace

Result<NamedQueue> FindNamedQueue(PrintServer& server,
                                  const std::string& name) {
  const Result<std::string> ppd = server.Ppd(name);
  if (!ppd.ok()) {
    HALFTONED_TRY(server.Queue(name));
    return BadInput(
        "it has no driver, so there is nothing to set; halftone add makes a "
        "queue that has one");
  }
  HALFTONED_TRY_ASSIGN(const auto options, server.OptionsOf(name));
  return NamedQueue{name, *ppd, TextOf(options)};
}

Result<std::string> PrintCheckPage(PrintServer& server, const std::string& name,
                                   const Config& config) {
  const Result<std::string> ppd = server.Ppd(name);
  if (!ppd.ok()) {
    HALFTONED_TRY(server.Queue(name));
    return BadInput(
        "it has no driver, and would not understand the page; halftone add "
        "makes a queue that has one");
  }
  HALFTONED_TRY_ASSIGN(const auto options, server.OptionsOf(name));
  HALFTONED_TRY_ASSIGN(const auto words,
                       PageWords({name, *ppd, TextOf(options)}, config));
  HALFTONED_TRY_ASSIGN(PpdFile file, PpdFile::Parse(*ppd));
  PageSize size;
  if (const auto said = file.DefaultPageSize()) {
    size = {said->first, said->second};
  }
  HALFTONED_TRY_ASSIGN(const int job,
                       server.Print(name, "halftone check", options,
                                    TestPage(words, size), "application/pdf"));
  return "prints a page, job " + std::to_string(job);
}

}  // namespace halftoned
