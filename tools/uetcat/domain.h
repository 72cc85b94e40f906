/* SPDX-License-Identifier: BSD-2-Clause */
/* The secure domains (3.7) by which a client of uetcat speaks: --keys. */
#ifndef UETCAT_DOMAIN_H
#define UETCAT_DOMAIN_H

#include "refimpl/fep.h"
#include "wire/captured/reader.h"

struct uetcat_domain {
    struct uet_keyfile *file;
    struct uet_keyring *ring; /* opens what was sent and received, for who watches */
    bool told;                /* that the FEP has our SSI */
};

/* Reads the keys; false after a message. */
bool uetcat_domain_open(struct uetcat_domain *d, const char *command, const char *path);

/* Whether they can be read, before anything is sent; false after a message. */
bool uetcat_domain_readable(const char *command, const char *path);

/* Does a domain of the file serve the job, so that its packets are sealed? */
bool uetcat_domain_serves(const struct uetcat_domain *d, uint32_t job_id);

/* Has a packet of any of its domains an SSI in its TSS header? */
bool uetcat_domain_has_ssi(const struct uetcat_domain *d);

/*
 * Looks at a packet that the other side sent, as it is or opened: where it has the SSI that we seal
 * with in its domain, as by the key file of the FEP itself, that is told on standard error, once.
 * An SSI is one sender's: only the counters keep the IVs of two apart (TSS-018). Without keys,
 * nothing.
 */
void uetcat_domain_heard(struct uetcat_domain *d, const char *command, const struct uet_packet *p);

/*
 * Installs all domains in the FEP. Counters begin with the time of day, in steps of 2^-18 s, so
 * that no two runs of uetcat seal with the same IV (TSS-018). False after a message.
 */
bool uetcat_domain_install(const struct uetcat_domain *d, const char *command, struct uet_fep *fep);

/* How packets are sealed that no FEP sends: the key, and how far it is used. */
struct uetcat_seal {
    uint32_t sdi;
    struct uet_tss_sa sa;
    struct uet_tss_sender sender;
};

struct uetcat_seals {
    struct uetcat_seal *of; /* one for each domain of the file */
    size_t n;
};

/*
 * Keys of all domains, to seal with as uetcat_domain_install has it. False after a message. In both
 * cases uetcat_seals_close, which wipes them.
 */
bool uetcat_seals_open(struct uetcat_seals *s, const struct uetcat_domain *d, const char *command);
void uetcat_seals_close(struct uetcat_seals *s);

/*
 * Seals a frame in clear, of len bytes in a buffer of cap, where it stands; ip_protocol: of native
 * IP, 0 stands for 253. Its new length, or 0 after a message.
 */
size_t uetcat_seals_frame(struct uetcat_seals *s, const char *command, uint32_t sdi, uint8_t *frame,
                          size_t len, size_t cap, uint8_t ip_protocol);

/* Wipes the keys. */
void uetcat_domain_close(struct uetcat_domain *d);

#endif
