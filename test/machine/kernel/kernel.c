/* SPDX-License-Identifier: MIT
 *
 * A small operating system for the tests of replay: Sv39, two tasks in address spaces of their own,
 * switched by the timer, a console and a disk that interrupt. It switches the machine off when both
 * tasks have ended. For QEMU's board `virt` and ours.
 */
typedef unsigned long u64;
typedef unsigned int u32;
typedef unsigned short u16;
typedef unsigned char u8;

enum { TASKS = 2, PAGE = 4096, SECTOR = 512, STACK_PAGES = 2 };
enum { CALL_PUT = 1, CALL_READ = 2, CALL_EXIT = 3, CALL_GET = 4, CALL_TIME = 5 };

#define FINISHER ((volatile u32 *)0x100000)
#define PLIC(offset) ((volatile u32 *)(0xc000000ul + (offset)))
#define UART ((volatile u8 *)0x10000000)
#define DISK(offset) ((volatile u32 *)(0x10001000ul + (offset)))
#define USER 0x100000000ul /* where tasks see their code, then data, then stack */

struct frame {
	u64 pc, x[31], fcsr, satp, f[32];
};

static struct task {
	struct frame frame;
	enum { READY, WAITS_DISK, WAITS_KEY, ENDED } state;
	u64 to; /* where what it waits for goes */
} task[TASKS];
static int now;

extern u8 tasks_code[], tasks_data[], tasks_end[], kernel_end[];
extern void trap_entry(void), resume(struct frame *f), first_task(void), second_task(void);

static u8 *spare;

static void *
new_page(void)
{
	u64 *p = (u64 *)spare;

	spare += PAGE;
	for (int i = 0; i < PAGE / 8; i++)
		p[i] = 0;
	return p;
}

static void
copy(void *to, const void *from, u64 n)
{
	for (u64 i = 0; i < n; i++)
		((u8 *)to)[i] = ((const u8 *)from)[i];
}

/* ---- console ---- */

static void
put(u8 c)
{
	while (!(UART[5] & 0x20))
		;
	UART[0] = c;
}

/* ---- disk: one request at a time ---- */

static struct {
	struct {
		u64 addr;
		u32 len;
		u16 flags, next;
	} descriptor[8];
	struct {
		u16 flags, index, ring[8];
	} available __attribute__((aligned(64)));
	struct {
		u16 flags, index;
		struct {
			u32 id, len;
		} ring[8];
	} used __attribute__((aligned(64)));
	struct {
		u32 kind, zero;
		u64 sector;
	} head;
	u8 data[SECTOR] __attribute__((aligned(64)));
	u8 status;
} disk __attribute__((aligned(PAGE)));

static void
disk_start(void)
{
	const u64 at[3] = { (u64)disk.descriptor, (u64)&disk.available, (u64)&disk.used };

	*DISK(0x70) = 0;
	*DISK(0x70) = 3;
	*DISK(0x24) = 1;
	*DISK(0x20) = 1;
	*DISK(0x70) = 11;
	*DISK(0x30) = 0;
	*DISK(0x38) = 8;
	for (int i = 0; i < 3; i++) {
		*DISK(0x80 + 16 * i) = (u32)at[i];
		*DISK(0x84 + 16 * i) = (u32)(at[i] >> 32);
	}
	*DISK(0x44) = 1;
	*DISK(0x70) = 15;
}

static void
disk_read(u64 sector)
{
	disk.head.kind = 0;
	disk.head.sector = sector;
	disk.descriptor[0].addr = (u64)&disk.head;
	disk.descriptor[0].len = 16;
	disk.descriptor[0].flags = 1;
	disk.descriptor[0].next = 1;
	disk.descriptor[1].addr = (u64)disk.data;
	disk.descriptor[1].len = SECTOR;
	disk.descriptor[1].flags = 3;
	disk.descriptor[1].next = 2;
	disk.descriptor[2].addr = (u64)&disk.status;
	disk.descriptor[2].len = 1;
	disk.descriptor[2].flags = 2;
	disk.available.ring[disk.available.index % 8] = 0;
	__asm__ volatile("fence" ::: "memory");
	*(volatile u16 *)&disk.available.index += 1;
	__asm__ volatile("fence" ::: "memory");
	*DISK(0x50) = 0;
}

/* ---- interrupts ---- */

/* Gives bytes to those that wait for them. */
static void
wake(int state, const void *from, u64 n, u64 result)
{
	for (int i = 0; i < TASKS; i++)
		if (task[i].state == state) {
			if (task[i].to) { /* the kernel sees the page where it lies */
				u64 satp;

				__asm__ volatile("csrr %0, satp" : "=r"(satp));
				__asm__ volatile(
				        "csrw satp, %0; sfence.vma" ::"r"(task[i].frame.satp));
				copy((void *)task[i].to, from, n);
				__asm__ volatile("csrw satp, %0; sfence.vma" ::"r"(satp));
			}
			task[i].frame.x[9] = result;
			task[i].state = READY;
			return;
		}
}

