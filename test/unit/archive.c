/* SPDX-License-Identifier: MIT
 * Archives: the names of their files, one of them, and every byte of them changed. */
#include <string.h>

#include "base/bytes.h"
#include "base/io/packing.h"
#include "generate.h"
#include "test.h"
#ifdef TRC_WITH_ZLIB
#include <zlib.h>
#endif

enum { BLOCK = TRC_PACKING_HEAD, ROOM = 1 << 16 };

static uint8_t archive[ROOM], out[ROOM];
static size_t len;

/* ---- tar ---- */

static void
sum_header(uint8_t *p)
{
	unsigned sum = 0;

	memset(p + 148, ' ', 8);
	for (size_t i = 0; i < BLOCK; i++)
		sum += p[i];
	snprintf((char *)p + 148, 8, "%06o", sum);
}

static uint8_t *
put_tar(const char *name, char kind, const char *text, size_t size)
{
	uint8_t *p = archive + len;

	memset(p, 0, BLOCK + (size + BLOCK - 1) / BLOCK * BLOCK);
	memcpy(p, name, strlen(name));
	snprintf((char *)p + 124, 12, "%011zo", size);
	p[156] = (uint8_t)kind;
	memcpy(p + 257, "ustar\00000", 8);
	memcpy(p + BLOCK, text, size);
	sum_header(p);
	len += BLOCK + (size + BLOCK - 1) / BLOCK * BLOCK;
	return p;
}

static void
end_tar(void)
{
	memset(archive + len, 0, (size_t)2 * BLOCK);
	len += (size_t)2 * BLOCK;
}

/* All ways of naming a file that there are, and what has no data. */
static void
make_tar(void)
{
	static const char record[] = "24 path=dir/by pax.din\n\n30 mtime=1350244992.023960108\n";
	uint8_t *p;

	len = 0;
	put_tar("dir/", '5', "", 0);
	put_tar("./a.din", '0', "0 10\n", 5);
	p = put_tar("b.din", '0', "1 20\n1 30\n", 10);
	memcpy(p + 345, "far/away", 8);
	sum_header(p);
	put_tar("link", '2', "", 0);
	put_tar("._a.din", '0', "mac", 3);
	put_tar(".hidden/a", '0', "mac", 3);
	put_tar("longname", 'L', "as GNU tar has it.din", 22);
	put_tar("as GNU", '0', "2 40\n", 5);
	put_tar("pax", 'x', "24 path=dir/by pax.din\x0a", 23);
	archive[len - BLOCK + 1] = '3';
	put_tar("by pax", '0', "2 50\n", 5);
	put_tar("global", 'g', record, sizeof(record) - 1);
	put_tar("../up.din", '0', "2 60\n", 5);
	put_tar("empty", '0', "", 0);
	end_tar();
}

/* ---- reading ---- */

/* The bytes that come out; -1 with *err set. */
static long
read_archive(const uint8_t *p, size_t n, const char *file, size_t step, struct trc_err *err)
{
	const size_t head = n < BLOCK ? n : BLOCK;
	const struct trc_packing *row = trc_packing_of(p, head);
	struct trc_stream *inner, *s;
	size_t total = 0, got = 1;
	long ret = 0;

	if (!row || !row->archive || !row->unpack_open)
		return trc_fail(err, "no archive");
	inner = trc_stream_memory(p + head, n - head, step, err);
	s = trc_unpack_open(row, inner, p, head, file, err);
	CHECK(inner && s);
	while (ret == 0 && got > 0) {
		CHECK(total < ROOM);
		ret = s->read(s, out + total, step < ROOM - total ? step : ROOM - total, &got, err);
		total += ret ? 0 : got;
	}
	trc_stream_close(s);
	return ret ? -1 : (long)total;
}

