/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* realpath() */
#include "cmd/names/manifest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io/in.h"
#include "base/io/reads.h"
#include "base/opt.h"
#include "cmd/names/folder.h"

enum {
	BEGINNING = sizeof(TRC_MANIFEST_BEGINNING) - 1,
	MARK = 3,
	VALUE_MOST = 64,
	LINE_MOST = 8192
};

/* Skips the byte order mark with which some editors begin a text of `n` bytes. */
static const char *
pass_mark(const char *text, size_t n)
{
	return n >= MARK && memcmp(text, "\xef\xbb\xbf", MARK) == 0 ? text + MARK : text;
}

bool
trc_manifest_is(const char *path)
{
	char head[MARK + BEGINNING];
	const char *from;
	FILE *f;
	size_t n;
	bool is;

	if (strcmp(path, "-") == 0 || !trc_in_regular(path))
		return false;
	f = fopen(path, "r");
	n = f ? fread(head, 1, sizeof(head), f) : 0;
	from = pass_mark(head, n);
	is = n - (size_t)(from - head) >= BEGINNING &&
	     memcmp(from, TRC_MANIFEST_BEGINNING, BEGINNING) == 0;
	if (f)
		fclose(f);
	return is;
}

/* ---- a line ---- */

static int
take_bytes(struct trc_manifest_file *f, const char *value)
{
	f->sized = trc_opt_number(value, false, &f->size);
	return f->sized ? 0 : -1;
}

static int
take_fingerprint(struct trc_manifest_file *f, const char *value)
{
	char *end;

	f->fingerprint = strtoull(value, &end, 16);
	f->marked = strlen(value) == 16 && strspn(value, "0123456789abcdefABCDEF") == 16;
	return f->marked ? 0 : -1;
}

/* Parses "7-9", "7-" or "7". */
static int
take_range(struct trc_manifest_file *f, const char *value)
{
	char first[VALUE_MOST + 1];
	const size_t len = strcspn(value, "-");

	if (f->ranged)
		return -1;
	f->ranged = true;
	f->last = UINT64_MAX;
	snprintf(first, sizeof(first), "%.*s", (int)len, value);
	if (!trc_opt_number(first, false, &f->first) || f->first == 0)
		return -1;
	if (!value[len])
		f->last = f->first;
	else if (value[len + 1] && !trc_opt_number(value + len + 1, false, &f->last))
		return -1;
	return f->last >= f->first ? 0 : -1;
}

static int
take_blocks(struct trc_manifest_file *f, const char *value)
{
	f->blocks = true;
	return take_range(f, value);
}

static const struct key {
	const char *name, *expected;
	int (*take)(struct trc_manifest_file *f, const char *value);
} keys[] = {
	{ "bytes=", "bytes=NUMBER", take_bytes },
	{ "fingerprint=", "fingerprint= and 16 hexadecimal digits", take_fingerprint },
	{ "records=", "one range, records=FIRST-LAST, from 1", take_range },
	{ "blocks=", "one range, blocks=FIRST-LAST, from 1", take_blocks },
};

static const struct key *
key_at(const char *p)
{
	for (size_t i = 0; i < TRC_COUNT(keys); i++)
		if (strncmp(p, keys[i].name, strlen(keys[i].name)) == 0)
			return &keys[i];
	return NULL;
}

/* Parses the keys before the name, and advances *p to the name. */
static int
take_keys(struct trc_manifest_file *f, const char **p, struct trc_err *err)
{
	const struct key *key;

	while ((key = key_at(*p))) {
		const size_t len = strcspn(*p, " \t"), name = strlen(key->name);
		char value[VALUE_MOST + 1];

		snprintf(value, sizeof(value), "%.*s", (int)(len - name), *p + name);
		if (len - name > VALUE_MOST || key->take(f, value))
			return trc_fail(err, "'%.*s': expected %s", (int)(len < 80 ? len : 80), *p,
			                key->expected);
		*p += len;
		*p += strspn(*p, " \t");
	}
	return **p ? 0 :
	             trc_fail(err, "does not name a file; expected a line such as "
	                           "'records=1-1000 a.din'");
}

