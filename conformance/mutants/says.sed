# SPDX-License-Identifier: BSD-2-Clause
# What of a run may not change: tests that did not pass, and findings, without numbers of packets.
s/^(fail|error|inconc|unexpected-pass|pass)  ([^ ]+).*/\1 \2/p
s/^      finding, ([A-Z]+-[0-9]+).*/  \1/p
