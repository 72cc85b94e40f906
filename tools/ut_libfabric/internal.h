/* SPDX-License-Identifier: BSD-2-Clause */
/* What fabric.c and transfer.c share. */
#ifndef UT_LIBFABRIC_INTERNAL_H
#define UT_LIBFABRIC_INTERNAL_H

#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>

#include "tools/ut_libfabric/fabric.h"

#define FABRIC_API FI_VERSION(1, 15) /* the version of the interface that is spoken */
#define INITIATES  FABRIC_CLASSES    /* the class of an endpoint that only starts operations */

struct endpoint {
    struct endpoint *next;
    struct fid_ep *ep;
    struct fid_cq *cq;
    uint8_t ri_class; /* enum fabric_class, or INITIATES */
    uint16_t ri;
    bool ordered;
};

struct memory {
    struct memory *next;
    struct fid_mr *mr;
    uint64_t handle;
    uint16_t ri;
};

/* A receive or an operation that has not ended. */
struct begun {
    struct fi_context2 context; /* first: what the provider gives back is its address */
    struct begun *next;
    struct endpoint *endpoint; /* where a receive was posted */
    uint64_t handle;
    uint32_t length;
    bool receive;
    struct fid_mr *local[3]; /* where the provider wants its buffers registered */
};

enum { COUNTERS = 6 };

struct fabric {
    struct fabric_config config;
    uint64_t caps;
    bool orders;
    struct fi_info *info;
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fid_av *av;
    struct fid_cntr *counters[COUNTERS]; /* NULL: the provider does not count that */
    struct endpoint *endpoints;
    struct memory *memory;
    struct begun *begun;
    char error[200];
};

/* Notes what a call said, if it went wrong; gives rc back. */
int fabric_says(struct fabric *fabric, const char *doing, long rc);

/*
 * What a provider would be opened as, the most that it can; the caller's (fi_freeinfo), NULL: there
 * is none.
 */
struct fi_info *fabric_ask(const struct fabric_config *config);

/* Counters, over all endpoints; a provider that has none of a kind counts none. */
void fabric_open_counters(struct fabric *fabric);
void fabric_count_at(struct fabric *fabric, struct endpoint *endpoint);
void fabric_close_counters(struct fabric *fabric);

/* The endpoint of that kind, opened when it is not there; NULL: an error is noted. */
struct endpoint *fabric_endpoint(struct fabric *fabric, uint8_t ri_class, uint16_t ri,
                                 bool ordered);

/* The provider's address of whom an operation goes to. */
int fabric_peer(struct fabric *fabric, const struct fabric_operation *operation, fi_addr_t *peer);

/* Gives back what is not in the list of those begun any more. */
void fabric_forget(struct begun *begun);

#endif
