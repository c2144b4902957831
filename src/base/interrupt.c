/* SPDX-License-Identifier: MIT
 * The note that a signal leaves. */
#include "base/interrupt.h"

#include <assert.h>
#include <signal.h>
#include <stdatomic.h>

static const int watched[] = { SIGINT, SIGTERM, SIGHUP };

/* The thread that reads ahead looks at it, too. Only without a lock may a handler write it. */
static atomic_int noted;
static_assert(ATOMIC_INT_LOCK_FREE == 2, "the note must be free of locks");

static void
note(int number)
{
	noted = number;
}

void
trc_interrupt_watch(void)
{
	struct sigaction act = { .sa_handler = note, .sa_flags = (int)SA_RESETHAND };
	struct sigaction old;

	/* Without SA_RESTART a read that waits for a pipe comes back. SA_RESETHAND lets a second
	 * signal end a process that does not listen. A signal that is ignored (nohup) stays so. */
	for (size_t i = 0; i < TRC_COUNT(watched); i++)
		if (sigaction(watched[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(watched[i], &act, NULL);
	/* A file that may not grow any more is like a full disk: writing says so. */
	signal(SIGXFSZ, SIG_IGN);
}

bool
trc_interrupted(struct trc_err *err)
{
	if (!noted)
		return false;
	trc_fail_as(err, TRC_STOPPED, "stopped by signal %d", noted);
	return true;
}

void
trc_interrupt_die(void)
{
	signal(noted, SIG_DFL);
	raise(noted);
}
