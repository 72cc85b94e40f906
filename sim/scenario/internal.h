/* SPDX-License-Identifier: BSD-2-Clause */
/* A scenario from the inside: what the files here and those of sim/judge share. */
#ifndef UET_SIM_INTERNAL_H
#define UET_SIM_INTERNAL_H

#include "sim/scenario/scenario.h"
#include "wire/tss.h"

#define SIM_CANARY    0xc5 /* memory that nobody wrote */
#define SIM_SEALED    0x3a /* memory of a write that is over: nobody writes it again */
#define SIM_RANGE_MAX 8192 /* canary bytes behind a region: a wrong write ends there */

/* Upper bits of every completion datum. */
#define SIM_HEADER_DATA 0x5e7dull

/* ---- what is known of an operation ---- */

enum op_phase { OP_PLANNED, OP_QUEUED, OP_ACTIVE, OP_OK, OP_SES_ERROR, OP_PDS_ERROR, OP_ABANDONED };

struct op_state {
    uint8_t phase; /* enum op_phase */
    bool excused;  /* one of its FEPs was restarted meanwhile: it may be done twice */
    bool sealed;
    uint64_t begun, over; /* places in the sequence of events (scenario.events); 0: not yet */
    uint64_t retried;     /* operations that its FEP had tried again when it began */
    uint64_t renumbered;  /* PDCs that its FEP had begun elsewhere by then (UET_NEW_START_PSN) */
    uint64_t gone;        /* PDCs that the target had lost by then, as of the first delivery */
    uint16_t delivered;   /* receives it filled */
    uint16_t told;        /* write completions */
    uint8_t *data;        /* owned; length bytes */
    uint8_t *into;        /* of a read, SIM_GUARD bytes in; owned */
    bool read_over;       /* its bytes are the application's again: SIM_SEALED */
    /* An atomic. */
    uint64_t operand[SIM_CELL], compare;
    uint64_t fetched; /* the old value that a fetching one that ended well has brought */
    uint8_t lone[SIM_LONE_MAX], mask[16]; /* one that is alone: its operands */
    uint16_t place; /* of a CSWAP whose value the cell had: 1 for the last of them */
    /* A rendezvous: its bytes, where the target reads them. */
    uint8_t *lent;    /* owned */
    uint32_t lent_by; /* incarnation of its FEP that has them as a region; 0: none */
    int region;
    uint32_t failed; /* receives of its target that had ended in error when it began */
    /* A tagged send. */
    uint64_t looked; /* a receive for it that was posted before this event was there for it */
    uint64_t taken;  /* event: it filled a receive, or was refused for want of one */
};

/* A receive buffer with its guards. */
struct buffer {
    uint8_t *bytes; /* SIM_GUARD bytes in */
    uint8_t job;
    bool posted, tagged;
    bool withdrawn;    /* the application has taken it back */
    bool last;         /* a tagged one for whatever there is: posted when nothing more is planned */
    uint64_t given_up; /* promises that its FEP had given up when it was posted */
    bool any_initiator; /* of a tagged one, and what follows: whom it is for (SES-091, SES-093) */
    uint32_t initiator;
    uint64_t match_bits, ignore;
    uint64_t posted_event; /* place in the sequence of events */
    uint32_t next;         /* in the line of those to be posted again; 1 + number, 0: none */
    uint64_t post_at;
};

/* What the host of a FEP remembers of an AN of its domain, over restarts, too. */
struct sim_slot {
    bool loaded;
    uint8_t generation; /* of the key: 0, and one more with each rotation */
    uint16_t epoch;
    uint64_t below; /* counters that the FEP may use, or may have used */
};

struct sim_fep {
    struct uet_fep *fep;
    void *memory;
    bool up;
    bool dirty; /* something was done to it: it is to be woken */
    uint32_t incarnation;
    uint64_t deadline;
    uint32_t *backlog; /* operations to submit, in order */
    uint32_t backlog_head, backlog_n;
    uint32_t n_active;
    uint8_t *region[SIM_JOBS_MAX + 1]; /* SIM_GUARD bytes in */
    uint8_t *counters[SIM_JOBS_MAX];   /* SIM_GUARD bytes in */
    uint8_t *lone[SIM_JOBS_MAX];       /* SIM_GUARD bytes in */
    uint8_t *source;                   /* SIM_SOURCE_BYTES that are read; SIM_GUARD bytes in */
    struct buffer *buffers;
    uint32_t n_buffers, n_posted;
    uint32_t n_failed; /* receives that ended in error */
    uint32_t n_lent;   /* regions of rendezvous */
    struct sim_slot slots[2];
    uint8_t an; /* that it seals with */
};

