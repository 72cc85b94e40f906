/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside the rules: a table row, what a check is given, and small questions that many ask. */
#ifndef UET_RULES_INTERNAL_H
#define UET_RULES_INTERNAL_H

#include "rules/rules.h"

/* Kinds of packets that a rule looks at. */
enum uet_rule_on {
    UET_ON_REQUEST = 1,
    UET_ON_CP = 2,
    UET_ON_ACK = 4,
    UET_ON_NACK = 8,
    UET_ON_SES_REQUEST = 16,
    UET_ON_SES_RESPONSE = 32,
    UET_ON_RUDI_REQUEST = 64,
    UET_ON_RUDI_RESPONSE = 128,
    UET_ON_RUDI_NACK = 256,
    UET_ON_UUD = 512,
    UET_REPORTED = 1024,  /* no kind: what the rule finds fails nobody (struct uet_violation) */
    UET_ON_SEALED = 2048, /* with a TSS header, whether it was opened or not */
    UET_ON_SENDS = UET_ON_REQUEST | UET_ON_CP,
    UET_ON_ANSWERS = UET_ON_ACK | UET_ON_NACK,
    UET_ON_RUDI = UET_ON_RUDI_REQUEST | UET_ON_RUDI_RESPONSE | UET_ON_RUDI_NACK,
    UET_ON_ANY = UET_ON_SENDS | UET_ON_ANSWERS | UET_ON_RUDI | UET_ON_UUD,
};

/* What must be known before a rule may fire; else it abstains. */
enum uet_rule_needs {
    UET_NEEDS_NOTHING, /* the packet alone shows it */
    UET_NEEDS_PDC,     /* its PDC is known and its PDCIDs agree with it */
    UET_NEEDS_PSN,     /* ... and it takes a PSN of that PDC */
    UET_NEEDS_ENDS,    /* as PDC, and the capture stands at one end: all that end sent and got */
    UET_NEEDS_SENDER,  /* as ENDS, and that end is the packet's sender: its packets are in order */
};

/*
 * RUDI has no PDC, no PSN and no roles: with it, PDC stands for the exchange, ENDS and SENDER for
 * BOTH, and PSN is never known.
 */

/*
 * When a rule has anything to say: one of these holds of the packet in all that it can find wrong.
 * They are or-ed to what the rule needs. A row without any looks at each packet of its kinds.
 * Nothing rests on them but the time that a packet takes: the rule asks for itself what it must
 * know (uet_rules_check_all).
 */
enum uet_rule_when {
    UET_WHEN_SYN = 1 << 4,
    UET_WHEN_RETX = 1 << 5,
    UET_WHEN_SEALED = 1 << 6,    /* by TSS */
    UET_WHEN_MALFORMED = 1 << 7, /* the parser has found it wrong, in whatever */
    /* An ACK ... */
    UET_WHEN_PROBE = 1 << 8, /* answers a Probe */
    UET_WHEN_ASKS = 1 << 9,  /* asks for something: flags.req */
    /* A SES Request ... */
    UET_WHEN_LATER = 1 << 10,       /* is not the first packet of its message: som = 0 */
    UET_WHEN_MORE = 1 << 11,        /* is not the last one: eom = 0 */
    UET_WHEN_SHORT = 1 << 12,       /* has a small or medium header */
    UET_WHEN_READ = 1 << 13,        /* is a READ */
    UET_WHEN_RARE_OPCODE = 1 << 14, /* is neither that nor WRITE, SEND or TAGGED_SEND */
    /* A SES response ... */
    UET_WHEN_DATA = 1 << 15,     /* brings data */
    UET_WHEN_RESPONSE = 1 << 16, /* brings none, and is no default one */
    UET_WHEN_ERROR = 1 << 17,    /* brings none, and tells an error */
    /* What was seen before. */
    UET_WHEN_ENDS = 1 << 18, /* the capture stands at one end */
    UET_WHEN_NO_PDC = 1 << 19,
    UET_WHEN_MISMATCH = 1 << 20,
    UET_WHEN_FORWARD = 1 << 21,
    UET_WHEN_OPENS = 1 << 22,
    UET_WHEN_DUPLICATE = 1 << 23,
    UET_WHEN_CLOSING = 1 << 24, /* the PDC has had its Close Command */
    UET_WHEN_FAILED = 1 << 25,  /* ... a fatal NACK */
    UET_WHEN_ROD = 1 << 26,     /* the PDC is of this mode */
    /* And below UET: DF is 0, or reserved bits of the entropy header are set. */
    UET_WHEN_ODD_IP = 1 << 27,
    UET_WHEN_SECURED = 1 << 28, /* the PDC has had a sealed packet */
};
#define UET_WHENS 0x1ffffff0u

