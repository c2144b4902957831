/* SPDX-License-Identifier: MIT
 *
 * Access logs of web servers and of object stores: requests between texts in brackets and quotes;
 * of s3-log, a line in two. Of w3c-log, a line of names and a request.
 *
 *   10.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 200 23
 *   79a5 photos [06/Feb/2019:00:00:38 +0000] 10.0.0.1 79a5 3E57
 *       REST.GET.OBJECT a/b "GET /a/b HTTP/1.1" 200 - 1024 4096 70 10 -
 *   #Fields: date time sc-bytes cs-method cs-uri-stem cs-uri-query
 *   2019-12-04 21:02:31 392 GET /index.html -
 *
 * access-log: the common and the combined log format of NCSA, which Apache, nginx, Varnish and
 * others write (httpd.apache.org, mod_log_config): host, ident, user, time, request, status, bytes,
 * and any more. The address is the XXH3 of the URL, the size that of the reply; a dash is 0. GET
 * reads, PURGE invalidates; other methods, and requests that are not METHOD URL, are skipped.
 *
 * s3-log: server access logs of Amazon S3 (its user guide, "Log format"): owner, bucket, time,
 * client, requester, request, operation, key, URI, status, error, bytes sent, object size, and any
 * more. The address is the XXH3 of the key, buckets become address spaces, the 32-bit XXH3 of their
 * names. The size is that of the object; where that is a dash, the bytes sent; or 0. GET of an
 * object reads, PUT and POST write, DELETE invalidates; other operations are skipped.
 *
 * w3c-log: the extended log file format of W3C (www.w3.org/TR/WD-logfile), which CloudFront, IIS
 * and others write: a line "#Fields:" names the fields of later lines, between blanks or tabs. The
 * address is the XXH3 of cs-uri-stem and, after a question mark, cs-uri-query; date and time, in
 * UTC, sc-bytes and cs-method are as above. Hosts and other fields are skipped.
 *
 * Times, with their zones, become seconds since 1970.
 */
#include <stdio.h>

#include "format/csv/csv_values.h"
#include "format/lines.h"

/* The rest of a line. */
struct rest {
	const uint8_t *p, *e;
};

/* Takes the text up to the next blank; returns false if there is none. */
static bool
take_word(struct rest *r, struct trc_field *word)
{
	return trc_text_word(&r->p, r->e, TRC_TEXT_BLANK, word);
}

/* Takes a text in quotes, in which a backslash quotes any character. */
static bool
take_quoted(struct rest *r, struct trc_field *text)
{
	r->p = trc_text_pass(r->p, r->e, TRC_TEXT_BLANK);
	if (r->p == r->e || *r->p++ != '"')
		return false;
	text->p = r->p;
	while (r->p < r->e && *r->p != '"')
		r->p += *r->p == '\\' && r->p + 1 < r->e ? 2 : 1;
	text->len = (size_t)(r->p - text->p);
	return r->p < r->e && *r->p++ == '"' && (r->p == r->e || *r->p == ' ');
}

/* Takes a number, or a dash as 0; sets *none for a dash. */
static bool
take_bytes(struct rest *r, uint64_t *v, bool *none)
{
	struct trc_field f;

	if (!take_word(r, &f))
		return false;
	*v = 0;
	*none = trc_field_is(f, "-");
	return *none || trc_field_dec(f, UINT32_MAX, v);
}

static bool
take_status(struct rest *r)
{
	struct trc_field f;
	uint64_t v;

	return take_word(r, &f) &&
	       (trc_field_is(f, "-") || (f.len == 3 && trc_field_dec(f, 999, &v)));
}

/* Skips to the time in brackets, after at least `words` words, and takes it; *before is the last
 * word before it. */
