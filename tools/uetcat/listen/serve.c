/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/listen/serve.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { GIVE_BACK = 1 << 20 }; /* a message so long leaves pages that nobody needs */

/* ---- memory ---- */

static bool fail(const char *what, const char *why)
{
    fprintf(stderr, "uetcat listen: %s: %s\n", what, why);
    return false;
}

bool listen_serve_memory(struct listen_serve *s, const char *text)
{
    struct listen_memory m = {0};
    const char *rest = uet_place_parse(text, &m.place), *end;
    if (s->n_memory == LISTEN_MEMORY_MAX)
        return fail("--memory", "at most 64 of them");
    if (rest && uet_place_number(rest, &m.key, &end) && *end == ':' &&
        uet_place_length(end + 1, &m.length)) {
        s->memory[s->n_memory++] = m;
        return true;
    }
    fprintf(stderr,
            "uetcat listen: --memory '%s': give JOB:PID:RI:KEY:LEN with LEN in bytes, KiB or MiB, "
            "for example 1:0:5:0x1:64KiB\n",
            text);
    return false;
}

static bool load(const struct listen_memory *m)
{
    FILE *f = fopen(m->from, "rbe");
    if (!f)
        return fail(m->from, strerror(errno));
    size_t n = fread(m->bytes, 1, m->length, f);
    const char *why = ferror(f)                          ? strerror(errno)
                      : n == m->length && getc(f) != EOF ? "is longer than the memory"
                                                         : NULL;
    fclose(f);
    return why ? fail(m->from, why) : true;
}

static bool save(const struct listen_memory *m)
{
    FILE *f = fopen(m->save, "wbe");
    bool good = f && fwrite(m->bytes, 1, m->length, f) == m->length;
    if (f && fclose(f) != 0)
        good = false;
    return good ? true : fail(m->save, strerror(errno));
}

/* ---- receives ---- */

static size_t room_of(const struct listen_serve *s)
{
    return (size_t)2 * LISTEN_RECEIVES * s->size;
}

/* The tokens below LISTEN_RECEIVES are those of sends without tag. */
static struct uet_receive receive_of(const struct listen_serve *s, uint64_t token)
{
    const bool tagged = token >= LISTEN_RECEIVES;
    return (struct uet_receive){.job_id = s->place.job_id,
                                .any_job = !s->one_job,
                                .pid_on_fep = s->place.pid_on_fep,
                                .resource_index = s->place.resource_index,
                                .base = s->room + token * s->size,
                                .length = s->size,
                                .token = token,
                                .tagged = tagged,
                                .any_initiator = tagged,
                                .match_bits = tagged ? s->tag : 0,
                                .ignore = tagged && !s->have_tag ? UINT64_MAX : 0};
}

const uint8_t *listen_serve_bytes(const struct listen_serve *s, uint64_t token, bool *tagged)
{
    *tagged = token >= LISTEN_RECEIVES;
    return s->room + token * s->size;
}

void listen_serve_again(const struct listen_serve *s, struct uet_fep *fep, uint64_t token)
{
    const struct uet_receive v = receive_of(s, token);
    if (s->size >= GIVE_BACK)
        (void)madvise(v.base, v.length, MADV_DONTNEED);
    (void)uet_fep_post_receive(fep, &v); /* which has just given back its place */
}

/* ---- all ---- */

bool listen_serve_prepare(struct listen_serve *s)
{
    /* Pages that nothing was written to cost nothing. */
    s->room = mmap(NULL, room_of(s), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (s->room == MAP_FAILED) {
        s->room = NULL;
        return fail("--size", "not enough memory for so long messages");
    }
    for (size_t i = 0; i < s->n_memory; i++) {
        struct listen_memory *m = &s->memory[i];
        m->bytes = calloc(1, m->length);
        if (!m->bytes)
            return fail("--memory", strerror(ENOMEM));
        if (m->from && !load(m))
            return false;
    }
    return true;
}

static int open_index(struct uet_fep *fep, const struct uet_place *at, uint8_t ri_class)
{
    const struct uet_service service = {.job_id = at->job_id,
                                        .pid_on_fep = at->pid_on_fep,
                                        .resource_index = at->resource_index,
                                        .ri_class = ri_class};
    int e = uet_fep_service_add(fep, &service);
    return e == -EEXIST ? 0 : e;
}

static int open_memory(struct uet_fep *fep, const struct listen_memory *m)
{
    const struct uet_region region = {.job_id = m->place.job_id,
                                      .pid_on_fep = m->place.pid_on_fep,
                                      .resource_index = m->place.resource_index,
                                      .key = m->key,
                                      .rights = UET_RIGHT_READ | UET_RIGHT_WRITE,
                                      .base = m->bytes,
                                      .length = m->length};
    int e = open_index(fep, &m->place, UET_RI_RMA);
    if (e == 0)
        e = uet_fep_region_add(fep, &region);
    return e < 0 ? e : 0;
}

bool listen_serve_open(const struct listen_serve *s, struct uet_fep *fep)
{
    int e = open_index(fep, &s->place, UET_RI_SEND);
    if (e == 0)
        e = open_index(fep, &s->place, UET_RI_TAGGED);
    for (uint64_t token = 0; token < 2 * LISTEN_RECEIVES && e == 0; token++) {
        const struct uet_receive v = receive_of(s, token);
        e = uet_fep_post_receive(fep, &v);
    }
    if (e)
        return fail("receives", strerror(-e));
    for (size_t i = 0; i < s->n_memory; i++) {
        e = open_memory(fep, &s->memory[i]);
        if (e)
            return fail("--memory", e == -EEXIST   ? "a key is given twice"
                                    : e == -EINVAL ? "a user's key has its upper bits 0 (SES-161)"
                                                   : strerror(-e));
    }
    return true;
}

bool listen_serve_save(const struct listen_serve *s)
{
    bool good = true;
    for (size_t i = 0; i < s->n_memory; i++)
        if (s->memory[i].save && !save(&s->memory[i]))
            good = false;
    return good;
}

void listen_serve_close(struct listen_serve *s)
{
    if (s->room)
        munmap(s->room, room_of(s));
    for (size_t i = 0; i < s->n_memory; i++)
        free(s->memory[i].bytes);
}
