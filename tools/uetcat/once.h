/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations, from the opening of their PDC to the close: what read, write, atomic and their like
 * do. */
#ifndef UETCAT_ONCE_H
#define UETCAT_ONCE_H

#include "tools/uetcat/client.h"
#include "tools/uetcat/times.h"

enum { UETCAT_AT_ONCE_MAX = 64 };

/* The same operation many times. */
struct uetcat_series {
    uint32_t count;            /* how often */
    uint32_t at_once;          /* how many of them are under way, 1 to UETCAT_AT_ONCE_MAX */
    uint64_t interval_ns;      /* from the start of one to that of the next, at least */
    bool verbose;              /* a line for each, */
    bool json;                 /* of JSON, as the result will be */
    uint32_t done;             /* that have ended well */
    uint64_t took_ns;          /* all of those together */
    struct uetcat_times times; /* from the start of each to its completion */
    char error[160];           /* what was told of the one that did not, else "" */
};

/*
 * Does the operation, on an open link whose options say where it goes; the caller fills in what is
 * special to it, and may change what uetcat_client_config has made. Returns UETCAT_YES when it has
 * completed well; else UETCAT_NO or UETCAT_USAGE, after a message in the link's command's name.
 */
int uetcat_once(struct uetcat_link *l, const struct uet_fep_config *config,
                const struct uet_operation *op);

/* The same as often as the series says, up to the first that does not complete well, or to Ctrl-C.
 */
int uetcat_series(struct uetcat_link *l, const struct uet_fep_config *config,
                  const struct uet_operation *op, struct uetcat_series *s);

#endif
