/* SPDX-License-Identifier: BSD-2-Clause */
#include "rules/rules.h"

#include <stdarg.h>
#include <stdio.h>

#include "rules/internal.h"

#define likely(x) __builtin_expect(!!(x), 1)

/* What decides which rows look at a packet. */
struct rule_key {
    uint32_t when;  /* enum uet_rule_when, or-ed */
    uint16_t kinds; /* enum uet_rule_on, or-ed */
    uint16_t known; /* a bit for each enum uet_rule_needs */
};

/* The rows that look at such packets, in the tables' order. */
struct rule_list {
    struct rule_key key;              /* kinds is 0: not made yet */
    const struct uet_rule_row **rows; /* NULL behind the last */
};

#define LISTS 64u /* a capture needs about as many */
#define TRIES 4u  /* places of a list */

struct uet_rules {
    struct uet_rules_config config;
    struct uet_track_allocator allocator;
    struct rule_list lists[LISTS]; /* by a hash of the key; made when the first such packet comes */
    struct uet_reserved reserved[UET_H_COUNT];
    const struct uet_rule_row *rows[]; /* of the lists, uet_n_rules() + 1 of each */
};

static const struct uet_rule_table *const tables[] = {
    &uet_rules_common,       &uet_rules_start,    &uet_rules_open,        &uet_rules_psn,
    &uet_rules_window,       &uet_rules_ack,      &uet_rules_clear,       &uet_rules_nack,
    &uet_rules_loss,         &uet_rules_trim,     &uet_rules_rod,         &uet_rules_cp,
    &uet_rules_rudi,         &uet_rules_read,     &uet_rules_ses_request, &uet_rules_ses_message,
    &uet_rules_ses_response, &uet_rules_ses_read, &uet_rules_ses_refuse,  &uet_rules_refuse,
    &uet_rules_tss,
};
#define N_TABLES (sizeof tables / sizeof *tables)

const char *uet_spec_version_name(uint8_t version)
{
    static const char *const names[] = {"1.0.3", "1.0.2", "1.0.1"};

    return version < sizeof names / sizeof *names ? names[version] : names[0];
}

/* The word at byte `at`, which becomes the last one when it is not among them. */
static uint8_t *reserved_word(struct uet_reserved *words, uint8_t at)
{
    uint8_t i = 0;
    while (i < words->n && words->at[i] != at)
        i++;
    if (i == words->n)
        words->at[words->n++] = at;
    return (uint8_t *)&words->mask[i];
}

static void note_reserved(struct uet_reserved *words, const struct uet_header *h)
{
    for (uint8_t i = 0; i < h->n_fields; i++) {
        const struct uet_field *f = h->fields[i];
        if (f->kind != UET_KIND_RESERVED)
            continue;
        for (unsigned bit = f->bit_offset; bit < (unsigned)f->bit_offset + f->width; bit++)
            reserved_word(words, (uint8_t)(bit / 32 * 4))[bit / 8 % 4] |=
                (uint8_t)(0x80 >> bit % 8);
    }
}

struct uet_rules *uet_rules_new(const struct uet_rules_config *config,
                                const struct uet_track_allocator *allocator)
{
    size_t rows = LISTS * (uet_n_rules() + 1) * sizeof(const struct uet_rule_row *);
    struct uet_rules *rules = allocator->alloc(allocator->ctx, sizeof *rules + rows);
    if (!rules)
        return NULL;
    rules->config = *config;
    rules->allocator = *allocator;
    for (size_t id = 0; id < UET_H_COUNT; id++)
        note_reserved(&rules->reserved[id], &uet_headers[id]);
    return rules;
}

void uet_rules_free(struct uet_rules *rules)
{
    if (rules && rules->allocator.free)
        rules->allocator.free(rules->allocator.ctx, rules);
}

size_t uet_n_rules(void)
{
    size_t n = 0;
    for (size_t i = 0; i < N_TABLES; i++)
        n += tables[i]->n;
    return n;
}

const struct uet_rule_info *uet_rule(size_t i)
{
    for (size_t t = 0; t < N_TABLES; t++) {
        if (i < tables[t]->n)
            return &tables[t]->rows[i].info;
        i -= tables[t]->n;
    }
    return NULL;
}

bool uet_violates(const struct uet_ruling *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(r->message, r->size, format, args);
    va_end(args);
    return true;
}

static uint16_t pds_kind(const struct uet_packet *p)
{
    if (uet_is_request(p))
        return UET_ON_REQUEST;
    if (uet_is_ack(p))
        return UET_ON_ACK;
    if (uet_is_cp(p))
        return UET_ON_CP;
    if (uet_is_nack_rudi(p))
        return UET_ON_RUDI_NACK;
    if (uet_is_nack(p))
        return UET_ON_NACK;
    if (p->pds == UET_H_RUDI_REQ)
        return UET_ON_RUDI_REQUEST;
    if (p->pds == UET_H_RUDI_RESP)
        return UET_ON_RUDI_RESPONSE;
    return uet_is_uud(p) ? UET_ON_UUD : 0;
}

