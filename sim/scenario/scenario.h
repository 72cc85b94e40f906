/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A scenario: a plan come alive. Reference FEPs on a simulated fabric, the operations of the plan
 * and what they must bring about, and somebody who watches. Everything in virtual time: the same
 * plan and choice give the same bytes and the same end.
 */
#ifndef UET_SIM_WORLD_H
#define UET_SIM_WORLD_H

#include "port/pcapng.h"
#include "sim/plan/choice.h"
#include "sim/plan/plan.h"
#include "sim/tally.h"

/* What must hold all the time. Keep sim_invariant_name in step. */
enum sim_invariant {
    SIM_NOTHING,
    SIM_INTACT,     /* what is delivered is what was sent */
    SIM_ONCE,       /* RUD and ROD deliver nothing twice (PDS-001) */
    SIM_DELIVERED,  /* what is reported as done was done */
    SIM_ORDER,      /* ROD delivers in order */
    SIM_MEMORY,     /* memory is written only where it is allowed */
    SIM_CACK,       /* CACK_PSN never goes back */
    SIM_CLEAR,      /* CLEAR_PSN never goes back */
    SIM_WINDOW,     /* no PSN beyond the peer's window */
    SIM_COMPLETION, /* each operation ends, once, as it should */
    SIM_QUIET,      /* when the faults have ended all comes to rest */
    SIM_LEAK,       /* ... and nothing is left */
    SIM_CLOCK,      /* a FEP's next deadline lies ahead */
    SIM_READ,       /* a read brings what was there; by ROD also what was written before it */
    SIM_ATOMIC,     /* atomics are done once, one after the other */
    SIM_TAG,        /* tagged sends take the receive that is theirs */
    SIM_IV,         /* no key seals two packets with one IV (TSS-018) */
    SIM_UNSEALED,   /* nothing of a secure domain goes in clear */
    SIM_FORGED,     /* no FEP takes what no holder of the key has sealed */
    SIM_OVERRUN,    /* no source sends beyond its window or without credit (3.6.13, 3.6.14) */
    SIM_STARVED,    /* no source waits for ever, nor for others to get what is its share */
    SIM_INFLIGHT,   /* what counts as in flight is what was sent, and 0 in the end (3.6.12) */
    SIM_CREDIT,     /* credit is neither lost nor made */
    SIM_RULE,       /* no rule of rules/ fires */
    SIM_INVARIANTS
};

const char *sim_invariant_name(enum sim_invariant what);

struct sim_breach {
    uint8_t what;         /* enum sim_invariant; SIM_NOTHING: none */
    char requirement[12]; /* of a rule; "" otherwise */
    uint64_t at_ns;       /* since the start */
    char text[240];
};

/* A mutant, to show that the simulator notices. */
enum sim_mutation {
    SIM_MUTATE_NOTHING,
    SIM_MUTATE_PAYLOAD,    /* a byte of the payload differs, the CRC is right */
    SIM_MUTATE_CACK_BACK,  /* an ACK's CACK_PSN is 5 lower */
    SIM_MUTATE_CLEAR_BACK, /* a Request's CLEAR_PSN is 5 lower */
    SIM_MUTATE_MODE,       /* the FEPs carry ROD operations by RUD */
    SIM_MUTATE_CLOCK,      /* the timers of the FEPs are told the time of the start, for ever */
    SIM_MUTATE_READ_DATA,  /* a byte of read data differs, the CRC is right */
    SIM_MUTATE_INTO,       /* reads go 8 bytes behind where they belong */
    SIM_MUTATE_FORGETFUL,  /* hosts do not remember over a restart which counters were used */
    SIM_MUTATE_STALE,      /* fetching atomics bring what was there at the start */
    SIM_MUTATIONS
};

const char *sim_mutation_name(enum sim_mutation mutation);

struct sim_run {
    const struct sim_plan *plan;
    const struct sim_choice *choice;
    const char *violate;       /* the bent build only: a requirement id, or NULL */
    uint8_t mutation;          /* enum sim_mutation */
    const char *const *ignore; /* breaches not looked at: a name or a requirement id */
    size_t n_ignore;
    struct uet_pcapng *pcap; /* every frame as its FEP sends it, or NULL */
    bool at_port;            /* ... only those that the watched FEP sends and gets */
};

struct sim_result {
    struct sim_breach breach; /* the first one: the scenario ends there */
    uint64_t virtual_ns, frames;
    uint64_t ops, ok, ses_error, pds_error, abandoned; /* abandoned: their FEP was restarted */
    uint64_t ignored;                                  /* breaches not looked at */
    uint64_t ghosts;         /* done twice by a target whose PDC was gone (PDS-054) */
    uint64_t refused_syns;   /* and because a refused SYN made all go to another PDC */
    uint64_t untracked;      /* frames that the tracker had no memory for: not judged by rules */
    uint64_t sealed, forged; /* packets that went sealed; that an attacker sent */
    uint64_t rotations;      /* FEPs that turned to another key */
    struct uet_fabric_stats fabric;
    struct sim_tally tally;
};

/* Runs a scenario to its end. 0; -ENOMEM; -ENOENT: no such violation in this build; or what pcap
 * says. A breach is no error: it is in the result. */
int sim_run(const struct sim_run *run, struct sim_result *result);

/* Its keys, for who reads its packets (wire/keyfile.h). 0, or what the file says. */
int sim_write_keys(const struct sim_plan *plan, const char *path);

#endif
