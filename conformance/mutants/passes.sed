# SPDX-License-Identifier: BSD-2-Clause
# How many tests of a run passed.
s/^[0-9]+ tests, [0-9]+ points: ([0-9]+) pass.*/\1/p
