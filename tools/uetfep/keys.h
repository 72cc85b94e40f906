/* SPDX-License-Identifier: BSD-2-Clause */
/* --keys, --counters, --sdi and --start: the secure domains of the FEP (3.7). */
#ifndef UET_TOOLS_UETFEP_KEYS_H
#define UET_TOOLS_UETFEP_KEYS_H

#include "refimpl/host/host.h"

struct keys {
    const char *path; /* NULL: none */
    bool one;         /* of the domains of the file only this: */
    uint32_t sdi;
    const char *start; /* NULL: as the file says */
    const char *used;  /* NULL: beside the file; "none": nowhere */
    struct uet_host *host;
    int watch; /* of the file, -1: the system has no more watches */
};

/* As of any option: -1 to go on, or the exit status after a line on stderr. */
int keys_take_sdi(struct keys *keys, const char *text);
int keys_take_start(struct keys *keys, const char *text);

/* A seed that nobody knows: with security a Start_PSN must not be guessed (TSS-059). */
bool keys_unguessable(uint64_t *seed);

/*
 * Reads the file, installs what it says, and watches it from now on. 0, or the exit status after a
 * line on stderr. To be closed.
 */
int keys_install(struct keys *keys, struct uet_host *host);

/* Takes what the watch tells: a file that is wrong is told, and changes nothing. ctx: the keys. */
void keys_follow(void *ctx);

/* A packet was not sent for want of a counter: a line on stderr for each key that is used up, once.
 * ctx: the keys. */
void keys_refused(void *ctx);

void keys_close(struct keys *keys);

#endif
