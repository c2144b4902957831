/* SPDX-License-Identifier: MIT
 *
 * Bytes of memory at some addresses, as runs: the initial image of a package, and what changed from
 * one of its checkpoints to another. package.md specifies how they are packed.
 */
#ifndef TRC_MACHINE_BUS_IMAGE_H
#define TRC_MACHINE_BUS_IMAGE_H

#include "base/buf.h"

/* Bytes of the image that follow each other. */
struct trc_run_of_bytes {
	uint64_t addr;
	uint32_t len;
	size_t at; /* in the bytes of the image */
};

/* Zeroed memory is an empty one. */
struct trc_image {
	struct trc_run_of_bytes *run; /* in order of address, none touches the next, once sorted */
	size_t runs, runs_cap;
	struct trc_buf bytes;
};

void trc_image_release(struct trc_image *m);

/* Appends bytes, in any order; trc_image_sort() puts the runs in order and joins them. */
int trc_image_put(struct trc_image *m, uint64_t addr, const uint8_t *data, uint32_t len,
                  struct trc_err *err) TRC_MUST_USE;
int trc_image_sort(struct trc_image *m, struct trc_err *err) TRC_MUST_USE;

/* Appends a sorted image to `out`, packed at `level` (codec/stream/pack.h); `raw` is for use
 * meanwhile. */
int trc_image_pack(const struct trc_image *m, int level, struct trc_buf *raw, struct trc_buf *out,
                   struct trc_err *err) TRC_MUST_USE;

/* Takes one of so many runs, into zeroed memory, from `v`, of at most `most` bytes. Fails with
 * TRC_OK in *err if the bytes are no image. */
int trc_image_unpack(struct trc_image *m, struct trc_view *v, uint64_t runs, uint64_t most,
                     struct trc_buf *raw, struct trc_err *err) TRC_MUST_USE;

#endif
