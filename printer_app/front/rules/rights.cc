// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/rules/rights.h"

#include <algorithm>
#include <iterator>

namespace halftoned {
namespace {

// PAPPL's own operations.
constexpr int kFindDevices = 0x402b;
constexpr int kFindDrivers = 0x402c;

struct Rule {
  int operation;
  Right right;
};

constexpr Rule kOfPrinter[] = {
    {IPP_OP_PRINT_JOB, Right::kPrint},
    {IPP_OP_VALIDATE_JOB, Right::kPrint},
    {IPP_OP_CREATE_JOB, Right::kPrint},
    {IPP_OP_IDENTIFY_PRINTER, Right::kPrint},
    {IPP_OP_SEND_DOCUMENT, Right::kOwnJob},
    {IPP_OP_CLOSE_JOB, Right::kOwnJob},
    {IPP_OP_CANCEL_JOB, Right::kOwnJob},
    {IPP_OP_HOLD_JOB, Right::kOwnJob},
    {IPP_OP_RELEASE_JOB, Right::kOwnJob},
    {IPP_OP_CREATE_JOB_SUBSCRIPTIONS, Right::kOwnJob},
    {IPP_OP_CANCEL_MY_JOBS, Right::kOwnJobs},
    {IPP_OP_CANCEL_CURRENT_JOB, Right::kCurrentJob},
    {IPP_OP_GET_JOBS, Right::kRead},
    {IPP_OP_GET_JOB_ATTRIBUTES, Right::kRead},
    {IPP_OP_GET_PRINTER_ATTRIBUTES, Right::kRead},
    {IPP_OP_GET_PRINTER_SUPPORTED_VALUES, Right::kRead},
    {IPP_OP_GET_SUBSCRIPTIONS, Right::kAdmin},
    {IPP_OP_CREATE_PRINTER_SUBSCRIPTIONS, Right::kPrint},
    {IPP_OP_GET_SUBSCRIPTION_ATTRIBUTES, Right::kSubscription},
    {IPP_OP_RENEW_SUBSCRIPTION, Right::kSubscription},
    {IPP_OP_CANCEL_SUBSCRIPTION, Right::kSubscription},
    {IPP_OP_GET_NOTIFICATIONS, Right::kSubscription},
    {IPP_OP_CANCEL_JOBS, Right::kAdmin},
    {IPP_OP_SET_PRINTER_ATTRIBUTES, Right::kAdmin},
    {IPP_OP_PAUSE_PRINTER, Right::kAdmin},
    {IPP_OP_PAUSE_PRINTER_AFTER_CURRENT_JOB, Right::kAdmin},
    {IPP_OP_RESUME_PRINTER, Right::kAdmin},
    {IPP_OP_ENABLE_PRINTER, Right::kAdmin},
    {IPP_OP_DISABLE_PRINTER, Right::kAdmin},
    {IPP_OP_HOLD_NEW_JOBS, Right::kAdmin},
    {IPP_OP_RELEASE_HELD_NEW_JOBS, Right::kAdmin},
};

constexpr Rule kOfSystem[] = {
    {IPP_OP_GET_PRINTERS, Right::kRead},
    {IPP_OP_CUPS_GET_PRINTERS, Right::kRead},
    {IPP_OP_CUPS_GET_DEFAULT, Right::kRead},
    {IPP_OP_GET_PRINTER_ATTRIBUTES, Right::kRead},
    {IPP_OP_GET_SYSTEM_ATTRIBUTES, Right::kRead},
    {IPP_OP_GET_SUBSCRIPTION_ATTRIBUTES, Right::kAdmin},
    {IPP_OP_GET_SUBSCRIPTIONS, Right::kAdmin},
    {IPP_OP_RENEW_SUBSCRIPTION, Right::kAdmin},
    {IPP_OP_CANCEL_SUBSCRIPTION, Right::kAdmin},
    {IPP_OP_GET_NOTIFICATIONS, Right::kAdmin},
    {IPP_OP_CREATE_SYSTEM_SUBSCRIPTIONS, Right::kAdmin},
    {IPP_OP_CREATE_PRINTER, Right::kAdmin},
    {IPP_OP_DELETE_PRINTER, Right::kAdmin},
    {IPP_OP_SET_SYSTEM_ATTRIBUTES, Right::kAdmin},
    {IPP_OP_DISABLE_ALL_PRINTERS, Right::kAdmin},
    {IPP_OP_ENABLE_ALL_PRINTERS, Right::kAdmin},
    {IPP_OP_PAUSE_ALL_PRINTERS, Right::kAdmin},
    {IPP_OP_PAUSE_ALL_PRINTERS_AFTER_CURRENT_JOB, Right::kAdmin},
    {IPP_OP_RESUME_ALL_PRINTERS, Right::kAdmin},
    {kFindDevices, Right::kAdmin},
    {kFindDrivers, Right::kAdmin},
    {IPP_OP_SHUTDOWN_ALL_PRINTERS, Right::kStop},
};

template <size_t kCount>
std::optional<Right> Find(const Rule (&rules)[kCount], ipp_op_t operation) {
  const auto* found =
      std::ranges::find(rules, static_cast<int>(operation), &Rule::operation);
  if (found == std::end(rules)) return std::nullopt;
  return found->right;
}

}  // namespace

std::optional<Right> RightFor(ipp_op_t operation, bool is_of_system) {
  return is_of_system ? Find(kOfSystem, operation)
                      : Find(kOfPrinter, operation);
}

bool FindsDevices(ipp_op_t operation) {
  return static_cast<int>(operation) == kFindDevices;
}

bool ChangesPrinters(ipp_op_t operation) {
  switch (operation) {
    case IPP_OP_CREATE_PRINTER:
    case IPP_OP_DELETE_PRINTER:
    case IPP_OP_SET_PRINTER_ATTRIBUTES:
    case IPP_OP_SET_SYSTEM_ATTRIBUTES:
    case IPP_OP_HOLD_NEW_JOBS:
    case IPP_OP_RELEASE_HELD_NEW_JOBS:
      return true;
    default:
      return SwitchesPrinters(operation);
  }
}

bool SwitchesPrinters(ipp_op_t operation) {
  switch (operation) {
    case IPP_OP_PAUSE_PRINTER:
    case IPP_OP_PAUSE_PRINTER_AFTER_CURRENT_JOB:
    case IPP_OP_RESUME_PRINTER:
    case IPP_OP_PAUSE_ALL_PRINTERS:
    case IPP_OP_PAUSE_ALL_PRINTERS_AFTER_CURRENT_JOB:
    case IPP_OP_RESUME_ALL_PRINTERS:
    case IPP_OP_DISABLE_PRINTER:
    case IPP_OP_ENABLE_PRINTER:
    case IPP_OP_DISABLE_ALL_PRINTERS:
    case IPP_OP_ENABLE_ALL_PRINTERS:
      return true;
    default:
      return false;
  }
}

bool CancelsJobs(ipp_op_t operation) {
  return operation == IPP_OP_CANCEL_JOB || operation == IPP_OP_CANCEL_JOBS;
}

bool CreatesJob(ipp_op_t operation) {
  return operation == IPP_OP_PRINT_JOB || operation == IPP_OP_CREATE_JOB;
}

bool MakesJob(ipp_op_t operation) {
  return CreatesJob(operation) || operation == IPP_OP_SEND_DOCUMENT;
}

bool BringsDocument(ipp_op_t operation) {
  return operation == IPP_OP_PRINT_JOB || operation == IPP_OP_SEND_DOCUMENT;
}

}  // namespace halftoned
