// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls to a worker, as promises.

export class Canceled extends Error {}

export class Calls {
  #worker;
  #open = new Map();
  #next = 1;

  constructor(url) {
    this.#worker = new Worker(url, { type: 'module' });
    this.#worker.onmessage = ({ data }) => this.#take(data);
    this.#worker.onerror = (event) => this.#fail(event.message || 'A worker did not start');
  }

  #take({ id, progress, result, error }) {
    const call = this.#open.get(id);
    if (!call) return;
    if (progress !== undefined) return void call.report?.(progress);
    this.#open.delete(id);
    if (!error) return void call.resolve(result);
    call.reject(error.canceled ? new Canceled() : new Error(error.message));
  }

  #fail(message) {
    for (const { reject } of this.#open.values()) reject(new Error(message));
    this.#open.clear();
  }

  // report: of the progress, 0 … 1. A later call may cancel this one (worker_loop.js).
  call(name, words = {}, { transfer = [], report } = {}) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject, report });
      this.#worker.postMessage({ call: name, id, ...words }, transfer);
    });
  }
}
