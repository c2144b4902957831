/* SPDX-License-Identifier: MIT
 * Compressed input: whole, in members, in parts, cut short, damaged. */
#include <lzma.h>
#include <string.h>
#include <sys/resource.h>

#include "base/bytes.h"
#include "base/io/packing.h"
#include "generate.h"
#include "test.h"
#ifdef TRC_WITH_ZLIB
#include <zlib.h>
#endif
#ifdef TRC_WITH_BZ2
#include <bzlib.h>
#endif
#ifdef TRC_WITH_ZSTD
#include <zstd.h>
#endif

enum { ROOM = 1 << 20 };

static size_t
pack_xz(const uint8_t *p, size_t len, uint8_t *dst)
{
	size_t n = 0;

	CHECK(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, p, len, dst, &n, ROOM) == LZMA_OK);
	return n;
}

/* One stream of many small blocks. */
static size_t
pack_xz_blocks(const uint8_t *p, size_t len, uint8_t *dst)
{
	const lzma_mt mt = {
		.threads = 1, .block_size = 4096, .preset = 1, .check = LZMA_CHECK_CRC32
	};
	lzma_stream z = LZMA_STREAM_INIT;

	CHECK(lzma_stream_encoder_mt(&z, &mt) == LZMA_OK);
	z.next_in = p;
	z.avail_in = len;
	z.next_out = dst;
	z.avail_out = ROOM;
	CHECK(lzma_code(&z, LZMA_FINISH) == LZMA_STREAM_END);
	lzma_end(&z);
	return ROOM - z.avail_out;
}

