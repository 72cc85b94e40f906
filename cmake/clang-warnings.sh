#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# clang-warnings.sh BUILD: what a folder that clang builds for the fuzzers leaves unbuilt is read by
# clang all the same, with every warning an error. Exit status: 0; 1 with what clang says.
set -eu
cd "$1"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# Objects of the fuzzers are built: clang has said what it has to say of their sources.
ninja -t inputs fuzzers >"$dir/built"
# One command for each source that no fuzzer has; its object is not wanted.
sed -nE 's|^ *"command": "(.*) -o ([^ ]+) -c ([^ "]+)",?$|\2 \3 \1|p' compile_commands.json |
    awk 'FNR == NR { built[$1] = 1; next }
         { all++ }
         built[$1] { seen[$2] = 1 }
         { command[$2] = $0 }
         END { for (source in command)
                   if (!(source in seen)) {
                       $0 = command[source]
                       $1 = $2 = ""
                       print $0, "-fsyntax-only", source
                   }
               if (all == 0) exit 1 }' "$dir/built" - >"$dir/commands" || {
    echo "clang-warnings.sh: $1/compile_commands.json has no commands" >&2
    exit 1
}
# The commands stand there as a shell takes them, with quotes within quotes.
sed 's/\\\\/\\/g; s/\\"/"/g' "$dir/commands" | tr '\n' '\0' |
    xargs -0 -n 1 -P "$(nproc 2>/dev/null || echo 2)" sh -c
echo "clang: $(wc -l <"$dir/commands") sources beside those of the fuzzers"
