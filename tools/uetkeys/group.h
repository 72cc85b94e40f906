/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A secure domain and its members, as uetkeys serves it: two slots of keys, the AN that is sealed
 * with, the epoch, and what each member has been told. No socket and no clock: times come in as
 * nanoseconds, and who serves looks at what is to be told.
 *
 * A re-key has three steps, each told to all members (3.7, TSS-033 to TSS-036):
 *   load    the new key is in the idle slot, and is opened with
 *   switch  it is sealed with: counter and epoch begin at 0
 *   retire  the old key is gone
 * A step begins when each member that is connected has said that it has the one before, or was
 * silent too long, and a while after that: for FEPs that read their file, and for packets on their
 * way.
 */
#ifndef UET_TOOLS_UETKEYS_GROUP_H
#define UET_TOOLS_UETKEYS_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/tss.h"

enum { GROUP_MEMBERS_MAX = 64, MEMBER_NAME_MAX = 64 };

struct group_config {
    uint32_t sdi;
    uint8_t mode;             /* enum uet_tss_mode */
    bool ssi;                 /* packets carry an SSI; always in modes direct and server */
    const char *server;       /* mode server: the member that is the server */
    const char *start, *jobs; /* columns of UET_DOMAIN; NULL: left out */
    uint64_t settle_ns;       /* between the steps of a re-key, after all have the last */
    uint64_t answer_ns;       /* how long a member may take to say that it has a step */
    uint64_t every_ns;        /* a re-key by itself; 0: never */
};

struct member {
    char name[MEMBER_NAME_MAX];
    uint32_t ssi;  /* its own; never given to another */
    bool here;     /* connected */
    uint64_t told; /* the number of the news it was told last, and ... */
    uint64_t has;  /* ... of those that it has */
};

enum group_step { STEP_NONE, STEP_LOAD, STEP_SWITCH, STEP_RETIRE, STEP_EPOCH };

/* Keys of the two slots: in memory of uet_secret_new. */
struct group_keys {
    uint8_t key[2][UET_TSS_KEY_LEN];
    bool there[2];
};

struct group {
    struct group_config config;
    struct group_keys *keys;
    uint8_t tx;
    uint16_t epoch[2]; /* of each slot */
    uint32_t next_ssi;
    struct member members[GROUP_MEMBERS_MAX];
    size_t n_members;
    uint64_t news;     /* of the last change; what members are told until they have it */
    uint8_t step;      /* enum group_step, of the last change while it goes on */
    bool settles;      /* all have it: until due_ns nothing else happens */
    uint64_t due_ns;   /* of the step */
    uint64_t rekey_ns; /* the next one by itself; UINT64_MAX: never */
    uint64_t n_rekeys;
};

/* With a first key in slot 0. False: no memory, or the system gives no random bytes. */
bool group_begin(struct group *g, const struct group_config *config, uint64_t now_ns);
void group_end(struct group *g); /* wipes */

/* What is asked for begins; NULL, or why it cannot. */
const char *group_rekey(struct group *g, uint64_t now_ns);
/* A new member; one that is there already has come back without its counters: a new epoch. */
const char *group_join(struct group *g, const char *name, uint64_t now_ns);
/* It gets nothing any more; a re-key begins, so that its keys open nothing. */
const char *group_leave(struct group *g, const char *name, uint64_t now_ns);
const char *group_epoch(struct group *g, uint64_t now_ns);

struct member *group_find(struct group *g, const char *name);
/* Says what the member has. */
void group_has(struct group *g, struct member *m, uint64_t news, uint64_t now_ns);

/* Does what is due; then look for members that are here and were not told g->news. */
void group_advance(struct group *g, uint64_t now_ns);
uint64_t group_deadline(const struct group *g);

const char *group_step_name(const struct group *g);

/*
 * The key file of a member, at most size bytes with the NUL; its length, 0 when it does not fit or
 * nothing could be derived. The caller wipes it.
 */
size_t group_file(const struct group *g, const struct member *m, char *out, size_t size);
#define GROUP_FILE_MAX 2048u

#endif