static void
check_file(const char *file, const char *want)
{
	static const size_t steps[] = { 1, 7, 512, ROOM };
	struct trc_err err = { 0 };

	for (size_t i = 0; i < TRC_COUNT(steps); i++) {
		const long got = read_archive(archive, len, file, steps[i], &err);

		CHECK_MSG(got == (long)strlen(want) && memcmp(out, want, strlen(want)) == 0,
		          "%s: %ld bytes: %s", file, got, got < 0 ? err.text : "");
	}
}

static void
tar_has_its_files(void)
{
	static const char names[] = "a.din\0far/away/b.din\0as GNU tar has it.din\0"
	                            "dir/by pax.din\0../up.din";
	struct trc_err err = { 0 };
	long got;

	make_tar();
	got = read_archive(archive, len, "", 7, &err);
	CHECK_MSG(got == (long)sizeof(names) && memcmp(out, names, sizeof(names)) == 0, "%ld: %s",
	          got, got < 0 ? err.text : (char *)out);
	check_file("a.din", "0 10\n");
	check_file("far/away/b.din", "1 20\n1 30\n");
	check_file("as GNU tar has it.din", "2 40\n");
	check_file("dir/by pax.din", "2 50\n");
	check_file("../up.din", "2 60\n");
	CHECK(read_archive(archive, len, "b.din", ROOM, &err) == -1);
	CHECK_MSG(strstr(err.text, "no such file"), "%s", err.text);
	CHECK(read_archive(archive, len, NULL, ROOM, &err) == -1);
	CHECK_MSG(strstr(err.text, "several files"), "%s", err.text);
}

static void
the_only_file_of_a_tar_is_read(void)
{
	struct trc_err err = { 0 };

	len = 0;
	put_tar("dir/", '5', "", 0);
	put_tar("a.din", 0, "0 10\n", 5);
	put_tar("dir/._a.din", '0', "mac", 3);
	end_tar();
	CHECK(read_archive(archive, len, NULL, 3, &err) == 5 && memcmp(out, "0 10\n", 5) == 0);
	/* Joined archives, and what tapes have at their end. */
	memset(archive + len, 0, 3000);
	CHECK(read_archive(archive, len + 3000, NULL, 3, &err) == 5);
	memcpy(archive + len + 3000, "rest", 4);
	CHECK(read_archive(archive, len + 3004, NULL, 3, &err) == -1);
}

