/* SPDX-License-Identifier: MIT
 * The programs for which traces are written. What a trace loses for each of their formats follows
 * from the row in format/, so only these descriptions are maintained here. */
#include <string.h>

#include "base/suggest.h"
#include "cmd/fit/fit.h"

static const struct trc_preset preset[] = {
	{ "champsim", "ChampSim", "champsim:split,alone,regs,branch",
	  "sizes, times, threads and spaces; a modify becomes a load and a store, and an "
	  "instruction with more than four loads or two stores several records" },
	{ "cloudsuite", "ChampSim with traces of CloudSuite", "cloudsuite:split,alone,regs,branch",
	  "sizes, times and threads; a modify becomes a load and a store, and an instruction with "
	  "more than four loads or stores several records" },
	{ "ramulator", "Ramulator 1, --mode=cpu with its caches", "ramulator-inst:count,unfiltered",
	  "sizes, times, threads and addresses of instructions, which are only counted" },
	{ "ramulator2", "Ramulator 2, LoadStoreTrace", "ramulator2-ls",
	  "instructions, sizes, times and threads" },
	{ "dramsim3", "DRAMsim3 and DRAMSim2", "dramsim3",
	  "instructions, sizes and threads; without times, each reference takes a cycle" },
	{ "dinero", "dineroIV, -informat D", "xdin",
	  "times, threads and instruction words; references without a size get 4 bytes, as in din" },
	{ "libcachesim", "libCacheSim, oracleGeneral", "oracle",
	  "types, so that fetches and stores become plain requests, and threads; without times, "
	  "each takes a second" },
	{ "dynamorio", "the tools of DynamoRIO", "drmemtrace:task,insn,event",
	  "instruction words, events of other tracers and the mark of kernel references; a modify becomes a load and a "
	  "store, references without a size get 4 bytes, and threads share one processor" },
	{ "scarab", "Scarab, its frontend memtrace", "drmemtrace:task,pad,event",
	  "times, the ninth and further bytes of instructions, events of other tracers and the mark of kernel references; a modify becomes a load and a store, references without a size get 4 bytes, "
	  "and threads share one processor" },
	{ "gem5", "gem5, TrafficGen and packet traces", "gem5",
	  "threads, spaces and events; without times, each reference takes a tick" },
};

const struct trc_preset *
trc_preset_next(const struct trc_preset *p)
{
	if (!p)
		return preset;
	return p + 1 < preset + TRC_COUNT(preset) ? p + 1 : NULL;
}

const struct trc_preset *
trc_preset_named(const char *name)
{
	const struct trc_preset *p = NULL;

	while ((p = trc_preset_next(p)))
		if (strcmp(p->name, name) == 0)
			break;
	return p;
}

int
trc_preset_check(const char *name, struct trc_err *err)
{
	struct trc_suggest suggest = { .word = name };
	const struct trc_preset *p = NULL;

	if (trc_preset_named(name))
		return 0;
	while ((p = trc_preset_next(p)))
		trc_suggest_offer(&suggest, p->name);
	return trc_suggest_fail(&suggest, "", "; 'trc help programs' lists them", err,
	                        "--for: unknown program '%s'", name);
}
