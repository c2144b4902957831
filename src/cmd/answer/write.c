/* SPDX-License-Identifier: MIT */
#include "cmd/answer/write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

void
trc_answer_write(struct trc_answer_out *o, const char *text)
{
	o->failed = o->failed || trc_out_put(o->out, text, strlen(text), o->err);
}

void
trc_answer_write_as(struct trc_answer_out *o, const char *text, trc_answer_word_fn *as)
{
	o->failed = o->failed || as(o->out, text, o->err);
}

const char *
trc_answer_value(const struct trc_value *c, char dst[TRC_VALUE_ROOM])
{
	*dst = 0;
	switch (c->kind) {
	case TRC_VALUE_COUNT:
	case TRC_VALUE_BYTES: *trc_text_put_dec((uint8_t *)dst, c->n) = 0; break;
	case TRC_VALUE_INTEGER: snprintf(dst, TRC_VALUE_ROOM, "%" PRId64, c->i); break;
	case TRC_VALUE_REAL: snprintf(dst, TRC_VALUE_ROOM, "%.9g", c->v); break;
	case TRC_VALUE_LONG: snprintf(dst, TRC_VALUE_ROOM, "%.12g", c->v); break;
	case TRC_VALUE_ADDRESS:
		memcpy(dst, "0x", 2);
		*trc_text_put_hex((uint8_t *)dst + 2, c->n) = 0;
		break;
	case TRC_VALUE_HASH: snprintf(dst, TRC_VALUE_ROOM, "%016" PRIx64, c->n); break;
	case TRC_VALUE_WORD: return c->s;
	case TRC_VALUE_YES: return c->n ? "yes" : "no";
	case TRC_VALUE_NONE:
	case TRC_VALUE_UNKNOWN:
	case TRC_VALUE_REST: break;
	}
	return dst;
}
