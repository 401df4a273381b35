// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is in the package: its size, its files, and types that name what it
// exports.

import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {test} from 'node:test';
import zlib from 'node:zlib';

import {folder, halftoned} from './pages.mjs';

// Debian 12's Emscripten leaves it below 300 kB; the library of Debian 13's contains
// 100 kB of tables for numbers.
const LIMIT = 360_000;

function read(name) {
  return fs.readFileSync(path.join(folder, name));
}

test('the code is below 360 kB, gzipped', () => {
  const names = fs.readdirSync(folder).filter(name => /\.(mjs|wasm)$/.test(name));
  const sizes = names.map(name => zlib.gzipSync(read(name), {level: 9}).length);
  const all = sizes.reduce((sum, size) => sum + size);
  assert.ok(all < LIMIT, `${all} bytes`);
});

test('the module asks its host for nothing but memory and a clock', async () => {
  const module = await WebAssembly.compile(read('halftoned.wasm'));
  const names = WebAssembly.Module.imports(module).map(each => each.name);
  // Not all versions of Emscripten need proc_exit.
  const allowed = ['clock_time_get', 'emscripten_notify_memory_growth', 'proc_exit'];
  assert.deepEqual(names.filter(name => !allowed.includes(name)), []);
});

// The names of an interface's members, with those of the interfaces it extends.
function membersOf(types, name) {
  const [, parents = '', body] = types.match(
      new RegExp(`export (?:interface|class) ${name}(?: extends ([^{]+))? ` +
                 '\\{(\\}|\\n[^]*?\\n\\})'));
  const own = [...body.matchAll(/^ {2}(?:readonly )?(\w+)[?(:]/gm)].map(each => each[1]);
  const inherited = parents.split(',').map(each => each.replace(/Readonly<|>/g, '').trim());
  return [...own, ...inherited.filter(each => types.includes(`interface ${each} `))
                      .flatMap(each => membersOf(types, each))];
}

test('the types name what the package exports', async () => {
  const types = read('index.d.ts').toString();
  const names = [...types.matchAll(/^export (?:class|function) (\w+)/gm)];
  assert.deepEqual(names.map(each => each[1]).sort(), Object.keys(halftoned).sort());
  const engine = await halftoned.load();
  const worker = await halftoned.createWorker();
  worker.close();
  const page = engine.halftone(new Uint8Array(1), 1, 1);
  const panel = engine.palette(new Uint8Array(3), 1, 1, 'bw');
  const objects = {
    Engine: engine, WorkerEngine: worker, Page: page, IndexPage: panel,
    HalftoneType: engine.types[0], NamedPalette: engine.palettes[0],
    Color: panel.colors[0], GrayRows: engine.rows(1),
    PaletteRows: engine.paletteRows(1, 'bw'),
  };
  for (const [name, object] of Object.entries(objects)) {
    const members = membersOf(types, name);
    for (const member of members) assert.ok(member in object, `${name}.${member}`);
    for (const member of Object.keys(object)) {
      assert.ok(members.includes(member), `${name}.${member} has no type`);
    }
  }
  const options = membersOf(types, 'Options');
  for (const {key} of engine.settings) assert.ok(options.includes(key), key);
});

test('npm packs it, and Node imports it by its name', t => {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'halftoned-'));
  t.after(() => fs.rmSync(place, {recursive: true}));
  const packed = spawnSync('npm', ['pack', '--offline', folder], {cwd: place});
  if (packed.error) return t.skip('npm is not installed');
  assert.equal(packed.status, 0, packed.stderr.toString());
  const [file] = fs.readdirSync(place);
  const {version} = JSON.parse(read('package.json'));
  assert.equal(file, `halftoned-${version}.tgz`);
  const modules = path.join(place, 'node_modules');
  fs.mkdirSync(modules);
  spawnSync('tar', ['xf', path.join(place, file), '-C', modules]);
  fs.renameSync(path.join(modules, 'package'), path.join(modules, 'halftoned'));
  fs.writeFileSync(path.join(place, 'use.mjs'), `
    import {createWorker, load} from 'halftoned';
    const worker = await createWorker();
    console.log((await load()).version, worker.types.length > 9);
    worker.close();`);
  const used = spawnSync(process.execPath, ['use.mjs'], {cwd: place});
  assert.equal(used.stdout.toString().trim(), `${version} true`, used.stderr.toString());
});
