# SPDX-License-Identifier: MIT
# A table that is refused is answered with commands that work when they are pasted: of the examples of the
# corpus without what shows them, and of shapes that people have. Counted: how many were read, and how.
read_or_pasted() {
	if trc decode --to csv $1 >out 2>&1; then
		echo "$1: read"
		return
	fi
	n=0
	sed -n 's/^  \(trc decode \)/\1/p' out >commands
	while read -r command; do
		n=$((n + 1))
		eval "$command" >pasted 2>&1 || { echo "$1: \$ $command" && cat pasted; }
		[ $(wc -l <pasted) -gt 1 ] || echo "$1: nothing by $command"
	done <commands
	echo "$1: $n pasted"
	[ $n -gt 0 ] || cat out
	grep -o '; left out.*:$' out
}
for f in "$SRC"/test/corpus/good-*-example.*; do
	name=${f##*/good-}
	case $name in
	*.hex) continue ;;
	esac
	# Without a first line of names, or with one of other names.
	sed '1{/BeginHeader/!{/[A-Za-z]\{3\}/d}}' "$f" >$name
	read_or_pasted $name
done
shape() {
	printf "$2" >$1
	read_or_pasted $1
}
shape l-size 'l 0x1fffff50 1\ns 0x1fffff58 4\n'
shape load-size 'load 0x1a2b 4\nstore 0x1a30 8\n'
shape read-marked 'READ 0x1a2b\nWRITE 0x1a30\n'
shape r-bare 'r ffe04540\nw ffe04544\n'
shape r-digits 'r 12345678\nw 12345680\n'
shape ramulator2-rw 'R 0x1234\nW 0x1240\n'
shape index ',type,addr,size\n0,read,4096,8\n1,write,8192,8\n'
shape by-names 'timestamp,tid,ip,address,rw,bytes,ttl\n1,5,0x400000,0x7fff0000,R,8,9\n2,6,0x400004,0x7fff0040,W,4,9\n'
shape hosts 'time;host;lba;op\n1;web1;7;W\n2;web2;9;R\n'
shape dates 'when,key\n2020-03-01T12:00:00Z,5\n2020-03-01T12:00:01Z,6\n'
shape ts 'ts,key\n2020-03-01T12:00:00.5Z,abc\n2020-03-01T12:00:01Z,def\n'
shape dates-bare '2020-03-01 12:00:00,R,4096,8\n2020-03-01 12:00:02,W,8192,8\n'
shape blank-names 'time obj size\n1 7 100\n2 8 200\n'
shape comments '# lba size\n7.70645e+11 6.33753e+11\n7.70645e+11 6.33753e+11\n'
shape slashes '// made by hand\n1 4096 R\n2 8192 W\n'
shape floats '1.5,1,1,5,10,100,1\n1.55,1,1,4,10,100,1\n'
shape thread-op '0 R 4096 8\n1 W 8192 8\n0 R 8192 8\n'
shape codes 'ts,op,lba\n1,0,7\n2,1,8\n'
shape words 'ts,op,key\n1,GET_TEMP,7\n2,PUT_TEMP,8\n3,FLUSH,9\n'
shape brackets '[1] load: 0x400, 8\n[2] store: 0x440, 8\n'
shape tabs 'a\tb\n5\t6\n'
shape pcs '0x400000 0x7fff0000\n0x400004 0x7fff0040\n'
shape three-hex '0x400000 R 0x7fff0000\n0x400004 W 0x7fff0040\n'
