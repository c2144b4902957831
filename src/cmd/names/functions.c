/* SPDX-License-Identifier: MIT */
#include "cmd/names/functions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/io/in.h"
#include "base/opt.h"

/* A function of a file, or of file 0, which --functions names. If its size is 0, it extends to the
 * next one. */
struct trc_function {
	size_t file;
	uint64_t at, size;
	uint32_t name, len; /* offset and length of its name in `names` */
};

void
trc_functions_release(void *of)
{
	struct trc_functions *f = of;

	free(f->function);
	free(f->loaded);
	trc_buf_release(&f->names);
	f->function = NULL;
	f->loaded = NULL;
	f->n = f->cap = f->loads = f->loaded_cap = 0;
}

static int
add(struct trc_functions *f, uint64_t at, uint64_t size, const char *name, size_t len,
    struct trc_err *err)
{
	if (len == 0)
		return 0;
	if (trc_grow(&f->function, &f->cap, f->n + 1, sizeof(*f->function), err))
		return -1;
	if (f->names.n > UINT32_MAX - len - 1)
		return trc_fail(err, "the names of all functions are more than 4 GiB");
	f->function[f->n] = (struct trc_function){ f->files, at, size, (uint32_t)f->names.n,
		                                   (uint32_t)len };
	if (trc_buf_put(&f->names, name, len, err) || trc_buf_put(&f->names, "", 1, err))
		return -1;
	f->n++;
	f->sorted = false;
	return 0;
}

static int add_file(struct trc_functions *f, const char *path, uint64_t base, struct trc_err *err);

/* ---- ELF: the System V ABI, chapter 4, and its supplement for 64 bits ---- */

enum {
	HEADER = 64,
	SECTION = 64,
	SYMBOL = 24,
	SEGMENT = 56,
	LOAD = 1,       /* segment type */
	EXECUTABLE = 1, /* segment flag */
	SYMTAB = 2,     /* section types */
	DYNSYM = 11,
	NOTE = 7,
	BUILD_ID = 3, /* note type */
	FUNC = 2,     /* symbol types */
	IFUNC = 10,
};

/* An ELF file that was loaded `base` above the addresses in it. */
struct elf {
	struct trc_in *in;
	uint8_t header[HEADER];
	uint64_t base;
};

/* The fields of a section header that are used here. */
struct section {
	uint64_t type, addr, at, size, link;
};