char *
trc_manifest_name(const char *answer, const char *path, struct trc_err *err)
{
	const char *slash = answer ? strrchr(answer, '/') : NULL;
	const size_t folder = slash ? (size_t)(slash + 1 - answer) : 0;
	const bool below = strncmp(path, answer ? answer : "", folder) == 0;
	char *name;

	if (below || *path == '/')
		return trc_strdup(path + (below ? folder : 0), err);
	name = realpath(path, NULL);
	if (!name)
		trc_fail_errno(err, errno, "'%s': this name cannot be written in a manifest", path);
	return name;
}

char *
trc_manifest_beside(const char *manifest, const char *name, struct trc_err *err)
{
	const char *slash = strrchr(manifest, '/');
	char *folder, *path;

	if (!slash || *name == '/')
		return trc_strdup(name, err);
	folder = trc_strdup(manifest, err);
	if (!folder)
		return NULL;
	folder[slash - manifest + 1] = 0;
	path = trc_folder_join(folder, name, err);
	free(folder);
	return path;
}

static int
take_line(struct trc_manifest *m, const char *path, size_t number, const char *line,
          struct trc_err *err)
{
	struct trc_manifest_file f = { .line = number };

	line += strspn(line, " \t");
	if (!*line || *line == '#')
		return 0;
	if (take_keys(&f, &line, err))
		return -1;
	f.path = trc_manifest_beside(path, line, err);
	if (!f.path || trc_grow(&m->file, &m->cap, m->n + 1, sizeof(*m->file), err)) {
		free(f.path);
		return -1;
	}
	m->file[m->n++] = f;
	return 0;
}

/* ---- all ---- */

static int
take_first(const char *line, struct trc_err *err)
{
	if (strcmp(line, TRC_MANIFEST_BEGINNING " 1") == 0)
		return 0;
	return trc_fail(err, "'%.40s': this trc reads '" TRC_MANIFEST_BEGINNING " 1'", line);
}

/* Reads a line; returns false at the end of the file. Of a line that is too long, it reads just
 * enough to show that. */
static bool
next_line(FILE *f, char line[LINE_MOST + 2], size_t *len)
{
	int c = getc(f);

	*len = 0;
	if (c == EOF)
		return false;
	for (; c != EOF && c != '\n' && *len <= LINE_MOST; c = getc(f))
		line[(*len)++] = (char)c;
	while (*len > 0 && line[*len - 1] == '\r')
		--*len;
	line[*len] = 0;
	return true;
}

static int
read_lines(struct trc_manifest *m, const char *path, FILE *f, struct trc_err *err)
{
	char line[LINE_MOST + 2];
	size_t number = 0, len;
	int ret = 0;

	errno = 0;
	while (ret == 0 && next_line(f, line, &len)) {
		number++;
		if (len > LINE_MOST)
			ret = trc_fail(err,
			               "is longer than %d bytes, the limit for a line with a name",
			               LINE_MOST);
		else if (memchr(line, 0, len))
			ret = trc_fail(err, "has a NUL byte, which is not allowed in names");
		else
			ret = number == 1 ? take_first(pass_mark(line, len), err) :
			                    take_line(m, path, number, line, err);
		if (ret)
			trc_err_in(err, "%s:%zu", path, number);
		errno = 0;
	}
	if (ret == 0 && !feof(f))
		ret = trc_fail_errno(err, errno, "cannot read '%s'", path);
	else if (ret == 0 && m->n == 0)
		ret = trc_fail(err, "%s: names no files; 'trc stat --manifest FILE...' makes one",
		               path);
	return ret;
}

int
trc_manifest_read(struct trc_manifest *m, const char *path, struct trc_err *err)
{
	FILE *f = fopen(path, "r");
	int ret;

	*m = (struct trc_manifest){ 0 };
	if (!f)
		return trc_fail_errno(err, errno, "cannot open '%s'", path);
	ret = trc_reads_add_path(path, err) ? -1 : read_lines(m, path, f, err);
	fclose(f);
	if (ret)
		trc_manifest_release(m);
	return ret;
}

void
trc_manifest_release(struct trc_manifest *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->file[i].path);
	free(m->file);
	*m = (struct trc_manifest){ 0 };
}
