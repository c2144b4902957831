/* SPDX-License-Identifier: MIT
 *
 * The part of QEMU's plugin interface, version 1, that the plugins use, as in QEMU 7.2: few
 * distributions include its header. The callback of an instruction comes before those of its
 * accesses; the callback of an access comes after the access.
 */
#ifndef TRC_CAPTURE_QEMU_H
#define TRC_CAPTURE_QEMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct qemu_plugin_tb;
struct qemu_plugin_insn;
/* qemu_info_t in the interface */
struct qemu_info {
	const char *target; /* such as "x86_64" or "aarch64" */
	int version[2];
	bool system; /* a whole machine, not a program */
	int harts;   /* of a machine */
};
typedef void (*tb_fn)(uint64_t id, struct qemu_plugin_tb *tb);
typedef void (*vcpu_fn)(uint64_t id, unsigned vcpu);
typedef void (*block_fn)(unsigned vcpu, void *user);
typedef void (*insn_fn)(unsigned vcpu, void *user);
typedef void (*mem_fn)(unsigned vcpu, uint32_t info, uint64_t addr, void *user);
typedef void (*call_fn)(uint64_t id, unsigned vcpu, int64_t number, uint64_t a, uint64_t b,
                        uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h);
typedef void (*ret_fn)(uint64_t id, unsigned vcpu, int64_t number, int64_t result);
typedef void (*exit_fn)(uint64_t id, void *user);

enum { CB_NO_REGS = 0, CB_READ_REGS = 1, MEM_READ_WRITE = 3 };

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, tb_fn fn);
void qemu_plugin_register_vcpu_init_cb(uint64_t id, vcpu_fn fn);
void qemu_plugin_register_vcpu_exit_cb(uint64_t id, vcpu_fn fn);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, block_fn fn, int regs,
                                          void *user);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, insn_fn fn, int regs,
                                            void *user);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, mem_fn fn, int regs, int which,
                                      void *user);
void qemu_plugin_register_vcpu_syscall_cb(uint64_t id, call_fn fn);
void qemu_plugin_register_vcpu_syscall_ret_cb(uint64_t id, ret_fn fn);
void qemu_plugin_register_atexit_cb(uint64_t id, exit_fn fn, void *user);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn);
unsigned qemu_plugin_mem_size_shift(uint32_t info);
bool qemu_plugin_mem_is_store(uint32_t info);

/* Returns true if an access loads. An atomic that is done in one piece, as with threads or shared
 * mappings, has one callback and is both a load and a store. The interface itself lacks this
 * function. */
static inline bool
qemu_plugin_mem_is_load(uint32_t info)
{
	return info >> 16 & 1;
}

/* The symbols that a plugin must have. */
__attribute__((visibility("default"))) extern const int qemu_plugin_version;
__attribute__((visibility("default"))) int
qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc, char **argv);

#endif
