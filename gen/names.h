/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of layers. A header's name in the data is always one; short names are made from the data
 * too ("pds.ack" from the enumeration of pds.type, "pds.cp.probe" from that of ctl_type,
 * "ses.small" from the header ses_req_small), and a few are written down in names.c.
 */
#ifndef UET_GEN_NAMES_H
#define UET_GEN_NAMES_H

#include "gen/graph.h"

/* A field that a name settles; field is NULL for none. */
struct gen_preset {
    const char *field;
    uint32_t value;
};

/* What a name stands for: a header, or one of its siblings, whichever fits what is written. */
struct gen_name {
    enum uet_header_id id;
    bool exact;               /* this one was named, not its family */
    struct gen_preset preset; /* "type" for pds.rud_req */
};

/* Finds a layer by its name of n bytes, case aside. */
bool gen_name_find(struct gen_name *found, const char *name, size_t n);

/*
 * The usual short name of a header whose bytes are at h, and what it settles: the name that a
 * reader of its packet would write. UET_H_NONE in found->id never happens.
 */
void gen_name_of(enum uet_header_id id, const uint8_t *h, char *out, size_t cap,
                 struct gen_name *found);

/* Every name, once, in the order of the data: header names and short ones. */
void gen_names_each(void (*tell)(void *ctx, const char *name, const struct gen_name *what),
                    void *ctx);

#endif
