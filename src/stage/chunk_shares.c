/* SPDX-License-Identifier: MIT */
#include "stage/chunk_shares.h"

/* Makes a part for the next rows of a slice; the caller holds place->rows. If the thread is
 * `alone`, the rows are made while they are worked on; otherwise they are read into a list. Returns
 * NULL if there are no more rows. */
static struct trc_chunk_part *
next_part(struct trc_chunks *p, struct trc_chunk_place *place, bool alone)
{
	enum trc_flow flow = TRC_FLOW_ROWS;
	struct trc_err err = { 0 };
	struct trc_chunk_part *part;

	pthread_mutex_lock(&p->lock);
	part = trc_chunk_get_part(p, &err);
	pthread_mutex_unlock(&p->lock);
	if (part && alone)
		part->chunk.place = place;
	else if (part)
		flow = trc_chunk_read_list(p, &place->slice, &part->chunk.list, p->sizes.read,
		                           &err);
	pthread_mutex_lock(&p->lock);
	if (!part || flow == TRC_FLOW_FAILED) {
		place->state = TRC_CHUNK_FAILED;
		place->err = err;
		p->stop = true;
	}
	place->ended = !part || flow != TRC_FLOW_ROWS;
	if (part && flow != TRC_FLOW_FAILED && (alone || part->chunk.list.n > 0)) {
		trc_chunk_add_part(place, part);
	} else if (part) {
		trc_chunk_put_part(p, part);
		part = NULL;
	}
	pthread_mutex_unlock(&p->lock);
	return part;
}

/* Works on the next rows of a slice. The lock is held on entry and on return. */
static void
share_rows(struct trc_chunks *p, struct trc_chunk_place *place)
{
	const bool alone = place->threads == 1;
	struct trc_chunk_part *part = NULL;

	pthread_mutex_unlock(&p->lock);
	pthread_mutex_lock(&place->rows);
	if (!place->ended)
		part = next_part(p, place, alone);
	if (!alone)
		pthread_mutex_unlock(&place->rows);
	if (part)
		trc_chunk_work_on(p, part);
	else
		pthread_mutex_lock(&p->lock);
	if (alone)
		pthread_mutex_unlock(&place->rows);
}

void
trc_chunk_share(struct trc_chunks *p, struct trc_chunk_place *place, bool caller)
{
	place->threads++;
	pthread_mutex_unlock(&p->lock);
	p->from->slices->prepare(p->from, &place->slice);
	pthread_mutex_lock(&p->lock);
	while (!place->ended && !p->closing) {
		share_rows(p, place);
		if (place->threads > 1 && (caller || trc_chunk_may_begin(p)))
			break;
	}
	place->threads--;
	pthread_cond_broadcast(&p->moved);
}

struct trc_chunk_place *
trc_chunk_shared(struct trc_chunks *p)
{
	for (uint64_t i = p->taken; p->shared && i < p->begun; i++) {
		struct trc_chunk_place *place = &p->place[i % p->places];

		if (place->threads > 0 && !place->ended)
			return place;
	}
	return NULL;
}
