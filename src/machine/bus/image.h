/* SPDX-License-Identifier: MIT
 *
 * Bytes of memory at some addresses, as runs: the initial image of a package, and the changes from
 * one of its checkpoints to another. package.md specifies how they are packed.
 */
#ifndef TRC_MACHINE_BUS_IMAGE_H
#define TRC_MACHINE_BUS_IMAGE_H

#include "base/buf.h"

/* Consecutive bytes of an image. */
struct trc_run_of_bytes {
	uint64_t addr;
	uint32_t len;
	size_t at; /* index in the bytes of the image */
};

/* Some bytes of memory. A zeroed struct is empty. */
struct trc_image {
	/* Once sorted: in order of address, and no run touches the next. */
	struct trc_run_of_bytes *run;
	size_t runs, runs_cap;
	struct trc_buf bytes;
};

void trc_image_release(struct trc_image *m);

/* Appends bytes, in any order; trc_image_sort() orders the runs and joins them. */
int trc_image_put(struct trc_image *m, uint64_t addr, const uint8_t *data, uint32_t len,
                  struct trc_err *err) TRC_MUST_USE;
int trc_image_sort(struct trc_image *m, struct trc_err *err) TRC_MUST_USE;

/* Removes long stretches of zeros: memory that is not in the image is also zero. */
int trc_image_remove_zeros(struct trc_image *m, struct trc_err *err) TRC_MUST_USE;

/* Appends a sorted image to `out`, packed at `level` (codec/stream/pack.h). `raw` is a buffer for
 * scratch. */
int trc_image_pack(const struct trc_image *m, int level, struct trc_buf *raw, struct trc_buf *out,
                   struct trc_err *err) TRC_MUST_USE;

/* Unpacks an image of `runs` runs and at most `most` bytes from `v` into a zeroed struct. Fails
 * with TRC_OK in *err if the bytes are not an image. */
int trc_image_unpack(struct trc_image *m, struct trc_view *v, uint64_t runs, uint64_t most,
                     struct trc_buf *raw, struct trc_err *err) TRC_MUST_USE;

#endif
