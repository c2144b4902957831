/* SPDX-License-Identifier: MIT
 * A list of entries: key and text, each preceded by its length (a number of base/buf.h). */
#include "batch/provenance.h"

#include <stdio.h>
#include <string.h>

/* Room left after several lists for the entries of later steps. */
enum { ROOM_AFTER = 1 << 13 };

static bool
is_key(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(p[i] >= 'a' && p[i] <= 'z') && !(p[i] >= '0' && p[i] <= '9') && p[i] != '-')
			return false;
	return n > 0;
}

bool
trc_provenance_next(struct trc_view *list, struct trc_provenance_entry *e)
{
	struct trc_view key, text;
	size_t n;

	if (!trc_view_counted(list, TRC_PROVENANCE_KEY_MOST, &key))
		return false;
	n = (size_t)(key.end - key.p);
	if (!is_key(key.p, n) || !trc_view_counted(list, TRC_PROVENANCE_TEXT_MOST, &text))
		return false;
	memcpy(e->key, key.p, n);
	e->key[n] = 0;
	e->text = text.p;
	e->len = (size_t)(text.end - text.p);
	return true;
}

bool
trc_provenance_good(struct trc_view list)
{
	struct trc_provenance_entry e;

	if (list.end - list.p > TRC_PROVENANCE_MOST)
		return false;
	while (list.p < list.end)
		if (!trc_provenance_next(&list, &e))
			return false;
	return true;
}

bool
trc_provenance_last(struct trc_view list, const char *key, struct trc_provenance_entry *e)
{
	struct trc_provenance_entry next;
	bool found = false;

	while (list.p < list.end && trc_provenance_next(&list, &next))
		if (strcmp(next.key, key) == 0) {
			*e = next;
			found = true;
		}
	return found;
}

int
trc_provenance_put(struct trc_buf *list, const char *key, const void *text, size_t len,
                   struct trc_err *err)
{
	const size_t keys = strlen(key);

	if (len > TRC_PROVENANCE_TEXT_MOST)
		len = TRC_PROVENANCE_TEXT_MOST;
	if (list->n + keys + len + 4 > TRC_PROVENANCE_MOST)
		return 0;
	if (trc_buf_put_counted(list, key, keys, err) || trc_buf_put_counted(list, text, len, err))
		return -1;
	return 0;
}

int
trc_provenance_text(struct trc_buf *list, const char *key, const char *text, struct trc_err *err)
{
	return trc_provenance_put(list, key, text, strlen(text), err);
}

/* ---- several lists ---- */

void
trc_provenances_release(struct trc_provenances *p)
{
	trc_buf_release(&p->all);
	*p = (struct trc_provenances){ 0 };
}

void
trc_provenances_reset(struct trc_provenances *p)
{
	const struct trc_buf all = p->all;

	*p = (struct trc_provenances){ .all = all };
	p->all.n = 0;
}

static int
put_number(struct trc_buf *list, const char *key, uint64_t n, struct trc_err *err)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (ull)n);
	return trc_provenance_text(list, key, text, err);
}

int
trc_provenances_add(struct trc_provenances *p, struct trc_view list, struct trc_err *err)
{
	const size_t len = (size_t)(list.end - list.p);

	p->all.n = p->end;
	if (p->n > 0 && len == p->end - p->last &&
	    (len == 0 || memcmp(p->all.p + p->last, list.p, len) == 0))
		return 0;
	if (p->n > 0 && p->end + len > TRC_PROVENANCE_MOST - ROOM_AFTER) {
		p->left_out++;
		return 0;
	}
	if (put_number(&p->all, "part", p->n + 1, err))
		return -1;
	p->last = p->all.n;
	p->first = p->n++ ? p->first : p->last;
	if (len > 0 && trc_buf_put(&p->all, list.p, len, err))
		return -1;
	p->end = p->all.n;
	return 0;
}

int
trc_provenances_view(struct trc_provenances *p, struct trc_view *list, struct trc_err *err)
{
	const bool one = p->n == 1 && p->left_out == 0;

	p->all.n = p->end;
	if (p->n > 0 && !one && put_number(&p->all, "joined", p->n + p->left_out, err))
		return -1;
	if (p->left_out && put_number(&p->all, "left-out", p->left_out, err))
		return -1;
	*list = trc_buf_view(&p->all);
	if (one && list->p)
		list->p += p->first;
	if (list->end - list->p == 0)
		*list = (struct trc_view){ 0 };
	return 0;
}
