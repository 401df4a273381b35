// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/rules/groups.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace halftoned {
namespace {

using Groups = std::vector<ipp_tag_t>;

// As it comes from a client.
Ipp Request(ipp_op_t operation, const Groups& groups) {
  const Ipp request(ippNew());
  ippSetOperation(request.get(), operation);
  ipp_tag_t last = IPP_TAG_ZERO;
  for (const ipp_tag_t group : groups) {
    if (group == last) ippAddSeparator(request.get());
    ippAddInteger(request.get(), group, IPP_TAG_INTEGER, "copies", group);
    last = group;
  }
  return ParseIpp(WriteIpp(request.get()));
}

Groups GroupsOf(ipp_t* request) {
  const Ipp parsed = ParseIpp(WriteIpp(request));
  EXPECT_TRUE(parsed);
  Groups groups;
  for (ipp_attribute_t* each = ippFirstAttribute(parsed.get()); each;
       each = ippNextAttribute(parsed.get())) {
    if (ippGetName(each)) groups.push_back(ippGetGroupTag(each));
  }
  return groups;
}

TEST(Groups, ThatTheOperationDoesNotHaveAreLeftOut) {
  const auto left = [](ipp_op_t operation) {
    Ipp request = Request(operation,
                          {IPP_TAG_OPERATION, IPP_TAG_JOB, IPP_TAG_JOB,
                           IPP_TAG_PRINTER, IPP_TAG_PRINTER, IPP_TAG_RESOURCE});
    EXPECT_TRUE(SettleGroups(request));
    return GroupsOf(request.get());
  };
  EXPECT_EQ(left(IPP_OP_GET_JOBS), Groups({IPP_TAG_OPERATION}));
  EXPECT_EQ(left(IPP_OP_SEND_DOCUMENT), Groups({IPP_TAG_OPERATION}));
  EXPECT_EQ(left(IPP_OP_PRINT_JOB),
            Groups({IPP_TAG_OPERATION, IPP_TAG_JOB, IPP_TAG_JOB}));
  EXPECT_EQ(left(IPP_OP_SET_PRINTER_ATTRIBUTES),
            Groups({IPP_TAG_OPERATION, IPP_TAG_PRINTER, IPP_TAG_PRINTER}));
}

TEST(Groups, HaveTheStandardsOrder) {
  const auto is_in_order = [](const Groups& groups) {
    Ipp request = Request(IPP_OP_PRINT_JOB, groups);
    EXPECT_TRUE(request);
    return request && SettleGroups(request);
  };
  EXPECT_TRUE(is_in_order({IPP_TAG_OPERATION}));
  EXPECT_TRUE(is_in_order(
      {IPP_TAG_OPERATION, IPP_TAG_JOB, IPP_TAG_JOB, IPP_TAG_SUBSCRIPTION}));
  EXPECT_FALSE(
      is_in_order({IPP_TAG_OPERATION, IPP_TAG_SUBSCRIPTION, IPP_TAG_JOB}));
  EXPECT_FALSE(is_in_order({IPP_TAG_JOB}));
  EXPECT_FALSE(is_in_order({}));
}

}  // namespace
}  // namespace halftoned
