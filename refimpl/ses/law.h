/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rules of the semantic sublayer that are tables: what the opcodes differ in, and what a
 * request must stand. Part of struct uet_law; who executes or sends a request asks its rows and
 * never looks at the opcode, the version or a choice itself.
 */
#ifndef UET_REFIMPL_SES_LAW_H
#define UET_REFIMPL_SES_LAW_H

#include <stdbool.h>
#include <stdint.h>

#include "refimpl/fep.h"

struct message;
struct operation;
struct ses_judged;
struct ses_plan;
struct ses_request;
struct ses_segment;
struct uet_build;
struct unexpected;

/* ---- opcodes (operations.c) ---- */

/* What a request names, beyond the three RI spaces of enum uet_ri_class (SES-056). */
enum {
    SES_NAMES_NO_RI = UET_RI_TAGGED + 1, /* JobID and PIDonFEP, but no RI that this FEP knows of */
    SES_NAMES_NOTHING,                   /* its address means nothing (SES-028) */
    SES_NAMES_MESSAGE,                   /* a message in progress, by its message_id */
};

#define SES_ON(mode)     (1u << (mode))
#define SES_ON_PDC       (SES_ON(UET_MODE_RUD) | SES_ON(UET_MODE_ROD))
#define SES_FORM(header) (1u << (header))

struct ses_op {
    uint8_t feature;  /* enum uet_profile_feature: a FEP without it does not know the opcode ... */
    uint8_t instead;  /* ... or takes it for this one; 0: it does not */
    uint8_t names;    /* enum uet_ri_class, or SES_NAMES_* */
    uint8_t takes;    /* SES_ON: the modes on which this FEP executes it, as target */
    uint8_t starts;   /* ... and those on which it sends it, as initiator */
    uint8_t forms;    /* SES_FORM: the headers that may carry it */
    uint8_t rights;   /* UET_RIGHT_*: all of them must be on the region */
    bool fetches;     /* data comes back into the initiator's `into` */
    bool header_data; /* hd may be set */
    bool unnumbered;  /* message_id is 0 (SES-035) */
    bool unasked;     /* a send that comes whole: the peer may want it short (SES-103) */
    uint8_t stops;    /* the opcode by which it ends early, after an error (SES-125); 0: not */
    bool holds;       /* without receive its header is kept (3.4.3.6.2.1) */
    bool keeps;       /* ... or all of it, where the service asks for that (3.4.3.6.2.2) */
    uint8_t reads;  /* the opcode by which the target gets what its packets do not bring; 0: all is
                       there */
    uint8_t defers; /* the opcode by which the target may ask for it later (SES-148); 0: not */
    bool whole;     /* it is done whole or not at all: nothing of it is cut off (SES-102) */
    bool by_packet; /* the target serves each packet by itself: no state of the message */

    /* ---- the target ---- */

    /* The bytes of the message that the packet stands for: r->payload, r->counts. */
    void (*size)(const struct uet_fep *fep, const struct uet_packet *p, struct ses_request *r);
    /* Has the packet what it must carry? UET_RC_OK, or the code of what is wrong. */
    uint8_t (*check)(const struct uet_fep *fep, const struct uet_packet *p,
                     const struct ses_request *r);
    /* All is right: what will be done. Changes nothing. */
    void (*plan)(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan);
    /* The response to it. m: its message, or NULL. */
    void (*answer)(struct uet_fep *fep, const struct message *m, struct ses_plan *plan);
    /* NULL, or: the NACK code of what it needs and what is lacking, 0 for nothing (SES-130). */
    uint8_t (*lacks)(struct uet_fep *fep, const struct message *m, const struct ses_plan *plan);
    /* NULL, or: its first packet takes a receive. Begins to get what its packets do not bring: the
     * token of that, 0 when they bring all. */
    uint32_t (*begins)(struct uet_fep *fep, const struct uet_packet *p,
                       const struct ses_plan *plan);
    /* NULL, or: all of it has come, in the place of what the application is told then. */
    void (*finished)(struct uet_fep *fep, const struct uet_packet *p, const struct ses_plan *plan,
                     bool has_data, uint64_t header_data);
    /* Does it, or notes that it was refused. */
    void (*commit)(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                   const struct ses_plan *plan);

