/* SPDX-License-Identifier: BSD-2-Clause */
/* What a scenario is made of: steps of the two ends, and rules of the middle. All of it is data. */
#ifndef UET_GEN_SCENE_H
#define UET_GEN_SCENE_H

#include "gen/scenario.h"
#include "wire/impair.h"

enum gen_op {
    OP_END,
    OP_WRITE,         /* value bytes */
    OP_WRITE_BAD_KEY, /* to a memory key that nobody registered */
    OP_SEND,
    OP_READ,         /* value bytes */
    OP_FETCHING_SUM, /* adds value to a UINT64 and fetches what was there */
    OP_NO_OP,
    OP_NEW_PDC,       /* the next operations belong to another traffic class, so another PDC */
    OP_ROD,           /* the next operations go by ROD */
    OP_RUDI,          /* ... by RUDI: writes and reads, of a region that is idempotent-safe */
    OP_UUD,           /* ... by UUD: sends, one packet each */
    OP_BEFORE,        /* value NO_OPs that went before and are not in the capture */
    OP_CLOSE,         /* by the initiator */
    OP_CLOSE_REQUEST, /* by the target */
    OP_CONTROL,       /* the initiator sends a Control Packet: value is its ctl_type */
    OP_SET_INITIATOR, /* parameter `name` = value */
    OP_SET_TARGET,
    OP_REKEY, /* the next key of the file goes into the idle AN at both ends, which turn to it */
    OP_RUN,   /* until nothing is under way, for value ns at most (0: one second) */
    OP_WAIT,  /* value ns, whatever is under way */
};

enum gen_header_form { FORM_STD, FORM_SMALL, FORM_MEDIUM };

struct gen_scene_step {
    uint8_t op;   /* enum gen_op */
    uint8_t form; /* enum gen_header_form */
    uint64_t value;
    const char *name;
};

struct gen_scene_rule {
    struct uet_impairment impair;
    const char *say; /* NULL: there is no rule */
};

enum { GEN_STEPS = 16, GEN_RULES = 4 };

struct gen_scene {
    struct uet_gen_scenario about;
    struct gen_scene_step steps[GEN_STEPS];
    struct gen_scene_rule rules[GEN_RULES];
    uint16_t target_pdcs, target_responses, target_messages; /* limits of the target; 0: usual */
    const char *keys; /* a key file: both ends seal, with its first key; NULL: all is in clear */
    bool renumber;    /* the middle gives the PDC other PSNs: its Start_PSN becomes start_psn */
    uint32_t start_psn;
};

extern const struct gen_scene gen_scenes[];
extern const size_t gen_n_scenes;

#endif
