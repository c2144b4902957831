/* SPDX-License-Identifier: MIT */
#include "cmd/names/archive.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io/in.h"
#include "base/io/packing.h"
#include "cmd/names/folder.h"

enum { FILES_MOST = 1 << 16, NAME_MOST = 16 << 10 };

static const char standard_input[] = "/dev/stdin";

/* An archive and the paths of its files. */
struct archive {
	char *path;
	const char **name;
	size_t n, cap;
};

static struct {
	pthread_mutex_t lock;
	struct archive *archive;
	size_t n, cap;
} listed = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Returns true if a tar archive, packed or not, begins with the `n` bytes at `p`. Sets *more if
 * they are too few to see it. */
static bool
begins_tar(const uint8_t *p, size_t n, bool *more)
{
	const struct trc_packing *row = trc_packing_of(p, n);
	struct trc_stream *packed = NULL, *s = NULL;
	uint8_t head[TRC_PACKING_HEAD];
	struct trc_err none = { 0 };
	size_t len = 0, got = 1;

	*more = false;
	if (!row || row->archive)
		return trc_packing_tar_is(p, n);
	packed = trc_stream_memory(p, n, n, &none);
	s = packed ? trc_unpack_open(row, packed, p, 0, NULL, &none) : NULL;
	for (; s && got > 0 && len < sizeof(head); len += got)
		if (s->read(s, head + len, sizeof(head) - len, &got, &none))
			got = 0;
	trc_stream_close(s ? s : packed);
	*more = s && len < sizeof(head);
	return trc_packing_tar_is(head, len);
}

/* Returns true if the file may be an archive, judging by its first bytes and, if it is packed, by
 * its name or by what these unpack to: bzip2 gives nothing before a whole block. */
static bool
may_be(const char *path)
{
	static const char *const packed[] = { ".tar.", ".tgz", ".txz", ".tbz", ".tzst" };
	static uint8_t head[TRC_STREAM_LOOK];
	struct trc_err none = { 0 };
	const struct trc_packing *row = NULL;
	struct trc_stream *s = NULL;
	struct stat st;
	uint64_t size;
	size_t n = 0;
	bool more;

	if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > TRC_PACKING_HEAD / 8)
		s = trc_stream_file(path, &size, &none);
	if (s && s->read_at) {
		n = s->size < sizeof(head) ? (size_t)s->size : sizeof(head);
		row = s->read_at(s, 0, head, n) ? trc_packing_of(head, n) : NULL;
	}
	trc_stream_close(s);
	for (size_t i = 0; row && i < TRC_COUNT(packed); i++)
		if (row->archive || strstr(path, packed[i]))
			return true;
	return row && begins_tar(head, n, &more);
}

/* Sets *is if a tar archive, packed or not, comes from a pipe. Most packings give nothing before a
 * whole block has come, so more is looked at until they do. */
static int
look_for_tar(bool *is, struct trc_err *err)
{
	const uint8_t *p;
	size_t n = 0, want;
	bool more;

	do {
		want = 2 * n + 1;
		if (trc_stream_look(want, &p, &n, err))
			return -1;
		*is = begins_tar(p, n, &more);
	} while (!*is && more && n >= want);
	return 0;
}

/* If standard input is an archive, replaces *path "-" by the path of a file that can be read from
 * its beginning. An archive in a pipe is copied to a file first, because its files are read more
 * than once. */
static int
take_input(const char **path, struct trc_err *err)
{
	static bool kept;
	struct stat st;
	bool is;

	if (strcmp(*path, "-") != 0 || fstat(STDIN_FILENO, &st) != 0)
		return 0;
	if (!kept && !S_ISREG(st.st_mode) && !S_ISCHR(st.st_mode)) {
		if (look_for_tar(&is, err))
			return -1;
		if (!is)
			return 0;
		if (trc_stream_keep(err))
			return -1;
		kept = true;
	}
	if (kept || (S_ISREG(st.st_mode) && lseek(STDIN_FILENO, 0, SEEK_CUR) == 0))
		*path = standard_input;
	return 0;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Reads the names of all files, unless they are the chunks of a single trace. */
static int
read_names(struct archive *a, struct trc_in *in, struct trc_err *err)
{
	static const char chunk[] = "chunk.";
	const size_t len = sizeof(chunk) - 1;

	if (trc_in_fill(in, len, err))
		return -1;
	if ((size_t)(in->end - in->p) >= len && memcmp(in->p, chunk, len) == 0)
		return 0;
	while (trc_in_fill(in, NAME_MOST, err) == 0) {
		const char *name = (const char *)in->p;

		if (in->p == in->end)
			return 0;
		if (a->n == FILES_MOST)
			return trc_fail(err, "has more than %d files", FILES_MOST);
		if (trc_grow(&a->name, &a->cap, a->n + 1, sizeof(*a->name), err))
			return -1;
		a->name[a->n] = trc_folder_join(a->path, name, err);
		if (!a->name[a->n++])
			return -1;
		in->p += strlen(name) + 1;
	}
	return -1;
}

/* Sorts the names and refuses duplicates. A tar file has duplicates if a file was appended again,
 * and it is unclear which of the two is meant. */
static int
sort_names(struct archive *a, struct trc_err *err)
{
	if (a->n > 0)
		qsort(a->name, a->n, sizeof(*a->name), by_name);
	for (size_t i = 1; i < a->n; i++)
		if (strcmp(a->name[i - 1], a->name[i]) == 0)
			return trc_fail(err, "'%s' occurs twice", a->name[i]);
	return 0;
}

static struct archive *
list(const char *path, struct trc_err *err)
{
	struct archive a = { .path = trc_strdup(path, err) };
	struct trc_in *in = a.path ? trc_in_names(path, err) : NULL;
	int ret = in ? read_names(&a, in, err) || sort_names(&a, err) : -1;

	if (in && ret)
		trc_err_in(err, "%s", path);
	trc_in_close(in);
	if (ret == 0 && trc_grow(&listed.archive, &listed.cap, listed.n + 1, sizeof(a), err) == 0) {
		listed.archive[listed.n] = a;
		return &listed.archive[listed.n++];
	}
	for (size_t i = 0; i < a.n; i++)
		free((void *)a.name[i]);
	free(a.name);
	free(a.path);
	return NULL;
}

int
trc_archive_files(const char *path, const char *const **name, size_t *n, struct trc_err *err)
{
	struct archive *a = NULL;
	int ret;

	*n = 0;
	pthread_mutex_lock(&listed.lock);
	ret = take_input(&path, err);
	if (ret || !may_be(path)) {
		pthread_mutex_unlock(&listed.lock);
		return ret;
	}
	for (size_t i = 0; !a && i < listed.n; i++)
		if (strcmp(listed.archive[i].path, path) == 0)
			a = &listed.archive[i];
	a = a ? a : list(path, err);
	if (a) {
		*name = a->name;
		*n = a->n > 1 ? a->n : 0;
	}
	pthread_mutex_unlock(&listed.lock);
	return a ? 0 : -1;
}
