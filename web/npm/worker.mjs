// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The worker's side: one job after the other, with a look at the messages
// between the bands. client.mjs has the messages.

import {load} from './engine.mjs';

const port = globalThis.process?.versions?.node && !globalThis.postMessage
    ? (await import('node:worker_threads')).parentPort
    : globalThis;
const post = (message, transfer) => port.postMessage(message, transfer);

// Between two looks at the messages; a look costs some µs.
const MS_BETWEEN_LOOKS = 8;

const waiting = [];
const aborted = new Set();
let isBusy = false;
let engine;

const jobs = {
  halftone: args => engine.halftoneJob(...args),
  palette: args => engine.paletteJob(...args),
  gray: args => engine.grayJob(...args),
  *tone(args) {
    return engine.tone(...args);
  },
};

// Resolves when all messages that have come have been received. Node would not
// receive them while another channel has messages.
const channel = globalThis.setImmediate ? undefined : new MessageChannel();
function looked() {
  return new Promise(resolve => {
    if (!channel) return setImmediate(resolve);
    channel.port1.onmessage = resolve;
    channel.port2.postMessage(0);
  });
}

async function run(id, job, hasProgress) {
  let last = performance.now();
  for (;;) {
    const {done, value} = job.next();
    if (done) return value;
    if (performance.now() - last < MS_BETWEEN_LOOKS) continue;
    if (hasProgress) post({id, progress: value});
    await looked();
    if (aborted.has(id)) {
      job.return();
      return undefined;
    }
    last = performance.now();
  }
}

async function answer({id, name, args, hasProgress}) {
  try {
    const result = await run(id, jobs[name](args), hasProgress);
    if (aborted.has(id)) return;
    if (hasProgress) post({id, progress: 1});
    const {buffer} = result.data ?? result;
    post({id, result}, [buffer]);
  } catch (error) {
    const {name, message, code} = error;
    post({id, error: {name, message, code}});
  } finally {
    aborted.delete(id);
  }
}

async function work() {
  if (isBusy) return;
  isBusy = true;
  await looked();
  for (let job = waiting.shift(); job; job = waiting.shift()) {
    if (!aborted.delete(job.id)) await answer(job);
  }
  isBusy = false;
}

async function start(source) {
  try {
    engine = await load(source);
    const {version, types, settings, palettes} = engine;
    post({ready: {version, types, settings, palettes}});
  } catch (error) {
    const {name, message, code} = error;
    post({failed: {name, message, code}});
  }
}

function receive(message) {
  if ('start' in message) return start(message.start);
  if ('abort' in message) return aborted.add(message.abort);
  waiting.push(message);
  return work();
}

if (port === globalThis) {
  port.onmessage = event => receive(event.data);
} else {
  port.on('message', receive);
}
