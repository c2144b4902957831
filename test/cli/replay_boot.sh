# SPDX-License-Identifier: MIT
# Firmware and a device tree of our own machine. The firmware jumps to the image, which prints the text
# in the tree, switches the machine off and waits for an interrupt that will not come.
words()
{
	for word; do
		printf "\\$(printf %o $((word & 255)))\\$(printf %o $((word >> 8 & 255)))"
		printf "\\$(printf %o $((word >> 16 & 255)))\\$(printf %o $((word >> 24 & 255)))"
	done
}

words 0x40100293 0x01529293 0x00028067 >firmware
words 0x10000337 0x00458393 0x0003ce03 0x000e0863 0x01c30023 0x00138393 0xff1ff06f 0x00100337 \
	0x000053b7 0x55538393 0x00732023 0x10500073 0xffdff06f >image
printf '\320\015\376\355the machine is a small one\n\0' >tree

try trc replay record --firmware firmware --dtb tree image boot.bus
try trc replay boot.bus
try trc replay record --firmware firmware --dtb tree --memory 1M image none.bus
try trc replay record --firmware firmware --dtb image image none.bus
try trc replay record --firmware firmware --dtb nothing image none.bus
try trc replay record --dtb tree --memory 4K image none.bus
ls
# One that says with what status it ends, as it would to QEMU: that is trc's, too.
words 0x001002b7 0x00073337 0x33330313 0x0062a023 0x0000006f >failing
try trc replay record -q failing failing.bus
trc replay -q failing.bus
