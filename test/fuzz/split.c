/* SPDX-License-Identifier: MIT
 *
 * Any bytes as what a system did: canonical pages and tasks are found, the rows dealt to tasks and
 * merged again. However batches are cut, the same comes out; what is merged is what was dealt. The
 * first byte is how pages and batches are cut, then each operation is four bytes: what, who,
 * where, how much; one of them takes the text of an event as it stands.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/generate.h"
#include "stage/partition.h"
#include "stage/space/lives.h"
#include "stage/space/space.h"
#include "stage/stage.h"

enum {
	OP = 4, /* bytes */
	OPS_MOST = 2000,
	TASKS_MOST = 256, /* that are merged */
	HAVE = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TIME | TRC_HAS_ASID |
	       TRC_HAS_EVENT,
};

static void
check(bool good)
{
	if (!good)
		abort();
}

static void
check_sentence(const struct trc_err *err)
{
	check(err->code == TRC_FAILED && *err->text && memchr(err->text, 0, sizeof(err->text)));
}

/* An address: mostly near others, sometimes at an end of all there are. */
static unsigned long long
address_of(uint8_t byte)
{
	return byte >= 0xfc ? UINT64_MAX - (255u - byte) * 64u : byte * 32ull;
}

/* The text of the event that an operation is, at most 80 bytes; "" for a reference. */
static void
event_of(const uint8_t *op, char *text)
{
	const unsigned who = op[1] & 7, other = op[1] >> 4;
	const unsigned long long at = address_of(op[2]), to = address_of(op[3]);
	const unsigned long long n = op[3] * 32ull;

	switch (op[0] % 32) {
	case 0: sprintf(text, "S %x", who); break;
	case 1: sprintf(text, "F %x %x", who, other); break;
	case 2: sprintf(text, "A %x %x", who, other); break;
	case 3: sprintf(text, "D %x %x %llx %llx", who, other, at, to); break;
	case 4:
		sprintf(text, "M %x %llx %llx %x 1 1 %x x", who, at, n, other & 3, op[3] * 64u);
		break;
	case 5: sprintf(text, "m %x %llx %llx", who, at, n); break;
	case 6: sprintf(text, "s %x %llx %llx %x", who, at, n, other & 3); break;
	case 7: sprintf(text, "U %x %llx %llx", who, at, n); break;
	case 8: sprintf(text, "u %x", other); break;
	case 9: sprintf(text, "C %x %llx", who, at); break;
	case 10:
		sprintf(text, "@ %x %llx %x %llx %x", who, at, other * 64u, to, op[1] * 16u);
		break;
	case 11: sprintf(text, "T %x", who); break;
	case 12: sprintf(text, "X %x 1 1 1 x", who); break;
	case 13: sprintf(text, "- %x 1 1", other & 3); break;
	case 14: sprintf(text, "t %x 1 1 %llx", other & 3, n); break;
	case 15: sprintf(text, "/ %x %x", who, other & 3); break;
	case 16: sprintf(text, "< %x %x 1 1 %x %llx", who, other & 3, op[2] * 32u, n); break;
	default: *text = 0; break;
	}
}

/* The rows that the bytes are. */
static struct trc_batch
make_system(const uint8_t *p, size_t len)
{
	const size_t n = len / OP < OPS_MOST ? len / OP : OPS_MOST;
	struct trc_batch b = generate_zeros(HAVE, n ? n : 1);

	b.n = n;
	for (size_t i = 0; i < n; i++) {
		const uint8_t *op = p + OP * i;
		char text[96];

		b.time[i] = i;
		event_of(op, text);
		/* Reads of files may name millions of pages: not here. */
		if (op[0] % 32 == 17 && op[1] > ' ' && op[1] <= '~' && op[1] != '<' && op[1] != '>')
			sprintf(text, "%c %.3s", op[1], (const char *)&op[1]);
		if (*text) {
			b.type[i] = TRC_EVENT;
			trc_batch_put_event(&b, i, text, strlen(text));
			continue;
		}
		b.type[i] = (uint8_t)(op[0] % 3 | (op[0] >= 0xf0 ? TRC_KERNEL : 0));
		b.asid[i] = op[1] & 7;
		b.addr[i] = address_of(op[2]) + (op[1] >> 3);
		b.size[i] = op[3] & 63;
		if (b.addr[i] > UINT64_MAX - 64)
			b.size[i] = 1;
	}
	return b;
}

/* Its rows with task and pages; false, with *err set, if that fails. */
static bool
canonical(const struct trc_batch *rows, unsigned bits, size_t cut, struct trc_batch *all,
          struct trc_err *err)
{
	struct trc_spaces *s = trc_spaces_open(bits, err);
	struct trc_source *src = s ? generate_source(rows, cut) : NULL;
	bool good;

	check(src);
	src = trc_stage_canonical(src, bits, s, err);
	check(src);
	good = generate_collect(src, 1 + cut % 100, all, NULL, err) == 0;
	for (size_t i = 0; good && i < all->n; i++)
		check(trc_batch_is_event(all, i) == (all->cpn[i] == 0));
	if (!good)
		check_sentence(err);
	trc_spaces_close(s);
	return good;
}

/* Deals all rows to their tasks, as trc split does. */
static struct trc_partition *
deal(const struct trc_batch *all)
{
	struct trc_lives lives;
	struct trc_err err;
	struct trc_partition *d = trc_partition_open(all->have, &err);

	check(d && trc_lives_init(&lives, &err) == 0);
	for (size_t i = 0; i < all->n; i++) {
		if (trc_batch_is_event(all, i))
			check(trc_lives_event(&lives, trc_batch_event(all, i), &err) == 0);
		check(trc_partition_put(d, trc_lives_task(&lives, all->task[i]), all, i, 1, &err) ==
		      0);
	}
	check(trc_partition_finish(d, &err) == 0);
	trc_lives_release(&lives);
	return d;
}

static void
deal_and_merge(const struct trc_batch *all, size_t cut)
{
	struct trc_merging from[TASKS_MOST];
	struct trc_partition *d = deal(all);
	const size_t n = trc_partition_traces(d);
	struct trc_batch back;
	struct trc_err err;
	char why[300];

	for (size_t i = 0; n <= TASKS_MOST && i < n; i++) {
		from[i] = (struct trc_merging){ trc_partition_source(d, i, &err), "part", cut };
		check(from[i].src);
	}
	if (n > 0 && n <= TASKS_MOST) {
		check(generate_collect(trc_stage_merge(from, n, TRC_COL_TIME, &err), 64, &back,
		                       NULL, &err) == 0);
		check(generate_same(all, &back, all->have, why, sizeof(why)));
		trc_batch_release(&back);
	}
	trc_partition_close(d);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t len)
{
	const unsigned bits = len ? 4 + p[0] % 4 : 4;
	const size_t cut = len ? 1 + p[0] / 4 : 1;
	struct trc_batch rows = make_system(p + (len > 0), len - (len > 0));
	struct trc_batch one, other;
	struct trc_err err, again;
	char why[300];

	if (canonical(&rows, bits, cut, &one, &err)) {
		check(canonical(&rows, bits, 4096, &other, &err));
		check(generate_same(&one, &other, one.have, why, sizeof(why)));
		trc_batch_release(&other);
		deal_and_merge(&one, cut);
	} else {
		check(!canonical(&rows, bits, 4096, &other, &again));
		check(strcmp(err.text, again.text) == 0);
		trc_batch_release(&other);
	}
	trc_batch_release(&one);
	trc_batch_release(&rows);
	return 0;
}
