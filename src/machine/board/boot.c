/* SPDX-License-Identifier: MIT */
#include "machine/board/boot.h"

#include <string.h>

#include "base/bytes.h"

enum {
	ELF_HEADER = 64,
	SEGMENT_HEADER = 56,
	PT_LOAD = 1,
	EM_RISCV = 243,
};

static size_t
length(const struct trc_view *v)
{
	return (size_t)(v->end - v->p);
}

/* The state of loading. */
struct boot {
	struct trc_hart *h;
	uint64_t end; /* of all segments loaded so far */
};

/* Writes to RAM; fails if the bytes do not fit. */
static int
write(struct boot *b, const char *what, uint64_t addr, const uint8_t *p, uint64_t len,
      uint64_t room, struct trc_err *err)
{
	const struct trc_ram *ram = &b->h->mem->ram[0];

	if (addr < ram->first || addr > ram->last || room > ram->last - addr + 1)
		return trc_fail(err,
		                "the %s needs %llu bytes at %llx, but RAM is from %llx to %llx; "
		                "enlarge it with --memory",
		                what, (unsigned long long)room, (unsigned long long)addr,
		                (unsigned long long)ram->first, (unsigned long long)ram->last);
	b->end = addr + room > b->end ? addr + room : b->end;
	return trc_memory_write(b->h->mem, addr, p, (size_t)len, err);
}

/* Copies a segment of an ELF file into RAM. */
static int
load_segment(struct boot *b, const char *what, const struct trc_view *file, const uint8_t *p,
             struct trc_err *err)
{
	const uint64_t offset = trc_le64(p + 8), addr = trc_le64(p + 24), len = trc_le64(p + 32);
	const uint64_t room = trc_le64(p + 40);

	if (trc_le32(p) != PT_LOAD)
		return 0;
	if (offset > length(file) || len > length(file) - offset || room < len)
		return trc_fail(err, "the %s is truncated", what);
	return write(b, what, addr, file->p + offset, len, room, err);
}

static bool
is_elf(const struct trc_view *file)
{
	static const uint8_t magic[] = { 0x7f, 'E', 'L', 'F', 2, 1 };

	return length(file) >= ELF_HEADER && memcmp(file->p, magic, sizeof(magic)) == 0;
}

static int
load_elf(struct boot *b, const char *what, const struct trc_view *file, struct trc_err *err)
{
	const uint8_t *p = file->p;
	const uint64_t step = trc_le16(p + 54);
	uint64_t at = trc_le64(p + 32), n = trc_le16(p + 56);

	if (trc_le16(p + 18) != EM_RISCV)
		return trc_fail(err, "the %s is an ELF file, but not for RISC-V", what);
	if (step < SEGMENT_HEADER || at > length(file) || n * step > length(file) - at)
		return trc_fail(err, "the %s is truncated", what);
	for (; n > 0; n--, at += step)
		if (load_segment(b, what, file, p + at, err))
			return -1;
	return 0;
}

/* Loads an image and sets its entry; `addr` is for files that have no address. */
static int
load(struct boot *b, const char *what, const struct trc_view *file, uint64_t addr, uint64_t *entry,
     struct trc_err *err)
{
	*entry = is_elf(file) ? trc_le64(file->p + 24) : addr;
	if (is_elf(file))
		return load_elf(b, what, file, err);
	return length(file) ? write(b, what, addr, file->p, length(file), length(file), err) : 0;
}

/* The tree takes the last pages of RAM. */
static int
load_tree(struct boot *b, const struct trc_view *tree, struct trc_err *err)
{
	static const uint8_t magic[] = { 0xd0, 0x0d, 0xfe, 0xed };
	const struct trc_ram *ram = &b->h->mem->ram[0];
	const size_t len = length(tree);
	uint64_t addr;

	if (len < sizeof(magic) || memcmp(tree->p, magic, sizeof(magic)) != 0)
		return trc_fail(err, "the device tree is not one in its flattened form");
	addr = (ram->last + 1 - len) & ~(uint64_t)(TRC_GUEST_PAGE - 1);
	if (len > ram->last - ram->first || addr < b->end)
		return trc_fail(err,
		                "no space is left in RAM for the device tree (%zu bytes); enlarge "
		                "it with --memory",
		                len);
	b->h->x[11] = addr;
	return write(b, "device tree", addr, tree->p, len, len, err);
}

int
trc_boot(struct trc_hart *h, const struct trc_boot *boot, struct trc_err *err)
{
	struct boot b = { h, 0 };
	const uint64_t start = h->mem->ram[0].first;
	const bool firm = length(&boot->firmware);
	uint64_t next;

	h->x[10] = h->csr.mhartid;
	if (firm && load(&b, "firmware", &boot->firmware, start, &h->pc, err))
		return -1;
	if (load(&b, "image", &boot->image, start + (firm ? TRC_BOOT_NEXT : 0),
	         firm ? &next : &h->pc, err))
		return -1;
	return length(&boot->tree) ? load_tree(&b, &boot->tree, err) : 0;
}
