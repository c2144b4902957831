/* SPDX-License-Identifier: MIT
 *
 * The emulator ends itself by kill(getpid(), SIGNAL), in its function dump_core_and_abort(). It
 * finds kill() in its table of imports, which is filled and made read-only before it starts (its
 * builds are linked with -z relro -z now): there it finds ours.
 */
#define _GNU_SOURCE
#include "capture/fatal.h"

#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef int (*kill_fn)(pid_t pid, int number);

static void (*watcher)(int number);

/* The emulator stops itself so, too, where its guest is to stop. */
static int
kill_watched(pid_t pid, int number)
{
	if (pid == getpid() && number != SIGSTOP)
		watcher(number);
	return kill(pid, number);
}

static void
redirect(kill_fn *import)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	void *const start = (void *)((uintptr_t)import / page * page);

	if (mprotect(start, page, PROT_READ | PROT_WRITE) == 0) {
		*import = kill_watched;
		mprotect(start, page, PROT_READ);
	}
}

/* Of the first object, which is the emulator. */
static int
redirect_imports(struct dl_phdr_info *exe, size_t size, void *user)
{
	(void)size, (void)user;
	for (int i = 0; i < exe->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &exe->dlpi_phdr[i];
		kill_fn *import = (kill_fn *)(exe->dlpi_addr + part->p_vaddr);

		if (part->p_type != PT_GNU_RELRO)
			continue;
		for (size_t n = part->p_memsz / sizeof(*import); n > 0; n--, import++)
			if (*import == kill)
				redirect(import);
	}
	return 1;
}

void
trc_fatal_watch(void (*fn)(int number))
{
	watcher = fn;
	dl_iterate_phdr(redirect_imports, NULL);
}
