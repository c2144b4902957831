/* SPDX-License-Identifier: MIT */
#include "capture/guest.h"

/* The processor of this thread. */
extern __thread void *current_cpu;

/* Of QEMU 7.2: each processor has a thread of its own. */
extern bool mttcg_enabled __attribute__((weak));

void *qemu_get_cpu(int index);
void tlb_flush(void *cpu);
void cpu_exit(void *cpu);
uint64_t cpu_get_phys_page_debug(void *cpu, uint64_t page);
void *cpu_physical_memory_map(uint64_t addr, uint64_t *len, bool write);

enum { PAGE = 4096 };

uint64_t
trc_guest_physical(uint64_t addr)
{
	const uint64_t start = addr & ~(uint64_t)(PAGE - 1);
	const uint64_t page = cpu_get_phys_page_debug(current_cpu, start);

	return page == UINT64_MAX ? UINT64_MAX : page | addr % PAGE;
}

const uint8_t *
trc_guest_ram(uint64_t start, uint64_t *len)
{
	*len = UINT64_C(1) << 40;
	return cpu_physical_memory_map(start, len, false);
}

void
trc_guest_forget(unsigned number)
{
	tlb_flush(qemu_get_cpu((int)number));
}

bool
trc_guest_takes_turns(void)
{
	return &mttcg_enabled && !mttcg_enabled;
}

void
trc_guest_pause(void)
{
	cpu_exit(current_cpu);
}
