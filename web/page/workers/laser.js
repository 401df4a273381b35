// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simulated lasers, as in bench/paper/lasers.py, and the light that their prints reflect.
// A beam with a Gaussian spot exposes the page, line by line; lines are displaced by the
// facets of a mirror and by a gear. Toner develops along a sigmoid of the exposure. Paper
// scatters light between the toner that it passes on its way in and on its way out.
//
// Two things are simpler than there: the scattering kernel is a sum of three Gaussians,
// which differs by less than 0.4 % of the light at any frequency; and it is applied on
// the cells of the result, not on 1200 per inch.

// spot, scatter: micrometers. threshold, softness: of the exposure; 1 is a solid area's.
// loss: the share of its exposure that a lone dot of 1/600 inch loses. register: the
// largest displacement of a line, of 1/600 inch.
export const LASERS = {
  office: { spot: 17, threshold: 0.43, softness: 0.06, scatter: 38, loss: 0, register: 0.03 },
  worn: { spot: 25, threshold: 0.39, softness: 0.1, scatter: 65, loss: 0.1, register: 0.1 },
  crisp: { spot: 13, threshold: 0.48, softness: 0.045, scatter: 22, loss: 0.25, register: 0.05 },
  broad: { spot: 20, threshold: 0.41, softness: 0.07, scatter: 50, loss: 0.05, register: 0.1 },
};

export const DENSITY = 1.5; // of solid black
const FACETS = [0.6, -1, 0.2, 0.8, -0.4, -0.2];
const GEAR_MM = 1.1;
const DOT = 25400 / 600; // micrometers
const TONER_STEPS = 8192;
const MOST_EXPOSURE = 1.5;
// exp(-distance / scatter): weights, and standard deviations relative to scatter.
const SCATTERING = [
  [0.10151277, 0.50167342],
  [0.48101891, 1.20401454],
  [0.41746832, 2.28869665],
];

// Abramowitz and Stegun 7.1.26.
function erf(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 +
      t * (-1.453152027 + t * 1.061405429))));
  const value = 1 - tail * Math.exp(-x * x);
  return x < 0 ? -value : value;
}

const below = (distance, deviation) => 0.5 + 0.5 * erf(distance / (deviation * Math.SQRT2));

const shiftOf = (laser, row, dpi) => {
  const facet = FACETS[((row % 6) + 6) % 6];
  const gear = Math.sin((2 * Math.PI * row * 25.4) / dpi / GEAR_MM);
  return laser.register * DOT * (0.6 * facet + 0.4 * gear);
};

// What a part of a row takes from the rows (or columns) around it.
function weightsOf(spot, pitch, parts, reach, shifts) {
  const weights = new Float32Array(parts * (2 * reach + 1));
  for (let part = 0, at = 0; part < parts; ++part) {
    const place = ((part + 0.5) / parts - 0.5) * pitch;
    for (let tap = -reach; tap <= reach; ++tap) {
      const away = place - tap * pitch - shifts(tap);
      weights[at++] = below(away + pitch / 2, spot) - below(away - pitch / 2, spot);
    }
  }
  return weights;
}

// By exposure: how much light passes the toner once.
function passingTable(laser) {
  const toner = (exposure) => 1 / (1 + Math.exp((laser.threshold - exposure) / laser.softness));
  const table = new Float32Array(TONER_STEPS + 1);
  for (let i = 0; i <= TONER_STEPS; ++i) {
    const exposure = (i / TONER_STEPS) * MOST_EXPOSURE;
    const developed = (toner(exposure) - toner(0)) / (toner(1) - toner(0));
    table[i] = Math.exp((-DENSITY / 2) * Math.LN10 * developed);
  }
  return table;
}

// A number in 0 … 1 for each dot, always the same.
function chance(x, y) {
  let hash = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca77);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) / 4294967296;
}

const clamp = (value, least, most) => Math.max(least, Math.min(most, value));

