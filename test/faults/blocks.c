/* SPDX-License-Identifier: MIT
 *
 * blocks INPUT OUTPUT ROWS [ARGUMENTS]: INPUT as a container of blocks of ROWS rows, where trc
 * itself has millions in one; ARGUMENTS are those of --to trc.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/opt.h"
#include "container/container.h"
#include "format/registry.h"

static int
make(char **argv, const char *words, struct trc_err *err)
{
	const struct trc_format *trc = trc_format_named("trc"), *f;
	struct trc_container_to to = { .threads = 1 };
	struct trc_in *in = trc_in_open(argv[1], err);
	struct trc_source *src = NULL;
	struct trc_out *out = NULL;
	struct trc_sink *sink = NULL;
	int ret = -1;

	if (in && (f = trc_format_recognise(in, err)) != NULL)
		src = trc_format_source(f, NULL, in, err);
	if (src && trc_opt_parse_words(trc->to->opt, trc->to->opts, "trc", words, &to, err) == 0)
		out = trc_out_open(argv[2], false, err);
	to.block_rows = strtoul(argv[3], NULL, 10);
	if (out)
		sink = trc_container_sink(out, src->have, &src->meta, &to, err);
	if (sink)
		ret = trc_pump(src, sink, TRC_BATCH_ROWS, NULL, err);
	trc_sink_close(sink);
	trc_source_close(src);
	return ret;
}

int
main(int argc, char **argv)
{
	struct trc_err err = { .code = TRC_OK };

	if (argc < 4 || make(argv, argc > 4 ? argv[4] : NULL, &err)) {
		fprintf(stderr, "blocks: %s\n", argc < 4 ? "wrong usage" : err.text);
		return 1;
	}
	return 0;
}
