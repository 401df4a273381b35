// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/rules/groups.h"

namespace halftoned {
namespace {

bool HasGroup(ipp_op_t operation, ipp_tag_t group) {
  if (group == IPP_TAG_OPERATION) return true;
  switch (operation) {
    case IPP_OP_PRINT_JOB:
    case IPP_OP_VALIDATE_JOB:
    case IPP_OP_CREATE_JOB:
      return group == IPP_TAG_JOB || group == IPP_TAG_SUBSCRIPTION ||
             group == IPP_TAG_DOCUMENT;
    // PAPPL would keep attributes of a job that it did not check.
    case IPP_OP_SEND_DOCUMENT:
      return group == IPP_TAG_DOCUMENT;
    case IPP_OP_CREATE_JOB_SUBSCRIPTIONS:
    case IPP_OP_CREATE_PRINTER_SUBSCRIPTIONS:
    case IPP_OP_CREATE_SYSTEM_SUBSCRIPTIONS:
    case IPP_OP_RENEW_SUBSCRIPTION:
      return group == IPP_TAG_SUBSCRIPTION;
    case IPP_OP_CREATE_PRINTER:
    case IPP_OP_SET_PRINTER_ATTRIBUTES:
      return group == IPP_TAG_PRINTER;
    case IPP_OP_SET_SYSTEM_ATTRIBUTES:
      return group == IPP_TAG_SYSTEM;
    default:
      return false;
  }
}

// Whether they are in order, and all belong to the operation.
struct Groups {
  bool are_in_order = true;
  bool are_known = true;
};

Groups GroupsIn(ipp_t* request) {
  Groups groups;
  const ipp_op_t operation = ippGetOperation(request);
  ipp_tag_t last = IPP_TAG_ZERO;
  for (ipp_attribute_t* each = ippFirstAttribute(request); each;
       each = ippNextAttribute(request)) {
    if (!ippGetName(each)) continue;  // between two groups of one kind
    const ipp_tag_t group = ippGetGroupTag(each);
    if (last == IPP_TAG_ZERO ? group != IPP_TAG_OPERATION : group < last) {
      groups.are_in_order = false;
    }
    groups.are_known &= HasGroup(operation, group);
    last = group;
  }
  groups.are_in_order &= last != IPP_TAG_ZERO;
  return groups;
}

Ipp WithKnownGroups(ipp_t* request) {
  Ipp copy = EmptyCopy(request);
  const ipp_op_t operation = ippGetOperation(request);
  bool is_known = true;
  for (ipp_attribute_t* each = ippFirstAttribute(request); each;
       each = ippNextAttribute(request)) {
    // A separator stands between two groups of the same kind.
    if (ippGetName(each)) is_known = HasGroup(operation, ippGetGroupTag(each));
    if (!is_known) continue;
    if (ippGetName(each)) {
      ippCopyAttribute(copy.get(), each, 0);
    } else {
      ippAddSeparator(copy.get());
    }
  }
  return copy;
}

}  // namespace

bool SettleGroups(Ipp& request) {
  const Groups groups = GroupsIn(request.get());
  if (!groups.are_known) request = WithKnownGroups(request.get());
  return groups.are_in_order;
}

}  // namespace halftoned
