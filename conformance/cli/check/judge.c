/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/check/judge.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/cli/args.h"
#include "conformance/cli/check/twice.h"
#include "wire/print.h"

#define MAX_VIOLATIONS 16
#define LOOK_AHEAD     1000 /* packets */

struct judge {
    struct check_file *file;
    const struct check_options *options;
    struct uet_reader *reader;
    struct uet_track *track;
    struct uet_rules *rules;
    struct check_twice *twice;
    check_violation_fn *violation;
    void *ctx;
};

static const struct {
    const char *key, *text;
} reasons[CHECK_REASONS] = {
    [CHECK_NOT_UET] = {"not_uet", "not UET"},
    [CHECK_LINK_TYPE] = {"link_type", "link type not known"},
    [CHECK_CUT] = {"cut", "cut short by the capture (snaplen or mirror)"},
    [CHECK_FRAGMENT] = {"fragment", "IP fragment"},
    [CHECK_EXTENSION] = {"extension_headers", "behind IPv6 extension headers"},
    [CHECK_MALFORMED] = {"malformed", "malformed: no PDS header can be read"},
    [CHECK_CRC] = {"crc_bad", "CRC trailer wrong"},
    [CHECK_SEALED] = {"sealed", "sealed by TSS, without a key"},
    [CHECK_REFUSED] = {"refused",
                       "sealed by TSS, and no key opens it: damaged, or not of its domain"},
    [CHECK_TRIMMED] = {"trimmed", "trimmed by a switch"},
    [CHECK_TWICE] = {"captured_twice", "captured twice: a copy of a packet just before"},
    [CHECK_SENDER] = {"sender", "not sent by"},
};

const char *check_reason_text(enum check_reason reason)
{
    return reasons[reason].text;
}

const char *check_reason_key(enum check_reason reason)
{
    return reasons[reason].key;
}

/* ---- memory for the tracker ---- */

static void *block_alloc(void *ctx, size_t n)
{
    (void)ctx;
    return calloc(1, n);
}

static void block_free(void *ctx, void *block)
{
    (void)ctx;
    free(block);
}

/* ---- what is remarkable of a capture ---- */

static void note_via(struct check_file *f, const char *via)
{
    for (unsigned i = 0; i < f->n_via; i++)
        if (f->via[i] == via)
            return;
    if (via && f->n_via < sizeof(f->via) / sizeof(*f->via))
        f->via[f->n_via++] = via;
}

static void note_sender(struct check_file *f, const struct uet_packet *p)
{
    if (!p->ip_end || f->n_senders == CHECK_SENDERS)
        return;
    struct uet_ip src = uet_src_ip(p);
    for (unsigned i = 0; i < f->n_senders; i++)
        if (uet_ip_equal(&f->senders[i], &src))
            return;
    f->senders[f->n_senders++] = src;
}

/* ---- one packet ---- */

static enum check_reason reason_below(enum uet_decap_end end)
{
    static const uint8_t reason[] = {
        [UET_DECAP_NOT_UET] = CHECK_NOT_UET,
        [UET_DECAP_LINK_TYPE] = CHECK_LINK_TYPE,
        [UET_DECAP_CUT] = CHECK_CUT,
        [UET_DECAP_FRAGMENT] = CHECK_FRAGMENT,
        [UET_DECAP_EXTENSION] = CHECK_EXTENSION,
    };
    return (enum check_reason)reason[end];
}

/* Why the rules have no opinion of a packet that the parser took for UET. */
static enum check_reason reason_above(const struct uet_packet *p, bool cut)
{
    if (p->error == UET_PARSE_NOT_UET)
        return CHECK_NOT_UET;
    if (p->error == UET_PARSE_IP_FRAGMENT)
        return CHECK_FRAGMENT;
    if (p->crc_state == UET_CRC_BAD)
        return CHECK_CRC;
    if (p->trim != UET_TRIM_NO)
        return CHECK_TRIMMED;
    if (p->tss && !p->pds)
        return p->seal.refused ? CHECK_REFUSED : CHECK_SEALED;
    if (p->partial || (!p->pds && cut))
        return CHECK_CUT;
    return p->pds ? CHECK_SENDER : CHECK_MALFORMED;
}

/* A copy of a packet is nothing new: its number is used up, and no more. */
static bool is_copy(struct judge *j, const struct uet_capture_packet *from,
                    const struct uet_packet *p, const struct uet_inner *inner)
{
    return check_is_twice(j->twice, p, from->data, inner->offset, from->time_ns);
}

/*
 * What the verdict of a packet rests on when its PDC is not plain: when it is told by more than its
 * PDCIDs, a doubt may begin there.
 */
static const char *match_of(const struct uet_tracked *t)
{
    static const bool plain[UET_MATCH_REASONS] = {[UET_MATCH_NONE] = true,
                                                  [UET_MATCH_OPENS] = true,
                                                  [UET_MATCH_SYN] = true,
                                                  [UET_MATCH_PDCIDS] = true,
                                                  [UET_MATCH_ANSWER] = true};
    return plain[t->match] ? NULL : uet_match_why((enum uet_match_reason)t->match);
}

