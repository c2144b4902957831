/* SPDX-License-Identifier: MIT
 *
 * conform PROGRAM...: runs programs that check themselves and write the outcome to `tohost`, 1 if
 * they passed, as the public conformance programs for RISC-V do. They are not ours to copy:
 * TRC_RISCV_TESTS names a folder of them, built for M mode with physical memory (-p-) or with
 * virtual memory (-v-).
 */
#include <dirent.h>
#include <inttypes.h>

#include "../unit/test.h"
#include "elf.h"
#include "machine/hart/hart.h"

enum { SLICE = 10000, SLICES = 400, PROGRAMS = 1000 };

static int
no_device(struct trc_port *p, const struct trc_hart *h, uint64_t addr, unsigned size,
          uint64_t *value, struct trc_err *err)
{
	(void)p, (void)h, (void)addr, (void)size, (void)value, (void)err;
	return 1;
}

/* What the program wrote; UINT64_MAX if nothing. */
static uint64_t
outcome(const char *path)
{
	struct trc_port port = { .load = no_device };
	struct trc_err err = { 0 };
	struct trc_memory m;
	struct trc_hart *h;
	struct elf e;
	uint64_t tohost, result = 0;
	uint8_t byte[8];

	CHECK(!trc_memory_init(&m, 256 << 20, &err));
	CHECK(!trc_memory_add_ram(&m, 0x80000000, 0x87ffffff, &err));
	elf_load(&e, path, &m);
	h = trc_hart_open(&m, &port, TRC_HART_LIVE, &err);
	CHECK(h);
	h->pc = e.entry;
	tohost = elf_symbol(&e, "tohost");
	CHECK_MSG(tohost, "%s has no symbol tohost", path);
	for (int i = 0; i < SLICES && !result; i++) {
		enum trc_run_end why = trc_hart_run(h, NULL, h->count + SLICE, &err);

		if (why == TRC_RUN_FAILED) {
			printf("%s: %s\n", path, err.text);
			break;
		}
		if (why == TRC_RUN_INTERRUPT)
			trc_hart_interrupt(h, (unsigned)trc_hart_pending(h));
		trc_memory_read(&m, tohost, byte, sizeof(byte));
		for (int k = 7; k >= 0; k--)
			result = result << 8 | byte[k];
	}
	if (!result)
		printf("%s: pc %" PRIx64 " mode %d mcause %" PRIx64 " mepc %" PRIx64
		       " mtval %" PRIx64 "\n",
		       path, h->pc, (int)h->mode, h->csr.mcause, h->csr.mepc, h->csr.mtval);
	trc_hart_close(h);
	elf_release(&e);
	trc_memory_release(&m);
	return result ? result : UINT64_MAX;
}

int
main(int argc, char **argv)
{
	const char *folder = getenv("TRC_RISCV_TESTS");
	unsigned n = 0, passed = 0;
	struct dirent *entry;
	DIR *dir;

	test_start();
	for (int i = 1; i < argc; i++) {
		const uint64_t result = outcome(argv[i]);

		n++;
		passed += result == 1;
		if (result != 1)
			printf("%s: test %" PRId64 "\n", argv[i], (int64_t)result >> 1);
	}
	if (argc == 1) {
		dir = folder ? opendir(folder) : NULL;
		if (!dir)
			SKIP("TRC_RISCV_TESTS names no folder");
		while ((entry = readdir(dir))) {
			char path[4096];

			if (strncmp(entry->d_name, "rv64", 4) || strchr(entry->d_name, '.'))
				continue;
			snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
			n++;
			if (outcome(path) == 1)
				passed++;
			else
				printf("%s failed\n", entry->d_name);
		}
		closedir(dir);
	}
	printf("%u of %u passed\n", passed, n);
	return passed != n;
}
