/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/security.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/harness/point.h"

/* Any number that no FEP is told to use: an SSI is one sender's (TSS-018). */
#define TESTER_SSI 0x7e570001u

/* Half of the counters, where the peer's are the other half: in server mode both share an SSI. */
#define TSS_030_HALF (UINT64_C(1) << 47)

struct uet_security {
    size_t n;
    struct uet_domain *ordinary;
    bool has_guest; /* the last one is none of the key file's, but a test's: */
    struct uet_key_domain guest_told;
    struct uet_key guest_key, guest_other_key;
    struct uet_domain domain[];
};

const char *uet_sealing_reading_name(uint8_t reading)
{
    static const char *const names[UET_SEALING_READINGS] = {
        "the UDP header is authenticated (TSS-012, U1), the key belongs to the SSI (TSS-077)",
        "the UDP header is not authenticated (TSS-012, U2)",
        "on IPv6 the key is derived from the address, with an SSI too (TSS-077)",
        "U2 of TSS-012, and on IPv6 the key is derived from the address (TSS-077)",
    };

    return names[reading];
}

/* ---- made of a key file ---- */

/* NULL: OpenSSL has no memory left. */
static struct uet_tss_sa *association(const struct uet_tss_params *p)
{
    struct uet_tss_sa *sa = malloc(sizeof(*sa));

    if (sa && uet_tss_setup(sa, p) != 0) {
        free(sa);
        sa = NULL;
    }
    return sa;
}

/* In each reading. In server mode the FEP is the server: the tester is who the key is made for. */
static bool take_key(struct uet_domain *d, const struct uet_key *key, uint8_t an)
{
    struct uet_tss_params p = key->params;
    const bool server = p.mode == UET_TSS_MODE_SERVER;
    bool good = true;

    p.an = an;
    p.ssi_mode = d->ssi_mode;
    for (int r = 0; r < UET_SEALING_READINGS && good; r++) {
        p.readings =
            (struct uet_tss_readings){.udp_not_in_aad = r & 1, .ipv6_context_by_ip = r & 2};
        p.client = server ? UET_CLIENT_SRC : UET_CLIENT_PEER;
        d->sealing[an][r] = association(&p);
        p.client = server ? UET_CLIENT_DST : UET_CLIENT_PEER;
        d->opening[an][r] = association(&p);
        good = d->sealing[an][r] && d->opening[an][r];
    }
    uet_tss_wipe(&p, sizeof(p));
    return good;
}

/* As far as the key file tells it. */
static void know_start(struct uet_domain *d)
{
    d->says_start = d->floor_known = d->told->start == UET_KEY_RANDOM_1RTT;
}

static bool make(struct uet_domain *d, const struct uet_key_domain *told,
                 const struct uet_key *const keys[2], uint64_t first)
{
    const struct uet_key *key = keys[told->tx];
    bool good = true;

    d->told = told;
    d->mode = key->params.mode;
    d->ssi_mode = key->ssi == UET_KEY_SSI_YES || (told->has_ssi && key->ssi != UET_KEY_SSI_NO);
    d->an = told->tx;
    know_start(d);
    for (uint8_t an = 0; an < 2 && good; an++) {
        d->sender[an] = (struct uet_tss_sender){
            .ssi = TESTER_SSI,
            .epoch = an == told->tx ? told->epoch : 0, /* of a key that nobody sends with yet */
            .next = first + (d->mode == UET_TSS_MODE_SERVER && d->ssi_mode ? TSS_030_HALF : 0)};
        d->key[an] = keys[an];
        good = !keys[an] || take_key(d, keys[an], an);
    }
    return good;
}

static void drop(struct uet_tss_sa *sa)
{
    if (sa)
        uet_tss_erase(sa);
    free(sa);
}

static void drop_key(struct uet_domain *d, uint8_t an)
{
    for (int r = 0; r < UET_SEALING_READINGS; r++) {
        drop(d->sealing[an][r]);
        drop(d->opening[an][r]);
        d->sealing[an][r] = d->opening[an][r] = NULL;
    }
}

bool uet_security_put(struct uet_domain *d, uint8_t an, const uint8_t *key)
{
    struct uet_key other = *d->key[an];

    if (key)
        memcpy(other.params.key, key, UET_TSS_KEY_LEN);
    drop_key(d, an);
    bool good = take_key(d, &other, an);
    uet_tss_wipe(&other, sizeof(other));
    return good;
}