static uint16_t kinds_of(const struct uet_packet *p)
{
    uint16_t kinds = pds_kind(p) | (p->tss ? UET_ON_SEALED : 0);
    if (uet_is_ses_request(p))
        kinds |= UET_ON_SES_REQUEST;
    if (uet_is_ses_response(p))
        kinds |= UET_ON_SES_RESPONSE;
    return kinds;
}

/* A capture at one end sees all that its own FEP sends, in the order of sending. */
static bool sees_sender(uint8_t vantage, const struct uet_tracked *t)
{
    if (vantage == UET_VANTAGE_BOTH)
        return true;
    if (!t->pdc || !t->from_initiator_known)
        return false;
    return vantage == (t->forward ? UET_VANTAGE_INITIATOR : UET_VANTAGE_TARGET);
}

/* Whatever PDC a target makes of a SYN, its initiator sends it on the one that it has (PDS-054). */
static bool in_doubt(const struct uet_tracked *t)
{
    return t->pdc->doubtful && !(t->forward && t->own && uet_is_syn(&t->packet));
}

/* What a packet's rules may rest on: a bit for each enum uet_rule_needs. */
static uint16_t known_of(const struct uet_ruling *r)
{
    enum {
        NOTHING = 1 << UET_NEEDS_NOTHING,
        PDC = 1 << UET_NEEDS_PDC,
        PSN = 1 << UET_NEEDS_PSN,
        ENDS = 1 << UET_NEEDS_ENDS,
        SENDER = 1 << UET_NEEDS_SENDER,
    };
    const struct uet_tracked *t = r->t;
    unsigned ends = (r->ends ? ENDS : 0) | (r->sender ? SENDER : 0);
    if (t->is_rudi)
        return NOTHING | PDC | (r->vantage == UET_VANTAGE_BOTH ? ENDS | SENDER : 0);
    if (!t->pdc && t->request) /* a NACK for a packet of no PDC */
        return (uint16_t)(NOTHING | ends);
    if (!t->pdc || t->mismatch || in_doubt(t))
        return NOTHING; /* of another PDC than is known, or maybe so */
    return (uint16_t)(NOTHING | PDC | (t->loose ? 0 : PSN) | ends);
}

#define IF(condition, fact) ((condition) ? (uint32_t)(fact) : 0u)

static uint32_t when_of_packet(const struct uet_ruling *r)
{
    const struct uet_packet *p = r->p;
    return IF(uet_is_syn(p), UET_WHEN_SYN) | IF(r->pds && uet_is_retx(r), UET_WHEN_RETX) |
           IF(p->df_clear | p->entropy_rsvd, UET_WHEN_ODD_IP) | IF(p->tss, UET_WHEN_SEALED) |
           IF(p->error, UET_WHEN_MALFORMED) | IF(uet_is_ses_response_data(p), UET_WHEN_DATA);
}

static uint32_t when_of_request(const struct uet_ruling *r)
{
    uint8_t op = uet_ses_req_opcode(r->ses);
    bool rare = op != UET_OP_WRITE && op != UET_OP_SEND && op != UET_OP_TAGGED_SEND;
    return IF(!uet_ses_req_som(r->ses), UET_WHEN_LATER) |
           IF(!uet_ses_req_eom(r->ses), UET_WHEN_MORE) | IF(!uet_is_ses_std(r->p), UET_WHEN_SHORT) |
           IF(rare, op == UET_OP_READ ? UET_WHEN_READ : UET_WHEN_RARE_OPCODE);
}

static uint32_t when_of_response(const struct uet_ruling *r)
{
    return IF(uet_ses_rsp_opcode(r->ses) != UET_RSP_DEFAULT_RESPONSE, UET_WHEN_RESPONSE) |
           IF(uet_is_error(uet_ses_rsp_return_code(r->ses)), UET_WHEN_ERROR);
}

static uint32_t when_of_ack(const struct uet_ruling *r)
{
    return IF(uet_ack_p(r->pds), UET_WHEN_PROBE) | IF(uet_ack_req(r->pds), UET_WHEN_ASKS);
}

static uint32_t when_of_history(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    const struct uet_track_pdc *pdc = t->pdc;
    uint32_t when = IF(r->ends, UET_WHEN_ENDS) | IF(t->forward, UET_WHEN_FORWARD) |
                    IF(t->opens, UET_WHEN_OPENS) | IF(t->duplicate, UET_WHEN_DUPLICATE) |
                    IF(t->mismatch, UET_WHEN_MISMATCH);
    if (!pdc)
        return when | UET_WHEN_NO_PDC;
    return when | IF(pdc->closing, UET_WHEN_CLOSING) | IF(pdc->failed, UET_WHEN_FAILED) |
           IF(pdc->rod, UET_WHEN_ROD) | IF(pdc->sdi_known, UET_WHEN_SECURED);
}

