/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The application's side of the reference FEP, in the spirit of libfabric: a domain is a FEP, an
 * endpoint is a resource index on it; regions, receives, sends, writes, reads and atomics; queues
 * of completions, and counters.
 *
 * A thin layer over fep.h: no heap, socket or clock. Every struct here is the caller's, stays where
 * it is while it is open, and is only read by the caller. What a call is given besides (addresses,
 * configurations) is copied. Errors are negative errno.
 *
 * Frames and time stay with whoever drives the FEP (uet_fep_receive, uet_fep_transmit,
 * uet_fep_deadline); after each of these and at each deadline it calls uet_domain_progress. Of the
 * FEP nobody else takes completions, and nobody else adds to it services, regions, receives or
 * operations.
 */
#ifndef UET_REFIMPL_APP_APP_H
#define UET_REFIMPL_APP_APP_H

#include "refimpl/fep.h"

struct uet_cq;
struct uet_ep;
struct uet_mr;

/* ---- domains ---- */

struct uet_domain {
    struct uet_fep *fep;
    uint64_t now_ns;
    struct uet_ep *eps; /* open ones */
    struct uet_mr *mrs;
    struct uet_completion held; /* its queue was full */
    bool holds;
    uint64_t strays; /* completions of what this layer has not begun */
};

/* On a FEP as uet_fep_init or uet_fep_reset has left it. */
void uet_domain_open(struct uet_domain *domain, struct uet_fep *fep, uint64_t now_ns);

/*
 * It is now_ns: what is due is done, and completions go to counters and queues. A full queue stops
 * this for all queues of the domain until it is read; nothing is lost, and a peer that writes with
 * data is held off (UET_NACK_NO_RESOURCE). Afterwards there may be frames to transmit.
 */
void uet_domain_progress(struct uet_domain *domain, uint64_t now_ns);

/* ---- endpoints ---- */

/* What completions and counters tell apart. */
enum uet_ep_kind {
    UET_EP_SEND, /* tagged and untagged */
    UET_EP_RECEIVE,
    UET_EP_WRITE,
    UET_EP_READ,
    UET_EP_ATOMIC,
    UET_EP_REMOTE_WRITE, /* a peer's write with data has arrived (SES-068) */
    UET_EP_KINDS
};

struct uet_counter {
    uint64_t done, failed;
};

/* Where a peer is reached (Table 2-10); how the peer learns of it is out of band. */
struct uet_ep_address {
    struct uet_ip fep; /* the Fabric Address */
    uint16_t pid_on_fep;
    uint16_t resource_index;
    uint32_t initiator; /* what its sends say: tagged receives may ask for it (SES-091) */
    bool absolute;      /* PIDonFEP is that of the FEP, not of the job (SES-050, SES-051) */
};

#define UET_EP_IN(ri_class) (1u << (ri_class)) /* of enum uet_ri_class */

struct uet_ep_config {
    uint32_t job_id;
    uint16_t pid_on_fep;
    uint16_t resource_index;
    uint32_t initiator;
    bool absolute;
    uint8_t spaces;         /* UET_EP_IN: the RI spaces it opens (SES-056); 0: all three */
    uint8_t mode;           /* enum uet_mode, of all that it starts: ROD for ordered messages */
    uint8_t traffic_class;  /* likewise */
    bool delivery_complete; /* likewise */
    bool truncate;          /* longer messages are cut, not refused (SES-101, SES-102) */
    struct uet_cq *cq;      /* of its domain; NULL: it has counters alone */
};

struct uet_ep {
    struct uet_domain *domain;
    struct uet_ep_config config;
    struct uet_counter counts[UET_EP_KINDS];
    uint32_t n_contexts, n_regions; /* in use */
    struct uet_ep *next;
};

/*
 * Opens it. -EEXIST: one is open there, or this one is open. -EINVAL: a value is longer than its
 * field, RI 0 (SES-057), or the queue is of another domain. -ENOSPC: the FEP has no service left;
 * those of closed endpoints are kept for their resource index.
 */
int uet_ep_open(struct uet_ep *ep, struct uet_domain *domain, const struct uet_ep_config *config);

/*
 * Peers get RC_DISABLED from now on. -EBUSY: a region is open, or a context is not free yet.
 * -ENOENT: it is not open. Entries of a queue may still name it.
 */
int uet_ep_close(struct uet_ep *ep);

/* Its own, to be given to peers. */
struct uet_ep_address uet_ep_address(const struct uet_ep *ep);

/* ---- regions ---- */

struct uet_mr {
    struct uet_ep *ep;
    uint64_t key;
    int handle;
    struct uet_mr *next;
};

/*
 * Lets peers of the job read or write (UET_RIGHT_*) these bytes behind the endpoint, which must be
 * open for RMA (-EOPNOTSUPP). key: by Table 2-13, chosen by the caller. -ENOSPC; -EEXIST: the key
 * is taken, or this one is open; -EINVAL: no bytes.
 */
int uet_mr_open(struct uet_mr *mr, struct uet_ep *ep, void *base, uint64_t length, uint8_t rights,
                uint64_t key);

