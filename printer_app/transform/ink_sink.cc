// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <optional>
#include <string>
#include <utility>

#include "printer_app/gray_page.h"
#include "printer_app/transform/print_sink.h"

namespace halftoned {
namespace {

class InkSink : public PrintSink {
 public:
  InkSink(JobEngines& engines, HalftoneOrder order,
          std::unique_ptr<PageEncoder> encoder, PrinterOutput& output)
      : engines_(engines),
        order_(std::move(order)),
        encoder_(std::move(encoder)),
        output_(output) {}

  Result<void> BeginPage(const cups_page_header2_t& header) override {
    const DotsPerInch resolution{double(header.HWResolution[0]),
                                 double(header.HWResolution[1])};
    HALFTONED_TRY_ASSIGN(
        page_, GrayPage::Open(engines_, order_.look,
                              static_cast<int>(header.cupsWidth), resolution,
                              order_.is_black_solid,
                              [this](std::span<const uint8_t> ink) {
                                encoder_->WriteRow(ink, bytes_);
                              }));
    if (!has_begun_) encoder_->BeginJob(bytes_);
    has_begun_ = true;
    InkPage ink;
    ink.header = header;
    ink.copies = static_cast<int>(header.NumCopies);
    ink.is_two_sided = header.Duplex;
    ink.is_tumbled = header.Duplex && header.Tumble;
    encoder_->BeginPage(ink, bytes_);
    return {};
  }

  Result<void> Write(std::span<uint8_t> row) override {
    HALFTONED_TRY(page_->Write(row.data(), false));
    return bytes_.size() < kSinkBytes ? Result<void>() : Flush();
  }

  Result<void> EndPage() override {
    HALFTONED_TRY(page_->Finish());
    page_.reset();
    encoder_->EndPage(true, bytes_);
    return Flush();
  }

  Result<void> EndJob() override {
    if (has_begun_) encoder_->EndJob(bytes_);
    return Flush();
  }

  void Abandon() override {
    if (!has_begun_) return;
    if (page_) encoder_->EndPage(false, bytes_);
    encoder_->EndJob(bytes_);
    // Why the job fails is known already.
    (void)Flush();
  }

 private:
  Result<void> Flush() {
    const std::string bytes = std::exchange(bytes_, {});
    return bytes.empty() ? Result<void>() : output_.Write(bytes);
  }

  JobEngines& engines_;
  const HalftoneOrder order_;
  const std::unique_ptr<PageEncoder> encoder_;
  PrinterOutput& output_;
  std::unique_ptr<GrayPage> page_;
  std::string bytes_;
  bool has_begun_ = false;
};

}  // namespace

std::unique_ptr<PrintSink> MakeInkSink(JobEngines& engines,
                                       const HalftoneOrder& order,
                                       std::unique_ptr<PageEncoder> encoder,
                                       PrinterOutput& output) {
  return std::make_unique<InkSink>(engines, order, std::move(encoder), output);
}

}  // namespace halftoned
