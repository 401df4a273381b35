// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles a client's IPP request: reads all of it, cleans it, allows or refuses
// it, hands it to PAPPL, and filters the answer.

#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "printer_app/front/client/client.h"
#include "printer_app/front/client/document_reader.h"
#include "printer_app/front/front.h"
#include "printer_app/front/pappl/paged_document.h"
#include "printer_app/front/pappl/printer_jobs.h"
#include "printer_app/front/rules/ipp_scan.h"
#include "printer_app/front/rules/message.h"
#include "printer_app/front/rules/rights.h"
#include "printer_app/front/rules/target.h"

namespace halftoned {

class IppRequest {
 public:
  IppRequest(Front& front, FrontClient& client)
      : front_(front), client_(client) {}
  ~IppRequest();
  IppRequest(const IppRequest&) = delete;
  IppRequest& operator=(const IppRequest&) = delete;

  // False: the connection ends.
  bool Serve();

 private:
  bool Read(IppScan& scan);
  void LogRequest(FrontLog::Kind kind) const;
  void FindDefault();
  void Clean();
  void SetUser();
  // Nothing if the request is allowed, or else the status for the client.
  std::optional<http_status_t> WhatForbids(Right right);
  bool MayTouchJob(int job);
  // The refusal, if the request names subscriptions that are not the user's;
  // null if it may go on.
  Ipp RefuseSubscriptions();
  Ipp CreateSubscription();
  void ForgetEndedSubscriptions();

  // For the gate.
  std::string PrinterOfGate() const;
  Ipp Answer(Right right);
  // False: the client asks for too many lists at once.
  bool TakeList();
  void LeaveList();
  Ipp AnswerOfPappl();
  Ipp AnswerWithShare();
  Ipp AnswerWithHold();  // Hold-Job or Release-Job
  Ipp AnswerWithDocument(UserShares::Coming& share);
  // Takes the document from the connection, and hands the job to PAPPL.
  Result<Ipp> TakeDocument(DocumentReader& reader, PagedDocument& document,
                           UserShares::Coming& share);
  Ipp AnswerWithoutDocument();
  // Refuses a document whose format its client does not name, if the printer
  // cannot print it. Null if PAPPL may have it. number: as NumberIn finds it.
  Ipp RefuseUnknown(const std::string& number);
  // Puts the job's current state into the answer. True if the job still needs
  // its document.
  bool TellJobState(ipp_t* answer);
  Ipp CreatePrinter();
  // Asks the new printer what it is, if its driver depends on that.
  void AddDeviceId();
  Ipp DeletePrinter();
  Ipp ListPrinters();
  Ipp CancelOwnJobs();
  Ipp CancelCurrentJob();
  // The printer's attributes that the request needs; null if it needs none, or
  // if PAPPL does not answer.
  Ipp AskWhatItTakes();
  // Null if PAPPL does not answer.
  Ipp AskPrinter(const std::vector<std::string>& attributes);
  Ipp Say(ipp_status_t status, const std::string& message);
  Ipp SayDeleted();
  Ipp SayNotTaken(const std::string& format);
  Ipp SayCanceled(const std::set<int>& jobs);
  Ipp SayNotKept(const Error& error);
  UserShares::User WhoseShare() const;
  bool TakeShare(UserShares::Coming& share, UserShares::Share more);
  // Returns the job in the answer, if one was created.
  std::optional<UserShares::JobKey> GiveShare(UserShares::Coming& share,
                                              ipp_t* answer);
  void ForgetEndedJobs();
  void LookAtJobs();
  Ipp SayTooMuch(const UserShares::Coming& share);
  Ipp SayLimit(const std::string& why);
  void TellPrinterIds(ipp_t* answer, const std::string& name);

  bool IsSecure() const;
  Result<Ipp> AskPappl(std::string_view document = {});
  // Why what PAPPL has done is an error for the client; empty if it is on disk.
  // Cancels a new job that is not.
  std::string WhatIsNotSaved(ipp_t* answer);
  PrinterJobs Jobs() const {
    return {front_.behind, client_.caller.network, target_.resource};
  }

  Front& front_;
  FrontClient& client_;
  Ipp request_;
  IppTarget target_;
  std::string host_;
  std::string user_;
  std::string given_name_;              // the new printer's, before Clean
  std::optional<std::string> list_of_;  // the network that the list counts for
  bool can_unpack_ = true;  // the document, by what the request says
  std::string compression_;
};

}  // namespace halftoned