/*
 * What happens at a time that the plan knows. A key has number SIM_FEPS_MAX * rotation + FEP.
 */
enum script_kind {
    SCRIPT_FAULT_OFF,
    SCRIPT_FAULT_ON,
    SCRIPT_DOWN,
    SCRIPT_UP,
    SCRIPT_LOAD,
    SCRIPT_TURN,
    SCRIPT_OP
};
struct script {
    uint64_t at_ns;
    uint32_t kind, number;
};

struct scenario {
    const struct sim_run *run;
    const struct sim_plan *plan;
    struct sim_result *result;
    int error; /* of the run itself */
    uint64_t now;
    uint64_t events; /* begun, ended, posted: so many yet. What comes later has a higher number */
    struct uet_fabric *fabric;
    struct sim_fep feps[SIM_FEPS_MAX];
    struct op_state *ops;
    uint32_t n_unfinished;
    bool last; /* receives of that name are posted */
    struct script *script;
    uint32_t n_script, script_at;
    bool *fault_on;
    uint32_t *
        rod_last; /* [from][to][job][traffic class][reserved]: 1 + the newest operation delivered */
    uint32_t mutated;
    size_t opened_counters[2], n_opened_counters; /* those of PDCs opened */
    struct watch *watch;
    struct seals *seals;           /* NULL: there is no security */
    struct attacker *attacker;     /* the same */
    struct congestion *congestion; /* NULL: it is not watched */
    uint64_t credits;              /* frames that were Credits: paced, and up to MaxWnd ahead */
};

/* ---- breach.c ---- */

/* Notes a breach, unless one is there or it is to be ignored. */
__attribute__((format(printf, 4, 5))) void scenario_breach(struct scenario *w,
                                                           enum sim_invariant what,
                                                           const char *requirement,
                                                           const char *format, ...);

static inline struct uet_parse_options scenario_parse(const struct scenario *w)
{
    return (struct uet_parse_options){.protect = w->plan->protect,
                                      .udp_port = w->plan->udp_port,
                                      .ip_protocol = w->plan->ip_protocol};
}

static inline uint32_t fep_job(uint8_t job)
{
    return 0x100u + job;
}

static inline bool scenario_over(const struct scenario *w)
{
    return w->error || w->result->breach.what != SIM_NOTHING;
}

/* ---- fep.c: FEPs in a scenario ---- */

int feps_make(struct scenario *w);
void feps_free(struct scenario *w);
/* Begins an incarnation, the first or a later one. */
void fep_up(struct scenario *w, uint16_t i);
void fep_down(struct scenario *w, uint16_t i);
void fep_submit(struct scenario *w, uint32_t op);
/* The callbacks of the fabric. */
uint64_t fep_advance(void *ctx, uint16_t host, uint64_t now_ns);
uint64_t fep_deadline(void *ctx, uint16_t host);
size_t fep_pull(void *ctx, uint16_t host, uint8_t *buffer, size_t cap, uint64_t now_ns);
void fep_deliver(void *ctx, uint16_t host, const uint8_t *frame, uint32_t len, uint64_t now_ns);

/* ---- lent.c: what an application lends its FEP and takes back ---- */

/* The bytes of a rendezvous, unless its FEP has them. 0, or what uet_fep_region_add says. */
int lend_region(struct scenario *w, uint32_t op);
/* Those of rendezvous that have ended, as far as the FEP lets go of them. */
void take_regions_back(struct scenario *w, uint16_t i);

/* ---- receives.c ---- */

/* Unless it is posted, or the application wants it back. */
void fep_post_again(struct scenario *w, uint16_t i, uint32_t buffer);
/* SIM_CALL_WITHDRAW: receives that are posted are taken back, the others posted again. */
void withdraw_receives(struct scenario *w, uint32_t op);
/* Nothing more is planned: a receive for whatever has found none. */
void post_last_receives(struct scenario *w);

