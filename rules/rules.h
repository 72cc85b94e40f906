/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rules: one function a requirement, over tracked packets. The same judgement everywhere: in
 * every active test, in `uetconform check`, in the dissector, in the simulator.
 *
 * A rule fires only on what its vantage can know; otherwise it abstains.
 */
#ifndef UET_RULES_RULES_H
#define UET_RULES_RULES_H

#include "track/track.h"

enum uet_spec_version { UET_VERSION_1_0_3, UET_VERSION_1_0_2, UET_VERSION_1_0_1 };

/* "1.0.3" */
const char *uet_spec_version_name(uint8_t version);

/* What is told of a source's window (3.6.13.3). It may change between two packets. */
struct uet_rules_window {
    uint64_t max_wnd; /* bytes; 0: it is not known, and its window is not judged */
    uint64_t loss_ns; /* it takes no packet for lost sooner, by time alone; 0: not known, as above;
                         nor gives it up */
    uint64_t max_credit; /* bytes on which a source with RCCC speculates; 0: not known, as above */
};

struct uet_rules_config {
    uint8_t vantage;       /* enum uet_vantage */
    uint8_t spec;          /* enum uet_spec_version */
    uint8_t default_mpr;   /* Default_MPR of the sources (3.5.5); 0: not known, it may be 255 */
    uint64_t dscp_control; /* DSCP_CONTROL where this is seen, a bit for each; 0: not known */
    /* Judge only what this address sent; version 0: judge everybody. */
    struct uet_ip sender;
    const struct uet_rules_window *window; /* of the sources; NULL: not known. Not owned */
};

struct uet_violation {
    const char *requirement; /* "PDS-147" */
    uint32_t number;         /* of the packet */
    bool reported;           /* the facts accept who does so (readings.csv): told, fails nobody */
    char message[160];       /* what came and what was required, one line */
};

struct uet_rules;

/* What a rule is, for listings. */
struct uet_rule_info {
    const char *requirement;
    const char *title; /* one line */
};

/* NULL when the allocator (that of the tracker) has no memory. */
struct uet_rules *uet_rules_new(const struct uet_rules_config *config,
                                const struct uet_track_allocator *allocator);

/*
 * May the packet be judged: its PDS header was read whole, no switch has cut it, its CRC is not
 * wrong, and the configured sender sent it?
 */
bool uet_rules_judge(const struct uet_rules *rules, const struct uet_packet *packet);

/*
 * A sealed packet that was not opened: may its TSS header be judged? Not when there are keys for it
 * and none opens it: no FEP takes it then, and anybody may have sent it.
 */
bool uet_rules_judge_header(const struct uet_rules *rules, const struct uet_packet *packet);

/* Judges one tracked packet; writes at most max violations and returns how many. */
size_t uet_rules_check(struct uet_rules *rules, const struct uet_tracked *packet,
                       struct uet_violation *out, size_t max);

/* NULL: nothing. The tracker stays the caller's. */
void uet_rules_free(struct uet_rules *rules);

/* How many rules there are, and the i-th of them; NULL after the last. */
size_t uet_n_rules(void);
const struct uet_rule_info *uet_rule(size_t i);

#endif
