/* SPDX-License-Identifier: MIT
 *
 * recognise: what each file named on standard input is recognised as. Prints those that are, with
 * their format; the number of files looked at comes last. */
#include <stdio.h>
#include <string.h>

#include "base/io/in.h"
#include "format/registry.h"

int
main(void)
{
	static char name[4096];
	unsigned long files = 0;

	while (fgets(name, sizeof(name), stdin)) {
		const struct trc_format *f;
		struct trc_err err;
		struct trc_in *in;

		name[strcspn(name, "\n")] = 0;
		in = trc_in_open(name, &err);
		if (!in)
			continue;
		files++;
		f = trc_format_recognise(in, &err);
		if (f)
			printf("%s\t%s\n", f->name, name);
		trc_in_close(in);
	}
	printf("%lu files\n", files);
	return 0;
}
