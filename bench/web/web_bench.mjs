// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Usage: HALFTONED_NPM=... HALFTONED_NATIVE_PAGES=... node web_bench.mjs
//
// Speed of the npm package beside that of the native SSSE3 engine with one
// thread, as a table, in megapixels per second: the least CPU time of
// interleaved runs. The module's contains copies in and out of its memory.

import {halftoned, nativeTime, random} from '../../tests/web/pages.mjs';

const TURNS = 4;
const CASES = [
  ['fine', 'halftone-type=fine', {type: 'fine'}],
  ['fine, 16 levels', 'halftone-type=fine levels=16', {type: 'fine', levels: 16}],
  ['best', 'halftone-type=best', {type: 'best'}],
  ['floyd-steinberg', 'halftone-type=floyd-steinberg', {type: 'floyd-steinberg'}],
  ['clustered', 'halftone-type=clustered', {type: 'clustered'}],
  ['jarvis', 'halftone-type=jarvis', {type: 'jarvis'}],
  ['blue-noise', 'halftone-type=blue-noise', {type: 'blue-noise'}],
  ['screen', 'halftone-type=screen dpi=600 dot-gain=0',
   {type: 'screen', resolution: 600, dotGain: 0}],
];

// A ramp with a little noise, as photographs have it.
function sample(next, i, width, noise) {
  return Math.floor(18 + i % width * 210 / width) + next(noise);
}

function fewest(times, work) {
  let least = Infinity;
  for (; times > 0; --times) {
    const begin = process.cpuUsage();
    work();
    const {user, system} = process.cpuUsage(begin);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

function report(name, pixels, native, module) {
  let [least, ours] = [Infinity, Infinity];
  for (let turn = 0; turn < TURNS; ++turn) {
    least = Math.min(least, native());
    ours = Math.min(ours, module());
  }
  const speed = time => Math.round(pixels / time / 1000);
  console.log(`| ${name} | ${speed(least)} | ${speed(ours)} | ${(least / ours).toFixed(2)} |`);
}

const engine = await halftoned.load();
const next = random(1);
const [width, height] = [4960, 1024];
const gray = Uint8Array.from({length: width * height}, (_, i) => sample(next, i, width, 16));
const [columns, rows] = [1600, 1200];
const rgb = Uint8Array.from(
    {length: 3 * columns * rows},
    (_, i) => sample(next, Math.floor(i / 3) * (1 + i % 3), columns, 16));

console.log('| | SSSE3, Mpx/s | WebAssembly, Mpx/s | ratio |\n|---|---:|---:|---:|');
for (const [name, settings, options] of CASES) {
  const times = name === 'best' ? 3 : 30;
  report(name, width * height,
         () => nativeTime('gray', 'ssse3', settings, width, '8', times, gray),
         () => fewest(times, () => engine.halftone(gray, width, height, options)));
}
for (const name of ['spectra6', 'gray16']) {
  report(name, columns * rows,
         () => nativeTime('palette', 'ssse3', name, columns, '', 6, rgb),
         () => fewest(6, () => engine.palette(rgb, columns, rows, name)));
}
