/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A plan: everything that will happen in one simulated scenario, drawn from a seed before anything
 * happens: topology, FEPs and their limits, operations, faults, restarts. A choice says which of
 * it takes part, so that a scenario that breaks an invariant can be made smaller.
 */
#ifndef UET_SIM_PLAN_H
#define UET_SIM_PLAN_H

#include <stdio.h>

#include "port/fabric/fabric.h"
#include "refimpl/choices.h"
#include "refimpl/fep.h"

enum {
    SIM_FEPS_MAX = 32,
    SIM_JOBS_MAX = 3,
    SIM_CABLES_MAX = SIM_FEPS_MAX + 8 * 4,
    SIM_GUARD = 64, /* canary bytes on both sides of every buffer */
    SIM_PID = 7,
    SIM_RI = 5,
    SIM_RI_SOURCE = 6,   /* memory that is read and never written */
    SIM_RI_COUNTERS = 8, /* memory of atomics */
    SIM_RI_DISABLED = 9, /* open for sends and writes, and disabled */
    SIM_GENERATION = 40, /* of FEP 0's sends where they have one; FEP 1 has the next */
    SIM_CELL = 4,        /* elements of 8 bytes that a few atomics share */
    SIM_CELL_BYTES = 8 * SIM_CELL,
    SIM_CELL_OPS = 16, /* so many: each has a digit of 4 bits in every element */
    SIM_ADDED_MAX = 2 * 160,
    SIM_PUT_OFF_MAX = 240,
    SIM_LONE_OPS = 120,
    SIM_LONE_MAX = 96,    /* bytes of an atomic that has its elements for itself, ... */
    SIM_LONE_BYTES = 128, /* ... and of its place */
    SIM_TAGS = 4,         /* those of receives; there is one more that no receive has */
    SIM_RANKS = 4,
};

#define SIM_START_NS 1000000000ull
#define SIM_KEY      0x1234ull
#define SIM_KEY_SAFE (1ull << 63 | 0x5678)
/* The same memory, for small headers (Table 2-13: bit 62, and the index in the low bits). */
#define SIM_KEY_SHORT      (1ull << 62 | SIM_RI)
#define SIM_KEY_SHORT_SAFE (1ull << 63 | SIM_KEY_SHORT)
#define SIM_KEY_READ       0x4321ull /* the same memory, to be read only */
#define SIM_KEY_WRITE      0x2143ull /* ... and to be written only */
/* What atomics work on. */
#define SIM_KEY_COUNTERS       0x6666ull
#define SIM_KEY_SHORT_COUNTERS (1ull << 62 | SIM_RI_COUNTERS)
#define SIM_KEY_COUNTERS_READ  0x6667ull /* the same memory, to be read only */
#define SIM_KEY_COUNTERS_WRITE 0x6668ull /* ... and to be written only */
#define SIM_KEY_LONE           0x6669ull
/* The memory of a rendezvous: this, and its number. */
#define SIM_KEY_LENT 0x1000000ull
/* What is read: every FEP has so much that nobody writes. */
#define SIM_SOURCE_BYTES          (256u << 10)
#define SIM_KEY_SOURCE            (1ull << 63 | 0x7777)
#define SIM_KEY_SHORT_SOURCE      (1ull << 62 | SIM_RI_SOURCE)
#define SIM_KEY_SHORT_SAFE_SOURCE (1ull << 63 | SIM_KEY_SHORT_SOURCE)

/* What is wrong with an operation on purpose: it must fail and touch nothing. */
enum sim_wrong {
    SIM_RIGHT,
    SIM_WRONG_KEY,
    SIM_WRONG_INDEX,
    SIM_WRONG_RANGE,
    SIM_WRONG_RIGHTS,
    SIM_WRONG_PID,
    SIM_WRONG_JOB,
    SIM_WRONG_DISABLED,  /* the resource index is */
    SIM_WRONG_ALIGNMENT, /* of an atomic */
    SIM_WRONG_MTU, /* more than a packet to a FEP of another Payload MTU: may touch its place */
    SIM_WRONGS
};

/* What is called; all but the first end at once and promise nothing. */
enum sim_call {
    SIM_CALL_OPERATION,
    SIM_CALL_CLOSE,         /* the PDCs to the other FEP, whatever goes on there */
    SIM_CALL_CLOSE_REQUEST, /* those that it opened */
    SIM_CALL_NOOP,
    SIM_CALL_NEGOTIATION,
    SIM_CALL_PROBE,
    SIM_CALL_WITHDRAW, /* `length` receives from `offset` on: taken back, or posted again */
    SIM_CALLS
};

/* Where a plan has one secure domain for all its FEPs: how its keys are used (3.7.8). */
enum sim_secure {
    SIM_IN_CLEAR, /* there is none */
    SIM_CLUSTER,
    SIM_CLUSTER_SSI,
    SIM_SERVER, /* FEP 0 is it, and one end of every operation */
    SIM_SERVER_SSI,
    SIM_DIRECT,
    SIM_SECURE_MIXED, /* as the plan draws it: some have one */
    SIM_SECURE_KINDS
};