static void
external(void)
{
	u32 source;

	while ((source = *PLIC(0x201004))) {
		if (source == 1) {
			*DISK(0x64) = *DISK(0x60) & 3;
			wake(WAITS_DISK, disk.data, SECTOR, disk.status);
		} else if (source == 10 && UART[1] & UART[5] & 1) { /* a key, and somebody waits */
			wake(WAITS_KEY, 0, 0, UART[0]);
			UART[1] = 0; /* until somebody waits again */
		}
		*PLIC(0x201004) = source;
	}
}

static void
switch_off(u32 code)
{
	for (;;)
		*FINISHER = code;
}

static struct frame *
next_task(void)
{
	for (;;) {
		int ended = 0;

		for (int i = 1; i <= TASKS; i++) {
			const int k = (now + i) % TASKS;

			ended += task[k].state == ENDED;
			if (task[k].state != READY)
				continue;
			now = k;
			return &task[k].frame;
		}
		if (ended == TASKS)
			switch_off(0x5555);
		__asm__ volatile("wfi");
		external();
		__asm__ volatile("csrci sip, 2");
	}
}

static void
call(struct task *t)
{
	u64 *a0 = &t->frame.x[9], number = t->frame.x[16], time;

	t->frame.pc += 4;
	switch (number) {
	case CALL_PUT: put((u8)*a0); break;
	case CALL_EXIT: t->state = ENDED; break;
	case CALL_READ:
		t->to = t->frame.x[10];
		t->state = WAITS_DISK;
		disk_read(*a0);
		break;
	case CALL_GET:
		t->to = 0;
		t->state = WAITS_KEY;
		UART[1] = 1;
		break;
	case CALL_TIME:
		__asm__ volatile("csrr %0, time" : "=r"(time));
		*a0 = time;
		break;
	}
}

struct frame *
trap(struct frame *f)
{
	u64 cause;

	__asm__ volatile("csrr %0, scause" : "=r"(cause));
	if (cause == 8) {
		call((struct task *)f);
		if (task[now].state == READY)
			return f;
	} else if (cause == (1ul << 63 | 1)) {
		__asm__ volatile("csrci sip, 2");
	} else if (cause == (1ul << 63 | 9)) {
		external();
	} else { /* somebody does what must not be done */
		put('!');
		put((u8)('a' + cause % 26));
		switch_off(0x3333);
	}
	return next_task();
}

/* ---- address spaces ---- */

static void
map(u64 *root, u64 from, void *to, u64 bits)
{
	u64 *table = root;

	for (int level = 2; level > 0; level--) {
		u64 *entry = &table[from >> (12 + 9 * level) & 511];

		if (!*entry)
			*entry = (u64)new_page() >> 12 << 10 | 1;
		table = (u64 *)(*entry >> 10 << 12);
	}
	table[from >> 12 & 511] = (u64)to >> 12 << 10 | bits | 1;
}

static u64
new_space(void)
{
	u64 *root = new_page(), at = USER;

	root[0] = 0 << 28 | 0x7; /* devices and RAM, for the kernel alone, a gigabyte each */
	root[2] = 2ul << 28 | 0xf;
	for (u8 *p = tasks_code; p < tasks_data; p += PAGE, at += PAGE)
		map(root, at, p, 0x1a);
	for (u8 *p = tasks_data; p < tasks_end; p += PAGE, at += PAGE) {
		u8 *own = new_page();

		copy(own, p, PAGE);
		map(root, at, own, 0x16);
	}
	for (int i = 0; i < STACK_PAGES; i++, at += PAGE)
		map(root, at, new_page(), 0x16);
	return 8ul << 60 | (u64)root >> 12;
}

void
kernel(void)
{
	void (*const entry[TASKS])(void) = { first_task, second_task };
	const u64 stack = USER + (u64)(tasks_end - tasks_code) + STACK_PAGES * PAGE;

	spare = kernel_end;
	__asm__ volatile("csrw stvec, %0" ::"r"(trap_entry));
	*PLIC(4 * 1) = 1;
	*PLIC(4 * 10) = 2;
	*PLIC(0x2080) = 1 << 1 | 1 << 10;
	*PLIC(0x201000) = 0;
	disk_start();
	for (int i = 0; i < TASKS; i++) {
		task[i].frame.satp = new_space();
		task[i].frame.pc = USER + (u64)((u8 *)entry[i] - tasks_code);
		task[i].frame.x[1] = stack;
	}
	__asm__ volatile("csrw sie, %0" ::"r"(0x202ul));
	__asm__ volatile("csrc sstatus, %0" ::"r"(0x100ul));
	__asm__ volatile("csrs sstatus, %0" ::"r"(0x20ul));
	resume(&task[0].frame);
}
