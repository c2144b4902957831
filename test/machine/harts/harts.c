/* SPDX-License-Identifier: MIT
 *
 * The program of harts.sh for a bare machine with two harts: what they do to each other by locks,
 * reservations, interrupts, page tables and code. What it prints does not depend on their speed.
 */
#include <stdint.h>

enum {
	HARTS = 2,
	ROUNDS = 2000, /* of locks */
	PINGS = 60,    /* and of what each waits for the other */
	TIMERS = 20,
	STEPS = 60000,
	PAGE = 4096,
	MAPPED = 0x40001000, /* a virtual address */

	SOFTWARE = 8, /* bits of mie */
	TIMER = 0x80,
	MIE = 8, /* of mstatus */
	MPP = 3 << 11,
	MPRV_AS_S = 1 << 17 | 1 << 11,
};

#define DEVICE(type, addr) ((volatile type *)(uintptr_t)(addr))
#define CSR_SET(name, bits) __asm__ volatile("csrs " name ", %0" : : "r"(bits) : "memory")
#define CSR_CLEAR(name, bits) __asm__ volatile("csrc " name ", %0" : : "r"(bits) : "memory")

__asm__(".section .start, \"ax\"\n"
        ".globl _start\n"
        "_start:\n"
        "	csrr a0, mhartid\n"
        "	la sp, stacks\n"
        "	addi t0, a0, 1\n"
        "	slli t0, t0, 12\n"
        "	add sp, sp, t0\n"
        "	la t0, on_trap\n"
        "	csrw mtvec, t0\n"
        "	li t0, 0x2000\n" /* floating point */
        "	csrs mstatus, t0\n"
        "	li t0, -1\n"
        "	csrw pmpaddr0, t0\n"
        "	li t0, 0x1f\n"
        "	csrw pmpcfg0, t0\n"
        "	call run\n");

uint8_t stacks[HARTS][PAGE] __attribute__((aligned(16), used));
static uint64_t table[3][PAGE / 8] __attribute__((aligned(PAGE)));
static uint64_t frame[2][PAGE / 8] __attribute__((aligned(PAGE)));

static uint32_t lock, word = 1;
static volatile uint32_t code[2];
static uint64_t locked, reserved, arrived, barriers;
static volatile uint64_t shown[HARTS]; /* how far each is */
static volatile uint64_t software[HARTS], timers[HARTS];
static volatile uint64_t floats[HARTS];

static void
print(const char *what, uint64_t value)
{
	for (; *what; what++)
		*DEVICE(uint8_t, 0x10000000) = (uint8_t)*what;
	for (int shift = 60; shift >= 0; shift -= 4)
		*DEVICE(uint8_t, 0x10000000) = (uint8_t) "0123456789abcdef"[value >> shift & 15];
	*DEVICE(uint8_t, 0x10000000) = '\n';
}

static void
power_off(void)
{
	*DEVICE(uint32_t, 0x100000) = 0x5555;
	for (;;)
		;
}

static uint64_t
hart_id(void)
{
	uint64_t id;

	__asm__ volatile("csrr %0, mhartid" : "=r"(id));
	return id;
}

__attribute__((interrupt("machine"), aligned(4), used)) static void
on_trap(void)
{
	const uint64_t id = hart_id();
	uint64_t cause;

	__asm__ volatile("csrr %0, mcause" : "=r"(cause));
	if (cause == (UINT64_C(1) << 63 | 3)) {
		DEVICE(uint32_t, 0x2000000)[id] = 0;
		__asm__ volatile("sfence.vma" : : : "memory");
		software[id]++;
	} else if (cause == (UINT64_C(1) << 63 | 7)) {
		DEVICE(uint64_t, 0x2004000)[id] = UINT64_MAX;
		timers[id]++;
	} else {
		print("a trap: ", cause);
		power_off();
	}
}

static void
meet(void)
{
	const uint64_t before = __atomic_load_n(&barriers, __ATOMIC_ACQUIRE);

	if (__atomic_add_fetch(&arrived, 1, __ATOMIC_ACQ_REL) == HARTS) {
		arrived = 0;
		__atomic_store_n(&barriers, before + 1, __ATOMIC_RELEASE);
	}
	while (__atomic_load_n(&barriers, __ATOMIC_ACQUIRE) == before)
		;
}

/* Sleeps until an interrupt was counted; one that comes between the look and the sleep ends it. */
static void
sleep_until(const volatile uint64_t *count, uint64_t n)
{
	while (*count < n) {
		__asm__ volatile("wfi" : : : "memory");
		CSR_SET("mstatus", MIE);
		__asm__ volatile("nop");
		CSR_CLEAR("mstatus", MIE);
	}
}

static void
locks(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
			;
		locked++;
		__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
	}
}

static void
reservations(void)
{
	uint64_t value, failed;

	for (int i = 0; i < ROUNDS; i++)
		do
			__asm__ volatile("lr.d %0, (%2)\n"
			                 "addi %0, %0, 1\n"
			                 "sc.d %1, %0, (%2)\n"
			                 : "=&r"(value), "=&r"(failed)
			                 : "r"(&reserved)
			                 : "memory");
		while (failed);
}

