/* SPDX-License-Identifier: MIT
 *
 * The records of ChampSim and of CloudSuite (champsim.c describes them), for reading and writing.
 */
#ifndef TRC_FORMAT_BINARY_CHAMPSIM_H
#define TRC_FORMAT_BINARY_CHAMPSIM_H

#include "batch/registers.h"
#include "format/format.h"

/* Loads per record. */
enum { PLACES = 4 };

/* The layout of a record of ChampSim or CloudSuite. */
struct layout {
	const char *name;
	unsigned size;
	unsigned dst, n_dst, src;      /* registers: offsets, number; four are read */
	unsigned store, n_store, load; /* addresses: offsets, number; four are loaded */
	unsigned asid;                 /* offset; 0: none */
	unsigned pad[2], n_pad;        /* bytes that are 0: offsets, number of each */
};

static const struct layout champsim = { "champsim", 64, 10, 2, 12, 16, 2, 32, 0, { 0, 0 }, 0 };
static const struct layout cloudsuite = {
	"cloudsuite", 96, 10, 4, 14, 24, 4, 56, 88, { 18, 90 }, 6
};

/* Maximum rows of a record. */
#define ROWS(l) (1 + (l).n_store + PLACES)

/* Writing: champsim_print.c. */
extern const struct trc_print_format trc_champsim_print, trc_cloudsuite_print;
extern const struct trc_format_args trc_champsim_to;

#endif