    /* ---- the initiator: the slots of a row that starts ---- */

    /* What the call must be, besides what holds for all: its bytes, its length. */
    bool (*valid)(const struct uet_fep *fep, const struct uet_operation *call);
    /* NULL, or: what it writes as request_length, if not the length of the call. */
    uint32_t (*asks)(const struct uet_operation *call);
    /* NULL, or: the bytes that its packets carry, if not those of the call. */
    uint32_t (*carries)(const struct uet_operation *call);
    /* NULL, or: what stands in the SES header in the place of something else. */
    void (*fields)(const struct operation *op, uint8_t *s);
    /* NULL, or: what follows the SES header of a packet. */
    void (*write)(const struct operation *op, const struct ses_segment *seg, struct uet_build *b);
    /* NULL, or: may its next packet be cut now? */
    bool (*segment)(struct uet_fep *fep, const struct operation *op);
    /* Of one that fetches: puts bytes that have come, and fit, at this offset of `into`. */
    void (*take)(const struct operation *op, uint32_t offset, const uint8_t *bytes,
                 uint32_t length);
    /* NULL, or: has all come that it waits for besides its responses? */
    bool (*complete)(const struct uet_fep *fep, const struct operation *op);
};

/* ---- checks (checks.c) ---- */

/* In the order in which they are made. */
enum ses_check_id {
    SES_CHECK_MESSAGE_GOOD,
    SES_CHECK_VERSION,
    SES_CHECK_MESSAGE_KNOWN,
    SES_CHECK_SAME_MESSAGE,
    SES_CHECK_BEGINS_ONCE,
    SES_CHECK_SAME_KEY,
    SES_CHECK_INITIATOR_ERROR,
    SES_CHECK_ONE_PACKET,
    SES_CHECK_JOB,
    SES_CHECK_PID,
    SES_CHECK_INDEX,
    SES_CHECK_ENABLED,
    SES_CHECK_ENABLED_GEN,
    SES_CHECK_GENERATION,
    SES_CHECK_OPCODE,
    SES_CHECK_KEY,
    SES_CHECK_REGION_JOB,
    SES_CHECK_RIGHT,
    SES_CHECK_RANGE,
    SES_CHECK_EXHAUSTED,
    SES_CHECK_RECEIVE,
    SES_CHECK_RECEIVE_JOB,
    SES_CHECK_RECEIVE_LENGTH,
    SES_CHECK_SAME_JOB,
    SES_CHECK_RUDI_OPCODE,
    SES_CHECK_RUDI_KEY,
    SES_CHECK_SHORT_HEADER,
    SES_CHECK_CARRIES,
    SES_CHECK_FIRST_LENGTH,
    SES_CHECK_BOUNDS,
    SES_CHECK_EACH_PART,
    SES_CHECKS
};

struct ses_check {
    bool (*holds)(struct ses_judged *j);
    uint8_t code;  /* enum uet_ses_return_code, when it does not hold */
    uint16_t when; /* what the opcode names, the modes, the places in a message: bits of each */
};

/* Which checks a request gets, by what its opcode names, its mode, and whether it goes on with a
 * message that has begun: numbers of checks, SES_CHECKS at the end. */
typedef uint8_t ses_order[SES_NAMES_MESSAGE + 1][UET_MODE_UUD + 1][2][SES_CHECKS + 1];

