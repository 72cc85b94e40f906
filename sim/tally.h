/* SPDX-License-Identifier: BSD-2-Clause */
/* What was simulated, by operation and by delivery mode: so that a claim of it can be read. */
#ifndef UET_SIM_TALLY_H
#define UET_SIM_TALLY_H

#include <stdint.h>
#include <stdio.h>

#include "wire/packet.h"

enum {
    SIM_MODES = 4,    /* enum uet_mode */
    SIM_OPCODES = 16, /* Table 3-17 up to UET_MSG_ERROR; those of vendors are not sent */
    SIM_AMOS = UET_AMO_INVAL,
};

struct sim_tally {
    uint64_t packets[SIM_OPCODES][SIM_MODES]; /* Requests of SES, resends too */
    uint64_t data[SIM_MODES];                 /* data of reads, but what rides in ACKs */
    uint64_t acks, nacks, cps;                /* whose mode their header does not tell */
    uint64_t other; /* RUDI's responses without data, and what has no name */
    uint64_t begun[SIM_OPCODES][SIM_MODES], well[SIM_OPCODES][SIM_MODES]; /* operations */
    uint64_t amos[SIM_AMOS]; /* packets of atomics, fetching or not */
};

/* A packet that a FEP sends; the same of a frame. */
void sim_tally_packet(struct sim_tally *tally, const struct uet_packet *p);
void sim_tally_frame(struct sim_tally *tally, const uint8_t *frame, uint32_t len,
                     const struct uet_parse_options *how);
void sim_tally_add(struct sim_tally *sum, const struct sim_tally *one);
/* A table: a line for each opcode that came up. */
void sim_tally_print(const struct sim_tally *tally, FILE *out);

#endif
