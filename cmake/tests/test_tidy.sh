#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# test_tidy.sh SOURCE: tidy.sh in a tree of two sources, with a clang-tidy that notes what it reads and
# does not like the word BAD: what is read anew, and that nothing unclean is ever noted as clean.
set -eu
source=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/bin" "$dir/tree" "$dir/tree/cmake" "$dir/tree/build"
cp "$source/cmake/tidy.sh" "$dir/tree/cmake"
cd "$dir/tree"
echo 'Checks: all' >.clang-tidy
echo '#include "x.h"' >a.c
echo 'int b;' >b.c
echo 'int x;' >x.h
cat >build/compile_commands.json <<J
[
{
  "directory": "$dir/tree/build",
  "command": "cc -O2 -I$dir/tree -I$dir/tree/build/gen -c $dir/tree/a.c",
  "file": "$dir/tree/a.c"
},
{
  "directory": "$dir/tree/build",
  "command": "cc -O2 -c $dir/tree/b.c",
  "file": "$dir/tree/b.c"
}
]
J
cat >"$dir/bin/ninja" <<N
#!/bin/sh
printf 'a.o: #deps 2 (VALID)\n    $dir/tree/a.c\n    ../x.h\n\nb.o: #deps 1 (VALID)\n    ../b.c\n'
N
cat >"$dir/bin/clang-tidy" <<T
#!/bin/sh
[ "\$1" != --version ] || { cat "$dir/version"; exit; }
for f; do :; done
echo "\$f" >>"$dir/read"
! grep -q BAD "\$f"
T
echo 1 >"$dir/version"
chmod +x "$dir/bin/ninja" "$dir/bin/clang-tidy"
export PATH="$dir/bin:$PATH" UETKIT_TIDY="$dir/notes"

failures=0
# reads STATUS FILES WHAT: these are read now.
reads() {
    : >"$dir/read"
    printf 'a.c\nb.c\n' | sh cmake/tidy.sh build 1 >"$dir/out" 2>&1 && status=0 || status=$?
    found=$(sort "$dir/read" | tr '\n' ' ')
    [ "$status,$found" = "$1,$2" ] && return
    echo "FAILED: $3: status $status, read '$found'; expected $1, '$2'"
    cat "$dir/out"
    failures=$((failures + 1))
}
reads 0 'a.c b.c ' 'first'
reads 0 '' 'nothing changed'
cp -r "$dir/tree" "$dir/other" # another checkout, with the build in it made there
sed -i "s,$dir/tree,$dir/other,g" "$dir/other/build/compile_commands.json"
cp "$dir/bin/ninja" "$dir/ninja"
sed -i "s,$dir/tree,$dir/other,g" "$dir/bin/ninja"
cd "$dir/other"
reads 0 '' 'the same in another checkout'
cp "$dir/ninja" "$dir/bin/ninja"
cd "$dir/tree"
echo 'int y;' >>x.h
reads 0 'a.c ' 'a header changed'
sed -i 's/cc -O2 -c \(.*b.c\)/cc -O1 -c \1/' build/compile_commands.json
reads 0 'b.c ' 'a command changed'
echo 'Checks: none' >.clang-tidy
reads 0 'a.c b.c ' 'the checks changed'
echo 2 >"$dir/version"
reads 0 'a.c b.c ' 'clang-tidy changed'
echo 'int BAD;' >>b.c
reads 1 'b.c ' 'not clean'
reads 1 'b.c ' 'still not clean: not noted'
sed -i '/BAD/d' b.c
reads 0 '' 'as it was when found clean'
UETKIT_TIDY=''
reads 0 'a.c b.c ' 'without notes'
UETKIT_TIDY="$dir/notes"
# A source that is mended, or spoilt, while it is read is not what its note would tell.
cp "$dir/bin/clang-tidy" "$dir/tidy"
sed -i 's/^! grep.*/echo "int c;" >>b.c/' "$dir/bin/clang-tidy"
echo 'int d;' >>b.c
reads 0 'b.c ' 'changed while it is read'
cp "$dir/tidy" "$dir/bin/clang-tidy"
sed -i '/int c;/d' b.c
reads 0 'b.c ' 'what was changed while it was read'
sed -i 's/^! grep.*/echo "Error parsing .clang-tidy" >\&2/' "$dir/bin/clang-tidy"
echo 'int e;' >>b.c
reads 1 'b.c ' 'a fault told on stderr alone'
cp "$dir/tidy" "$dir/bin/clang-tidy"
reads 0 'b.c ' 'read without that fault'
cp "$dir/bin/ninja" "$dir/ninja"
printf '#!/bin/sh\n' >"$dir/bin/ninja"
reads 0 'a.c b.c ' 'of no object'
reads 0 'a.c b.c ' 'of no object: not noted'
printf '#!/bin/sh\nexit 1\n' >"$dir/bin/ninja"
reads 2 '' 'ninja fails'
cp "$dir/ninja" "$dir/bin/ninja"
sh cmake/tidy.sh build 1 </dev/null >"$dir/out" 2>&1 && status=0 || status=$?
[ "$status" -eq 2 ] || { echo "FAILED: no sources: status $status"; failures=$((failures + 1)); }
[ $failures -eq 0 ]
