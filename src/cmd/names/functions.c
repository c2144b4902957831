/* SPDX-License-Identifier: MIT */
#include "cmd/names/functions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/io/in.h"
#include "base/opt.h"

/* A function. If its size is 0, it extends to the next one. */
struct trc_function {
	uint64_t at, size;
	size_t name; /* offset of its name in `names` */
};

void
trc_functions_release(void *of)
{
	struct trc_functions *f = of;

	free(f->function);
	trc_buf_release(&f->names);
	f->function = NULL;
	f->n = f->cap = 0;
}

static int
add(struct trc_functions *f, uint64_t at, uint64_t size, const char *name, size_t len,
    struct trc_err *err)
{
	if (len == 0)
		return 0;
	if (trc_grow(&f->function, &f->cap, f->n + 1, sizeof(*f->function), err))
		return -1;
	f->function[f->n] = (struct trc_function){ at, size, f->names.n };
	if (trc_buf_put(&f->names, name, len, err) || trc_buf_put(&f->names, "", 1, err))
		return -1;
	f->n++;
	f->sorted = false;
	return 0;
}

/* ---- ELF: the System V ABI, chapter 4, and its supplement for 64 bits ---- */

enum {
	HEADER = 64,
	SECTION = 64,
	SYMBOL = 24,
	SYMTAB = 2, /* section types */
	DYNSYM = 11,
	FUNC = 2, /* symbol types */
	IFUNC = 10,
};

/* The fields of a section header that are used here. */
struct section {
	uint64_t type, at, size, link;
};

static bool
section_of(struct trc_in *in, const uint8_t *header, uint64_t i, struct section *s)
{
	uint8_t b[SECTION];

	if (i >= trc_le16(header + 60) ||
	    !trc_in_read_at(in, trc_le64(header + 40) + i * SECTION, b, sizeof(b)))
		return false;
	*s = (struct section){ trc_le32(b + 4), trc_le64(b + 24), trc_le64(b + 32),
		               trc_le32(b + 40) };
	return true;
}

/* Returns the bytes of a section followed by a NUL; NULL if they are missing or memory is. */
static uint8_t *
bytes_of(struct trc_in *in, const struct section *s, struct trc_err *err)
{
	const uint64_t all = trc_in_size(in);
	uint8_t *b;

	if (s->at > all || s->size > all - s->at) {
		trc_fail(err, "%s: a section extends past the end of the file", in->name);
		return NULL;
	}
	b = trc_alloc((size_t)s->size + 1, 1, err);
	if (b && !trc_in_read_at(in, s->at, b, (size_t)s->size)) {
		free(b);
		trc_fail(err, "%s: cannot be read", in->name);
		return NULL;
	}
	return b;
}

static int
add_symbols(struct trc_functions *f, const uint8_t *symbol, uint64_t n, const uint8_t *names,
            uint64_t room, uint64_t base, struct trc_err *err)
{
	for (const uint8_t *s = symbol; n > 0; n--, s += SYMBOL) {
		const unsigned type = s[4] & 15;
		const uint32_t name = trc_le32(s);
		const uint64_t at = trc_le64(s + 8);

		if ((type != FUNC && type != IFUNC) || trc_le16(s + 6) == 0 || name >= room)
			continue;
		if (add(f, at + base, trc_le64(s + 16), (const char *)names + name,
		        strlen((const char *)names + name), err))
			return -1;
	}
	return 0;
}

static int
add_table(struct trc_functions *f, struct trc_in *in, const uint8_t *header,
          const struct section *table, uint64_t base, struct trc_err *err)
{
	struct section names;
	uint8_t *symbols, *text;
	int ret = -1;

	if (!section_of(in, header, table->link, &names))
		return trc_fail(err, "%s: its symbols have no names", in->name);
	symbols = bytes_of(in, table, err);
	text = symbols ? bytes_of(in, &names, err) : NULL;
	if (text)
		ret = add_symbols(f, symbols, table->size / SYMBOL, text, names.size, base, err);
	free(symbols);
	free(text);
	return ret;
}

/* Adds the symbols of an ELF file: from the full table (SYMTAB) if there is one, else from the
 * dynamic one (DYNSYM). */
static int
add_elf(struct trc_functions *f, struct trc_in *in, uint64_t base, struct trc_err *err)
{
	uint8_t header[HEADER];
	struct section s, best = { .type = 0 };

	if (!trc_in_read_at(in, 0, header, sizeof(header)) || header[4] != 2 || header[5] != 1 ||
	    trc_le16(header + 58) != SECTION)
		return trc_fail(err,
		                "%s: not a 64-bit little-endian ELF file with sections (or it is "
		                "packed)",
		                in->name);
	for (uint64_t i = 0; section_of(in, header, i, &s); i++)
		if (s.type == SYMTAB || (s.type == DYNSYM && best.type == 0))
			best = s;
	if (best.type == 0)
		return trc_fail(err, "%s: has no symbols", in->name);
	return add_table(f, in, header, &best, base, err);
}

/* ---- text ---- */

static int add_file(struct trc_functions *f, const char *path, uint64_t base, struct trc_err *err);

