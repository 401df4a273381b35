// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/printer/ipp_answer.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <future>
#include <iterator>
#include <span>
#include <string_view>
#include <thread>
#include <utility>

#include "base/text.h"

namespace halftoned {
namespace {

constexpr int kTimeoutMilliseconds = 15'000;

// The maximum size of a reply.
constexpr size_t kMostBytes = size_t{4} << 20;

// libcups calls itself for each level of collections, until its stack is full.
constexpr int kMostDepth = 8;

struct Address {
  std::array<char, 32> scheme;
  std::array<char, HTTP_MAX_URI> user;
  std::array<char, HTTP_MAX_HOST> host;
  std::array<char, HTTP_MAX_URI> resource;
  int port = 0;

  bool is_encrypted() const {
    return std::string_view(scheme.data()).ends_with('s') || port == 443;
  }
};

Result<Address> AddressIn(const std::string& uri) {
  Address address;
  const http_uri_status_t status = httpSeparateURI(
      HTTP_URI_CODING_ALL, uri.c_str(), address.scheme.data(),
      address.scheme.size(), address.user.data(), address.user.size(),
      address.host.data(), address.host.size(), &address.port,
      address.resource.data(), address.resource.size());
  if (status >= HTTP_URI_STATUS_OK) return address;
  return BadInput("'" + uri +
                  "' is not an address: " + httpURIStatusString(status) +
                  "; lpinfo -v lists the printers on your network");
}

struct HttpCloser {
  void operator()(http_t* http) const { httpClose(http); }
};

bool IsName(const std::string& uri) { return uri.find("._tcp") != uri.npos; }

// The address of a printer that announces its name in the network. lpinfo lists
// it with dnssd, ipp or ipps in front. Other addresses are returned unchanged.
Result<std::string> Resolved(const std::string& uri) {
  if (!IsName(uri)) return uri;
  cups_dest_t printer{};
  printer.num_options =
      cupsAddOption("device-uri", uri.c_str(), 0, &printer.options);
  std::array<char, HTTP_MAX_URI> resource;
  const std::unique_ptr<http_t, HttpCloser> http(cupsConnectDest(
      &printer, CUPS_DEST_FLAGS_DEVICE, kTimeoutMilliseconds, nullptr,
      resource.data(), resource.size(), nullptr, nullptr));
  std::string found = uri;
  // The place where libcups stores it depends on the version of libcups.
  for (const char* option : {"device-uri", "resolved-device-uri"}) {
    const char* value =
        cupsGetOption(option, printer.num_options, printer.options);
    if (value && !IsName(value)) found = value;
  }
  cupsFreeOptions(printer.num_options, printer.options);
  if (!IsName(found)) return found;
  return IoError("no printer on this network has the name in " + uri +
                 "; lpinfo -v lists the printers, if avahi-daemon is running");
}

// The depth of collections in collections, from a reply's bytes:
//
//   reply = header(8) *(group | value) end
//   value = tag length(2) name(length) length(2) value(length)
//   group, end, tag = (1) | 127(1) (4); values have tags from 16
//
// Some printers send a value with tags that allow none, and libcups reads it,
// so any value may have any length.
class Nesting {
 public:
  void Take(std::span<const ipp_uchar_t> bytes) {
    while (!bytes.empty()) {
      const size_t skipped = std::min(skipped_, bytes.size());
      skipped_ -= skipped;
      bytes = bytes.subspan(skipped);
      if (bytes.empty()) return;
      number_ = number_ << 8 | bytes.front();
      bytes = bytes.subspan(1);
      if (--left_ == 0) TakeNumber(std::exchange(number_, 0));
    }
  }
  int value() const { return depth_; }

 private:
  enum class Next : uint8_t { kTag, kLongTag, kName, kValue };

  void Expect(Next next, int bytes) {
    next_ = next;
    left_ = bytes;
  }
  void TakeNumber(uint32_t number);

  size_t skipped_ = 8;
  Next next_ = Next::kTag;
  int left_ = 1;  // of the number's bytes
  uint32_t number_ = 0;
  uint32_t tag_ = 0;
  int depth_ = 0;
};

void Nesting::TakeNumber(uint32_t number) {
  switch (next_) {
    case Next::kTag:
      if (number == IPP_TAG_EXTENSION) return Expect(Next::kLongTag, 4);
      [[fallthrough]];
    case Next::kLongTag:
      if (number < IPP_TAG_UNSUPPORTED_VALUE) return Expect(Next::kTag, 1);
      tag_ = number;
      return Expect(Next::kName, 2);
    case Next::kName:
      skipped_ = number;
      return Expect(Next::kValue, 2);
    case Next::kValue:
      skipped_ = number;
      if (tag_ == IPP_TAG_BEGIN_COLLECTION) ++depth_;
      if (tag_ == IPP_TAG_END_COLLECTION) --depth_;
      return Expect(Next::kTag, 1);
  }
}

// A reply that is being read.
struct Reply {
  http_t* http;
  size_t left = kMostBytes;
  Nesting nesting = {};

