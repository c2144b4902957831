/* SPDX-License-Identifier: MIT
 *
 * The manual page, for `man`, made of what `trc help` is made of: `trc --man` writes it when trc is
 * built. Notes and formats are tables and examples as much as text, and stay as they are laid out.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/settings.h"

/* Puts `n` characters, escaped for roff. */
static void
put_text(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		switch (s[i]) {
		case '-': fputs("\\-", stdout); break;
		case '\\': fputs("\\e", stdout); break;
		case '\'': fputs("\\(aq", stdout); break;
		case '`': fputs("\\(ga", stdout); break;
		case '^': fputs("\\(ha", stdout); break;
		case '~': fputs("\\(ti", stdout); break;
		case '.': fputs(i == 0 ? "\\&." : ".", stdout); break;
		default: putchar(s[i]);
		}
}

static void
put(const char *s)
{
	put_text(s, strlen(s));
}

static void
put_heading(const char *s)
{
	printf(".SH ");
	for (; *s; s++)
		putchar(toupper((unsigned char)*s));
	printf("\n");
}

/* Puts lines that are not filled. */
static void
put_lines(const char *s)
{
	printf(".PP\n.nf\n");
	while (*s) {
		const size_t n = strcspn(s, "\n");

		put_text(s, n);
		putchar('\n');
		s += n + (s[n] == '\n');
	}
	printf(".fi\n");
}

static void
put_option(const struct trc_opt *o)
{
	printf(".TP\n");
	if (o->letter)
		printf("\\fB\\-%c\\fR, ", o->letter);
	printf("\\fB\\-\\-");
	put(o->name);
	printf("\\fR");
	if (o->arg) {
		printf(" \\fI");
		put(o->arg);
		printf("\\fR");
	}
	printf("\n");
	put(o->doc);
	printf("\n");
}

static void
put_command(const struct trc_command *c)
{
	struct trc_settings_rows rows;

	put_heading(c->name);
	printf(".B trc %s\n", c->name);
	put(c->usage);
	printf("\n.PP\n%c", c->doc[0] - 'a' + 'A');
	put(c->doc + 1);
	printf(".\n");
	trc_settings_list(c, &rows);
	for (size_t i = 0; i < rows.n; i++)
		put_option(&rows.row[i]);
	put_lines(c->notes);
}

static int
put_formats(struct trc_err *err)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return trc_fail_errno(err, errno, "cannot write the list of formats");
	trc_help_formats(f);
	if (fclose(f)) {
		free(text);
		return trc_fail_errno(err, errno, "cannot write the list of formats");
	}
	put_heading("formats");
	put_lines(text);
	free(text);
	return 0;
}

int
trc_man(const char *version, struct trc_err *err)
{
	const struct trc_command *c = NULL;

	printf(".TH TRC 1 \"\" \"trc %s\" \"User Commands\"\n.SH NAME\ntrc \\- ", version);
	put(trc_help_doc);
	printf("\n.SH SYNOPSIS\n");
	put(trc_help_usage);
	printf("\n.SH DESCRIPTION\n");
	while ((c = trc_command_next(c))) {
		printf(".TP\n.B %s\n", c->name);
		put(c->doc);
		printf("\n");
	}
	while ((c = trc_command_next(c)))
		put_command(c);
	if (put_formats(err))
		return -1;
	put_heading("exit status");
	put(trc_help_status);
	printf("\n");
	return 0;
}