/* Adds a line "ADDRESS T NAME" or "ADDRESS SIZE T NAME" as nm prints it, or "ADDRESS SIZE NAME" as
 * perf does. Only nm pads addresses with zeros, which distinguishes the two: a type may also be a
 * hexadecimal digit. */
static int
add_line(struct trc_functions *f, const char *line, uint64_t base, struct trc_err *err)
{
	const bool nm = line[0] == '0';
	char *end;
	const uint64_t at = strtoull(line, &end, 16);
	const char *p = end + strspn(end, " ");
	uint64_t size = 0;

	if (end == line || *end != ' ')
		return 0;
	if (!nm || (p[0] && p[1] != ' ')) {
		size = strtoull(p, &end, 16);
		if (end == p || *end != ' ')
			return 0;
		p = end + strspn(end, " ");
	}
	if (nm) {
		if (!p[0] || !strchr("tTwWiuV", p[0]) || p[1] != ' ')
			return 0;
		p += 2;
	}
	return add(f, at + base, size, p, strcspn(p, "\r\n"), err);
}

/* Adds the functions of a module in modules.log, whose lines are: id, containing id, start, end,
 * entry, offset, preferred base, path. A module that cannot be read is skipped. */
static int
add_module(struct trc_functions *f, char *line, struct trc_err *err)
{
	unsigned long long id, in, start, stop, entry, offset, preferred;
	char *path = strrchr(line, ',');
	struct trc_err none;

	if (!path ||
	    sscanf(line, " %llu, %llu, %llx, %llx, %llx, %llx, %llx", &id, &in, &start, &stop,
	           &entry, &offset, &preferred) != 7 ||
	    id != in)
		return 0;
	path += 1 + strspn(path + 1, " ");
	path[strcspn(path, "\r\n")] = 0;
	if (add_file(f, path, start - preferred, &none) == 0 || none.code == TRC_FAILED ||
	    none.code == TRC_SYSTEM)
		return 0;
	*err = none;
	return -1;
}

static int
add_text(struct trc_functions *f, struct trc_in *in, uint64_t base, struct trc_err *err)
{
	const uint8_t *end;
	bool modules = false;
	char line[4096];

	for (;; in->p = end) {
		size_t len;

		if (trc_in_line(in, &end, err))
			return -1;
		len = (size_t)(end - in->p);
		if (len == 0)
			return 0;
		snprintf(line, sizeof(line), "%.*s", (int)(len < 4095 ? len : 4095),
		         (const char *)in->p);
		modules |= strncmp(line, "Module Table", 12) == 0;
		if (modules ? add_module(f, line, err) : add_line(f, line, base, err))
			return -1;
	}
}

static int
add_file(struct trc_functions *f, const char *path, uint64_t base, struct trc_err *err)
{
	struct trc_in *in = trc_in_open(path, err);
	int ret = in ? trc_in_fill(in, 4, err) : -1;

	if (ret == 0 && in->end - in->p >= 4 && memcmp(in->p, "\177ELF", 4) == 0)
		ret = add_elf(f, in, base, err);
	else if (ret == 0)
		ret = add_text(f, in, base, err);
	trc_in_close(in);
	return ret;
}

int
trc_functions_add(struct trc_functions *f, const char *word, struct trc_err *err)
{
	const char *at = strrchr(word, '@');
	const size_t before = f->n, len = at ? (size_t)(at - word) : strlen(word);
	uint64_t base = 0;
	char path[4096];

	if (len >= sizeof(path) || (at && !trc_opt_number(at + 1, false, &base)))
		return trc_fail_as(err, TRC_USAGE,
		                   "--functions: '%s': write FILE or FILE@BASE, like sort@0x108000",
		                   word);
	memcpy(path, word, len);
	path[len] = 0;
	if (add_file(f, path, base, err))
		return trc_err_in(err, "--functions");
	return f->n > before ? 0 : trc_fail(err, "--functions: %s names no functions", path);
}

/* ---- looking up ---- */

static int
by_address(const void *a, const void *b)
{
	const struct trc_function *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	/* find() takes the last of several functions at one address, so the last in order is the
	 * first that was added, and any with a size comes after those without. */
	if (!x->size != !y->size)
		return x->size ? 1 : -1;
	return x->name < y->name ? 1 : -1;
}

/* Returns the last function that begins at or before `pc`; NULL: none does. */
static const struct trc_function *
find(const struct trc_functions *f, uint64_t pc)
{
	size_t low = 0, high = f->n;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;

		if (f->function[mid].at <= pc)
			low = mid + 1;
		else
			high = mid;
	}
	return low > 0 ? &f->function[low - 1] : NULL;
}

const char *
trc_functions_at(struct trc_functions *f, uint64_t pc)
{
	const struct trc_function *x;

	if (!f->sorted && f->n)
		qsort(f->function, f->n, sizeof(*f->function), by_address);
	f->sorted = true;
	x = find(f, pc);
	if (!x || (x->size && pc - x->at >= x->size))
		return NULL;
	snprintf(f->text, sizeof(f->text), "%.200s", (const char *)f->names.p + x->name);
	if (pc > x->at)
		snprintf(f->text + strlen(f->text), 32, "+0x%" PRIx64, pc - x->at);
	return f->text;
}
