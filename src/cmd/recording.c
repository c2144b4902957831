/* SPDX-License-Identifier: MIT */
#include "cmd/recording.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io/confine.h"
#include "base/io/spill.h"
#include "batch/provenance.h"
#include "cmd/annotate.h"
#include "cmd/job/modules.h"
#include "cmd/record/alone.h"
#include "cmd/record/code.h"
#include "cmd/record/follow.h"
#include "cmd/record/guest.h"
#include "cmd/record/throttle.h"
#include "cmd/record/tail.h"
#include "cmd/record/stream.h"
#include "cmd/record/tracer.h"
#include "cmd/recording_notes.h"

enum {
	OPTIONS = 4, /* words of qemu before those of the program */
	TRACER = 11, /* words of valgrind before those of the program */
};

/* Values of --by, in the order of its words; without --by, BY_FASTEST. */
enum by { BY_FASTEST, BY_VALGRIND, BY_QEMU };

const struct trc_opts trc_recording_opts =
        TRC_OPTS(const char *, { 0, "record", "OUTPUT", "run the program after -- and record it",
                                 TRC_OPT_TEXT, TRC_WORDS_OUTPUT, 0 });
const struct trc_opts trc_recording_opts_by = TRC_OPTS(
        unsigned, { 0, "by", "valgrind|qemu", "record with it (default: the fastest that can)",
                    TRC_OPT_CHOICE, TRC_WORDS_NONE, 0 });

const char *
trc_recording_output(const struct trc_settings *settings)
{
	return *(const char *const *)trc_settings_of(settings, &trc_recording_opts);
}

const char *
trc_recording_or_output(const struct trc_action *action, const struct trc_settings *settings,
                        const struct trc_args *args)
{
	return trc_recording_output(settings) ? NULL : trc_job_output(action, settings, args);
}

/* Refuses a recording that cannot succeed before the program runs. */
static int
check(const char *output, bool force, const struct trc_args *args, struct trc_err *err)
{
	if (args->n == 0)
		return trc_fail_as(err, TRC_USAGE,
		                   "needs a program to record, with its arguments, after --");
	if (strcmp(output, "-") == 0)
		return trc_fail_as(err, TRC_USAGE,
		                   "standard output is the program's; name a file to record to");
	if (trc_program_reach(args->word[0], NULL, err))
		return -1;
	if (access(output, F_OK) == 0 && !force)
		return trc_fail(err, "'%s' exists; use --force to replace it", output);
	return 0;
}

/* Starts a tracer, with the program appended to its `n` words. */
static int
start(struct trc_recorded *r, const char *const *tracer, size_t n, const char *fifo,
      enum trc_tracee_pipe how, struct trc_err *err)
{
	const struct trc_args *args = r->args;
	struct trc_tracee *p = &r->program;
	char program[TRC_PROGRAM_PATH];
	const char **argv = trc_alloc(n + args->n + 1, sizeof(*argv), err);
	int ret;

	if (!argv)
		return -1;
	memcpy(argv, tracer, n * sizeof(*argv));
	memcpy(argv + n, args->word, args->n * sizeof(*argv));
	/* Emulators do not search PATH for the program; check() has shown that it is found. */
	if (trc_program_find(args->word[0], program))
		argv[n] = program;
	ret = trc_tracee_start(p, argv, fifo, how, err);
	free(argv);
	p->native = trc_record_native(args->word[0]);
	if (ret == 0 && trc_tracee_read(p, err)) {
		trc_tracee_stop(p);
		return -1;
	}
	return ret;
}

/* Starts valgrind; `verbose`: it prints from which files the program's code is mapped. */
static int
start_valgrind(struct trc_recorded *r, struct trc_follow *f, bool verbose, struct trc_err *err)
{
	const char *tracer[TRACER] = {
		"valgrind",
		f->tool,
		"--trace-mem=yes",
		"--trace-children=yes",
		"--child-silent-after-fork=yes",
		"--vgdb=yes",
		"--trace-sched=yes",
		f->debugger,
	};
	size_t n = 0;

	while (tracer[n])
		n++;
	if (verbose) {
		tracer[n++] = "--verbose";
		tracer[n++] = "--trace-redir=yes";
	}
	/* Must be last: trc_follow_exec() takes the word after it for the program. */
	tracer[n++] = f->file;
	if (trc_follow_make(f, r->folder.path, err))
		return -1;
	return start(r, tracer, n, f->log, TRC_PROGRAM_OPENS, err);
}

