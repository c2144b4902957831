/* SPDX-License-Identifier: MIT
 *
 * The disk: virtio over memory-mapped registers, version 2, with one queue.
 */
#include "machine/board/device.h"

enum {
	MAGIC = 0x00,
	VERSION = 0x04,
	DEVICE = 0x08,
	VENDOR = 0x0c,
	FEATURES = 0x10,
	FEATURES_PAGE = 0x14,
	QUEUE_MOST = 0x34,
	QUEUE_SIZE = 0x38,
	QUEUE_READY = 0x44,
	QUEUE_NOTIFY = 0x50,
	INTERRUPT = 0x60,
	INTERRUPT_DONE = 0x64,
	STATUS = 0x70,
	DESCRIPTORS = 0x80,
	AVAILABLE = 0x90,
	USED = 0xa0,
	CONFIG = 0x100, /* capacity in sectors, 8 bytes */

	SIZE_MOST = 128,
	NEXT = 1,
	DEVICE_WRITES = 2,
	REQUEST_IN = 0,
	REQUEST_OUT = 1,
	REQUEST_FLUSH = 4,
	DONE_OK = 0,
	DONE_ERROR = 1,
	DONE_UNKNOWN = 2,
	SECTOR = 512,
	FEATURE_1 = 1, /* on page 1: VIRTIO_F_VERSION_1 */
};

uint32_t
trc_disk_load(const struct trc_disk *d, uint32_t offset)
{
	const uint64_t sectors = d->data ? d->data->n / SECTOR : 0;

	switch (offset) {
	case MAGIC: return 0x74726976;
	case VERSION: return 2;
	case DEVICE: return d->data ? 2 : 0; /* a disk, or nothing */
	case VENDOR: return 0x637274;
	case FEATURES: return d->feature_page == 1 ? FEATURE_1 : 0;
	case QUEUE_MOST: return SIZE_MOST;
	case QUEUE_READY: return d->ready;
	case INTERRUPT: return d->interrupt;
	case STATUS: return d->status;
	case CONFIG: return (uint32_t)sectors;
	case CONFIG + 4: return (uint32_t)(sectors >> 32);
	default: return 0;
	}
}

static void
store_half(uint64_t *to, uint32_t high, uint32_t value)
{
	const unsigned shift = high ? 32 : 0;

	*to = (*to & ~(UINT64_C(0xffffffff) << shift)) | (uint64_t)value << shift;
}

void
trc_disk_store(struct trc_disk *d, uint32_t offset, uint32_t value)
{
	switch (offset) {
	case FEATURES_PAGE: d->feature_page = value; break;
	case QUEUE_SIZE:
		d->queue_size = value <= SIZE_MOST && !(value & (value - 1)) ? value : 0;
		break;
	case QUEUE_READY: d->ready = value & 1 && d->queue_size; break;
	case QUEUE_NOTIFY: d->notified = d->ready; break;
	case INTERRUPT_DONE: d->interrupt &= ~value; break;
	case STATUS:
		d->status = value & 0xff;
		if (value == 0) {
			d->ready = d->notified = false;
			d->interrupt = 0;
			d->seen = 0;
		}
		break;
	case DESCRIPTORS:
	case DESCRIPTORS + 4: store_half(&d->descriptors, offset & 4, value); break;
	case AVAILABLE:
	case AVAILABLE + 4: store_half(&d->available, offset & 4, value); break;
	case USED:
	case USED + 4: store_half(&d->used, offset & 4, value); break;
	default: break;
	}
}

/* A descriptor of a virtqueue. */
struct descriptor {
	uint64_t addr;
	uint32_t len;
	uint16_t flags, next;
};

static int
read_descriptor(const struct trc_disk *d, uint16_t i, struct descriptor *to, struct trc_err *err)
{
	uint8_t raw[16];

	if (d->dma->read(d->dma, d->descriptors + 16u * (i % d->queue_size), raw, sizeof(raw), err))
		return -1;
	to->addr = trc_le64(raw);
	to->len = trc_le32(raw + 8);
	to->flags = trc_le16(raw + 12);
	to->next = trc_le16(raw + 14);
	return 0;
}

/* Copies the bytes of one part of a request, which fails if they do not fit on the disk. */
static int
move(const struct trc_disk *d, const struct descriptor *part, uint32_t kind, uint64_t *at,
     uint32_t *moved, uint8_t *status, struct trc_err *err)
{
	uint8_t *bytes;

	if (*at > d->data->n || part->len > d->data->n - *at ||
	    (kind == REQUEST_IN) != !!(part->flags & DEVICE_WRITES)) {
		*status = DONE_ERROR;
		return 0;
	}
	bytes = d->data->p + *at;
	*at += part->len;
	if (kind == REQUEST_OUT)
		return d->dma->read(d->dma, part->addr, bytes, part->len, err);
	*moved += part->len;
	return d->dma->write(d->dma, part->addr, bytes, part->len, err);
}

/* Processes a request: a header of type and sector, parts of data, a status byte. */
static int
carry_out(const struct trc_disk *d, uint16_t first, uint32_t *moved, struct trc_err *err)
{
	uint8_t head[16] = { 0 }, status = DONE_OK;
	struct descriptor part;
	uint32_t kind;
	uint64_t at;

	*moved = 0;
	if (read_descriptor(d, first, &part, err) ||
	    d->dma->read(d->dma, part.addr, head, sizeof(head), err))
		return -1;
	kind = trc_le32(head);
	at = trc_le64(head + 8) > d->data->n / SECTOR ? UINT64_MAX : trc_le64(head + 8) * SECTOR;
	if (kind != REQUEST_IN && kind != REQUEST_OUT && kind != REQUEST_FLUSH)
		status = DONE_UNKNOWN;
	for (uint32_t i = 0; i < d->queue_size && part.flags & NEXT; i++) {
		if (read_descriptor(d, part.next, &part, err))
			return -1;
		if (part.flags & NEXT && status == DONE_OK &&
		    move(d, &part, kind, &at, moved, &status, err))
			return -1;
	}
	++*moved;
	return d->dma->write(d->dma, part.addr, &status, 1, err);
}

int
trc_disk_work(struct trc_disk *d, struct trc_err *err)
{
	uint8_t raw[8];
	uint16_t newest, head;
	uint32_t moved;

	d->notified = false;
	if (!d->ready)
		return 0;
	if (d->dma->read(d->dma, d->available + 2, raw, 2, err))
		return -1;
	newest = trc_le16(raw);
	if (newest == d->seen)
		return 0;
	if (d->dma->read(d->dma, d->available + 4 + 2u * (d->seen % d->queue_size), raw, 2, err))
		return -1;
	head = trc_le16(raw);
	if (carry_out(d, head, &moved, err))
		return -1;
	trc_put_le32(raw, head);
	trc_put_le32(raw + 4, moved);
	if (d->dma->write(d->dma, d->used + 4 + 8u * (d->seen % d->queue_size), raw, 8, err))
		return -1;
	trc_put_le16(raw, ++d->seen);
	if (d->dma->write(d->dma, d->used + 2, raw, 2, err))
		return -1;
	d->interrupt |= 1;
	d->notified = newest != d->seen;
	return 0;
}
