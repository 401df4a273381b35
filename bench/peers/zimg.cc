// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/peers/zimg.h"

#ifdef HALFTONED_ZIMG
#include <zimg.h>

#include <cstring>
#include <vector>
#endif

namespace halftoned::bench {

#ifdef HALFTONED_ZIMG

namespace {

struct alignas(64) Block {
  std::byte bytes[64];
};

class RealZimg : public Zimg {
 public:
  RealZimg(int32_t width, int32_t rows, zimg_filter_graph* graph)
      : width_(static_cast<size_t>(width)),
        rows_(static_cast<size_t>(rows)),
        blocks_((width_ + sizeof(Block) - 1) / sizeof(Block)),
        graph_(graph),
        in_(blocks_ * rows_),
        out_(blocks_ * rows_) {
    size_t bytes = 0;
    zimg_filter_graph_get_tmp_size(graph_, &bytes);
    scratch_.resize(bytes / sizeof(Block) + 1);
  }
  ~RealZimg() override { zimg_filter_graph_free(graph_); }

  void Copy(const std::byte* gray) override {
    for (size_t i = 0; i < rows_; ++i) {
      std::memcpy(&in_[i * blocks_], gray + i * width_, width_);
    }
  }
  void Run() override {
    const auto pitch = static_cast<ptrdiff_t>(blocks_ * sizeof(Block));
    zimg_image_buffer_const in = {ZIMG_API_VERSION, {}};
    zimg_image_buffer out = {ZIMG_API_VERSION, {}};
    in.plane[0] = {in_.data(), pitch, ZIMG_BUFFER_MAX};
    out.plane[0] = {out_.data(), pitch, ZIMG_BUFFER_MAX};
    zimg_filter_graph_process(graph_, &in, &out, scratch_.data(), nullptr,
                              nullptr, nullptr, nullptr);
  }
  const std::byte* row(int32_t i) const override {
    return out_[static_cast<size_t>(i) * blocks_].bytes;
  }

 private:
  const size_t width_;
  const size_t rows_;
  const size_t blocks_;  // of a row
  zimg_filter_graph* const graph_;
  std::vector<Block> in_, out_, scratch_;
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
