/* SPDX-License-Identifier: MIT */
#include "cmd/names/recorded.h"

#include <stdlib.h>
#include <string.h>

static const char *
base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool
begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

/* Returns true for files that DynamoRIO's own reader of a folder skips, by the beginning of their
 * names. */
static bool
is_beside(const char *name)
{
	static const char *const names[] = { "cpu_schedule.bin", "serial_schedule.bin",
		                             "modules.log",      "funclist.log",
		                             "encodings.bin",    "v2p.textproto" };

	for (size_t i = 0; i < TRC_COUNT(names); i++)
		if (begins(name, names[i]))
			return true;
	return false;
}

static bool
is_raw(const char *name)
{
	return begins(name, "drmemtrace.") && strstr(name, ".raw");
}

/* Returns true if `path` is "A/raw/..." and there is an "A/trace/..." among the files from `first`
 * on. */
static bool
was_converted(const struct trc_files *files, size_t first, const char *path)
{
	const char *raw = strstr(path, "/raw/");

	for (size_t i = first; raw && i < files->n; i++)
		if (strncmp(files->file[i].path, path, (size_t)(raw - path)) == 0 &&
		    begins(files->file[i].path + (raw - path), "/trace/"))
			return true;
	return false;
}

/* Returns true if the names of some files show that they are a recording of DynamoRIO. */
static bool
is_recording(const struct trc_files *files, size_t first)
{
	for (size_t i = first; i < files->n; i++) {
		const char *name = base_of(files->file[i].path);

		if (begins(name, "drmemtrace.") || strstr(name, ".memtrace") ||
		    begins(name, "cpu_schedule.bin"))
			return true;
	}
	return false;
}

void
trc_recorded_leave_out(struct trc_files *files, size_t first)
{
	const bool recording = is_recording(files, first);
	size_t n = first;

	for (size_t i = first; recording && i < files->n; i++) {
		struct trc_file *file = &files->file[i];
		const char *name = base_of(file->path);

		file->left_out = is_beside(name) ||
		                 (is_raw(name) && was_converted(files, first, file->path));
	}
	for (size_t i = first; i < files->n; i++) {
		if (files->file[i].left_out)
			free(files->file[i].path);
		else
			files->file[n++] = files->file[i];
	}
	files->n = n;
}

int
trc_recorded_refuse(const char *path, struct trc_err *err)
{
	const char *raw = strstr(path, "/raw/"), *name = base_of(path);
	const int len = raw ? (int)(raw - path) : 3;

	if (!is_raw(name))
		return 0;
	path = raw ? path : "DIR";
	return trc_fail(err,
	                "'%s' is raw data of drrun, not yet a trace; convert it to a trace with "
	                "'drrun -t drmemtrace -indir %.*s' (in %.*s/trace)",
	                name, len, path, len, path);
}
