/* SPDX-License-Identifier: MIT
 *
 * The numbers of records in STF, for reading and writing; stf.c describes the format.
 */
#ifndef TRC_FORMAT_STF_STF_H
#define TRC_FORMAT_STF_STF_H

#include "format/format.h"

enum trc_stf_record {
	STF_IDENTIFIER = 1,
	STF_VERSION,
	STF_ISA = 4,
	STF_ENCODING,
	STF_GENERATOR,
	STF_FEATURES,
	STF_PROCESS,
	STF_FORCE_PC,
	STF_VECTORS,
	STF_END_HEADER = 19,
	STF_TARGET = 31,
	STF_REGISTER = 40,
	STF_ACCESS = 60,
	STF_MASTER_ACCESS = 62,
	STF_EVENT = 100,
	STF_EVENT_TARGET,
	STF_WORD_4 = 240,
	STF_WORD_2,
};

enum { STF_ACCESSES = 1024 /* limit for an instruction */ };

/* In STF_FEATURES: events have 8 bytes. */
enum { STF_WIDE_EVENTS = 1 << 19 };

#define STF_INTERRUPT (UINT64_C(1) << 63)
#define STF_SPECIAL (UINT64_C(1) << 62) /* changes of mode */

/* The instructions written so far; where the last one ends, and the pc of what follows. The state
 * of trc_stf_print begins with it. */
struct trc_stf_written {
	uint64_t instructions, next;
	uint8_t *end;
};

extern const struct trc_print_format trc_stf_print;
extern const struct trc_line_more trc_stf_more;

/* The sink of .zstf. */
struct trc_sink *trc_zstf_sink(struct trc_out *out, uint32_t have, const struct trc_meta *meta,
                               const void *settings, struct trc_err *err);

#endif
