/* SPDX-License-Identifier: MIT
 * Random instructions, privileged ones among them, through the fuzz target of the processor. */
#include "../fuzz/fuzz.h"
#include "../unit/test.h"
#include "base/bytes.h"
#include "fp_cases.h"

enum { WORDS = 200, PROGRAMS = 3000 };

/* One that is likely to be an instruction, and to touch memory where there is some. */
static uint32_t
word(uint64_t *state)
{
	static const uint8_t opcode[] = {
		0x03, 0x03, 0x07, 0x0f, 0x13, 0x13, 0x17, 0x1b, 0x23, 0x23, 0x27, 0x2f, 0x2f,
		0x33, 0x37, 0x3b, 0x43, 0x53, 0x63, 0x63, 0x63, 0x67, 0x6f, 0x73, 0x73, 0x73,
	};
	static const uint16_t csr[] = {
		0x001, 0x002, 0x003, 0x100, 0x104, 0x105, 0x106, 0x140, 0x141, 0x142,
		0x143, 0x144, 0x180, 0x300, 0x300, 0x301, 0x302, 0x303, 0x304, 0x305,
		0x306, 0x340, 0x341, 0x342, 0x343, 0x344, 0x3a0, 0x3b0, 0xb00, 0xc00,
		0xc01, 0xc02, 0xf14, 0x102, 0x302, 0x105, 0x120,
	};
	const uint64_t r = fp_random(state);
	uint32_t w = (uint32_t)r << 7 | opcode[(r >> 32) % TRC_COUNT(opcode)];

	switch (w & 127) {
	case 0x63: w &= ~(UINT32_C(7) << 28); break; /* short ways */
	case 0x6f: w = (w & 0x83f00fff); break;
	case 0x33:
	case 0x3b: w &= 0x43ffffff; break;
	case 0x73: w = (w & 0xfffff) | (uint32_t)csr[(r >> 40) % TRC_COUNT(csr)] << 20; break;
	case 0x53: w &= 0xfdffffff; break;
	}
	return (r >> 60) < 2 ? (uint32_t)(r >> 24) : w;
}

int
main(void)
{
	static uint8_t program[1 + 4 * WORDS];

	test_start();
	for (int i = 0; i < PROGRAMS; i++) {
		uint64_t state = test_seed * 1000003 + (uint64_t)i;

		program[0] = (uint8_t)fp_random(&state);
		for (int k = 0; k < WORDS; k++)
			trc_put_le32(program + 1 + 4 * k, word(&state));
		LLVMFuzzerTestOneInput(program, sizeof(program));
	}
	return 0;
}
