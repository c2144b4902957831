/* SPDX-License-Identifier: MIT
 *
 * The annotations of instruction words. A program has few different words, so recent annotations
 * are cached in a direct-mapped table.
 */
#ifndef TRC_STAGE_BRANCH_DECODED_H
#define TRC_STAGE_BRANCH_DECODED_H

#include "batch/annotation.h"

enum { TRC_DECODED_BITS = 11 };

/* The cache. If it is zeroed except for `of`, it is empty. */
struct trc_decode_cache {
	trc_annotate_fn *of;
	struct {
		uint64_t word;
		struct trc_annotation is;
	} kept[1 << TRC_DECODED_BITS];
};

/* Returns the annotation of row `i`: members are 0 if it is not a fetch, or its word is not an
 * instruction of its size. */
static inline struct trc_annotation
trc_decoded_row(struct trc_decode_cache *w, const struct trc_batch *b, size_t i)
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
