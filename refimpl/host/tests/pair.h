/* SPDX-License-Identifier: BSD-2-Clause */
/* Two reference FEPs in their hosts, at the ends of one cable, in virtual time: for unit tests. */
#ifndef UET_REFIMPL_HOST_TESTS_PAIR_H
#define UET_REFIMPL_HOST_TESTS_PAIR_H

#include "port/fabric/fabric.h"
#include "refimpl/host/host.h"
#include "ut/verbs.h"

enum { PAIR_LATENCY_NS = 1000, PAIR_MS = 1000000 };

struct end {
    struct uet_host *host;
    struct uet_mem_device device; /* the host as one */
    struct uet_ut *ut;
    struct uet_ip address;
};

struct pair_config {
    struct uet_fabric_cable cable;
    void (*host)(struct uet_host_config *config, const struct end *end); /* what differs; or NULL */
    void (*sent)(const struct end *end, const uint8_t *frame, uint32_t len); /* sees it; or NULL */
};

extern struct uet_fabric *fabric;
extern struct end ends[2];
extern struct end *const a, *const b;

/* 192.0.2.1 (a) and 192.0.2.2 (b), seed 7, payloads of 1,024 bytes, an RTO of 5 ms. */
void pair_open(const struct pair_config *config);
void pair_close(void);
/* One end anew, as after a restart: close_end, open_end. */
void open_end(struct end *end);
void close_end(struct end *end);
/* Lets time pass, and all happen that is due. */
void pass(uint64_t ns);
/* Value of a counter of the FEP. */
uint64_t counter(struct end *end, const char *name);

#endif
