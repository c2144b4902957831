# SPDX-License-Identifier: MIT
# What a salvage of joined containers lacks is named in full: whole containers leave no trace in
# those that are there, but where each one began does.
n=0
while [ $n -lt 4 ]; do
	awk -v n=$n 'BEGIN {
		for (i = 0; i < 5000; i++) {
			x = (x * 7141 + 54773 + n) % 259200
			print x % 2, 4096 + 8 * x
		}
	}' | trc encode --from din - $n.trc
	n=$((n + 1))
done
cat 0.trc 1.trc 2.trc 3.trc >all.trc
one=$(wc -c <0.trc)
two=$((one + $(wc -c <1.trc)))
three=$((two + $(wc -c <2.trc)))
four=$(wc -c <all.trc)

# Bytes FROM to TO are zeros, or gone, or all from there on is.
zero()
{
	{
		head -c $1 all.trc
		head -c $(($2 - $1)) /dev/zero
		tail -c +$(($2 + 1)) all.trc
	} >damaged.trc
}
gone()
{
	{ head -c $1 all.trc; tail -c +$(($2 + 1)) all.trc; } >damaged.trc
}
salvage()
{
	echo "$1:"
	trc decode --quiet --salvage --to din damaged.trc out.din
	echo "exit $?, $(wc -l <out.din) records"
	rm out.din
}
zero $((two + 200)) $((three + 300))
salvage 'from within the third into the fourth'
zero $((two + 200)) $((four - 60))
salvage 'up to the last index'
zero $((two + 200)) $((four - 19))
salvage 'up to the last end'
zero $((two - 5)) $((three + 200))
salvage 'the third, with the border before it'
zero $((two + 5)) $((three + 200))
salvage 'the third, but for its beginning'
zero $((one + 200)) $((three + 300))
salvage 'two, and a piece'
gone $((two - 8)) $four
salvage 'cut eight bytes before an inner end'
gone $((two - 19)) $four
salvage 'cut before an inner end'
gone $((two - 8)) $three
salvage 'a container and eight bytes'
gone $((two + 200)) $((three + 300))
salvage 'from within the third into the fourth, gone'

zero 5 $((one - 300))
salvage 'the first, with its beginning'

# What is not missing is not named.
zero $((two - 8)) $two
salvage 'the end of the second'
zero $((two + 100)) $((two + 200))
salvage 'a piece of the third'
zero $two $((two + 4))
salvage 'the beginning of the third'
zero $((four - 8)) $four
salvage 'the last end'
