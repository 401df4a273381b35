// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A client's request for a web page.

#pragma once

#include <string>
#include <string_view>

#include "printer_app/front/client/client.h"
#include "printer_app/front/front.h"
#include "printer_app/front/web/forms.h"
#include "printer_app/front/web/web_pages.h"

namespace halftoned {

class WebRequest {
 public:
  WebRequest(Front& front, FrontClient& client)
      : front_(front), client_(client) {}

  // False: the connection ends.
  bool Serve();

 private:
  // Made completely before it is sent: the client may read slowly, and must not
  // keep anything locked.
  struct Reply {
    http_status_t status;
    HttpFields fields;  // none: the status is the text, too
    std::string body;
  };

  static Reply TextReply(http_status_t status, const std::string& text);

  bool is_post() const { return client_.method() == HTTP_STATE_POST; }
  bool is_head() const { return client_.method() == HTTP_STATE_HEAD; }
  bool AddsPrinter() const { return AddsPrinters(client_.path()); }
  bool SendsPassword() const;
  bool ReadForm();
  bool HasToken(const std::string& token) const;
  int JobInForm() const;  // 0: none
  bool ServeAsAdmin();
  bool ServeAdminPage();
  bool ServeOwnJobs();
  Reply ReplyWithOwnJobs();
  std::string CancelJob(const std::string& printer);
  bool Delete();
  void LogChange() const;
  // For the gate.
  std::string PrinterOfGate() const;
  bool Pass();
  Reply ReplyOfPappl();
  Result<Reply> ReplyFrom(BehindAnswer& answer) const;
  bool Send(const Reply& reply);
  // The head of a request for PAPPL.
  std::string Head(std::string_view method) const;
  // Puts PAPPL's own token into the form. False: it has not come from a page.
  bool TakeToken();
  // Why PAPPL does not get the form; empty if it does.
  std::string WhatForbidsForm() const;

  Front& front_;
  FrontClient& client_;
  PageOfWeb page_ = {WebPage::kAdmin, ""};
  WebForm form_;
};

}  // namespace halftoned