/* Formats "FOLDER/NAME". */
static int
path_in(const struct trc_temporary *folder, const char *name, char *path, struct trc_err *err)
{
	if (snprintf(path, TRC_PROGRAM_PATH, "%s/%s", folder->path, name) < TRC_PROGRAM_PATH)
		return 0;
	return trc_fail(err, "a path of more than %d bytes", TRC_PROGRAM_PATH);
}

/* Starts qemu, which sends references through a named pipe in the folder; `how` has further options
 * of the plugin. */
static int
start_qemu(struct trc_recorded *r, const char *how, struct trc_err *err)
{
	char name[80], plugin[TRC_PROGRAM_PATH], option[TRC_PROGRAM_PATH] = "";
	char out[TRC_PROGRAM_PATH], fifo[TRC_PROGRAM_PATH];
	const char *tracer[OPTIONS] = { trc_record_emulator(r->args->word[0], name, sizeof(name)),
		                        "-plugin", option, "--" };

	if (!trc_program_find(name, NULL))
		return trc_fail(err, "no %s in PATH (Debian package qemu-user)", name);
	if (trc_program_plugin(TRC_RECORD_PLUGIN, plugin, err) ||
	    path_in(&r->folder, "t", out, err) || path_in(&r->folder, "t.laplace", fifo, err) ||
	    trc_program_option(option, plugin, true, err) ||
	    trc_program_option(option, how, false, err) ||
	    trc_program_option(option, ",out=", false, err) ||
	    trc_program_option(option, out, true, err))
		return -1;
	if (mkfifo(fifo, 0600))
		return trc_fail_errno(err, errno, "cannot create '%s'", fifo);
	return start(r, tracer, OPTIONS, fifo, TRC_PROGRAM_INHERITS, err);
}

/* Opens the stream from the pipe, followed by what the recorder left in the folder. */
static int
open_stream(struct trc_job *job, struct trc_recorded *r, struct trc_err *err)
{
	char shared[TRC_PROGRAM_PATH], isa[TRC_RECORD_CPU];
	struct trc_stream *pipe, *rest;
	struct trc_in *in;

	if (path_in(&r->folder, "t.shared", shared, err))
		return -1;
	pipe = trc_record_pipe(&r->program, err);
	rest = pipe ? trc_record_tail(pipe, shared, err) : NULL;
	if (!rest) {
		trc_stream_close(pipe);
		return -1;
	}
	in = trc_in_stream(rest, "the recorder", err);
	if (!in)
		trc_stream_close(rest);
	job->src = in ? trc_record_stream(in, trc_record_processor(r->args->word[0], isa), r->words,
	                                  err) :
	                NULL;
	if (in && !job->src)
		trc_in_close(in);
	return job->src ? 0 : -1;
}

/* Opens the recording of a started program, with events. The caller must close job->src even on
 * failure. */
static int
open_system(struct trc_job *job, const struct trc_job_in *in, struct trc_recorded *r,
            struct trc_err *err)
{
	const struct trc_format *laplace = trc_format_named("laplace");

	*job = (struct trc_job){ .format = laplace, .gives = laplace, .threads = in->threads };
	if (open_stream(job, r, err) ||
	    trc_job_wrap(job, trc_record_some(job->src, &r->program, true, err)) ||
	    trc_job_wrap(job, trc_stage_origin(job->src, laplace->name, false, err)))
		return -1;
	return 0;
}

/* A list of files that were executed in a space. */
struct listing {
	struct trc_buf *list;
	uint64_t space;
};

static int
put_mapped(void *of, const char *path, uint64_t offset, uint64_t pc, struct trc_err *err)
{
	const struct listing *to = of;
	uint64_t bias;

	return trc_functions_bias(path, offset, pc, &bias) ?
	               trc_modules_put_in(to->list, to->space, path, bias, err) :
	               0;
}

/* Appends the number of threads if there were others than the first one. */
static int
put_threads(unsigned others, struct trc_buf *list, struct trc_err *err)
{
	char threads[16];

	snprintf(threads, sizeof(threads), "%u", others + 1);
	return others ? trc_provenance_text(list, "threads", threads, err) : 0;
}

