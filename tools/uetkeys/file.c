/* SPDX-License-Identifier: BSD-2-Clause */
/* The key file of a member (wire/keyfile.h). */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/uetkeys/group.h"

struct text {
    char *out;
    size_t n, size;
    bool good;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *format, ...)
{
    va_list list;

    if (!t->good)
        return;
    va_start(list, format);
    int n = vsnprintf(t->out + t->n, t->size - t->n, format, list);
    va_end(list);
    t->good = n >= 0 && (size_t)n < t->size - t->n;
    t->n += t->good ? (size_t)n : 0;
}

/* Digit by digit: printf would keep a copy of each. */
static void add_hex(struct text *t, const uint8_t *bytes, size_t n)
{
    static const char digits[] = "0123456789abcdef";

    t->good = t->good && t->size - t->n > 2 * n;
    for (size_t i = 0; t->good && i < n; i++) {
        t->out[t->n++] = digits[bytes[i] >> 4];
        t->out[t->n++] = digits[bytes[i] & 15];
    }
    if (t->good)
        t->out[t->n] = '\0';
}

/* A client of a server gets what is derived for it (TSS-028), and so never the server's key. */
static void add_derived(struct text *t, const struct group *g, const struct member *m, uint8_t an)
{
    const uint8_t ssi[4] = {(uint8_t)(m->ssi >> 24), (uint8_t)(m->ssi >> 16),
                            (uint8_t)(m->ssi >> 8), (uint8_t)m->ssi};
    uint8_t derived[UET_TSS_DERIVED_LEN] = {0};
    struct uet_tss_context context;

    uet_tss_context_4(&context, g->epoch[an], 0, ssi);
    t->good =
        t->good && uet_tss_derive(derived, g->keys->key[an], UET_TSS_LABEL_SERVER, &context) == 0;
    add(t, " mode=direct ssi=yes key=");
    add_hex(t, derived, UET_TSS_KEY_LEN);
    add(t, " iv_mask=");
    add_hex(t, derived + UET_TSS_KEY_LEN, UET_TSS_IV_LEN);
    add(t, "\n");
    uet_tss_wipe(derived, sizeof derived);
}

static void add_key(struct text *t, const struct group *g, const struct member *m, uint8_t an)
{
    static const char *const modes[] = {[UET_TSS_MODE_DIRECT] = "direct",
                                        [UET_TSS_MODE_CLUSTER] = "cluster",
                                        [UET_TSS_MODE_SERVER] = "server"};
    const struct group_config *c = &g->config;

    add(t, "UET_SD sdi=0x%06" PRIx32 " an=%u", c->sdi, an);
    if (c->mode == UET_TSS_MODE_SERVER && strcmp(m->name, c->server) != 0) {
        add_derived(t, g, m, an);
        return;
    }
    add(t, " mode=%s ssi=%s key=", modes[c->mode], c->ssi ? "yes" : "no");
    add_hex(t, g->keys->key[an], UET_TSS_KEY_LEN);
    add(t, "\n");
}

size_t group_file(const struct group *g, const struct member *m, char *out, size_t size)
{
    const struct group_config *c = &g->config;
    struct text t = {.out = out, .size = size, .good = true};

    add(&t, "# keys of %s, from uetkeys: nobody else may read them\n", m->name);
    for (uint8_t an = 0; an < 2; an++)
        if (g->keys->there[an])
            add_key(&t, g, m, an);
    add(&t, "UET_DOMAIN sdi=0x%06" PRIx32 " tx=%u epoch=%u", c->sdi, g->tx, g->epoch[g->tx]);
    if (c->ssi)
        add(&t, " ssi=%" PRIu32, m->ssi);
    if (c->start)
        add(&t, " start=%s", c->start);
    if (c->jobs)
        add(&t, " jobs=%s", c->jobs);
    add(&t, "\n");
    return t.good ? t.n : 0;
}
