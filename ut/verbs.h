/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The verbs of the upper tester from the caller's side, one C function each. What they mean is in
 * docs/upper-tester.md. All of them return 0 or a negative errno as uet_ut_call does: -EPROTO when
 * the FEP refused, -EBADMSG when its reply lacks what the verb promises; ut->error then says why.
 */
#ifndef UET_UT_VERBS_H
#define UET_UT_VERBS_H

#include <stdbool.h>

#include "ut/ut.h"
#include "wire/addr.h"

/* What `hello` tells. */
struct uet_ut_about {
    char name[64];         /* of the implementation */
    char version[64];      /* of the implementation */
    char spec[16];         /* "1.0.3" */
    struct uet_ip address; /* Fabric Address (3.4.1.3) */
    uint32_t payload_mtu;  /* bytes: 1024, 2048, 4096 or 8192 (SES-042) */
    bool big_endian;       /* so is its host: elements of atomics in its memory */
    uint8_t protect;       /* UET_Data_Protect: enum uet_protect, NONE, CRC or TSS */
};

/* Who the FEP is, as its `hello` tells. */
int uet_ut_hello(struct uet_ut *ut, struct uet_ut_about *about);

/* A parameter's value as `hello` tells it; -ENOENT when the FEP does not tell this one. */
int uet_ut_param(struct uet_ut *ut, const char *name, uint64_t *value);

/* Does the FEP know this verb? 1 or 0, and ut->error stays; or a negative errno. */
int uet_ut_has_verb(struct uet_ut *ut, const char *verb);

/* Does the FEP do this mode, as `hello` tells? 1 or 0, or a negative errno. Untold: RUD only. */
int uet_ut_has_mode(struct uet_ut *ut, uint8_t mode);

/* Forgets PDCs, services, memory, receives, operations, completions; parameters as at start. */
int uet_ut_reset(struct uet_ut *ut);

/* Sets a parameter of Table 3-28 (3.5.5) by its name; times in nanoseconds. */
int uet_ut_set(struct uet_ut *ut, const char *name, uint64_t value);

/* The three spaces of resource indices (SES-056). */
enum uet_ut_class { UET_UT_RMA, UET_UT_SEND, UET_UT_TAGGED };

struct uet_ut_service {
    uint32_t job_id;         /* 24 bits */
    uint16_t pid_on_fep;     /* 12 bits */
    uint16_t resource_index; /* 12 bits */
    uint8_t ri_class;        /* enum uet_ut_class */
    bool has_generation;     /* ri_generation is checked */
    uint8_t generation;
    bool disabled;
    bool keeps_unexpected; /* keeps sends without receive, with their payload (3.4.3.6.2.2) */
};

/* Opens a resource index, or changes generation and disabled of an open one. */
int uet_ut_service(struct uet_ut *ut, const struct uet_ut_service *service);

struct uet_ut_memory {
    uint32_t job_id; /* the job that may use it */
    bool any_job;    /* or every job */
    uint16_t pid_on_fep;
    uint16_t resource_index;
    uint64_t key; /* memory key asked for; the FEP may answer with another */
    uint32_t length;
    uint8_t fill;     /* initial value of each byte, when data is NULL */
    const void *data; /* initial bytes (length of them, at most UET_UT_DATA_MAX), or NULL */
    bool no_read;     /* the rights are read and write, less these */
    bool no_write;
};

/* Registers memory. *key is the one that the FEP took; handle and key may be NULL. */
int uet_ut_reg_mem(struct uet_ut *ut, const struct uet_ut_memory *memory, uint64_t *handle,
                   uint64_t *key);

/* Reads bytes of a region, a receive buffer or what a read has brought; any length. */
int uet_ut_get_mem(struct uet_ut *ut, uint64_t handle, uint64_t offset, void *out, size_t length);

struct uet_ut_receive {
    uint32_t job_id;
    bool any_job;
    uint16_t pid_on_fep;
    uint16_t resource_index;
    uint32_t length; /* bytes of the buffer */
    bool truncate;   /* overlong sends are cut instead of refused (SES-101, SES-102) */
    bool tagged;     /* for tagged sends with these match_bits, but for the bits of ignore */
    bool from;       /* ... and from this initiator; else from any */
    uint32_t initiator;
    uint64_t match_bits, ignore;
};