/* Appends the threads and files of one process. */
static int
put_process(void *processes, struct trc_buf *list, struct trc_err *err)
{
	const struct trc_record_processes *all = processes;
	struct listing to = { list, TRC_FUNCTIONS_ANY };

	if (put_threads(all->threads, list, err))
		return -1;
	return trc_record_mapped_files(&all->mapped, put_mapped, &to, err);
}

/* Opens the recording of one process, which has only references. */
static int
open_references(struct trc_job *job, const struct trc_job_in *in, struct trc_recorded *r,
                struct trc_record_processes *all, struct trc_err *err)
{
	if (open_system(job, in, r, err) ||
	    trc_job_wrap(job, trc_record_alone(job->src, all, err)) || trc_job_select(job, in, err))
		return -1;
	return in->provenance ? trc_job_wrap(job, trc_modules_source(job->src, put_process, all,
	                                                             false, err)) :
	                        0;
}

/* Opens the lines of valgrind, in which `code` looks for mapped files. */
static struct trc_in *
open_lines(struct trc_tracee *p, struct trc_record_code *code, struct trc_err *err)
{
	struct trc_stream *pipe = trc_record_pipe(p, err);
	struct trc_stream *lines = pipe ? trc_record_code_watch(code, pipe, err) : NULL;
	struct trc_in *in = lines ? trc_in_stream(lines, "the recorder", err) : NULL;

	if (!in)
		trc_stream_close(lines ? lines : pipe);
	return in;
}

static int
put_files(void *code, struct trc_buf *list, struct trc_err *err)
{
	if (put_threads(trc_record_code_threads(code), list, err))
		return -1;
	return trc_record_code_files(code, trc_modules_put, list, err);
}

/* Opens the recording of valgrind. Threads and instruction words, if wanted, are added before any
 * rows are left out, because they are counted by rows. */
static int
open_lackey(struct trc_job *job, struct trc_job_in *in, struct trc_recorded *r,
            struct trc_record_code *code, struct trc_err *err)
{
	struct trc_in *lines = open_lines(&r->program, code, err);
	struct trc_job_in all;

	if (!in->from)
		in->from = "lackey";
	all = trc_job_in_each(in);
	if (!lines || trc_job_open_in(job, lines, &all, err))
		return -1;
	if (trc_job_wrap(job, trc_record_code_words(code, job->src, r->words, err)) ||
	    trc_job_select(job, in, err))
		return -1;
	job->whole = trc_job_in_whole(in);
	if (trc_job_wrap(job, trc_record_some(job->src, &r->program, job->whole, err)))
		return -1;
	return in->provenance ? trc_job_wrap(job, trc_modules_source(job->src, put_files, code,
	                                                             false, err)) :
	                        0;
}

/* Writes the trace to the output: from valgrind if there is `code`, else from qemu. Unwanted rows
 * are read as well, because the program blocks until they are. */
static int
write_trace(const struct trc_settings *settings, const char *output, struct trc_recorded *r,
            struct trc_record_code *code, struct trc_record_processes *processes,
            struct trc_err *err)
{
	struct trc_job_out out = trc_job_out(settings);
	const struct trc_format *format = trc_job_format(&out, output, NULL, err);
	struct trc_job_in in = trc_job_in_for(&out, output);
	const double start = trc_progress_clock();
	struct trc_job job = { .src = NULL };
	int ret;

	out.recording = true;
	if (!format)
		return -1;
	ret = code ? open_lackey(&job, &in, r, code, err) :
	             open_references(&job, &in, r, processes, err);
	if (ret == 0)
		ret = trc_job_write(&job, output, format, &out, err);
	if (ret == 0)
		ret = trc_tracee_drain(&r->program, err) || trc_tracee_wait(&r->program, err) ? -1 :
		                                                                                0;
	if (ret == 0)
		trc_job_summary(&job, output, &out, start);
	trc_source_close(job.src);
	return ret;
}

/* Creates the folder for a tracer's files and pipe: next to the output, or, if only valgrind uses
 * it, in the temporary folder, where named pipes certainly work. */
static int
make_folder(struct trc_temporary *folder, const char *output, struct trc_err *err)
{
	char path[TRC_PROGRAM_PATH];

	snprintf(path, sizeof(path), "%s/trc-record", trc_spill_folder());
	return trc_temporary_folder(folder, output ? output : path, true, err);
}