/* ---- counters.c ---- */

uint64_t fep_counter(const struct sim_fep *fep, const char *name);
/* How often it has given up what it held for a receive: then another message may have that. */
uint64_t promises_given_up(const struct scenario *w, uint16_t i);
/* PDCs that it had and has no more, whichever way. */
uint64_t fep_pdcs_gone(const struct scenario *w, uint16_t i);
void fep_find_counters(struct scenario *w);

/* ---- ops.c: what is known of an operation ---- */

uint32_t op_length(const struct scenario *w, uint32_t op);
uint64_t op_header_data(uint32_t op);
/* What is wrong with it as it is in this choice (enum sim_wrong). */
uint8_t op_wrong(const struct scenario *w, uint32_t op);
uint32_t buffer_bytes(const struct scenario *w, const struct buffer *buffer);
/* The FEP has taken the operation: from now on it may be tried again. */
void op_begin(struct scenario *w, uint32_t number);
/* It is done, as far as anybody can tell: a second time would be one from now on. */
void op_first_time(struct scenario *w, uint32_t number);
/* The place in scenario.rod_last of what is ordered together by ROD. */
size_t flow_of(const struct sim_op *op);
bool same_flow(const struct scenario *w, uint32_t a, uint32_t b);
/* Is the order of ROD still promised for an operation that has begun? */
bool order_promised(const struct scenario *w, uint32_t number);
/* Is a second time nobody's fault? Asked once for each: it is counted. */
bool twice_forgiven(struct scenario *w, uint32_t number);

/* ---- judge/oracle.c: what must have happened to memory ---- */

int op_make_data(struct scenario *w, uint32_t op);
void op_free_data(struct scenario *w, uint32_t op);
/* The bytes that FEP i has to be read. */
void oracle_make_source(const struct scenario *w, uint16_t i, uint8_t *bytes);
void oracle_completion(struct scenario *w, uint16_t i, const struct uet_completion *c);
/* Before PDCs are closed: nothing has been written again. */
void oracle_sealed(struct scenario *w);
/* At the end: what may have ended well before it had its receive has it. */
void oracle_late(struct scenario *w);
/* That, and all memory. */
void oracle_end(struct scenario *w);

/* ---- judge/atomics.c: what operations of one cell must tell of each other ---- */

/* Its operands; of a CSWAP what the target has now. Before the FEP is asked to take it. */
void atomic_prepare(struct scenario *w, uint32_t number);
void atomic_ended_well(struct scenario *w, uint32_t number);
/* All memory of atomics: whenever all operations have ended. */
void atomics_check(struct scenario *w);

/* ---- judge/lone.c: atomics that have their elements for themselves ---- */

/* What stands there at the start. */
void lone_make(const struct scenario *w, uint32_t number);
/* Its operands. Before the FEP is asked to take it. */
void lone_prepare(struct scenario *w, uint32_t number);
void lone_ended_well(struct scenario *w, uint32_t number);
/* At the end. */
void lone_end(struct scenario *w);

/* ---- judge/tags.c: which receive a tagged send may take ---- */

uint64_t tag_bits(uint8_t tag);
uint32_t tag_initiator(uint8_t rank);
/* What a tagged receive of this number is for. */
void tag_receive(const struct scenario *w, uint16_t i, uint32_t number, struct buffer *buffer);
/* It has filled a receive, for the first time. */
void tag_taken(struct scenario *w, uint16_t i, uint32_t number, uint32_t op,
               const struct uet_completion *c);
/* It ended because there was no receive. */
void tag_refused(struct scenario *w, uint32_t op);
/* At the end: receives that are still posted. */
void tags_end(struct scenario *w);

/* ---- domain.c: the secure domain of the FEPs (3.7.4) ---- */

