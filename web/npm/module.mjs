// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The WebAssembly module: how it is loaded, its memory, and its errors. The
// names of its functions are those of halftone.h and of engine/exports.h.

const CODES = ['OK', 'BAD_INPUT', 'UNAVAILABLE', 'BUG'];
const ERROR_BYTES = 256;
const PLACE_BYTES = 64;

export class HalftoneError extends Error {
  constructor(message, code = 'BAD_INPUT') {
    super(message);
    this.name = 'HalftoneError';
    this.code = code;
  }
}

// The module needs no system. Only threads, of which it starts none, would look at
// a clock.
const NO_SUCH_CALL = 52;
const imports = {
  env: {emscripten_notify_memory_growth() {}},
  wasi_snapshot_preview1: {
    clock_time_get: () => NO_SUCH_CALL,
    proc_exit(status) {
      throw new Error(`the module ended with status ${status}`);
    },
  },
};

async function bytesOf(url) {
  if (url.protocol === 'file:' && globalThis.process?.versions?.node) {
    const {readFile} = await import('node:fs/promises');
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error(`${url}: ${response.status} ${response.statusText}`);
  }
  return response.arrayBuffer();
}

async function compiled(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    return WebAssembly.compile(source);
  }
  const url = source === undefined
      ? new URL('./halftoned.wasm', import.meta.url)
      : new URL(source, globalThis.location?.href ?? import.meta.url);
  return WebAssembly.compile(await bytesOf(url));
}

export async function loadModule(source) {
  const {exports} =
      await WebAssembly.instantiate(await compiled(source), imports);
  exports._initialize();
  return new Module(exports);
}

// A handle that is costly to make, kept for the next call that needs the same.
class Kept {
  #key;
  #handle = 0;
  #free;

  constructor(free) {
    this.#free = free;
  }

  get(key, make) {
    if (this.#handle === 0 || key !== this.#key) {
      const handle = make();
      this.#free(this.#handle);
      this.#handle = handle;
      this.#key = key;
    }
    return this.#handle;
  }
}

export class Module {
  constructor(exports) {
    this.exports = exports;
    this.recipe = new Kept(exports.ht_recipe_free);
    this.palette = new Kept(exports.ht_palette_free);
    this.error = this.allocate(ERROR_BYTES);
    this.place = this.allocate(PLACE_BYTES);  // of what functions return
  }

  // Views of the memory; they end when it grows.
  bytes(address, size) {
    return new Uint8Array(this.exports.memory.buffer, address, size);
  }
  view(address, size) {
    return new DataView(this.exports.memory.buffer, address, size);
  }
  word(address) {
    return this.view(address, 4).getUint32(0, true);
  }

  allocate(size) {
    const address = this.exports.malloc(size) >>> 0;
    if (address === 0) throw new HalftoneError('out of memory', 'UNAVAILABLE');
    return address;
  }

  free(address) {
    this.exports.free(address);
  }

  // Runs `work` with the address of a text, or with 0 for none.
  withText(text, work) {
    if (text === undefined) return work(0);
    if (text.includes('\0')) {
      throw new HalftoneError('a text has a null character');
    }
    const encoded = new TextEncoder().encode(text);
    const address = this.allocate(encoded.length + 1);
    try {
      const bytes = this.bytes(address, encoded.length + 1);
      bytes.set(encoded);
      bytes[encoded.length] = 0;
      return work(address);
    } finally {
      this.free(address);
    }
  }

  text(address) {
    const bytes = new Uint8Array(this.exports.memory.buffer, address >>> 0);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }

  // Throws what the library says, unless `status` is success.
  check(status) {
    if (status !== 0) {
      throw new HalftoneError(this.text(this.error + 4), CODES[status]);
    }
  }

  // Calls a function that makes a handle; returns the handle.
  make(name, ...args) {
    this.check(this.exports[name](...args, this.place, this.error));
    return this.word(this.place);
  }
}
