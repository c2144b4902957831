/* SPDX-License-Identifier: MIT */
#include "cmd/job/modules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/io/in.h"
#include "base/map.h"
#include "batch/provenance.h"
#include "stage/wrap.h"

static const char KEY[] = "module";

/* An entry: the path of a file, its addresses [lo, hi), how far these are above the addresses in
 * it, and XXH3 of its bytes; `changed` is true if the file is missing or different now. */
struct module {
	char path[TRC_PROVENANCE_TEXT_MOST + 1];
	uint64_t lo, hi, bias, hash;
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
has_entry(const struct trc_buf *list, const char *text, size_t len)
{
	struct trc_view rest = trc_buf_view(list);
	struct trc_provenance_entry e;

	while (rest.p < rest.end && trc_provenance_next(&rest, &e))
		if (strcmp(e.key, KEY) == 0 && e.len == len && memcmp(e.text, text, len) == 0)
			return true;
	return false;
}

int
trc_modules_put(void *of, const char *path, uint64_t bias, struct trc_err *err)
{
	struct trc_buf *list = of;
	char text[TRC_PROVENANCE_TEXT_MOST + 1];
	uint64_t hash, lo, hi;
	int len;

	if (!trc_functions_range(path, &lo, &hi) || !hash_file(path, &hash))
		return 0;
	len = snprintf(text, sizeof(text), "%" PRIx64 "-%" PRIx64 " %" PRIx64 " %016" PRIx64 " %s",
	               lo + bias, hi + bias, bias, hash, path);
	if (len >= (int)sizeof(text) || has_entry(list, text, (size_t)len))
		return 0;
	return trc_provenance_put(list, KEY, text, (size_t)len, err);
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

/* Parses an entry, and checks if the file has changed. Returns false if the entry is malformed. */
static bool
read_module(const struct trc_provenance_entry *e, struct module *m)
{
	char text[TRC_PROVENANCE_TEXT_MOST + 1];
	uint64_t hash;
	int at = 0;

	memcpy(text, e->text, e->len);
	text[e->len] = 0;
	if (sscanf(text, "%" SCNx64 "-%" SCNx64 " %" SCNx64 " %" SCNx64 " %n", &m->lo, &m->hi,
	           &m->bias, &m->hash, &at) != 4 ||
	    !at)
		return false;
	strcpy(m->path, text + at);
	m->changed = !hash_file(m->path, &hash) || hash != m->hash;
	return true;
}

/* Returns true if `m` is among the first `n` modules: traces that were joined may share a file. */
static bool
is_known(const struct module *module, size_t n, const struct module *m)
{
	while (n > 0 && (module[n - 1].bias != m->bias || module[n - 1].hash != m->hash ||
	                 strcmp(module[n - 1].path, m->path) != 0))
		n--;
	return n > 0;
}

static int
read_modules(struct trc_view list, struct module **module, size_t *n, size_t *cap,
             struct trc_err *err)
{
	struct trc_provenance_entry e;

	while (list.p < list.end && trc_provenance_next(&list, &e)) {
		if (strcmp(e.key, KEY) != 0)
			continue;
		if (trc_grow(module, cap, *n + 1, sizeof(**module), err))
			return -1;
		if (read_module(&e, &(*module)[*n]) && !is_known(*module, *n, &(*module)[*n]))
			++*n;
	}
	return 0;
}

static bool
is_shared(const struct module *module, size_t n, size_t i)
{
	for (size_t k = 0; k < n; k++)
		if (k != i && module[k].lo < module[i].hi && module[i].lo < module[k].hi)
			return true;
	return false;
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
			ret = trc_functions_module(f, module[i].path, module[i].bias, err);
	}
	free(module);
	return ret;
}
