/* SPDX-License-Identifier: BSD-2-Clause */
/* What the relay is to do to packets: rules, each from a line of text. */
#ifndef UET_INTEROP_RELAY_PLAN_H
#define UET_INTEROP_RELAY_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum relay_side { RELAY_LEFT, RELAY_RIGHT, RELAY_SIDES };

enum relay_kind {
    RELAY_CUT,       /* everything is lost for a time */
    RELAY_LOSS,      /* one packet is lost */
    RELAY_QUEUE,     /* a slow link behind a queue, which may mark and trim, and when full drops */
    RELAY_TRIM,      /* cut as a switch does that is congested (4.1) */
    RELAY_CE,        /* ECN becomes CE, as a switch does that is congested (3.6.4) */
    RELAY_CORRUPT,   /* one bit is another */
    RELAY_DUPLICATE, /* a second copy */
    RELAY_DELAY,     /* later by a time, and by up to so much more */
    RELAY_REHASH,    /* paths of unequal length, by entropy value */
    RELAY_REORDER,   /* later than so many packets that came after it */
    RELAY_KINDS,
};

#define RELAY_MILLION   1000000u
#define RELAY_RULES_MAX 32
#define RELAY_PATHS_MAX 256
#define RELAY_QUEUE_MAX (64u << 20) /* bytes */
#define RELAY_NEVER     UINT32_MAX

struct relay_rule {
    uint8_t kind;             /* enum relay_kind */
    uint8_t packets;          /* enum uet_class; UET_CLASS_ANY, too, stands for UET packets alone */
    bool from[RELAY_SIDES];   /* for packets that come from there */
    uint8_t dscp, dscp_after; /* TRIM, QUEUE: of packets that may be trimmed, and of the trimmed */
    uint32_t chance;          /* in millionths */
    uint32_t count;           /* REORDER: packets; REHASH: paths */
    uint64_t ns;              /* DELAY: time; REHASH: from path to path; CUT: when it begins */
    uint64_t span_ns; /* DELAY: more at most; REHASH: between hashes, 0: ever; CUT: its length;
                         DUPLICATE: how much later the copy is */
    uint64_t rate;    /* QUEUE: bits a second of the link */
    uint32_t bytes;   /* QUEUE: that fit, and above which it marks and trims, or RELAY_NEVER */
    uint32_t ce_above, trim_above;
    const char *text; /* as it was given; not owned */
};

struct relay_plan {
    struct relay_rule rules[RELAY_RULES_MAX];
    size_t n_rules;
};

/* The word that begins such a rule. */
const char *relay_kind_name(uint8_t kind);

/*
 * Adds the rule that text states; text must outlive the plan. 0; or -1 and in err one sentence:
 * what is wrong at which word, and how to mend it.
 */
int relay_plan_add(struct relay_plan *plan, const char *text, char *err, size_t errlen);

#endif
