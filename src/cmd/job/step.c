/* SPDX-License-Identifier: MIT
 *
 * Adds a step to the provenance of the container that a command writes.
 */
#include <string.h>

#include "cmd/job/job.h"

static int
check_notes(const struct trc_opt_list *notes, struct trc_err *err)
{
	size_t bytes = 0;

	for (size_t i = 0; i < notes->n; i++) {
		const size_t len = strlen(notes->word[i]), key = strcspn(notes->word[i], "=");

		if (key == 0 || key == len)
			return trc_fail_as(err, TRC_USAGE,
			                   "--note: '%.64s' is not KEY=VALUE, such as "
			                   "machine=laptop",
			                   notes->word[i]);
		if (len > TRC_PROVENANCE_TEXT_MOST)
			return trc_fail_as(err, TRC_USAGE, "--note: has %zu bytes; the limit is %d",
			                   len, TRC_PROVENANCE_TEXT_MOST);
		bytes += len + sizeof("note") + 4;
	}
	if (bytes <= TRC_PROVENANCE_MOST / 2)
		return 0;
	return trc_fail_as(err, TRC_USAGE,
	                   "--note: all notes have %zu bytes; the limit "
	                   "is %d",
	                   bytes, TRC_PROVENANCE_MOST / 2);
}

int
trc_job_step(struct trc_job *job, const struct trc_format *format, const struct trc_job_out *out,
             const struct trc_view *known, struct trc_err *err)
{
	struct trc_provenance_step step = { .notes = trc_settings_of(out->settings,
		                                                     &trc_job_opts_note) };
	int ret;

	if (!trc_job_is_container(format))
		return 0;
	if (check_notes(step.notes, err))
		return -1;
	ret = trc_settings_command(out->settings, &step.command, &step.plain, err);
	if (ret == 0)
		ret = trc_job_wrap(job, trc_stage_step(job->src, &step, known, err));
	trc_buf_release(&step.command);
	return ret;
}
