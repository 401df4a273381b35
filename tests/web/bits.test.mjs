// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The module gives the bits of the native engine.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {grayPage, halftoned, nativeGray, nativePalette, pixelPage, random} from './pages.mjs';

const engine = await halftoned.load();

function assertSame(actual, expected, what) {
  if (Buffer.compare(actual, expected) === 0) return;
  const at = actual.findIndex((byte, i) => byte !== expected[i]);
  assert.fail(`${what}: ${actual.length} bytes, expected ${expected.length}; ` +
              `the first difference is at ${at}`);
}

function optionsText(options) {
  return Object.entries(options)
      .map(([key, value]) => {
        const name = {type: 'halftone-type', resolution: 'dpi'}[key] ?? key;
        return `${name.replace(/[A-Z]/g, c => '-' + c.toLowerCase())}=${value}`;
      })
      .join(',');
}

// Options that a type has, each with its values.
function optionsOf(type, next) {
  const pick = (...values) => values[next(values.length)];
  const options = {type: type.name, textEdges: pick('off', 'off', 'crisp', 'soft')};
  if (type.levels) options.levels = pick(2, 2, 4, 8, 16);
  if (next(2)) options.resolution = pick(203, 600, '1200x600');
  if (next(2)) options.dotGain = next(45);
  if (next(3) === 0) options.gamma = pick(0.5, 1.8);
  if (next(3) === 0) options.tonerSave = 20;
  if (options.levels === 2 && (type.name === 'fine' || type.name === 'best')) {
    options.printFeedback = pick(0, 100, 37);
  }
  if (type.name === 'clustered') options.clusterSize = 2 + next(6);
  return options;
}

for (const type of engine.types) {
  test(`${type.name} has the native bits`, () => {
    const next = random(type.name.length * 1000 + type.version);
    for (let page = 0; page < 24; ++page) {
      const width = page < 2 ? page + 1 : 1 + next(page < 20 ? 500 : 3000);
      const height = 1 + next(page < 20 ? 120 : 400);
      const gray = grayPage(next(1 << 30), width, height, page % 3 === 0);
      const options = optionsOf(type, next);
      const actual = engine.halftone(gray, width, height, options);
      assert.equal(actual.engine, 'wasm');
      assertSame(actual.data, nativeGray(gray, width, optionsText(options)),
                 `${width} × ${height}, ${optionsText(options)}`);
    }
  });
}

test('the engine `scalar` gives the same bits as `wasm`', () => {
  const next = random(5);
  for (const type of engine.types) {
    const [width, height] = [1 + next(300), 1 + next(100)];
    const gray = grayPage(next(1 << 30), width, height);
    const [wasm, scalar] = ['wasm', 'scalar'].map(
        name => engine.halftone(gray, width, height,
                                {type: type.name, engine: name}));
    assert.equal(scalar.engine, 'scalar');
    assertSame(wasm.data, scalar.data, type.name);
  }
});

test('palettes have the native indices', () => {
  const next = random(7);
  const lists = ['#000000 #ffffff', 'spectra6,tone-compression=30',
                 '#0a070e=#000000,#adb2ae=#ffffff,#55180e=#ff0000'];
  for (const name of [...engine.palettes.map(each => each.name), ...lists]) {
    for (const size of [1, 40, 900]) {
      const [width, height] = [1 + next(size), 1 + next(size / 4)];
      const rgb = pixelPage(next(1 << 30), width, height);
      for (const by of ['wasm', 'scalar']) {
        assertSame(engine.palette(rgb, width, height, name, {engine: by}).data,
                   nativePalette(rgb, width, name), `${name} by ${by}`);
      }
    }
  }
});

test('rows in any portions have the bits of the whole page', () => {
  const next = random(11);
  const [width, height] = [777, 400];
  const gray = grayPage(3, width, height);
  for (const type of ['fine', 'best', 'screen', 'stucki']) {
    for (const textEdges of ['off', 'barcode']) {
      const options = {type, textEdges, rowsPerBand: 1 + next(200)};
      const rows = engine.rows(width, options);
      const pieces = [];
      for (let row = 0, end; row < height; row = end) {
        end = Math.min(height, row + next(60));
        pieces.push(rows.put(gray.subarray(row * width, end * width)));
      }
      pieces.push(rows.end());
      assertSame(Buffer.concat(pieces),
                 engine.halftone(gray, width, height, {type, textEdges}).data, type);
    }
  }
  const rgba = pixelPage(4, width, height, 4);
  const rows = engine.paletteRows(width, 'acep7', {channels: 4});
  const half = 4 * width * 123;
  assertSame(Buffer.concat([rows.put(rgba.subarray(0, half)),
                            rows.put(rgba.subarray(half)), rows.end()]),
             engine.palette(rgba, width, height, 'acep7').data, 'acep7');
});

test('a measured curve replaces the dot gain', () => {
  const points = [[0, 0], [100, 130], [255, 255]];
  const text = points.map(pair => pair.join(' ')).join('\n');
  const curved = engine.tone({toneCurve: points});
  assert.deepEqual(curved, engine.tone({toneCurve: text}));
  assert.equal(curved[100], 130 * 16);
  assert.deepEqual([...engine.tone()].slice(0, 3), [0, 16, 32]);
});

test('transparent pixels lie on white', () => {
  const rgba = Uint8Array.of(10, 20, 30, 0, 10, 20, 30, 255, 0, 0, 0, 128, 255, 0, 0, 255);
  const gray = engine.gray(rgba, 4, 1);
  assert.equal(gray[0], 255);
  assert.equal(gray[2], 127);
  // Opaque pixels are those of three channels.
  const rgb = pixelPage(9, 64, 20);
  const opaque = new Uint8Array(64 * 20 * 4).fill(255);
  for (let i = 0; i < rgb.length; ++i) opaque[i + Math.floor(i / 3)] = rgb[i];
  assertSame(engine.palette(opaque, 64, 20, 'spectra6').data,
             engine.palette(rgb, 64, 20, 'spectra6').data, 'rgba');
});

test('rgba shows samples and colors', () => {
  const page = {width: 3, height: 2, stride: 2, bitsPerSample: 4,
                data: Uint8Array.of(0x0f, 0x80, 0xf0, 0x10)};
  const grays = [...halftoned.rgba(page)].filter((_, i) => i % 4 === 0);
  assert.deepEqual(grays, [0, 255, 136, 255, 0, 17]);
  const panel = {width: 2, height: 1, data: Uint8Array.of(1, 0),
                 colors: [{measured: '#010203', sent: '#000000'},
                          {measured: '#a0b0c0', sent: '#ffffff'}]};
  assert.deepEqual([...halftoned.rgba(panel)],
                   [0xa0, 0xb0, 0xc0, 255, 1, 2, 3, 255]);
  assert.deepEqual([...halftoned.rgba(panel, 'sent')],
                   [255, 255, 255, 255, 0, 0, 0, 255]);
});
