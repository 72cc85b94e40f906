/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the FEP knows: its PDCs, packets, messages, operations and resources. Private to refimpl/.
 * Everything lives in the caller's block and is found by number; 0 means none.
 */
#ifndef UET_REFIMPL_STATE_H
#define UET_REFIMPL_STATE_H

#include "refimpl/choices.h"
#include "refimpl/counters.h"
#include "refimpl/faults/faults.h"
#include "refimpl/fep.h"
#include "refimpl/index.h"
#include "refimpl/law.h"
#include "refimpl/pool.h"
#include "wire/build.h"
#include "wire/splitmix.h"

#define MESSAGE_IDS 65536u

struct line {
    uint32_t head, tail;
};

/* Aggregate rate control (cms/arc.c): what came in this round, and what the rounds before made. */
struct arc {
    uint64_t round_ends;
    uint32_t packets, marked, trimmed, lost; /* lost: trimmed before the last hop */
    uint32_t marks;                          /* share of marks, mean of the rounds; and */
    uint32_t rate;                           /* what it grants of its line: of UET_ARC_ONE */
    uint8_t calm;                            /* rounds in which it was not lowered */
};

/*
 * NSCC's parameters (Table 3-82) in the units that it counts in; those with _qN are N bits of a
 * fraction behind the point.
 */
struct uet_nscc_gains {
    uint64_t alpha_q32; /* bytes x bytes for a byte that came a nanosecond below the target */
    uint64_t fi_q8;     /* bytes x bytes for a byte */
    uint32_t fi_scale_q16;
    uint32_t eta, mtu, max_wnd, adjust_bytes; /* bytes */
    uint32_t link_rate;                       /* Mbit/s, of this FEP */
    uint32_t config_base_rtt, target_qdelay, qa_threshold, adjust_period, tolerance; /* ns */
    uint8_t gamma, max_md_jump;                                                      /* per cent */
    uint8_t qa_gate;
    bool quick_adapt;
};

/* Under whose keys a packet, a PDC or an answer is (Table 3-26); all zero: in clear. */
struct tss_context {
    uint32_t sdi;
    uint32_t ssi; /* at the server of server mode, the client's; else 0 */
    bool sealed;
};

struct completion_ring {
    struct uet_completion *slots;
    uint32_t cap, head, n;
    uint32_t n_op, n_receive, n_write; /* kinds in the ring */
};

/* RUDI packets that wait for their response, in the order of their first sending. */
struct rudi {
    struct pool packets; /* struct tx_packet; psn is the pkt_id */
    uint32_t head, tail;
    uint32_t n_resend;    /* of them wait to be sent again */
    uint32_t incarnation; /* part of the next pkt_id */
    uint64_t deadline;    /* not later than the first deadline of its packets */
};

struct uet_fep {
    struct uet_fep_config config;
    struct uet_fep_params params;
    struct uet_fep_choices choices;
    struct uet_law law;             /* its copy of the small tables (law.h) */
    struct uet_parse_options parse; /* of what comes, as configured */
    struct uet_tss_place built;     /* what stands where in a frame that leaves; its end is open */
    uint64_t now;
    uint64_t prng, secrets;
    uint64_t counters[CNT_COUNT];
#ifdef UET_BENT
    struct uet_faults faults;
#endif

    /* ---- TSS ---- */
    struct tss_domain *domains;      /* max_domains */
    struct tss_domain **domain_hash; /* domain_buckets, by SDI; NULL: none */
    uint32_t domain_buckets;
    bool all_sealed; /* nothing in clear has a place (3.7.4) */
    uint8_t *opened; /* UET_FRAME_MAX: the packet that came last, in clear */
    bool secured;    /* something is sealed, or was */

    /* ---- PDS: ses/ names none of it (cmake/check-tree.sh) ---- */
    struct pdc *pdcs;          /* 1..max_pdcs */
    uint64_t new_pdc_timeouts; /* NEW_PDC_TIMEOUT_CNT */