static bool is_sure(const struct uet_keyfile *keys, char *err, size_t errlen)
{
    for (size_t i = 0; i < keys->n_domains; i++) {
        int an = uet_keyfile_unsure(keys, keys->domains[i].sdi);

        if (an < 0)
            continue;
        snprintf(err, errlen,
                 "the key file has several keys of AN %d of SDI 0x%06x: leave the one that is in "
                 "force",
                 an, (unsigned)keys->domains[i].sdi);
        return false;
    }
    return true;
}

struct uet_security *uet_security_new(const struct uet_keyfile *keys, uint32_t sdi, uint64_t first,
                                      char *err, size_t errlen)
{
    struct uet_security *s = calloc(1, sizeof(*s) + (keys->n_domains + 1) * sizeof(*s->domain));
    bool good = s != NULL;

    if (!is_sure(keys, err, errlen)) {
        free(s);
        return NULL;
    }
    for (size_t i = 0; good && i < keys->n_domains; i++) {
        const struct uet_key_domain *told = &keys->domains[i];
        const struct uet_key *const slots[2] = {uet_keyfile_slot(keys, told->sdi, 0),
                                                uet_keyfile_slot(keys, told->sdi, 1)};

        good = make(&s->domain[s->n++], told, slots, first);
        if (told->sdi == sdi)
            s->ordinary = &s->domain[i];
    }
    if (good && s->ordinary)
        return s;
    if (good)
        snprintf(err, errlen, "the key file has no key of SDI 0x%06x", (unsigned)sdi);
    else
        snprintf(err, errlen, "no memory left for the keys");
    uet_security_free(s);
    return NULL;
}

struct uet_domain *uet_security_guest(struct uet_security *s, const struct uet_domain *like,
                                      uint32_t sdi, const uint8_t *key, const uint32_t *job,
                                      uint16_t epoch)
{
    struct uet_domain *d = &s->domain[s->n++];
    const struct uet_key_domain usual = uet_key_domain_usual(sdi);
    const struct uet_key *slots[2] = {NULL, NULL};

    s->has_guest = true;
    s->guest_told = *like->told;
    s->guest_told.max_epoch_age = usual.max_epoch_age; /* the verb knows no other */
    s->guest_told.auth_fail_threshold = usual.auth_fail_threshold;
    if (job) {
        s->guest_told.n_jobs = 1;
        s->guest_told.jobs[0] = *job;
    }
    s->guest_told.sdi = sdi;
    s->guest_told.epoch = epoch;
    s->guest_told.start = UET_KEY_EXPECTED_0RTT;
    s->guest_told.counter_limit = usual.counter_limit;
    s->guest_key = *like->key[like->told->tx];
    s->guest_key.params.sdi = sdi;
    memcpy(s->guest_key.params.key, key, UET_TSS_KEY_LEN);
    slots[like->told->tx] = &s->guest_key;
    *d = (struct uet_domain){.reading = like->reading};
    bool good = make(d, &s->guest_told, slots, 0);
    d->sender[d->an].next = like->sender[d->an].next; /* a later run with this key goes on above */
    return good ? d : NULL;
}

/* It was one test's. */
bool uet_security_guest_key(struct uet_security *s, const uint8_t *key)
{
    struct uet_domain *d = &s->domain[s->n - 1];
    const uint8_t an = !d->told->tx;

    s->guest_other_key = s->guest_key;
    memcpy(s->guest_other_key.params.key, key, UET_TSS_KEY_LEN);
    d->key[an] = &s->guest_other_key;
    return take_key(d, d->key[an], an);
}

static void drop_guest(struct uet_security *s)
{
    if (!s->has_guest)
        return;
    s->has_guest = false;
    s->n--;
    for (uint8_t an = 0; an < 2; an++)
        drop_key(&s->domain[s->n], an);
    uet_tss_wipe(&s->guest_key, sizeof(s->guest_key));
    uet_tss_wipe(&s->guest_other_key, sizeof(s->guest_other_key));
}

void uet_security_free(struct uet_security *s)
{
    if (s)
        drop_guest(s);
    for (size_t i = 0; s && i < s->n; i++)
        for (uint8_t an = 0; an < 2; an++)
            drop_key(&s->domain[i], an);
    free(s);
}

struct uet_domain *uet_security_domain(struct uet_security *s, size_t i)
{
    return i < s->n ? &s->domain[i] : NULL;
}

struct uet_domain *uet_security_ordinary(struct uet_security *s)
{
    return s->ordinary;
}

