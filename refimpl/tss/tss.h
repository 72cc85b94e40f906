/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Transport security (3.7) of the FEP: its secure domains, what is sealed and opened with them, and
 * what they keep from each other and from packets in clear. Private to refimpl/.
 */
#ifndef UET_REFIMPL_TSS_TSS_H
#define UET_REFIMPL_TSS_TSS_H

#include "refimpl/state.h"
#include "wire/tss.h"

/* One AN of a domain: a key, and how far it has been used. */
struct tss_slot {
    bool loaded;
    struct uet_tss_sa sa;
    struct uet_tss_sender sender; /* its epoch is also the one that packets of peers are held to */
};

#define TSS_CLIENTS 32u /* that a server with SSIs remembers, those heard last */

/* Of a server with SSIs: who is at an address, by the packet that opened last from there. */
struct tss_client {
    struct uet_ip ip;
    uint32_t ssi;
};

/* A row of the SDKDB (3.7.4). */
struct tss_domain {
    struct tss_domain *next; /* of its bucket */
    bool used, enabled, latched;
    bool ssi_mode;
    bool serves_clients; /* server mode at the server: the SSI is the client's (TSS-029) */
    uint8_t an;          /* that is sent with */
    uint8_t start;       /* enum uet_fep_start */
    uint8_t n_jobs;      /* 0: all */
    uint16_t max_epoch_age;
    uint32_t sdi;
    uint32_t jobs[UET_FEP_DOMAIN_JOBS];
    uint32_t start_psn, expected_psn;
    uint32_t auth_fail_threshold, auth_failures;
    uint64_t counter_limit; /* of the operator; 0: none */
    struct tss_slot slots[2];
    struct tss_client clients[TSS_CLIENTS];
    uint8_t n_clients, next_client; /* the next to be forgotten, once all places are taken */
};

/* ---- domain.c: the SDKDB ---- */

static inline struct tss_domain **uet_sd_bucket(const struct uet_fep *fep, uint32_t sdi)
{
    return &fep->domain_hash[(sdi * 0x9e3779b9u >> 16) & (fep->domain_buckets - 1)];
}

/* NULL: it is not installed. */
static inline struct tss_domain *uet_sd_find(const struct uet_fep *fep, uint32_t sdi)
{
    struct tss_domain *own = *uet_sd_bucket(fep, sdi);
    while (own && own->sdi != sdi)
        own = own->next;
    return own;
}

/* The key of a slot becomes this one, which has sealed nothing yet. 0, or the negative errno of
 * uet_tss_setup: then the slot has none. */
int uet_sd_load(const struct uet_fep *fep, struct tss_slot *slot,
                const struct uet_tss_params *keys);
/* The slot has no key any more. */
void uet_sd_unload(struct tss_slot *slot);
/* Neither has the domain, and it is not there. */
void uet_sd_remove(struct uet_fep *fep, struct tss_domain *own);
/* The domain becomes this one, of the same SDI. Errors are those of uet_fep_domain_install: after
 * -EINVAL the old domain is still there, after any other it is gone. */
int uet_sd_replace(struct uet_fep *fep, struct tss_domain *own,
                   const struct uet_fep_domain *domain);
/* What a reset of the FEP leaves of them: all but a latch. */
void uet_sd_reset(struct uet_fep *fep);

/* ---- binding.c: who belongs to which domain ---- */

/* Under whose keys has the packet come? */
struct tss_context uet_sd_of_packet(const struct uet_fep *fep, const struct uet_packet *p);
/*
 * Under whose keys does the job send to that peer? False: nothing of it may go now. A server with
 * SSIs puts the client's into what it sends (TSS-029): to one that it has not heard of it cannot.
 */
bool uet_sd_of_secured_job(const struct uet_fep *fep, uint32_t job_id, const struct uet_ip *peer,
                           struct tss_context *tss);
static inline bool uet_sd_of_job(const struct uet_fep *fep, uint32_t job_id,
                                 const struct uet_ip *peer, struct tss_context *tss)
{
    *tss = (struct tss_context){.sealed = false};
    return !fep->secured || uet_sd_of_secured_job(fep, job_id, peer, tss);
}
/*
 * Under whose keys does an operation of the job go on that was begun so? What was begun in a domain
 * stays in it: never in clear, nor in one that serves the job by now. What was begun in clear goes
 * as the job does. False: nothing of it may go now.
 */
