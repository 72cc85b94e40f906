/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters over a restart (TSS-018): a file says below which counter each key has been, or may
 * have been, used, in whichever slot it was. Counters are taken in blocks: the file is on the disk
 * before the first of a block is used, and the FEP itself stops at the end of it. So a FEP that is
 * killed wastes some, and none is used twice. A line each, with a name of the key that tells
 * nothing of it; the oldest first, and forgotten when there is no room:
 *
 *     UET_USED key=0123456789abcdef below=1048576
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "refimpl/host/internal.h"

#define BLOCK (UINT64_C(1) << 20)

/* The row of a key, made where there is none: then the oldest goes that the FEP has not. */
static struct uet_host_used_key *row_of(struct uet_host *host, uint64_t name)
{
    struct uet_host_used *used = &host->used;
    size_t old = 0;

    for (size_t i = 0; i < used->n; i++)
        if (used->keys[i].name == name)
            return &used->keys[i];
    while (old < used->n && used->keys[old].active)
        old++;
    if (used->n == UET_HOST_USED_KEYS && old == used->n)
        return NULL;
    if (used->n == UET_HOST_USED_KEYS)
        memmove(&used->keys[old], &used->keys[old + 1], (--used->n - old) * sizeof(used->keys[0]));
    used->keys[used->n] = (struct uet_host_used_key){.name = name};
    return &used->keys[used->n++];
}

static int read_lines(struct uet_host *host, FILE *file)
{
    char line[200];
    uint64_t name, below;

    while (fgets(line, sizeof(line), file)) {
        if (sscanf(line, "UET_USED key=%16" SCNx64 " below=%" SCNu64, &name, &below) != 2 ||
            below > UET_TSS_COUNTER_MAX)
            return -EINVAL;
        struct uet_host_used_key *key = row_of(host, name);

        if (key) {
            key->below = below;
            key->earlier = below > 0;
        }
    }
    return ferror(file) ? -EIO : 0;
}

/* The whole file anew, or the old one as it was. */
static int write_file(const struct uet_host_used *used)
{
    int fd = open(used->fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    bool good = file != NULL;

    for (size_t i = 0; good && i < used->n; i++)
        good = fprintf(file, "UET_USED key=%016" PRIx64 " below=%" PRIu64 "\n", used->keys[i].name,
                       used->keys[i].below) > 0;
    good = good && fflush(file) == 0 && fsync(fd) == 0;
    int rc = good ? 0 : -errno;

    if (file ? fclose(file) != 0 : fd >= 0 && close(fd) != 0)
        rc = rc ? rc : -errno;
    if (rc == 0 && rename(used->fresh, used->path) != 0)
        rc = -errno;
    return rc;
}

/* The slot has another key now: what the FEP was told of the one before holds no more. */
static void tell_anew(struct uet_host *host, const struct uet_host_used_key *key, uint32_t sdi,
                      uint8_t an)
{
    for (size_t i = 0; i < host->used.n; i++) {
        struct uet_host_used_key *other = &host->used.keys[i];

        if (other != key && other->active && other->sdi == sdi && other->an == an)
            other->active = false;
    }
}

/*
 * Of the life before it is known what counters were used, but not how far the floors had come: what
 * was recorded then must not open a PDC now, so peers are told where to begin (TSS-056).
 */
static void forget_floor(struct uet_host *host, uint32_t sdi)
{
    (void)uet_fep_domain_start(host->fep, sdi, UET_RANDOM_1RTT_START);
}

/*
 * Nothing more is sealed with the key of the slot: that its counters were used could not be told
 * after a restart.
 */
static void stop(struct uet_host *host, uint32_t sdi, uint8_t an, uint64_t next)
{
    uint64_t limit = next ? next : 1; /* 0 would be none */

    (void)uet_fep_domain_reserve(host->fep, sdi, an, limit, limit);
}

/* One more block for the key of a slot that has less than half a block left. */
static int reserve(struct uet_host *host, uint32_t sdi, uint8_t an, uint64_t next)
{
    uint64_t name;
    struct uet_host_used_key *key =
        host_keys_name(host->keys, sdi, an, &name) ? row_of(host, name) : NULL;

    if (!key) { /* nobody knows what it was used for */
        forget_floor(host, sdi);
        stop(host, sdi, an, next);
        return -E2BIG;
    }
    if (key->earlier)
        forget_floor(host, sdi);
    key->earlier = false;
    bool active = key->active && key->sdi == sdi && key->an == an;
    if (active && next + BLOCK / 2 < key->below) /* told again: the key may have gone and come */
        return uet_fep_domain_reserve(host->fep, sdi, an, next, key->below);
    uint64_t before = key->below, from = active ? next : before;
    uint64_t top = before > next ? before : next;

    key->below = top > UET_TSS_COUNTER_MAX - BLOCK ? UET_TSS_COUNTER_MAX : top + BLOCK;
    if (key->below == before && active)
        return 0;
    int rc = write_file(&host->used);

    if (rc) {
        key->below = before;
        if (!active)
            stop(host, sdi, an, before);
        return rc;
    }
    tell_anew(host, key, sdi, an);
    key->active = true;
    key->sdi = sdi;
    key->an = an;
    return uet_fep_domain_reserve(host->fep, sdi, an, from, key->below);
}

int uet_host_reserve(struct uet_host *host)
{
    struct uet_fep_domain_state d;
    int rc = 0;

    /* One that fails leaves the others none the wiser: each has a floor that may be lost. */
    for (size_t i = 0; host->used.path && uet_fep_domain_get(host->fep, i, &d); i++)
        for (uint8_t an = 0; an < 2; an++) {
            int wrong = d.has_key[an] ? reserve(host, d.sdi, an, d.next_of[an]) : 0;

            rc = rc ? rc : wrong;
        }
    return rc;
}

/* Says in err why not. */
static int tell(const char *path, int rc, char *err, size_t size)
{
    if (rc)
        snprintf(
            err, size,
            "%s: the counters used so far cannot be kept there (with a key that is new nothing "
            "is sealed): %s",
            path, rc == -EINVAL ? "a line is wrong" : strerror(-rc));
    return rc;
}

int uet_host_reserve_or_tell(struct uet_host *host, char *err, size_t size)
{
    return tell(host->used.path, uet_host_reserve(host), err, size);
}

int uet_host_remember(struct uet_host *host, const char *path, char *err, size_t size)
{
    struct uet_host_used *used = &host->used;
    size_t n = strlen(path) + sizeof(".new");
    FILE *file = fopen(path, "re");
    int rc = file || errno == ENOENT ? 0 : -errno;

    if (file)
        rc = read_lines(host, file);
    if (file && fclose(file) != 0 && rc == 0)
        rc = -errno;
    used->path = strdup(path);
    used->fresh = malloc(n);
    if (rc == 0 && !(used->path && used->fresh))
        rc = -ENOMEM;
    if (rc == 0) {
        snprintf(used->fresh, n, "%s.new", path);
        rc = uet_host_reserve(host);
    }
    return tell(path, rc, err, size);
}

void uet_host_used_again(struct uet_host *host)
{
    for (size_t i = 0; i < host->used.n; i++)
        host->used.keys[i].active = false;
}

void uet_host_used_free(struct uet_host *host)
{
    free(host->used.path);
    free(host->used.fresh);
}