// 1 where dots are black. Beside the page, its edge goes on.
function inkOf(page, x0, y0, width, height) {
  const ink = new Float32Array(width * height);
  for (let y = 0, at = 0; y < height; ++y) {
    const row = clamp(y0 + y, 0, page.height - 1) * page.width;
    for (let x = 0; x < width; ++x, ++at) {
      ink[at] = page.dots[row + clamp(x0 + x, 0, page.width - 1)] === 0 ? 1 : 0;
    }
  }
  return ink;
}

// The dots of a square around each, of 3 x 3 at 600 dpi, by two passes.
function squares(ink, width, height, near) {
  const sums = new Float32Array(width * height);
  const rows = new Float32Array(width * height);
  for (let y = near; y < height - near; ++y) {
    for (let x = 0; x < width; ++x) {
      for (let k = -near; k <= near; ++k) rows[y * width + x] += ink[(y + k) * width + x];
    }
    for (let x = near; x < width - near; ++x) {
      for (let k = -near; k <= near; ++k) sums[y * width + x] += rows[y * width + x + k];
    }
  }
  return sums;
}

// Takes from lone dots what they lose. The outermost `near` dots must not matter.
function loseLoneDots(ink, page, x0, y0, width, height, laser) {
  const near = Math.round(page.dpi / 600);
  const sums = squares(ink, width, height, near);
  const scale = (600 / page.dpi) ** 2;
  for (let y = near; y < height - near; ++y) {
    for (let x = near; x < width - near; ++x) {
      const at = y * width + x;
      if (ink[at] === 0) continue;
      const alone = clamp((2.5 - sums[at] * scale) / 1.5, 0, 1);
      const differs = 0.5 + (page.chance ?? chance)(
        clamp(x0 + x, 0, page.width - 1), clamp(y0 + y, 0, page.height - 1));
      ink[at] *= 1 - laser.loss * alone * differs;
    }
  }
}

// Sideways: a row of exposure for each row of ink.
function exposeAcross(ink, stride, margin, width, height, weights, parts, reach) {
  const taps = 2 * reach + 1;
  const wide = new Float32Array(height * width * parts);
  for (let y = 0, to = 0; y < height; ++y) {
    const row = y * stride + margin - reach;
    for (let x = 0; x < width; ++x) {
      for (let part = 0, w = 0; part < parts; ++part) {
        let sum = 0;
        for (let k = 0; k < taps; ++k) sum += weights[w++] * ink[row + x + k];
        wide[to++] = sum;
      }
    }
  }
  return wide;
}

// Downwards, and then the toner.
function passDown(wide, columns, rows, firstRow, page, laser, parts, reach) {
  const taps = 2 * reach + 1;
  const pitch = 25400 / page.dpi;
  const table = passingTable(laser);
  const scale = TONER_STEPS / MOST_EXPOSURE;
  const passing = new Float32Array(rows * parts * columns);
  const sums = new Float32Array(columns);
  for (let y = 0, to = 0; y < rows; ++y) {
    const shifts = (tap) =>
      shiftOf(laser, clamp(firstRow + y + tap, 0, page.height - 1), page.dpi);
    const weights = weightsOf(laser.spot, pitch, parts, reach, shifts);
    for (let part = 0; part < parts; ++part) {
      sums.fill(0);
      for (let k = 0; k < taps; ++k) {
        const weight = weights[part * taps + k];
        const from = (y + k) * columns;
        for (let x = 0; x < columns; ++x) sums[x] += weight * wide[from + x];
      }
      for (let x = 0; x < columns; ++x) {
        passing[to++] = table[Math.min(TONER_STEPS, (sums[x] * scale + 0.5) | 0)];
      }
    }
  }
  return passing;
}

