/* SPDX-License-Identifier: MIT */
#include "cmd/shard/measure.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interrupt.h"

enum {
#ifdef __APPLE__
	UNIT = 1, /* bytes in a unit of ru_maxrss */
#else
	UNIT = 1024,
#endif
};

/* The report of the child, which fits into a pipe. */
struct report {
	struct trc_measured measured;
	struct trc_err err;
	int ret;
};

_Static_assert(sizeof(struct report) <= 1 << 14, "a pipe holds it");

static void
work_and_report(int (*work)(void *arg, struct trc_measured *m, struct trc_err *err), void *arg,
                int to)
{
	struct report report;
	struct rusage usage;
	ssize_t put;

	memset(&report, 0, sizeof(report));
	report.ret = work(arg, &report.measured, &report.err);
	if (getrusage(RUSAGE_SELF, &usage) == 0)
		report.measured.memory = (uint64_t)usage.ru_maxrss * UNIT;
	put = write(to, &report, sizeof(report));
	_exit(put == (ssize_t)sizeof(report) ? 0 : 1);
}

/* Waits for the report; passes a signal on to the child. */
static int
take_report(int from, pid_t child, struct report *report, struct trc_err *err)
{
	size_t n = 0;
	ssize_t got = 1;
	int status, ret;

	while (n < sizeof(*report) && got != 0) {
		got = read(from, (char *)report + n, sizeof(*report) - n);
		n += got > 0 ? (size_t)got : 0;
		if (got < 0 && errno != EINTR)
			break;
		if (got < 0 && trc_interrupted(err))
			kill(child, SIGTERM);
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	ret = trc_interrupted(err) ? -1 : 0;
	if (ret == 0 && n < sizeof(*report))
		ret = trc_fail_as(err, TRC_SYSTEM, "the measured process was killed%s",
		                  WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ?
		                          ": it ran out of memory" :
		                          "");
	return ret;
}

int
trc_measure(int (*work)(void *arg, struct trc_measured *m, struct trc_err *err), void *arg,
            struct trc_measured *m, struct trc_err *err)
{
	struct report report;
	int end[2], ret;
	pid_t child;

	if (pipe(end))
		return trc_fail_errno(err, errno, "cannot create a pipe");
	child = fork();
	if (child == 0) {
		close(end[0]);
		work_and_report(work, arg, end[1]);
	}
	close(end[1]);
	ret = child < 0 ? trc_fail_errno(err, errno, "cannot start a process") :
	                  take_report(end[0], child, &report, err);
	close(end[0]);
	if (ret)
		return -1;
	*m = report.measured;
	if (report.ret)
		*err = report.err;
	return report.ret;
}