static bool
take_time(struct rest *r, unsigned words, struct trc_field *before, uint64_t *seconds)
{
	struct trc_field f = { NULL, 0 };

	for (; take_word(r, &f) && *f.p != '['; words -= words > 0)
		*before = f;
	if (words > 0 || f.len == 0 || r->p == r->e)
		return false;
	f.p++;
	while (r->p < r->e && *r->p != ']')
		r->p++;
	f.len = (size_t)(r->p - f.p);
	return r->p < r->e && *r->p++ == ']' && f.len > 2 && f.p[2] == '/' &&
	       trc_csv_take_number(f, &(const struct trc_csv_unit){ .time = true }, seconds,
	                           NULL) == TRC_NUMBER_WHOLE;
}

/* Splits METHOD URL PROTOCOL, or METHOD URL. */
static bool
split_request(struct trc_field request, struct trc_field *method, struct trc_field *url)
{
	struct rest r = { request.p, request.p + request.len };
	struct trc_field protocol;

	return take_word(&r, method) && take_word(&r, url) && memchr("/h*", *url->p, 3) &&
	       (!take_word(&r, &protocol) ||
	        (protocol.len > 5 && memcmp(protocol.p, "HTTP/", 5) == 0 && r.p == r.e));
}

static enum trc_line
access_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n)
{
	struct rest r = { s, trc_text_trim(s, e, TRC_TEXT_BLANK | TRC_TEXT_RETURN) };
	struct trc_field before, request, method, url;
	uint64_t bytes;
	bool none;

	if (r.p == r.e)
		return TRC_LINE_SKIP;
	if (!take_time(&r, 3, &before, &b->time[n]) || !take_quoted(&r, &request) ||
	    !take_status(&r) || !take_bytes(&r, &bytes, &none))
		return TRC_LINE_BAD;
	if (!split_request(request, &method, &url) ||
	    !(trc_field_is(method, "GET") || trc_field_is(method, "PURGE")))
		return TRC_LINE_SKIP;
	b->type[n] = *method.p == 'G' ? TRC_READ : TRC_INVALIDATE;
	b->addr[n] = trc_csv_hash(url, 0);
	b->size[n] = (uint32_t)bytes + (*method.p == 'P' && bytes == 0); /* a URL goes as a whole */
	return TRC_LINE_ROW;
}

/* The operations on objects that are read. */
static const struct {
	const char *name;
	uint8_t type;
} operation[] = {
	{ "REST.GET.OBJECT", TRC_READ },
	{ "REST.PUT.OBJECT", TRC_WRITE },
	{ "REST.POST.OBJECT", TRC_WRITE },
	{ "REST.DELETE.OBJECT", TRC_INVALIDATE },
};

static enum trc_line
s3_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n)
{
	struct rest r = { s, trc_text_trim(s, e, TRC_TEXT_BLANK | TRC_TEXT_RETURN) };
	struct trc_field bucket, f, op, key;
	uint64_t sent, size;
	bool none;
	size_t i = 0;

	if (r.p == r.e)
		return TRC_LINE_SKIP;
	if (!take_time(&r, 2, &bucket, &b->time[n]) || !take_word(&r, &f) || !take_word(&r, &f) ||
	    !take_word(&r, &f) || !take_word(&r, &op) || !take_word(&r, &key) ||
	    !memchr(op.p, '.', op.len))
		return TRC_LINE_BAD;
	if (!take_quoted(&r, &f) && !(take_word(&r, &f) && trc_field_is(f, "-")))
		return TRC_LINE_BAD;
	if (!(take_status(&r) && take_word(&r, &f) && take_bytes(&r, &sent, &none) &&
	      take_bytes(&r, &size, &none)))
		return TRC_LINE_BAD;
	while (i < TRC_COUNT(operation) && !trc_field_is(op, operation[i].name))
		i++;
	if (i == TRC_COUNT(operation))
		return TRC_LINE_SKIP;
	b->type[n] = operation[i].type;
	b->addr[n] = trc_csv_hash(key, 0);
	b->asid[n] = (uint32_t)trc_csv_hash(bucket, 0);
	size = none ? sent : size;
	b->size[n] = (uint32_t)size + (b->type[n] == TRC_INVALIDATE && size == 0);
	return TRC_LINE_ROW;
}

