/* SPDX-License-Identifier: MIT */
#include "cmd/job/progress.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "stage/wrap.h"

#define FIRST 1.0 /* seconds before the line appears */
#define STEP 0.25 /* seconds between updates */

enum { LINE_MOST = 256, WIDTH = 80 };

double
trc_progress_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Returns true on a terminal that takes escape sequences; editors call theirs "dumb". */
static bool
is_capable(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

/* Returns false for a job that is in the background now, even if it was started in the
 * foreground. */
static bool
is_foreground(void)
{
	const pid_t group = tcgetpgrp(STDERR_FILENO);

	return group < 0 || group == getpgrp();
}

bool
trc_progress_seen(void)
{
	return is_capable() && is_foreground();
}

static size_t
width(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : WIDTH;
}

static void
append(char *line, const char *text)
{
	const size_t n = strlen(line);

	snprintf(line + n, LINE_MOST - n, "%s%s", n ? "  " : "", text);
}

static void
append_count(char *line, double n, const char *what)
{
	char text[96];

	if (n < 1e6)
		snprintf(text, sizeof(text), "%.0f %s", n, what);
	else
		snprintf(text, sizeof(text), "%.1f M %s", n / 1e6, what);
	append(line, text);
}

static void
append_time(char *line, double seconds, const char *after)
{
	const unsigned long long s = (ull)seconds;
	char text[96];

	if (s >= 3600)
		snprintf(text, sizeof(text), "%llu h %02llu min%s", s / 3600, s / 60 % 60, after);
	else if (s >= 60)
		snprintf(text, sizeof(text), "%llu min %02llu s%s", s / 60, s % 60, after);
	else
		snprintf(text, sizeof(text), "%llu s%s", s, after);
	append(line, text);
}

/* Returns the fraction of the work done, or 0 if unknown. Past the last expected byte or record,
 * the rest is unknown. The bytes of a packed file are no measure: a tenth of them may be most of
 * the work. */
static double
part_done(const struct trc_progress *p, double n)
{
	if (p->of)
		return n / (double)p->of;
	return p->raw_size && p->raw_at && !p->packed ? (double)*p->raw_at / (double)p->raw_size :
	                                                0;
}

/* Composes the line: steps, count, speed, and the time left or spent. */
static void
compose(const struct trc_progress *p, double now, char *line)
{
	const double n = (double)(uint64_t)p->passed;
	const double spent = now - p->start, done = part_done(p, n);
	char text[96];

	*line = '\0';
	if (p->steps) {
		snprintf(text, sizeof(text), "%zu of %zu %s", (size_t)p->step, (size_t)p->of_steps,
		         p->steps);
		append(line, text);
	}
	append_count(line, n, p->what);
	snprintf(text, sizeof(text), "%.1f M/s", n / 1e6 / spent);
	append(line, text);
	if (p->packed && p->raw_at && p->raw_size) {
		snprintf(text, sizeof(text), "%.1f of %.1f MB packed", (double)*p->raw_at / 1e6,
		         (double)p->raw_size / 1e6);
		append(line, text);
	}
	if (done > 0.001 && done < 1) {
		snprintf(text, sizeof(text), "%.0f %%", floor(100 * done));
		append(line, text);
		append_time(line, spent / done - spent, " left");
	} else {
		append_time(line, spent, "");
	}
}

static void
show(struct trc_progress *p, double now)
{
	char line[LINE_MOST];
	const size_t most = width() - 1; /* a full line would wrap */

	if (!is_foreground())
		return;
	compose(p, now, line);
	fprintf(stderr, "\r%.*s\033[K", (int)(most < LINE_MOST ? most : LINE_MOST), line);
	p->shown = true;
}

void
trc_progress_passed(struct trc_progress *p, uint64_t n)
{
	double now;

	atomic_fetch_add(&p->passed, (unsigned long)n);
	/* If another thread is writing the line, this one need not. */
	if (!p->wanted || atomic_flag_test_and_set(&p->busy))
		return;
	now = trc_progress_clock();
	if (now >= p->next) {
		show(p, now);
		p->next = now + STEP;
	}
	atomic_flag_clear(&p->busy);
}

static int
progress_batch(struct trc_watch *w, size_t rows, struct trc_err *err)
{
	(void)err;
	trc_progress_passed((struct trc_progress *)w, rows);
	return 0;
}

void
trc_progress_init(struct trc_progress *p, const char *what, bool quiet)
{
	*p = (struct trc_progress){ .watch = { progress_batch },
		                    .what = what,
		                    .busy = ATOMIC_FLAG_INIT };
	p->wanted = !quiet && is_capable();
	p->start = trc_progress_clock();
	p->next = p->start + FIRST;
}

void
trc_progress_hide(struct trc_progress *p)
{
	while (atomic_flag_test_and_set(&p->busy))
		sched_yield();
	if (p->shown && is_foreground())
		fprintf(stderr, "\r\033[K");
	p->shown = false;
}

void
trc_progress_go_on(struct trc_progress *p)
{
	atomic_flag_clear(&p->busy);
}

void
trc_progress_end(struct trc_progress *p)
{
	trc_progress_hide(p);
	trc_progress_go_on(p);
}

/* ---- a source that counts ---- */

struct counting {
	struct trc_wrap wrap;
	struct trc_progress *progress;
};

static enum trc_flow
counting_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct counting *s = (struct counting *)src;
	const enum trc_flow flow = trc_wrap_next(&s->wrap, b, err);

	trc_progress_passed(s->progress, b->n);
	return flow;
}

struct trc_source *
trc_progress_source(struct trc_source *from, struct trc_progress *p, struct trc_err *err)
{
	struct counting *s = trc_wrap_pass(sizeof(*s), from, counting_next, err);

	if (!s)
		return NULL;
	s->progress = p;
	p->at_source = true;
	trc_wrap_pieces(&s->wrap);
	return &s->wrap.src;
}
