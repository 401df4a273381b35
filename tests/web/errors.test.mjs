// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bad input is an error in one line, memory is freed, and the module lives on.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {grayPage, halftoned, pixelPage} from './pages.mjs';

const {HalftoneError, load} = halftoned;
const engine = await load();
const gray = grayPage(1, 64, 48);
const rgb = pixelPage(2, 64, 48);

function assertRefused(work, code, words) {
  assert.throws(work, error => {
    assert.ok(error instanceof HalftoneError, `${error.name}: ${error.message}`);
    assert.equal(error.code, code);
    assert.match(error.message, words);
    assert.doesNotMatch(error.message, /\n|\.$/);
    return true;
  });
}

test('values that the library refuses have its line', () => {
  const refused = [
    [{type: 'fien'}, /did you mean 'fine'/],
    [{type: ''}, /not one value/],
    [{type: 'fine,levels=4'}, /not one value/],
    [{type: 'fine levels=4'}, /not one value/],
    [{type: 'fine\0'}, /null character/],
    [{dotGain: 46}, /from 0 to 45/],
    [{dotGain: NaN}, /from 0 to 45/],
    [{dotGain: -Infinity}, /from 0 to 45/],
    [{dotGain: '20,5'}, /point for decimals/],
    [{dotGain: '0x10'}, /from 0 to 45/],
    [{levels: 3}, /2, 4, 8 or 16/],
    [{levels: 4, type: 'bi-level'}, /level/],
    [{resolution: 0}, /from 1 to 19200/],
    [{resolution: [600, 1e9]}, /from 1 to 19200/],
    [{gamma: 1e300}, /from 0.1 to 10/],
    [{nothing: 1}, /unknown option 'nothing'/],
    [{__proto__: null, 'tone-curve': '/etc/passwd'}, /unknown option 'tone-curve'/],
    [{toneCurve: '0 0\n255 x'}, /tone curve/],
    [{toneCurve: []}, /tone curve/],
    [{engine: 'avx2'}, /no engine is called 'avx2'/],
  ];
  for (const [options, words] of refused) {
    assertRefused(() => engine.halftone(gray, 64, 48, options), 'BAD_INPUT', words);
  }
  for (const options of [{nothing: 1}, {channels: 3}, {type: 'fine'}]) {
    assertRefused(() => engine.palette(rgb, 64, 48, 'bw', options), 'BAD_INPUT',
                  /unknown option '(nothing|channels|type)'/);
  }
  assertRefused(() => engine.paletteRows(64, 'bw', {chanels: 4}), 'BAD_INPUT',
                /unknown option 'chanels'/);
  for (const palette of ['', 'nothing', '#000000', '#000000 #000000', '#00000g #ffffff',
                         Array(17).fill('#000000'), []]) {
    assertRefused(() => engine.palette(rgb, 64, 48, palette), 'BAD_INPUT', /palette/);
  }
});

test('sizes must fit the pixels', () => {
  for (const [width, height] of [[64, 47], [63, 48], [0, 48], [1 << 30, 1 << 30],
                                 [-64, -48], [2 ** 31, 1], [2 ** 53, 0]]) {
    assertRefused(() => engine.halftone(gray, width, height), 'BAD_INPUT', /./);
    assertRefused(() => engine.palette(rgb, width, height, 'bw'), 'BAD_INPUT', /./);
    assertRefused(() => engine.gray(rgb, width, height), 'BAD_INPUT', /./);
  }
  const none = new Uint8Array(0);
  assert.equal(engine.halftone(none, 64, 0).data.length, 0);
  assert.equal(engine.palette(none, 64, 0, 'bw').data.length, 0);
  assertRefused(() => engine.halftone(none, 0, 0), 'BAD_INPUT', /width/);
  assertRefused(() => engine.palette(none, 0, 0, 'bw'), 'BAD_INPUT', /width/);
  assertRefused(() => engine.rows(262145), 'BAD_INPUT', /262144/);
  assertRefused(() => engine.rows(64, {rowsPerBand: 1 << 30}), 'BAD_INPUT', /./);
  assertRefused(() => engine.rows(64, {bitsPerInput: 12}), 'BAD_INPUT', /12/);
  assertRefused(() => engine.paletteRows(64, 'bw', {channels: 2}), 'BAD_INPUT', /2/);
});

