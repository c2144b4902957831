/* SPDX-License-Identifier: MIT */
#include "cmd/synonyms.h"

#include <ctype.h>
#include <string.h>

#include "base/base.h"

/* Words of other programs, and what to use instead. */
struct foreign {
	const char *words; /* each between blanks */
	const char *hint;
};

static const char *
hint_for(const struct foreign *row, size_t n, const char *word)
{
	const size_t len = strlen(word);

	for (size_t i = 0; i < n; i++)
		for (const char *at = row[i].words + 1; len && (at = strstr(at, word)); at += len)
			if (at[-1] == ' ' && at[len] == ' ')
				return row[i].hint;
	return NULL;
}

static const char *
hint_in_any_case(const struct foreign *row, size_t n, const char *name)
{
	char word[32];
	size_t len = 0;

	for (; name[len] && len + 1 < sizeof(word); len++)
		word[len] = (char)tolower((unsigned char)name[len]);
	word[len] = 0;
	return name[len] ? NULL : hint_for(row, n, word);
}

const char *
trc_synonyms_command(const char *word)
{
	static const struct foreign row[] = {
		{ " info show list ls file stats summary describe count wc analyze traceanalyzer ",
		  "'trc stat FILE' shows what a trace contains" },
		{ " verify test check validate fsck ", "'trc stat --check FILE' tests a trace" },
		{ " cat decompress unpack uncompress print dump text view less traceprint ",
		  "'trc decode FILE' writes a trace as text" },
		{ " convert compress pack transcode import export write copy cp traceconv ",
		  "'trc encode FILE OUTPUT' converts a trace to any format" },
		{ " head ", "'trc decode --limit 10 FILE' writes the first records" },
		{ " filter grep select ",
		  "'trc encode --only TYPE,... FILE OUTPUT' filters a trace" },
		{ " merge join cat concat ", "'trc encode A B OUTPUT' merges traces by time" },
		{ " diff cmp compare ",
		  "'trc stat --diff A B' shows the first record that differs" },
		{ " cachesim libcachesim mrcprofiler ",
		  "'trc stat --mrc --bytes --policy lru,arc --sizes 1%,10% FILE' simulates caches of "
		  "objects" },
		{ " simulate sim cache drcachesim ",
		  "'trc stat --cache 32K:8:64 FILE' simulates caches, 'trc stat --mrc --bytes --sizes "
		  "1G FILE' those of whole objects" },
		{ " map plot draw picture ", "'trc stat --map map.svg FILE' draws a trace" },
		{ " mrc curve ", "'trc stat --mrc FILE' prints the miss-ratio curve" },
		{ " run extract ", "'trc replay' computes traces from bus traces" },
		{ " cut slice ", "'trc split --every N FILE FOLDER' cuts a trace" },
		{ " sample trim shrink ",
		  "'trc reduce --sample 1/100 FILE OUTPUT' keeps a sample" },
		{ " version ", "'trc --version' prints it" },
		{ " record trace run-valgrind ",
		  "'trc encode --record OUT.trc -- PROGRAM' records a program" },
		{ " formats columns ", "'trc help formats' lists them" },
	};

	return hint_in_any_case(row, TRC_COUNT(row), word);
}

const char *
trc_synonyms_value(const char *name, const char *value)
{
	static const struct {
		const char *name, *begin, *hint;
	} row[] = {
		{ "top", "objects", "--popularity ranks objects" },
		{ "top", "keys", "--popularity ranks objects" },
		{ "shards", "0.", "--sample 1/100 estimates from a sample (SHARDS)" },
		{ "shards", "1/", "--sample 1/100 estimates from a sample (SHARDS)" },
	};

	for (size_t i = 0; i < TRC_COUNT(row); i++)
		if (strcmp(name, row[i].name) == 0 &&
		    strncmp(value, row[i].begin, strlen(row[i].begin)) == 0)
			return row[i].hint;
	return NULL;
}