/* The other hart stores `last` between lr and sc, of a word that was 1. */
static void
between(uint64_t id, uint32_t last, const char *what)
{
	uint64_t value, failed, *mine = (uint64_t *)&shown[0];

	word = 1;
	shown[id] = 0;
	meet();
	if (id == 1) {
		while (shown[0] == 0)
			;
		__atomic_store_n(&word, 2, __ATOMIC_SEQ_CST);
		__atomic_store_n(&word, last, __ATOMIC_SEQ_CST);
		shown[1] = 1;
	} else {
		__asm__ volatile("lr.w %0, (%2)\n"
		                 "sd %3, 0(%4)\n"
		                 "1: ld %0, 8(%4)\n"
		                 "beqz %0, 1b\n"
		                 "sc.w %1, %3, (%2)\n"
		                 : "=&r"(value), "=&r"(failed)
		                 : "r"(&word), "r"(3), "r"(mine)
		                 : "memory");
		print(what, failed << 32 | word);
	}
	meet();
}

static void
pings(uint64_t id)
{
	const uint64_t before = software[id];

	CSR_SET("mie", SOFTWARE);
	meet();
	for (uint64_t i = 1; i <= PINGS; i++) {
		if (id == 1)
			sleep_until(&software[1], before + i);
		DEVICE(uint32_t, 0x2000000)[!id] = 1;
		if (id == 0)
			sleep_until(&software[0], before + i);
	}
	meet();
}

static void
ticks(uint64_t id)
{
	CSR_SET("mie", TIMER);
	for (uint64_t i = 1; i <= TIMERS; i++) {
		DEVICE(uint64_t, 0x2004000)[id] = *DEVICE(uint64_t, 0x200bff8) + 1000 * (id + 1);
		sleep_until(&timers[id], i);
	}
}

/* Loads by the tables, as supervisor mode does. */
static uint64_t
load_mapped(uint64_t addr)
{
	uint64_t value;

	CSR_CLEAR("mstatus", MPP);
	__asm__ volatile("csrs mstatus, %2\n"
	                 "ld %0, (%1)\n"
	                 "csrc mstatus, %2\n"
	                 : "=&r"(value)
	                 : "r"(addr), "r"(MPRV_AS_S)
	                 : "memory");
	return value;
}

static uint64_t
entry(const void *page, uint64_t bits)
{
	return (uintptr_t)page >> 12 << 10 | bits;
}

static void
map(int which)
{
	enum { LEAF = 0xc7 }; /* valid, readable, writable, accessed, dirty */
	static const uint64_t bits[] = { LEAF, 0x7 }; /* the walker marks the second itself */

	*(volatile uint64_t *)&table[2][1] = entry(frame[which], bits[which]);
}

/* One hart maps another page, the other looks until it sees that: every second time after an
 * interrupt. */
static void
tables(uint64_t id)
{
	uint64_t seen = 0;

	if (id == 0) {
		frame[1][0] = 1;
		table[0][1] = entry(table[1], 1);
		table[1][0] = entry(table[2], 1);
		map(0);
	}
	meet();
	__asm__ volatile("csrw satp, %0\n"
	                 "sfence.vma"
	                 :
	                 : "r"(UINT64_C(8) << 60 | (uintptr_t)table[0] >> 12)
	                 : "memory");
	for (uint64_t i = 1; i <= PINGS; i++) {
		shown[id] = 0;
		meet();
		if (id == 0) {
			map(i % 2);
			if (i % 4 < 2)
				DEVICE(uint32_t, 0x2000000)[1] = 1;
		}
		while (id == 1 && load_mapped(MAPPED) != i % 2) {
			CSR_SET("mstatus", MIE);
			__asm__ volatile("nop");
			CSR_CLEAR("mstatus", MIE);
			if (i % 4 >= 2)
				__asm__ volatile("sfence.vma" : : : "memory");
		}
		seen += id == 1 && load_mapped(MAPPED) == i % 2;
		meet();
	}
	shown[id] = seen;
	meet();
	__asm__ volatile("csrw satp, zero\n"
	                 "sfence.vma"
	                 :
	                 :
	                 : "memory");
}

/* One hart writes a function, `li a0, i; ret`, that the other calls. */
static void
codes(uint64_t id)
{
	uint64_t sum = 0;

	for (uint64_t i = 1; i <= PINGS; i++) {
		if (id == 0) {
			code[0] = (uint32_t)i << 20 | 0x513;
			code[1] = 0x8067;
		}
		meet();
		__asm__ volatile("fence.i" : : : "memory");
		if (id == 1)
			sum += ((uint64_t(*)(void))(uintptr_t)code)();
		meet();
	}
	shown[id] = sum;
	meet();
}

static uint64_t
compute(uint64_t id)
{
	union {
		double d;
		uint64_t u;
	} as = { 0.3 + 0.1 * (double)id };

	for (int i = 0; i < STEPS; i++)
		as.d = 3.99 * as.d * (1.0 - as.d);
	return as.u;
}

__attribute__((used, noreturn)) static void
run(uint64_t id)
{
	meet();
	locks();
	reservations();
	between(id, 2, "sc of another value: ");
	between(id, 1, "sc of the same value: ");
	pings(id);
	ticks(id);
	tables(id);
	if (id == 0)
		print("mapped pages seen: ", shown[1]);
	codes(id);
	floats[id] = compute(id);
	meet();
	if (id == 0) {
		print("locked: ", locked);
		print("reserved: ", reserved);
		print("interrupts: ", software[0] << 32 | timers[0] << 16 | timers[1]);
		print("called: ", shown[1]);
		print("computed: ", floats[0] ^ floats[1]);
		power_off();
	}
	for (;;)
		__asm__ volatile("wfi");
}