    struct pool bitmaps;        /* which PSNs of a PDC's window have come: window_psns bits each */
    uint32_t window_psns;       /* a power of two */
    struct pool cccs;           /* congestion control contexts, as many as PDCs */
    uint32_t *ccc_hash;         /* pdc_buckets */
    struct uet_nscc_gains nscc; /* of the parameters when the last CCC began */
    uint8_t ccc_id;             /* of the CCC that began last */
    struct pool grantees;       /* CCCs of peers that want credit, as many as PDCs */
    uint32_t *grantee_hash;     /* pdc_buckets */
    struct line credit_active, credit_idle;
    uint64_t next_grant_at; /* not earlier */
    uint32_t grant_ahead;   /* MaxWnd in units, when the last of them was heard of first */
    struct arc arc;         /* by how much all of them are slowed down */
    uint32_t free_head, free_tail;
    struct line ready;
    struct line starved; /* PDCs that found no tx_packet */
    uint32_t n_initiator, n_target;
    uint32_t n_reserved;           /* of both, those of the reserved pool */
    uint32_t *syn_hash, *map_hash; /* pdc_buckets each */
    uint32_t pdc_buckets;
    uint32_t *heap; /* PDC numbers by deadline */
    uint32_t heap_n;
    uint32_t idle_hand;  /* where the search for an idle PDC goes on */
    uint32_t clear_hand; /* where the search for a response to be cleared goes on */

    struct pool packets, stored;
    struct pool parts, kept; /* data that peers fetch; kept: bytes of it */
    uint32_t *packet_hash;
    uint32_t packet_buckets;

    struct rudi rudi;
    uint32_t turn; /* who sends next: PDCs, RUDI or UUD */

    struct reply *replies;
    uint32_t reply_head, reply_n;

    /* ---- SES: pds/ names none of it ---- */
    struct ses_pdc *ses_pdcs; /* by PDC */
    struct pool messages, receives, operations;
    uint32_t *message_hash;
    uint32_t message_buckets;
    uint32_t message_hand; /* where the search for a PDC that holds messages goes on */
    struct pool services, regions;
    struct uet_index services_by_name, services_by_family;
    struct uet_index services_by_job, services_by_pid, services_by_pid_of_job;
    struct uet_index regions_by_name, regions_by_family;
    struct uet_index receives_by_name, receives_by_family;
    uint32_t n_exhausted; /* services that are disabled until a receive is posted (SES-107) */
    uint32_t n_posted, n_submitted; /* receives, operations so far */
    uint32_t n_runs;                /* lives of PDCs so far */
    struct pool held;               /* sends of which the header is kept */
    struct line held_line;
    uint32_t n_held;                           /* so far */
    struct pool unexpected, unexpected_blocks; /* sends that are kept, and their bytes */
    struct line unexpected_line;
    uint32_t n_came; /* so far, of both */
    uint64_t held_deadline;
    uint32_t n_own_operations; /* of the pool, those that no application has asked for */
    uint32_t n_deferrable;     /* deferrable sends submitted so far */
    uint32_t waiting_head, waiting_tail;
    uint64_t waiting_deadline;
    bool dispatch;               /* waiting operations may find a PDC now */
    uint32_t uud_head, uud_tail; /* datagrams to be sent */
    uint16_t next_message_id;
    uint64_t *message_ids; /* one bit each: live */
    struct completion_ring completions;
};

#define COUNT(fep, name) ((void)(fep)->counters[CNT_##name]++)

/* The FEP's own generator: same seed, same bytes. */
static inline uint64_t fep_random(struct uet_fep *fep)
{
    return uet_splitmix64(&fep->prng);
}

/* What nobody should guess who has seen all that goes in clear. */
static inline uint64_t fep_secret(struct uet_fep *fep)
{
    return fep->config.secret ? uet_splitmix64(&fep->secrets) : fep_random(fep);
}

/* Serial number order (3.5.12): a after b. */
static inline bool psn_after(uint32_t a, uint32_t b)
{
    return uet_psn_diff(a, b) > 0;
}

/* now + delay, never wrapping past UET_FEP_NEVER. */
static inline uint64_t time_after(uint64_t now, uint64_t delay)
{
    return delay >= UET_FEP_NEVER - now ? UET_FEP_NEVER : now + delay;
}

#endif
