/* SPDX-License-Identifier: MIT
 * The kinds of the streams of references. */
#include "codec/program/refs.h"

#include "codec/entropy/corrupt.h"

int
trc_refs_corrupt(struct trc_err *err, const char *what)
{
	return trc_corrupt_in(err, "the references of a block are damaged", what);
}

void
trc_refs_release(struct trc_refs *r)
{
	for (int i = 0; i < TRC_REFS_STREAMS; i++)
		trc_buf_release(&r->stream[i]);
}

enum trc_pack_kind
trc_refs_kind(const struct trc_refs *r, enum trc_refs_stream s)
{
	static const uint8_t kind[TRC_REFS_STREAMS] = {
		[TRC_REFS_TOKEN] = TRC_PACK_TOKENS,    [TRC_REFS_FIRST] = TRC_PACK_WORDS8,
		[TRC_REFS_CONSTANT] = TRC_PACK_WORDS8, [TRC_REFS_HIGH] = TRC_PACK_WORDS8,
		[TRC_REFS_LITERAL] = TRC_PACK_WORDS4,
	};

	if (s == TRC_REFS_LITERAL && r->stream[TRC_REFS_HIGH].n == 0)
		return TRC_PACK_WORDS8;
	return (enum trc_pack_kind)kind[s];
}
