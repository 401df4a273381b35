// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The golden pages of a second implementation (tests/golden/methods.py), as far
// as options can name their recipes. Others say that pixels are pure, or have a
// screen's cells; bits.test.mjs compares such pages with the native engine.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {halftoned} from './pages.mjs';

const folder = fileURLToPath(new URL('../golden/pages', import.meta.url));
const engine = await halftoned.load();

// The little of PNM that the files use: no comments, raw samples.
function readPnm(name) {
  const bytes = fs.readFileSync(path.join(folder, name));
  const form = bytes[1] === '4'.charCodeAt(0) ? /^P4\s(\d+)\s(\d+)\s/
                                              : /^P5\s(\d+)\s(\d+)\s(\d+)\s/;
  const [header, width, height, max = 1] = bytes.toString('latin1').match(form);
  return {width: Number(width), height: Number(height), max: Number(max),
          raster: bytes.subarray(header.length)};
}

// The options of a recipe; none if options cannot name it.
function optionsOf([levels, gamma, type, isPure, ...parameters]) {
  if (isPure !== '0') return undefined;
  const options = {type, levels, gamma};
  const numbers = parameters.map(Number);
  if (numbers.length === 0) return options;
  if (type === 'clustered') return {...options, clusterSize: numbers[0]};
  if (type === 'fine' || type === 'best') {
    return {...options, printFeedback: numbers[1] * 100 / 256};
  }
  if (type === 'screen') return undefined;
  return {...options, minRun: numbers.at(-1) + 1};
}

function grayOf({max, raster}) {
  if (max < 256) return new Uint8Array(raster);
  return Uint16Array.from({length: raster.length / 2},
                          (_, i) => raster.readUInt16BE(2 * i));
}

// A byte per sample: the index of its level of `max` + 1.
function samplesOf({width, height, max, raster}) {
  if (max > 1) return Uint8Array.from(raster);
  const stride = Math.ceil(width / 8);
  // PBM has 1 for black.
  return Uint8Array.from({length: width * height}, (_, i) => {
    const column = i % width;
    const byte = raster[Math.floor(i / width) * stride + (column >> 3)];
    return 1 - (byte >> 7 - column % 8 & 1);
  });
}

function unpacked({width, height, stride, bitsPerSample, data}) {
  const perByte = 8 / bitsPerSample;
  return Uint8Array.from({length: width * height}, (_, i) => {
    const column = i % width;
    const byte = data[Math.floor(i / width) * stride + Math.floor(column / perByte)];
    return byte >> 8 - bitsPerSample * (column % perByte + 1) & (1 << bitsPerSample) - 1;
  });
}

test('golden pages have their bits', () => {
  const lines = fs.readFileSync(path.join(folder, 'pages.txt'), 'utf8').trim().split('\n');
  let compared = 0;
  for (const line of lines.filter(each => !each.startsWith('#'))) {
    const [name, ...recipe] = line.split(' ');
    const options = optionsOf(recipe);
    if (!options) continue;
    const page = readPnm(`${name}.pgm`);
    const isBilevel = recipe[0] === '2';
    const expected = readPnm(`${name}.expected.${isBilevel ? 'pbm' : 'pgm'}`);
    for (const by of ['wasm', 'scalar']) {
      const actual = unpacked(engine.halftone(
          grayOf(page), page.width, page.height, {...options, engine: by}));
      const white = isBilevel ? 1 : recipe[0] === '4' ? 3 : 15;
      const wanted = samplesOf(expected).map(
          sample => Math.round(sample * white / expected.max));
      assert.deepEqual(Buffer.from(actual), Buffer.from(wanted), `${name} by ${by}`);
    }
    ++compared;
  }
  assert.ok(compared >= 45, `only ${compared} pages`);
});