const char *
trc_synonyms_option(const char *word)
{
	static const struct foreign row[] = {
		{ " d decompress uncompress unpack ", "'trc decode FILE' writes a trace as text" },
		{ " z compress ", "'trc encode FILE OUTPUT' packs a trace" },
		{ " t test verify check ", "'trc stat --check FILE' tests a trace" },
		{ " l list info ", "'trc stat FILE' shows what a trace contains" },
		{ " k keep ", "inputs are always kept" },
		{ " c stdout to-stdout ", "'trc decode FILE' writes to standard output" },
		{ " o ", "expected a command first: 'trc encode FILE -o OUTPUT'" },
		{ " f y yes overwrite ", "--force replaces the output" },
		{ " i input in ", "inputs need no option" },
		{ " format ",
		  "--from FORMAT sets the input format, --to FORMAT the output format" },
		{ " n lines head count num-req num-requests ",
		  "--limit N stops after N records; trc split --every N cuts a trace" },
		{ " records rows ", "--skip N and --limit N select records by number" },
		{ " where filter select query ",
		  "--only TYPE,... --addr LO-HI --pc LO-HI --task N --space N filter records" },
		{ " columns fields field ", "--drop COLUMN,... drops columns" },
		{ " hot hottest hotspots ", "trc stat --top pages ranks pages" },
		{ " histogram reuse-distance reuse-distances stack-distance stack-distances rd ",
		  "trc stat --reuse prints stack distances and reuse times" },
		{ " working-set wss working-sets ", "trc stat --ws prints working-set sizes" },
		{ " rate fraction ratio sample samples sampling sample-rate sample-ratio sampling-rate "
		  "sampling-ratio ",
		  "trc reduce --sample 1/100 keeps a sample; stat --mrc --sample 1/100 estimates "
		  "from one; stat --map FILE --sample-blocks 8 draws one block in 8" },
		{ " thread thread-id tid task-id by-thread by-task pid process core cpu ",
		  "--task N keeps the records of thread N; stat --top tasks and split --by task "
		  "distinguish threads, --space and --by process processes; -T N uses N threads" },
		{ " progress ", "progress shows on a terminal; -q hides it" },
		{ " champsim cloudsuite ramulator ramulator2 dramsim3 dinero libcachesim gem5 ",
		  "--for PROGRAM writes what a program reads, for example --for champsim" },
		{ " j jobs p parallel ", "-T N uses N threads" },
		{ " type types ", "--only TYPE,... keeps records of these types" },
		{ " range address ", "--addr LO-HI keeps records of these addresses" },
		{ " D delimiter separator ", "--from csv:separator=semicolon,addr=NAME" },
		{ " r recursive ", "a folder stands for the files in it" },
		{ " s silent ", "-q prints errors only" },
		{ " b block-size blocksize block line-bytes ",
		  "--line-size N is for --mrc, --ws and --top; a cache is --cache SIZE:WAYS:LINE" },
		{ " cache-size cachesize ",
		  "--cache SIZE:WAYS:LINE simulates a cache, for example --cache 32K:8:64; "
		  "--mrc --bytes --sizes 1G caches of whole objects" },
		{ " l1-size l1 l1d l1i l2 l3 llc LL D1 I1 L1 L2 L3 assoc "
		  "associativity ways sets l1-usize l1-isize l1-dsize l2-usize l1-ubsize "
		  "l1-ibsize l1-dbsize l1-uassoc l1-iassoc l1-dassoc ",
		  "--cache SIZE:WAYS:LINE simulates a cache, for example --cache 32K:8:64; "
		  "repeated, the next level; i: and d: split the first level" },
		{ " cache-sizes capacity capacities ", "--sizes SIZE,... sets the sizes of --mrc" },
		{ " hit-ratio miss-ratio hit-rate miss-rate hits misses miss-ratio-curve "
		  "hit-ratio-curve hrc bmr bhr ohr omr ",
		  "--mrc prints the miss ratios of all sizes, --mrc --bytes those of caches of "
		  "whole objects" },
		{ " requests zipf one-hit-wonders one-hit onehit hotness popular frequency object-sizes ",
		  "--popularity prints requests, objects, their sizes and Zipf's slope" },
		{ " hourly hour per-hour interval time-window ",
		  "--popularity --every 3600 prints the working set of each hour, if times are "
		  "seconds" },
		{ " ignore-obj-size ignore-size ignore-object-size no-size ",
		  "--mrc --objects counts objects, whatever their size" },
		{ " by-requests by-request request-miss-ratio per-request ",
		  "--mrc --requests prints misses by requests, by pages and by bytes" },
		{ " gets get reads-only read-miss-ratio ",
		  "--mrc --count read counts reads in caches that writes fill" },
		{ " write-around write-through write-back write-policy ",
		  "--mrc --writes back|through|around|none sets what writes do" },
		{ " by-bytes byte byte-miss-ratio size-aware ",
		  "--mrc --bytes simulates caches of whole objects" },
		{ " informat trace-type trace-format ", "--from FORMAT sets the input format" },
		{ " policies algo algos algorithm algorithms replacement eviction repl lru fifo clock lfu arc sieve s3fifo s3-fifo twoq 2q ",
		  "--mrc --policy lru,arc --sizes 1M compares policies; that of a cache follows its line "
		  "size: --cache 32K:8:64:fifo" },
		{ " admission admissioner admission-policy ",
		  "--bytes --policy w-tinylfu admits by use; --mrc --policy opt --bypass may refuse "
		  "pages" },
		{ " warmup-sec warmup-time warmup-seconds ",
		  "--warmup N counts records; --from-time T begins at a time" },
		{ " prefetch prefetcher pf fetch ",
		  "the prefetcher of a cache follows its line size or policy: --cache "
		  "32K:8:64:next-line, or stride" },
		{ " warmup_instructions warmup-instructions warm ",
		  "--warmup N warms up caches with the first N records" },
		{ " simulation_instructions simulation-instructions max insns instructions ",
		  "--limit N stops after N records" },
		{ " traces trace ", "inputs need no option" },
		{ " start ss seek offset tail ", "--skip N skips the first N records" },
		{ " man manual ", "'trc man COMMAND' prints the manual page" },
		{ " rm delete ", "inputs are kept; rm removes them" },
		{ " ultra best fast ", "-0 is fast, -9 small, -9e smallest" },
	};
	char letter[2] = "";

	if (word[0] == '-' && word[1] == '-')
		return hint_for(row, TRC_COUNT(row), word + 2);
	letter[0] = word[word[0] == '-'];
	return hint_for(row, TRC_COUNT(row), letter);
}