/* False when memory ran out. */
static bool find_violations(struct judge *j, const struct uet_tracked *t)
{
    struct uet_violation v[MAX_VIOLATIONS];
    size_t n = uet_rules_check(j->rules, t, v, MAX_VIOLATIONS);
    char line[UET_LINE_MAX + 100];

    for (size_t i = 0; i < n; i++) {
        const struct uet_requirement *r = uet_requirement_find(v[i].requirement);
        bool must = !v[i].reported && (!r || r->level == UET_MUST || r->level == UET_MUST_NOT);
        if (j->options->must_only && !must)
            continue;
        uet_print_addressed(line, sizeof(line), &t->packet);
        const struct check_words words = {.line = line, .match = match_of(t)};
        int shown = check_found_add(&j->file->found, &v[i], &words, j->options->max);
        if (shown < 0)
            return false;
        if (j->violation && (shown || j->options->every))
            j->violation(j->ctx, &v[i], &words);
    }
    return true;
}

static bool judge_uet(struct judge *j, const struct uet_capture_packet *from,
                      const struct uet_packet *p, const struct uet_inner *inner)
{
    struct check_file *f = j->file;
    bool cut = inner->caplen < inner->len;

    f->cut += cut;
    note_via(f, inner->via);
    note_sender(f, p);
    if (is_copy(j, from, p, inner)) {
        f->not_judged[CHECK_TWICE]++;
        uet_track_skip(j->track, 1);
        return true;
    }
    const struct uet_tracked *t = uet_track_add_packet(j->track, p, from->time_ns);
    if (!t)
        return false;
    if (f->congestion)
        check_congestion_take(f->congestion, t);
    f->malformed += uet_parse_malformed(p);
    if (p->tss)
        check_sealed_note(&f->sealed, p);
    if (uet_rules_judge(j->rules, p))
        f->judged++;
    else
        f->not_judged[reason_above(p, cut)]++;
    return find_violations(j, t);
}

/* False when memory ran out. */
static bool judge_packet(struct judge *j, const struct uet_capture_packet *from)
{
    struct check_file *f = j->file;
    struct uet_packet *p = uet_track_place(j->track);
    struct uet_inner inner;
    enum uet_decap_end end =
        uet_reader_take(j->reader, from->linktype, from->data, from->caplen, from->len, p, &inner);

    f->packets++;
    if (end == UET_DECAP_UET)
        return judge_uet(j, from, p, &inner);
    if (end == UET_DECAP_LINK_TYPE && !f->not_judged[CHECK_LINK_TYPE])
        f->link_type = from->linktype;
    f->not_judged[reason_below(end)]++;
    uet_track_skip(j->track, 1); /* numbers stay those of the file */
    return true;
}

/* ---- the capture ---- */

/* What the first packets tell of CRC trailers. Errors show when they are judged. */
static void look_ahead(struct judge *j, struct uet_capture *ahead)
{
    struct uet_capture_packet from;
    struct uet_packet p;

    for (int n = 0; n < LOOK_AHEAD && uet_capture_next(ahead, &from) > 0; n++)
        uet_reader_take(j->reader, from.linktype, from.data, from.caplen, from.len, &p, NULL);
    uet_reader_rewind(j->reader);
}

static int judge_all(struct judge *j, struct uet_capture *capture)
{
    struct uet_capture_packet packet;
    int rc;

    while ((rc = uet_capture_next(capture, &packet)) > 0)
        if (!judge_packet(j, &packet))
            return uet_setup_error("check", "%s: no memory left at packet %u", j->file->path,
                                   j->file->packets);
    j->file->complete = rc == 0;
    return rc < 0 ? uet_setup_error("check", "%s", uet_capture_error(capture)) : 0;
}

int check_judge(struct check_file *file, struct uet_capture *capture, struct uet_capture *ahead,
                const struct check_options *o, check_violation_fn *violation, void *ctx)
{
    struct uet_track_config config = o->track;
    struct uet_parse_options parse = {.protect = config.protect,
                                      .lenient = true,
                                      .crc_order = o->crc_order,
                                      .udp_port = config.udp_port,
                                      .ip_protocol = config.ip_protocol,
                                      .dscp_trimmed = config.dscp_trimmed,
                                      .dscp_trimmed_lasthop = config.dscp_trimmed_lasthop};
    struct judge j = {.file = file, .options = o, .violation = violation, .ctx = ctx};
    int status = 2;

    config.allocator = (struct uet_track_allocator){NULL, block_alloc, block_free};
    config.vantage = o->rules.vantage;
    config.window = UET_TRACK_WINDOW_MIN; /* a capture may be as long as it likes */
    j.reader = uet_reader_new(&parse, o->any_order, o->keys);
    j.twice = calloc(1, sizeof(*j.twice));
    j.track = uet_track_new(&config);
    j.rules = j.track ? uet_rules_new(&o->rules, &config.allocator) : NULL;
    file->congestion = o->congestion ? check_congestion_new() : NULL;
    if (j.reader && j.twice && j.rules && (file->congestion || !o->congestion)) {
        if (ahead)
            look_ahead(&j, ahead);
        status = judge_all(&j, capture);
        file->totals = *uet_track_totals(j.track);
        file->trailers = *uet_reader_trailers(j.reader);
    } else {
        uet_setup_error("check", "no memory left");
    }
    uet_rules_free(j.rules);
    uet_track_free(j.track);
    free(j.twice);
    uet_reader_free(j.reader);
    return status;
}
