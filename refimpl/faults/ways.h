/* SPDX-License-Identifier: BSD-2-Clause */
/* How a fault is done: one row of a table, with a function for each hook that it needs. */
#ifndef UET_REFIMPL_FAULTS_WAYS_H
#define UET_REFIMPL_FAULTS_WAYS_H

#include "refimpl/faults/faults.h"
#include "refimpl/state.h"

/* A frame on its way in or out. A function may change bytes and len (<= UET_FRAME_MAX). */
struct uet_fault_frame {
    uint8_t *bytes;
    size_t len;
    struct uet_packet p; /* of these bytes, as it was before the function began */
    uint64_t *memo;      /* the fault's own */
};

struct uet_fault_way {
    enum uet_violation_id fault;
    void (*rows)(struct uet_law *law);             /* edits rows of tables */
    void (*params)(struct uet_fep_params *params); /* edits what the application has set */
    /* False: the frame is lost. Checksum and CRC of a changed one are made right after it. */
    bool (*in)(struct uet_fep *fep, struct uet_fault_frame *f);
    bool (*out)(struct uet_fep *fep, struct uet_fault_frame *f);
    void (*after)(struct uet_fep *fep, uint64_t *memo);
    void (*reset)(struct uet_fep *fep); /* when it has been reset: its host ends the fault then */
};

/* The faults of one part of the FEP. */
struct uet_fault_ways {
    const struct uet_fault_way *ways;
    size_t n;
};

/* Each in the file of its name, which README.md here explains. */
extern const struct uet_fault_ways uet_faults_of_completions;
extern const struct uet_fault_ways uet_faults_of_edge;
extern const struct uet_fault_ways uet_faults_of_full;
extern const struct uet_fault_ways uet_faults_of_leaks;
extern const struct uet_fault_ways uet_faults_of_robust;

/* pds/ */
extern const struct uet_fault_ways uet_faults_of_acked;
extern const struct uet_fault_ways uet_faults_of_answers;
extern const struct uet_fault_ways uet_faults_of_closing;
extern const struct uet_fault_ways uet_faults_of_cp;
extern const struct uet_fault_ways uet_faults_of_lookup;
extern const struct uet_fault_ways uet_faults_of_nack_frames;
extern const struct uet_fault_ways uet_faults_of_nacked;
extern const struct uet_fault_ways uet_faults_of_pdc;
extern const struct uet_fault_ways uet_faults_of_requests;
extern const struct uet_fault_ways uet_faults_of_returned;
extern const struct uet_fault_ways uet_faults_of_single;
extern const struct uet_fault_ways uet_faults_of_timers;
extern const struct uet_fault_ways uet_faults_of_trimmed;

/* ses/ */
extern const struct uet_fault_ways uet_faults_of_ses_again;
extern const struct uet_fault_ways uet_faults_of_atomic;
extern const struct uet_fault_ways uet_faults_of_checks;
extern const struct uet_fault_ways uet_faults_of_deferral;
extern const struct uet_fault_ways uet_faults_of_forms;
extern const struct uet_fault_ways uet_faults_of_generation;
extern const struct uet_fault_ways uet_faults_of_header_data;
extern const struct uet_fault_ways uet_faults_of_initiator;
extern const struct uet_fault_ways uet_faults_of_messages;
extern const struct uet_fault_ways uet_faults_of_msg_error;
extern const struct uet_fault_ways uet_faults_of_rendezvous;
extern const struct uet_fault_ways uet_faults_of_ses;
extern const struct uet_fault_ways uet_faults_of_tagged;
extern const struct uet_fault_ways uet_faults_of_unexpected;

/* cms/ */
extern const struct uet_fault_ways uet_faults_of_adapt;
extern const struct uet_fault_ways uet_faults_of_congestion;
extern const struct uet_fault_ways uet_faults_of_contexts;
extern const struct uet_fault_ways uet_faults_of_credit;
extern const struct uet_fault_ways uet_faults_of_flight;
extern const struct uet_fault_ways uet_faults_of_probes;
extern const struct uet_fault_ways uet_faults_of_windows;

