/* SPDX-License-Identifier: MIT
 * The files that a recorded process executes, by its mappings and the instructions in them. */
#include "cmd/record/mapped.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/names/functions.h"
#include "test.h"

enum { AT = 0x40000, LENGTH = 0x4000, CODE = 0x1000, ADDR = 0x801000 };

/* The last file that was named, and how many were. */
struct named {
	char path[64];
	uint64_t bias;
	unsigned n;
};

static int
name(void *of, const char *path, uint64_t offset, uint64_t pc, struct trc_err *err)
{
	struct named *named = of;

	(void)err;
	snprintf(named->path, sizeof(named->path), "%s", path);
	named->n += trc_functions_bias(path, offset, pc, &named->bias);
	return 0;
}

/* Makes an ELF file whose bytes from CODE on are code at ADDR. */
static void
make_file(char path[])
{
	Elf64_Phdr load[2] = {
		{ .p_type = PT_LOAD, .p_flags = PF_R, .p_filesz = CODE + 16, .p_memsz = CODE },
		{ .p_type = PT_LOAD,
		  .p_flags = PF_R | PF_X,
		  .p_offset = CODE,
		  .p_vaddr = ADDR,
		  .p_filesz = 0x3000,
		  .p_memsz = 0x3000 },
	};
	Elf64_Ehdr e = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 },
		         .e_phoff = sizeof(e),
		         .e_phentsize = sizeof(*load),
		         .e_phnum = 2 };
	const int fd = mkstemp(path);

	CHECK(fd >= 0);
	CHECK(write(fd, &e, sizeof(e)) == sizeof(e));
	CHECK(write(fd, load, sizeof(load)) == sizeof(load));
	close(fd);
}

static void
apply(struct trc_record_mapped *m, const char *text)
{
	struct trc_event e;
	struct trc_err err;

	CHECK_MSG(trc_event_parse(&e, text, &err) == 0, "%s: %s", text, err.text);
	CHECK(trc_record_mapped_event(m, &e, &err) == 0);
}

/* Executes at `pc`, and returns the files up to then. */
static struct named
execute(struct trc_record_mapped *m, uint64_t pc)
{
	struct named named = { .n = 0 };
	struct trc_err err;

	CHECK(trc_record_mapped_fetch(m, pc, &err) == 0);
	CHECK(trc_record_mapped_files(m, name, &named, &err) == 0);
	return named;
}

static void
map(struct trc_record_mapped *m, const char *path, uint64_t at, uint64_t length, uint64_t offset)
{
	char text[256];

	snprintf(text, sizeof(text), "M 1 %llx %llx 1 1 1 %llx %s", (unsigned long long)at,
	         (unsigned long long)length, (unsigned long long)offset, path);
	apply(m, text);
}

static void
a_file_counts_when_it_is_executed(const char *path)
{
	struct trc_record_mapped m = { .n = 0 };
	struct named named;

	CHECK(execute(&m, AT).n == 0);
	map(&m, path, AT, LENGTH, 0);
	CHECK(execute(&m, AT - 1).n == 0);
	CHECK(execute(&m, AT + LENGTH).n == 0);
	named = execute(&m, AT + CODE + 4);
	CHECK(named.n == 1 && strcmp(named.path, path) == 0);
	CHECK_MSG(named.bias == (uint64_t)AT + CODE - ADDR, "%llx", (unsigned long long)named.bias);
	CHECK(execute(&m, AT + CODE).n == 1);
	trc_record_mapped_release(&m);
}

static void
what_is_unmapped_is_executed_no_more(const char *path)
{
	static const char *const gone[] = { "U 1 41000 1001", "m 1 41000 2000", "s 1 41000 2000 7",
		                            "@ 1 90000 2000 41000 2000", "A 1 2" };
	struct trc_record_mapped m = { .n = 0 };

	for (size_t i = 0; i < sizeof(gone) / sizeof(*gone); i++) {
		const bool all = *gone[i] == 'A';
		struct named named;

		map(&m, path, AT, LENGTH, 0);
		apply(&m, gone[i]);
		CHECK_MSG(execute(&m, 0x41000).n == 0 && execute(&m, 0x42fff).n == 0, "%s",
		          gone[i]);
		named = execute(&m, 0x43000);
		CHECK_MSG(named.n == !all, "%s", gone[i]);
		CHECK(all || named.bias == (uint64_t)AT + CODE - ADDR);
		trc_record_mapped_release(&m);
	}
}

static void
the_same_file_elsewhere_is_another(const char *path)
{
	struct trc_record_mapped m = { .n = 0 };

	map(&m, path, AT, LENGTH, 0);
	(void)execute(&m, AT + CODE);
	map(&m, path, 4 * AT, 0x1000, 0x2000);
	CHECK(execute(&m, 4 * AT).n == 2);
	map(&m, "/no/such/file", 8 * AT, 0x1000, 0);
	CHECK(execute(&m, 8 * AT).n == 2);
	trc_record_mapped_release(&m);
}

int
main(void)
{
	char path[] = "recorded-mapped-XXXXXX";

	make_file(path);
	a_file_counts_when_it_is_executed(path);
	what_is_unmapped_is_executed_no_more(path);
	the_same_file_elsewhere_is_another(path);
	unlink(path);
	return 0;
}
