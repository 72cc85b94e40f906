/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What stands around the reference FEP: the memory behind its regions, receives and operations,
 * the verbs of the upper tester (docs/upper-tester.md), and the way onto a port. The FEP's clock
 * is the port's clock. Here malloc is allowed; in the FEP it is not.
 */
#ifndef UET_REFIMPL_HOST_HOST_H
#define UET_REFIMPL_HOST_HOST_H

#include <jansson.h>

#include "port/memory.h"
#include "refimpl/fep.h"
#include "ut/ut.h"
#include "wire/keyfile.h"

struct uet_host;

/* Where the FEP's frames go and where its time comes from. */
struct uet_host_io {
    void *ctx;
    uint64_t (*now)(void *ctx);

    /* A frame that the FEP sends; good during the call only. An error is counted, not retried:
     * the wire may lose frames. */
    int (*emit)(void *ctx, const uint8_t *frame, uint32_t len);

    /*
     * Called after a verb instead of advancing the FEP directly, so that who keeps the FEP's
     * deadline hears of a new one; it must lead to the advance of uet_host_device. NULL: advance.
     */
    void (*kick)(void *ctx);
};

struct uet_host_config {
    struct uet_fep_config fep;
    uint64_t memory_max; /* bytes for regions, receives and data in flight together; 0: 256 MiB */
    const char *name;    /* told by `hello`; NULL: "uetkit reference FEP" */
    const char *violate; /* the rule broken from the start and after each reset; NULL: none */
};

/* uet_fep_config_default, room for secure domains, and a limit of memory. The address is left to
 * the caller. */
void uet_host_config_default(struct uet_host_config *config);

/*
 * Makes a FEP and its host. It has no port until uet_host_set_io or uet_host_mem_port. 0, -EINVAL
 * (the FEP does not accept the configuration), -ENOENT (no such violation is built in), -ENOMEM.
 */
int uet_host_new(struct uet_host **host, const struct uet_host_config *config);

/*
 * Makes the secure domains of the FEP those of a key file, now and whenever the file has changed.
 * Where only the key of the idle slot, the AN to send with or the epoch are other than before, no
 * packet is lost; a domain that changed otherwise is installed anew, and keeps its floors. One
 * that went and is there again with a key that was used starts by RANDOM_1RTT_START. The file
 * stays the caller's. 0, or a negative errno and in err a sentence on what is wrong; the domains
 * before that one have changed. Where the file of uet_host_remember cannot be written all have, and
 * a key that is new seals nothing until it can. They outlive uet_host_reset.
 */
int uet_host_install(struct uet_host *host, const struct uet_keyfile *file, char *err, size_t size);

/*
 * From now on no counter of a key is used twice, however often the host is made anew with the same
 * keys: the file at path says which may have been used. It is made where there is none; without it
 * each restart needs new keys or a new epoch. Domains with a key that the file knows from such a
 * life start by RANDOM_1RTT_START, as floors are not known any more. 0, or a negative errno and a
 * sentence in err.
 */
int uet_host_remember(struct uet_host *host, const char *path, char *err, size_t size);

/* A domain that seals nothing any more, since all counters of its key are used up (TSS-022). */
struct uet_host_used_up {
    uint32_t sdi;
    uint8_t an;
    bool by_verb; /* a verb has installed it: what uet_host_install reads does not name it */
};

/* Tells of one, once until it has another key; false: there is none that was not told. */
bool uet_host_used_up(struct uet_host *host, struct uet_host_used_up *what);

/* Before or after its port is closed, but the port must not be used in between. NULL is allowed. */
void uet_host_free(struct uet_host *host);

/* Joins the host to a carrier of one's own (for example a mutator before a port). Copied. */
void uet_host_set_io(struct uet_host *host, const struct uet_host_io *io);

/* The host as a device: frame and advance, with ctx = host. */
struct uet_mem_device uet_host_device(struct uet_host *host);

/*
 * The short way: opens a memory port at whose far end the host stands (the caller closes it), and
 * sets the host's io accordingly. 0 or -ENOMEM.
 */
int uet_host_mem_port(struct uet_host *host, uint64_t latency_ns, struct uet_port **port);

/* Joins the host to any real port: emit sends on it, now is its clock. The port stays the
 * caller's. */
void uet_host_set_port(struct uet_host *host, struct uet_port *port);

/*
 * A verb: the request object stays the caller's, the reply is a new object (NULL: no memory). A
 * request that makes no sense gets {"ok":false,"error":...} and changes nothing.
 */
json_t *uet_host_handle(struct uet_host *host, json_t *request);

/* An upper tester in process (uet_ut_local over uet_host_handle); NULL: no memory. */
struct uet_ut *uet_host_ut(struct uet_host *host);

/*
 * As after a loss of power: nothing of the FEP is left, and it begins anew with the domains of the
 * last uet_host_install and with counters that no packet has had. 0, or a negative errno and in err
 * why a domain could not be had again.
 */
int uet_host_restart(struct uet_host *host, char *err, size_t size);

/* The FEP itself, for counters and the like. */
struct uet_fep *uet_host_fep(struct uet_host *host);

/* Frames that emit refused so far. */
uint64_t uet_host_lost(const struct uet_host *host);

/*
 * Back to the state after uet_host_new: a violation set by the verb is mended, that of the
 * configuration stays.
 */
void uet_host_reset(struct uet_host *host);

#endif
