/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A plugin for qemu-user 5 … 8 that prints how many instructions a
 * single-threaded program has executed. Debian has no header for plugins, so
 * the functions that it calls are declared here.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#define SEEN_BY_QEMU __attribute__((visibility("default")))

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
enum operation { ADD = 0 };

void qemu_plugin_register_vcpu_tb_trans_cb(
    plugin_id id, void (*call)(plugin_id, struct qemu_plugin_tb*));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb* block,
                                              enum operation operation,
                                              void* at, uint64_t number);
void qemu_plugin_register_atexit_cb(plugin_id id,
                                    void (*call)(plugin_id, void*), void* data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb* block);

SEEN_BY_QEMU int qemu_plugin_version = 1;

static uint64_t executed;

static void Translated(plugin_id id, struct qemu_plugin_tb* block) {
  (void)id;
  qemu_plugin_register_vcpu_tb_exec_inline(block, ADD, &executed,
                                           qemu_plugin_tb_n_insns(block));
}

static void Ended(plugin_id id, void* data) {
  (void)id;
  (void)data;
  fprintf(stderr, "instructions: %" PRIu64 "\n", executed);
}

SEEN_BY_QEMU int qemu_plugin_install(plugin_id id, const void* information,
                                     int words, char** arguments) {
  (void)information;
  (void)words;
  (void)arguments;
  qemu_plugin_register_vcpu_tb_trans_cb(id, Translated);
  qemu_plugin_register_atexit_cb(id, Ended, NULL);
  return 0;
}
