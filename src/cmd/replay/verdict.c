/* SPDX-License-Identifier: MIT
 *
 * The verdict on a replay without differences. It is "proved" if each of the four levels of proof
 * covers the whole replay. Otherwise it is "consistent", and the gaps are listed. The gaps follow
 * from the package and the settings, so they are known before the replay.
 */
#include "cmd/replay/verdict.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "cmd/report.h"
#include "machine/hart/csr.h"

static void TRC_PRINTF(2, 3) add(struct trc_verdict *v, const char *fmt, ...)
{
	va_list ap;

	assert(v->n < TRC_VERDICT_GAPS);
	va_start(ap, fmt);
	vsnprintf(v->gap[v->n++], sizeof(v->gap[0]), fmt, ap);
	va_end(ap);
}

/* Returns how many of the registers [first, first + n) are known at the end. */
static unsigned
known(const struct trc_package *p, uint32_t first, uint32_t n)
{
	unsigned yes = 0;

	for (size_t i = 0; i < p->last.n; i++)
		yes += p->last.r[i].reg - first < n;
	return yes;
}

static void
look_at_end(struct trc_verdict *v, const struct trc_package *p)
{
	if (known(p, TRC_REG_X + 1, 31) < 31)
		add(v, "x registers at the end");
	if (known(p, TRC_REG_F, 32) < 32)
		add(v, "f registers at the end");
	if (!known(p, TRC_REG_CSR + TRC_CSR_FCSR, 1))
		add(v, "fcsr at the end");
	if (!p->digest)
		add(v, "memory at the end");
}

/* Checks which instructions hashes cover: each hash covers all instructions before it. */
static void
look_at_trace(struct trc_verdict *v, const struct trc_package *p)
{
	uint64_t to = 0;

	for (size_t i = 0; i < p->truths && p->truth[i].count <= v->to; i++)
		to = p->truth[i].count;
	v->hashed = to > v->from;
	if (!v->hashed)
		add(v, "the trace (no hashes)");
	else if (to < v->to)
		add(v, "the trace after instruction %llu", (ull)to);
}

void
trc_verdict_precheck(struct trc_verdict *v, const struct trc_package *p, bool against,
                     uint64_t from, uint64_t to)
{
	*v = (struct trc_verdict){ .from = from, .to = to };
	if (from)
		add(v, "instructions 1 to %llu", (ull)from);
	if (!against)
		add(v, "lines of a bus trace");
	if (to == p->count)
		look_at_end(v, p);
	else
		add(v, "the end");
	look_at_trace(v, p);
}

void
trc_verdict_gaps(const struct trc_verdict *v, char text[TRC_VERDICT_TEXT])
{
	size_t n = 0;

	text[0] = '\0';
	for (size_t i = 0; i < v->n; i++)
		n += (size_t)snprintf(text + n, TRC_VERDICT_TEXT - n, "%s%s", i ? ", " : "",
		                      v->gap[i]);
}

/* Prints which instructions the hashes of the recorded machine cover. */
static void
report_trace(const struct trc_replay_report *r)
{
	if (r->truths == 0) {
		fputs("L4  not compared: no hashes of the trace here\n", stderr);
		return;
	}
	fprintf(stderr, "L4  the trace: %llu hashes of the machine that was recorded",
	        (ull)r->truths);
	if (r->truth_to < r->count)
		fprintf(stderr, "; not compared: anything after instruction %llu",
		        (ull)r->truth_to);
	fputc('\n', stderr);
}

static void
report_levels(const struct trc_replay_report *r, bool against)
{
	fprintf(stderr,
	        "L1  events at their instructions: %llu interrupts, %llu inputs, %llu outputs, "
	        "%llu CSRs, %llu calls, %llu signals, %llu writes by others (%llu bytes)",
	        (ull)r->interrupts, (ull)r->inputs, (ull)r->outputs, (ull)r->csrs, (ull)r->calls,
	        (ull)r->signals, (ull)r->dma, (ull)r->dma_bytes);
	if (r->turns)
		fprintf(stderr, ", %llu turns of tasks", (ull)r->turns);
	fputc('\n', stderr);
	if (r->killed)
		fprintf(stderr, "L1  at the end: signal %llu, which ended the program\n",
		        (ull)r->killed);
	if (against)
		fprintf(stderr, "L2  lines of the bus trace: %llu filled, %llu written back\n",
		        (ull)r->fills, (ull)r->backs);
	else
		fputs("L2  not compared: no bus trace\n", stderr);
	if (!r->ended)
		fputs("L3  not compared: the end was not reached\n", stderr);
	else
		fprintf(stderr, "L3  at the end: %llu registers, %s\n", (ull)r->registers,
		        r->digest ? "all of memory" : "memory not known");
	report_trace(r);
}

static const char *
word_of(const struct trc_verdict *v)
{
	return v->n ? "consistent" : "proved";
}

void
trc_verdict_print(const struct trc_verdict *v, const struct trc_replay_report *r, bool against)
{
	char gaps[TRC_VERDICT_TEXT];

	trc_verdict_gaps(v, gaps);
	report_levels(r, against);
	if (v->n)
		fprintf(stderr, "not compared: %s\n", gaps);
	fprintf(stderr, "%s: instructions %llu to %llu%s\n", word_of(v), (ull)v->from + 1,
	        (ull)v->to, v->hashed ? "" : "; other traces may be as consistent");
}

static int
put_json(const struct trc_verdict *v, const struct trc_replay_report *r, struct trc_out *out,
         struct trc_err *err)
{
	const struct {
		const char *name;
		uint64_t value;
	} fact[] = {
		{ "interrupts", r->interrupts },
		{ "inputs", r->inputs },
		{ "outputs", r->outputs },
		{ "csrs", r->csrs },
		{ "calls", r->calls },
		{ "signals", r->signals },
		{ "turns", r->turns },
		{ "ended_by_signal", r->killed },
		{ "writes_by_others", r->dma },
		{ "bytes_by_others", r->dma_bytes },
		{ "lines_filled", r->fills },
		{ "lines_written_back", r->backs },
		{ "registers_at_end", r->registers },
		{ "hashes", r->truths },
	};

	if (trc_report(out, err,
	               "{\"verdict\": \"%s\", \"first\": %llu, \"last\": %llu, "
	               "\"not_compared\": [",
	               word_of(v), (ull)v->from + 1, (ull)v->to))
		return -1;
	for (size_t i = 0; i < v->n; i++)
		if (trc_report(out, err, "%s\"%s\"", i ? ", " : "", v->gap[i]))
			return -1;
	if (trc_report(out, err, "]"))
		return -1;
	for (size_t i = 0; i < TRC_COUNT(fact); i++)
		if (trc_report(out, err, ", \"%s\": %llu", fact[i].name, (ull)fact[i].value))
			return -1;
	return trc_report(out, err, ", \"memory_at_end\": %s}\n", r->digest ? "true" : "false");
}

int
trc_verdict_json(const struct trc_verdict *v, const struct trc_replay_report *r,
                 struct trc_err *err)
{
	struct trc_out *out = trc_out_open("-", false, err);
	int ret;

	if (!out)
		return -1;
	ret = put_json(v, r, out, err);
	if (ret == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	return ret;
}
