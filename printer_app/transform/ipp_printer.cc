// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A printer of IPP: Print-Job, whose document is sent while it is made.

#include <cups/cups.h>

#include <array>
#include <memory>
#include <string>
#include <utility>

#include "base/text.h"
#include "printer_app/transform/printer_output.h"

namespace halftoned {
namespace {

struct HttpCloser {
  void operator()(http_t* http) const { httpClose(http); }
};
using Http = std::unique_ptr<http_t, HttpCloser>;

class IppPrinter : public PrinterOutput {
 public:
  IppPrinter(Http http, std::string resource)
      : http_(std::move(http)), resource_(std::move(resource)) {}

  Result<void> Write(std::string_view bytes) override {
    if (cupsWriteRequestData(http_.get(), bytes.data(), bytes.size()) !=
        HTTP_STATUS_CONTINUE) {
      return Refused();
    }
    return {};
  }

  Result<void> Commit() override {
    ippDelete(cupsGetResponse(http_.get(), resource_.c_str()));
    if (cupsLastError() > IPP_STATUS_OK_EVENTS_COMPLETE) return Refused();
    return {};
  }

  static Error Refused() {
    return IoError(std::string("the printer does not take the job: ") +
                   Printable(cupsLastErrorString()));
  }

 private:
  const Http http_;
  const std::string resource_;
};

std::string JobName(const TransformOrder& order) {
  if (auto name = order.attributes.Get("job-name")) return *name;
  const std::string& path = order.documents.front().path;
  return path.substr(path.rfind('/') + 1);
}

ipp_t* RequestOf(const TransformOrder& order) {
  ipp_t* request = ippNewRequest(IPP_OP_PRINT_JOB);
  const auto add = [&](ipp_tag_t group, ipp_tag_t kind, const char* name,
                       const std::string& value) {
    ippAddString(request, group, kind, name, nullptr, value.c_str());
  };
  add(IPP_TAG_OPERATION, IPP_TAG_URI, "printer-uri", order.device_uri);
  add(IPP_TAG_OPERATION, IPP_TAG_NAME, "requesting-user-name", cupsUser());
  add(IPP_TAG_OPERATION, IPP_TAG_NAME, "job-name", JobName(order));
  add(IPP_TAG_OPERATION, IPP_TAG_MIMETYPE, "document-format",
      order.output_format);
  for (const char* name : {"media", "sides"}) {
    if (const auto value = order.attributes.OfJob(name)) {
      add(IPP_TAG_JOB, IPP_TAG_KEYWORD, name, *value);
    }
  }
  return request;
}

}  // namespace

Result<std::unique_ptr<PrinterOutput>> OpenIppPrinter(
    const TransformOrder& order) {
  std::array<char, 32> scheme{};
  std::array<char, 256> user{}, host{};
  std::array<char, 1024> resource{};
  int port = 0;
  httpSeparateURI(HTTP_URI_CODING_ALL, order.device_uri.c_str(), scheme.data(),
                  int(scheme.size()), user.data(), int(user.size()),
                  host.data(), int(host.size()), &port, resource.data(),
                  int(resource.size()));
  const bool is_safe = port == 443 || std::string_view(scheme.data()) == "ipps";
  Http http(httpConnect2(
      host.data(), port, nullptr, AF_UNSPEC,
      is_safe ? HTTP_ENCRYPTION_ALWAYS : HTTP_ENCRYPTION_IF_REQUESTED, 1,
      kConnectMilliseconds, nullptr));
  if (!http) {
    return IoError("no printer answers at " + Printable(host.data()) + ":" +
                   std::to_string(port));
  }
  ipp_t* request = RequestOf(order);
  const http_status_t status = cupsSendRequest(
      http.get(), request, resource.data(), CUPS_LENGTH_VARIABLE);
  ippDelete(request);
  if (status != HTTP_STATUS_CONTINUE) return IppPrinter::Refused();
  return std::unique_ptr<PrinterOutput>(
      std::make_unique<IppPrinter>(std::move(http), resource.data()));
}

}  // namespace halftoned