/* Posts a buffer of the FEP's; the handle is for its completion and its bytes (uet_ut_get_mem). */
int uet_ut_post_recv(struct uet_ut *ut, const struct uet_ut_receive *receive, uint64_t *handle);

/* Takes a region back, of which peers have the key: nobody may use it any more. */
int uet_ut_withdraw(struct uet_ut *ut, uint64_t handle);
/* Takes a receive back; -EPROTO also when a message has it and keeps it. */
int uet_ut_cancel(struct uet_ut *ut, uint64_t handle);

/* Delivery modes (3.5.7). */
enum uet_ut_mode { UET_UT_MODE_RUD, UET_UT_MODE_ROD, UET_UT_MODE_RUDI, UET_UT_MODE_UUD };

enum uet_ut_header { UET_UT_HEADER_STD, UET_UT_HEADER_SMALL, UET_UT_HEADER_MEDIUM };

/* An operation of the FEP as initiator. */
struct uet_ut_operation {
    struct uet_ip to;
    uint32_t job_id;
    uint16_t pid_on_fep;
    uint16_t resource_index;
    uint8_t mode;   /* enum uet_ut_mode */
    bool relative;  /* ses.rel */
    uint8_t header; /* enum uet_ut_header; small and medium carry one packet */
    bool delivery_complete;
    bool has_header_data;
    uint64_t header_data;
    uint32_t initiator;
    uint8_t generation; /* ri_generation */
    uint8_t traffic_class;
    uint8_t peer_flags, peer_capabilities; /* of the peer's address (Table 2-10); 0: not told */
    bool reserved;                         /* a PDC of the reserved pools (use_rsv_pdc) */
    uint64_t key;     /* of verbs that name memory; the match_bits of a tagged send */
    uint64_t offset;  /* of the same, and of a tagged atomic: buffer_offset */
    uint32_t length;  /* bytes */
    const void *data; /* at most UET_UT_DATA_MAX bytes; NULL: uet_ut_pattern with seed */
    uint8_t seed;
    uint64_t region; /* of a rendezvous: where the bytes are, and how many come at once */
    uint32_t eager;
    uint8_t amo, datatype; /* of an atomic: UET_AMO_* and UET_TYPE_* (Tables 3-21, 3-22) */
    const void *compare;   /* what UET_AMO_CSWAP and its kin compare, the mask of UET_AMO_MSWAP */
};

/*
 * Begins an operation and does not wait: *handle is that of its completion. The bytes of op->data
 * are copied. A send goes to op->resource_index; a tagged one has op->key for match_bits, too.
 */
int uet_ut_send(struct uet_ut *ut, const struct uet_ut_operation *op, uint64_t *handle);
int uet_ut_tagged_send(struct uet_ut *ut, const struct uet_ut_operation *op, uint64_t *handle);
/* They may be deferred by the target, which asks for them again when it has a receive (3.4.3.4). */
int uet_ut_deferrable_send(struct uet_ut *ut, const struct uet_ut_operation *op, uint64_t *handle);
int uet_ut_deferrable_tagged_send(struct uet_ut *ut, const struct uet_ut_operation *op,
                                  uint64_t *handle);
/*
 * By rendezvous (3.4.2.4): the first `length` bytes of `region`, the handle of memory that
 * uet_ut_reg_mem has registered; it brings `eager` of them itself, the target reads the others.
 */
int uet_ut_rendezvous_send(struct uet_ut *ut, const struct uet_ut_operation *op, uint64_t *handle);
int uet_ut_rendezvous_tagged_send(struct uet_ut *ut, const struct uet_ut_operation *op,
                                  uint64_t *handle);
int uet_ut_write(struct uet_ut *ut, const struct uet_ut_operation *op, uint64_t *handle);
int uet_ut_no_op(struct uet_ut *ut, const struct uet_ut_operation *op, uint64_t *handle);
/* `length` bytes from the target; the handle is that of the memory into which they come, too. */
int uet_ut_read(struct uet_ut *ut, const struct uet_ut_operation *op, uint64_t *handle);
/*
 * The elements in `data`, `length` bytes of them, and those at the target make the new ones there
 * (3.4.4). They are in the byte order of the FEP's host (uet_ut_about). RUD and ROD only.
 */