static uint32_t kind_of(const struct uet_domain *d)
{
    const struct uet_tss_params *p = &d->key[d->told->tx]->params;

    return d->mode | (d->ssi_mode ? UET_KEYS_SSI : 0u) | (p->rekey ? UET_KEYS_REKEY : 0u);
}

static bool begins_alike(const struct uet_domain *a, const struct uet_domain *b)
{
    return a->told->start == b->told->start;
}

static struct uet_domain *of_just_kind(struct uet_security *s, uint32_t kind)
{
    struct uet_domain *best = NULL;

    for (size_t i = 0; i < s->n - s->has_guest; i++) {
        struct uet_domain *d = &s->domain[i];

        if (d == s->ordinary || kind_of(d) != kind)
            continue;
        if (!best || (begins_alike(d, s->ordinary) && !begins_alike(best, s->ordinary)))
            best = d;
    }
    return best;
}

struct uet_domain *uet_security_of_kind(struct uet_security *s, uint32_t kind)
{
    struct uet_domain *d = of_just_kind(s, kind);

    return d ? d : of_just_kind(s, kind | UET_KEYS_SSI);
}

void uet_security_begin(struct uet_security *s)
{
    drop_guest(s);
    for (size_t i = 0; i < s->n; i++) {
        s->domain[i].begun = s->domain[i].floor;
        s->domain[i].an = s->domain[i].told->tx; /* a test may have ended amid another */
    }
}

void uet_security_reset(struct uet_security *s)
{
    for (size_t i = 0; i < s->n; i++)
        s->domain[i].wrong_begun = s->domain[i].wrong;
}

void uet_security_restarted(struct uet_security *s)
{
    for (size_t i = 0; i < s->n; i++)
        know_start(&s->domain[i]);
}

struct uet_domain *uet_security_find(struct uet_security *s, uint32_t sdi)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->domain[i].told->sdi == sdi)
            return &s->domain[i];
    return NULL;
}

bool uet_domain_serves(const struct uet_domain *d, uint32_t job_id)
{
    bool is_one = d->told->n_jobs == 0;

    for (uint8_t i = 0; i < d->told->n_jobs; i++)
        is_one = is_one || d->told->jobs[i] == job_id;
    return is_one;
}

struct uet_domain *uet_security_of_job(struct uet_security *s, uint32_t job_id)
{
    for (size_t i = 0; i < s->n; i++)
        if (uet_domain_serves(&s->domain[i], job_id))
            return &s->domain[i];
    return NULL;
}

/* ---- opening ---- */

static enum uet_tss_status open_as(struct uet_tss_sa *sa, const struct uet_tss_header *h,
                                   const uint8_t *frame, size_t len, const struct uet_tss_place *at,
                                   uint8_t *clear)
{
    enum uet_tss_status status = uet_tss_fits(sa, h, at->ip_version);

    if (status != UET_TSS_OK)
        return status;
    size_t from = uet_tss_encrypted_from(at, h->sp, sa->encrypt_from,
                                         (size_t)at->end - UET_TSS_TRAILER_BYTES);
    memcpy(clear, frame, len);
    return uet_tss_open_at(sa, frame, at, clear + from);
}

/* Of the domain; what a FEP makes of the UDP header (TSS-012) it makes of it in all of them. */
static void learn_reading(struct uet_security *s, struct uet_domain *d, uint8_t reading)
{
    for (size_t i = 0; i < s->n && d->reading != reading; i++)
        s->domain[i].reading = (uint8_t)((s->domain[i].reading & ~1u) | (reading & 1u));
    d->reading = reading;
}

enum uet_tss_status uet_security_open(struct uet_security *s, const uint8_t *frame, size_t len,
                                      const struct uet_tss_place *at, uint8_t *clear)
{
    struct uet_tss_header h;
    enum uet_tss_status status = uet_tss_header_at(&h, frame, at, true);

    if (status != UET_TSS_OK)
        return status;
    struct uet_domain *d = uet_security_find(s, h.sdi);
    if (!d)
        return UET_TSS_UNKNOWN_SDI;
    if (!d->opening[h.an][0])
        return UET_TSS_NO_KEY;
    for (uint8_t i = 0; i < UET_SEALING_READINGS; i++) {
        uint8_t reading = (d->reading + i) % UET_SEALING_READINGS;

        status = open_as(d->opening[h.an][reading], &h, frame, len, at, clear);
        if (status != UET_TSS_BAD_ICV && status != UET_TSS_OK)
            return status;
        if (status == UET_TSS_OK) {
            learn_reading(s, d, reading);
            return status;
        }
    }
    return status;
}

/* ---- keys of a run that needs no others ---- */

