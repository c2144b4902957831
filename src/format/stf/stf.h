/* SPDX-License-Identifier: MIT
 *
 * The numbers of records in STF, for reading and writing; stf.c describes the format.
 */
#ifndef TRC_FORMAT_STF_STF_H
#define TRC_FORMAT_STF_STF_H

#include "format/format.h"

enum record {
	IDENTIFIER = 1,
	VERSION,
	ISA = 4,
	ENCODING,
	GENERATOR,
	FEATURES,
	PROCESS,
	FORCE_PC,
	VECTORS,
	END_HEADER = 19,
	TARGET = 31,
	REGISTER = 40,
	ACCESS = 60,
	MASTER_ACCESS = 62,
	EVENT = 100,
	EVENT_TARGET,
	WORD_4 = 240,
	WORD_2,
};

enum { ACCESSES = 1024 /* limit for an instruction */ };

/* In FEATURES: events have 8 bytes. */
enum { WIDE_EVENTS = 1 << 19 };

#define INTERRUPT (UINT64_C(1) << 63)
#define SPECIAL (UINT64_C(1) << 62) /* changes of mode */

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
