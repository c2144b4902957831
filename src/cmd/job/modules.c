/* SPDX-License-Identifier: MIT */
#include "cmd/job/modules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/interrupt.h"
#include "base/io/in.h"
#include "base/map.h"
#include "batch/provenance.h"
#include "stage/wrap.h"

/* The keys of an entry: of all spaces, and of one, whose number is in front. */
static const char KEY[] = "module", KEY_SPACE[] = "space-module";

/* An entry: the path of a file, where it was loaded, and XXH3 of its bytes; `changed` is true if
 * the file is missing or different now. */
struct module {
	char path[TRC_PROVENANCE_TEXT_MOST + 1];
	struct trc_loaded at;
	uint64_t hash;
	bool changed;
};

/* ---- entries ---- */

/* Computes XXH3 of all bytes of a file. Returns false if its path is not absolute, it is not a
 * regular file, it cannot be read, or a signal came. */
static bool
hash_file(const char *path, uint64_t *hash)
{
	XXH3_state_t *sum = XXH3_createState();
	FILE *f = *path == '/' && trc_in_regular(path) ? fopen(path, "re") : NULL;
	char block[1 << 14];
	struct trc_err stop;
	size_t n;
	bool good = sum && f && XXH3_64bits_reset(sum) == XXH_OK;

	while (good && (n = fread(block, 1, sizeof(block), f)) > 0) {
		(void)XXH3_64bits_update(sum, block, n);
		good = !trc_interrupted(&stop);
	}
	good = good && !ferror(f);
	if (good)
		*hash = XXH3_64bits_digest(sum);
	if (f)
		fclose(f);
	XXH3_freeState(sum);
	return good;
}

static bool
has_entry(const struct trc_buf *list, const char *key, const char *text, size_t len)
{
	struct trc_view rest = trc_buf_view(list);
	struct trc_provenance_entry e;

	while (rest.p < rest.end && trc_provenance_next(&rest, &e))
		if (strcmp(e.key, key) == 0 && e.len == len && memcmp(e.text, text, len) == 0)
			return true;
	return false;
}

int
trc_modules_put_in(struct trc_buf *list, uint64_t space, const char *path, uint64_t bias,
                   struct trc_err *err)
{
	const char *key = space == TRC_FUNCTIONS_ANY ? KEY : KEY_SPACE;
	char text[TRC_PROVENANCE_TEXT_MOST + 1] = "";
	uint64_t hash, lo, hi;
	size_t n;

	if (!trc_functions_range(path, &lo, &hi) || !hash_file(path, &hash))
		return 0;
	if (space != TRC_FUNCTIONS_ANY)
		snprintf(text, sizeof(text), "%" PRIu64 " ", space);
	n = strlen(text);
	n += (size_t)snprintf(text + n, sizeof(text) - n,
	                      "%" PRIx64 "-%" PRIx64 " %" PRIx64 " %016" PRIx64 " %s", lo + bias,
	                      hi + bias, bias, hash, path);
	if (n >= sizeof(text) || has_entry(list, key, text, n))
		return 0;
	return trc_provenance_put(list, key, text, n, err);
}

int
trc_modules_put(void *list, const char *path, uint64_t bias, struct trc_err *err)
{
	return trc_modules_put_in(list, TRC_FUNCTIONS_ANY, path, bias, err);
}

/* Formats the path of the file `rest` in the folder of the trace. Returns true if it is there. */
static bool
find_log(const char *trace, const char *rest, char *path, size_t room)
{
	const char *slash = strrchr(trace, '/');
	const int folder = slash ? (int)(slash - trace) : 1;

	return snprintf(path, room, "%.*s/%s", folder, slash ? trace : ".", rest) < (int)room &&
	       trc_in_regular(path);
}

int
trc_modules_put_log(struct trc_buf *list, const char *trace, struct trc_err *err)
{
	char path[4096];

	if (!find_log(trace, "modules.log", path, sizeof(path)) &&
	    !find_log(trace, "../raw/modules.log", path, sizeof(path)))
		return 0;
	return trc_functions_log(path, trc_modules_put, list, err);
}

/* ---- a source with entries ---- */

struct modules {
	struct trc_wrap wrap;
	struct trc_buf own, list;
	int (*fill)(void *of, struct trc_buf *list, struct trc_err *err);
	void *of;
	bool known;
};

static int
take_meta(struct trc_wrap *w, bool ended, struct trc_err *err)
{
	struct modules *m = (struct modules *)w;
	const struct trc_view before = m->wrap.from->meta.provenance;

	if (ended && !m->known && m->fill(m->of, &m->own, err))
		return -1;
	m->list.n = 0;
	if (trc_buf_put(&m->list, before.p, (size_t)(before.end - before.p), err))
		return -1;
	if (m->list.n + m->own.n <= TRC_PROVENANCE_MOST &&
	    trc_buf_put(&m->list, m->own.p, m->own.n, err))
		return -1;
	m->wrap.src.meta.provenance = trc_buf_view(&m->list);
	return 0;
}

