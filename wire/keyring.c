/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/keyring.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Nobody needs as many; they bound what a file can make of memory. */
#define KEYS_MAX 4096
#define LINE_CAP 1024

enum { AN_ANY = 2 };
enum { SSI_ANY, SSI_NO, SSI_YES };
enum { KEYING_DIRECT, KEYING_CLUSTER, KEYING_SERVER };

/* Ways to read what the sources leave open: for whom a key is derived, and what is authenticated.
 */
#define WAYS_MAX 8

/* One line, while it is read. */
struct line {
    struct uet_tss_params params;
    uint8_t an, ssi, keying;
    bool has_sdi, has_key, has_iv_mask;
};

struct entry {
    uint32_t sdi;
    uint8_t an, ssi;
    uint8_t n_ways, last; /* last: the way that opened a packet, tried first */
    struct uet_tss_sa ways[WAYS_MAX];
};

struct uet_keyring {
    size_t n, cap;
    struct entry **entries; /* one by one: an association must not move */
};

/* ---- the file ---- */

struct word {
    const char *text;
    uint8_t value;
};

static const struct word ans[] = {{"0", 0}, {"1", 1}, {"any", AN_ANY}, {NULL, 0}};
static const struct word ssis[] = {{"any", SSI_ANY}, {"no", SSI_NO}, {"yes", SSI_YES}, {NULL, 0}};
static const struct word keyings[] = {
    {"direct", KEYING_DIRECT}, {"cluster", KEYING_CLUSTER}, {"server", KEYING_SERVER}, {NULL, 0}};

static bool word(const char *text, const struct word *of, uint8_t *out)
{
    for (; of->text; of++)
        if (strcmp(text, of->text) == 0) {
            *out = of->value;
            return true;
        }
    return false;
}