/* What becomes of sends that are kept (unexpected.c). */
struct ses_keeping {
    bool everywhere;   /* whatever their service says */
    bool headers_only; /* 3.4.3.6.2.1 */
    bool told_at_once; /* their answer does not wait for the receive */
    /* Is the receive for this message, and is it long enough for it? */
    bool (*is_for)(const struct uet_receive *v, const struct ses_request *r);
    bool (*is_room)(const struct uet_receive *v, const struct ses_request *r);
    /* Is enough of it here for a receive to have it? */
    bool (*is_ready)(const struct uet_fep *fep, const struct unexpected *u);
    void (*over)(struct uet_fep *fep, uint32_t id); /* it has its receive, or none any more */
};

struct ses_law {
    struct ses_keeping keeping;
    bool (*is_user_key)(uint64_t key);            /* may a user assign it? (Table 2-13) */
    uint8_t forms;                                /* SES_FORM: the headers that this FEP knows */
    void (*for_peer)(struct uet_operation *call); /* in a header that the peer knows (SES-017) */
    /* Does what is asked for fit into the small or medium header (SES-016)? */
    bool (*short_form_fits)(const struct uet_fep *fep, const struct uet_operation *call);
    bool minds_peer_length; /* no longer send than the peer takes (SES-103) */
    bool tagged, wildcards; /* there are tags (3.4.1.3.8), and bits of them to ignore */
    struct ses_op ops[UET_OP_MSG_ERROR + 2]; /* by opcode; the last for those that are reserved */
    struct ses_check checks[SES_CHECKS];
    ses_order order; /* made of them, when all is edited (uet_ses_law_order) */
    /* A request on ROD has found no receive: its resource index is disabled (SES-106). */
    void (*exhausted)(struct uet_fep *fep, const struct ses_request *r);
    /* There are receives again, and a new generation, which it returns (SES-107). */
    uint8_t (*next_generation)(uint8_t generation);
    /* The application takes back a key, or a receive (fep.h: cancel). */
    void (*withdraw)(struct uet_fep *fep, uint32_t region);
    int (*cancel)(struct uet_fep *fep, const struct uet_receive *receive);
    /* Is the response that ends a message more than the default one, to be guaranteed? modified:
     * bytes that the message has changed. */
    bool (*is_news)(const struct ses_request *r, uint32_t modified);
    /* May the next packet of the operation be cut now? */
    bool (*may_segment)(struct uet_fep *fep, const struct operation *op);
    /* How long does the next try of it wait (ns)? */
    uint64_t (*pause)(struct uet_fep *fep, const struct operation *op);
};

/* The law as the specification has it. */
void uet_op_for_peer(struct uet_operation *call); /* initiator.c */
bool uet_op_short_form_fits(const struct uet_fep *fep, const struct uet_operation *call);
void uet_ses_law_make(struct ses_law *law);
void uet_ses_law_order(struct ses_law *law);
/* Without that feature (enum uet_profile_feature), if it is one of SES (features.c). */
void uet_ses_go_without(struct ses_law *law, uint8_t feature);

/* What these members are by the specification: is_user_key, exhausted, next_generation, withdraw,
 * cancel. */
bool uet_region_is_user_key(uint64_t key);
void uet_service_exhausted(struct uet_fep *fep, const struct ses_request *r);
uint8_t uet_service_next_generation(uint8_t generation);
void uet_region_withdraw(struct uet_fep *fep, uint32_t region);
int uet_receive_cancel(struct uet_fep *fep, const struct uet_receive *receive);

/* pause, in ns: 50 to 100 ms, and twice as long with each further try (SES-129); is_ready. */
uint64_t uet_ses_pause(struct uet_fep *fep, const struct operation *op);
bool uet_unexpected_is_ready(const struct uet_fep *fep, const struct unexpected *u);

/* As the row of its opcode says. */
bool uet_ses_segment_by_row(struct uet_fep *fep, const struct operation *op);

/* ---- what a FEP may choose instead ---- */

/* is_news: the response to each last packet is guaranteed, whatever it says. */
bool uet_ses_every_end_is_news(const struct ses_request *r, uint32_t modified);
/* Besides what its row says, nothing is sent behind an operation that fetches. */
bool uet_ses_segment_alone(struct uet_fep *fep, const struct operation *op);

#endif