/*
 * 0: its bytes are not touched any more. -EBUSY: no request finds it any more, but bytes granted
 * before are still to be sent from it; -EAGAIN: a queue is full, which may be told of it. Call
 * again later. -ENOENT: it is not open.
 */
int uet_mr_close(struct uet_mr *mr);

/* ---- what an endpoint does ---- */

/*
 * Stands for one receive or operation until that has completed or is cancelled, and may stand for
 * the next one then. All zero before its first use. Completions name it: put it first into what the
 * application knows of the operation.
 */
struct uet_context {
    struct uet_ep *ep; /* NULL: free */
    uint64_t tag, ignore;
    uint8_t kind; /* enum uet_ep_kind */
    bool tagged;
};

/* Bytes of a peer's memory. */
struct uet_rma {
    struct uet_ep_address at;
    uint64_t key;
    uint64_t offset; /* from the begin of the region */
};

struct uet_amo {
    uint8_t opcode;      /* UET_AMO_* (Table 3-21) */
    uint8_t datatype;    /* UET_TYPE_* (Table 3-22), in the byte order of the host */
    const void *operand; /* `length` bytes: whole elements */
    const void *compare; /* of UET_AMO_CSWAP and its kin; the mask of UET_AMO_MSWAP; else NULL */
    void *into;          /* where the old value goes; NULL: it is not fetched */
    uint32_t length;
};

/*
 * Each begins something and returns 0; a completion ends it. Until then buffers stay as they are.
 * On an error nothing has begun. -EBUSY: the context stands for something else. -EINVAL: no
 * context, no bytes, or nothing that the FEP can do (uet_fep_submit). -ENOSPC: the FEP has no room
 * until something completes. -EOPNOTSUPP: a receive in an RI space that the endpoint has not
 * opened.
 */

/* A buffer for one message, in posting order (SES-090). */
int uet_ep_recv(struct uet_ep *ep, void *into, uint32_t length, struct uet_context *context);

/* For one tagged message; from NULL: of any peer; bits of ignore match whatever they are. */
int uet_ep_trecv(struct uet_ep *ep, void *into, uint32_t length, const struct uet_ep_address *from,
                 uint64_t tag, uint64_t ignore, struct uet_context *context);

/* A message; in UET_MODE_UUD a datagram, of one packet, that nobody answers. */
int uet_ep_send(struct uet_ep *ep, const void *bytes, uint32_t length,
                const struct uet_ep_address *to, struct uet_context *context);
int uet_ep_tsend(struct uet_ep *ep, const void *bytes, uint32_t length,
                 const struct uet_ep_address *to, uint64_t tag, struct uet_context *context);

int uet_ep_write(struct uet_ep *ep, const void *bytes, uint32_t length, const struct uet_rma *to,
                 struct uet_context *context);
int uet_ep_read(struct uet_ep *ep, void *into, uint32_t length, const struct uet_rma *from,
                struct uet_context *context);
int uet_ep_atomic(struct uet_ep *ep, const struct uet_amo *amo, const struct uet_rma *at,
                  struct uet_context *context);

/* The same with 64 bits that the peer's completion tells (ses.hd). */
int uet_ep_senddata(struct uet_ep *ep, const void *bytes, uint32_t length, uint64_t data,
                    const struct uet_ep_address *to, struct uet_context *context);
int uet_ep_tsenddata(struct uet_ep *ep, const void *bytes, uint32_t length, uint64_t data,
                     const struct uet_ep_address *to, uint64_t tag, struct uet_context *context);
int uet_ep_writedata(struct uet_ep *ep, const void *bytes, uint32_t length, uint64_t data,
                     const struct uet_rma *to, struct uet_context *context);

/*
 * Takes a posted receive back: 0, at once and without a completion; the context is free. -ENOENT:
 * it stands for nothing of this endpoint, or a message has taken the receive, which completes.
 * -EOPNOTSUPP: it stands for an operation, which always completes.
 */
int uet_ep_cancel(struct uet_ep *ep, struct uet_context *context);

/* ---- completions ---- */

struct uet_cq_entry {
    struct uet_ep *ep;
    struct uet_context *context; /* free again; NULL of UET_EP_REMOTE_WRITE */
    struct uet_mr *mr;           /* of UET_EP_REMOTE_WRITE: where; else NULL */
    uint8_t kind;                /* enum uet_ep_kind */
    int error; /* 0; -EREMOTEIO: what.return_code tells; -ECONNABORTED: the PDC has given up */
    struct uet_completion what; /* as the FEP told it; what.token is the layer's own */
};

struct uet_cq {
    struct uet_domain *domain;
    struct uet_cq_entry *entries;
    size_t size, first, n;
};

/* A queue of so many entries, in the caller's memory. -EINVAL: none. */
int uet_cq_open(struct uet_cq *cq, struct uet_domain *domain, struct uet_cq_entry *entries,
                size_t size);

/* Takes up to max of the oldest; returns how many. What a full queue stopped goes on. */
size_t uet_cq_read(struct uet_cq *cq, struct uet_cq_entry *entries, size_t max);

#endif