/* Forks a process that keeps the folder for processes that outlive the program, which may execute
 * another one, and that removes the folder when they end. Returns false if it cannot. */
static bool
outlives(struct trc_temporary *folder, struct trc_tracee *p)
{
	struct pollfd pipe = { .fd = p->fd, .events = POLLIN };
	const pid_t pid = fork();

	if (pid)
		return pid > 0;
	setsid();
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		close(fd);
	while (poll(&pipe, 1, -1) < 0 && errno == EINTR)
		;
	trc_temporary_close(folder);
	_exit(0);
}

/* Returns true if instruction words are wanted, or branches, which are derived from them. */
static bool
wants_words(const struct trc_settings *settings, const char *output)
{
	const struct trc_job_out out = trc_job_out(settings);
	struct trc_err none;
	const struct trc_format *format = trc_job_format(&out, output, NULL, &none);

	return trc_annotate_given(settings) ||
	       (out.preset && format && format->holds & TRC_HAS_BRANCH);
}

/* Chooses the tracer: sets *valgrind. Fails if that tracer is missing or cannot start the
 * program. */
static int
choose_tracer(const struct trc_settings *settings, bool *valgrind, struct trc_err *err)
{
	const unsigned by = *(const unsigned *)trc_settings_of(settings, &trc_recording_opts_by);
	const char *name = settings->args->word[0];
	const bool found = trc_program_find("valgrind", NULL);

	*valgrind = by == BY_VALGRIND || (by == BY_FASTEST && found && !trc_record_qemu_can(name) &&
	                                  !trc_record_foreign(name));
	if (*valgrind && !found)
		return trc_fail(err, "no valgrind in PATH (Debian package valgrind)");
	return trc_record_check(name, *valgrind, err);
}

static int
record(const struct trc_settings *settings, const char *output, bool valgrind,
       struct trc_recorded *r, struct trc_record_processes *others, struct trc_err *err)
{
	struct trc_tracee *p = &r->program;
	struct trc_follow follow = { .watch = -1 };
	const struct trc_job_out out = trc_job_out(settings);
	const bool files = r->words || trc_job_in_for(&out, output).provenance;
	struct trc_record_code *code = valgrind ? trc_record_code_open(err) : NULL;
	bool left;
	int ret;

	if ((valgrind && !code) || make_folder(&r->folder, valgrind ? NULL : output, err)) {
		trc_record_code_close(code);
		return -1;
	}
	ret = valgrind ? start_valgrind(r, &follow, files, err) :
	                 start_qemu(r, r->words ? ",stream=on,words=on" : ",stream=on", err);
	if (ret && !valgrind && err->code == TRC_FAILED && !trc_program_find("valgrind", NULL) &&
	    trc_record_native(r->args->word[0]))
		trc_err_in(err, "no valgrind in PATH, and %s", "for qemu");
	(void)trc_confine(output); /* the started program is not confined */
	if (ret == 0)
		ret = write_trace(settings, output, r, code, others, err);
	p->crashed = trc_record_code_crashed(code);
	if (valgrind)
		trc_record_code_unknown(code, &p->last);
	else
		trc_record_mapped_last(&others->mapped, &p->last);
	trc_record_code_close(code);
	if (ret == 0 && valgrind)
		ret = trc_follow_others(&follow, &others->names, &others->any, err);
	trc_follow_close(&follow);
	others->any |= others->names.n || p->parent || p->left;
	left = p->left && outlives(&r->folder, p);
	trc_tracee_stop(p);
	if (left)
		trc_temporary_leave(&r->folder);
	else
		trc_temporary_close(&r->folder);
	return ret ? -1 : 0;
}

int
trc_recording_encode(const struct trc_settings *settings, const struct trc_args *args,
                     struct trc_err *err)
{
	const char *output = trc_recording_output(settings);
	const struct trc_job_out out = trc_job_out(settings);
	struct trc_recorded r = { .program = { .fd = -1, .kept = -1 }, .args = args };
	struct trc_record_processes others = { .any = false };
	bool valgrind;
	int ret;

