/* SPDX-License-Identifier: MIT */
#include "cmd/record/tracer.h"

#include <stdio.h>

#include "cmd/record/guest.h"
#include "cmd/record/program.h"

const char *
trc_record_emulator(const char *program, char *name, size_t room)
{
	char cpu[TRC_RECORD_CPU];

	snprintf(name, room, "qemu-%s", trc_record_processor(program, cpu));
	return name;
}

bool
trc_record_qemu_can(const char *name)
{
	char plugin[TRC_PROGRAM_PATH], qemu[80];
	struct trc_err none;

	return trc_program_find(trc_record_emulator(name, qemu, sizeof(qemu)), NULL) &&
	       trc_program_plugin(TRC_RECORD_PLUGIN, plugin, &none) == 0 && trc_record_native(name);
}

int
trc_record_check(const char *name, bool valgrind, struct trc_err *err)
{
	char path[TRC_PROGRAM_PATH];
	enum trc_program_kind kind;

	if (trc_program_reach(name, path, err))
		return -1;
	kind = trc_program_kind(path, NULL);
	if (kind == TRC_PROGRAM_FITS || (kind == TRC_PROGRAM_SCRIPT && valgrind) ||
	    (!valgrind && trc_record_foreign(name)))
		return 0;
	trc_fail(err,
	         kind == TRC_PROGRAM_SCRIPT ?
	                 "'%s' is a script, which qemu does not start; record its "
	                 "interpreter, with the script as argument" :
	                 "'%s' is not a program for this processor",
	         path);
	err->status = TRC_PROGRAM_UNFIT;
	return -1;
}
