# SPDX-License-Identifier: MIT
# Every command gives up what it does not need before it reads its input: the kernel shows that much
# of a process that waits for it. Only a recorder, which starts programs, does not.
version='import ctypes; print(ctypes.CDLL(None).syscall(444, None, 0, 1))'
if ! python3 -c "$version" 2>/dev/null | grep -q '^[1-9]'; then
	echo "no python3, or no Landlock in this kernel"
	exit 77
fi
mkfifo in
confined()
{
	"$@" >/dev/null 2>&1 &
	exec 3<>in
	i=0
	until grep -q '^NoNewPrivs:.1' /proc/$!/status || [ $i = 250 ] || ! kill -0 $! 2>/dev/null; do
		i=$((i + 1))
		sleep 0.02
	done
	echo "$*: $(grep NoNewPrivs /proc/$!/status | tr -dc 0-9)"
	kill $!
	wait $! 2>/dev/null
	exec 3>&-
}
confined trc stat in
confined trc stat --mrc --plot a.svg in
confined trc decode in
confined trc encode in out.trc
confined trc reduce in
confined trc replay run in
# A link, a device, a folder elsewhere, and what is put there for good.
mkdir away
printf '0 10\n' >a.din
printf old >away/b.trc
ln -s away/b.trc link.trc
try trc encode -q --force a.din link.trc
try trc encode -q a.din away/c.trc
try trc encode -q --to trc a.din /dev/null
try trc encode -q a.din absent/c.trc
try trc stat --mrc --plot away/p.svg a.din --quiet
try trc decode link.trc
(cd away && trc encode -q ../a.din d.trc)
ls away
