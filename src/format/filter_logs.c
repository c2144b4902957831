/* SPDX-License-Identifier: MIT
 *
 * Logs of simulators, of the kernel and of servers that hold references among other text: a line of
 * sed makes a table of them.
 */
#include "format/filter.h"

#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "format/reading.h"

enum {
	LINES_LEAST = 4, /* lines that make a log */
	GROUPS = 10,     /* groups of a regular expression, and 0 for all of it */
	ABOVE_MOST = 32, /* letters that a line has from one above it, */
	KEPT_MOST = 32,  /* and that it has besides its groups */
};

#define KERNEL "^.*[^0-9]([0-9]+) +\\[[0-9]+\\].* ([0-9]+\\.[0-9]+): "

#define BLOCK_FROM                                                                              \
	"csv:task=1,time=2*1e9,space=3,type=4,read=R*,write=W*:FW*,invalidate=D*:FD*,ignore=*," \
	"addr=5*512,size=6*512,separator=blank"

#define HTTP "\"([A-Z]+) ([^ \"]+) HTTP/[0-9.]+.*"

#define QUOTED "\"(\\\\.|[^\"\\])*\""
#define FIO "_(bw|iops|[cs]?lat)([.][0-9]+)?[.]log"

#define FETCHES "these are its fetches; loads and stores are left out"

/* Numbers whose thousands are set off; lists whose elements are records. */
#define THOUSANDS "s/([0-9]),([0-9])/\\1\\2/g;"
#define LISTED "y/,/\\n/;"

/* Sources: the tracers of Ibex and CV32E40P (their manuals), CVA6 (instr_trace_item.svh) and
 * Snitch (its manual); the commit log of Rocket (RocketCore.scala) and other cores of Chipyard;
 * Sail's RISC-V model; riscvOVPsim (its manual); Whisper (printInstTrace() in its Hart.cpp: all
 * lines of an instruction but the last end in a plus); Tarmac as Fast Models and gem5 write it
 * (ARM's tarmac-trace-utilities); processors of Beihang University's course; gem5's debug flag
 * Cache; drcachesim -simulator_type view (its manual); the kernel's trace events block and
 * exceptions, as ftrace and perf script print them; blkparse and strace (their manuals); MONITOR
 * of Redis (redis.io); memcached -vv; the audit log of HDFS (its ReadableAuditLogger); HAProxy
 * (its manual, "HTTP log format"); fio (its HOWTO, "Log File Formats"), whose offsets are 0
 * without log_offset. darshan-dxt-parser (Darshan's manual of DXT: a request by MPI-IO is also one
 * of POSIX); nfsdump (Ellard; its format.txt); messages of Ceph with debug_ms = 1, by what its
 * OSDs and clients log; Process Monitor (its CSV); ext4slower of bcc (its example); Mooncake (FAST
 * 2025) and Qwen-Bailian (ATC 2025), whose hash_ids name blocks of a prompt. */
