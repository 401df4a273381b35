// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/transform/printer_output.h"

#include <cups/cups.h>
#include <unistd.h>

#include <array>
#include <span>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/text.h"
#include "file/output_file.h"

namespace halftoned {
namespace {

Result<void> WriteAll(int fd, std::string_view bytes) {
  return WriteFully(fd, std::as_bytes(std::span(bytes)));
}

class StandardOutput : public PrinterOutput {
 public:
  Result<void> Write(std::string_view bytes) override {
    return WriteAll(STDOUT_FILENO, bytes);
  }
};

class NamedFile : public PrinterOutput {
 public:
  explicit NamedFile(std::unique_ptr<OutputFile> file)
      : file_(std::move(file)) {}
  Result<void> Write(std::string_view bytes) override {
    return file_->Write(std::as_bytes(std::span(bytes)));
  }
  Result<void> Commit() override { return file_->Commit(); }

 private:
  const std::unique_ptr<OutputFile> file_;
};

class Socket : public PrinterOutput {
 public:
  explicit Socket(int fd) : fd_(fd) {}
  ~Socket() override { httpAddrClose(nullptr, fd_); }
  Result<void> Write(std::string_view bytes) override {
    return WriteAll(fd_, bytes);
  }

 private:
  const int fd_;
};

Result<std::unique_ptr<PrinterOutput>> OpenSocket(const char* host, int port) {
  http_addrlist_t* addresses =
      httpAddrGetList(host, AF_UNSPEC, std::to_string(port).c_str());
  const std::string name = Printable(host) + ":" + std::to_string(port);
  if (!addresses)
    return IoError("the printer's host " + name + " is not known");
  int fd = -1;
  const bool is_connected =
      httpAddrConnect2(addresses, &fd, kConnectMilliseconds, nullptr);
  httpAddrFreeList(addresses);
  if (!is_connected) return IoError("no printer answers at " + name);
  return std::unique_ptr<PrinterOutput>(std::make_unique<Socket>(fd));
}

Result<std::unique_ptr<PrinterOutput>> OpenDevice(const TransformOrder& order) {
  std::array<char, 32> scheme{};
  std::array<char, 256> user{}, host{};
  std::array<char, 1024> resource{};
  int port = 0;
  const auto status = httpSeparateURI(
      HTTP_URI_CODING_ALL, order.device_uri.c_str(), scheme.data(),
      int(scheme.size()), user.data(), int(user.size()), host.data(),
      int(host.size()), &port, resource.data(), int(resource.size()));
  const std::string_view kind = scheme.data();
  if (status < HTTP_URI_STATUS_OK) {
    return BadInput("the device '" + Printable(order.device_uri, 200) +
                    "' is no URI");
  }
  if (kind == "socket") return OpenSocket(host.data(), port);
  if (kind == "ipp" || kind == "ipps") return OpenIppPrinter(order);
  return BadInput("devices of '" + Printable(kind) +
                  "' are not supported; socket, ipp and ipps are");
}

}  // namespace

Result<std::unique_ptr<PrinterOutput>> OpenOutput(const TransformOrder& order,
                                                  PendingFiles& pending) {
  if (!order.device_uri.empty()) return OpenDevice(order);
  if (order.output_path.empty()) {
    return std::unique_ptr<PrinterOutput>(std::make_unique<StandardOutput>());
  }
  HALFTONED_TRY_ASSIGN(auto file,
                       OutputFile::Create(order.output_path, pending));
  return std::unique_ptr<PrinterOutput>(
      std::make_unique<NamedFile>(std::move(file)));
}

}  // namespace halftoned
