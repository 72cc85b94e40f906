/* SPDX-License-Identifier: BSD-2-Clause */
/* What stands open at `uetcat listen`: receives for sends with and without tag, and memory. */
#ifndef UETCAT_LISTEN_SERVE_H
#define UETCAT_LISTEN_SERVE_H

#include "refimpl/fep.h"
#include "tools/place.h"

enum { LISTEN_MEMORY_MAX = 64, LISTEN_RECEIVES = 64 /* of each sort: messages under way */ };

struct listen_memory {
    struct uet_place place;
    uint64_t key;
    uint32_t length;
    uint8_t *bytes;
    const char *from, *save; /* files, or NULL */
};

struct listen_serve {
    struct uet_place place; /* of the receives */
    bool one_job;           /* only that of the place, else every one */
    bool have_tag;          /* only sends with these match bits, else with any */
    uint64_t tag;
    uint32_t size; /* of the largest send */
    struct listen_memory memory[LISTEN_MEMORY_MAX];
    size_t n_memory;
    uint8_t *room; /* for all receives */
};

/* "JOB:PID:RI:KEY:LEN" of --memory; false after a message. */
bool listen_serve_memory(struct listen_serve *s, const char *text);

/* Takes the memory, fills it from the files; false after a message. */
bool listen_serve_prepare(struct listen_serve *s);

/* Opens all of it at the FEP, which has room for it; false after a message. */
bool listen_serve_open(const struct listen_serve *s, struct uet_fep *fep);

/* The bytes that a completed receive was given, and whether that one was for tagged sends. */
const uint8_t *listen_serve_bytes(const struct listen_serve *s, uint64_t token, bool *tagged);

/* Posts the receive again. */
void listen_serve_again(const struct listen_serve *s, struct uet_fep *fep, uint64_t token);

/* Writes the memory to its files; false after a message. */
bool listen_serve_save(const struct listen_serve *s);

void listen_serve_close(struct listen_serve *s);

#endif