#ifdef TRC_WITH_ZLIB
static size_t
pack_gz(const uint8_t *p, size_t len, uint8_t *dst)
{
	z_stream z = { .avail_in = (uInt)len, .avail_out = ROOM };

	z.next_in = (Bytef *)p;
	z.next_out = dst;
	CHECK(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
	CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
	deflateEnd(&z);
	return ROOM - z.avail_out;
}
#endif

#ifdef TRC_WITH_ZLIB
enum zip { ZIP_DEFLATED, ZIP_STORED, ZIP_DESCRIPTOR, ZIP_BARE_DESCRIPTOR, ZIP_LARGE };

static size_t
zip_data(const uint8_t *p, size_t len, enum zip how, uint8_t *dst)
{
	z_stream z = { .avail_in = (uInt)len, .avail_out = ROOM };

	if (how == ZIP_STORED) {
		memcpy(dst, p, len);
		return len;
	}
	z.next_in = (Bytef *)p;
	z.next_out = dst;
	CHECK(deflateInit2(&z, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) == Z_OK);
	CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
	deflateEnd(&z);
	return ROOM - z.avail_out;
}

static const char zip_name[] = "chunk.0000";
enum { ZIP_NAME = sizeof(zip_name) - 1 };

/* What a header has from flags to lengths; all but sizes that follow the data. */
static void
zip_fields(uint8_t *p, enum zip how, uint32_t crc, size_t len, size_t size)
{
	const bool later = how == ZIP_DESCRIPTOR || how == ZIP_BARE_DESCRIPTOR;

	trc_put_le16(p, later ? 8 : 0);
	trc_put_le16(p + 2, how == ZIP_STORED ? 0 : 8);
	trc_put_le32(p + 4, 0);
	trc_put_le32(p + 8, later ? 0 : crc);
	trc_put_le32(p + 12, later ? 0 : how == ZIP_LARGE ? UINT32_MAX : (uint32_t)len);
	trc_put_le32(p + 16, later ? 0 : how == ZIP_LARGE ? UINT32_MAX : (uint32_t)size);
	trc_put_le16(p + 20, ZIP_NAME);
}

/* A file of an archive, a chunk, with an extra field of an unknown kind. */
static size_t
zip_file(const uint8_t *p, size_t size, enum zip how, uint8_t *dst)
{
	static const uint8_t unknown[] = { 0x99, 0x99, 2, 0, 'a', 'b' };
	const size_t extra = sizeof(unknown) + (how == ZIP_LARGE ? 20 : 0);
	const uint32_t crc = (uint32_t)crc32(0, p, (uInt)size);
	uint8_t *end = dst + 30 + ZIP_NAME + extra;
	const size_t len = zip_data(p, size, how, end);

	memcpy(dst, "PK\3\4\24", 6);
	zip_fields(dst + 6, how, crc, len, size);
	trc_put_le16(dst + 28, (uint16_t)extra);
	memcpy(dst + 30, zip_name, ZIP_NAME);
	dst += 30 + ZIP_NAME;
	memcpy(dst, unknown, sizeof(unknown));
	if (how == ZIP_LARGE) {
		memcpy(dst + 6, "\1\0\20", 4);
		trc_put_le64(dst + 10, size);
		trc_put_le64(dst + 18, len);
	}
	dst -= 30 + ZIP_NAME;
	end += len;
	if (how != ZIP_DESCRIPTOR && how != ZIP_BARE_DESCRIPTOR)
		return (size_t)(end - dst);
	if (how == ZIP_DESCRIPTOR) {
		memcpy(end, "PK\7\10", 4);
		end += 4;
	}
	trc_put_le32(end, crc);
	trc_put_le32(end + 4, (uint32_t)len);
	trc_put_le32(end + 8, (uint32_t)size);
	return (size_t)(end + 12 - dst);
}

/* An archive of two files, each with half of the data, with a comment at its end. */
static size_t
zip_archive(const uint8_t *p, size_t len, enum zip how, uint8_t *dst)
{
	uint8_t *end = dst;

	end += zip_file(p, len / 2, how, end);
	end += zip_file(p + len / 2, len - len / 2, how, end);
	for (int i = 0; i < 2; i++, end += 46 + ZIP_NAME) {
		memset(end, 0, 46);
		memcpy(end, "PK\1\2", 4);
		end[28] = ZIP_NAME;
		memcpy(end + 46, zip_name, ZIP_NAME);
	}
	if (how == ZIP_LARGE) {
		memset(end, 0, 56 + 20);
		memcpy(end, "PK\6\6\54", 5);
		memcpy(end + 56, "PK\6\7", 4);
		end += 56 + 20;
	}
	memset(end, 0, 22);
	memcpy(end, "PK\5\6", 4);
	end[8] = end[10] = 2;
	end[20] = 5;
	memcpy(end + 22, "words", 5);
	return (size_t)(end + 27 - dst);
}

#define ZIP(name, how)                                                 \
	static size_t name(const uint8_t *p, size_t len, uint8_t *dst) \
	{                                                              \
		return zip_archive(p, len, how, dst);                  \
	}

ZIP(pack_zip, ZIP_DEFLATED)
ZIP(pack_zip_stored, ZIP_STORED)
ZIP(pack_zip_descriptor, ZIP_DESCRIPTOR)
ZIP(pack_zip_bare_descriptor, ZIP_BARE_DESCRIPTOR)
ZIP(pack_zip_large, ZIP_LARGE)
#endif

#ifdef TRC_WITH_BZ2
static size_t
pack_bz2(const uint8_t *p, size_t len, uint8_t *dst)
{
	unsigned n = ROOM;

	CHECK(BZ2_bzBuffToBuffCompress((char *)dst, &n, (char *)p, (unsigned)len, 1, 0, 0) ==
	      BZ_OK);
	return n;
}
#endif

#ifdef TRC_WITH_ZSTD
static size_t
pack_zst(const uint8_t *p, size_t len, uint8_t *dst)
{
	ZSTD_CCtx *z = ZSTD_createCCtx();
	size_t n;

	CHECK(z && !ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1)));
	n = ZSTD_compress2(z, dst, ROOM, p, len);
	CHECK(!ZSTD_isError(n));
	ZSTD_freeCCtx(z);
	return n;
}

/* A frame that holds no data, which readers skip, before one that does. */
static size_t
pack_zst_skippable(const uint8_t *p, size_t len, uint8_t *dst)
{
	static const uint8_t skipped[] = { 0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'a', 'b', 'c' };
	size_t n = pack_zst(p, len, dst);

	memcpy(dst + n, skipped, sizeof(skipped));
	return n + sizeof(skipped);
}

