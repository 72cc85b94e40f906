/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/check/sealed.h"

#include <stdio.h>

static void note_opened(struct check_sealed *c, const struct uet_packet *p)
{
    bool direct = p->seal.mode == UET_TSS_MODE_DIRECT;
    c->opened++;
    if (p->udp_offset && p->icv_offset) {
        c->over_udp += !(p->seal.readings & UET_OPENED_WITHOUT_UDP);
        c->without_udp += (p->seal.readings & UET_OPENED_WITHOUT_UDP) != 0;
    }
    if (p->ip_version == 6 && p->tss == UET_H_TSS_HDR_16 && !direct) {
        c->by_ssi += !(p->seal.readings & UET_OPENED_BY_ADDRESS);
        c->by_address += (p->seal.readings & UET_OPENED_BY_ADDRESS) != 0;
    }
}

static void note_closed(struct check_sealed *c, const struct uet_packet *p)
{
    for (unsigned i = 0; i < c->n_slots; i++) {
        struct check_slot *s = &c->slots[i];
        if (s->sdi == p->sdi && s->an == p->seal.an && s->refused == p->seal.refused) {
            s->packets++;
            return;
        }
    }
    if (c->n_slots == CHECK_SLOTS) {
        c->in_others++;
        return;
    }
    c->slots[c->n_slots++] = (struct check_slot){
        .sdi = p->sdi, .an = p->seal.an, .refused = p->seal.refused, .packets = 1};
}

void check_sealed_note(struct check_sealed *c, const struct uet_packet *p)
{
    if (p->pds)
        note_opened(c, p);
    else
        note_closed(c, p);
}

/* ---- text ---- */

static const char *plural(uint32_t n)
{
    return n == 1 ? "" : "s";
}

/* Both counts of a contested reading, the one that the facts recommend first. */
static void tell_reading(const char *id, const char *first, uint32_t n, const char *other,
                         uint32_t m)
{
    if (n + m)
        printf("  %s: %u opened %s, %u %s\n", id, n, first, m, other);
}

static void tell_slot(const struct check_slot *s)
{
    printf("  %u packet%s of SDI 0x%06x AN %u: %s\n", s->packets, plural(s->packets), s->sdi, s->an,
           s->refused ? "no key of --keys for them opens them"
                      : "no key, only the TSS header is judged");
}

void check_sealed_tell(const struct check_sealed *c, const struct uet_track_totals *totals)
{
    if (c->opened)
        printf("  %u sealed packet%s opened\n", c->opened, plural(c->opened));
    tell_reading("TSS-012", "with the UDP header authenticated (U1)", c->over_udp, "without (U2)",
                 c->without_udp);
    tell_reading("TSS-077", "with a key derived for the SSI", c->by_ssi, "for the address",
                 c->by_address);
    for (unsigned i = 0; i < c->n_slots; i++)
        tell_slot(&c->slots[i]);
    if (c->in_others)
        printf("  %u packet%s of more SDIs and ANs were not opened\n", c->in_others,
               plural(c->in_others));
    if (totals->iv_again)
        printf("  %u sealed packet%s with an IV that was used before, if the AN has still the same "
               "key: --keys, or --vantage both, would tell (TSS-018)\n",
               totals->iv_again, plural(totals->iv_again));
    if (totals->iv_unsure)
        printf("  %u sealed packet%s: whether the IV was used before is not known (TSS-018), it is "
               "too long ago\n",
               totals->iv_unsure, plural(totals->iv_unsure));
    if (totals->key_old)
        printf("  %u sealed packet%s with a counter above 2^34.5: without an automatic rekey the "
               "key is too old (TSS-023)\n",
               totals->key_old, plural(totals->key_old));
}

/* ---- JSON ---- */

static json_t *slots(const struct check_sealed *c)
{
    json_t *all = json_array();
    for (unsigned i = 0; i < c->n_slots; i++) {
        const struct check_slot *s = &c->slots[i];
        json_array_append_new(all, json_pack("{sIsIsIsb}", "sdi", (json_int_t)s->sdi, "an",
                                             (json_int_t)s->an, "packets", (json_int_t)s->packets,
                                             "has_keys", s->refused));
    }
    return all;
}

json_t *check_sealed_json(const struct check_sealed *c, const struct uet_track_totals *totals)
{
    return json_pack("{sIs{s{sIsI}s{sIsI}}sosIsIsI}", "opened", (json_int_t)c->opened, "readings",
                     "TSS-012", "with_udp", (json_int_t)c->over_udp, "without_udp",
                     (json_int_t)c->without_udp, "TSS-077", "by_ssi", (json_int_t)c->by_ssi,
                     "by_address", (json_int_t)c->by_address, "not_opened", slots(c), "iv_again",
                     (json_int_t)totals->iv_again, "iv_unsure", (json_int_t)totals->iv_unsure,
                     "key_old", (json_int_t)totals->key_old);
}