bool uet_sd_of_begun(const struct uet_fep *fep, const struct tss_context *begun, uint32_t job_id,
                     const struct uet_ip *peer, struct tss_context *tss);
/* Was it begun in a domain that was removed? Then nothing of it may go any more. */
static inline bool uet_sd_gone(const struct uet_fep *fep, const struct tss_context *begun)
{
    return begun->sealed && !uet_sd_find(fep, begun->sdi);
}
/* A packet of that client has opened. */
void uet_sd_client_heard(struct tss_domain *own, const struct uet_packet *p);
/* May packets of the job come so? */
bool uet_sd_serves(const struct uet_fep *fep, const struct tss_context *tss, uint32_t job_id);
static inline bool uet_sd_same(const struct tss_context *a, const struct tss_context *b)
{
    return a->sealed == b->sealed && a->sdi == b->sdi && a->ssi == b->ssi;
}
/* Counts one that does not, and why. */
void uet_sd_misbound(struct uet_fep *fep, const struct uet_packet *p,
                     const struct tss_context *of_pdc);
/* Does it fit the PDC, of which of_pdc is, and the job that it names? */
bool uet_sd_fits(const struct uet_fep *fep, const struct uet_packet *p,
                 const struct tss_context *of_pdc);

/* ---- open.c, seal.c: packets ---- */

/* May a packet with this header be opened with the key (TSS-040)? */
bool uet_sd_form_fits(const struct uet_tss_sa *sa, const struct uet_packet *p);
/* Counts a packet that is dropped; too many with a wrong ICV latch the domain. */
void uet_sd_drop(struct uet_fep *fep, const struct uet_packet *p, struct tss_domain *own,
                 uint16_t counter);

/*
 * A sealed packet has come, whole: a copy of its frame in which what was encrypted is in clear,
 * good until the next one comes; NULL: it is counted, and dropped in silence.
 */
const uint8_t *uet_sd_open(struct uet_fep *fep, const struct uet_packet *p);
/*
 * The same of one that a switch has cut: its bytes up to the cut, which nobody vouches for
 * (TSS-071, TSS-072).
 */
const uint8_t *uet_sd_peek(struct uet_fep *fep, const struct uet_packet *p);

/* The TSS header of a frame that is begun, for uet_sd_seal to fill in. */
void uet_sd_begin(const struct uet_fep *fep, struct uet_build *b, const struct tss_context *tss);
/*
 * A frame leaves: seals it, if it has a TSS header, with the key and the next counter of this
 * moment (TSS-020, TSS-021). Its length; 0: it may not go, and is counted.
 */
size_t uet_sd_seal(struct uet_fep *fep, uint8_t *frame, size_t len);

/* ---- start.c: where PDCs begin (3.5.8.2) ---- */

/* May the PDC of a peer begin there? If not, *wanted is where it may. */
bool uet_sd_start_ok(struct uet_fep *fep, const struct tss_context *tss, uint32_t start_psn,
                     uint32_t *wanted);
/* Where this FEP begins its own; false: at random. */
bool uet_sd_start_psn(const struct uet_fep *fep, const struct tss_context *tss,
                      uint32_t *start_psn);
/* A PDC of a peer has ended that used these PSNs: none begins below any more (TSS-066). */
void uet_sd_raise_floor(struct uet_fep *fep, const struct tss_context *tss, uint32_t start_psn,
                        uint32_t floor);
/* Does the domain tell its floor in Close ACKs (TSS-067)? */
bool uet_sd_tells_floor(const struct uet_fep *fep, const struct tss_context *tss, uint32_t *floor);
/*
 * An own PDC has ended, and none begins any more from this PSN on up to behind that one: those that
 * it used are among them.
 */
void uet_sd_leave_psns(struct uet_fep *fep, const struct tss_context *tss, uint32_t from,
                       uint32_t behind);
/* A peer has told its floor (TSS-068). */
void uet_sd_floor_told(struct uet_fep *fep, const struct tss_context *tss, uint32_t floor);

#endif