/* Two chunks, and an index of them. */
static size_t
pack_zstf(const uint8_t *p, size_t len, uint8_t *dst)
{
	size_t n = 20;

	n += pack_zst(p, len / 2, dst + n);
	n += pack_zst(p + len / 2, len - len / 2, dst + n);
	memcpy(dst, "ZSTF", 4);
	trc_put_le64(dst + 4, 100000);
	trc_put_le64(dst + 12, n);
	memset(dst + n, 0x11, 8 + 2 * 24);
	trc_put_le64(dst + n, 2);
	return n + 8 + 2 * 24;
}
#endif

/* CRC-32C as chunks of .sz have it, bit by bit. */
static uint32_t
sum_sz(const uint8_t *p, size_t len)
{
	uint32_t sum = UINT32_MAX;

	for (size_t i = 0; i < 8 * len; i++) {
		const bool odd = (sum ^ (uint32_t)p[i / 8] >> i % 8) & 1;

		sum = sum >> 1 ^ (odd ? 0x82f63b78 : 0);
	}
	return (~sum >> 15 | ~sum << 17) + 0xa282ead8;
}

/* Bytes as Snappy has them: copies of what 4 bytes before has, where that is the same, else
 * literals. */
static size_t
snap(const uint8_t *p, size_t len, uint8_t *dst)
{
	uint8_t *const start = dst;
	size_t n;

	for (n = len; n > 127; n >>= 7)
		*dst++ = (uint8_t)(n | 128);
	*dst++ = (uint8_t)n;
	for (size_t i = 0; i < len; i += n) {
		for (n = 0; i >= 4 && n < 64 && i + n < len && p[i + n] == p[i + n - 4];)
			n++;
		if (n > 0) {
			*dst++ = (uint8_t)((n - 1) << 2 | 2);
			*dst++ = 4;
			*dst++ = 0;
			continue;
		}
		n = len - i < 3 ? len - i : 3;
		*dst++ = (uint8_t)((n - 1) << 2);
		memcpy(dst, p + i, n);
		dst += n;
	}
	return (size_t)(dst - start);
}

/* Chunks of 500 bytes, every third as it is, and padding. */
static size_t
pack_sz(const uint8_t *p, size_t len, uint8_t *dst)
{
	static const uint8_t begin[] = "\xff\6\0\0sNaPpY\xfe\3\0\0abc";
	size_t n = sizeof(begin) - 1;

	memcpy(dst, begin, n);
	for (size_t i = 0, chunk = 500; i < len; i += chunk) {
		uint8_t *head = dst + n;
		const bool plain = i / 500 % 3 == 2;
		size_t k;

		chunk = len - i < chunk ? len - i : chunk;
		k = plain ? chunk : snap(p + i, chunk, head + 8);
		if (plain)
			memcpy(head + 8, p + i, chunk);
		trc_put_le32(head, (uint32_t)(k + 4) << 8 | plain);
		trc_put_le32(head + 4, sum_sz(p + i, chunk));
		n += 8 + k;
	}
	return n;
}

static const struct packing {
	const char *name;
	const struct trc_packing *row;
	size_t (*pack)(const uint8_t *p, size_t len, uint8_t *dst);
	bool members; /* what follows a whole file may be another: cuts there are none */
} packing[] = {
	{ "xz", &trc_packing_xz, pack_xz, false },
	{ "xz-blocks", &trc_packing_xz, pack_xz_blocks, false },
	{ "sz", &trc_packing_sz, pack_sz, true },
#ifdef TRC_WITH_ZLIB
	{ "gz", &trc_packing_gz, pack_gz, false },
	{ "zip", &trc_packing_zip, pack_zip, false },
	{ "zip, stored", &trc_packing_zip, pack_zip_stored, false },
	{ "zip, sizes behind", &trc_packing_zip, pack_zip_descriptor, false },
	{ "zip, bare sizes behind", &trc_packing_zip, pack_zip_bare_descriptor, false },
	{ "zip, large", &trc_packing_zip, pack_zip_large, false },
#endif
#ifdef TRC_WITH_BZ2
	{ "bz2", &trc_packing_bz2, pack_bz2, false },
#endif
#ifdef TRC_WITH_ZSTD
	{ "zst", &trc_packing_zst, pack_zst, false },
	{ "zst-skippable", &trc_packing_zst, pack_zst_skippable, true },
	{ "zstf", &trc_packing_zstf, pack_zstf, false },
#endif
};

