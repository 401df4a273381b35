// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/papers/methods/sequential.h"

#include "bench/papers/methods/arithmetic.h"

namespace halftoned::papers {
namespace {

// The image is `a`, in sixteenths; the binary image is `b`.
void Fill(const Picture& picture, Plane& plane) {
  for (int i = 0; i < picture.rows; ++i) {
    int* a = plane.origin() + i * plane.pitch();
    const uint8_t* gray = picture.gray + ptrdiff_t{i} * picture.width;
    for (int j = 0; j < picture.width; ++j) a[j] = SixteenthsOf(gray[j]);
  }
}

// A row of pixels, by arrays that begin at its first pixel and reach into the
// rows beside it.
template <typename Memory>
struct Row {
  typename Memory::template Array<int> a;  // collection: errors
  typename Memory::template Array<uint8_t> b;
  typename Memory::template Array<const uint8_t> gray;  // collection only
  ptrdiff_t pitch;
  int width;
};

// "[Error Diffusion (ED)]"
template <typename Memory>
void DiffuseRow(const Row<Memory>& row) {
  const auto a = row.a;
  const ptrdiff_t below = row.pitch;
  for (ptrdiff_t j = 0; j < row.width; ++j) {
    const auto [r, e] = Quantise<2>(Rounded(a[j]));
    row.b[j] = static_cast<uint8_t>(r);
    a[j + 1] += 7 * e;
    a[j + below + 1] += e;
    a[j + below] += 5 * e;
    a[j + below - 1] += 3 * e;
  }
}

// "[Error Collection (EC)]"
template <typename Memory>
void CollectRow(const Row<Memory>& row) {
  const auto a = row.a;
  const ptrdiff_t above = -row.pitch;
  for (ptrdiff_t j = 0; j < row.width; ++j) {
    const auto [r, e] = Collect<2>(row.gray[j], a[j - 1], a[j + above - 1],
                                   a[j + above], a[j + above + 1]);
    a[j] = e;
    row.b[j] = static_cast<uint8_t>(r);
  }
}

// "Register caching technique", for diffusion: the five values of a that a
// pixel touches are in registers; of these, two come in and one goes out.
template <typename Memory>
void DiffuseRowCached(const Row<Memory>& row) {
  using Register = typename Memory::Register;
  const auto a = row.a;
  const ptrdiff_t below = row.pitch;
  Register here(a[0]);
  Register below_left(a[below - 1]);
  Register below_here(a[below]);
  for (ptrdiff_t j = 0; j < row.width; ++j) {
    Register right(a[j + 1]);
    Register below_right(a[j + below + 1]);
    const auto [r, e] = Quantise<2>(Rounded(here));
    row.b[j] = static_cast<uint8_t>(r);
    right += 7 * e;
    below_right += e;
    below_here += 5 * e;
    below_left += 3 * e;
    a[j + below - 1] = below_left;
    here = right;
    below_left = below_here;
    below_here = below_right;
  }
  a[row.width + below - 1] = below_left;
}

// The same for collection.
template <typename Memory>
void CollectRowCached(const Row<Memory>& row) {
  using Register = typename Memory::Register;
  const auto a = row.a;
  const ptrdiff_t above = -row.pitch;
  Register left(a[-1]);
  Register above_left(a[above - 1]);
  Register above_here(a[above]);
  for (ptrdiff_t j = 0; j < row.width; ++j) {
    Register here(row.gray[j]);
    Register above_right(a[j + above + 1]);
    const auto [r, e] = Collect<2>(static_cast<uint8_t>(here), left, above_left,
                                   above_here, above_right);
    here = e;
    a[j] = here;
    row.b[j] = static_cast<uint8_t>(r);
    left = here;
    above_left = above_here;
    above_here = above_right;
  }
}

bool Diffuses(Sequential method) {
  return method == Sequential::kDiffusion ||
         method == Sequential::kCachedDiffusion;
}

template <typename Memory>
void RunRows(Sequential method, const Picture& picture, Plane& plane) {
  for (int i = 0; i < picture.rows; ++i) {
    const ptrdiff_t first = ptrdiff_t{i} * picture.width;
    const Row<Memory> row{plane.origin() + i * plane.pitch(),
                          picture.pixels + first, picture.gray + first,
                          plane.pitch(), picture.width};
    switch (method) {
      case Sequential::kDiffusion:
        DiffuseRow(row);
        break;
      case Sequential::kCollection:
        CollectRow(row);
        break;
      case Sequential::kCachedDiffusion:
        DiffuseRowCached(row);
        break;
      case Sequential::kCachedCollection:
        CollectRowCached(row);
        break;
    }
  }
}

}  // namespace

const char* NameOf(Sequential method) {
  switch (method) {
    case Sequential::kDiffusion:
      return "ED";
    case Sequential::kCollection:
      return "EC";
    case Sequential::kCachedDiffusion:
      return "ED with RC";
    case Sequential::kCachedCollection:
      return "EC with RC";
  }
  return "";
}

void RunSequential(Sequential method, const Picture& picture, Plane& plane) {
  if (Diffuses(method)) Fill(picture, plane);
  RunRows<UncountedMemory>(method, picture, plane);
}

Counts Count(Sequential method, const Picture& picture, Plane& plane) {
  if (Diffuses(method)) Fill(picture, plane);
  CountedMemory::counts = {};
  RunRows<CountedMemory>(method, picture, plane);
  return CountedMemory::counts;
}

}  // namespace halftoned::papers
