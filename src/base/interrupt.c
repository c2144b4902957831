/* SPDX-License-Identifier: MIT
 * The note that a signal leaves. */
#include "base/interrupt.h"

#include <assert.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

static const int watched[] = { SIGINT, SIGTERM, SIGHUP };

/* The thread that reads ahead looks at it, too. Only without a lock may a handler write it. */
static atomic_int noted;
static atomic_uint noted_at; /* seconds */
static_assert(ATOMIC_INT_LOCK_FREE == 2, "the note must be free of locks");

/* A second signal ends a process that does not listen. One that comes with the first does not:
 * timeout(1), and who stops a whole group, sends two, and files are still to be removed. */
static void
note(int number)
{
	const unsigned now = (unsigned)time(NULL);

	if (noted && now - noted_at > 1)
		trc_interrupt_die();
	if (noted)
		return;
	noted_at = now;
	noted = number;
}

void
trc_interrupt_watch(void)
{
	struct sigaction act = { .sa_handler = note };
	struct sigaction old;

	/* Without SA_RESTART a read that waits for a pipe comes back. A signal that is ignored
	 * (nohup) stays so. */
	for (size_t i = 0; i < TRC_COUNT(watched); i++)
		if (sigaction(watched[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(watched[i], &act, NULL);
	/* A file at its size limit is like a full disk: write() reports it. */
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