/* Unpacks; -1 or the number of bytes at `dst`, at most `cap` at a time. */
static long
unpack(const struct packing *k, const uint8_t *p, size_t len, size_t step, uint8_t *dst, size_t cap,
       struct trc_err *err)
{
	const size_t head = len < 8 ? len : 8;
	struct trc_stream *inner = trc_stream_memory(p + head, len - head, step, err);
	struct trc_stream *s = trc_unpack_open(k->row, inner, p, head, NULL, err);
	size_t total = 0, got = 1;

	CHECK(inner && s);
	while (got > 0) {
		if (s->read(s, dst + total, cap < ROOM - total ? cap : ROOM - total, &got, err)) {
			trc_stream_close(s);
			return -1;
		}
		total += got;
	}
	CHECK(s->read(s, dst, 1, &got, err) == 0 && got == 0);
	trc_stream_close(s);
	return (long)total;
}

static uint8_t data[150000], packed[ROOM], unpacked[ROOM];

static void
make_data(void)
{
	struct generator m = { test_seed };

	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)("0123456789abcdef\n"[generate_below(&m, i % 1000 ? 3 : 17)]);
}

static void
check_whole(const struct packing *k, size_t n, size_t copies)
{
	static const size_t step[] = { 1, 7, 65536 }, cap[] = { 1, 4096, ROOM };
	struct trc_err err;
	size_t len = 0;

	for (size_t i = 0; i < copies; i++)
		len += k->pack(data, n, packed + len);
	for (size_t i = 0; i < TRC_COUNT(step); i++)
		for (size_t c = n > 30000; c < TRC_COUNT(cap); c++) {
			long got = unpack(k, packed, len, step[i], unpacked, cap[c], &err);

			CHECK_MSG(got == (long)(copies * n), "%s: %ld bytes of %zu: %s", k->name,
			          got, copies * n, got < 0 ? err.text : "");
			for (size_t at = 0; at < copies * n; at += n)
				CHECK(memcmp(unpacked + at, data, n) == 0);
		}
}

static void
whole_data_comes_back(void)
{
	for (size_t i = 0; i < TRC_COUNT(packing); i++) {
		check_whole(&packing[i], 0, 1);
		check_whole(&packing[i], 1, 1);
		check_whole(&packing[i], 20000, 1);
		check_whole(&packing[i], sizeof(data), 1);
	}
}

static void
members_follow_each_other(void)
{
	for (size_t i = 0; i < TRC_COUNT(packing); i++) {
		check_whole(&packing[i], 0, 3);
		check_whole(&packing[i], 1000, 5);
		check_whole(&packing[i], 40000, 2);
	}
}

/* Zero bytes behind the data, as tapes and block devices leave them, are no data. */
static void
padding_is_skipped(void)
{
	struct trc_err err;

	for (size_t i = 0; i < TRC_COUNT(packing); i++) {
		size_t len = packing[i].pack(data, 1000, packed);

		memset(packed + len, 0, 512);
		CHECK(unpack(&packing[i], packed, len + 512, 7, unpacked, ROOM, &err) == 1000);
		memcpy(packed + len + 512, "rest", 4);
		CHECK(unpack(&packing[i], packed, len + 516, 7, unpacked, ROOM, &err) == -1);
	}
}

