/* SPDX-License-Identifier: BSD-2-Clause */
/* The secure domains (3.7) by which a client of uetcat speaks: --keys. */
#ifndef UETCAT_DOMAIN_H
#define UETCAT_DOMAIN_H

#include "refimpl/fep.h"
#include "wire/captured/reader.h"

struct uetcat_domain {
    struct uet_keyfile *file;
    struct uet_keyring *ring; /* opens what was sent and received, for who watches */
};

/* Reads the keys; false after a message. */
bool uetcat_domain_open(struct uetcat_domain *d, const char *command, const char *path);

/* Whether they can be read, before anything is sent; false after a message. */
bool uetcat_domain_readable(const char *command, const char *path);

/* Does a domain of the file serve the job, so that its packets are sealed? */
bool uetcat_domain_serves(const struct uetcat_domain *d, uint32_t job_id);

/*
 * Installs all domains in the FEP. Counters begin with the time of day, in steps of 2^-18 s, so
 * that no two runs of uetcat seal with the same IV (TSS-018). False after a message.
 */
bool uetcat_domain_install(const struct uetcat_domain *d, const char *command, struct uet_fep *fep);

/* Wipes the keys. */
void uetcat_domain_close(struct uetcat_domain *d);

#endif
