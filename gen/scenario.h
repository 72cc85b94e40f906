/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Conversations as captures: two reference FEPs speak in virtual time, and a middle between them
 * loses, doubles, holds back or alters what the scenario says. Same scenario, same seed: same
 * bytes.
 *
 * The capture is taken behind the middle's delays and alterations and before its losses: what is
 * seen is what the wire carried, and a frame that was lost after that says so in its comment.
 */
#ifndef UET_GEN_SCENARIO_H
#define UET_GEN_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The code points of the trimmed roles (4.1.4.1) in every scenario, which its ends know. */
enum { UET_GEN_DSCP_TRIMMED = 16, UET_GEN_DSCP_LASTHOP = 18 };

struct uet_gen_scenario {
    const char *name;  /* "lost-request" */
    const char *title; /* one line: what happens */
    const char *sections;
};

/* How many there are, and the i-th of them; NULL after the last. */
size_t uet_gen_n_scenarios(void);
const struct uet_gen_scenario *uet_gen_scenario(size_t i);
const struct uet_gen_scenario *uet_gen_scenario_find(const char *name); /* or NULL */

/*
 * The key file of what is sealed in it, as a key log for tshark too: keys that everybody knows.
 * NULL: all is in clear.
 */
const char *uet_gen_scenario_keys(const struct uet_gen_scenario *scenario);

/* What one would expect and the reference FEP cannot do yet: name and reason; NULL after the last.
 */
struct uet_gen_missing {
    const char *name, *why;
};
const struct uet_gen_missing *uet_gen_missing_scenario(size_t i);

struct uet_gen_scene_options {
    uint64_t seed;
    bool ipv6; /* else IPv4 */
    bool crc;  /* CRC trailers (UET_Data_Protect) */
    /* A key file: both ends seal with its first key, where the scenario has no keys of its own and
     * the middle changes nothing, for that it cannot. */
    const char *keys;
};

/* A frame as the capture has it; good during the call only. */
struct uet_gen_scene_frame {
    const uint8_t *bytes;
    uint32_t len;
    uint64_t time_ns;
    bool from_initiator;
    bool lost;
    const char *comment; /* NULL, or what the middle did to it */
};

/* How it ended. */
struct uet_gen_scene_end {
    uint64_t frames, lost, doubled, held, altered;
    uint64_t operations, completed, failed; /* of the initiator */
    uint64_t pdcs;                          /* that still exist at both ends */
    bool quiet;                             /* nothing is under way any more */
};

/*
 * Runs a scenario. take is called for each frame in the order of time; nonzero stops. 0, what take
 * returned, -ENOMEM, or -EPROTO with a sentence in err (the reference FEP refused a step).
 */
int uet_gen_scenario_run(const struct uet_gen_scenario *scenario,
                         const struct uet_gen_scene_options *options,
                         int (*take)(void *ctx, const struct uet_gen_scene_frame *frame), void *ctx,
                         struct uet_gen_scene_end *end, char *err, size_t errlen);

#endif