static const struct log {
	const char *sign; /* is in each of its lines */
	const char *is, *what;
	const char *
	        line; /* a regular expression, and what sed makes of what it matches; "": nothing */
	const char *kept;
	const char *from;
	bool other;        /* a log that is none of the above */
	const char *file;  /* a regular expression for the name of the file; NULL: any */
	const char *above; /* a line between: its group is the last field of those after */
	const char *then;  /* what sed does with commas; NULL: nothing */
} logs[] = {
	{ "PA:0x", "a log of executed instructions (Ibex, CV32E40P)",
	  "these are its loads and stores, without fetches",
	  "^ *[0-9]+[ a-z]*[[:blank:]]+([0-9]+)[[:blank:]]+([0-9a-f]{8})[[:blank:]].*PA:(0x[0-9a-f]+) *(load|store):.*",
	  "\\1 \\2 \\4 \\3", .from = "csv:time=1,pc=2,type=3,addr=4,hex,separator=blank" },
	{ "ns ", "a log of executed instructions (CVA6)", FETCHES,
	  "^ *[0-9]+ns +([0-9]+) [MSUD] ([0-9a-f]+) [01] ([0-9a-f]{8}) .*", "\\1 \\2 \\3",
	  .from = "csv:fetches,time=1,addr=2,insn=3,hex,separator=blank" },
	{ " pc=[", "a log of executed instructions (Rocket, Chipyard)", FETCHES,
	  "^C([0-9]+): +([0-9]+) \\[1\\] pc=\\[([0-9a-f]+)\\].* inst=\\[([0-9a-f]+)\\].*",
	  "\\2 \\1 \\3 \\4",
	  .from = "csv:fetches,time=1,task=2,addr=3,insn=4,hex,separator=blank" },
	{ "0x", "a log of executed instructions (Sail)",
	  "these are its fetches, loads and stores, and page walks",
	  "^(mem)?\\[([0-9]+\\] \\[)?([A-Z]+)(\\]:|,) ?(0x[0-9A-F]+)(\\] [<-]| \\((0x[0-9A-F]+)\\)).*",
	  "\\3 \\5 \\7",
	  .from = "csv:coded,type=1,read=R,write=W,modify=RW,fetch=M:S:U:HS:VS:VU,ignore=X,addr=2,insn=3?,"
	          "separator=blank" },
	{ "Info ", "a log of executed instructions (riscvOVPsim)", FETCHES,
	  "^Info .*, (0x[0-9a-f]+)\\([^)]*\\): ([A-Z][a-z]+ )?([0-9a-f]{4,8}) .*", "\\1 \\3",
	  .from = "csv:fetches,addr=1,insn=2,hex,separator=blank" },
	{ "#", "a log of executed instructions (Whisper)", FETCHES,
	  "^#[0-9]+ ([0-9]+) ([0-9a-f]{8,16}) +([0-9a-f]{4,8}) [cfmrv] .*[^+ ]$", "\\1 \\2 \\3",
	  .from = "csv:fetches,task=1,addr=2,insn=3,hex,separator=blank" },
	{ "~~", "a log of executed instructions (Snitch)",
	  "these are its loads and stores, without fetches",
	  "^[^x]*(0x[0-9a-f]+) [a-z].*(<~~|~~>) [A-Z][a-z]+\\[(0x[0-9a-f]+)\\].*", "\\1 \\2 \\3",
	  .from = "csv:coded,pc=1,type=2,read=<~~,write=~~>,addr=3,separator=blank" },
	{ " ", "a Tarmac log", "these are its fetches, loads and stores",
	  "^ *([0-9]+) [a-z]+ ([a-z]+([0-9]+) )?(I[ST] \\([0-9]+\\)|M[RW]([0-9]+)X?) ([0-9a-f]+)(:[0-9a-f]+)?( ([0-9a-f]+) [A-Z])?.*",
	  "\\1,\\3,\\4,\\6,\\5,\\9",
	  .from = "csv:coded,time=1,task=2?,type=3,fetch=I*,read=MR*,write=MW*,addr=4,size=5?,insn=6?,hex,"
	          "separator=comma" },
	{ ".", "a Tarmac log of clusters", "these are its fetches, loads and stores",
	  "^ *([0-9]+) [a-z]+ [a-z]+([0-9]+)[.][a-z]+([0-9]+) (I[ST] \\([0-9]+\\)|M[RW]([0-9]+)X?) "
	  "([0-9a-f]+)(:[0-9a-f]+)?( ([0-9a-f]+) [A-Z])?.*",
	  "\\1,\\2,\\3,\\4,\\6,\\5,\\9",
	  .from = "csv:coded,time=1,task=2*256+3,type=4,fetch=I*,read=MR*,write=MW*,addr=5,size=6?,insn=7?,"
	          "hex,separator=comma" },
	{ " ES ", "a Tarmac log", FETCHES,
	  "^ *([0-9]+) [a-z]+ ([a-z]+([0-9]+) )?ES +\\(([0-9a-f]+):([0-9a-f]+)\\).*",
	  "\\1,\\3,\\4,\\5",
	  .from = "csv:fetches,time=1,task=2?,addr=3,insn=4,hex,separator=comma" },
	{ ": *", "a log of a processor's writes, of a course", "these are its stores",
	  "^ *([0-9]*) *@([0-9a-f]{8}): +\\*([0-9a-f]{8}) +<= .*", "0\\1 \\2 write \\3",
	  .from = "csv:time=1,pc=2,type=3,addr=4,hex,separator=blank" },
	{ "access for ", "a log of gem5's caches",
	  "these are accesses to each, as a space of its own",
	  "^ *([0-9]+): ([^ ]+): access for (Read|Write)[A-Za-z]* \\[([0-9a-f]+):[0-9a-f]+\\].*",
	  "\\1 \\2 \\3 \\4", .from = "csv:time=1,space=2,type=3,addr=4,hex,separator=blank" },
	{ " byte(s) @ 0x", "what drcachesim's view prints", "these are its references",
	  "^[^:]*: +([0-9]+) +(ifetch|read|write) +([0-9]+) byte\\(s\\) @ (0x[0-9a-f]+).*",
	  "\\1 \\2 \\3 \\4",
	  .from = "csv:task=1,type=2,fetch=ifetch,size=3,addr=4,separator=blank" },
	{ "block_rq_issue: ", "a log of the kernel's block events",
	  "these are requests as they are issued",
	  KERNEL "(block:)?block_rq_issue: ([0-9]+,[0-9]+) ([A-Z]+) .*\\) ([0-9]+) \\+ ([0-9]+) .*",
	  "\\1 \\2 \\4 \\5 \\6 \\7", .from = BLOCK_FROM },
	{ "block_rq_complete: ", "a log of the kernel's block events",
	  "these are requests as they are completed",
	  KERNEL
	  "(block:)?block_rq_complete: ([0-9]+,[0-9]+) ([A-Z]+) .*\\) ([0-9]+) \\+ ([0-9]+) .*",
	  "\\1 \\2 \\4 \\5 \\6 \\7", .from = BLOCK_FROM },
	{ "block_bio_queue: ", "a log of the kernel's block events",
	  "these are requests as they are queued",
	  KERNEL "(block:)?block_bio_queue: ([0-9]+,[0-9]+) ([A-Z]+) ([0-9]+) \\+ ([0-9]+) .*",
	  "\\1 \\2 \\4 \\5 \\6 \\7", .from = BLOCK_FROM },
	{ "page_fault_", "a log of the kernel's page faults", "these are the pages at fault",
	  KERNEL "(exceptions:)?page_fault_[a-z]+: address=(0x[0-9a-f]+) ip=(0x[0-9a-f]+) .*",
	  "\\1 \\2 \\4 \\5", .from = "csv:task=1,time=2*1e9,addr=3,pc=4,separator=blank" },
	{ " X_", "what darshan-dxt-parser prints", "these are its requests, files as spaces",
	  "^ *X_(POSIX|STDIO) +([0-9]+) +(read|write) +[0-9]+ +([0-9]+) +([0-9]+) +([0-9.]+) .*",
	  "\\2 \\3 \\4 \\5 \\6", .above = "^# DXT, file_id: ([0-9]+),.*",
	  .from = "csv:task=1,type=2,addr=3,size=4,time=5*1e4,space=6,separator=blank" },
	{ " fh ", "a log of nfsdump", "these are its calls to read and write",
	  "^([0-9]+[.][0-9]+) .* C[23] [0-9a-f]+ [0-9a-f]+ (read|write) +fh ([0-9a-f]+) (begoff [0-9a-f]+ )?"
	  "off(set)? ([0-9a-f]+) t?count ([0-9a-f]+) .*",
	  "\\1 \\2 \\3 0x\\6 0x\\7",
	  .from = "csv:time=1*1e6,type=2,space=3,addr=4,size=5,separator=blank" },
	{ " osd_op(", "a log of messages of Ceph",
	  "these are its reads and writes, 4 MiB an object",
	  "^([-0-9]+)[ T]([0-9:.]+).* (<==|-->) .* osd_op[(][^ ]+ ([0-9a-f.]+ )?([^ ]+) "
	  "[[](.*[-,])?(read|write|writefull) ([0-9]+)~([0-9]+).*",
	  "\\1T\\2 \\7 \\5 \\8 \\9",
	  .from = "csv:time=1*1e6,type=2,read=read,write=write:writefull,addr=hash(3)*4M+4,size=5,"
	          "separator=blank" },
	{ "\"Offset: ", "what Process Monitor saves",
	  "these are its whole reads and writes of files",
	  "^\"[^\"]*\",\"[^\"]*\",\"([0-9]+)\",\"(ReadFile|WriteFile)\",\"([^\"]*)\",\"SUCCESS\",\"Offset: "
	  "([0-9,]+), Length: ([0-9,]*[0-9]).*",
	  "\\1|\\2|\\4|\\5|\\3", .then = THOUSANDS,
	  .from = "csv:task=1,type=2,read=ReadFile,write=WriteFile,addr=3,size=4,space=5,separator=bar" },
	{ "\"hash_ids\"", "a trace of requests to a language model",
	  "these are its blocks, as pages", "^[{].*\"hash_ids\": *[[]([0-9, ]+)[]].*", "\\1",
	  .then = LISTED, .from = "csv:vpn=1" },
	{ ":", "output of bcc's ext4slower or its kin",
	  "these are its reads and writes, offsets in KiB",
	  "^([0-9:]{8}) .* ([0-9]+) +([RW]) ([0-9]+) +([0-9]+) +[0-9.]+ ([^ ].*)$",
	  "\\1|\\2|\\3|\\5|\\4|\\6",
	  .from = "csv:time=1,task=2,type=3,addr=4*1K,size=5,space=6,separator=bar" },
	{ "\t", "a table of counters of Darshan; darshan-dxt-parser prints requests", NULL,
	  "^(POSIX|STDIO|MPIIO|LUSTRE)\t-?[0-9]+\t[0-9]+\t[A-Z0-9_]+\t.*", "", .from = NULL },
	{ " C ", "output of blkparse without Q lines", "these are requests as they are completed",
	  "^ *[0-9]+,[0-9]+ +[0-9]+ +[0-9]+ +[0-9.]+ +[0-9]+ +C +[A-Z]+ [0-9]+ \\+ [0-9]+ .*", "",
	  .from = "csv:separator=blank,only=6:C,except=8:[*,space=1,time=4*1e9,type=7,addr=8*512,"
	          "size=10*512,read=R*,write=W*:FW*,invalidate=D*:FD*,ignore=*" },
	{ "64(", "what strace prints", "these are its whole calls of pread64 and pwrite64",
	  "^[^\"]*(pread|pwrite)64\\(([0-9]+)(<[^\"]*>)?, (\"(\\\\.|[^\"\\])*\"(\\.\\.\\.)?|0x[0-9a-f]+|"
	  "NULL), [0-9]+, ([0-9]+)\\) *= ([0-9]+).*",
	  "\\1 \\2 \\7 \\8",
	  .from = "csv:type=1,read=pread,write=pwrite,asid=2,addr=3,size=4,separator=blank" },
	{ "<", "what memcached -vv prints", "these are its commands of one key",
	  "^<[0-9]+ (gets?|delete) ([^ ]+)( noreply)?$|"
	  "^<[0-9]+ (set|add|replace|cas|append|prepend|incr|decr) ([^ ]+) .*",
	  "\\1\\4 \\2\\5",
	  .from = "csv:type=1,read=get:gets,write=set:add:replace:cas,modify=append:prepend:incr:decr,"
	          "invalidate=delete,addr=hash(2),separator=blank" },
	{ "] \"", "what MONITOR of Redis prints", "these are its commands of one key",
	  "^[+]?([0-9]+[.][0-9]+) [[]([0-9]+)[^\"]*[]] \"(([A-Za-z]+)\" (" QUOTED ")|"
	  "(SET|set|SETEX|setex|HGET|hget|HSET|hset)\" (" QUOTED ") .*)$",
	  "\\1|\\2|\\4\\7|\\5\\8",
	  .from = "csv:time=1*1e6,asid=2,type=3,read=GET:MGET:EXISTS:STRLEN:HGET:HGETALL,write=SET:SETEX,"
	          "modify=INCR:DECR:HSET:LPOP:RPOP,invalidate=DEL:UNLINK,ignore=*,addr=hash(4),fields=4,"
	          "separator=bar" },
	{ "FSNamesystem.audit: ", "an audit log of HDFS",
	  "these are its opens, creates, appends and deletes",
	  "^([-0-9]+) ([0-9:]+),([0-9]+) .*=true.*[[:blank:]]cmd=(open|create|append|delete)"
	  "[[:blank:]]+src=(.*[^[:blank:]])[[:blank:]]+dst=.*",
	  "\\1T\\2.\\3|\\4|\\5",
	  .from = "csv:time=1*1e3,type=2,read=open,write=create,modify=append,invalidate=delete,"
	          "addr=hash(3),fields=3,separator=bar" },
	{ " HTTP/", "an HTTP log of HAProxy", "these are its requests",
	  "^.*\\[([0-9]+/[A-Z][a-z]+/[0-9:.]+)\\]( [^ ]+){2} [-+/0-9]+ [-0-9]+ \\+?([0-9]+) .*" HTTP,
	  "\\1 \\4 \\5 \\3",
	  .from = "csv:time=1*1e3,coded,type=2,read=GET,invalidate=PURGE,ignore=*,addr=hash(3),size=4,"
	          "separator=blank" },
	{ " HTTP/", "a log of HTTP requests", "these are its requests, without times and sizes",
	  "^.*" HTTP, "\\1 \\2",
	  .from = "csv:coded,type=1,read=GET,invalidate=PURGE,ignore=*,addr=hash(2),separator=blank",
	  .other = true },
	{ ", ", "a log of fio", "these are its requests",
	  "^[0-9]+, [0-9]+, [012], [1-9][0-9]*, [1-9][0-9]*(, [0-9]+)*$", "",
	  .from = "csv:time=1,type=3,read=0,write=1,invalidate=2,size=4,addr=5,separator=comma",
	  .file = FIO },
	{ ", ", "a log of fio without offsets, which log_offset=1 adds", NULL,
	  "^[0-9]+, [0-9]+, [012], [0-9]+(, 0)?(, [0-9]+)?$", "", NULL, .file = FIO,
	  .other = true },
};