static enum trc_flow
modules_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	return trc_wrap_next((struct trc_wrap *)src, b, err);
}

static void
modules_close(struct trc_source *src)
{
	struct modules *m = (struct modules *)src;

	trc_buf_release(&m->own);
	trc_buf_release(&m->list);
	trc_wrap_close(src);
}

struct trc_source *
trc_modules_source(struct trc_source *from,
                   int (*fill)(void *of, struct trc_buf *list, struct trc_err *err), void *of,
                   bool known, struct trc_err *err)
{
	struct modules *m = trc_wrap_pass(sizeof(*m), from, modules_next, err);

	if (!m)
		return NULL;
	m->fill = fill;
	m->of = of;
	m->known = known;
	m->wrap.take_meta = take_meta;
	m->wrap.src.close = modules_close;
	if ((known && fill(of, &m->own, err)) || take_meta(&m->wrap, false, err)) {
		trc_buf_release(&m->own);
		trc_buf_release(&m->list);
		return trc_wrap_fail(&m->wrap.src);
	}
	return &m->wrap.src;
}

/* ---- functions ---- */

/* Parses an entry, and checks if the file has changed. Returns false if it is another entry, or
 * malformed. */
static bool
read_module(const struct trc_provenance_entry *e, struct module *m)
{
	const bool one = strcmp(e->key, KEY_SPACE) == 0;
	char text[TRC_PROVENANCE_TEXT_MOST + 1];
	int front = 0, at = 0;
	uint64_t hash;

	if (!one && strcmp(e->key, KEY) != 0)
		return false;
	memcpy(text, e->text, e->len);
	text[e->len] = 0;
	m->at = (struct trc_loaded){ .space = TRC_FUNCTIONS_ANY };
	if ((one && sscanf(text, "%" SCNu64 " %n", &m->at.space, &front) != 1) ||
	    sscanf(text + front, "%" SCNx64 "-%" SCNx64 " %" SCNx64 " %" SCNx64 " %n", &m->at.lo,
	           &m->at.hi, &m->at.bias, &m->hash, &at) != 4 ||
	    !at)
		return false;
	strcpy(m->path, text + front + at);
	m->changed = !hash_file(m->path, &hash) || hash != m->hash;
	return true;
}

static bool
is_same_file(const struct module *a, const struct module *b)
{
	return a->hash == b->hash && strcmp(a->path, b->path) == 0;
}

/* Returns true if `m` is among the first `n` modules: traces that were joined may share a file. */
static bool
is_known(const struct module *module, size_t n, const struct module *m)
{
	while (n > 0 && (module[n - 1].at.space != m->at.space ||
	                 module[n - 1].at.bias != m->at.bias || !is_same_file(&module[n - 1], m)))
		n--;
	return n > 0;
}

static int
read_modules(struct trc_view list, struct module **module, size_t *n, size_t *cap,
             struct trc_err *err)
{
	struct trc_provenance_entry e;

	while (list.p < list.end && trc_provenance_next(&list, &e)) {
		if (trc_grow(module, cap, *n + 1, sizeof(**module), err))
			return -1;
		if (read_module(&e, &(*module)[*n]) && !is_known(*module, *n, &(*module)[*n]))
			++*n;
	}
	return 0;
}

/* Returns true if two modules were at the same addresses, maybe of the same space. */
static bool
overlaps(const struct trc_loaded *a, const struct trc_loaded *b)
{
	return a->lo < b->hi && b->lo < a->hi &&
	       (a->space == b->space || a->space == TRC_FUNCTIONS_ANY ||
	        b->space == TRC_FUNCTIONS_ANY);
}

static bool
is_shared(const struct module *module, size_t n, size_t i)
{
	for (size_t k = 0; k < n; k++)
		if (k != i && overlaps(&module[k].at, &module[i].at))
			return true;
	return false;
}

/* Adds where module `i` was loaded, and its functions unless an earlier one is the same file. */
static int
load(struct trc_functions *f, struct module *module, size_t i, struct trc_err *err)
{
	size_t k = 0;

	while (k < i && (!module[k].at.file || !is_same_file(&module[k], &module[i])))
		k++;
	module[i].at.file = module[k].at.file;
	if (k == i && trc_functions_file(f, module[i].path, &module[i].at.file, err))
		return -1;
	return trc_functions_load(f, &module[i].at, err);
}

int
trc_modules_functions(struct trc_functions *f, struct trc_view provenance,
                      struct trc_modules_lost *lost, struct trc_err *err)
{
	struct module *module = NULL;
	size_t n = 0, cap = 0;
	int ret = read_modules(provenance, &module, &n, &cap, err);

	for (size_t i = 0; ret == 0 && i < n; i++) {
		if (module[i].changed)
			lost->changed++;
		else if (is_shared(module, n, i))
			lost->shared++;
		else
			ret = load(f, module, i, err);
	}
	free(module);
	return ret;
}
