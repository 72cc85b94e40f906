/* SPDX-License-Identifier: BSD-2-Clause */
/* `uetconform explain` as JSON. */
#ifndef UET_CONFORMANCE_EXPLAIN_H
#define UET_CONFORMANCE_EXPLAIN_H

/* Prints the JSON list for words that all name something. Returns the exit status. */
int uet_explain_json(int n, char **words);

#endif