/* What sed makes of a log: its expressions, compiled, and what the last line between had. */
struct sed {
	const struct log *log;
	regex_t line, above;
	char last[ABOVE_MOST];
};

/* Writes a group, and does with its commas as sed does. */
static char *
put_group(const struct log *log, const char *line, const regmatch_t *g, char *dst)
{
	const bool listed = log->then && strcmp(log->then, LISTED) == 0;

	for (regoff_t i = g->rm_so; i < g->rm_eo; i++)
		if (!log->then || line[i] != ',')
			*dst++ = line[i];
		else if (listed || i == g->rm_so || !isdigit((uint8_t)line[i - 1]) ||
		         !isdigit((uint8_t)line[i + 1]))
			*dst++ = listed ? '\n' : ',';
	return dst;
}

/* Writes what sed makes of a line; returns the length. */
static size_t
keep(const struct sed *sed, const char *line, const regmatch_t *group, char *dst)
{
	char *const start = dst;

	for (const char *kept = sed->log->kept; *kept; kept++) {
		if (*kept != '\\')
			*dst++ = *kept;
		else if (group[*++kept - '0'].rm_so >= 0)
			dst = put_group(sed->log, line, &group[*kept - '0'], dst);
	}
	if (sed->log->above)
		dst += snprintf(dst, sizeof(sed->last) + 1, " %s", sed->last);
	*dst++ = '\n';
	return (size_t)(dst - start);
}

