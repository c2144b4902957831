/* SPDX-License-Identifier: MIT
 * How traces are related by what they hold, what they were made of, and their names. */
#include "cmd/file/origin.h"

#include "test.h"

enum { F = 0xabc, G = 0xdef };

static void
add(struct trc_buf *list, const char *key, const char *text)
{
	struct trc_err err;

	CHECK(trc_provenance_text(list, key, text, &err) == 0);
}

/* What "KEY TEXT" entries origin; NULL ends them. */
static struct trc_origin
claim_of(const char *const *entry)
{
	struct trc_buf list = { 0 };
	struct trc_origin origin;

	for (; *entry; entry += 2)
		add(&list, entry[0], entry[1]);
	origin = trc_origin_of(trc_buf_view(&list));
	trc_buf_release(&list);
	return origin;
}

#define CLAIM(...) claim_of((const char *const[]){ __VA_ARGS__, NULL })

static void
claims_are_of_one_source(void)
{
	struct trc_origin c = CLAIM("source", "din", "fingerprint", "0000000000000abc", "trc",
	                            "1.0.0 encode", "note", "a=b", "trc", "2.1.0 encode");

	CHECK(c.known && c.same && c.named && c.fingerprint == F && strcmp(c.format, "din") == 0);
	c = CLAIM("source", "din", "fingerprint", "0000000000000abc", "trc", "1.0.0 encode", "trc",
	          "1.0.0 encode --skip 1");
	CHECK(c.known && !c.same && c.named);
	c = CLAIM("source", "csv", "fingerprint", "0000000000000abc", "trc",
	          "1.0.0 encode --from csv:addr=2");
	CHECK(c.known && !c.same && !c.named);
	c = CLAIM("source", "din", "fingerprint", "0000000000000abc", "trc", "1.0.0 reduce");
	CHECK(c.known && !c.same);
	c = CLAIM("source", "din", "trc", "1.0.0 encode");
	CHECK(!c.known && !c.same);
	c = CLAIM("source", "din", "fingerprint", "none", "trc", "1.0.0 encode");
	CHECK(!c.known && !c.same);
	c = CLAIM("part", "1", "source", "din", "fingerprint", "abc", "part", "2", "source", "din",
	          "fingerprint", "def", "joined", "2");
	CHECK(!c.known && !c.same);
	c = trc_origin_of((struct trc_view){ 0 });
	CHECK(!c.known && !c.same);
}

/* A trace `path` of fingerprint `rows`, made of one of fingerprint `of`; 0: not known. */
static struct trc_origin_trace
one(const char *path, const char *format, uint64_t rows, uint64_t of)
{
	struct trc_origin_trace r = {
		.path = path, .format = format, .fingerprint = rows, .rows = 9, .have = 3
	};

	r.origin = (struct trc_origin){ .known = of, .named = true, .fingerprint = of };
	strcpy(r.origin.format, of ? "din" : "");
	return r;
}

static void
any_order_finds_relatives(void)
{
	static const struct {
		struct {
			const char *path;
			uint64_t rows, of;
		} file[2];
		enum trc_origin_relation second,
		        first; /* of the second; of the first, the other way round */
	} pair[] = {
		{ { { "a.din", F, 0 }, { "b.din", F, 0 } },
		  TRC_ORIGIN_DUPLICATE,
		  TRC_ORIGIN_DUPLICATE },
		{ { { "a.trc", F, F }, { "b.trc", F, F } },
		  TRC_ORIGIN_DUPLICATE,
		  TRC_ORIGIN_DUPLICATE },
		{ { { "a.din", F, 0 }, { "b.trc", F, F } }, TRC_ORIGIN_COPY, TRC_ORIGIN_ORIGINAL },
		{ { { "a.din", F, 0 }, { "b.trc", G, F } }, TRC_ORIGIN_DERIVED, TRC_ORIGIN_SOURCE },
		{ { { "a.din", G, 0 }, { "b.trc", G, F } },
		  TRC_ORIGIN_DUPLICATE,
		  TRC_ORIGIN_DUPLICATE },
		{ { { "a.din", F, 0 }, { "b.trc", G, G } }, TRC_ORIGIN_NONE, TRC_ORIGIN_NONE },
		{ { { "a.din.xz", F, 0 }, { "a.trc", G, G } },
		  TRC_ORIGIN_NOT_DERIVED,
		  TRC_ORIGIN_NOT_SOURCE },
		{ { { "a.xdin", F, 0 }, { "a.trc", G, G } }, TRC_ORIGIN_NONE, TRC_ORIGIN_NONE },
		{ { { "x/a.din", F, 0 }, { "y/a.trc", G, G } }, TRC_ORIGIN_NONE, TRC_ORIGIN_NONE },
	};

	for (size_t i = 0; i < TRC_COUNT(pair); i++)
		for (int turn = 0; turn < 2; turn++) {
			struct trc_origins r = { 0 };
			enum trc_origin_relation relation[2];
			const char *path;
			struct trc_err err;

			CHECK(trc_origins_init(&r, &err) == 0);
			for (int k = 0; k < 2; k++) {
				const int at = k ^ turn;
				const char *name = pair[i].file[at].path;
				const struct trc_origin_trace this =
				        one(name, strstr(name, ".xdin") ? "xdin" : "din",
				            pair[i].file[at].rows, pair[i].file[at].of);

				CHECK(trc_origins_add(&r, &this, &relation[k], &path, &err) == 0);
			}
			CHECK(relation[0] == TRC_ORIGIN_NONE);
			CHECK_MSG(relation[1] == (turn ? pair[i].first : pair[i].second),
			          "pair %zu, turn %d: %d", i, turn, (int)relation[1]);
			CHECK(!path || strcmp(path, pair[i].file[turn].path) == 0);
			trc_origins_release(&r);
		}
}

int
main(void)
{
	test_start();
	RUN(claims_are_of_one_source);
	RUN(any_order_finds_relatives);
	return 0;
}
