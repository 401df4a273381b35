// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine in a worker: results, order, progress, cancellation and its end.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {after, test} from 'node:test';
import {pathToFileURL} from 'node:url';
import {Worker} from 'node:worker_threads';

import {folder, grayPage, halftoned, pixelPage} from './pages.mjs';

const {createWorker, HalftoneError, load} = halftoned;
const engine = await load();
const worker = await createWorker();
after(() => worker.close());

const [width, height] = [2000, 3000];
const gray = grayPage(1, width, height);

test('a worker has the engine\'s facts and bits', async () => {
  for (const fact of ['version', 'types', 'settings', 'palettes']) {
    assert.deepEqual(worker[fact], engine[fact]);
  }
  const options = {type: 'fine', levels: 4};
  assert.deepEqual(await worker.halftone(gray, width, height, options),
                   engine.halftone(gray, width, height, options));
  const rgba = pixelPage(2, 300, 200, 4);
  assert.deepEqual(await worker.palette(rgba, 300, 200, 'bwr'),
                   engine.palette(rgba, 300, 200, 'bwr'));
  assert.deepEqual(await worker.gray(rgba, 300, 200), engine.gray(rgba, 300, 200));
  assert.deepEqual(await worker.tone({dotGain: 9}), engine.tone({dotGain: 9}));
});

test('jobs are done in their order, and progress rises to 1', async () => {
  const done = [];
  const shares = [];
  await Promise.all([
    worker.halftone(gray, width, height, {type: 'best'},
                    {progress: share => shares.push(share)})
        .then(() => done.push('best')),
    worker.tone().then(() => done.push('tone')),
  ]);
  assert.deepEqual(done, ['best', 'tone']);
  assert.ok(shares.length > 2, `${shares.length} calls`);
  assert.deepEqual(shares, [...shares].sort((a, b) => a - b));
  assert.ok(shares[0] > 0 && shares.at(-1) === 1);
});

test('a job that is aborted rejects, and the worker takes the next one', async () => {
  const control = new AbortController();
  let calls = 0;
  const job = worker.halftone(gray, width, height, {type: 'best'}, {
    signal: control.signal,
    progress() {
      ++calls;
      control.abort(new Error('enough'));
    },
  });
  await assert.rejects(job, {message: 'enough'});
  await worker.tone();
  assert.equal(calls, 1);
  // Before it begins, and before it is called.
  const waiting = new AbortController();
  const jobs = [
    worker.halftone(gray, width, height, {type: 'fine'}),
    worker.halftone(gray, width, height, {}, {signal: waiting.signal}),
  ];
  waiting.abort();
  await assert.rejects(jobs[1], {name: 'AbortError'});
  await assert.rejects(
      worker.halftone(gray, width, height, {}, {signal: AbortSignal.abort()}),
      {name: 'AbortError'});
  assert.equal((await jobs[0]).height, height);
});

test('the worker ends an aborted job at the next band', async () => {
  const own = new Worker(pathToFileURL(path.join(folder, 'worker.mjs')));
  const messages = [];
  await new Promise((resolve, reject) => {
    own.on('error', reject);
    own.on('message', message => {
      messages.push(message);
      if (message.ready) {
        own.postMessage({id: 1, name: 'halftone', hasProgress: true,
                         args: [gray, width, height, {type: 'best'}]});
      } else if (message.id === 1 && messages.length === 2) {
        own.postMessage({abort: 1});
        own.postMessage({id: 2, name: 'tone', args: [{}]});
      } else if (message.id === 2) {
        resolve();
      }
    });
    own.postMessage({start: pathToFileURL(path.join(folder, 'halftoned.wasm')).href});
  });
  await own.terminate();
  // The end of the page would be a progress of 1, and a result.
  assert.ok(messages.every(message => message.progress !== 1));
  assert.ok(!messages.some(message => message.id === 1 && message.result));
  assert.ok(messages.length < 9, `${messages.length} messages`);
});

test('an error of the progress callback is the job\'s', async () => {
  const job = worker.halftone(gray, width, height, {type: 'best'}, {
    progress() {
      throw new Error('mine');
    },
  });
  await assert.rejects(job, {message: 'mine'});
  assert.equal((await worker.tone()).length, 256);
});

test('errors are the engine\'s', async () => {
  await assert.rejects(worker.halftone(gray, width, height, {type: 'fien'}), error => {
    assert.ok(error instanceof HalftoneError);
    assert.equal(error.code, 'BAD_INPUT');
    assert.match(error.message, /did you mean 'fine'/);
    return true;
  });
  await assert.rejects(worker.halftone(gray, '1', 1), TypeError);
  await assert.rejects(worker.halftone(gray, width, height, {type: () => 1}), /clone/);
  assert.equal((await worker.tone()).length, 256);
});

test('memory that is transferred is gone here', async () => {
  const mine = gray.slice();
  const page = await worker.halftone(mine, width, height, {}, {transfer: true});
  assert.equal(mine.length, 0);
  assert.deepEqual(page, engine.halftone(gray, width, height));
});

test('a closed worker rejects all its jobs', async () => {
  const other = await createWorker(
      pathToFileURL(path.join(folder, 'halftoned.wasm')));
  const job = other.halftone(gray, width, height, {type: 'best'});
  other.close();
  await assert.rejects(job, /closed/);
  await assert.rejects(other.tone(), /closed/);
});

test('modules come from bytes and compiled modules too', async () => {
  const bytes = fs.readFileSync(path.join(folder, 'halftoned.wasm'));
  for (const source of [bytes, await WebAssembly.compile(bytes)]) {
    const other = await createWorker(source);
    assert.equal(other.version, engine.version);
    other.close();
    assert.equal((await load(source)).version, engine.version);
  }
  await assert.rejects(createWorker(bytes.subarray(0, 99)), /./);
  await assert.rejects(load('file:///nothing.wasm'), /nothing/);
});
