/* SPDX-License-Identifier: MIT
 * Implements --annotate by joining a stage and a processor, which do not depend on each other. */
#include "cmd/annotate.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "machine/hart/annotate.h"

#include "machine/isa/isa.h"

enum { ISA_ROOM = 32 };

/* The settings of --annotate. */
struct settings {
	unsigned isa; /* 1 + index in `isas` */
};

/* A machine that --annotate supports. */
static const struct isa {
	const char *name, *names; /* the machine in the provenance begins with one of `names` */
	trc_annotate_fn *of;
	uint32_t needs; /* columns needed besides those that all machines need */
} isas[] = {
	{ "riscv", "riscv rv", trc_annotate_riscv, 0 },
	{ "x86", "x86 amd64", NULL, TRC_HAS_SIZE },
	{ "aarch64", "aarch64 arm64 armv8", trc_annotate_aarch64, 0 },
};

bool
trc_annotate_given(const struct trc_settings *settings)
{
	return trc_settings_given(settings, &trc_stage_row_annotate.opts);
}

/* 32-bit machines, where the same words encode other instructions. */
static const char narrow[] = "riscv32 rv32 i386 i486 i586 i686 aarch32";

/* Returns true if `name` begins with one of `names`. */
static bool
is_named(const char *names, const char *name)
{
	for (const char *word = names; *word;) {
		const size_t len = strcspn(word, " ");

		if (strncasecmp(word, name, len) == 0)
			return true;
		word += len + (word[len] == ' ');
	}
	return false;
}

/* Finds the machine that the provenance of the trace names: sets `name`, "" if there is none, and
 * returns its row, NULL if it is unsupported. */
static const struct isa *
find_own(struct trc_source *from, char name[ISA_ROOM])
{
	struct trc_provenance_entry e;

	*name = 0;
	if (!trc_provenance_last(trc_source_provenance(from), "isa", &e))
		return NULL;
	snprintf(name, ISA_ROOM, "%.*s", (int)(e.len < ISA_ROOM ? e.len : ISA_ROOM - 1),
	         (const char *)e.text);
	for (size_t i = 0; i < TRC_COUNT(isas) && !is_named(narrow, name); i++)
		if (is_named(isas[i].names, name))
			return &isas[i];
	return NULL;
}

static trc_annotate_fn *
annotates(const struct isa *isa)
{
	return isa->of ? isa->of : trc_annotate_x86;
}

/* Fails if the trace cannot be annotated for this machine according to its provenance. */
static int
check(const struct isa *isa, struct trc_source *from, struct trc_err *err)
{
	char name[ISA_ROOM];
	const struct isa *own = find_own(from, name);

	if (strcmp(name, "regdeps") == 0)
		return trc_fail_as(
		        err, TRC_USAGE,
		        "--annotate %s: the trace hides its instructions (REGDEPS), and has "
		        "their branches and registers already",
		        isa->name);
	if (is_named(narrow, name))
		return trc_fail_as(err, TRC_USAGE,
		                   "--annotate %s: the trace is of a 32-bit machine, which trc "
		                   "does not decode",
		                   isa->name);
	if (*name && !own)
		return trc_fail_as(err, TRC_USAGE,
		                   "--annotate %s: the trace is from %s, which trc does not decode",
		                   isa->name, name);
	if (own && own != isa)
		return trc_fail_as(err, TRC_USAGE,
		                   "--annotate %s: the trace is from %s; use --annotate %s",
		                   isa->name, own->name, own->name);
	return 0;
}

struct trc_source *
trc_annotate_own(struct trc_source *from, struct trc_err *err)
{
	char name[ISA_ROOM];
	const struct isa *own = find_own(from, name);
	const uint32_t needs = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_INSN | (own ? own->needs : 0);

	if (!own || !annotates(own) || from->have & TRC_HAS_REGS || needs & ~from->have)
		return from;
	return trc_stage_annotate(from, annotates(own), own->needs, err);
}

static struct trc_source *
wrap(struct trc_source *from, const void *settings, struct trc_err *err)
{
	const struct isa *isa = &isas[((const struct settings *)settings)->isa - 1];

	if (check(isa, from, err))
		return NULL;
	if (annotates(isa))
		return trc_stage_annotate(from, annotates(isa), isa->needs, err);
	trc_fail(
	        err,
	        "--annotate %s: this trc was built without Zydis, which decodes instructions of x86 "
	        "(Debian: libzydis-dev)",
	        isa->name);
	return NULL;
}

const struct trc_stage_row trc_stage_row_annotate = {
	.opts = TRC_OPTS(struct settings,
	                 { 0, "annotate", "riscv|x86|aarch64",
	                   "add branches and registers to instructions", TRC_OPT_CHOICE,
	                   TRC_WORDS_NONE, offsetof(struct settings, isa) }),
	.wrap = wrap,
};
