/* SPDX-License-Identifier: MIT
 *
 * Groups of an answer side by side, as text: a line with facts of each group, a picture, and a
 * table with the key of the answer and the two columns marked `beside` of each group.
 */
#ifndef TRC_CMD_PICTURE_BESIDE_H
#define TRC_CMD_PICTURE_BESIDE_H

#include "cmd/answer/answer.h"

/* Returns true if an answer has such columns. */
bool trc_beside_can(const struct trc_answer *a);

/* Prints groups, which must have names; a->draw() draws the picture of all. */
int trc_beside_print(const struct trc_answer *a, struct trc_err *err) TRC_MUST_USE;

#endif
