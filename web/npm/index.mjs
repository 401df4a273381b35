// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// halftoned: gray pages to few levels, and pictures to the colors of e-paper.

export {createWorker} from './client.mjs';
export {load} from './engine.mjs';
export {HalftoneError} from './module.mjs';
export {rgba} from './rgba.mjs';
