/* SPDX-License-Identifier: MIT
 * What each space of a recording executes: by its threads, after a fork, and by an exec. */
#include "cmd/record/executed.h"

#include <stdio.h>
#include <string.h>

#include "generate.h"
#include "test.h"

/* Reads a csv of events and fetches, and notes what is executed where. */
static void
watch(struct trc_executed *x, const char *csv)
{
	struct trc_err err;
	struct trc_source *from = generate_read_as("csv", csv, strlen(csv), SIZE_MAX, &err);
	struct trc_source *src;
	struct trc_batch all = { 0 };

	CHECK_MSG(from, "%s", err.text);
	CHECK(trc_executed_init(x, &err) == 0);
	src = trc_executed_watch(from, x, &err);
	CHECK_MSG(generate_collect(src, 1, &all, NULL, &err) == 0, "%s", err.text);
	trc_batch_release(&all);
}

static int
append(void *of, const char *path, uint64_t offset, uint64_t pc, struct trc_err *err)
{
	char *text = of;

	(void)err;
	sprintf(text + strlen(text), "%s:%llx@%llx ", path, (unsigned long long)offset,
	        (unsigned long long)pc);
	return 0;
}

static void
check(const struct trc_executed *x, size_t i, uint32_t space, uint64_t process, const char *files)
{
	char text[256] = "";
	struct trc_err err;

	CHECK(i < x->n && x->space[i].space == space && x->space[i].process == process);
	CHECK(trc_record_mapped_files(&x->space[i].mapped, append, text, &err) == 0);
	CHECK_MSG(strcmp(text, files) == 0, "space %u: %s", space, text);
}

static void
each_space_has_its_own_files(void)
{
	struct trc_executed x;

	watch(&x, "type,addr,size,asid,event\n"
	          "event,0,0,0,F a 1\n"
	          "event,0,0,0,A a 1\n"
	          "event,0,0,0,M a 1000 1000 1 1 1 0 sh\n"
	          "event,0,0,0,M a 3000 1000 1 1 1 0 libc\n"
	          "fetch,0x1010,1,1,\n"
	          /* a thread maps a library of its process */
	          "event,0,0,0,F b a\n"
	          "event,0,0,0,M b 5000 1000 1 1 1 0 late\n"
	          "fetch,0x5010,1,1,\n"
	          /* a child executes libc, which its parent only mapped, then another program */
	          "event,0,0,0,F c a\n"
	          "event,0,0,0,A c 2\n"
	          "event,0,0,0,D 1 2 0 ffffffffffffffff\n"
	          "fetch,0x3020,1,2,\n"
	          "event,0,0,0,X c 1 1 1 ls\n"
	          "event,0,0,0,A c 3\n"
	          "fetch,0x1010,1,3,\n"
	          "event,0,0,0,M c 1000 1000 1 1 1 0 ls\n"
	          "fetch,0x1018,1,3,\n"
	          "fetch,0x3020,1,3,\n"
	          /* what the child unmaps, its parent has */
	          "event,0,0,0,u 3\n"
	          "fetch,0x3020,1,1,\n"
	          "event,0,0,0,T c\n"
	          /* the pid is used again */
	          "event,0,0,0,F c a\n"
	          "event,0,0,0,A c 4\n");
	CHECK(x.n == 4);
	check(&x, 0, 1, 0xa, "sh:10@1010 late:10@5010 libc:20@3020 ");
	check(&x, 1, 2, 0xc, "libc:20@3020 ");
	check(&x, 2, 3, 0xc, "ls:18@1018 ");
	check(&x, 3, 4, UINT64_C(1) << 32 | 0xc, "");
	trc_executed_release(&x);
}

int
main(void)
{
	each_space_has_its_own_files();
	return 0;
}