static uint32_t when_of(const struct uet_ruling *r, uint16_t kinds)
{
    return when_of_packet(r) | when_of_history(r) | (kinds & UET_ON_ACK ? when_of_ack(r) : 0) |
           (kinds & UET_ON_SES_REQUEST && r->ses ? when_of_request(r) : 0) |
           (kinds & UET_ON_SES_RESPONSE && r->ses ? when_of_response(r) : 0);
}

static bool looks_at(const struct uet_rule_row *row, const struct rule_key *key)
{
    uint32_t when = row->needs & UET_WHENS, needs = row->needs & ~UET_WHENS;
    return row->on & key->kinds && key->known >> needs & 1 && (!when || when & key->when);
}

static void make_list(struct rule_list *list, const struct rule_key *key)
{
    const struct uet_rule_row **row = list->rows;
    list->key = *key;
    for (size_t t = 0; t < N_TABLES; t++)
        for (size_t i = 0; i < tables[t]->n; i++)
            if (looks_at(&tables[t]->rows[i], key))
                *row++ = &tables[t]->rows[i];
    *row = NULL;
}

static bool same_key(const struct rule_key *a, const struct rule_key *b)
{
    return a->when == b->when && a->kinds == b->kinds && a->known == b->known;
}

/* Most rows look at other packets: asking each of them again took longer than those that do. */
static const struct rule_list *list_of(struct uet_rules *rules, const struct rule_key *key)
{
    uint32_t hash = (key->when ^ (uint32_t)key->kinds << 16 ^ key->known) * 0x9e3779b1u >> 16;
    for (uint32_t i = 0; i < TRIES; i++) {
        struct rule_list *list = &rules->lists[(hash + i) % LISTS];
        if (same_key(&list->key, key))
            return list;
        if (list->key.kinds)
            continue;
        list->rows = rules->rows + (hash + i) % LISTS * (uet_n_rules() + 1);
        make_list(list, key);
        return list;
    }
    make_list(&rules->lists[hash % LISTS], key); /* in the place of another */
    return &rules->lists[hash % LISTS];
}

static size_t check(const struct rule_list *list, struct uet_ruling *r, struct uet_violation *out,
                    size_t max)
{
    size_t n = 0;
    r->message = out->message;
    r->size = sizeof out->message;
    for (const struct uet_rule_row **at = list->rows; *at; at++) {
        const struct uet_rule_row *row = *at;
        if (likely(!row->check(r)))
            continue;
        out[n].requirement = row->info.requirement;
        out[n].reported = row->on & UET_REPORTED;
        out[n++].number = r->t->number;
        if (n == max)
            break;
        r->message = out[n].message;
    }
    return n;
}

static bool is_senders(const struct uet_rules *rules, const struct uet_packet *p)
{
    struct uet_ip src = uet_src_ip(p);
    return !rules->config.sender.version || uet_ip_equal(&src, &rules->config.sender);
}

/* A switch, or the capture, took away what its sender said. */
static bool is_cut(const struct uet_packet *p)
{
    return p->trim != UET_TRIM_NO || p->partial;
}

bool uet_rules_judge(const struct uet_rules *rules, const struct uet_packet *p)
{
    if (!p->pds || p->crc_state == UET_CRC_BAD)
        return false; /* its bytes say nothing */
    return !is_cut(p) && is_senders(rules, p);
}

bool uet_rules_judge_header(const struct uet_rules *rules, const struct uet_packet *p)
{
    bool tss = p->tss == UET_H_TSS_HDR_12 || p->tss == UET_H_TSS_HDR_16;
    return tss && !p->pds && p->icv_offset && !p->seal.refused && !is_cut(p) &&
           is_senders(rules, p);
}

/* when: what is not looked at holds, as far as the choice of the rows is concerned. */
static size_t judge(struct uet_rules *rules, const struct uet_tracked *packet, uint32_t when,
                    struct uet_violation *out, size_t max)
{
    const struct uet_packet *p = &packet->packet;
    if (!max || !(uet_rules_judge(rules, p) || uet_rules_judge_header(rules, p)))
        return 0;
    struct uet_ruling r = {.t = packet,
                           .p = p,
                           .pds = uet_pds(p),
                           .ses = uet_ses(p),
                           .reserved = rules->reserved,
                           .vantage = rules->config.vantage,
                           .spec = rules->config.spec,
                           .default_mpr = rules->config.default_mpr,
                           .dscp_control = rules->config.dscp_control,
                           .window = rules->config.window,
                           .ends = rules->config.vantage != UET_VANTAGE_MIDDLE,
                           .sender = sees_sender(rules->config.vantage, packet)};
    struct rule_key key = {.kinds = kinds_of(p), .known = known_of(&r)};
    key.when = when | when_of(&r, key.kinds);
    return check(list_of(rules, &key), &r, out, max);
}

size_t uet_rules_check(struct uet_rules *rules, const struct uet_tracked *packet,
                       struct uet_violation *out, size_t max)
{
    return judge(rules, packet, 0, out, max);
}

size_t uet_rules_check_all(struct uet_rules *rules, const struct uet_tracked *packet,
                           struct uet_violation *out, size_t max)
{
    return judge(rules, packet, UET_WHENS, out, max);
}