/* Notes the group of a line between; returns false for any other line. */
static bool
take_above(struct sed *sed, const char *line)
{
	regmatch_t group[2];

	if (!sed->log->above || regexec(&sed->above, line, 2, group, 0))
		return false;
	snprintf(sed->last, sizeof(sed->last), "%.*s", (int)(group[1].rm_eo - group[1].rm_so),
	         line + group[1].rm_so);
	return true;
}

/* Writes what sed leaves of the head, a text, to the `room` bytes at `dst`; returns how many
 * lines. */
static size_t
filter(struct sed *sed, char *head, char *dst, size_t room, size_t *len)
{
	size_t lines = 0;
	char *lf;

	for (*len = 0; (lf = strchr(head, '\n')); head = lf + 1) {
		regmatch_t group[GROUPS];

		if (*len + (size_t)(lf - head) + ABOVE_MOST + KEPT_MOST > room)
			break;
		*lf = 0;
		if (!take_above(sed, head) && strstr(head, sed->log->sign) &&
		    regexec(&sed->line, head, GROUPS, group, 0) == 0) {
			*len += keep(sed, head, group, dst + *len);
			lines++;
		}
		*lf = '\n';
	}
	return lines;
}

static void
print_sed(const struct log *log, char *dst, size_t room)
{
	const char *above = log->above, *line = log->line, *kept = log->kept;

	if (above)
		snprintf(dst, room,
		         "sed -nE '\\%%%s%%{s%%%%\\1%%;h;};\\%%%s%%{s%%%%%s%%;G;s/\\n/ /;p;}' <",
		         above, line, kept);
	else if (log->then)
		snprintf(dst, room, "sed -nE '\\%%%s%%{s%%%%%s%%;%sp;}' <", line, kept, log->then);
	else
		snprintf(dst, room, "sed -nE 's%%%s%%%s%%p' <", line, kept);
}

