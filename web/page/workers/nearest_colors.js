// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What most programs do for panels: each pixel becomes the color of the panel, as
// measured, that is nearest in sRGB; either alone, or with Floyd and Steinberg's error
// diffusion, left to right.

const FORWARD = 7 / 16;
const BELOW = [3 / 16, 5 / 16, 1 / 16];

function nearest(colors, red, green, blue) {
  let best = 0;
  let least = Infinity;
  for (let i = 0; i < colors.length; ++i) {
    const [r, g, b] = colors[i];
    const distance = (red - r) ** 2 + (green - g) ** 2 + (blue - b) ** 2;
    if (distance < least) [best, least] = [i, distance];
  }
  return best;
}

// Sets rows of indices, one after another. colors: [[red, green, blue], …], 0 … 255.
export class NearestColors {
  constructor(colors, width, isDiffused) {
    Object.assign(this, { colors, width, isDiffused });
    // Errors for the next row; a column more at each side.
    this.errors = new Float32Array((width + 2) * 3);
  }

  row(rgb, indices) {
    const next = new Float32Array(this.errors.length);
    const ahead = [0, 0, 0];
    const wanted = [0, 0, 0];
    for (let x = 0; x < this.width; ++x) {
      for (let c = 0; c < 3; ++c) {
        const value = rgb[3 * x + c] + this.errors[3 * (x + 1) + c] + ahead[c];
        wanted[c] = Math.max(0, Math.min(255, value));
      }
      const index = nearest(this.colors, ...wanted);
      indices[x] = index;
      if (!this.isDiffused) continue;
      for (let c = 0; c < 3; ++c) {
        const error = wanted[c] - this.colors[index][c];
        ahead[c] = error * FORWARD;
        for (let k = 0; k < 3; ++k) next[3 * (x + k) + c] += error * BELOW[k];
      }
    }
    this.errors = next;
  }
}