/*
 * The words of a header that hold reserved bits, four bytes each: three of them in no header. Bits
 * that are set are rare, and finding their field takes long.
 */
#define UET_RESERVED_WORDS 8

struct uet_reserved {
    uint8_t n;
    uint8_t at[UET_RESERVED_WORDS];    /* byte offsets */
    uint32_t mask[UET_RESERVED_WORDS]; /* as the bytes lie in memory */
};

struct uet_ruling {
    const struct uet_tracked *t;
    const struct uet_packet *p;
    const uint8_t *pds;                  /* NULL: it was not opened */
    const uint8_t *ses;                  /* NULL: none */
    const struct uet_reserved *reserved; /* by enum uet_header_id */
    uint8_t vantage;                     /* enum uet_vantage */
    uint8_t spec;                        /* enum uet_spec_version */
    uint8_t default_mpr;
    uint64_t dscp_control;                 /* a bit for each; 0: not known */
    const struct uet_rules_window *window; /* NULL: nothing is told of it */
    bool ends;                             /* the vantage is not UET_VANTAGE_MIDDLE */
    bool sender; /* all that the packet's sender sends is seen, in order */
    char *message;
    size_t size;
};

/* True when the packet violates the requirement; the message is written then. */
typedef bool uet_rule_check(const struct uet_ruling *r);

struct uet_rule_row {
    struct uet_rule_info info;
    uint16_t on;    /* enum uet_rule_on, or-ed: any of them */
    uint32_t needs; /* enum uet_rule_needs, and enum uet_rule_when or-ed: any of them */
    uet_rule_check *check;
};

struct uet_rule_table {
    const struct uet_rule_row *rows;
    size_t n;
};

extern const struct uet_rule_table uet_rules_common;
extern const struct uet_rule_table uet_rules_start;
extern const struct uet_rule_table uet_rules_open;
extern const struct uet_rule_table uet_rules_psn;
extern const struct uet_rule_table uet_rules_window;
extern const struct uet_rule_table uet_rules_loss;
extern const struct uet_rule_table uet_rules_trim;
extern const struct uet_rule_table uet_rules_tss;
extern const struct uet_rule_table uet_rules_rod;
extern const struct uet_rule_table uet_rules_rudi;
extern const struct uet_rule_table uet_rules_read;
extern const struct uet_rule_table uet_rules_ack;
extern const struct uet_rule_table uet_rules_clear;
extern const struct uet_rule_table uet_rules_nack;
extern const struct uet_rule_table uet_rules_cp;
extern const struct uet_rule_table uet_rules_refuse;
extern const struct uet_rule_table uet_rules_ses_request;
extern const struct uet_rule_table uet_rules_ses_message;
extern const struct uet_rule_table uet_rules_ses_response;
extern const struct uet_rule_table uet_rules_ses_read;
extern const struct uet_rule_table uet_rules_ses_refuse;

/*
 * uet_rules_check, without a look at any row's enum uet_rule_when: finds the same, and takes
 * longer.
 */
size_t uet_rules_check_all(struct uet_rules *rules, const struct uet_tracked *packet,
                           struct uet_violation *out, size_t max);

#define UET_TABLE(rows)                                                                            \
    {                                                                                              \
        (rows), sizeof(rows) / sizeof *(rows)                                                      \
    }

