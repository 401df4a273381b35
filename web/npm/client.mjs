// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine in a worker, as promises. Messages to the worker:
//
//   {start: source}                     once, first
//   {id, name, args, hasProgress}       a job
//   {abort: id}                         its answer is no longer wanted
//
// and from it: {ready: facts} or {failed: error}, then for jobs {id, progress},
// and at the end {id, result} or {id, error}.

import {HalftoneError} from './module.mjs';

function errorOf({name, message, code}) {
  if (name === 'HalftoneError') return new HalftoneError(message, code);
  return name === 'TypeError' ? new TypeError(message) : new Error(message);
}

// A Web Worker, or one of Node's in the same form.
async function openWorker() {
  if (typeof Worker === 'function') {
    return new Worker(new URL('./worker.mjs', import.meta.url),
                      {type: 'module'});
  }
  const threads = await import('node:worker_threads');
  const worker =
      new threads.Worker(new URL('./worker.mjs', import.meta.url));
  worker.on('message', data => worker.onmessage({data}));
  worker.on('error', error => worker.onerror(error));
  return worker;
}

class WorkerEngine {
  #worker;
  #jobs = new Map();  // by id
  #next = 0;
  #end;  // the error of all further calls

  constructor(worker, facts) {
    this.#worker = worker;
    Object.assign(this, facts);
    worker.onmessage = ({data}) => this.#receive(data);
    worker.onerror = event => this.#stop(new Error(
        `the worker failed: ${event.message ?? 'it ended'}`));
  }

  halftone(gray, width, height, options = {}, {signal, progress, transfer} = {}) {
    return this.#run('halftone', [gray, width, height, options],
                     {signal, progress, transfer});
  }

  palette(pixels, width, height, palette, {signal, progress, transfer} = {}) {
    return this.#run('palette', [pixels, width, height, palette],
                     {signal, progress, transfer});
  }

  gray(rgba, width, height, {signal, progress, transfer} = {}) {
    return this.#run('gray', [rgba, width, height],
                     {signal, progress, transfer});
  }

  tone(options = {}) {
    return this.#run('tone', [options], {});
  }

  close() {
    this.#stop(new Error('the worker is closed'));
  }

  #run(name, args, {signal, progress, transfer}) {
    return new Promise((resolve, reject) => {
      if (this.#end) throw this.#end;
      signal?.throwIfAborted();
      const id = this.#next++;
      const buffers = transfer ? [args[0].buffer] : [];
      this.#worker.postMessage(
          {id, name, args, hasProgress: progress !== undefined}, buffers);
      const abort = () => {
        this.#worker.postMessage({abort: id});
        this.#settle(id, () => reject(signal.reason));
      };
      signal?.addEventListener('abort', abort, {once: true});
      const forget = () => signal?.removeEventListener('abort', abort);
      this.#jobs.set(id, {resolve, reject, progress, forget});
    });
  }

  #settle(id, settle) {
    const job = this.#jobs.get(id);
    if (!job) return;  // it was aborted
    this.#jobs.delete(id);
    job.forget();
    settle(job);
  }

  #receive({id, progress, result, error}) {
    if (progress !== undefined) {
      this.#tell(id, progress);
    } else if (error) {
      this.#settle(id, job => job.reject(errorOf(error)));
    } else {
      this.#settle(id, job => job.resolve(result));
    }
  }

  // An error of the callback is the job's, which then ends.
  #tell(id, progress) {
    try {
      this.#jobs.get(id)?.progress(progress);
    } catch (error) {
      this.#worker.postMessage({abort: id});
      this.#settle(id, job => job.reject(error));
    }
  }

  #stop(error) {
    this.#end ??= error;
    this.#worker.terminate();
    for (const id of [...this.#jobs.keys()]) {
      this.#settle(id, job => job.reject(error));
    }
  }
}

export async function createWorker(source) {
  const worker = await openWorker();
  try {
    const facts = await new Promise((resolve, reject) => {
      worker.onmessage = ({data: {ready, failed}}) =>
          ready ? resolve(ready) : reject(errorOf(failed));
      worker.onerror = event => reject(
          new Error(`the worker failed: ${event.message ?? 'it ended'}`));
      worker.postMessage({start: source instanceof URL ? source.href : source});
    });
    return new WorkerEngine(worker, facts);
  } catch (error) {
    worker.terminate();
    throw error;
  }
}
