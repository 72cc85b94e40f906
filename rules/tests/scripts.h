/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rules that several packets together break: each script gives packets of the written talk, some of
 * them altered, and names the requirement that the last one violates. Without the alterations the
 * same packets violate nothing of it.
 */
#ifndef UET_RULES_TESTS_SCRIPTS_H
#define UET_RULES_TESTS_SCRIPTS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "rules/rules.h"
#include "track/tests/talk.h"

#define MIDDLE UET_VANTAGE_MIDDLE
#define START  UET_VANTAGE_INITIATOR
#define TARGET UET_VANTAGE_TARGET
#define BOTH   UET_VANTAGE_BOTH

/* Packets beside those of the talk; each comes a millisecond after what was before it. */
enum { X0 = TALK_N, X1, X2, X3, X4, EXTRA = 5, END = 255, GIVEN = 40, MAX_VIOLATIONS = 16 };

#define US 1000u
#define MS 1000000u

/* What an extra packet was sealed with. */
struct sealed {
    uint32_t sdi; /* 0: it was not sealed */
    bool sp;
    bool closed; /* nobody has opened it */
    struct uet_packet_seal seal;
};

struct stage {
    struct talk talk;
    struct talk_packet extra[EXTRA];
    uint8_t spec; /* enum uet_spec_version */
    struct sealed sealed[EXTRA];
};

struct script {
    const char *requirement;
    uint8_t vantage;
    void (*alter)(struct stage *s);
    uint8_t from, to; /* all packets of the talk between, both included; to 0: none */
    uint8_t then[12]; /* after them; ends with END */
};

static inline struct talk_packet *at(struct stage *s, unsigned name)
{
    return name < TALK_N ? &s->talk.packet[name] : &s->extra[name - TALK_N];
}

static inline uint8_t *pds(struct stage *s, unsigned name)
{
    return talk_pds(at(s, name));
}

static inline uint8_t *ses(struct stage *s, unsigned name)
{
    return talk_ses(at(s, name));
}

/* An extra packet: a copy of one of the talk. Its PDS header. */
static inline uint8_t *extra(struct stage *s, unsigned name, enum talk_name from)
{
    *at(s, name) = s->talk.packet[from];
    return pds(s, name);
}

static inline uint8_t *ip(struct stage *s, unsigned name)
{
    return at(s, name)->frame + UET_ETH_BYTES;
}

static inline void set_entropy(struct stage *s, unsigned name, uint16_t entropy)
{
    uet_udp_src_port_set(ip(s, name) + UET_IPV4_BYTES, entropy);
}

static inline void add_psn(struct stage *s, unsigned name, uint32_t n)
{
    uet_rud_rod_req_psn_set(pds(s, name), uet_rud_rod_req_psn(pds(s, name)) + n);
}

static inline void set_opcode(struct stage *s, unsigned name, uint8_t opcode)
{
    uet_ses_req_opcode_set(ses(s, name), opcode);
}

/* Of PDCs and their packets; of messages, reads and what has no PDC; of sealed packets. */
extern const struct script pds_scripts[], message_scripts[], tss_scripts[], tss_quiet[];
extern const size_t n_pds_scripts, n_message_scripts, n_tss_scripts, n_tss_quiet;

/* Requirements of sealed packets that take whole frames to break: test_tss.c; ends with NULL. */
extern const char *const tss_framed[];

/* Alterations that other tests make, too. */
void uud_id(struct stage *s);
void uud_error(struct stage *s);
void acked_ok(struct stage *s);
void late_ack(struct stage *s);

#endif