test('arguments of wrong types are type errors', () => {
  const wrong = [
    () => engine.halftone([1, 2, 3], 3, 1),
    () => engine.halftone(new Float32Array(64 * 48), 64, 48),
    () => engine.halftone(gray, '64', 48),
    () => engine.halftone(gray, 64.5, 48),
    () => engine.halftone(gray, 64, 48, null),
    () => engine.halftone(gray, 64, 48, 'type=fine'),
    () => engine.halftone(gray, 64, 48, {type: {}}),
    () => engine.halftone(gray, 64, 48, {dotGain: null}),
    () => engine.halftone(gray, 64, 48, {toneCurve: 7}),
    () => engine.palette(rgb, 64, 48, 7),
    () => engine.palette(rgb, 64, 48, [7]),
    () => engine.palette(rgb, 64, 48, [{sent: '#000000'}]),
    () => engine.palette(new Uint16Array(rgb), 64, 48, 'bw'),
    () => engine.gray(new Uint16Array(4), 1, 1),
    () => engine.rows(64).put(new Uint16Array(64)),
    () => engine.rows(64, {bitsPerInput: 16}).put(new Uint8Array(64)),
  ];
  for (const work of wrong) assert.throws(work, TypeError, work.toString());
});

test('a page that has ended is refused, and freeing it again is not', () => {
  for (const rows of [engine.rows(64), engine.paletteRows(64, 'bw')]) {
    rows.end();
    rows.free();
    assertRefused(() => rows.put(new Uint8Array(0)), 'BUG', /ended/);
    assertRefused(() => rows.end(), 'BUG', /ended/);
  }
  const rows = engine.rows(64);
  assertRefused(() => rows.put(gray.subarray(1)), 'BAD_INPUT', /whole rows/);
});

// Growth of the module's memory, in pages of 64 KiB, while `work` runs.
async function growthOf(work) {
  const {instantiate} = WebAssembly;
  let memory;
  WebAssembly.instantiate = async (...args) => {
    const instance = await instantiate(...args);
    memory = instance.exports.memory;
    return instance;
  };
  try {
    const fresh = await load();
    work(fresh);
    const before = memory.buffer.byteLength;
    for (let i = 0; i < 1000; ++i) work(fresh);
    return (memory.buffer.byteLength - before) / 65536;
  } finally {
    WebAssembly.instantiate = instantiate;
  }
}

test('1,000 calls of each kind do not grow the memory', async () => {
  const rgba = pixelPage(5, 64, 48, 4);
  const works = {
    halftone: each => each.halftone(gray, 64, 48, {type: 'fine', textEdges: 'soft'}),
    best: each => each.halftone(gray.subarray(0, 64 * 8), 64, 8, {type: 'best'}),
    palette: each => each.palette(rgba, 64, 48, 'spectra6'),
    gray: each => each.gray(rgba, 64, 48),
    tone: each => each.tone({dotGain: 20}),
    abandoned: each => each.rows(64).free(),
    refused: each => assert.throws(() => each.halftone(gray, 64, 48, {type: 'x'})),
    lost: each => assert.throws(() => each.rows(64).put(gray.subarray(1))),
    'palette refused': each => assert.throws(() => each.paletteRows(64, '#x')),
  };
  for (const [name, work] of Object.entries(works)) {
    assert.equal(await growthOf(work), 0, name);
  }
});

test('a module without memory says so, and goes on when there is some', async () => {
  const pages = [];
  const fresh = await load();
  assertRefused(() => {
    for (;;) {
      pages.push(fresh.rows(262144, {type: 'best', rowsPerBand: 4096}));
      pages.at(-1).put(new Uint8Array(262144));
    }
  }, 'UNAVAILABLE', /out of memory/);
  assert.ok(pages.length > 1);
  for (const page of pages) page.free();
  assert.deepEqual(fresh.halftone(gray, 64, 48).data,
                   engine.halftone(gray, 64, 48).data);
});
