/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The secure domains of a host's FEP: from key files (wire/keyfile.h) and from verbs. What the FEP
 * cannot know is here: which key is in which slot, and how far each key was used, so that no
 * counter comes twice when a key is left and taken again, in whichever slot. Private to the host.
 */
#ifndef UET_REFIMPL_HOST_KEYS_H
#define UET_REFIMPL_HOST_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "refimpl/fep.h"
#include "refimpl/host/host.h"
#include "wire/keyfile.h"

struct host_keys;

/* NULL: no memory. */
struct host_keys *host_keys_new(struct uet_fep *fep);
/* Wipes the keys here; those in the FEP are the FEP's. NULL is fine. */
void host_keys_free(struct host_keys *k);

/*
 * Makes the FEP's domains what the file says: of one SDI, or with sdi HOST_ALL_DOMAINS of all, and
 * those that the file has no more are gone. Where only keys of the idle slot, AN and epoch are
 * other than before, no packet is lost; a domain that changed otherwise is installed anew, with the
 * floors that it had. 0, or a negative errno and in err what the FEP does not take; then the rest
 * is as it was, or done.
 */
#define HOST_ALL_DOMAINS UINT32_MAX
int host_keys_apply(struct host_keys *k, const struct uet_keyfile *file, uint32_t sdi, char *err,
                    size_t size);

/* One key into its slot: the domain is installed, if it is not; then it must be the idle slot. */
int host_keys_load(struct host_keys *k, const struct uet_key *key,
                   const struct uet_key_domain *domain, char *err, size_t size);

/* The domain goes. -ENOENT: there is none. */
int host_keys_remove(struct host_keys *k, uint32_t sdi);

/* The key of that slot goes. -ENOENT: there is none; -EBUSY: it is sealed with. */
int host_keys_take(struct host_keys *k, uint32_t sdi, uint8_t an);

/* Seals with that AN from now on. -ENOENT: no such domain, or no key there. */
int host_keys_rotate(struct host_keys *k, uint32_t sdi, uint8_t an);

/* Uses all domains again, whatever a verb has said of them. */
void host_keys_enable(struct host_keys *k);

/* The next counter of the AN that is sealed with is at least that. -ENOENT. */
int host_keys_advance(struct host_keys *k, uint32_t sdi, uint64_t counter);

/*
 * The FEP was made anew and has no domain: it gets those of the last host_keys_apply of all domains
 * again, and none that a verb has installed. Counters that are taken stay so.
 */
int host_keys_install_again(struct host_keys *k, char *err, size_t size);

/*
 * A name of the key in a slot, the same wherever it is, which tells nothing of it. False: there is
 * no key.
 */
bool host_keys_name(struct host_keys *k, uint32_t sdi, uint8_t an, uint64_t *name);

/*
 * A domain that seals nothing since all counters of the key that it is told to send with are used
 * up, and of which this has not told yet; false: there is none.
 */
bool host_keys_used_up(struct host_keys *k, struct uet_host_used_up *what);

/* Before the FEP is made anew: remembers how far its keys were used. */
void host_keys_note(struct host_keys *k);

#endif