const char *const uet_secure_modes[] = {"cluster",    "cluster-ssi", "cluster-rekey",
                                        "direct",     "server",      "server-ssi",
                                        "direct-ssi", "beside",      NULL};

/*
 * What the lines of each say beside the keys. Automatic rekey changes its value every 16 packets
 * (TSS-032), and from 1 on that is another one with its bytes the other way round. In one of them
 * encryption begins amid the headers (TSS-014). The second
 * domain is of another mode than the first: neither may leave anything behind for the other. The
 * others are of one mode each, for tests that want such a one, and for UET_OVER_KEYS (point.h).
 */
static const struct {
    const char *mode, *key, *domain;
    uint8_t second; /* the row of the second domain */
    bool ssi;
    bool needs_ssi; /* on IPv6: nothing of the IV tells senders apart but the SSI (TSS-017) */
} seeded[] = {
    {"cluster", "", " epoch=7", 6, false, false},
    {"cluster", "", " epoch=65530 max_epoch_age=3", 2, true, false},
    {"cluster", " rekey_mask=0x000ffffffff0 rekey_shift=4", " tx=1 epoch=40", 5, false, false},
    {"direct", " iv_mask=8f1d2c3b4a5968778695a4b3", " auth_fail_threshold=600", 1, false, true},
    {"server", " encrypt_from=30", "", 3, false, true},
    {"server", "", "", 0, true, false},
    {"direct", "", "", 0, true, false},
    {"cluster", "", "", 6, false, false}};

static uint64_t mix(uint64_t *state) /* splitmix64 */
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* As far apart as 24 bits go, of one bit and of many: where a FEP finds them is its own affair. */
enum { SEEDED_DOMAINS = 7 };
static const uint8_t rows_behind[SEEDED_DOMAINS - 2] = {3, 1, 2, 4, 5}; /* the second */
static const uint32_t sdis[SEEDED_DOMAINS] = {1, 2, 3, 0x100, 0x10000, 0x800000, 0xffffff};

/* Others, so that one key log has both; of these a FEP beside others has clear jobs. */
static const uint32_t sdis_beside[SEEDED_DOMAINS] = {4, 5, 6, 0x200, 0x20000, 0x400000, 0xfffffe};

/* Text that grows, and how long it would be where there is no room. */
struct text {
    char *out;
    size_t size, n;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *format, ...)
{
    const size_t at = t->n < t->size ? t->n : t->size;
    va_list args;

    va_start(args, format);
    t->n += (size_t)vsnprintf(t->out + at, t->size - at, format, args);
    va_end(args);
}

static void add_key(struct text *t, uint32_t sdi, unsigned an, uint8_t row, bool ssi,
                    uint64_t *state)
{
    add(t, "UET_SD sdi=0x%06x an=%u mode=%s ssi=%s key=", (unsigned)sdi, an, seeded[row].mode,
        ssi ? "yes" : "no");
    for (int i = 0; i < 4; i++)
        add(t, "%016llx", (unsigned long long)mix(state));
    add(t, "%s\n", seeded[row].key);
}

bool uet_secure_has_clear_jobs(const char *mode)
{
    return strcmp(mode, "beside") == 0;
}

int uet_secure_keys_of_seed(char *out, size_t size, uint64_t seed, uint8_t mode, bool ipv6)
{
    struct text t = {out, size, 0};
    const bool beside = uet_secure_has_clear_jobs(uet_secure_modes[mode]);
    uint64_t state = seed ^ (beside ? 0x6273u : 0x7353u);

    for (unsigned i = 0; i < SEEDED_DOMAINS; i++) {
        const uint32_t sdi = beside ? sdis_beside[i] : sdis[i];
        const uint8_t row = i == 0 ? mode : i == 1 ? seeded[mode].second : rows_behind[i - 2];
        const bool ssi = seeded[row].ssi || (ipv6 && seeded[row].needs_ssi);

        for (unsigned an = 0; an < 2; an++)
            add_key(&t, sdi, an, row, ssi, &state);
        add(&t, "UET_DOMAIN sdi=0x%06x start=%s%s%s jobs=", (unsigned)sdi,
            i == 1 ? "random-1rtt" : "expected-0rtt", ssi ? " ssi=0x9e000007" : "",
            seeded[row].domain);
        if (i == 0 && !beside)
            add(&t, "any\n");
        else
            add(&t, "0x%x,0x%x\n", 0x751001 + (i << 16), 0xa52001 + (i << 16));
    }
    return (int)t.n;
}
