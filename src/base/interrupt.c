/* SPDX-License-Identifier: MIT
 * The record of a signal, and the forced end if it is not checked in time. */
#include "base/interrupt.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

/* Those that users, shells and batch systems send; and that of a pipe without a reader, which may
 * be one that trc only writes notes to. */
static const int watched[] = {
	SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGXCPU, SIGPIPE
};

/* Also read by other threads. A signal handler may write it only if it is lock-free. */
static atomic_int noted;
static_assert(ATOMIC_INT_LOCK_FREE == 2, "the note must be free of locks");

static void (*_Atomic at_end)(void);
static bool on_terminal;

/* Signals stay blocked until the handler returns; then they end the process. */
static void
end_now(void)
{
	void (*remove)(void) = at_end;

	if (remove)
		remove();
	trc_interrupt_die();
}

static void
note(int number)
{
	static const char words[] = "\ntrc: stopping\n";
	const int kept = errno;
	const bool again = noted || number == SIGALRM || number == SIGPIPE;

	if (!noted)
		noted = number;
	if (again) {
		end_now();
		return;
	}
	alarm(TRC_INTERRUPT_PATIENCE);
	if (on_terminal && write(STDERR_FILENO, words, sizeof(words) - 1) < 0)
		on_terminal = false;
	errno = kept;
}

void
trc_interrupt_at_end(void (*remove)(void))
{
	at_end = remove;
}

void
trc_interrupt_watch(void)
{
	struct sigaction act = { .sa_handler = note };
	struct sigaction old;

	on_terminal = isatty(STDERR_FILENO);
	sigemptyset(&act.sa_mask);
	sigaddset(&act.sa_mask, SIGALRM);
	for (size_t i = 0; i < TRC_COUNT(watched); i++)
		sigaddset(&act.sa_mask, watched[i]);
	/* Without SA_RESTART, a read that waits for a pipe returns. Ignored signals (nohup) stay
	 * ignored. */
	for (size_t i = 0; i < TRC_COUNT(watched); i++)
		if (sigaction(watched[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(watched[i], &act, NULL);
	sigaction(SIGALRM, &act, NULL);
	/* A file at its size limit is handled like a full disk: write() reports it. */
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
