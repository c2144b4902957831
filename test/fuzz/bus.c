/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a bus trace, binary or text, or as a package: read, extracted, written, read again,
 * replayed for a while, from its last checkpoint, too, pruned. Checksums of frames are mended
 * first, so that what is behind them is reached. What fails has a message.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "../unit/generate.h"
#include "base/io/frame.h"
#include "machine/bus/extract.h"
#include "machine/bus/prune.h"
#include "machine/bus/replay.h"

/* Of how many inputs one is pruned: it packs, which takes far longer than all else. */
#ifdef TRC_FUZZ_ENGINE
enum { PRUNE_EVERY = 8 };
#else
enum { PRUNE_EVERY = 1 };
#endif

enum { MEMORY = 4 << 20, INSNS = 2000, PRUNE_INSNS = 5000 };

static void
check_sentence(const struct trc_err *err)
{
	if (err->code == TRC_OK || !*err->text || !memchr(err->text, 0, sizeof(err->text)))
		abort();
}

/* Gives each frame the checks that its bytes would have. */
static void
mend(uint8_t *p, size_t len)
{
	for (size_t at = 0, n; (n = trc_frame_mend(p + at, len - at)) > 0; at += n)
		;
}

/* From the last checkpoint on, or from the beginning. */
static void
run(const struct trc_package *p, bool last, struct trc_bus *against)
{
	const size_t marks = p->checkpoints.n;
	const struct trc_replay_how how = {
		.skip = last && marks ? p->checkpoints.c[marks - 1].count : 0,
		.limit = INSNS,
		.against = against,
		.memory = MEMORY,
	};
	struct trc_replay_report report;
	struct trc_batch b = { 0 };
	enum trc_flow flow;
	struct trc_err err;
	struct trc_source *src = trc_replay_source(p, &how, TRC_HART_HAS, &report, &err);

	if (!src) {
		check_sentence(&err);
		return;
	}
	if (trc_batch_init(&b, src->have, TRC_BATCH_ROWS, &err))
		abort();
	while ((flow = trc_source_next(src, &b, &err)) == TRC_FLOW_ROWS)
		;
	if (flow == TRC_FLOW_FAILED)
		check_sentence(&err);
	trc_batch_release(&b);
	trc_source_close(src);
}

static void
use(const struct trc_package *p, const uint8_t *bytes, size_t len, bool is_bus)
{
	const struct trc_prune_how how = { .memory = MEMORY, .every = 1000 };
	struct trc_bus *against = NULL;
	struct trc_package small;
	struct trc_err err;

	if (is_bus) {
		struct trc_in *in = generate_in(bytes, len, 4096);

		against = trc_bus_open(in, &err);
		if (!against)
			abort(); /* it could be opened before */
	}
	run(p, false, against);
	trc_bus_close(against);
	run(p, true, NULL);
	if (p->count > PRUNE_INSNS || len % PRUNE_EVERY)
		return;
	if (trc_prune(p, &how, &small, &err) == 0)
		trc_package_release(&small);
	else
		check_sentence(&err);
}

static void
read_bus(const uint8_t *p, size_t len)
{
	struct trc_in *in = generate_in(p, len, 4096);
	struct trc_extract_counts counts;
	struct trc_package package;
	struct trc_err err;
	struct trc_bus *bus = trc_bus_open(in, &err);

	if (!bus) {
		check_sentence(&err);
		trc_in_close(in);
		return;
	}
	if (trc_extract(bus, &package, NULL, &counts, &err) == 0) {
		use(&package, p, len, true);
		trc_package_release(&package);
	} else {
		check_sentence(&err);
	}
	trc_bus_close(bus);
}

static void
read_package(const uint8_t *p, size_t len)
{
	struct trc_in *in = generate_in(p, len, 4096);
	struct trc_package package;
	struct trc_err err;

	if (trc_package_read(&package, in, MEMORY, &err) == 0) {
		use(&package, p, len, false);
		trc_package_release(&package);
	} else {
		check_sentence(&err);
	}
	trc_in_close(in);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	uint8_t *p = malloc(len + 1);

	if (!p)
		abort();
	if (len)
		memcpy(p, bytes, len);
	mend(p, len);
	read_bus(p, len);
	read_package(p, len);
	free(p);
	return 0;
}
