/* SPDX-License-Identifier: MIT
 *
 * What follows from instruction words. Those of a program are few, so the annotations of the latest
 * are kept: a table that is direct-mapped.
 */
#ifndef TRC_STAGE_BRANCH_DECODED_H
#define TRC_STAGE_BRANCH_DECODED_H

#include "batch/annotation.h"

enum { TRC_DECODED_BITS = 11 };

/* All zeros but `of` is an empty table. */
struct trc_decoded {
	trc_annotate_fn *of;
	struct {
		uint64_t word;
		struct trc_annotation is;
	} kept[1 << TRC_DECODED_BITS];
};

/* What follows from the word of row `i`: members are 0 if that is no fetch, or its word no
 * instruction of its size. */
static inline struct trc_annotation
trc_decoded_row(struct trc_decoded *w, const struct trc_batch *b, size_t i)
{
	const bool is_fetch = (b->type[i] & TRC_TYPE_MASK) == TRC_FETCH;
	const uint64_t word = is_fetch ? b->insn[i] : 0;
	const size_t at = word * UINT64_C(0x9e3779b97f4a7c15) >> (64 - TRC_DECODED_BITS);

	if (TRC_UNLIKELY(w->kept[at].word != word)) {
		w->kept[at].word = word;
		w->kept[at].is = w->of(word);
	}
	if (TRC_UNLIKELY(b->size && w->kept[at].is.len != b->size[i]))
		return (struct trc_annotation){ 0 };
	return w->kept[at].is;
}

#endif
