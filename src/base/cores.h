/* SPDX-License-Identifier: MIT */
#ifndef TRC_BASE_CORES_H
#define TRC_BASE_CORES_H

/* The number of processors that are there for this process, at least 1. */
int trc_cores(void);

#endif
