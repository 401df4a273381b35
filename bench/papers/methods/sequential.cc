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

// "[Error Diffusion (ED)]"
void DiffuseRow(const Row& row) {
  const auto a = row.a;
  const ptrdiff_t below = row.pitch;
  for (ptrdiff_t j = 0; j < row.width; ++j) {
    const auto [r, e] = Quantise(Rounded(a[j]));
    row.b[j] = r;
    a[j + 1] += 7 * e;
    a[j + below + 1] += e;
    a[j + below] += 5 * e;
    a[j + below - 1] += 3 * e;
  }
}

// "[Error Collection (EC)]"
void CollectRow(const Row& row) {
  const auto a = row.a;
  const ptrdiff_t above = -row.pitch;
  for (ptrdiff_t j = 0; j < row.width; ++j) {
    const auto [r, e] = Collect(row.gray[j], a[j - 1], a[j + above - 1],
                                a[j + above], a[j + above + 1]);
    a[j] = e;
    row.b[j] = r;
  }
}

// "Register caching technique", for diffusion: the five values of a that a
// pixel touches are in registers; of these, two come in and one goes out.
void DiffuseRowCached(const Row& row) {
  const auto a = row.a;
  const ptrdiff_t below = row.pitch;
  int here = a[0];
  int below_left = a[below - 1];
  int below_here = a[below];
  for (ptrdiff_t j = 0; j < row.width; ++j) {
    int right = a[j + 1];
    int below_right = a[j + below + 1];
    const auto [r, e] = Quantise(Rounded(here));
    row.b[j] = r;
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
void CollectRowCached(const Row& row) {
  const auto a = row.a;
  const ptrdiff_t above = -row.pitch;
  int left = a[-1];
  int above_left = a[above - 1];
  int above_here = a[above];
  for (ptrdiff_t j = 0; j < row.width; ++j) {
    int above_right = a[j + above + 1];
    const auto [r, e] =
        Collect(row.gray[j], left, above_left, above_here, above_right);
    a[j] = e;
    row.b[j] = r;
    left = e;
    above_left = above_here;
    above_here = above_right;
  }
}

}  // namespace

const Sequential kSequential[4] = {{"ED", true, DiffuseRow},
                                   {"EC", false, CollectRow},
                                   {"ED with RC", true, DiffuseRowCached},
                                   {"EC with RC", false, CollectRowCached}};

void RunSequential(const Sequential& method, const Picture& picture,
                   Plane& plane) {
  if (method.diffuses) Fill(picture, plane);
  for (int i = 0; i < picture.rows; ++i) {
    const ptrdiff_t first = ptrdiff_t{i} * picture.width;
    method.run_row({plane.origin() + i * plane.pitch(), picture.pixels + first,
                    picture.gray + first, plane.pitch(), picture.width});
  }
}

}  // namespace halftoned::papers
