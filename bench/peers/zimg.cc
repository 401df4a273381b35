// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/peers/zimg.h"

#ifdef HALFTONED_ZIMG
#include <zimg.h>

#include <cstring>
#include <new>
#endif

namespace halftoned::bench {

#ifdef HALFTONED_ZIMG

namespace {

constexpr size_t kAlignment = 64;

struct Aligned {
  void operator()(std::byte* p) const {
    ::operator delete (p, std::align_val_t{kAlignment});
  }
};
using Buffer = std::unique_ptr<std::byte, Aligned>;

Buffer MakeBuffer(size_t bytes) {
  return Buffer(static_cast<std::byte*>(
      ::operator new (bytes, std::align_val_t{kAlignment})));
}

class RealZimg : public Zimg {
 public:
  RealZimg(int32_t width, int32_t rows, zimg_filter_graph* graph)
      : width_(static_cast<size_t>(width)),
        rows_(static_cast<size_t>(rows)),
        pitch_((width_ + kAlignment - 1) / kAlignment * kAlignment),
        graph_(graph),
        in_(MakeBuffer(pitch_ * rows_)),
        out_(MakeBuffer(pitch_ * rows_)) {
    size_t scratch = 0;
    zimg_filter_graph_get_tmp_size(graph_, &scratch);
    scratch_ = MakeBuffer(scratch);
  }
  ~RealZimg() override { zimg_filter_graph_free(graph_); }

  void Copy(const std::byte* gray) override {
    for (size_t i = 0; i < rows_; ++i) {
      std::memcpy(in_.get() + i * pitch_, gray + i * width_, width_);
    }
  }

  void Run() override {
    zimg_image_buffer_const in = {ZIMG_API_VERSION, {}};
    zimg_image_buffer out = {ZIMG_API_VERSION, {}};
    in.plane[0].data = in_.get();
    in.plane[0].stride = static_cast<ptrdiff_t>(pitch_);
    in.plane[0].mask = ZIMG_BUFFER_MAX;
    out.plane[0].data = out_.get();
    out.plane[0].stride = static_cast<ptrdiff_t>(pitch_);
    out.plane[0].mask = ZIMG_BUFFER_MAX;
    zimg_filter_graph_process(graph_, &in, &out, scratch_.get(), nullptr,
                              nullptr, nullptr, nullptr);
  }

  const std::byte* row(int32_t i) const override {
    return out_.get() + static_cast<size_t>(i) * pitch_;
  }

 private:
  const size_t width_;
  const size_t rows_;
  const size_t pitch_;
  zimg_filter_graph* const graph_;
  Buffer in_;
  Buffer out_;
  Buffer scratch_;
};

}  // namespace

std::unique_ptr<Zimg> Zimg::Make(int32_t width, int32_t rows) {
  zimg_image_format from;
  zimg_image_format_default(&from, ZIMG_API_VERSION);
  from.width = static_cast<unsigned>(width);
  from.height = static_cast<unsigned>(rows);
  from.pixel_type = ZIMG_PIXEL_BYTE;
  from.color_family = ZIMG_COLOR_GREY;
  from.depth = 8;
  from.pixel_range = ZIMG_RANGE_FULL;
  zimg_image_format to = from;
  to.depth = 1;
  zimg_graph_builder_params how;
  zimg_graph_builder_params_default(&how, ZIMG_API_VERSION);
  how.dither_type = ZIMG_DITHER_ERROR_DIFFUSION;
  how.cpu_type = ZIMG_CPU_AUTO_64B;
  zimg_filter_graph* graph = zimg_filter_graph_build(&from, &to, &how);
  if (!graph) return nullptr;
  return std::make_unique<RealZimg>(width, rows, graph);
}

#else

std::unique_ptr<Zimg> Zimg::Make(int32_t, int32_t) { return nullptr; }

#endif

}  // namespace halftoned::bench
