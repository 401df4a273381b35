// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/rules/message.h"

#include <algorithm>
#include <cstring>

namespace halftoned {

Ipp ParseIpp(std::string_view message) {
  Ipp ipp(ippNew());
  const auto read = [](void* data, ipp_uchar_t* room, size_t size) -> ssize_t {
    auto& left = *static_cast<std::string_view*>(data);
    size = std::min(size, left.size());
    std::memcpy(room, left.data(), size);
    left.remove_prefix(size);
    return static_cast<ssize_t>(size);
  };
  if (ippReadIO(&message, read, 1, nullptr, ipp.get()) != IPP_STATE_DATA) {
    return nullptr;
  }
  return ipp;
}

std::string WriteIpp(ipp_t* ipp) {
  std::string message;
  ippSetState(ipp, IPP_STATE_IDLE);
  ippWriteIO(
      &message,
      [](void* data, ipp_uchar_t* bytes, size_t size) -> ssize_t {
        static_cast<std::string*>(data)->append(
            reinterpret_cast<const char*>(bytes), size);
        return static_cast<ssize_t>(size);
      },
      1, nullptr, ipp);
  return message;
}

const char* TextIn(ipp_t* ipp, const char* name, ipp_tag_t tag) {
  const char* text = ippGetString(ippFindAttribute(ipp, name, tag), 0, nullptr);
  return text ? text : "";
}

bool IsDone(ipp_t* answer) {
  return ippGetStatusCode(answer) < IPP_STATUS_ERROR_BAD_REQUEST;
}

Ipp EmptyCopy(ipp_t* message) {
  Ipp copy(ippNew());
  int minor = 0;
  const int major = ippGetVersion(message, &minor);
  ippSetVersion(copy.get(), major, minor);
  ippSetOperation(copy.get(), ippGetOperation(message));
  ippSetRequestId(copy.get(), ippGetRequestId(message));
  return copy;
}

Ipp WithString(ipp_t* message, ipp_tag_t group, ipp_tag_t kind,
               const char* name, const std::string& value) {
  Ipp copy = EmptyCopy(message);
  bool is_added = false;
  const auto add = [&] {
    ippAddString(copy.get(), group, kind, name, nullptr, value.c_str());
    is_added = true;
  };
  ipp_tag_t last = IPP_TAG_ZERO;
  for (ipp_attribute_t* each = ippFirstAttribute(message); each;
       each = ippNextAttribute(message)) {
    // A separator ends a group too, and what is written behind it begins one.
    const bool is_behind =
        ippGetName(each) ? ippGetGroupTag(each) > group : last == group;
    if (is_behind && !is_added) add();
    last = ippGetGroupTag(each);
    if (ippGetName(each)) {
      ippCopyAttribute(copy.get(), each, 0);
    } else {
      ippAddSeparator(copy.get());
    }
  }
  if (!is_added) add();
  return copy;
}

}  // namespace halftoned
