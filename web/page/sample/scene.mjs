// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sample: a still life of balls between a sky and a table, traced ray by ray. All of
// it is computed here, so it belongs to nobody else.

export const WIDTH = 1440;
export const HEIGHT = 1080;

const ASPECT = WIDTH / HEIGHT;
const EYE = [0, 1.15, -5.6];
const SUN = normal([-0.55, 0.72, -0.42]);
const DEPTH = 2; // reflections

// center, radius, color (linear light), how much it mirrors.
const BALLS = [
  [[0.05, 1.02, 1.2], 1.02, [0.95, 0.95, 0.95], 0.86],
  [[-1.78, 0.78, 0.35], 0.78, [0.8, 0.09, 0.05], 0.1],
  [[1.72, 0.7, 0.2], 0.7, [0.04, 0.2, 0.62], 0.12],
  [[-0.72, 0.42, -1.15], 0.42, [0.9, 0.62, 0.05], 0.08],
  [[0.62, 0.36, -1.35], 0.36, [0.9, 0.88, 0.82], 0.06],
  [[1.5, 0.26, -1.6], 0.26, [0.03, 0.3, 0.13], 0.1],
];

function normal([x, y, z]) {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const along = (from, way, distance) => from.map((at, i) => at + way[i] * distance);
const mix = (a, b, part) => a.map((value, i) => value + (b[i] - value) * part);
const smooth = (t) => t * t * (3 - 2 * t);
const step = (least, most, x) => smooth(Math.max(0, Math.min(1, (x - least) / (most - least))));

function cell(x, y) {
  let hash = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return ((hash ^ (hash >>> 13)) >>> 0) / 4294967296;
}

function noise(x, y) {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [across, down] = [smooth(x - left), smooth(y - top)];
  const above = cell(left, top) * (1 - across) + cell(left + 1, top) * across;
  const below = cell(left, top + 1) * (1 - across) + cell(left + 1, top + 1) * across;
  return above * (1 - down) + below * down;
}

function clouds(x, y, octaves) {
  let sum = 0;
  for (let i = 0, share = 0.5; i < octaves; ++i, share /= 2) {
    sum += share * noise(x * 2 ** i + 17 * i, y * 2 ** i);
  }
  return sum;
}

function sky(way) {
  const height = Math.max(0, way[1]);
  const base = mix([0.85, 0.66, 0.48], [0.1, 0.25, 0.55], step(0, 0.5, height));
  const far = 1 / (height + 0.12);
  const cover = step(0.42, 0.72, clouds(way[0] * far * 0.9 + 3, way[2] * far * 0.9, 6));
  const glow = Math.max(0, dot(way, SUN)) ** 64;
  return mix(base, [0.95, 0.92, 0.9], cover * 0.85 * step(0.02, 0.2, height))
    .map((light) => light + glow);
}

// Boards with grain.
function table([x, , z]) {
  const board = Math.floor(z / 0.62);
  const grain = clouds(x * 0.9 + board * 7.3, z * 14, 5);
  const tone = 0.75 + 0.4 * cell(board, 3) - 0.45 * grain;
  const gap = Math.abs(z / 0.62 - board - 0.5) > 0.488 ? 0.35 : 1;
  return [0.5, 0.3, 0.17].map((light) => light * tone * gap);
}

// The distance at which a ray meets a ball, or Infinity.
function meets(from, way, [center, radius]) {
  const [x, y, z] = [from[0] - center[0], from[1] - center[1], from[2] - center[2]];
  const half = x * way[0] + y * way[1] + z * way[2];
  const inside = half * half - (x * x + y * y + z * z - radius * radius);
  if (inside < 0) return Infinity;
  const near = -half - Math.sqrt(inside);
  return near > 1e-4 ? near : Infinity;
}

function nearest(from, way) {
  let found = { distance: way[1] < -1e-4 ? -from[1] / way[1] : Infinity };
  for (const ball of BALLS) {
    const distance = meets(from, way, ball);
    if (distance < found.distance) found = { distance, ball };
  }
  return found;
}

// How much of the sun, which is wide, a place sees; and of the sky.
function sunAt(place) {
  let least = 1;
  for (const [center, radius] of BALLS) {
    const to = center.map((at, i) => at - place[i]);
    const ahead = dot(to, SUN);
    if (ahead <= 0) continue;
    const beside = Math.sqrt(Math.max(0, dot(to, to) - ahead * ahead));
    least = Math.min(least, step(-0.09, 0.09, (beside - radius) / Math.max(ahead, 0.3)));
  }
  return least;
}

function skyAt(place, up) {
  let open = 1;
  for (const [center, radius] of BALLS) {
    const to = center.map((at, i) => at - place[i]);
    const far = Math.hypot(...to);
    if (far <= radius * 1.001) continue;
    open *= 1 - Math.max(0, dot(to, up) / far) * (radius / far) ** 2;
  }
  return open;
}

function lit(place, up, color) {
  const sun = Math.max(0, dot(up, SUN)) * sunAt(place);
  const open = skyAt(place, up) * (0.6 + 0.4 * up[1]);
  const light = [1.15 * sun + 0.3 * open, 1.05 * sun + 0.33 * open, 0.92 * sun + 0.4 * open];
  return color.map((share, i) => share * light[i]);
}

function reflected(way, up) {
  const twice = 2 * dot(way, up);
  return way.map((at, i) => at - twice * up[i]);
}

function trace(from, way, depth) {
  const { distance, ball } = nearest(from, way);
  if (distance === Infinity) return sky(way);
  const place = along(from, way, distance);
  const up = ball ? normal(place.map((at, i) => at - ball[0][i])) : [0, 1, 0];
  const mirror = reflected(way, up);
  let light = lit(place, up, ball ? ball[2] : table(place));
  if (!ball) light = mix(light, sky([way[0], 0.02, way[2]]), step(9, 40, distance));
  const shares = ball ? ball[3] : 0.03;
  const share = shares + (1 - shares) * (ball ? 0.7 : 0.35) * (1 + dot(way, up)) ** 5;
  if (depth > 0) light = mix(light, trace(place, mirror, depth - 1), share);
  const shine = ball ? Math.max(0, dot(mirror, SUN)) ** 260 * sunAt(place) : 0;
  return light.map((each) => each + 2.2 * shine);
}

const coded = (light) => {
  const clipped = Math.min(1, light);
  return 255 * (clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055);
};

// Draws rows of RGBA. Each pixel is the mean of four rays.
export function drawRows(rgba, first, rows) {
  for (let y = first, to = 4 * first * WIDTH; y < first + rows; ++y) {
    for (let x = 0; x < WIDTH; ++x, to += 4) {
      const sum = [0, 0, 0];
      for (let ray = 0; ray < 4; ++ray) {
        const across = ((x + 0.25 + (ray & 1) / 2) / WIDTH - 0.5) * ASPECT;
        const down = 0.5 - (y + 0.25 + (ray >> 1) / 2) / HEIGHT;
        const light = trace(EYE, normal([across, down - 0.07, 1.28]), DEPTH);
        for (let c = 0; c < 3; ++c) sum[c] += Math.min(1, light[c]) / 4;
      }
      for (let c = 0; c < 3; ++c) rgba[to + c] = coded(sum[c]) + 0.5;
      rgba[to + 3] = 255;
    }
  }
}
