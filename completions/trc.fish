# SPDX-License-Identifier: MIT
#
# Completion of trc in fish: trc itself is asked what may stand in the place of the last word.

function __trc_complete
	set -l words (commandline -opc)
	set -l token (commandline -ct)
	set -l option (string match -r -- '^--[^=]*=' "$token")

	for line in ($words[1] --complete $words[2..] "$token" 2>/dev/null)
		if test "$line" = \tfiles
			__fish_complete_path (string replace -- "$option" '' "$token") |
				string replace -r -- '^' "$option"
		else
			echo $line
		end
	end
end

complete -c trc -f -a '(__trc_complete)'
