// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simulated thermal prints, as in bench/prints.py: discs with soft edges, whose densities
// add up.

const FULL_DENSITY = 1.5;

// By dpi: diameter of a dot, and the width of its edge, in pitches.
export const THERMAL = { 203: [1.1, 0.1], 300: [1.15, 0.15] };

// The density that a dot at (dx, dy) adds to each part of a dot.
function discOf([diameter, edge], parts, dx, dy) {
  const density = new Float32Array(parts * parts);
  for (let row = 0, at = 0; row < parts; ++row) {
    for (let column = 0; column < parts; ++column) {
      const distance = Math.hypot(
        (row + 0.5) / parts - 0.5 - dy, (column + 0.5) / parts - 0.5 - dx);
      const t = Math.max(0, Math.min(1, (diameter / 2 - distance) / edge + 0.5));
      density[at++] = FULL_DENSITY * t * t * (3 - 2 * t);
    }
  }
  return density;
}

// By the nine dots around a place, one bit each: the light of each part.
function lightTable(printer, parts) {
  const size = parts * parts;
  const discs = [];
  for (let dy = -1; dy <= 1; ++dy) {
    for (let dx = -1; dx <= 1; ++dx) discs.push(discOf(printer, parts, dx, dy));
  }
  const table = new Float32Array(512 * size);
  for (let code = 0; code < 512; ++code) {
    for (let part = 0; part < size; ++part) {
      let density = 0;
      for (let i = 0; i < 9; ++i) if (code & (1 << i)) density += discs[i][part];
      table[code * size + part] = 10 ** -density;
    }
  }
  return table;
}

// The nine dots around one. Beside the page is paper.
function codeAt(page, x, y) {
  let code = 0;
  for (let i = 0; i < 9; ++i) {
    const row = y + Math.floor(i / 3) - 1;
    const column = x + (i % 3) - 1;
    if (row < 0 || column < 0 || row >= page.height || column >= page.width) continue;
    if (page.dots[row * page.width + column] === 0) code |= 1 << i;
  }
  return code;
}

// As laserLight. The rectangle must be on the page; cells are means of whole dots if
// `group` is `parts`, else single parts.
export function thermalLight(page, { x, y, width, height }, printer, parts, group) {
  const table = lightTable(printer, parts);
  const size = parts * parts;
  const cells = parts / group;
  const light = { width: width * cells, height: height * cells };
  light.data = new Float32Array(light.width * light.height);
  const share = 1 / (group * group);
  for (let row = 0; row < height; ++row) {
    for (let column = 0; column < width; ++column) {
      const from = codeAt(page, x + column, y + row) * size;
      for (let part = 0; part < size; ++part) {
        const down = Math.floor(Math.floor(part / parts) / group);
        const across = Math.floor((part % parts) / group);
        light.data[(row * cells + down) * light.width + column * cells + across] +=
          share * table[from + part];
      }
    }
  }
  return light;
}