static void
add(const struct log *log, const uint8_t *p, size_t n, struct trc_err *err)
{
	const unsigned at = err->readings;

	trc_reading_add(err, log->what, log->from, p, n);
	if (*log->kept && err->readings > at)
		print_sed(log, err->reading[at].filter, sizeof(err->reading->filter));
}

static bool
matches(const char *re, const char *text)
{
	regex_t r;
	bool match;

	if (regcomp(&r, re, REG_EXTENDED | REG_NOSUB))
		return false;
	match = regexec(&r, text, 0, NULL, 0) == 0;
	regfree(&r);
	return match;
}

static bool
compile(struct sed *sed)
{
	if (regcomp(&sed->line, sed->log->line, REG_EXTENDED))
		return false;
	if (regcomp(&sed->above, sed->log->above ? sed->log->above : "^$", REG_EXTENDED) == 0)
		return true;
	regfree(&sed->line);
	return false;
}

/* Adds the way to read one log, if the head is of it. */
static bool
propose(const struct log *log, const char *name, bool plain, char *head, char *dst, size_t room,
        struct trc_err *err)
{
	struct sed sed = { .log = log };
	size_t lines, len;

	if (!strstr(head, log->sign) || (log->file && !matches(log->file, name)) || !compile(&sed))
		return false;
	lines = filter(&sed, head, dst, room, &len);
	regfree(&sed.line);
	regfree(&sed.above);
	if (lines < LINES_LEAST)
		return false;
	if (err->readings == 0)
		trc_fail(err, "%s: is %s%s", name, log->is,
		         *log->kept && !plain ? "; sed makes a table, as a plain file shows" : "");
	if (!*log->kept && log->from)
		add(log, (const uint8_t *)head, strlen(head), err);
	else if (*log->kept && plain)
		add(log, (const uint8_t *)dst, len, err);
	return true;
}

bool
trc_filter_logs(const char *name, bool plain, const uint8_t *p, size_t n, struct trc_err *err)
{
	struct trc_err none;
	const size_t room = 2 * (n + ABOVE_MOST + KEPT_MOST);
	char *const text = trc_alloc(1, n + 1 + room, &none);
	bool any = false;

	if (!text)
		return false;
	for (size_t i = 0; i < n; i++)
		text[i] = p[i] ? (char)p[i] : ' ';
	for (size_t i = 0; i < TRC_COUNT(logs); i++)
		any |= !(any && logs[i].other) &&
		       propose(&logs[i], name, plain, text, text + n + 1, room, err);
	free(text);
	return any;
}