int uet_ut_atomic(struct uet_ut *ut, const struct uet_ut_operation *op, uint64_t *handle);
/* The same of one element; the old one comes into memory of the handle. */
int uet_ut_fetching_atomic(struct uet_ut *ut, const struct uet_ut_operation *op, uint64_t *handle);

/* Both on a receive that is found by `key`, its match_bits (3.4.6.2); `offset` is in its buffer. */
int uet_ut_tagged_atomic(struct uet_ut *ut, const struct uet_ut_operation *op, uint64_t *handle);
int uet_ut_tagged_fetching_atomic(struct uet_ut *ut, const struct uet_ut_operation *op,
                                  uint64_t *handle);

/*
 * The verbs that start an operation: its name, its kind, what it has of its own (bytes to send, a
 * place at the target, bytes to get, what an atomic does). A row makes the function, the kind, and
 * the name by which `wait` tells the kind; the prototype stands above.
 */
enum uet_ut_own {
    UET_UT_OWN_PAYLOAD = 1,
    UET_UT_OWN_MEMORY = 2,
    UET_UT_OWN_LENGTH = 4,
    UET_UT_OWN_ATOMIC = 8,
    UET_UT_OWN_TAG = 16,
    UET_UT_OWN_REGION = 32,
    UET_UT_OWN_OFFSET = 64, /* a place in the buffer that the tag finds */
};

#define UET_UT_OPERATIONS(ROW)                                                                     \
    ROW(tagged_send, TAGGED_SEND, UET_UT_OWN_PAYLOAD | UET_UT_OWN_TAG)                             \
    ROW(deferrable_send, DEFERRABLE_SEND, UET_UT_OWN_PAYLOAD)                                      \
    ROW(deferrable_tagged_send, DEFERRABLE_TAGGED_SEND, UET_UT_OWN_PAYLOAD | UET_UT_OWN_TAG)       \
    ROW(rendezvous_send, RENDEZVOUS_SEND, UET_UT_OWN_REGION)                                       \
    ROW(rendezvous_tagged_send, RENDEZVOUS_TAGGED_SEND, UET_UT_OWN_REGION | UET_UT_OWN_TAG)        \
    ROW(send, SEND, UET_UT_OWN_PAYLOAD)                                                            \
    ROW(write, WRITE, UET_UT_OWN_PAYLOAD | UET_UT_OWN_MEMORY)                                      \
    ROW(no_op, NO_OP, 0)                                                                           \
    ROW(read, READ, UET_UT_OWN_MEMORY | UET_UT_OWN_LENGTH)                                         \
    ROW(atomic, ATOMIC, UET_UT_OWN_PAYLOAD | UET_UT_OWN_MEMORY | UET_UT_OWN_ATOMIC)                \
    ROW(fetching_atomic, FETCHING_ATOMIC,                                                          \
        UET_UT_OWN_PAYLOAD | UET_UT_OWN_MEMORY | UET_UT_OWN_ATOMIC)                                \
    ROW(tagged_atomic, TAGGED_ATOMIC,                                                              \
        UET_UT_OWN_PAYLOAD | UET_UT_OWN_TAG | UET_UT_OWN_OFFSET | UET_UT_OWN_ATOMIC)               \
    ROW(tagged_fetching_atomic, TAGGED_FETCHING_ATOMIC,                                            \
        UET_UT_OWN_PAYLOAD | UET_UT_OWN_TAG | UET_UT_OWN_OFFSET | UET_UT_OWN_ATOMIC)

enum uet_ut_kind {
#define UET_UT_KIND(name, kind, own) UET_UT_KIND_##kind,
    UET_UT_OPERATIONS(UET_UT_KIND)
#undef UET_UT_KIND
        UET_UT_KIND_RECV, /* a posted receive was filled */
    UET_UT_KIND_IMM,      /* a write with immediate data arrived (SES-068); handle of the region */
};

enum uet_ut_status {
    UET_UT_OK,
    UET_UT_SES_ERROR, /* return_code says which */
    UET_UT_PDS_ERROR, /* retries used up, PDC closed in error (PDS-160) */
};

/* What a completion need not tell: some APIs do not (docs/upper-tester.md). */
enum uet_ut_told {
    UET_UT_TOLD_CODE = 1,
    UET_UT_TOLD_LENGTH = 2,
    UET_UT_TOLD_JOB = 4,
    UET_UT_TOLD_INITIATOR = 8,
    UET_UT_TOLD_TAG = 16,
    UET_UT_TOLD_PEER = 32,
};