/* tss/ */
extern const struct uet_fault_ways uet_faults_of_tss_dropped;
extern const struct uet_fault_ways uet_faults_of_tss_frames;
extern const struct uet_fault_ways uet_faults_of_tss_isolation;
extern const struct uet_fault_ways uet_faults_of_tss_keys;
extern const struct uet_fault_ways uet_faults_of_tss_opening;
extern const struct uet_fault_ways uet_faults_of_tss_start;
extern const struct uet_fault_ways uet_faults_of_tss_trimmed;

#define UET_FAULT_WAYS(name, table)                                                                \
    const struct uet_fault_ways name = {table, sizeof(table) / sizeof *(table)}

/* Its PDS or SES header, to be changed; the packet has one. */
static inline uint8_t *uet_fault_pds(struct uet_fault_frame *f)
{
    return f->bytes + f->p.pds_offset;
}

/* Its TSS header; NULL: it is in clear. */
static inline uint8_t *uet_fault_tss(struct uet_fault_frame *f)
{
    return f->p.tss ? f->bytes + f->p.tss_offset : NULL;
}

static inline uint8_t *uet_fault_ses(struct uet_fault_frame *f)
{
    return f->bytes + f->p.ses_offset;
}

/* Its DSCP; ECN stays. */
static inline void uet_fault_dscp(struct uet_fault_frame *f, uint8_t dscp)
{
    uint8_t *ip = f->bytes + f->p.ip_offset;
    if (f->p.ip_version == 4) {
        uet_ipv4_dscp_set(ip, dscp);
    } else {
        ip[0] = (uint8_t)((ip[0] & 0xf0) | dscp >> 2);
        ip[1] = (uint8_t)((ip[1] & 0x3f) | dscp << 6);
    }
}

/* It comes from that address, whoever has sent it. */
static inline void uet_fault_from(struct uet_fault_frame *f, const struct uet_ip *from)
{
    uint8_t *ip = f->bytes + f->p.ip_offset;
    const uint8_t *b = from->bytes;
    if (f->p.ip_version == 4)
        uet_ipv4_src_set(ip,
                         (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]);
    else
        uet_ipv6_src_set(ip, b);
}

static inline void uet_fault_to(struct uet_fault_frame *f, const struct uet_ip *to)
{
    uint8_t *ip = f->bytes + f->p.ip_offset;
    const uint8_t *b = to->bytes;
    if (f->p.ip_version == 4)
        uet_ipv4_dst_set(ip,
                         (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]);
    else
        uet_ipv6_dst_set(ip, b);
}

/* Each PDC that is not closed; needs refimpl/pds/state.h. */
#define FOR_EACH_PDC(fep, pdc)                                                                     \
    for (struct pdc * (pdc) = pdc_at(fep, 1); (pdc) <= pdc_at(fep, (fep)->config.max_pdcs);        \
         (pdc)++)                                                                                  \
        if ((pdc)->state != PDC_CLOSED)

/* Edits the rows of all opcodes. */
static inline void uet_fault_each_op(struct uet_law *law, void (*edit)(struct ses_op *op))
{
    for (size_t i = 0; i < sizeof law->ses.ops / sizeof *law->ses.ops; i++)
        edit(&law->ses.ops[i]);
}

/* A fault that changes packets of a kind: `change` may use s, the packet's SES header. */
#define UET_FAULT_ALTERS(name, kind, change)                                                       \
    static bool name(struct uet_fep *fep, struct uet_fault_frame *f)                               \
    {                                                                                              \
        (void)fep;                                                                                 \
        if (kind(f)) {                                                                             \
            uint8_t *s = uet_fault_ses(f);                                                         \
            change;                                                                                \
        }                                                                                          \
        return true;                                                                               \
    }

#endif
