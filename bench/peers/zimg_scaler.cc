// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/peers/zimg_scaler.h"

#ifdef HALFTONED_ZIMG
#include <zimg.h>

#include <cstring>
#include <utility>
#include <vector>
#endif

namespace halftoned::bench {

#ifdef HALFTONED_ZIMG

namespace {

struct Image {
  zimg_image_format format;
  size_t pitch = 0;
  std::vector<std::byte> bytes;
  std::byte* start = nullptr;  // aligned

  Image(int width, int rows, bool is_light) {
    zimg_image_format_default(&format, ZIMG_API_VERSION);
    format.width = static_cast<unsigned>(width);
    format.height = static_cast<unsigned>(rows);
    format.color_family = ZIMG_COLOR_GREY;
    format.pixel_range = ZIMG_RANGE_FULL;
    format.pixel_type = is_light ? ZIMG_PIXEL_FLOAT : ZIMG_PIXEL_BYTE;
    format.depth = is_light ? 32 : 8;
    format.matrix_coefficients = ZIMG_MATRIX_709;
    format.color_primaries = ZIMG_PRIMARIES_709;
    format.transfer_characteristics =
        is_light ? ZIMG_TRANSFER_LINEAR : ZIMG_TRANSFER_IEC_61966_2_1;
    pitch = (size_t(width) * (is_light ? 4 : 1) + 63) / 64 * 64;
    bytes.resize(pitch * size_t(rows) + 64);
    start =
        bytes.data() + (64 - reinterpret_cast<uintptr_t>(bytes.data()) % 64);
  }
};

class Graph {
 public:
  Graph(const Image& from, const Image& to) {
    zimg_graph_builder_params how;
    zimg_graph_builder_params_default(&how, ZIMG_API_VERSION);
    how.resample_filter = to.format.width > from.format.width
                              ? ZIMG_RESIZE_BICUBIC
                              : ZIMG_RESIZE_LANCZOS;
    how.cpu_type = ZIMG_CPU_AUTO_64B;
    graph_ = zimg_filter_graph_build(&from.format, &to.format, &how);
    size_t bytes = 0;
    if (graph_) zimg_filter_graph_get_tmp_size(graph_, &bytes);
    scratch_.resize(bytes + 64);
  }
  ~Graph() { zimg_filter_graph_free(graph_); }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  bool is_there() const { return graph_ != nullptr; }
  void Run(const Image& from, Image& to) {
    zimg_image_buffer_const in = {ZIMG_API_VERSION, {}};
    zimg_image_buffer out = {ZIMG_API_VERSION, {}};
    in.plane[0] = {from.start, ptrdiff_t(from.pitch), ZIMG_BUFFER_MAX};
    out.plane[0] = {to.start, ptrdiff_t(to.pitch), ZIMG_BUFFER_MAX};
    std::byte* scratch =
        scratch_.data() +
        (64 - reinterpret_cast<uintptr_t>(scratch_.data()) % 64);
    zimg_filter_graph_process(graph_, &in, &out, scratch, nullptr, nullptr,
                              nullptr, nullptr);
  }

 private:
  zimg_filter_graph* graph_ = nullptr;
  std::vector<std::byte> scratch_;
};

}  // namespace

struct ZimgScaler::Graphs {
  std::vector<std::unique_ptr<Image>> images;
  std::vector<std::unique_ptr<Graph>> graphs;
};

ZimgScaler::ZimgScaler(int old_width, int old_rows, int width, int rows,
                       bool in_light)
    : graphs_(std::make_unique<Graphs>()) {
  auto& images = graphs_->images;
  images.push_back(std::make_unique<Image>(old_width, old_rows, false));
  if (in_light) {
    images.push_back(std::make_unique<Image>(old_width, old_rows, true));
    images.push_back(std::make_unique<Image>(width, rows, true));
  }
  images.push_back(std::make_unique<Image>(width, rows, false));
  for (size_t i = 1; i < images.size(); ++i) {
    graphs_->graphs.push_back(
        std::make_unique<Graph>(*images[i - 1], *images[i]));
    if (graphs_->graphs.back()->is_there()) continue;
    graphs_.reset();
    return;
  }
}

void ZimgScaler::Copy(const std::byte* gray) {
  Image& image = *graphs_->images.front();
  for (size_t i = 0; i < image.format.height; ++i) {
    std::memcpy(image.start + i * image.pitch, gray + i * image.format.width,
                image.format.width);
  }
}

void ZimgScaler::Run() {
  for (size_t i = 0; i < graphs_->graphs.size(); ++i) {
    graphs_->graphs[i]->Run(*graphs_->images[i], *graphs_->images[i + 1]);
  }
}

#else

struct ZimgScaler::Graphs {};
ZimgScaler::ZimgScaler(int, int, int, int, bool) {}
void ZimgScaler::Copy(const std::byte*) {}
void ZimgScaler::Run() {}

#endif

ZimgScaler::~ZimgScaler() = default;

}  // namespace halftoned::bench