const char *sim_secure_name(enum sim_secure secure);

/* The congestion control of a plan's FEPs (3.6.11); where there is one, marks and trims come in
 * storms, too. */
enum sim_congestion {
    SIM_UNCONTROLLED, /* none but that of a variant; it is not watched */
    SIM_NSCC,
    SIM_RCCC,
    SIM_BOTH,
    SIM_EACH, /* NSCC is each FEP's own affair; RCCC have all or none */
    SIM_CONGESTION_MIXED,
    SIM_CONGESTION_KINDS
};

const char *sim_congestion_name(enum sim_congestion congestion);

/* What somebody on the path without a key does, some time later, with packets that he has seen. */
enum sim_attack {
    SIM_ATTACK_FLIP,   /* a bit differs */
    SIM_ATTACK_REPLAY, /* the same once more */
    SIM_ATTACK_CLEAR,  /* what is in it, without TSS header and ICV */
    SIM_ATTACK_MIRROR, /* back to its sender, as if from its destination */
    SIM_ATTACK_CUT,    /* as if a switch had cut it */
    SIM_ATTACKS
};

/* Every FEP loads the next key in the first half of the time and turns to it in the second. */
struct sim_rotation {
    uint64_t at_ns, for_ns;
};

enum { SIM_ROTATIONS_MAX = 3 };

struct sim_security {
    uint8_t kind; /* enum sim_secure; SIM_IN_CLEAR: the rest means nothing */
    bool ssi;
    bool by_epoch; /* a FEP that is restarted begins a new epoch; else counters are reserved */
    bool rekey;
    uint8_t rekey_shift;
    uint64_t rekey_mask;
    uint16_t encrypt_from;
    uint16_t epoch; /* the first one, and the first counter */
    uint64_t counter;
    uint32_t sdi;
    uint32_t block; /* counters that are reserved at a time */
    uint32_t auth_fail_threshold;
    bool random_start[SIM_FEPS_MAX];
    uint32_t attacks[SIM_ATTACKS]; /* for each packet that comes: so many in a million */
    struct sim_rotation rotations[SIM_ROTATIONS_MAX];
    uint8_t n_rotations;
};

struct sim_op {
    uint64_t at_ns;  /* since the start */
    uint64_t offset; /* a write's place in the region, or a read's in what it reads */
    uint32_t length;
    uint16_t from, to;
    uint8_t call;        /* enum sim_call */
    uint8_t opcode;      /* UET_OP_... */
    uint8_t mode;        /* enum uet_mode */
    uint8_t header;      /* enum uet_op_header */
    uint8_t wrong;       /* enum sim_wrong */
    uint32_t reads_back; /* of a ROD read: 1 + the ROD write before it, whose place it reads */
    uint32_t read_by;    /* of that write: 1 + the read */
    uint8_t job, traffic_class;
    uint8_t amo, datatype; /* of an atomic */
    bool lone;             /* of an atomic: no other one has its elements (lone.c) */
    uint8_t digit;         /* of an atomic: its own in each element of the cell */
    uint8_t tag, rank;     /* of a tagged send: which match bits, which initiator */
    uint32_t eager;        /* of a rendezvous: bytes that it brings itself */
    bool header_data, delivery_complete;
    bool absolute;         /* ses.rel = 0 */
    bool reserved;         /* a PDC of the reserved pools */
    bool stale_generation; /* the one before: refused once, and repeated with the right one */
};

static inline bool sim_is_atomic(const struct sim_op *op)
{
    return op->opcode == UET_OP_ATOMIC || op->opcode == UET_OP_FETCHING_ATOMIC;
}

static inline bool sim_is_rendezvous(const struct sim_op *op)
{
    return op->opcode == UET_OP_RENDEZVOUS_SEND || op->opcode == UET_OP_RENDEZVOUS_TSEND;
}

static inline bool sim_is_deferrable(const struct sim_op *op)
{
    return op->opcode == UET_OP_DEFERRABLE_SEND || op->opcode == UET_OP_DEFERRABLE_TSEND;
}

static inline bool sim_may_be_put_off(const struct sim_op *op)
{
    return sim_is_rendezvous(op) || sim_is_deferrable(op);
}

static inline bool sim_is_tagged_atomic(const struct sim_op *op)
{
    return op->opcode == UET_OP_TSEND_ATOMIC || op->opcode == UET_OP_TSEND_FETCH_ATOMIC;
}

/* Does an old value come back? */
static inline bool sim_fetches(const struct sim_op *op)
{
    return op->opcode == UET_OP_FETCHING_ATOMIC || op->opcode == UET_OP_TSEND_FETCH_ATOMIC;
}

