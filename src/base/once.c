/* SPDX-License-Identifier: MIT */
#include "base/once.h"

void
trc_once(struct trc_once *o, void (*make)(void))
{
	pthread_once(&o->begun, make);
}