// How much light passes the toner of these dots once, by parts of each dot.
function passingOf(page, x0, y0, width, height, laser, parts) {
  const pitch = 25400 / page.dpi;
  const reach = Math.ceil((3 * laser.spot) / pitch + 0.5);
  const margin = reach + Math.round(page.dpi / 600);
  const stride = width + 2 * margin;
  const high = height + 2 * margin;
  const ink = inkOf(page, x0 - margin, y0 - margin, stride, high);
  if (laser.loss) loseLoneDots(ink, page, x0 - margin, y0 - margin, stride, high, laser);
  const across = weightsOf(laser.spot, pitch, parts, reach, () => 0);
  const rows = ink.subarray((margin - reach) * stride);
  const wide = exposeAcross(rows, stride, margin, width, height + 2 * reach, across, parts, reach);
  return passDown(wide, width * parts, height, y0, page, laser, parts, reach);
}

// Means of times x times.
function coarser(image, width, height, times) {
  if (times === 1) return image;
  const columns = Math.floor(width / times);
  const rows = Math.floor(height / times);
  const means = new Float32Array(columns * rows);
  for (let y = 0; y < rows * times; ++y) {
    const to = Math.floor(y / times) * columns;
    for (let x = 0; x < columns * times; ++x) {
      means[to + Math.floor(x / times)] += image[y * width + x];
    }
  }
  const share = 1 / (times * times);
  for (let i = 0; i < means.length; ++i) means[i] *= share;
  return means;
}

// Adds a Gaussian blur to `sums`; at the edges, what is missing counts as the nearest.
function addBlurred(image, width, height, sigma, share, sums) {
  const reach = Math.max(1, Math.ceil(3 * sigma));
  const weights = new Float32Array(2 * reach + 1);
  for (let k = -reach; k <= reach; ++k) {
    weights[k + reach] = below(k + 0.5, sigma) - below(k - 0.5, sigma);
  }
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const row = new Float32Array(width + 2 * reach);
  const across = new Float32Array(width * height);
  for (let y = 0; y < height; ++y) {
    row.fill(image[y * width], 0, reach);
    row.set(image.subarray(y * width, (y + 1) * width), reach);
    row.fill(image[(y + 1) * width - 1], reach + width);
    for (let x = 0; x < width; ++x) {
      let sum = 0;
      for (let k = 0; k <= 2 * reach; ++k) sum += weights[k] * row[x + k];
      across[y * width + x] = sum;
    }
  }
  for (let y = 0; y < height; ++y) {
    for (let k = -reach; k <= reach; ++k) {
      const from = clamp(y + k, 0, height - 1) * width;
      const weight = (share * weights[k + reach]) / (total * total);
      for (let x = 0; x < width; ++x) sums[y * width + x] += weight * across[from + x];
    }
  }
}

// The dots around a rectangle that its light depends on.
export const laserMargin = (laser, dpi) => Math.ceil((6 * laser.scatter) / (25400 / dpi) / 2) * 2;

// The light, 0 … 1, that the print of a rectangle of dots reflects; 1 is paper.
// page: {dots (0 is black), width, height, dpi}; the rectangle may exceed it. parts: of a
// dot each way, in which toner is computed. group: of parts each way, whose mean is a
// cell of the result; x, y, width and height times parts must be whole numbers of cells.
export function laserLight(page, { x, y, width, height }, laser, parts, group) {
  const margin = laserMargin(laser, page.dpi);
  const across = (width + 2 * margin) * parts;
  const down = (height + 2 * margin) * parts;
  const fine = passingOf(page, x - margin, y - margin, width + 2 * margin,
    height + 2 * margin, laser, parts);
  const passing = coarser(fine, across, down, group);
  const columns = across / group;
  const rows = down / group;
  const scattered = new Float32Array(columns * rows);
  const perCell = (page.dpi * parts) / group / 25400;
  for (const [share, deviation] of SCATTERING) {
    addBlurred(passing, columns, rows, deviation * laser.scatter * perCell, share, scattered);
  }
  const edge = (margin * parts) / group;
  const light = { width: columns - 2 * edge, height: rows - 2 * edge };
  light.data = new Float32Array(light.width * light.height);
  for (let row = 0, to = 0; row < light.height; ++row) {
    for (let column = 0, at = (row + edge) * columns + edge; column < light.width; ++column) {
      light.data[to++] = passing[at] * scattered[at++];
    }
  }
  return light;
}