static inline bool sim_is_tagged(const struct sim_op *op)
{
    return op->opcode == UET_OP_TAGGED_SEND || op->opcode == UET_OP_RENDEZVOUS_TSEND ||
           op->opcode == UET_OP_DEFERRABLE_TSEND || sim_is_tagged_atomic(op);
}

static inline bool sim_is_send(const struct sim_op *op)
{
    return op->opcode == UET_OP_SEND || sim_is_tagged(op) || sim_may_be_put_off(op);
}

struct sim_fault {
    uint64_t at_ns, for_ns;
    uint16_t cable;
    uint8_t lines; /* bit 0: from a to b; bit 1: back */
    const char *name;
    struct uet_fabric_faults faults;
};

struct sim_restart {
    uint64_t at_ns, down_ns;
    uint16_t fep;
};

struct sim_plan {
    uint64_t seed, scenario;
    uint16_t n_feps, n_switches;
    uint16_t n_cables;
    struct uet_fabric_cable cables[SIM_CABLES_MAX];
    bool trimming;
    bool lasthop;       /* switches tell of the last hop (DSCP_TRIMMED_LASTHOP) */
    uint16_t trim_keep; /* bytes */
    uint8_t congestion; /* enum sim_congestion */
    uint8_t dscp_rtx;   /* DSCP_TRIMMABLE_RTX; UET_FABRIC_NO_DSCP: there is none */
    uint8_t protect;    /* enum uet_protect */
    bool native;        /* UET_Over_UDP = 0 */
    uint16_t udp_port;  /* 0 and 0: the usual ones */
    uint8_t ip_protocol;
    uint8_t spec; /* the oldest there is: its rules hold for all of them */
    /* Bits turn that no CRC guards. FEPs must survive it: their memory, clocks and the end of the
     * storm are watched, and nothing else, for the packets may say whatever they like. */
    bool unguarded;
    struct sim_security secure;
    struct uet_fep_config fep[SIM_FEPS_MAX];
    struct uet_fep_choices choices[SIM_FEPS_MAX]; /* theirs: no pointer, as plans are copied */
    const char *variant[SIM_FEPS_MAX];            /* of refimpl/variants.c; "": own choices */
    uint8_t n_jobs;
    uint16_t receives;         /* posted for each job of each FEP */
    uint64_t receive_delay_ns; /* from a receive filled to the next posted */
    uint32_t receive_bytes;    /* of one */
    bool short_receives;       /* too short for some messages ... */
    bool truncate;             /* ... which are cut, or else refused */
    bool keeping;              /* some FEPs keep sends without receive (choices.keeps_all) */
    bool generations;          /* resource indices of sends have one (3.4.3.6.3) */
    uint64_t region_bytes[SIM_FEPS_MAX][SIM_JOBS_MAX + 1]; /* the last one is RUDI's */
    uint32_t counter_bytes[SIM_FEPS_MAX][SIM_JOBS_MAX];    /* whole cells */
    uint32_t lone_bytes[SIM_FEPS_MAX][SIM_JOBS_MAX];       /* whole places */
    uint16_t tagged_receives; /* posted for each job of each FEP, beside those without a tag */
    uint32_t tagged_bytes;    /* of one */
    int watched; /* a FEP that is only initiator or only target, watched at its port; -1: none */
    bool watched_initiates;
    uint64_t length_ns; /* from the start to the last operation, fault and restart */
    struct sim_op *ops;
    struct sim_fault *faults;
    struct sim_restart *restarts;
    uint32_t n_ops, n_faults, n_restarts;
    uint32_t n_first;   /* operations before those that added.c adds */
    uint32_t n_put_off; /* ... and before those of plan_put_off.c */
    uint32_t n_lone;    /* ... and before those of lone.c */
};

/* What plans may hold. */
struct sim_limits {
    uint16_t feps;      /* exactly so many; 0: 2 to 32 */
    uint32_t modes;     /* bits by enum uet_mode */
    uint8_t secure;     /* enum sim_secure */
    uint8_t congestion; /* enum sim_congestion */
};

/* Is the answer to its operations all that a FEP of this plan sends to a peer that it knows not? */
static inline bool sim_server_only_answers(const struct sim_plan *plan)
{
    return plan->secure.kind >= SIM_SERVER && plan->secure.kind <= SIM_SERVER_SSI &&
           plan->secure.ssi;
}

/* NULL: no memory. Same seed, scenario and limits: same plan. */
struct sim_plan *sim_plan_new(uint64_t seed, uint64_t scenario, const struct sim_limits *limits);
void sim_plan_free(struct sim_plan *plan); /* NULL is allowed */

/* Bytes of one element of an atomic. */
uint32_t sim_element_bytes(uint8_t datatype);

/* For people: what a choice of the plan is. */
struct sim_choice;
void sim_plan_print(const struct sim_plan *plan, const struct sim_choice *choice, FILE *out);

#endif