static bool number(const char *text, uint64_t max, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 0);
    return isdigit((unsigned char)text[0]) && !*end && !errno && *out <= max;
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool hex(const char *text, uint8_t *out, size_t n)
{
    if (strlen(text) != 2 * n)
        return false;
    for (size_t i = 0; i < n; i++) {
        int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        out[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

/* "column=value"; what is wrong with it, or NULL. */
static const char *take_column(struct line *l, const char *column, const char *value)
{
    struct uet_tss_params *p = &l->params;
    uint64_t n;
    if (strcmp(column, "sdi") == 0) {
        l->has_sdi = number(value, 0xffffff, &n);
        p->sdi = (uint32_t)n;
        return l->has_sdi ? NULL : "sdi is a number of 24 bits, as 0x000001";
    }
    if (strcmp(column, "an") == 0)
        return word(value, ans, &l->an) ? NULL : "an is 0, 1 or any";
    if (strcmp(column, "mode") == 0)
        return word(value, keyings, &l->keying) ? NULL : "mode is direct, cluster or server";
    if (strcmp(column, "ssi") == 0)
        return word(value, ssis, &l->ssi) ? NULL : "ssi is any, no or yes";
    if (strcmp(column, "key") == 0) {
        l->has_key = hex(value, p->key, sizeof p->key);
        return l->has_key ? NULL : "the key is 32 bytes long: 64 hexadecimal digits (AES-256)";
    }
    if (strcmp(column, "iv_mask") == 0) {
        l->has_iv_mask = hex(value, p->iv_mask, sizeof p->iv_mask);
        return l->has_iv_mask || !*value ? NULL
                                         : "the IV mask is 12 bytes long: 24 hexadecimal digits";
    }
    if (strcmp(column, "rekey_mask") == 0)
        return number(value, UET_TSS_COUNTER_MAX, &p->rekey_mask)
                   ? NULL
                   : "rekey_mask is a number of 48 bits";
    if (strcmp(column, "rekey_shift") == 0) {
        bool good = number(value, 47, &n);
        p->rekey_shift = (uint8_t)n;
        return good ? NULL : "rekey_shift is a number from 0 to 47";
    }
    if (strcmp(column, "encrypt_from") == 0) {
        bool good = number(value, UINT16_MAX, &n);
        p->encrypt_from = (uint16_t)n;
        return good ? NULL : "encrypt_from is a number of bytes up to 65535";
    }
    if (strcmp(column, "name") == 0)
        return NULL; /* for people */
    return "unknown column: sdi, an, mode, ssi, key, iv_mask, rekey_mask, rekey_shift, "
           "encrypt_from, name are known";
}

static const char *take_line(struct line *l, char *text)
{
    static const uint8_t modes[] = {[KEYING_DIRECT] = UET_TSS_MODE_DIRECT,
                                    [KEYING_CLUSTER] = UET_TSS_MODE_CLUSTER,
                                    [KEYING_SERVER] = UET_TSS_MODE_SERVER};
    char *rest;
    strtok_r(text, " \t\r\n", &rest);
    for (char *part; (part = strtok_r(NULL, " \t\r\n", &rest));) {
        char *value = strchr(part, '=');
        if (!value)
            return "expected column=value";
        *value++ = '\0';
        const char *wrong = take_column(l, part, value);
        if (wrong)
            return wrong;
    }
    if (!l->has_sdi || !l->has_key)
        return l->has_sdi ? "key is missing" : "sdi is missing";
    l->params.mode = modes[l->keying];
    l->params.rekey = l->params.rekey_mask != 0;
    return NULL;
}

static const char *add_way(struct entry *e, struct uet_tss_params *p)
{
    const char *wrong = uet_tss_params_error(p);
    if (wrong)
        return wrong;
    if (uet_tss_setup(&e->ways[e->n_ways], p) != 0)
        return "OpenSSL gave no context for it";
    e->n_ways++;
    return NULL;
}

/* All ways of one key: which side is the server is not in the packet. */
static const char *add_ways(struct entry *e, struct line *l)
{
    struct uet_tss_params *p = &l->params;
    bool server = l->keying == KEYING_SERVER;
    const char *wrong = NULL;
    for (int udp = 0; udp < 2; udp++)
        for (int by_ip = 0; by_ip < (l->keying == KEYING_DIRECT ? 1 : 2); by_ip++)
            for (int client = 0; client < (server ? 2 : 1) && !wrong; client++) {
                p->readings = (struct uet_tss_readings){.udp_not_in_aad = udp,
                                                        .ipv6_context_by_ip = by_ip,
                                                        .unexpected_ssi_is_fit = true};
                if (server)
                    p->client = client ? UET_CLIENT_DST : UET_CLIENT_SRC;
                p->ssi_mode = l->ssi == SSI_YES;
                p->an = l->an == AN_ANY ? 0 : l->an;
                wrong = add_way(e, p);
            }
    return wrong;
}

static void forget(struct entry *e)
{
    for (uint8_t i = 0; i < e->n_ways; i++)
        uet_tss_erase(&e->ways[i]);
    free(e);
}

static const char *add(struct uet_keyring *ring, struct line *l)
{
    if (ring->n == KEYS_MAX)
        return "too many keys: at most 4096 in a file";
    if (ring->n == ring->cap) {
        size_t cap = ring->cap ? 2 * ring->cap : 8;
        struct entry **more = realloc(ring->entries, cap * sizeof *more);
        if (!more)
            return "no memory left";
        ring->entries = more;
        ring->cap = cap;
    }
    struct entry *e = calloc(1, sizeof *e);
    if (!e)
        return "no memory left";
    e->sdi = l->params.sdi;
    e->an = l->an;
    e->ssi = l->ssi;
    const char *wrong = add_ways(e, l);
    if (wrong)
        forget(e);
    else
        ring->entries[ring->n++] = e;
    return wrong;
}

/* Lines of the file, until one is wrong: *at is its number then. */
static const char *read_lines(struct uet_keyring *ring, FILE *file, unsigned *at)
{
    char text[LINE_CAP];
    const char *wrong = NULL;
    for (*at = 1; !wrong && fgets(text, sizeof text, file); ++*at) {
        struct line l = {.an = AN_ANY, .keying = KEYING_CLUSTER};
        if (strncmp(text, "UET_SD ", 7) == 0) {
            wrong = take_line(&l, text);
            wrong = wrong ? wrong : add(ring, &l);
        }
        uet_tss_wipe(&l, sizeof l);
        uet_tss_wipe(text, sizeof text);
    }
    --*at;
    return wrong;
}

struct uet_keyring *uet_keyring_read(FILE *file, const char *name, char *err, size_t err_size)
{
    struct uet_keyring *ring = calloc(1, sizeof *ring);
    unsigned at = 0;
    const char *wrong = ring ? read_lines(ring, file, &at) : "no memory left";
    bool unreadable = ferror(file) != 0; /* a directory, for one */
    if (unreadable)
        snprintf(err, err_size, "%s: cannot be read: %s", name, strerror(errno));
    else if (wrong)
        snprintf(err, err_size, "%s:%u: %s", name, at, wrong);
    else if (!ring->n)
        snprintf(err, err_size,
                 "%s: no key; a line for each: UET_SD sdi=0x000001 an=0 mode=cluster "
                 "key=<64 hexadecimal digits>",
                 name);
    if (unreadable || wrong || !ring->n) {
        uet_keyring_free(ring);
        return NULL;
    }
    return ring;
}

void uet_keyring_free(struct uet_keyring *ring)
{
    for (size_t i = 0; ring && i < ring->n; i++)
        forget(ring->entries[i]);
    if (ring)
        free(ring->entries);
    free(ring);
}

/* ---- packets ---- */

static bool fits(const struct entry *e, const struct uet_tss_header *h)
{
    bool ssi = e->ssi == SSI_ANY || h->sp == (e->ssi == SSI_YES);
    return e->sdi == h->sdi && (e->an == AN_ANY || e->an == h->an) && ssi;
}

/*
 * Without an ICV nothing tells that the bytes came out right, but their beginning tells when they
 * did not: a PDS header that is known, whose reserved bits are 0.
 */
static bool looks_like_pds(const struct uet_packet *p)
{
    if (!p->pds)
        return false;
    for (uint8_t i = 0; i < uet_headers[p->pds].n_fields; i++) {
        const struct uet_field *f = uet_headers[p->pds].fields[i];
        if (f->kind == UET_KIND_RESERVED && uet_field_get(f, uet_pds(p)))
            return false;
    }
    return true;
}

/* What one packet is opened with. */
struct attempt {
    const struct uet_packet *sealed;
    const struct uet_parse_options *options;
    struct uet_tss_place place;
    size_t captured;
    bool whole; /* there is an ICV */
};

static bool open_whole(const struct attempt *a, struct uet_tss_sa *sa, uint8_t *clear,
                       struct uet_packet *p)
{
    const struct uet_packet *s = a->sealed;
    memcpy(clear, s->frame, s->len);
    size_t from = uet_tss_encrypted_from(&a->place, s->tss == UET_H_TSS_HDR_16, sa->encrypt_from,
                                         (size_t)a->place.end - UET_TSS_TRAILER_BYTES);
    if (uet_tss_open_at(sa, s->frame, &a->place, clear + from) != UET_TSS_OK)
        return false;
    *p = *s;
    uet_parse_opened(p, clear, a->options);
    return true;
}

static bool open_cut(const struct attempt *a, struct uet_tss_sa *sa, uint8_t *clear,
                     struct uet_packet *p)
{
    const struct uet_packet *s = a->sealed;
    size_t end = s->payload_offset + (size_t)s->payload_len, got;
    size_t from =
        uet_tss_encrypted_from(&a->place, s->tss == UET_H_TSS_HDR_16, sa->encrypt_from, end);
    size_t have = a->captured < end ? a->captured : end;
    memcpy(clear, s->frame, s->len);
    if (have > from &&
        uet_tss_peek(sa, s->frame, &a->place, clear + from, have - from, &got) != UET_TSS_OK)
        return false;
    *p = *s;
    p->frame = clear;
    p->error = UET_PARSE_OK;
    p->error_offset = 0;
    uet_parse_transport(p, s->payload_offset, end, have, a->options);
    return looks_like_pds(p);
}

bool uet_keyring_open(struct uet_keyring *ring, struct uet_packet *p, size_t captured,
                      const struct uet_parse_options *options, uint8_t *clear)
{
    const struct uet_packet sealed = *p;
    struct attempt a = {.sealed = &sealed, .options = options, .captured = captured};
    struct uet_tss_header h;
    bool stopped = p->error == UET_PARSE_SEALED || p->error == UET_PARSE_TRIMMED;
    if (!stopped || !p->tss || p->pds || !p->ip_version)
        return false; /* without addresses nothing is derived or authenticated */
    a.place = (struct uet_tss_place){.ip_version = p->ip_version,
                                     .ip_offset = p->ip_offset,
                                     .udp_offset = p->udp_offset,
                                     .tss_offset = p->tss_offset,
                                     .end = p->ip_end};
    a.whole = p->trim == UET_TRIM_NO && p->icv_offset && captured >= p->ip_end;
    uet_tss_read(&h, p->frame + p->tss_offset);
    for (size_t i = 0; i < ring->n; i++) {
        struct entry *e = ring->entries[i];
        for (uint8_t k = 0; fits(e, &h) && k < e->n_ways; k++) {
            uint8_t way = (uint8_t)((e->last + k) % e->n_ways);
            bool opened = a.whole ? open_whole(&a, &e->ways[way], clear, p)
                                  : open_cut(&a, &e->ways[way], clear, p);
            if (opened) {
                e->last = way;
                return true;
            }
        }
    }
    *p = sealed;
    return false;
}
