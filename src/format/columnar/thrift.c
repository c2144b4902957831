/* SPDX-License-Identifier: MIT */
#include "format/columnar/thrift.h"

enum { DEPTH_MOST = 16 };

static bool take_fields(struct trc_view *v, struct trc_thrift *field, unsigned depth);

static bool
take_list_head(struct trc_view *v, enum trc_thrift_type *of, uint64_t *n)
{
	const uint8_t *head = trc_view_bytes(v, 1);

	if (!head)
		return false;
	*of = (enum trc_thrift_type)(*head & 15);
	*n = *head >> 4;
	return *n < 15 || trc_view_num(v, n);
}

/* Each value of a list or a map takes at least one byte, so their number needs no limit. */
static bool take_value(struct trc_view *v, enum trc_thrift_type type, bool listed, unsigned depth,
                       struct trc_thrift *to);

static bool
pass_list(struct trc_view *v, unsigned depth)
{
	enum trc_thrift_type of;
	struct trc_thrift none;
	uint64_t n;

	if (!take_list_head(v, &of, &n))
		return false;
	for (; n > 0; n--)
		if (!take_value(v, of, true, depth, &none))
			return false;
	return true;
}

static bool
pass_map(struct trc_view *v, unsigned depth)
{
	struct trc_thrift none;
	const uint8_t *types;
	uint64_t n;

	if (!trc_view_num(v, &n) || (n > 0 && !(types = trc_view_bytes(v, 1))))
		return false;
	for (; n > 0; n--)
		if (!take_value(v, (enum trc_thrift_type)(*types >> 4), true, depth, &none) ||
		    !take_value(v, (enum trc_thrift_type)(*types & 15), true, depth, &none))
			return false;
	return true;
}

static bool
take_value(struct trc_view *v, enum trc_thrift_type type, bool listed, unsigned depth,
           struct trc_thrift *to)
{
	uint64_t number = type == TRC_THRIFT_TRUE;
	bool good = false;

	*to = (struct trc_thrift){ type, 0, { v->p, v->p } };
	switch (type) {
	case TRC_THRIFT_TRUE:
	case TRC_THRIFT_FALSE: good = !listed || trc_view_bytes(v, 1); break;
	case TRC_THRIFT_BYTE: good = trc_view_bytes(v, 1); break;
	case TRC_THRIFT_I16:
	case TRC_THRIFT_I32:
	case TRC_THRIFT_I64:
		good = trc_view_num(v, &number);
		number = trc_unzigzag(number);
		break;
	case TRC_THRIFT_DOUBLE: good = trc_view_bytes(v, 8); break;
	case TRC_THRIFT_BINARY: return trc_view_counted(v, SIZE_MAX, &to->bytes);
	case TRC_THRIFT_LIST:
	case TRC_THRIFT_SET: good = depth > 0 && pass_list(v, depth - 1); break;
	case TRC_THRIFT_MAP: good = depth > 0 && pass_map(v, depth - 1); break;
	case TRC_THRIFT_STRUCT: good = depth > 0 && take_fields(v, NULL, depth - 1); break;
	default: break;
	}
	to->number = (int64_t)number;
	to->bytes.end = v->p;
	return good;
}

/* Reads fields: a byte has the difference to the previous field's number, and the type. */
static bool
take_fields(struct trc_view *v, struct trc_thrift *field, unsigned depth)
{
	uint64_t number = 0;
	const uint8_t *head;

	while ((head = trc_view_bytes(v, 1)) && *head != 0) {
		struct trc_thrift value;

		if (*head >> 4)
			number += *head >> 4;
		else if (trc_view_num(v, &number))
			number = trc_unzigzag(number);
		else
			return false;
		if (!take_value(v, (enum trc_thrift_type)(*head & 15), false, depth, &value))
			return false;
		if (field && number < TRC_THRIFT_FIELDS)
			field[number] = value;
	}
	return head;
}

bool
trc_thrift_struct(struct trc_view *v, struct trc_thrift field[TRC_THRIFT_FIELDS])
{
	memset(field, 0, TRC_THRIFT_FIELDS * sizeof(*field));
	return take_fields(v, field, DEPTH_MOST);
}

bool
trc_thrift_structs(const struct trc_thrift *f, struct trc_view *v, uint64_t *n)
{
	enum trc_thrift_type of;

	*v = f->bytes;
	return f->type == TRC_THRIFT_LIST && take_list_head(v, &of, n) &&
	       (of == TRC_THRIFT_STRUCT || *n == 0);
}