/* Writes the message and returns true. */
bool uet_violates(const struct uet_ruling *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static inline bool uet_is_syn(const struct uet_packet *p)
{
    return uet_has_syn(p);
}

/* retx stands in the same place in every RUD/ROD header (3.5.10). */
static inline bool uet_is_retx(const struct uet_ruling *r)
{
    return uet_rud_rod_req_retx(r->pds);
}

static inline uint8_t uet_ctl(const struct uet_ruling *r)
{
    return uet_cp_ctl_type(r->pds);
}

/*
 * Is the packet's sender bound to the SDI of its PDC? Of a PDC that was open already the first
 * packet in sight may be a stranger's: then only who has sent one with that SDI himself.
 */
static inline bool uet_is_bound(const struct uet_ruling *r)
{
    const struct uet_track_pdc *pdc = r->t->pdc;
    return pdc->sdi_known && (pdc->opened_in_sight || pdc->sdi_from[r->t->forward]);
}

/*
 * Was the original of a PSN seen, so that no copy came before the capture? What was sent under a
 * PSN is then known: its resends say the same (3.5.15).
 */
static inline bool uet_original_seen(const struct uet_track_psn *psn)
{
    return (psn->pdc && psn->pdc->whole) || !psn->copy[0].retx;
}

/* Did only copies arrive that a switch had cut? Then the packet was not received (4.1). */
static inline bool uet_only_trimmed(const struct uet_track_psn *psn)
{
    return psn->trimmed_seen && !psn->whole_seen;
}

/* Has the packet's sender had an answer in hand for longer than an answer takes to come? */
static inline bool uet_is_old(const struct uet_ruling *r, uint64_t since_ns)
{
    uint64_t rtt = r->t->was.min_rtt_ns;
    return rtt && r->t->time_ns > since_ns && r->t->time_ns - since_ns > rtt;
}

/*
 * Has the source waited for an answer to that PSN as long as it may wait, or almost, so that it may
 * have given up although it sent nothing again (Max_RTO_Retx_Cnt 0)? What is not told of its RTO is
 * taken to be 1 ms, the shortest that a public source begins with.
 */
#define UET_LEAST_RTO_NS 1000000u

static inline bool uet_waited_long(const struct uet_ruling *r, const struct uet_track_psn *psn)
{
    uint64_t told = r->window ? r->window->loss_ns : 0, rto = told ? told : UET_LEAST_RTO_NS;
    return r->t->time_ns - psn->last_ns >= rto - rto / 8;
}

/* Is the first copy of a PSN a Request, a CP? */
static inline bool uet_was_request(const struct uet_track_psn *psn)
{
    return uet_in_rud_rod_req(psn->pds);
}

static inline bool uet_was_cp(const struct uet_track_psn *psn)
{
    return uet_in_cp(psn->pds);
}

static inline bool uet_had_syn(const struct uet_track_psn *psn)
{
    return uet_rud_rod_req_syn(psn->headers); /* one place in Requests and CPs */
}

/* The SES header of the first copy; NULL when it has none. */
static inline const uint8_t *uet_ses_of(const struct uet_track_psn *psn)
{
    return psn->ses ? psn->headers + uet_headers[psn->pds].bytes : NULL;
}

/* An error as a SES return code (3.4.6.3): neither RC_NULL nor RC_OK. */
/* An atomic that brings the old value back, by a key or by a tag (3.4.4, Table 3-17). */
static inline bool uet_is_fetching_atomic(uint8_t opcode)
{
    return opcode == UET_OP_FETCHING_ATOMIC || opcode == UET_OP_TSEND_FETCH_ATOMIC;
}

/* That, or one that does not. */
static inline bool uet_is_atomic(uint8_t opcode)
{
    return opcode == UET_OP_ATOMIC || opcode == UET_OP_TSEND_ATOMIC ||
           uet_is_fetching_atomic(opcode);
}

static inline bool uet_is_error(uint8_t return_code)
{
    return return_code > UET_RC_OK;
}

/* Does the ACK carry an error response, which is guaranteed (3.4.3.3)? */
static inline bool uet_carries_error(const struct uet_ruling *r)
{
    return r->p->ses == UET_H_SES_RSP && uet_ses_rsp_opcode(r->ses) == UET_RSP_RESPONSE &&
           uet_is_error(uet_ses_rsp_return_code(r->ses));
}

#endif
