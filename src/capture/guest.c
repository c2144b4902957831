/* SPDX-License-Identifier: MIT */
#include "capture/guest.h"

#include <string.h>

void *qemu_get_cpu(int index);
int riscv_csrrw_debug(void *env, int csr, uint64_t *old, uint64_t value, uint64_t mask);
uint64_t cpu_get_phys_page_debug(void *cpu, uint64_t page);
void *cpu_physical_memory_map(uint64_t addr, uint64_t *len, bool write);

enum {
	CPU_HEAD = 0x4000, /* bytes at the start of a CPU, where it points to its registers */
	CPU_ALL = 0x20000,
	PAGE = 4096,
};

/* The registers are in a struct within that of the CPU, which points to it, x0 to x31 first. */
static void *
find_env(void)
{
	char *cpu = qemu_get_cpu(0);
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
	static void *env;

	if (!env)
		env = find_env();
	*value = 0;
	return env && riscv_csrrw_debug(env, (int)csr, value, 0, 0) == -1;
}

uint64_t
trc_guest_physical(uint64_t addr)
{
	const uint64_t start = addr & ~(uint64_t)(PAGE - 1);
	const uint64_t page = cpu_get_phys_page_debug(qemu_get_cpu(0), start);

	return page == UINT64_MAX ? UINT64_MAX : page | addr % PAGE;
}

const uint8_t *
trc_guest_ram(uint64_t start, uint64_t *len)
{
	*len = UINT64_C(1) << 40;
	return cpu_physical_memory_map(start, len, false);
}
