/* SPDX-License-Identifier: MIT */
#include "format/foreign.h"

#include <string.h>

#include "base/base.h"

/* Data by its magic number; packings are base/io/packing.c's. */
static const struct foreign {
	size_t at; /* where these bytes are */
	const char *magic;
	const char *is;
} foreign_data[] = {
	{ 257, "ustar", "is a tar archive; 'tar -xO' unpacks a file of it" },
	{ 0,
	  "\x7f"
	  "ELF",
	  "is a program or a library, no trace of one" },
};

bool
trc_foreign_utf16(const uint8_t *p, size_t n)
{
	enum { LOOKED_AT = 16 };
	const bool little = n >= LOOKED_AT && p[0] == 0xff && p[1] == 0xfe;

	if (!little && !(n >= LOOKED_AT && p[0] == 0xfe && p[1] == 0xff))
		return false;
	for (size_t i = 2; i < LOOKED_AT; i += 2)
		if (p[i + little] != 0 || p[i + !little] == 0)
			return false;
	return true;
}

const char *
trc_foreign(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < TRC_COUNT(foreign_data); i++) {
		const struct foreign *s = &foreign_data[i];
		const size_t len = strlen(s->magic);

		if (n >= s->at + len && memcmp(p + s->at, s->magic, len) == 0)
			return s->is;
	}
	if (trc_foreign_utf16(p, n))
		return "is text in UTF-16; 'iconv -f UTF-16 -t UTF-8' makes it one that trc reads";
	return NULL;
}
