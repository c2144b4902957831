/* SPDX-License-Identifier: MIT
 * ELF: the header, the segments, the symbols. */
#include "elf.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/bytes.h"

enum { PT_LOAD = 1, SHT_SYMTAB = 2, EM_RISCV = 243 };

static void
die(const char *path, const char *why)
{
	fprintf(stderr, "%s: %s\n", path, why);
	exit(1);
}

static void
slurp(struct elf *e, const char *path)
{
	FILE *f = fopen(path, "rb");
	long len = 0;

	if (!f || fseek(f, 0, SEEK_END) || (len = ftell(f)) < 64 || fseek(f, 0, SEEK_SET))
		die(path, "cannot be read, or is too short");
	e->len = (size_t)len;
	e->byte = malloc(e->len);
	if (!e->byte || fread(e->byte, 1, e->len, f) != e->len)
		die(path, "cannot be read");
	fclose(f);
}

static bool
inside(const struct elf *e, uint64_t at, uint64_t len)
{
	return at <= e->len && len <= e->len - at;
}

void
elf_load(struct elf *e, const char *path, struct trc_memory *m)
{
	struct trc_err err = { 0 };
	uint64_t headers;

	*e = (struct elf){ 0 };
	slurp(e, path);
	if (memcmp(e->byte, "\177ELF\2\1", 6) || trc_le16(e->byte + 18) != EM_RISCV)
		die(path, "is no ELF file of RV64");
	e->entry = trc_le64(e->byte + 24);
	headers = trc_le64(e->byte + 32);
	e->phnum = trc_le16(e->byte + 56);
	if (!inside(e, headers, UINT64_C(56) * e->phnum))
		die(path, "has no program headers");
	for (unsigned i = 0; i < e->phnum; i++) {
		const uint8_t *p = e->byte + headers + 56 * i;
		const uint64_t at = trc_le64(p + 8), va = trc_le64(p + 16), pa = trc_le64(p + 24);
		const uint64_t len = trc_le64(p + 32), room = trc_le64(p + 40);

		if (trc_le32(p) != PT_LOAD)
			continue;
		if (!inside(e, at, len) || trc_memory_write(m, pa, e->byte + at, len, &err))
			die(path, "has a segment outside itself");
		if (at <= headers && headers < at + len)
			e->phdr = va + headers - at;
		if (va + room > e->end)
			e->end = va + room;
	}
}

void
elf_release(struct elf *e)
{
	free(e->byte);
}

uint64_t
elf_symbol(const struct elf *e, const char *name)
{
	const uint64_t sections = trc_le64(e->byte + 40);
	const unsigned n = trc_le16(e->byte + 60);

	for (unsigned i = 0; i < n && inside(e, sections, UINT64_C(64) * n); i++) {
		const uint8_t *s = e->byte + sections + 64 * i;
		const uint8_t *strings = e->byte + sections + 64 * trc_le32(s + 40);
		const uint64_t text = trc_le64(strings + 24), at = trc_le64(s + 24);

		if (trc_le32(s + 4) != SHT_SYMTAB)
			continue;
		for (uint64_t k = 0; k + 24 <= trc_le64(s + 32); k += 24)
			if (!strcmp((char *)e->byte + text + trc_le32(e->byte + at + k), name))
				return trc_le64(e->byte + at + k + 8);
	}
	return 0;
}
