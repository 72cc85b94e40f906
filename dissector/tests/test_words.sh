#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What stands in words behind values and links, where the fields alone do not tell it.
. "$(dirname "$0")/lib.sh"
words() { # words CAPTURE FRAME PATTERN: the lines of the tree that have it
    pcap=$(capture "$1") || exit 2
    uetx -2 -r "$pcap" -V -Y "frame.number == $2" | grep "^ .*$3" | sed 's/^ *//'
}
expect "several elements" "operands: 3 (INT8)" "$(words atomics 1 operands:)"
expect "a type behind one element" "operand: -2 (INT16)" "$(words atomics 5 operand:)"
expect "bytes that are no element" "operand: 3 (UINT64), and 4 bytes of another" \
    "$(words atomics 35 operand:)"
expect "a mask" "compare: 4294901760 = 0xffff0000 (UINT32, the mask)
swap: 305419896 = 0x12345678 (UINT32)" "$(words atomics 59 '\(compare\|swap\): ')"
expect "what an extension is for" "Compare and swap extension (3.4.2.4): UET_AMO_CSWAP" \
    "$(words atomics 51 extension)"
expect "tokens in the other order" "[deferred request in: 9 (the tokens are in the other order)]" \
    "$(words deferred 11 'deferred request')"
expect "tokens in order" "[deferred request in: 1]" "$(words deferred 3 'deferred request')"
expect "a READ of the rest" "[rendezvous send in: 1 (behind the eager part)]" \
    "$(words rendezvous 3 'send in:')"
expect "a READ that goes on" "[rendezvous send in: 5 (goes on with it)]" \
    "$(words rendezvous 9 'send in:')"
expect "a READ of everything" "[rendezvous send in: 13 (from read_offset on)]" \
    "$(words rendezvous 23 'send in:')"
expect "a READ where nothing was eager" "[rendezvous send in: 26]" \
    "$(words rendezvous 28 'send in:')"
exit $bad