const char *
trc_synonyms_topic(const char *name)
{
	static const struct foreign row[] = {
		{ " mrc curve sizes cache simulate ws working-set warmup warm-up by-space "
		  "objects reuse ",
		  "caches" },
		{ " inclusion inclusive exclusive nine hierarchy levels ", "hierarchies" },
		{ " prefetch prefetcher prefetching next-line stride tagged ", "prefetchers" },
		{ " bytes writes gdsf bound cdn byte-miss-ratio object-cache "
		  "popularity zipf one-hit-wonders ",
		  "objects" },
		{ " tlb huge huge-size ", "tlbs" },
		{ " simpoint simpoints bbv bbvs phase phases basic-block basic-blocks ",
		  "regions" },
		{ " shard merge-shards cluster slurm partial array ", "shards" },
		{ " top by rank hot functions symbols strides over-time shared ", "ranks" },
		{ " map plot plots graph picture diff compare check verify certify fingerprint "
		  "blocks count info histogram json ",
		  "stat" },
		{ " valgrind qemu record plugin tracer trace capture perf pin dynamorio ",
		  "recording" },
		{ " policy lru fifo plru srrip clock sieve lfu 2q arc s3-fifo belady opt "
		  "replacement ",
		  "policies" },
		{ " merge concat convert compress level filter drop fill note salvage only addr ",
		  "encode" },
		{ " parity repair damage ", "trc" },
		{ " sad olr sample strip sampling ", "reduce" },
		{ " kernel process processes tasks windows every ", "split" },
		{ " qemu-system bus package checkpoint checkpoints ", "replay" },
		{ " text cat print ", "decode" },
		{ " for presets preset programs targets program simulators ", "programs" },
		{ " columns column format ", "formats" },
		{ " option common threads ", "options" },
		{ " event ", "events" },
		{ " input output inputs outputs pipe pipes packing xz gzip gz zstd zst bz2 safety "
		  "file names manifest sandbox landlock security ",
		  "files" },
		{ " env variables tmpdir ", "environment" },
		{ " champsim champsimtrace ", "champsim" },
		{ " libcachesim oraclegeneral ", "oracle" },
		{ " dinero dineroiv din3 d3 ", "din" },
		{ " dramsim2 dramsim ", "dramsim3" },
		{ " ramulator ramulator1 ", "ramulator-inst" },
		{ " ramulator2 ", "ramulator2-ls" },
		{ " memtrace drcachesim drmemtrace dr ", "drmemtrace" },
		{ " sqlite duckdb sql table ", "parquet" },
		{ " pandas polars dataframe feather ipc ", "arrow" },
	};

	return hint_in_any_case(row, TRC_COUNT(row), name);
}
