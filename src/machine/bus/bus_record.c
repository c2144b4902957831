/* SPDX-License-Identifier: MIT
 *
 * The fields of each type of record are listed here, and nowhere else.
 */
#include "machine/bus/bus_record.h"

const char *
trc_bus_fields(unsigned type)
{
	switch (type) {
	case TRC_BUS_STATE:
	case TRC_BUS_INTERRUPT:
	case TRC_BUS_CSR:
	case TRC_BUS_CALL:
	case TRC_BUS_TASK:
	case TRC_BUS_TRUTH: return "kv";
	case TRC_BUS_FILL: return "kad";
	case TRC_BUS_BACK:
	case TRC_BUS_WRITE:
	case TRC_BUS_INPUT:
	case TRC_BUS_OUTPUT:
	case TRC_BUS_DMA: return "ad";
	case TRC_BUS_END: return "v";
	case TRC_BUS_TRAP:
	case TRC_BUS_KILL: return "k";
	case TRC_BUS_MOVE: return "kva";
	case TRC_BUS_START:
	case TRC_BUS_SIGNAL: return "";
	default: return NULL;
	}
}