static void
data_cut_short_is_no_success(void)
{
	struct trc_err err;

	for (size_t i = 0; i < TRC_COUNT(packing); i++) {
		const struct packing *k = &packing[i];
		size_t one = k->pack(data, 6000, packed);
		size_t len = one + k->pack(data, 500, packed + one);

		for (size_t cut = 8; cut < len; cut += test_step_most(5)) {
			long got = unpack(k, packed, cut, 65536, unpacked, ROOM, &err);

			if (cut == one || k->members) {
				CHECK_MSG(got <= 6500 && (got < 0 || got % 500 == 0), "%s",
				          k->name);
				continue;
			}
			CHECK_MSG(got == -1, "%s, cut at %zu of %zu: %ld bytes", k->name, cut, len,
			          got);
			CHECK_MSG(strstr(err.text, "truncated") || strstr(err.text, "damaged"),
			          "%s", err.text);
		}
	}
}

/* Any bit turned is an error, or in a part of the file that does not describe the data. */
static void
damage_does_not_pass(void)
{
	struct trc_err err;

	for (size_t i = 0; i < TRC_COUNT(packing); i++) {
		const struct packing *k = &packing[i];
		size_t len = k->pack(data, 3000, packed);

		for (size_t bit = 8 * k->row->magic_len; bit < 8 * len; bit += test_step_most(11)) {
			long got;

			packed[bit / 8] ^= (uint8_t)(1 << bit % 8);
			got = unpack(k, packed, len, 65536, unpacked, ROOM, &err);
			CHECK_MSG(got == -1 || (got == 3000 && memcmp(unpacked, data, 3000) == 0),
			          "%s, bit %zu: %ld bytes", k->name, bit, got);
			packed[bit / 8] ^= (uint8_t)(1 << bit % 8);
		}
	}
}

static void
check_file(size_t len, size_t want)
{
	const char *path = generate_path("packed");
	struct trc_err err;
	struct trc_in *in;

	generate_file(path, packed, len);
	in = trc_in_open(path, &err);
	CHECK_MSG(in, "%s", err.text);
	CHECK_MSG(trc_in_fill(in, want + 1, &err) == 0, "%s", err.text);
	CHECK((size_t)(in->end - in->p) == want && memcmp(in->p, data, want) == 0);
	/* Progress was 100 % as soon as the packed bytes were read: these wait in the window. */
	CHECK(in->raw_size == len && in->raw_at == 0);
	trc_in_close(in);
	/* Closing early does not wait for the rest. */
	in = trc_in_open(path, &err);
	CHECK(in);
	trc_in_close(in);
}

#ifdef TRC_WITH_ZLIB
/* A file of an archive is not unpacked beyond the length in its header, whatever is in its data. */
static void
zip_files_are_as_long_as_their_header(void)
{
	static const struct {
		size_t at; /* of packed size or size in the header */
		int more;
	} lie[] = { { 22, -70000 }, { 22, 1 }, { 18, -1 }, { 18, 1 } };
	const size_t len = pack_zip(data, sizeof(data), packed);
	const struct packing zip = { "zip", &trc_packing_zip, pack_zip, false };
	struct trc_err err;

	for (size_t i = 0; i < TRC_COUNT(lie); i++) {
		uint8_t *field = packed + lie[i].at;
		const uint32_t was = trc_le32(field);

		trc_put_le32(field, was + (uint32_t)lie[i].more);
		memset(unpacked, '#', sizeof(unpacked));
		CHECK_MSG(unpack(&zip, packed, len, 4096, unpacked, 500, &err) == -1, "%zu", i);
		CHECK_MSG(strstr(err.text, "the length or checksum of a file does not match") ||
		                  strstr(err.text, "expected the header of a part here"),
		          "%zu: %s", i, err.text);
		CHECK_MSG(unpacked[sizeof(data) / 2 + 500] == '#', "%zu", i);
		if (i == 0)
			CHECK(unpacked[was - 70000 + 1000] == '#');
		trc_put_le32(field, was);
	}
	CHECK(unpack(&zip, packed, len, 4096, unpacked, 500, &err) == (long)sizeof(data));
}
#endif

