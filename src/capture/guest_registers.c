/* SPDX-License-Identifier: MIT
 *
 * Access to QEMU's registers that also works in user mode.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "capture/guest.h"

/* The processor of this thread, once it has run. */
extern __thread void *current_cpu;

struct byte_array { /* GByteArray of GLib */
	uint8_t *data;
	unsigned len;
};

void *qemu_get_cpu(int index);
int riscv_cpu_gdb_read_register(void *cpu, struct byte_array *to, int n);
int riscv_cpu_gdb_write_register(void *cpu, uint8_t *from, int n);
int riscv_csrrw_debug(void *env, int csr, uint64_t *old, uint64_t value, uint64_t mask);
void cpu_loop_exit_restore(void *cpu, uintptr_t at) __attribute__((noreturn));
void cpu_dump_state(void *cpu, FILE *to, int flags);
void cpu_loop_exit_noexc(void *cpu) __attribute__((noreturn));
struct byte_array *g_byte_array_new(void);
struct byte_array *g_byte_array_set_size(struct byte_array *a, unsigned len);

extern int singlestep __attribute__((weak));

enum {
	PC = 32,
	DUMP_FLOATS = 0x20000, /* CPU_DUMP_FPU */
	/* Bytes at the start of a CPU that contain the pointer to its registers. */
	CPU_HEAD = 0x4000,
	CPU_ALL = 0x20000,
};

static void *chosen; /* NULL: none was */

static void *
cpu_here(void)
{
	if (chosen)
		return chosen;
	return current_cpu ? current_cpu : qemu_get_cpu(0);
}

void
trc_guest_choose(unsigned number)
{
	chosen = qemu_get_cpu((int)number);
}

uint64_t
trc_guest_register(int n)
{
	static struct byte_array *array;

	if (!array)
		array = g_byte_array_new();
	g_byte_array_set_size(array, 0);
	riscv_cpu_gdb_read_register(cpu_here(), array, n);
	return trc_le64(array->data);
}

void
trc_guest_set_register(int n, uint64_t value)
{
	uint8_t bytes[8];

	trc_put_le64(bytes, value);
	riscv_cpu_gdb_write_register(cpu_here(), bytes, n);
}

/* Lines of the dump contain words like " f10/fa0  ffffffff3f800000". */
void
trc_guest_floats(uint64_t f[32])
{
	char *text = NULL, *at;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	memset(f, 0, 32 * sizeof(*f));
	if (!to)
		return;
	cpu_dump_state(cpu_here(), to, DUMP_FLOATS);
	fclose(to);
	for (at = text; (at = strstr(at, " f")) != NULL; at++) {
		unsigned n;
		unsigned long long value;

		if (sscanf(at, " f%u/%*s %llx", &n, &value) == 2 && n < 32)
			f[n] = value;
	}
	free(text);
}

/* Finds the struct of registers within that of the CPU, which points to it; x0 to x31 are first. */
static void *
find_env(void)
{
	char *cpu = cpu_here();
	uint64_t x[32];

	for (int i = 0; i < 32; i++)
		x[i] = trc_guest_register(i);
	for (size_t i = 0; i < CPU_HEAD; i += sizeof(char *)) {
		char *p;

		memcpy(&p, cpu + i, sizeof(p));
		if (p > cpu && p < cpu + CPU_ALL && (uintptr_t)p % sizeof(*x) == 0 &&
		    memcmp(p, x, sizeof(x)) == 0)
			return p;
	}
	return NULL;
}

bool
trc_guest_csr(unsigned csr, uint64_t *value)
{
	static ptrdiff_t place; /* of the registers in a CPU, the same in all */
	char *cpu = cpu_here(), *env;

	if (!place && (env = find_env()) != NULL)
		place = env - cpu;
	*value = 0;
	return place && riscv_csrrw_debug(cpu + place, (int)csr, value, 0, 0) == -1;
}

void
trc_guest_leave(uint64_t pc)
{
	trc_guest_set_register(PC, pc);
	cpu_loop_exit_noexc(current_cpu);
}

void
trc_guest_single_step(bool on)
{
	if (&singlestep) /* only in 7.2 */
		singlestep = on;
}

/* QEMU's own helpers look up their translation just before their return address. */
void
trc_guest_repeat(const void *at)
{
	cpu_loop_exit_restore(current_cpu, (uintptr_t)at - 2);
}