	if (trc_settings_named(settings, "output") || trc_settings_named(settings, "stdout"))
		return trc_fail_as(err, TRC_USAGE, "--record already names the output");
	if (check(output, out.publish.force, args, err) || !trc_job_format(&out, output, NULL, err))
		return -1;
	if (choose_tracer(settings, &valgrind, err))
		return -1;
	r.words = wants_words(settings, output);
	ret = record(settings, output, valgrind, &r, &others, err);
	if (ret == 0 && !out.quiet)
		fprintf(stderr, "recorded by %s\n", valgrind ? "valgrind" : "qemu");
	if (ret == 0 && !out.quiet)
		trc_recording_note_others(settings, output, &others);
	trc_record_processes_release(&others);
	return ret ? -1 : trc_recording_check(&r.program, args, output, err);
}

/* Selects the wanted references, and all events. */
static int
choose(struct trc_job *job, const struct trc_job_in *in, struct trc_err *err)
{
	struct trc_job_in some = { .filter = in->filter };
	char only[256];

	if (some.filter.only &&
	    snprintf(only, sizeof(only), "%s,event", some.filter.only) < (int)sizeof(only))
		some.filter.only = only;
	return trc_job_select(job, &some, err);
}

/* Formats the options of the plugin, which itself counts references and ends the trace after the
 * last. */
static int
stream_words(const struct trc_job_in *in, bool words, char *how, size_t room, struct trc_err *err)
{
	if (in->skip || in->from_time || in->to_time)
		return trc_fail_as(err, TRC_USAGE,
		                   "--skip, --from-time and --to-time are for existing traces; a "
		                   "recording begins with the program");
	snprintf(how, room, ",stream=on%s", words ? ",words=on" : "");
	if (in->limit)
		snprintf(how + strlen(how), room - strlen(how), ",%s=%llu",
		         in->limit & TRC_OPT_INSNS ? "insns" : "limit",
		         (ull)(in->limit & ~TRC_OPT_INSNS));
	return 0;
}

int
trc_recording_system(struct trc_recorded *r, struct trc_job *job, const struct trc_job_in *in,
                     const char *output, const struct trc_settings *settings, struct trc_err *err)
{
	const struct trc_args *args = settings->args;
	char how[64];

	*r = (struct trc_recorded){ .program = { .fd = -1, .kept = -1 },
		                    .args = args,
		                    .words = wants_words(settings, output) };
	*job = (struct trc_job){ .src = NULL };
	if (stream_words(in, r->words, how, sizeof(how), err) || check(output, false, args, err) ||
	    trc_executed_init(&r->executed, err))
		return -1;
	if (trc_temporary_folder(&r->folder, output, true, err)) {
		trc_executed_release(&r->executed);
		return -1;
	}
	if (start_qemu(r, how, err)) {
		trc_recording_close(r);
		return -1;
	}
	(void)trc_confine(output); /* the started program is not confined */
	if (open_system(job, in, r, err) == 0 &&
	    trc_job_wrap(job, trc_executed_watch(job->src, &r->executed, err)) == 0 &&
	    choose(job, in, err) == 0)
		return 0;
	trc_source_close(job->src);
	trc_recording_close(r);
	return -1;
}

int
trc_recording_files(const struct trc_recorded *r,
                    bool (*wanted)(const void *of, const struct trc_executed_space *space),
                    const void *of, struct trc_buf *list, struct trc_err *err)
{
	for (size_t i = 0; i < r->executed.n; i++) {
		const struct trc_executed_space *space = &r->executed.space[i];
		struct listing to = { list, space->space };

		if (wanted(of, space) &&
		    trc_record_mapped_files(&space->mapped, put_mapped, &to, err))
			return -1;
	}
	return 0;
}

int
trc_recording_wait(struct trc_recorded *r, const char *output, struct trc_err *err)
{
	const struct trc_executed *x = &r->executed;

	if (trc_tracee_wait(&r->program, err))
		return -1;
	/* the program that the first process executed last */
	for (size_t i = x->n; i-- > 0 && r->program.last.n == 0;)
		if (x->space[i].process == x->space[0].process)
			trc_record_mapped_last(&x->space[i].mapped, &r->program.last);
	return trc_recording_check(&r->program, r->args, output, err);
}

void
trc_recording_close(struct trc_recorded *r)
{
	trc_tracee_stop(&r->program);
	trc_temporary_close(&r->folder);
	trc_executed_release(&r->executed);
}