/* A key of the domain as its server, or any member of a cluster, has it. */
struct uet_tss_params domain_key(const struct sim_plan *plan, uint8_t generation);
uint32_t domain_ssi(uint16_t fep);
/* A FEP begins an incarnation: with the keys that there are by now, and no counter twice. */
void domain_install(struct scenario *w, uint16_t i);
/* Before it sends: its counters are kept ahead of it, and a latch (TSS-043) is undone. */
void domain_reserve(struct scenario *w, uint16_t i);
void domain_load(struct scenario *w, uint16_t i, uint8_t rotation);
void domain_turn(struct scenario *w, uint16_t i, uint8_t rotation);

/* ---- judge/ivs.c: bytes of which none come twice ---- */

struct ivs;
struct ivs *ivs_new(void);
void ivs_free(struct ivs *ivs); /* NULL is allowed */
/* Remembers a key and an IV; 1: there they are already. -ENOMEM. */
int ivs_add(struct ivs *ivs, uint8_t generation, const struct uet_tss_context *key,
            const uint8_t iv[UET_TSS_IV_LEN]);

/* ---- judge/seals.c: what must hold of sealed packets ---- */

int seals_new(struct scenario *w);
void seals_free(struct scenario *w);
/* A packet, opened where it is sealed and that can be done; it lives until the next one. */
const struct uet_packet *seals_open(struct scenario *w, const uint8_t *frame, uint32_t len);
/* A FEP has sent it: opened; NULL: it should not have, and that is told. */
const struct uet_packet *seals_sent(struct scenario *w, uint16_t host, const uint8_t *frame,
                                    uint32_t len);
/* Gives it to a FEP, and looks whether it takes only what a FEP has sealed. */
void seals_deliver(struct scenario *w, uint16_t host, const uint8_t *frame, uint32_t len);

/* ---- attacker.c: somebody on the path ---- */

int attacker_new(struct scenario *w);
void attacker_free(struct scenario *w);
/* He sees what FEPs send. */
void attacker_sees(struct scenario *w, uint16_t host, const uint8_t *frame, uint32_t len);
/* Something has come to a FEP: so may something of his. */
void attacker_strikes(struct scenario *w, uint16_t host);

/* ---- judge/watch.c: what must hold of packets ---- */

int watch_new(struct scenario *w);
void watch_free(struct scenario *w);
/* A FEP was restarted: what was known of PDCs is over. */
int watch_restart(struct scenario *w, uint16_t host);
void watch_sent(struct scenario *w, uint16_t host, const uint8_t *frame, uint32_t len);
void watch_received(struct scenario *w, uint16_t host, const uint8_t *frame, uint32_t len);

/* ---- judge/psns.c: CACK_PSN, CLEAR_PSN and windows, without the tracker ---- */

struct psns *psns_new(void);
void psns_free(struct psns *psns); /* NULL is allowed */
/* The FEP begins another incarnation. */
void psns_forget(const struct scenario *w, struct psns *psns, uint16_t host);
void psns_sent(struct scenario *w, struct psns *psns, uint16_t host, const uint8_t *frame,
               uint32_t len);
void psns_received(struct scenario *w, struct psns *psns, uint16_t host, const uint8_t *frame,
                   uint32_t len);
/* The same of packets that are parsed, and whole. */
void psns_sent_packet(struct scenario *w, struct psns *psns, uint16_t host,
                      const struct uet_packet *p);
void psns_received_packet(struct scenario *w, struct psns *psns, uint16_t host,
                          const struct uet_packet *p);

/* ---- judge/congestion.c: what must hold of congestion control ---- */

int congestion_new(struct scenario *w);
void congestion_free(struct scenario *w);
/* The FEP begins another incarnation. */
void congestion_forget(struct scenario *w, uint16_t host);
/* What the FEP says of itself: before it is asked for a frame, and whenever something was done. */
void congestion_look(struct scenario *w, uint16_t host);
/* It has sent a packet since then. */
void congestion_sent(struct scenario *w, uint16_t host, const struct uet_packet *p);
/* A packet is about to come to it. */
void congestion_received(struct scenario *w, uint16_t host, const struct uet_packet *p);
/* Does no FEP wait for an answer? */
bool congestion_settled(const struct scenario *w);
/* None does: nothing may be in flight. */
void congestion_end(struct scenario *w);

/* ---- mutate.c ---- */

void mutate(struct scenario *w, uint8_t *frame, size_t len);

#endif
