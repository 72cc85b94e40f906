/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of the host share. */
#ifndef UET_REFIMPL_HOST_INTERNAL_H
#define UET_REFIMPL_HOST_INTERNAL_H

#include "refimpl/host/host.h"
#include "refimpl/host/keys.h"
#include "ut/args.h"

enum {
    JOB_ID_MAX = 0xffffff,   /* 24 bits (3.4.1.3.1) */
    PID_MAX = 0xfff,         /* 12 bits (3.4.1.3.2) */
    RI_MAX = 0xfff,          /* 12 bits (3.4.1.3.3) */
    COMPLETIONS_MAX = 65536, /* that nobody has waited for; later ones are counted and lost */
    ENDED = 16,              /* operations that completed last */
};

enum thing_kind { THING_REGION, THING_RECEIVE, THING_OPERATION };

/* What a handle names. */
struct thing {
    uint64_t handle;
    uint8_t kind;     /* enum thing_kind */
    int region;       /* the FEP's handle of a region; -1: it has none (any more) */
    bool withdrawn;   /* nobody finds it any more */
    uint8_t *base;    /* owned; NULL when length is 0 */
    uint32_t bytes;   /* at base */
    bool repost;      /* a receive that is posted again whenever it was filled */
    const char *verb; /* that started the operation */
    bool fetches;     /* its bytes are what has come: they stay when it is over */
    struct uet_receive receive;
};

/* A completion as `wait` tells it. */
struct told {
    uint64_t handle;
    const char *kind;
    bool tagged; /* it has match_bits, be they 0 */
    struct uet_completion completion;
};

/* Counters of a key that are written down as used (used.c). */
struct uet_host_used_key {
    uint64_t name; /* host_keys_name */
    uint64_t below;
    bool earlier; /* the file knows it from a life before, and this one has not had it yet */
    bool active;  /* the FEP has been told, of this slot: */
    uint8_t an;
    uint32_t sdi;
};

enum { UET_HOST_USED_KEYS = 512 };

struct uet_host_used {
    char *path, *fresh; /* NULL: nothing is written down */
    size_t n;
    struct uet_host_used_key keys[UET_HOST_USED_KEYS];
};

struct uet_host {
    struct uet_host_config config;
    struct uet_fep *fep;
    void *fep_memory;
    struct uet_host_io io;
    uint8_t *frame; /* UET_FRAME_MAX bytes */

    struct thing *things; /* by handle, rising */
    size_t n_things, cap_things;
    uint64_t next_handle;
    uint64_t bytes; /* in all things */

    struct told *told; /* ring */
    size_t n_told, first_told, cap_told;

    struct uet_host_used used;
    struct host_keys *keys;
    json_t *violations; /* what hello lists; made once, NULL before */
    json_t *bent;       /* what is broken now, as names of an object; NULL: nothing */
    uint64_t restarts;  /* each has other random numbers */

    bool looping; /* uet_host_run advances the FEP, after reading the frames that wait */

    struct ended {
        uint64_t handle;
        const char *verb; /* NULL: none */
    } ended[ENDED];       /* operations, a ring */
    size_t n_ended;
    uint64_t lost_frames, lost_completions, stray_completions;
};

uint64_t uet_host_now(struct uet_host *host);

/* Sends what the FEP has to send and takes its completions. */
void uet_host_pump(struct uet_host *host, uint64_t now_ns);

/* ---- host.c ---- */

/* Breaks one more rule of the FEP, also after a restart; NULL: mends all. -ENOENT, -ENOMEM. */
int uet_host_violate(struct uet_host *host, const char *id);

/* ---- things.c ---- */

/*
 * A new thing with `bytes` of memory (zeroed). The pointer is good until the next call. NULL when
 * there is no memory or the host's limit is reached.
 */
struct thing *uet_host_thing_new(struct uet_host *host, enum thing_kind kind, uint32_t bytes);
struct thing *uet_host_thing(struct uet_host *host, uint64_t handle);
struct thing *uet_host_thing_of_region(struct uet_host *host, uint64_t region);
void uet_host_thing_drop(struct uet_host *host, uint64_t handle);
void uet_host_things_clear(struct uet_host *host);

/* ---- completions.c ---- */

/* Takes all completions of the FEP; returns how many there were. */
size_t uet_host_take_completions(struct uet_host *host);
/* The oldest completion that was not told yet, NULL for none; good until the next call. */
const struct told *uet_host_tell(struct uet_host *host);
void uet_host_completions_clear(struct uet_host *host);

/* ---- used.c ---- */

/*
 * Writes down more counters for the slots that are about to need them. 0 or a negative errno: then
 * a slot that has a block goes on to its end, and one that has none seals nothing.
 */
int uet_host_reserve(struct uet_host *host);
/* The same, and a sentence in err on what is wrong. */
int uet_host_reserve_or_tell(struct uet_host *host, char *err, size_t size);
/* The FEP was made anew: it is told again what its slots may use. */
void uet_host_used_again(struct uet_host *host);
void uet_host_used_free(struct uet_host *host);

/* ---- verbs ---- */

/* Does the verb; adds to the reply, or fills args->error. */
typedef void verb_function(struct uet_host *host, struct uet_args *args, json_t *reply);

struct verb {
    const char *name;
    verb_function *function;
    const char *args[24]; /* that it takes */
};

/* secure.c: those of transport security */
verb_function uet_verb_install_domain, uet_verb_rotate, uet_verb_advance_counter,
    uet_verb_enable_domain, uet_verb_remove_domain, uet_verb_restart;

/* operate.c: the verbs that start an operation, i below their number */
size_t uet_operation_verbs(void);
const struct verb *uet_operation_verb(size_t i);
/* False: it starts an operation that this FEP goes without. */
bool uet_host_operates(const struct uet_host *host, const char *verb);

#endif
