/* SPDX-License-Identifier: MIT
 *
 * The native container, the format to archive traces in: small, fast, checked, repairable, and
 * readable anywhere. src/container/SPEC.md specifies version 1 to the bit; every later trc reads
 * every container of it. It stores the code of the traced program once, and then only the paths
 * that the program takes.
 *
 * f5 74 50 0e ...   a magic number, a header, then frames with checksums
 *
 * Containers are read and recovered block by block. A block has some million records, or 1 MiB if
 * addresses have no pattern; --block-size BYTES sets another packed size, from 4096 records up.
 * With smaller blocks --skip and --from-time are faster and damage costs less, but they pack worse.
 * The counts of trc stat are in an index, so it answers at once. Each block is verified as it is
 * written (unless --no-verify).
 *
 * Level -0 is fastest, -9 is small, and -9e is smallest, with blocks that take longer to begin in.
 * trc decode restores the text that a container was made from, byte for byte, except for comments,
 * such as valgrind's own lines, and for unusual capitals and blanks. Containers joined by cat are
 * one container.
 *
 * Damage is repaired while a container is read, with a note: one burst of up to 2 % of it, or of
 * the lesser of 6 % and 512 bytes; or up to 1 % missing or inserted in one place; or scattered
 * flipped bits, 50 in 100 kB, 400 in 1 MB, 2500 in 10 MB in 999 of 1000 cases. That takes 3.3 % of
 * a container, or more if it is smaller than 30 kB. --parity N% is for a burst of N %, and takes
 * 2.0 % for 1, 6.3 for 5, 12 for 10, 27 for 20, and 104 for 50. In a container of more than 128 MB
 * this applies to each 128 MB. trc stat --check names files that need repair. --salvage recovers
 * what is intact after worse damage, and names what is missing.
 *
 * It keeps its provenance: format and fingerprint of its source, what the tracer recorded of
 * itself, each command that changed the trace, and --note KEY=VALUE. No time, path or host is
 * added, so the same input and options give the same bytes.
 *
 * Desktops know the ending as application/vnd.trc. The program file does when its own list has
 * ours: cat /usr/local/share/file/trc >>~/.magic.
 */
#include "container/container.h"

#include <stddef.h>
#include <string.h>

#include "format/format.h"

static unsigned
probe(const uint8_t *p, size_t n, bool whole)
{
	static const char kinds[] = { TRC_KIND_PROGRAM, TRC_KIND_REFS,   TRC_KIND_BLOCK,
		                      TRC_KIND_INDEX,   TRC_KIND_PARITY, TRC_KIND_BANDS };
	const uint8_t *const end = p + n, *at = p;
	struct trc_frame f;

	(void)whole;
	if (trc_frame_head(p, n, &f) && f.kind == TRC_KIND_TRACE)
		return TRC_BID_MOST;
	/* A damaged beginning may be repaired, or salvaged. */
	while ((at = memchr(at, 0xf5, (size_t)(end - at)))) {
		if (trc_frame_head(at, (size_t)(end - at), &f) &&
		    memchr(kinds, f.kind, sizeof(kinds)))
			return TRC_BID_MOST / 2;
		at++;
	}
	return 0;
}

_Static_assert(sizeof(struct trc_container_from) <= TRC_FORMAT_SETTINGS &&
                       sizeof(struct trc_container_to) <= TRC_FORMAT_SETTINGS,
               "settings have room");

static const struct trc_opt from[] = {
	{ 0, "salvage", NULL, "skip damaged parts", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_container_from, salvage) },
	{ 0, "memlimit", "BYTES", "memory limit", TRC_OPT_BYTES, TRC_WORDS_NONE,
	  offsetof(struct trc_container_from, memlimit) },
	{ 0, "threads", "N", "use N threads (default: one per core)", TRC_OPT_COUNT, TRC_WORDS_NONE,
	  offsetof(struct trc_container_from, threads) },
};

static const struct trc_opt to[] = {
	{ 0, "level", "0-9", "0 fast, 9 small (default 6)", TRC_OPT_LEVEL, TRC_WORDS_NONE,
	  offsetof(struct trc_container_to, level) },
	{ 0, "extreme", NULL, "try every packing", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_container_to, extreme) },
	{ 0, "no-verify", NULL, "do not verify blocks", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_container_to, no_verify) },
	{ 0, "parity", "N%", "repair a burst of N% (default 2%)", TRC_OPT_PERCENT, TRC_WORDS_NONE,
	  offsetof(struct trc_container_to, parity) },
	{ 0, "block-size", "BYTES", "approximate packed size of a block", TRC_OPT_BYTES,
	  TRC_WORDS_NONE, offsetof(struct trc_container_to, block_size) },
	{ 0, "threads", "N", "use N threads (default: one per core)", TRC_OPT_COUNT, TRC_WORDS_NONE,
	  offsetof(struct trc_container_to, threads) },
};

const struct trc_format trc_family_trc[] = {
	{
	        .name = "trc",
	        .doc = "the native container: small, fast, checked",
	        .ending = ".trc",
	        .holds = TRC_HAS_ALL,
	        .binary = true,
	        .source = trc_container_source,
	        .sink = trc_container_sink,
	        .from = &(const struct trc_format_args){ from, TRC_COUNT(from) },
	        .to = &(const struct trc_format_args){ to, TRC_COUNT(to) },
	        .probe = probe,
	},
	{ .name = NULL },
};
