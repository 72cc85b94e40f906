/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/peer/sealing.h"

#include <string.h>

/* ---- which domain ---- */

void uet_in_domain(struct uet_tc *tc, struct uet_domain *d)
{
    if (d == tc->domain)
        return;
    tc->domain = d;
    tc->any_memory = tc->any_receive = NULL; /* of another job */
}

/* ---- out ---- */

/* Each sender has its own (TSS-018): at its second address the tester is another one. */
static uint32_t ssi_at(const struct uet_tc *tc, const struct uet_domain *d, const struct uet_ip *ip)
{
    return d->sender[d->an].ssi + uet_ip_equal(ip, &tc->session->dut->tester[1]);
}

/* ... and so it is on a PDC that a test gave to another one, at the same address. */
static uint32_t ssi_of(const struct uet_tc *tc, const struct uet_out *o)
{
    return ssi_at(tc, o->tss.domain, &o->route.src) + (o->pdc ? o->pdc->sender : 0);
}

static struct uet_tss_header header_of(struct uet_tc *tc, const struct uet_out *o)
{
    const struct uet_seal *s = &o->tss;
    struct uet_domain *d = s->domain;
    struct uet_tss_stamp stamp = {.epoch = d->sender[d->an].epoch};

    if (!s->other_counter && uet_tss_next(&d->sender[d->an], &stamp) != UET_TSS_OK)
        uet_error(tc, "the tester's counter of SDI 0x%06x is used up: it needs another key",
                  (unsigned)d->told->sdi);
    return (struct uet_tss_header){
        .sdi = s->other_sdi ? s->sdi : d->told->sdi,
        .ssi = s->other_ssi ? s->ssi : ssi_of(tc, o),
        .epoch = s->other_epoch ? s->epoch : stamp.epoch,
        .counter = s->other_counter ? s->counter : stamp.counter,
        .an = s->other_an ? s->an : d->an,
        .sp = d->ssi_mode != s->other_sp,
        .reserved = s->rsvd,
    };
}

size_t uet_seal_begin(struct uet_tc *tc, struct uet_build *b, const struct uet_out *o)
{
    const struct uet_tss_header h = header_of(tc, o);
    uint8_t *place = uet_build_tss(b, h.sp ? UET_H_TSS_HDR_16 : UET_H_TSS_HDR_12);

    return uet_tss_write(place, &h) + UET_TSS_TRAILER_BYTES;
}

bool uet_is_spoilt(const struct uet_seal *s)
{
    return s->other_sdi || s->other_an || s->other_sp || s->other_key || s->other_target ||
           s->other_source || s->flip;
}

/* The last bit of an address, as it is authenticated: on the wire it is the right one. */
static void swap_address(uint8_t *frame, const struct uet_tss_place *at, const struct uet_seal *s)
{
    const size_t n = at->ip_version == 6 ? 16 : 4;
    uint8_t *source = frame + at->ip_offset + (at->ip_version == 6 ? 8 : 12);

    source[n - 1] ^= s->other_source;
    source[2 * n - 1] ^= s->other_target;
}

struct uet_clear uet_seal_finish(struct uet_tc *tc, const struct uet_build *b,
                                 const struct uet_out *o, size_t len)
{
    const struct uet_seal *s = &o->tss;
    struct uet_domain *d = s->domain;
    struct uet_tss_sa *sa = d->sealing[d->an ^ s->other_key][d->reading];
    const struct uet_tss_place at = {.ip_version = b->ip_version,
                                     .ip_offset = b->ip_offset,
                                     .udp_offset = b->udp_offset,
                                     .tss_offset = b->tss_offset,
                                     .end = (uint16_t)(len + o->wrong.cut)};
    struct uet_clear clear = {.limit = (size_t)at.end - UET_TSS_TRAILER_BYTES};

    if (!sa)
        uet_skip_for(tc, UET_SKIP_PARAMETER,
                     "the key file has no key of the other AN (%u) of SDI 0x%06x", d->an ^ 1u,
                     (unsigned)d->told->sdi);
    clear.from =
        uet_tss_encrypted_from(&at, d->ssi_mode != s->other_sp, sa->encrypt_from, clear.limit);
    d->wrong += uet_is_spoilt(s) && !s->other_sdi;
    if (!uet_is_spoilt(s)) {
        clear.frame = uet_tc_alloc(tc, at.end);
        memcpy(clear.frame, b->frame, at.end);
    }
    swap_address(b->frame, &at, s);
    enum uet_tss_status status = uet_tss_seal_at(sa, b->frame, &at, NULL);
    swap_address(b->frame, &at, s);
    if (status != UET_TSS_OK)
        uet_error(tc, "the tester cannot seal a packet: %s", uet_tss_status_text(status));
    b->frame[at.tss_offset + s->flip_at] ^= s->flip;
    return clear;
}

static size_t at_most(size_t a, size_t b)
{
    return a < b ? a : b;
}

void uet_clear_follow(struct uet_clear *clear, const uint8_t *frame, size_t len)
{
    if (!clear->frame)
        return;
    memcpy(clear->frame, frame, at_most(clear->from, len));
    if (len > clear->limit)
        memcpy(clear->frame + clear->limit, frame + clear->limit,
               at_most(len - clear->limit, UET_TSS_TRAILER_BYTES));
}

/* ---- both ---- */

void uet_parse_clear(struct uet_packet *p, const uint8_t *clear,
                     const struct uet_parse_options *options)
{
    const bool stopped = p->error == UET_PARSE_SEALED || p->error == UET_PARSE_TRIMMED;

    if (!stopped || !p->tss || p->pds)
        return;
    if (p->trim == UET_TRIM_NO) {
        uet_parse_opened(p, clear, options);
        return;
    }
    const size_t end = p->payload_offset + (size_t)p->payload_len;
    p->frame = clear;
    p->error = UET_PARSE_OK;
    p->error_offset = 0;
    uet_parse_transport(p, p->payload_offset, end, at_most(p->len, end), options);
}

