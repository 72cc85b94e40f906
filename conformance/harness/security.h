/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The secure domains (3.7.4) that the tester shares with the FEP: what their key file tells
 * (wire/keyfile.h), the tester's own counters, and what is known of the Start_PSN that a target
 * takes (3.5.8.2). They live as long as the run: no IV comes twice in it, whatever the test.
 *
 * Sealing and opening stand over wire/tss.h alone; the FEP under test has its own way there.
 */
#ifndef UET_CONFORMANCE_SECURITY_H
#define UET_CONFORMANCE_SECURITY_H

#include "conformance/harness/dut.h"
#include "wire/keyfile.h"

/* What public sources leave open of how a packet is sealed (wire/tss_bits.h): ways to read it. */
enum { UET_SEALING_READINGS = 4 };

struct uet_domain {
    const struct uet_key_domain *told; /* the key file's line, of the FEP */
    const struct uet_key *key[2];      /* the file's, by AN; NULL: there is none */
    uint8_t mode;                      /* enum uet_tss_mode, as in the key file */
    bool ssi_mode;
    uint8_t an;      /* that the tester seals with */
    uint8_t reading; /* in which the FEP's packets opened, and the tester's are sealed */
    struct uet_tss_sender sender[2];                     /* by AN */
    struct uet_tss_sa *sealing[2][UET_SEALING_READINGS]; /* NULL: there is no key */
    struct uet_tss_sa *opening[2][UET_SEALING_READINGS]; /* another in server mode */
    uint32_t floor;   /* a Start_PSN that the FEP takes, and above which the tester has used none */
    uint32_t begun;   /* the same when the test began: the FEP's own floor moves when PDCs close */
    bool floor_known; /* it was found out in this run ... */
    const void *floor_at; /* ... at the FEP of this session: by another address it may be another */
    uint32_t wrong;       /* packets of this run that no key opens: the FEP may count them */
    uint32_t wrong_begun; /* the same when the FEP was reset last */
    bool says_start;      /* there is none: the FEP says of each PDC where to begin */
};

/*
 * Domains of a key file, which must outlive them. `first`: the tester's first counter, so that no
 * other run with these keys has the same. NULL and one line in err: no memory, or no such SDI.
 */
struct uet_security *uet_security_new(const struct uet_keyfile *keys, uint32_t sdi, uint64_t first,
                                      char *err, size_t errlen);

/* Wipes what came of the keys. NULL is fine. */
void uet_security_free(struct uet_security *security);

/* The i-th domain of the file, and that in which tests run that do not ask for another. */
struct uet_domain *uet_security_domain(struct uet_security *security, size_t i);
struct uet_domain *uet_security_ordinary(struct uet_security *security);

/*
 * Another one than that whose keys are of this kind: `value` of a place of UET_OVER_KEYS (point.h).
 * Where the file has several, one whose target begins PDCs as that one's. One without SSIs may be
 * one with them, where IPv6 needs them (TSS-017). NULL: there is none.
 */
struct uet_domain *uet_security_of_kind(struct uet_security *security, uint32_t kind);

/*
 * A domain that the key file does not have, for one test, with settings like those of another one:
 * one key of 32 bytes that nobody has used, in that epoch. job: it serves that one alone, NULL:
 * those of the other. NULL: no memory is left.
 */
struct uet_domain *uet_security_guest(struct uet_security *security, const struct uet_domain *like,
                                      uint32_t sdi, const uint8_t *key, const uint32_t *job,
                                      uint16_t epoch);

/* That one gets another key of 32 bytes, in its other slot. False: no memory is left. */
bool uet_security_guest_key(struct uet_security *security, const uint8_t *key);

/* A test begins. */
void uet_security_begin(struct uet_security *security);

/* The FEP was reset: it counts wrong ICVs anew. */
void uet_security_reset(struct uet_security *security);

/* The FEP has begun anew, and may have lost its floors: they are found out again. */
void uet_security_restarted(struct uet_security *security);

/* The domain of that SDI, or NULL. */
struct uet_domain *uet_security_find(struct uet_security *security, uint32_t sdi);

/* Does a domain serve the job? And the first that does; NULL: none, its packets go in clear. */
bool uet_domain_serves(const struct uet_domain *d, uint32_t job_id);
struct uet_domain *uet_security_of_job(struct uet_security *security, uint32_t job_id);

/*
 * The slot's key becomes that of 32 bytes, and NULL: that of the key file again, which has one of
 * it. All else is as the file says. False: no memory is left.
 */
bool uet_security_put(struct uet_domain *d, uint8_t an, const uint8_t *key);

/* "U1", "U2 (TSS-012): ...": what a reading says otherwise than the recommended one. */
const char *uet_sealing_reading_name(uint8_t reading);

/*
 * Opens a frame of the FEP: clear, of the same length, becomes the frame with what was encrypted in
 * clear. The readings are tried one after the other, the last that was right first.
 */
enum uet_tss_status uet_security_open(struct uet_security *security, const uint8_t *frame,
                                      size_t len, const struct uet_tss_place *at, uint8_t *clear);

/* ---- keys of a run that needs no others ---- */

/* "cluster", "cluster-ssi", "cluster-rekey", "direct", "server", "server-ssi", "direct-ssi",
 * "beside", NULL. */
extern const char *const uet_secure_modes[];

/* "beside": its domains serve a job each, and all other jobs go in clear. */
bool uet_secure_has_clear_jobs(const char *mode);

/*
 * A key file for the reference FEP, with keys that follow from the seed: domain 1, in which tests
 * run, and beside it domain 2, whose target begins at random (RANDOM_1RTT_START), and some more
 * with other SDIs. mode: a place in uet_secure_modes. With cluster-rekey domain 1 rekeys by itself
 * (TSS-032), and seals with AN 1 in epoch 40. With server, encryption begins amid the headers
 * (TSS-014). Domain 2 is of another mode than domain 1, and of the others there is one for each
 * place of UET_OVER_KEYS (point.h). With beside the SDIs and keys are others, so that one log can
 * have both. Written as snprintf does.
 */
int uet_secure_keys_of_seed(char *out, size_t size, uint64_t seed, uint8_t mode, bool ipv6);

#endif
