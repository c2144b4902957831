# SPDX-License-Identifier: MIT
# Tables of columns with names of others, in the language of csv: units, decimals, words, texts,
# nulls; what is said of such as are not read; and through a pipe, or packed.
assemble bad-parquet-other-names >in
try trc stat in
try trc decode --from 'parquet:time=ts*10,size=n,type=op' --to csv in
try trc decode --from 'parquet:time=ts*10,type=op' --to csv in
try trc decode --from 'parquet:addr=object key,hash,size=flag,time=lba*512' --to csv in
try trc decode --from 'parquet:type=5,read=get,write=put,ignore=delete,size=8' --to csv in
try trc decode --from 'parquet:type=op,repeat=flag,time=ts*10' --to csv in
try trc stat --from 'parquet:addr=delta' in
try trc stat --from 'parquet:time=cost' in
try trc stat --from 'parquet:addr=old' in
try trc stat --from 'parquet:addr=lbn' in
try trc stat --from 'parquet:addr=lba,hex' in
try trc stat --from 'parquet:addr=lba,separator=tab' in
# By its names.
assemble good-parquet-pages-of-others >others.parquet
try trc decode --to csv others.parquet
try sh -c 'cat others.parquet | trc decode --to csv -'
try trc encode others.parquet back.csv
try trc encode back.csv back.parquet
try trc decode --to csv back.parquet
# A stream of Arrow goes through pipes, to programs and back.
assemble good-arrow-file-of-others >others.arrow
try trc decode --to csv others.arrow
try sh -c 'trc decode --to arrow others.parquet | trc decode --to csv -'
try sh -c 'trc decode --to arrow others.arrow | trc decode --from arrow:addr=addr,time=task,repeat=task --to csv -'
try trc stat --from arrow:addr=key others.arrow
try trc decode --to parquet others.arrow
# What is damaged is refused with its place.
for name in bad-parquet-cut-short bad-parquet-entry-of-no-dictionary bad-parquet-null-address \
	bad-parquet-page-of-1-GiB; do
	assemble $name >bad
	try trc stat --from parquet bad
done
for name in bad-arrow-cut-short bad-arrow-buffer-past-the-end bad-arrow-too-few-values \
	bad-arrow-word-of-no-dictionary bad-arrow-nested bad-arrow-null-address; do
	assemble $name >bad
	try trc stat --from arrow bad
done
# A name that no line can hold: the file was not named.
assemble good-parquet-example | sed 's/addr/ad\nr/' >lines.parquet
try trc stat lines.parquet