/* ---- in ---- */

/* The report tells which one the FEP follows; nobody fails by that. */
static void note_reading(struct uet_tc *tc, const struct uet_domain *d)
{
    if (!d->reading)
        return;
    struct uet_finding *f = uet_tc_find(tc, d->reading & 1 ? "TSS-012" : "TSS-077", tc->record.n,
                                        uet_sealing_reading_name(d->reading));
    if (f)
        f->note = true;
}

enum uet_tss_status uet_unseal(struct uet_tc *tc, struct uet_packet *p,
                               const struct uet_parse_options *options)
{
    const struct uet_tss_place at = {.ip_version = p->ip_version,
                                     .ip_offset = p->ip_offset,
                                     .udp_offset = p->udp_offset,
                                     .tss_offset = p->tss_offset,
                                     .end = p->ip_end};
    struct uet_security *security = tc->session->dut->security;

    if (!p->tss)
        return UET_TSS_CLEAR;
    if (p->error != UET_PARSE_SEALED || !security)
        return UET_TSS_SHORT;
    uint8_t *clear = uet_tc_alloc(tc, p->len);
    enum uet_tss_status status = uet_security_open(security, p->frame, p->len, &at, clear);
    if (status == UET_TSS_OK) {
        uet_parse_opened(p, clear, options);
        note_reading(tc, uet_security_find(security, p->sdi));
    }
    return status;
}

/* A clear packet of the FEP, whose peer seals. */
static void judge_clear(struct uet_tc *tc, const struct uet_in *in)
{
    const struct uet_packet *p = &in->packet;
    const bool of_no_pdc = uet_is_nack(p) && !uet_is_nack_rudi(p) && !uet_spdcid(p);

    if (!in->pdc || !in->pdc->domain)
        return;
    if (of_no_pdc) /* contested: one known FEP sends those in clear */
        uet_tc_reported(tc, "TSS-054", in,
                        "a NACK without a PDC came in clear, where the SYN was sealed");
    else
        uet_tc_worsen(tc, UET_FAIL, "TSS-051", in,
                      "the packet is in clear, on a PDC that was opened under SDI 0x%06x: all its "
                      "packets are TSS packets of that SDI",
                      (unsigned)in->pdc->domain->told->sdi);
}

/* Each sender of a domain has an SSI of its own, or IVs come twice; the key file tells the FEP's.
 */
static void judge_own_ssi(struct uet_tc *tc, const struct uet_in *in, const struct uet_domain *d)
{
    const uint32_t ssi = uet_tss_hdr_16_ssi(uet_tss(&in->packet));

    if (d->told->has_ssi && ssi != d->told->ssi)
        uet_tc_worsen(
            tc, UET_FAIL, "TSS-016", in,
            "the SSI is 0x%08x: that of the FEP in this domain is 0x%08x (ssi= of the key "
            "file)",
            (unsigned)ssi, (unsigned)d->told->ssi);
}

/* Of what came from a server: the SSI is that of the tester, on a PDC that of its address. */
static void judge_ssi(struct uet_tc *tc, const struct uet_in *in)
{
    const struct uet_packet *p = &in->packet;
    const struct uet_domain *d = uet_security_find(tc->session->dut->security, p->sdi);
    const struct uet_ip *tester = tc->session->dut->tester;

    if (p->tss != UET_H_TSS_HDR_16)
        return;
    if (d->mode != UET_TSS_MODE_SERVER) {
        judge_own_ssi(tc, in, d);
        return;
    }
    const uint32_t ssi = uet_tss_hdr_16_ssi(uet_tss(p));
    const uint32_t own = ssi_at(tc, d, in->pdc ? &in->pdc->self : &tester[0]);
    if (ssi != own && (in->pdc || ssi != ssi_at(tc, d, &tester[1])))
        uet_tc_worsen(tc, UET_FAIL, "TSS-029", in,
                      "the SSI is 0x%08x: a server puts the client's into what it sends, 0x%08x",
                      (unsigned)ssi, (unsigned)own);
}

/* A sealed packet of the FEP, whose peer is no member of the domain there. */
static void judge_sealed(struct uet_tc *tc, const struct uet_in *in)
{
    if (in->pdc && !in->pdc->domain && !in->pdc->aside) /* aside: whose end was awaited */
        uet_tc_worsen(tc, UET_FAIL, "TSS-045", in,
                      "the packet has SDI 0x%06x, on a PDC that was opened in clear and belongs to "
                      "none",
                      (unsigned)in->packet.sdi);
}

void uet_sealing_judge(struct uet_tc *tc, const struct uet_in *in, enum uet_tss_status status)
{
    const struct uet_packet *p = &in->packet;
    struct uet_tss_header h;

    if (!tc->session->dut->security)
        return;
    if (status == UET_TSS_OK) {
        judge_sealed(tc, in);
        judge_ssi(tc, in);
        return;
    }
    if (status == UET_TSS_CLEAR) {
        judge_clear(tc, in);
        return;
    }
    if (!p->tss || status == UET_TSS_SHORT)
        return; /* malformed: that is told of it anyway */
    uet_tss_read(&h, p->frame + p->tss_offset);
    uet_tc_worsen(tc, UET_FAIL, "TSS-007", in,
                  "the packet does not open: %s (SDI 0x%06x, AN %u, epoch %u, counter %llu, %s); "
                  "does the key file say what the FEP was given?",
                  uet_tss_status_text(status), (unsigned)h.sdi, h.an, h.epoch,
                  (unsigned long long)h.counter, h.sp ? "with an SSI" : "without SSI");
}
