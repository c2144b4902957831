/* SPDX-License-Identifier: MIT
 * Shows a page of the manual on a terminal with man, even if trc is not installed. */
#include <errno.h>
#include <unistd.h>

#include "cmd/manual/manual.h"

/* Writes a page to an unnamed file, which becomes the standard input of man. */
static int
give_page(const char *name, const char *version, struct trc_err *err)
{
	FILE *file = tmpfile();
	const int terminal = dup(STDOUT_FILENO);
	int ret = -1;

	if (!file || terminal < 0 || dup2(fileno(file), STDOUT_FILENO) < 0)
		trc_fail_errno(err, errno, "cannot write a page for man");
	else if (trc_man(name, version, err) == 0)
		ret = fflush(stdout) == 0 && lseek(fileno(file), 0, SEEK_SET) == 0 &&
		                      dup2(fileno(file), STDIN_FILENO) >= 0 ?
		              0 :
		              trc_fail_errno(err, errno, "cannot write a page for man");
	if (terminal >= 0) {
		(void)dup2(terminal, STDOUT_FILENO);
		close(terminal);
	}
	if (file)
		fclose(file);
	return ret;
}

int
trc_man_read(const char *name, const char *version, struct trc_err *err)
{
	static const char *const words[] = { "man", "-l", "-", NULL };
	const char *page = trc_manual_page(name ? name : "--help");
	char *word[] = { (char *)page, NULL };

	if (isatty(STDOUT_FILENO)) {
		if (give_page(name, version, err))
			return -1;
		(void)execvp(words[0], (char *const *)words);
	}
	return trc_help(1, word, err);
}