static void
files_are_unpacked_by_content(void)
{
	generate_file(generate_path("plain"), data, 1);
	for (size_t i = 0; i < TRC_COUNT(packing); i++)
		check_file(packing[i].pack(data, sizeof(data), packed), sizeof(data));
	memcpy(packed, data, sizeof(data));
	check_file(sizeof(data), sizeof(data));
	for (size_t n = 0; n < 10; n++)
		check_file(n, n);
}

/* Packed three times over is read; more is refused. */
static void
packings_nest(void)
{
	static uint8_t from[ROOM];
	struct trc_err err;
	size_t len = 3000;

	memcpy(packed, data, len);
	for (int depth = 1; depth <= 6; depth++) {
		const struct packing *k = &packing[(size_t)depth % TRC_COUNT(packing)];

		memcpy(from, packed, len);
		len = k->pack(from, len, packed);
		if (depth <= 3) {
			check_file(len, 3000);
			continue;
		}
		generate_file(generate_path("packed"), packed, len);
		CHECK(!trc_in_open(generate_path("packed"), &err));
		CHECK_MSG(strstr(err.text, "packed more than 3 times"), "%s", err.text);
	}
}

static void
what_cannot_be_opened_is_reported(void)
{
	struct trc_err err;

	CHECK(!trc_in_open("/no/such/file", &err) &&
	      strstr(err.text, "/no/such/file: cannot open"));
	CHECK(!trc_in_open("/", &err) && strstr(err.text, "directory"));
	memcpy(packed,
	       "\xfd"
	       "7zXZ\0\0\0\0\0\0\0",
	       12);
	generate_file(generate_path("packed"), packed, 12);
	CHECK(trc_in_open(generate_path("packed"), &err) == NULL && err.code == TRC_FAILED);
}

#ifdef TRC_WITH_ZSTD
/* The header of a frame with a window of 1 GiB, where there is no such room. */
static void
no_memory_is_no_damage(void)
{
	static const uint8_t head[] = { 0x28, 0xb5, 0x2f, 0xfd, 0, (30 - 10) << 3, 1, 0, 0 };
	const struct packing *k = packing;
	struct trc_err err = { .code = TRC_OK };
	struct rlimit old, low;

	/* Sanitizers reserve more than that for themselves. */
	if (test_sanitized())
		return;
	while (k->pack != pack_zst)
		k++;
	CHECK(getrlimit(RLIMIT_AS, &old) == 0);
	low = old;
	low.rlim_cur = 512 << 20;
	CHECK(setrlimit(RLIMIT_AS, &low) == 0);
	CHECK(unpack(k, head, sizeof(head), 65536, unpacked, ROOM, &err) <= 0);
	CHECK(setrlimit(RLIMIT_AS, &old) == 0);
	CHECK_MSG(!strstr(err.text, "damaged"), "%s", err.text);
}

/* As `zstd --ultra --long=31` packs. */
static void
a_window_that_is_too_wide_is_no_damage(void)
{
	static const uint8_t head[] = { 0x28, 0xb5, 0x2f, 0xfd, 0, (31 - 10) << 3, 1, 0, 0 };
	const struct packing *k = packing;
	struct trc_err err = { .code = TRC_OK };

	while (k->pack != pack_zst)
		k++;
	CHECK(unpack(k, head, sizeof(head), 65536, unpacked, ROOM, &err) <= 0);
	CHECK_MSG(strstr(err.text, "more than 1 GiB"), "%s", err.text);
}
#endif

int
main(void)
{
	test_start();
	make_data();
	RUN(whole_data_comes_back);
	RUN(members_follow_each_other);
	RUN(padding_is_skipped);
	RUN(data_cut_short_is_no_success);
	RUN(damage_does_not_pass);
#ifdef TRC_WITH_ZLIB
	RUN(zip_files_are_as_long_as_their_header);
#endif
	RUN(files_are_unpacked_by_content);
	RUN(packings_nest);
	RUN(what_cannot_be_opened_is_reported);
#ifdef TRC_WITH_ZSTD
	RUN(no_memory_is_no_damage);
	RUN(a_window_that_is_too_wide_is_no_damage);
#endif
	return 0;
}