/* The fields of w3c-log that are read. */
enum w3c_field { DATE, TIME, METHOD, STEM, QUERY, BYTES, W3C_FIELDS };

/* The state of w3c-log: the number of each field, from 1, and how many there are; 0: none. */
struct w3c {
	uint8_t at[W3C_FIELDS], fields;
};

enum { URL_MOST = 8192, W3C_FIELDS_MOST = 99 };

/* Takes the next field of a line whose fields are between blanks or, if it has any, tabs. */
static bool
take_field(struct rest *r, uint8_t by, struct trc_field *f)
{
	if (by == ' ')
		r->p = trc_text_pass(r->p, r->e, TRC_TEXT_BLANK);
	f->p = r->p;
	if (r->p >= r->e)
		return false;
	while (r->p < r->e && *r->p != by)
		r->p++;
	f->len = (size_t)(r->p++ - f->p);
	return true;
}

static uint8_t
separator_of(const struct rest *r)
{
	return memchr(r->p, '\t', (size_t)(r->e - r->p)) ? '\t' : ' ';
}

/* Notes which fields a line "#Fields:" names. */
static void
note_names(struct w3c *w, struct rest r)
{
	static const char *const names[] = { "date",        "time",         "cs-method",
		                             "cs-uri-stem", "cs-uri-query", "sc-bytes" };
	struct trc_field f;
	uint8_t by;

	*w = (struct w3c){ .fields = 0 };
	r.p = trc_text_pass(r.p, r.e, TRC_TEXT_BLANKS);
	by = separator_of(&r);
	while (w->fields < W3C_FIELDS_MOST && take_field(&r, by, &f)) {
		w->fields++;
		for (unsigned k = 0; k < W3C_FIELDS; k++)
			if (trc_field_is(f, names[k]))
				w->at[k] = w->fields;
	}
}

/* Joins two texts with a character between them; the result is empty if they do not fit. */
static struct trc_field
join(struct trc_field a, char between, struct trc_field b, char text[URL_MOST])
{
	const bool fits = a.len + b.len + 1 < URL_MOST;

	if (fits) {
		memcpy(text, a.p, a.len);
		text[a.len] = between;
		memcpy(text + a.len + 1, b.p, b.len);
	}
	return (struct trc_field){ (const uint8_t *)text, fits ? a.len + b.len + 1 : 0 };
}

/* Appends the row of a request; returns NULL, or its error. */
static const char *
take_request(const struct trc_field field[W3C_FIELDS], struct trc_batch *b)
{
	const struct trc_csv_unit dates = { .time = true };
	const struct trc_field *query = &field[QUERY];
	struct trc_field url = field[STEM], when;
	char text[URL_MOST];
	uint64_t bytes = 0;

	if (!trc_field_is(field[METHOD], "GET") && !trc_field_is(field[METHOD], "PURGE"))
		return NULL;
	when = join(field[DATE], 'T', field[TIME], text);
	if (field[TIME].len < 8 || field[TIME].p[2] != ':' ||
	    trc_csv_take_number(when, &dates, &b->time[b->n], NULL) != TRC_NUMBER_WHOLE)
		return "its date or time is invalid";
	if (!trc_field_is(field[BYTES], "-") && !trc_field_dec(field[BYTES], UINT32_MAX, &bytes))
		return "sc-bytes is not a number below 4 GiB";
	if (query->len > 0 && !trc_field_is(*query, "-"))
		url = join(url, '?', *query, text);
	if (url.len == 0)
		return "it has no URL";
	b->type[b->n] = *field[METHOD].p == 'G' ? TRC_READ : TRC_INVALIDATE;
	b->addr[b->n] = trc_csv_hash(url, 0);
	b->size[b->n] = (uint32_t)bytes + (*field[METHOD].p == 'P' && bytes == 0);
	b->n++;
	return NULL;
}