static bool
section_of(const struct elf *e, uint64_t i, struct section *s)
{
	uint8_t b[SECTION];

	if (i >= trc_le16(e->header + 60) ||
	    !trc_in_read_at(e->in, trc_le64(e->header + 40) + i * SECTION, b, sizeof(b)))
		return false;
	*s = (struct section){ trc_le32(b + 4), trc_le64(b + 16), trc_le64(b + 24),
		               trc_le64(b + 32), trc_le32(b + 40) };
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

/* Returns the size of a symbol. A symbol without a size, such as _init, extends to the end of its
 * section, because other code begins there. */
static uint64_t
size_of(const struct elf *e, const uint8_t *symbol)
{
	const uint64_t at = trc_le64(symbol + 8), size = trc_le64(symbol + 16);
	struct section s;

	if (size || !section_of(e, trc_le16(symbol + 6), &s) || at - s.addr >= s.size)
		return size;
	return s.size - (at - s.addr);
}

static int
add_symbols(struct trc_functions *f, const struct elf *e, const uint8_t *symbol, uint64_t n,
            const uint8_t *names, uint64_t room, struct trc_err *err)
{
	for (const uint8_t *s = symbol; n > 0; n--, s += SYMBOL) {
		const unsigned type = s[4] & 15;
		const uint32_t name = trc_le32(s);

		if ((type != FUNC && type != IFUNC) || trc_le16(s + 6) == 0 || name >= room)
			continue;
		if (add(f, trc_le64(s + 8) + e->base, size_of(e, s), (const char *)names + name,
		        strlen((const char *)names + name), err))
			return -1;
	}
	return 0;
}

static int
add_table(struct trc_functions *f, const struct elf *e, const struct section *table,
          struct trc_err *err)
{
	struct section names;
	uint8_t *symbols, *text;
	int ret = -1;

	if (!section_of(e, table->link, &names))
		return trc_fail(err, "%s: its symbols have no names", e->in->name);
	symbols = bytes_of(e->in, table, err);
	text = symbols ? bytes_of(e->in, &names, err) : NULL;
	if (text)
		ret = add_symbols(f, e, symbols, table->size / SYMBOL, text, names.size, err);
	free(symbols);
	free(text);
	return ret;
}

/* Reads up to `room` bytes of the build ID, if the section begins with one. Returns its length. */
static size_t
build_id_of(const struct elf *e, const struct section *s, uint8_t *id, size_t room)
{
	enum { FRONT = 16 }; /* the sizes of name and ID, the type, and "GNU" */
	uint8_t b[FRONT];
	uint32_t n;

	if (s->type != NOTE || !trc_in_read_at(e->in, s->at, b, FRONT) || trc_le32(b) != 4 ||
	    trc_le32(b + 8) != BUILD_ID || memcmp(b + 12, "GNU", 4) != 0)
		return 0;
	n = trc_le32(b + 4) < room ? trc_le32(b + 4) : (uint32_t)room;
	return trc_in_read_at(e->in, s->at + FRONT, id, n) ? n : 0;
}

/* Adds the symbols of the separate debug file, found by the build ID, if it is installed. */
static int
add_debug(struct trc_functions *f, const struct elf *e, struct trc_err *err)
{
	char path[128] = "/usr/lib/debug/.build-id/";
	size_t n = 0, len = strlen(path);
	struct section s;
	struct trc_err none;
	uint8_t id[32];

	for (uint64_t i = 0; n == 0 && section_of(e, i, &s); i++)
		n = build_id_of(e, &s, id, sizeof(id));
	for (size_t i = 0; i < n; i++)
		len += (size_t)snprintf(path + len, sizeof(path) - len, i ? "%02x" : "%02x/",
		                        id[i]);
	snprintf(path + len, sizeof(path) - len, ".debug");
	if (n == 0 || strcmp(path, e->in->name) == 0 || add_file(f, path, e->base, &none) == 0 ||
	    none.code == TRC_FAILED || none.code == TRC_SYSTEM)
		return 0;
	*err = none;
	return -1;
}

/* Adds the symbols of an ELF file: from the full table (SYMTAB) if there is one, else from the
 * dynamic one (DYNSYM) and a separate debug file. */
static int
add_elf(struct trc_functions *f, struct trc_in *in, uint64_t base, struct trc_err *err)
{
	struct elf e = { .in = in, .base = base };
	struct section s, best = { .type = 0 };

	if (!trc_in_read_at(in, 0, e.header, sizeof(e.header)) || e.header[4] != 2 ||
	    e.header[5] != 1 || trc_le16(e.header + 58) != SECTION)
		return trc_fail(err,
		                "%s: not a 64-bit little-endian ELF file with sections (or it is "
		                "packed)",
		                in->name);
	for (uint64_t i = 0; section_of(&e, i, &s); i++)
		if (s.type == SYMTAB || (s.type == DYNSYM && best.type == 0))
			best = s;
	if (best.type == 0)
		return trc_fail(err, "%s: has no symbols", in->name);
	if (best.type == DYNSYM && add_debug(f, &e, err))
		return -1;
	return add_table(f, &e, &best, err);
}

/* Addresses [lo, hi). */
struct range {
	uint64_t lo, hi;
};

/* Extends a range by a segment, if it is loaded. */
static void
add_segment(void *of, const uint8_t *b)
{
	struct range *r = of;
	const uint64_t at = trc_le64(b + 16), end = at + trc_le64(b + 40);

	if (trc_le32(b) != LOAD || end < at)
		return;
	r->lo = at < r->lo ? at : r->lo;
	r->hi = end > r->hi ? end : r->hi;
}

/* Calls each(of, segment) for the program headers of an ELF file, if it is one. */
static void
each_segment(const char *path, void (*each)(void *of, const uint8_t *segment), void *of)
{
	struct trc_err none;
	struct trc_in *in = trc_in_regular(path) ? trc_in_open(path, &none) : NULL;
	uint8_t header[HEADER], b[SEGMENT];

	if (in && trc_in_fill(in, HEADER, &none) == 0 && in->end - in->p >= HEADER &&
	    memcmp(in->p, "\177ELF\2\1", 6) == 0 && trc_in_read_at(in, 0, header, sizeof(header)) &&
	    trc_le16(header + 54) == SEGMENT)
		for (uint64_t i = 0; i < trc_le16(header + 56); i++)
			if (trc_in_read_at(in, trc_le64(header + 32) + i * SEGMENT, b, sizeof(b)))
				each(of, b);
	trc_in_close(in);
}

bool
trc_functions_range(const char *path, uint64_t *lo, uint64_t *hi)
{
	struct range r = { UINT64_MAX, 0 };

	each_segment(path, add_segment, &r);
	*lo = r.lo;
	*hi = r.hi;
	return r.lo < r.hi;
}

/* A byte of a file, and its address in the segment that has it: the one with code if several do. */
struct place {
	uint64_t offset, addr;
	bool found;
};

static void
find_place(void *of, const uint8_t *b)
{
	struct place *p = of;
	const uint64_t offset = trc_le64(b + 8), size = trc_le64(b + 32);
	const uint32_t flags = trc_le32(b + 4);

	if (trc_le32(b) != LOAD || p->offset - offset >= size || p->offset < offset ||
	    (p->found && !(flags & EXECUTABLE)))
		return;
	p->addr = trc_le64(b + 16) + (p->offset - offset);
	p->found = true;
}

bool
trc_functions_bias(const char *path, uint64_t offset, uint64_t addr, uint64_t *bias)
{
	struct place p = { .offset = offset };

	each_segment(path, find_place, &p);
	*bias = addr - p.addr;
	return p.found;
}

/* ---- text ---- */

enum { LINE = 4096 };

/* Adds a line "ADDRESS T NAME" or "ADDRESS SIZE T NAME" as nm prints it, or "ADDRESS SIZE NAME" as
 * perf does. Only nm pads addresses to 16 digits, which distinguishes the two: a type may also be a
 * hexadecimal digit. */
static int
add_line(struct trc_functions *f, const char *line, uint64_t base, struct trc_err *err)
{
	const bool nm = line[0] == '0' || strspn(line, "0123456789abcdef") == 16;
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

/* Returns the path in a line of modules.log: id, containing id, start, end, entry, offset,
 * preferred base, path. NULL: the line is not the first of a module. */
static char *
module_of(char *line, uint64_t *bias)
{
	unsigned long long id, in, start, stop, entry, offset, preferred;
	char *path = strrchr(line, ',');

	if (!path ||
	    sscanf(line, " %llu, %llu, %llx, %llx, %llx, %llx, %llx", &id, &in, &start, &stop,
	           &entry, &offset, &preferred) != 7 ||
	    id != in)
		return NULL;
	path += 1 + strspn(path + 1, " ");
	path[strcspn(path, "\r\n")] = 0;
	*bias = start - preferred;
	return path;
}

/* Adds the functions of the module in a line. A file that cannot be read has none. */
static int
add_module(struct trc_functions *f, char *line, struct trc_err *err)
{
	uint64_t bias;
	const char *path = module_of(line, &bias);
	struct trc_err none;

	if (!path || !trc_in_regular(path) || add_file(f, path, bias, &none) == 0 ||
	    none.code == TRC_FAILED || none.code == TRC_SYSTEM)
		return 0;
	*err = none;
	return -1;
}

/* Copies the next line, cut to LINE - 1 bytes. Returns 1, 0 at the end, or -1 if reading fails. */
static int
next_line(struct trc_in *in, char line[LINE], struct trc_err *err)
{
	const uint8_t *end;
	size_t len;

	if (trc_in_line(in, &end, err))
		return -1;
	len = (size_t)(end - in->p);
	snprintf(line, LINE, "%.*s", (int)(len < LINE ? len : LINE - 1), (const char *)in->p);
	in->p = end;
	return len > 0;
}

static int
add_text(struct trc_functions *f, struct trc_in *in, uint64_t base, struct trc_err *err)
{
	bool modules = false;
	char line[LINE];
	int more;

	while ((more = next_line(in, line, err)) > 0) {
		modules |= strncmp(line, "Module Table", 12) == 0;
		if (modules ? add_module(f, line, err) : add_line(f, line, base, err))
			return -1;
	}
	return more;
}

int
trc_functions_log(const char *path,
                  int (*each)(void *of, const char *path, uint64_t bias, struct trc_err *err),
                  void *of, struct trc_err *err)
{
	struct trc_in *in = trc_in_open(path, err);
	char line[LINE];
	const char *name;
	uint64_t bias;
	int more = in ? 1 : -1;

	while (more > 0 && (more = next_line(in, line, err)) > 0) {
		name = module_of(line, &bias);
		if (name && each(of, name, bias, err))
			more = -1;
	}
	trc_in_close(in);
	return more;
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

int
trc_functions_file(struct trc_functions *f, const char *path, size_t *number, struct trc_err *err)
{
	struct trc_err none;

	*number = ++f->files;
	if (add_file(f, path, 0, &none) == 0 || none.code == TRC_FAILED || none.code == TRC_SYSTEM)
		return 0;
	*err = none;
	return -1;
}

int
trc_functions_load(struct trc_functions *f, const struct trc_loaded *loaded, struct trc_err *err)
{
	if (trc_grow(&f->loaded, &f->loaded_cap, f->loads + 1, sizeof(*loaded), err))
		return -1;
	f->loaded[f->loads++] = *loaded;
	return 0;
}

/* ---- looking up ---- */

static int
by_address(const void *a, const void *b)
{
	const struct trc_function *x = a, *y = b;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	/* function_at() takes the last of several functions at one address, so the preferred one
	 * comes last: with a size, the smallest; then with the shortest name; then the one added
	 * first. */
	if (x->size != y->size)
		return !x->size ? -1 : !y->size ? 1 : x->size > y->size ? -1 : 1;
	if (x->len != y->len)
		return x->len > y->len ? -1 : 1;
	return x->name < y->name ? 1 : -1;
}

/* Finds the file at `pc`, and sets *at to the address in it: file 0 if none is loaded there.
 * Returns false if different files are, or one at different addresses. */
static bool
find_file(const struct trc_functions *f, uint32_t space, uint64_t pc, size_t *file, uint64_t *at)
{
	const struct trc_loaded *found = NULL;

	for (size_t i = 0; i < f->loads; i++) {
		const struct trc_loaded *m = &f->loaded[i];

		if (pc - m->lo >= m->hi - m->lo ||
		    (space && m->space != space && m->space != TRC_FUNCTIONS_ANY))
			continue;
		if (found && (found->file != m->file || found->bias != m->bias))
			return false;
		found = m;
	}
	*file = found ? found->file : 0;
	*at = found ? pc - found->bias : pc;
	return true;
}

/* Returns the last function of a file that begins at or before `at`; NULL: none does. */
static const struct trc_function *
function_at(const struct trc_functions *f, size_t file, uint64_t at)
{
	size_t low = 0, high = f->n;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;

		if (f->function[mid].file < file ||
		    (f->function[mid].file == file && f->function[mid].at <= at))
			low = mid + 1;
		else
			high = mid;
	}
	return low > 0 && f->function[low - 1].file == file ? &f->function[low - 1] : NULL;
}

const char *
trc_functions_name(const struct trc_functions *f, size_t number)
{
	return number ? (const char *)f->names.p + f->function[number - 1].name : NULL;
}

/* Returns the function that contains `pc`, and sets *at to its address there; NULL: none does. */
static const struct trc_function *
look_up(struct trc_functions *f, uint32_t space, uint64_t pc, uint64_t *at)
{
	const struct trc_function *x;
	size_t file;

	if (!f->sorted && f->n)
		qsort(f->function, f->n, sizeof(*f->function), by_address);
	f->sorted = true;
	x = find_file(f, space, pc, &file, at) ? function_at(f, file, *at) : NULL;
	return x && (!x->size || *at - x->at < x->size) ? x : NULL;
}

size_t
trc_functions_number(struct trc_functions *f, uint32_t space, uint64_t pc)
{
	uint64_t at;
	const struct trc_function *x = look_up(f, space, pc, &at);

	return x ? (size_t)(x - f->function) + 1 : 0;
}

const char *
trc_functions_at(struct trc_functions *f, uint32_t space, uint64_t pc)
{
	uint64_t at;
	const struct trc_function *x = look_up(f, space, pc, &at);

	if (!x)
		return NULL;
	snprintf(f->text, sizeof(f->text), "%.200s", (const char *)f->names.p + x->name);
	if (at > x->at)
		snprintf(f->text + strlen(f->text), 32, "+0x%" PRIx64, at - x->at);
	return f->text;
}
