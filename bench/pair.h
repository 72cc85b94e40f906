/* SPDX-License-Identifier: BSD-2-Clause */
/* Two reference FEPs back to back on a simulated fabric, one of which sends the other messages. */
#ifndef UET_BENCH_PAIR_H
#define UET_BENCH_PAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "port/fabric/fabric.h"
#include "port/pcapng.h"
#include "refimpl/fep.h"

/* Large enough that the caches do not hold it all, small enough for any machine. */
#define PAIR_REGION (4u << 20)

struct pair {
    /* What the user tells. */
    uint8_t opcode;             /* UET_OP_WRITE, _SEND, _READ or _FETCHING_ATOMIC */
    uint32_t length;            /* of a message */
    uint32_t messages;          /* in all */
    uint32_t in_flight;         /* at once */
    uint64_t bits_per_s;        /* of the line; 0: a frame takes no time */
    bool nscc;                  /* NSCC bounds what is in flight, far above what is sent here */
    bool ack_each;              /* Enb_ACK_Per_Pkt */
    bool sealed;                /* in a secure domain, with a key for each sender (3.7) */
    bool evp;                   /* instead EVP alone seals what leaves and opens what comes */
    uint32_t lose;              /* every lose-th frame; 0: none */
    struct uet_pcapng *capture; /* NULL: none */
    /* What it can see. */
    uint32_t submitted, done;
    uint32_t captured; /* packets */
    /* Its own. */
    struct uet_fabric *fabric;
    struct uet_fep *fep[2]; /* initiator, target */
    void *memory[2];
    uint8_t *source, *region;
    uint64_t done_ns; /* when the last one was done */
    uint32_t sent;    /* frames, lost ones too */
};

/* All of these end the program when something fails. */
void pair_open(struct pair *p);
void pair_step(struct pair *p); /* the next thing that happens */
void pair_close(struct pair *p);
/* Opens, sends all messages, closes. */
void pair_run(struct pair *p);

#endif