static const char *
take_w3c(void *state, const uint8_t *s, const uint8_t *e, struct trc_batch *b)
{
	static const char fields[] = "#Fields:";
	struct trc_field field[W3C_FIELDS] = { { NULL, 0 } }, f;
	struct w3c *w = state;
	struct rest r = { s, trc_text_trim(s, e, TRC_TEXT_BLANK | TRC_TEXT_RETURN) };
	unsigned n = 0;
	uint8_t by;

	if (r.p < r.e && *r.p == '#') {
		if (trc_text_begins(r.p, r.e, fields) && (size_t)(r.e - r.p) > sizeof(fields))
			note_names(w, (struct rest){ r.p + sizeof(fields) - 1, r.e });
		return NULL;
	}
	if (r.p == r.e)
		return NULL;
	for (unsigned k = 0; k < W3C_FIELDS; k++)
		if (!w->at[k] && k != QUERY)
			return "no line #Fields: before it names date, time, cs-method, cs-uri-stem and sc-bytes";
	by = separator_of(&r);
	while (take_field(&r, by, &f)) {
		n++;
		for (unsigned k = 0; k < W3C_FIELDS; k++)
			if (w->at[k] == n)
				field[k] = f;
	}
	return n == w->fields ? take_request(field, b) :
	                        "it has not as many fields as #Fields: names";
}

/* Objects of 4 GiB and more have no place in the column of sizes. */
static void
explain(const void *state, const uint8_t *p, const uint8_t *e, char *dst, size_t room)
{
	struct rest r = { p, e };
	struct trc_field f;
	uint64_t v;

	(void)state;
	while (take_word(&r, &f))
		if (trc_field_dec(f, UINT64_MAX, &v) && v > UINT32_MAX)
			snprintf(dst, room, "sizes are below 4 GiB");
}

static const struct trc_line_more more = { .explain = explain };

const struct trc_format trc_family_access_log[] = {
	{
	        .name = "access-log",
	        .objects = true,
	        .doc = "access logs of web servers: Apache, nginx, NCSA",
	        .second = 1,
	        .holds = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TIME,
	        .gives = UINT32_C(1) << TRC_READ | UINT32_C(1) << TRC_INVALIDATE,
	        TRC_LINES("HOST IDENT USER [TIME] \"METHOD URL "
	                  "PROTOCOL\" STATUS BYTES ...",
	                  .way.one = access_line),
	        .more = &more,
	        .changes =
	                "addresses are XXH3 of the URLs, sizes those of the replies of any status; "
	                "methods other than GET and PURGE are skipped",
	},
	{
	        .name = "s3-log",
	        .objects = true,
	        .doc = "server access logs of Amazon S3",
	        .second = 1,
	        .holds = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TIME | TRC_HAS_ASID,
	        .gives = UINT32_C(1) << TRC_READ | UINT32_C(1) << TRC_WRITE |
	                 UINT32_C(1) << TRC_INVALIDATE,
	        TRC_LINES("OWNER BUCKET [TIME] CLIENT REQUESTER ID "
	                  "OPERATION KEY \"URI\" STATUS ERROR SENT "
	                  "SIZE ...",
	                  .way.one = s3_line),
	        .more = &more,
	        .changes =
	                "addresses are XXH3 of the keys, spaces of the buckets; operations other "
	                "than GET, PUT, POST and DELETE of objects are skipped",
	},
	{
	        .name = "w3c-log",
	        .objects = true,
	        .doc = "logs in W3C's extended format: CloudFront, IIS",
	        .second = 1,
	        .chained = true,
	        .holds = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TIME,
	        .gives = UINT32_C(1) << TRC_READ | UINT32_C(1) << TRC_INVALIDATE,
	        TRC_LINES("FIELD of '#Fields:' ...", .rows = 1),
	        .more = TRC_ROW(trc_line_more, .take = take_w3c, .state_size = sizeof(struct w3c)),
	        .changes =
	                "addresses are XXH3 of the URLs, sizes those of the replies of any status; "
	                "hosts, and methods other than GET and PURGE, are skipped",
	},
	{ .name = NULL },
};
