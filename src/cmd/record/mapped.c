/* SPDX-License-Identifier: MIT */
#include "cmd/record/mapped.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_SIZE = 4096 };

/* Addresses [lo, hi), mapped to a file from `offset` on. */
struct trc_mapped {
	uint64_t lo, hi, offset;
	char *path;
	bool seen; /* executed, and in the list of files */
};

/* A file with executed code: the byte at `offset` was mapped at `pc`. */
struct trc_mapped_file {
	char *path;
	uint64_t offset, pc;
};

void
trc_record_mapped_release(struct trc_record_mapped *m)
{
	trc_record_mapped_clear(m);
	for (size_t i = 0; i < m->files; i++)
		free(m->file[i].path);
	free(m->file);
	*m = (struct trc_record_mapped){ .n = 0 };
}

void
trc_record_mapped_clear(struct trc_record_mapped *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->mapping[i].path);
	free(m->mapping);
	m->mapping = NULL;
	m->n = m->cap = 0;
	m->lo = m->hi = 0;
}

/* Appends a mapping with its own copy of the path. */
static int
add(struct trc_record_mapped *m, struct trc_mapped mapping, struct trc_err *err)
{
	if (trc_grow(&m->mapping, &m->cap, m->n + 1, sizeof(mapping), err))
		return -1;
	mapping.path = trc_strdup(mapping.path, err);
	if (!mapping.path)
		return -1;
	m->mapping[m->n++] = mapping;
	return 0;
}

int
trc_record_mapped_copy(struct trc_record_mapped *m, const struct trc_record_mapped *from,
                       struct trc_err *err)
{
	for (size_t i = 0; i < from->n; i++) {
		struct trc_mapped mapping = from->mapping[i];

		mapping.seen = false;
		if (add(m, mapping, err))
			return -1;
	}
	m->lo = m->hi = 0;
	return 0;
}

/* Removes the addresses [lo, hi), which may leave both ends of a mapping. */
static int
cut(struct trc_record_mapped *m, uint64_t lo, uint64_t hi, struct trc_err *err)
{
	for (size_t i = m->n; i-- > 0;) {
		struct trc_mapped *p = &m->mapping[i], end = *p;

		if (p->lo >= hi || lo >= p->hi)
			continue;
		end.lo = hi;
		end.offset += hi - p->lo;
		p->hi = lo;
		if (end.lo < end.hi && add(m, end, err))
			return -1;
		p = &m->mapping[i];
		if (p->lo >= p->hi) {
			free(p->path);
			*p = m->mapping[--m->n];
		}
	}
	m->lo = m->hi = 0;
	return 0;
}

/* Removes a range of whole pages. */
static int
cut_pages(struct trc_record_mapped *m, uint64_t addr, uint64_t length, struct trc_err *err)
{
	return cut(m, addr, addr + (length + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE, err);
}

int
trc_record_mapped_event(struct trc_record_mapped *m, const struct trc_event *e, struct trc_err *err)
{
	const uint64_t *f = e->field;

	switch (e->tag) {
	case 'A': return cut(m, 0, UINT64_MAX, err);
	case '@': return cut_pages(m, f[1], f[2], err) || cut_pages(m, f[3], f[4], err) ? -1 : 0;
	case 'm':
	case 's':
	case 'U': return cut_pages(m, f[1], f[2], err);
	case 'M':
		return cut_pages(m, f[1], f[2], err) ||
		                       add(m,
		                           (struct trc_mapped){ f[1], f[1] + f[2], f[6],
		                                                (char *)e->rest, false },
		                           err) ?
		               -1 :
		               0;
	default: return 0;
	}
}

/* Adds the file of the mapping of an instruction at `pc`, unless it was added before. */
static int
add_file(struct trc_record_mapped *m, const struct trc_mapped *of, uint64_t pc, struct trc_err *err)
{
	const uint64_t offset = of->offset + (pc - of->lo);
	char *path;

	for (size_t i = 0; i < m->files; i++)
		if (m->file[i].pc - m->file[i].offset == pc - offset &&
		    strcmp(m->file[i].path, of->path) == 0)
			return 0;
	if (trc_grow(&m->file, &m->file_cap, m->files + 1, sizeof(*m->file), err))
		return -1;
	path = trc_strdup(of->path, err);
	if (!path)
		return -1;
	m->file[m->files++] = (struct trc_mapped_file){ path, offset, pc };
	return 0;
}

int
trc_record_mapped_find(struct trc_record_mapped *m, uint64_t pc, struct trc_err *err)
{
	struct trc_mapped *found = NULL;

	m->lo = 0;
	m->hi = UINT64_MAX;
	for (size_t i = 0; i < m->n; i++) {
		struct trc_mapped *p = &m->mapping[i];

		if (pc - p->lo < p->hi - p->lo)
			found = p;
		else if (p->hi <= pc && p->hi > m->lo)
			m->lo = p->hi;
		else if (p->lo > pc && p->lo < m->hi)
			m->hi = p->lo;
	}
	if (!found)
		return 0;
	m->lo = found->lo;
	m->hi = found->hi;
	if (found->seen)
		return 0;
	found->seen = true;
	return add_file(m, found, pc, err);
}

void
trc_record_mapped_last(const struct trc_record_mapped *m, struct trc_tracee_insn *is)
{
	size_t i = 0;
	FILE *f;

	*is = (struct trc_tracee_insn){ .n = 0 };
	while (i < m->n && m->pc - m->mapping[i].lo >= m->mapping[i].hi - m->mapping[i].lo)
		i++;
	f = i < m->n ? fopen(m->mapping[i].path, "re") : NULL;
	if (!f)
		return;
	if (fseeko(f, (off_t)(m->mapping[i].offset + (m->pc - m->mapping[i].lo)), SEEK_SET) == 0)
		is->n = fread(is->byte, 1, sizeof(is->byte), f);
	snprintf(is->file, sizeof(is->file), "%s", m->mapping[i].path);
	fclose(f);
}

int
trc_record_mapped_files(const struct trc_record_mapped *m,
                        int (*each)(void *of, const char *path, uint64_t offset, uint64_t pc,
                                    struct trc_err *err),
                        void *of, struct trc_err *err)
{
	for (size_t i = 0; i < m->files; i++)
		if (each(of, m->file[i].path, m->file[i].offset, m->file[i].pc, err))
			return -1;
	return 0;
}