struct uet_ut_completion {
    uint64_t handle;
    uint8_t told;        /* enum uet_ut_told, or-ed; the rest is 0 */
    uint8_t kind;        /* enum uet_ut_kind */
    uint8_t status;      /* enum uet_ut_status */
    uint8_t return_code; /* Table 3-19 */
    bool has_header_data;
    uint64_t header_data;
    uint64_t match_bits; /* of a tagged send that filled a receive; 0 when it is not told */
    uint32_t length;     /* bytes moved */
    uint32_t job_id;
    uint32_t initiator;
    struct uet_ip peer;
};

/*
 * Takes up to max of the completions there are now; returns how many (0: none yet), or a negative
 * errno. Does not wait.
 */
int uet_ut_wait(struct uet_ut *ut, struct uet_ut_completion *completions, size_t max);

/* Asks for the close of the PDCs to a peer that the FEP opened; NULL: of all. */
int uet_ut_close_pdcs(struct uet_ut *ut, const struct uet_ip *to);

/* Asks for a Close Request on the PDCs that a peer opened (3.5.16.4); NULL: on all. */
int uet_ut_close_request(struct uet_ut *ut, const struct uet_ip *from);

/* A counter by its name; -ENOENT when the FEP has no such counter. */
int uet_ut_counter(struct uet_ut *ut, const char *name, uint64_t *value);

/* All counters: an object of names and integers, owned by the caller. */
int uet_ut_counters(struct uet_ut *ut, json_t **counters);

/* A bent reference FEP only: breaks the rule of a requirement id from now on; NULL mends all. */
int uet_ut_violate(struct uet_ut *ut, const char *id);

/*
 * Transport security (3.7). A key of one AN, of a domain that is not there yet or into its idle
 * slot; or with file, on the FEP's host, all that a key file says of the domain.
 */
struct uet_ut_domain {
    uint32_t sdi;           /* 24 bits */
    const char *file;       /* then nothing of what follows */
    const uint8_t *key;     /* 32 bytes */
    const uint8_t *iv_mask; /* 12 bytes; NULL: none */
    uint8_t an;
    uint8_t mode; /* enum uet_tss_mode; 0: cluster */
    bool has_ssi;
    uint32_t ssi;
    uint16_t epoch;
    uint64_t rekey_mask; /* 0: no automatic rekey */
    uint8_t rekey_shift;
    uint16_t encrypt_from; /* 0: right behind the header */
    const uint32_t *jobs;  /* that the domain serves; */
    uint8_t n_jobs;        /* 0: all */
    bool random_1rtt;      /* how its target checks Start_PSN (3.5.8.2); else expected-0rtt */
};

/* Installs that key, or what the file says of the domain. */
int uet_ut_install_domain(struct uet_ut *ut, const struct uet_ut_domain *domain);

/* From now on the FEP seals with the key of that AN. */
int uet_ut_rotate(struct uet_ut *ut, uint32_t sdi, uint8_t an);

/* The next packet of the domain has at least this packet counter. */
int uet_ut_advance_counter(struct uet_ut *ut, uint32_t sdi, uint64_t counter);

/* False: the FEP keeps the domain and does not use it, until it is enabled again, or reset. */
int uet_ut_enable_domain(struct uet_ut *ut, uint32_t sdi, bool enabled);

/* The FEP has the domain no more, and none of its keys. */
int uet_ut_remove_domain(struct uet_ut *ut, uint32_t sdi);

/* The same of one key, with which it does not seal. */
int uet_ut_remove_key(struct uet_ut *ut, uint32_t sdi, uint8_t an);

/* The FEP loses what it would lose with its power, and begins anew. */
int uet_ut_restart(struct uet_ut *ut);

/*
 * The bytes that a FEP sends when a request gives "length" instead of "data": byte i of the
 * message is (seed + i + i/256 + i/65536) mod 256. Unlike a plain count it tells a packet from
 * its neighbour at every payload MTU. Writes bytes [offset, offset + n).
 */
void uet_ut_pattern(void *out, size_t n, uint64_t offset, uint8_t seed);

#endif
