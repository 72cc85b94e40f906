/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A libfabric provider as the verbs of the upper tester see it: endpoints that have resource
 * indices, registered memory, operations that end some time. Behind it stand all fi_* calls. One
 * thread.
 */
#ifndef UT_LIBFABRIC_FABRIC_H
#define UT_LIBFABRIC_FABRIC_H

#include <rdma/fi_atomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "wire/addr.h"

/* How the provider's endpoints are addressed. */
enum fabric_format {
    FABRIC_SOCKADDR, /* IP address and port: one for each resource index, from `port` on */
    FABRIC_UET,      /* Table 2-10 in 32 bytes */
};

struct fabric_config {
    const char *provider;
    enum fabric_format format;
    bool datagrams;            /* FI_EP_DGRAM instead of FI_EP_RDM */
    enum fi_progress progress; /* FI_PROGRESS_UNSPEC: as the provider likes */
    struct uet_ip address;     /* this FEP's */
    uint16_t port;             /* FABRIC_SOCKADDR: of resource index 0 of class rma */
    uint16_t pid_on_fep;
    uint32_t initiator;
};

/* Resource indices have 12 bits; each class has a space of its own (SES-056). */
enum fabric_class { FABRIC_RMA, FABRIC_SEND, FABRIC_TAGGED, FABRIC_CLASSES };
enum { FABRIC_INDICES = 4096 };

struct fabric;

/* Writes a line for each kind of endpoint that a provider here has; false: it cannot be written. */
bool fabric_list(FILE *out);

/* Opens provider, domain and address vector; 0, or a negative errno and one line in err. */
int fabric_open(struct fabric **out, const struct fabric_config *config, char *err, size_t errlen);
/* NULL is allowed. */
void fabric_close(struct fabric *fabric);

/* What the provider is and can, as its fi_info tells. */
const struct fi_info *fabric_info(const struct fabric *fabric);

/* Does it keep the order of messages, for who asks? */
bool fabric_orders(const struct fabric *fabric);

/* What the provider counts: the i-th, 0 and up; NULL after the last. */
const char *fabric_count(const struct fabric *fabric, size_t i, uint64_t *good, uint64_t *bad);

/* Closes all endpoints and all memory: nothing that was begun ends any more. */
void fabric_reset(struct fabric *fabric);

/*
 * All below: 0, or a negative errno, and fabric_error tells in words what the provider said. An
 * endpoint that is not there yet is opened.
 */
const char *fabric_error(const struct fabric *fabric);

/* The endpoint of a resource index, as target. */
int fabric_listen(struct fabric *fabric, enum fabric_class ri_class, uint16_t ri);

/* Memory that others may use by a key, until fabric_reset. *key: as asked for; or the provider's.
 */
int fabric_register(struct fabric *fabric, uint16_t ri, void *base, size_t length, bool read,
                    bool write, uint64_t handle, uint64_t *key);

/* Ends that: from then on the key names no memory. The bytes stay the caller's. */
int fabric_unregister(struct fabric *fabric, uint64_t handle);

struct fabric_receive {
    uint16_t ri;
    void *base;
    uint32_t length;
    bool tagged;
    uint64_t tag, ignore;
};

int fabric_receive(struct fabric *fabric, const struct fabric_receive *receive, uint64_t handle);

/* Asks the provider to let go of a receive: how it ends, fabric_progress tells. */
int fabric_cancel(struct fabric *fabric, uint64_t handle);
/* Has it begun, and not ended? */
bool fabric_goes_on(const struct fabric *fabric, uint64_t handle);

enum fabric_verb {
    FABRIC_DO_SEND,
    FABRIC_DO_TSEND,
    FABRIC_DO_WRITE,
    FABRIC_DO_READ,
    FABRIC_DO_ATOMIC,
    FABRIC_DO_FETCH,
    FABRIC_DO_COMPARE,
};

struct fabric_operation {
    enum fabric_verb verb;
    struct uet_ip to;
    enum fabric_class ri_class;
    uint16_t pid_on_fep, ri;
    bool ordered; /* the endpoint asks for message order: ROD */
    bool delivery_complete;
    bool has_data; /* completion data */
    uint64_t data;
    uint64_t tag; /* or the key of memory */
    uint64_t offset;
    void *base; /* the bytes, or where they are to come; stays until it has ended */
    uint32_t length;
    void *operand, *compare; /* of atomics */
    enum fi_op op;
    enum fi_datatype datatype;
    uint32_t bytes; /* of an element */
};

int fabric_start(struct fabric *fabric, const struct fabric_operation *operation, uint64_t handle);

/* What has ended. */
struct fabric_end {
    uint64_t handle; /* of what was begun; of a region, where `imm` */
    bool imm;        /* a write with completion data came */
    bool received;   /* a receive was filled */
    bool cancelled;  /* ... or was let go of */
    int error;       /* FI_* , or 0 */
    bool has_data;
    uint64_t data;
    bool has_tag;
    uint64_t tag;
    uint32_t length;
};

/* Lets the provider work, and takes one that has ended; false: none yet. */
bool fabric_progress(struct fabric *fabric, struct fabric_end *end);

#endif