/* Sizes that no file has are never allocated, and end where the archive does. */
static void
absurd_sizes_end(void)
{
	static const uint8_t binary[] = { 0x80, 0,    0,    0,    0x7f, 0xff,
		                          0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	static const char *const modes[] = { NULL, "", "a.din" };
	struct trc_err err = { 0 };

	for (size_t how = 0; how < 4; how++)
		for (size_t i = 0; i < TRC_COUNT(modes); i++) {
			uint8_t *p;

			len = 0;
			if (how == 3)
				put_tar("pax", 'x', "30 size=99999999999999999999\n\n", 29);
			p = put_tar("a.din", how == 2 ? 'L' : '0', "0 10\n", 5);
			if (how == 0)
				memcpy(p + 124, "777777777777", 12);
			if (how == 1)
				memcpy(p + 124, binary, sizeof(binary));
			if (how == 2)
				snprintf((char *)p + 124, 12, "%011o", 1 << 20);
			sum_header(p);
			put_tar("b.din", '0', "0 10\n", 5);
			end_tar();
			CHECK(read_archive(archive, len, modes[i], ROOM, &err) == -1);
			CHECK_MSG(*err.text, "%zu", how);
		}
	len = 0;
	put_tar("sparse", 'S', "0 10\n", 5);
	CHECK(read_archive(archive, len, "", ROOM, &err) == -1 && strstr(err.text, "sparse"));
	len = 0;
	put_tar("GNUSparseFile.7/holes", '0', "0 10\n", 5);
	CHECK(read_archive(archive, len, "", ROOM, &err) == -1 && strstr(err.text, "sparse"));
}

/* ---- zip ---- */

#ifdef TRC_WITH_ZLIB
static size_t
put_zip(const char *name, const char *text, unsigned flags)
{
	const size_t size = strlen(text), at = len;
	uint8_t *p = archive + len;

	memset(p, 0, 30);
	memcpy(p, "PK\3\4\24", 5);
	trc_put_le16(p + 6, (uint16_t)flags);
	trc_put_le32(p + 14, (uint32_t)crc32(0, (const uint8_t *)text, (uInt)size));
	trc_put_le32(p + 18, (uint32_t)size);
	trc_put_le32(p + 22, (uint32_t)size);
	trc_put_le16(p + 26, (uint16_t)strlen(name));
	memcpy(p + 30, name, strlen(name));
	memcpy(p + 30 + strlen(name), text, size);
	len += 30 + strlen(name) + size;
	return at;
}

static void
end_zip(size_t files)
{
	for (size_t i = 0; i < files; i++, len += 46) {
		memset(archive + len, 0, 46);
		memcpy(archive + len, "PK\1\2", 4);
	}
	memset(archive + len, 0, 22);
	memcpy(archive + len, "PK\5\6", 4);
	archive[len + 8] = archive[len + 10] = (uint8_t)files;
	len += 22;
}

static void
make_zip(void)
{
	len = 0;
	put_zip("dir/", "", 0);
	put_zip("dir/a.din", "0 10\n", 0);
	put_zip("__MACOSX/dir/._a.din", "mac", 0);
	put_zip("secret.din", "1 20\n", 1);
	put_zip("b.din", "1 20\n1 30\n", 0);
	end_zip(5);
}

/* Of a file that is passed over only the length is needed. */
static void
zip_has_its_files(void)
{
	static const char names[] = "dir/a.din\0secret.din\0b.din";
	struct trc_err err = { 0 };

	make_zip();
	CHECK(read_archive(archive, len, "", 7, &err) == sizeof(names) &&
	      memcmp(out, names, sizeof(names)) == 0);
	check_file("dir/a.din", "0 10\n");
	check_file("b.din", "1 20\n1 30\n");
	CHECK(read_archive(archive, len, "secret.din", 7, &err) == -1 &&
	      strstr(err.text, "encrypted"));
	CHECK(read_archive(archive, len, "a.din", 7, &err) == -1 &&
	      strstr(err.text, "no such file"));
}
#endif

/* ---- damage ---- */

/* Each byte changed, each cut: a sentence, or some of what is there. */
static void
damage(void)
{
	static const char *const modes[] = { NULL, "", "b.din", "far/away/b.din" };
	struct trc_err err;

	for (size_t at = 0; at < len; at += test_step_most(7))
		for (size_t i = 0; i < 4 * TRC_COUNT(modes); i++) {
			const uint8_t was = archive[at];
			const bool tar = archive[257] == 'u';
			long got;

			archive[at] = (uint8_t)(i % 4 == 0 ? ~was :
			                        i % 4 == 1 ? 0 :
			                        i % 4 == 2 ? was + 1 :
			                                     was);
			if (tar && at % 3)
				sum_header(archive + at / BLOCK * BLOCK);
			err.text[0] = 0;
			got = read_archive(archive, i % 4 == 3 ? at : len, modes[i / 4], ROOM,
			                   &err);
			CHECK(got <= (long)len && (got >= 0 || *err.text));
			archive[at] = was;
			if (tar)
				make_tar();
		}
}

static void
damage_of_archives_is_found(void)
{
	make_tar();
	damage();
#ifdef TRC_WITH_ZLIB
	make_zip();
	damage();
#endif
}

int
main(void)
{
	test_start();
	RUN(tar_has_its_files);
	RUN(the_only_file_of_a_tar_is_read);
	RUN(absurd_sizes_end);
#ifdef TRC_WITH_ZLIB
	RUN(zip_has_its_files);
#endif
	RUN(damage_of_archives_is_found);
	return 0;
}
