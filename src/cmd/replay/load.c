/* SPDX-License-Identifier: MIT
 * What the actions of trc replay share: how much memory, where to, and the way to a package. */
#include "cmd/replay/replay.h"

#include <stdio.h>

#include "machine/bus/extract.h"

enum { MEMORY = 1 << 30 }; /* bytes of guest memory, if --memory is not given */

uint64_t
trc_replay_memory(const struct trc_replay *s)
{
	return s->memory ? s->memory : MEMORY;
}

const char *
trc_replay_output(const struct trc_replay *s, const struct trc_args *args, size_t at,
                  const char *otherwise)
{
	return s->output ? s->output : args->n > at ? args->word[at] : otherwise;
}

static void
tell_extract(const struct trc_extract_counts *k)
{
	fprintf(stderr,
	        "%llu records: %llu fills, %llu write-backs; image of %llu bytes; "
	        "%llu runs of DMA found in inconsistent reads, %llu bytes\n",
	        (unsigned long long)k->records, (unsigned long long)k->fills,
	        (unsigned long long)k->backs, (unsigned long long)k->image,
	        (unsigned long long)k->dma_runs, (unsigned long long)k->dma_bytes);
}

static int
extract(const struct trc_replay *s, struct trc_in *in, struct trc_package *p, struct trc_err *err)
{
	struct trc_extract_counts counts;
	struct trc_bus *bus = trc_bus_open(in, err);
	int ret;

	if (!bus) {
		trc_in_close(in);
		return -1;
	}
	ret = trc_extract(bus, p, &counts, err);
	trc_bus_close(bus);
	if (ret == 0 && !s->out.quiet)
		tell_extract(&counts);
	return ret;
}

int
trc_replay_load(const struct trc_replay *s, const char *path, struct trc_package *p, bool *bus,
                struct trc_err *err)
{
	struct trc_in *in = trc_in_open(path, err);
	bool package;
	int ret;

	if (!in)
		return -1;
	if (trc_in_fill(in, 64, err)) {
		trc_in_close(in);
		return -1;
	}
	package = trc_package_probe(in->p, (size_t)(in->end - in->p));
	if (bus)
		*bus = !package;
	if (!package && !trc_bus_probe(in->p, (size_t)(in->end - in->p))) {
		trc_fail(err,
		         "%s: is neither a package, which trc replay extract writes, nor a bus "
		         "trace, which trc replay record writes",
		         in->name);
		trc_in_close(in);
		return -1;
	}
	if (!package)
		return extract(s, in, p, err);
	ret = trc_package_read(p, in, trc_replay_memory(s), err);
	trc_in_close(in);
	return ret;
}
