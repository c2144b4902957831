/* SPDX-License-Identifier: MIT
 * The files that a recorded process executes, by its mappings and the instructions in them. */
#include "cmd/record/mapped.h"

#include <elf.h>
#include <stddef.h>
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

/* Puts the program header of `bytes` bytes from `offset` of the file on, loaded at `addr`. */
static void
put_load(uint8_t *p, uint32_t flags, uint64_t offset, uint64_t addr, uint64_t bytes)
{
	trc_put_le32(p + offsetof(Elf64_Phdr, p_type), PT_LOAD);
	trc_put_le32(p + offsetof(Elf64_Phdr, p_flags), flags);
	trc_put_le64(p + offsetof(Elf64_Phdr, p_offset), offset);
	trc_put_le64(p + offsetof(Elf64_Phdr, p_vaddr), addr);
	trc_put_le64(p + offsetof(Elf64_Phdr, p_filesz), bytes);
	trc_put_le64(p + offsetof(Elf64_Phdr, p_memsz), bytes);
}

/* Makes a little-endian ELF file whose bytes from CODE on are code at ADDR. */
static void
make_file(char path[])
{
	uint8_t file[sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr)] = { 0x7f, 'E',        'L',
		                                                      'F',  ELFCLASS64, ELFDATA2LSB,
		                                                      1 };
	uint8_t *load = file + sizeof(Elf64_Ehdr);
	const int fd = mkstemp(path);

	trc_put_le64(file + offsetof(Elf64_Ehdr, e_phoff), sizeof(Elf64_Ehdr));
	trc_put_le16(file + offsetof(Elf64_Ehdr, e_phentsize), sizeof(Elf64_Phdr));
	trc_put_le16(file + offsetof(Elf64_Ehdr, e_phnum), 2);
	put_load(load, PF_R, 0, 0, CODE + 16);
	put_load(load + sizeof(Elf64_Phdr), PF_R | PF_X, CODE, ADDR, 0x3000);
	CHECK(fd >= 0);
	CHECK(write(fd, file, sizeof(file)) == sizeof(file));
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