  // The number of bytes: less than `size` only at the end, or after an error.
  // NOLINTNEXTLINE(readability-non-const-parameter): the type is libcups'
  static ssize_t Read(void* reply, ipp_uchar_t* bytes, size_t size) {
    auto& [http, left, nesting] = *static_cast<Reply*>(reply);
    if (size > left) return left = 0;
    left -= size;
    size_t done = 0;
    while (done < size) {
      const ssize_t count =
          httpRead2(http, reinterpret_cast<char*>(bytes) + done, size - done);
      if (count <= 0) break;
      done += static_cast<size_t>(count);
    }
    nesting.Take({bytes, done});
    return nesting.value() > kMostDepth ? 0 : static_cast<ssize_t>(done);
  }

  const char* WhatIsWrong() const {
    if (left == 0) return "its reply is longer than 4 MiB";
    if (nesting.value() > kMostDepth) {
      return "its reply has collections in more than 8 levels";
    }
    return "its reply is damaged";
  }
};

Result<IppMessage> ReadAnswer(http_t* http) {
  IppMessage answer(ippNew());
  Reply reply{http};
  ipp_state_t state = IPP_STATE_IDLE;
  while (state != IPP_STATE_DATA) {
    state = ippReadIO(&reply, Reply::Read, 1, nullptr, answer.get());
    if (state == IPP_STATE_ERROR) return IoError(reply.WhatIsWrong());
  }
  const ipp_status_t status = ippGetStatusCode(answer.get());
  if (status <= IPP_STATUS_OK_CONFLICTING) return answer;
  const char* message = ippGetString(
      ippFindAttribute(answer.get(), "status-message", IPP_TAG_TEXT), 0,
      nullptr);
  return IoError(message ? message : ippErrorString(status));
}

// As cupsSendRequest, which would ask the user for a password if the printer
// demands one, and send it over plain HTTP.
http_status_t Send(http_t* http, ipp_t* request, const char* resource) {
  httpClearFields(http);
  httpSetField(http, HTTP_FIELD_CONTENT_TYPE, "application/ipp");
  httpSetLength(http, ippLength(request));
  ippSetState(request, IPP_STATE_IDLE);
  if (httpPost(http, resource) != 0 ||
      ippWrite(http, request) != IPP_STATE_DATA) {
    return HTTP_STATUS_ERROR;
  }
  http_status_t status = HTTP_STATUS_CONTINUE;
  while (status == HTTP_STATUS_CONTINUE) status = httpUpdate(http);
  return status;
}

// As cupsDoRequest, whose reply could be of any size.
Result<IppMessage> Exchange(http_t* http, ipp_t* request,
                            const char* resource) {
  http_status_t status = Send(http, request, resource);
  if (status == HTTP_STATUS_UPGRADE_REQUIRED &&
      httpReconnect2(http, kTimeoutMilliseconds, nullptr) == 0 &&
      httpEncryption(http, HTTP_ENCRYPTION_REQUIRED) == 0) {
    status = Send(http, request, resource);
  }
  if (status == HTTP_STATUS_OK) return ReadAnswer(http);
  if (status == HTTP_STATUS_UNAUTHORIZED) {
    return IoError("it demands a password, which halftone does not send");
  }
  return IoError(status == HTTP_STATUS_ERROR ? "the connection has ended"
                                             : httpStatus(status));
}

Result<IppMessage> Ask(const std::string& named) {
  HALFTONED_TRY_ASSIGN(const std::string uri, Resolved(named));
  HALFTONED_TRY_ASSIGN(const Address address, AddressIn(uri));
  const std::unique_ptr<http_t, HttpCloser> http(
      httpConnect2(address.host.data(), address.port, nullptr, AF_UNSPEC,
                   address.is_encrypted() ? HTTP_ENCRYPTION_ALWAYS
                                          : HTTP_ENCRYPTION_IF_REQUESTED,
                   1, kTimeoutMilliseconds, nullptr));
  const std::string where = std::string(address.host.data()) + ", port " +
                            std::to_string(address.port);
  if (!http) {
    return IoError(
        "no printer replies at " + where +
        "; switch it on, or give --language if it does not support IPP");
  }
  httpSetTimeout(
      http.get(), kTimeoutMilliseconds / 1000, [](http_t*, void*) { return 0; },
      nullptr);
  constexpr const char* kWanted[] = {"all", "media-col-database"};
  const IppMessage request(ippNewRequest(IPP_OP_GET_PRINTER_ATTRIBUTES));
  ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_URI, "printer-uri",
               nullptr, uri.c_str());
  ippAddStrings(request.get(), IPP_TAG_OPERATION, IPP_TAG_KEYWORD,
                "requested-attributes", std::size(kWanted), nullptr, kWanted);
  auto answer = Exchange(http.get(), request.get(), address.resource.data());
  if (answer.ok()) return answer;
  return IoError(
      "the printer at " + where +
      " does not report its capabilities: " + OneLine(answer.error().message) +
      "; lpinfo -v lists the printers on your network");
}

}  // namespace

// libcups limits only the time for each part of a reply, so it runs in a
// thread. If that takes too long, the thread is left behind.
Result<IppMessage> AskForAttributes(const std::string& uri,
                                    std::chrono::milliseconds most) {
  std::packaged_task<Result<IppMessage>()> asking([uri] { return Ask(uri); });
  auto answer = asking.get_future();
  std::thread(std::move(asking)).detach();
  if (answer.wait_for(most) == std::future_status::ready) return answer.get();
  return IoError("the printer " + uri +
                 " takes too long to report its capabilities");
}

}  // namespace halftoned
