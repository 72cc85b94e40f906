/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/check/tell.h"

#include <stdio.h>
#include <string.h>

#include "conformance/cli/args.h"

/* "1 packet", "2 packets" */
static const char *plural(uint32_t n)
{
    return n == 1 ? "" : "s";
}

/* ---- violations ---- */

static void tell_more(const struct check_group *g)
{
    uint32_t in_words = 0, last = 0;
    if (!g->n_numbers)
        return;
    for (uint32_t i = 0; i < g->n_shown; i++) {
        in_words += g->shown[i].number != last;
        last = g->shown[i].number;
    }
    uint32_t more = g->packets - in_words;
    printf("      %u more packet%s: ", more, plural(more));
    for (uint32_t i = 0; i < g->n_numbers; i++)
        printf("%s%u", i ? ", " : "", g->numbers[i]);
    printf("%s\n", more > g->n_numbers ? ", ..." : "");
}

static void tell_packet(const struct check_packet *p)
{
    printf("      packet %u: %s\n          %s\n", p->number, p->message, p->line);
    if (p->match)
        printf("          its PDC is told by %s\n", p->match);
}

static void tell_group(const struct check_group *g, bool summary)
{
    const struct uet_requirement *r = g->requirement;
    printf("%-8s  %-10s  %-10s  %u packet%s: %s%s\n", g->id,
           r ? uet_level_name((enum uet_level)r->level) : "?", r ? r->section : "?", g->packets,
           plural(g->packets), g->title, r && r->other_reading[0] ? " (contested)" : "");
    if (summary)
        return;
    for (uint32_t i = 0; i < g->n_shown; i++)
        tell_packet(&g->shown[i]);
    tell_more(g);
}

/* ---- totals ---- */

static void tell_reason(const struct check_file *f, const struct check_options *o,
                        enum check_reason reason)
{
    char address[UET_IP_TEXT];
    printf("  %8u  %s", f->not_judged[reason], check_reason_text(reason));
    if (reason == CHECK_LINK_TYPE)
        printf(": %u", f->link_type);
    if (reason == CHECK_SENDER)
        printf(" %s", uet_ip_text(&o->rules.sender, address));
    printf("\n");
}

/* Why PSNs were sent again: "3 no answer in time, 1 trimmed by a switch". */
static void tell_resent(const struct uet_track_totals *n)
{
    const char *separator = "  sent again: ";
    for (int i = 1; i < UET_RESENT_CAUSES; i++) {
        if (!n->resent[i])
            continue;
        printf("%s%u %s", separator, n->resent[i], uet_resent_name((enum uet_resent)i));
        separator = ", ";
    }
    if (*separator == ',')
        printf("\n");
}

static void tell_ways(const struct check_file *f)
{
    for (unsigned i = 0; i < f->n_via; i++)
        printf("%s%s", i ? ", " : "  found in: ", f->via[i]);
    if (f->n_via)
        printf("\n");
}

/* 3.5.25 has network order; one implementation in both orders is worth a line, too. */
static void tell_trailers(const struct uet_trailers *t)
{
    uint32_t big = t->good[UET_CRC_BIG_ENDIAN], little = t->good[UET_CRC_LITTLE_ENDIAN];

    if (t->unwanted)
        printf("  packets look as if they ended in CRC trailers: use --protect crc\n");
    if (big + little + t->bad == 0)
        return;
    printf("  CRC trailers: %u right", big + little);
    if (big && little)
        printf(", %u of them little-endian", little);
    else if (little)
        printf(", little-endian");
    printf("%s", little ? " (3.5.25 has big-endian)" : "");
    if (t->bad)
        printf(", %u wrong", t->bad);
    printf("\n");
    if (t->other)
        printf("  %u of the wrong ones are right in the other byte order: see --crc-order\n",
               t->other);
}

static void tell_totals(const struct check_file *f, const struct check_options *o)
{
    const struct uet_track_totals *n = &f->totals;
    uint32_t not = f->packets - f->judged, should = f->found.violations - f->found.must;
    printf("%s: %u packet%s, ", f->path, f->packets, plural(f->packets));
    if (f->judged)
        printf("%u judged", f->judged);
    else
        printf("none judged");
    if (f->judged && not )
        printf(", %u not", not );
    if (f->judged || f->found.violations)
        printf("; %u violation%s", f->found.violations, plural(f->found.violations));
    if (f->found.n_groups)
        printf(" of %zu requirement%s", f->found.n_groups, plural((uint32_t)f->found.n_groups));
    if (should)
        printf(" (%u of SHOULD)", should);
    printf("%s\n", f->complete ? "" : "; the capture was not read to its end");
    for (int i = 0; i < CHECK_REASONS; i++)
        if (f->not_judged[i])
            tell_reason(f, o, (enum check_reason)i);
    check_sealed_tell(&f->sealed, n);
    tell_ways(f);
    tell_trailers(&f->trailers);
    if (n->rudi_requests || n->uud)
        printf("  without a PDC: %u RUDI Requests (%u again), %u Responses, %u NACKs; %u UUD\n",
               n->rudi_requests, n->rudi_resent, n->rudi_responses, n->rudi_nacks, n->uud);
    tell_resent(n);
}

void check_tell(const struct check_file *file, const struct check_options *o)
{
    for (size_t i = 0; i < file->found.n_groups; i++)
        tell_group(&file->found.groups[i], o->summary);
    tell_totals(file, o);
}

/* ---- nothing judged ---- */

/* The reason that most packets have. */
static enum check_reason chief(const struct check_file *f)
{
    int most = CHECK_NOT_UET;
    for (int i = 0; i < CHECK_REASONS; i++)
        /* What is not UET stands in every capture; anything else says more. */
        if (f->not_judged[i] && (most == CHECK_NOT_UET || f->not_judged[i] > f->not_judged[most]))
            most = i;
    return (enum check_reason)most;
}

static void cure_not_uet(const struct check_options *o, char *out, size_t n)
{
    snprintf(
        out, n,
        "no packet goes to UDP port %u or is of IP protocol %u; give --udp-port or "
        "--ip-protocol where UET has another",
        (unsigned)(o->track.udp_port ? o->track.udp_port : UET_UDP_PORT),
        (unsigned)(o->track.ip_protocol ? o->track.ip_protocol : UET_IPPROTO_UET_EXPERIMENTAL));
}

static void cure_sender(const struct check_file *f, const struct check_options *o, char *out,
                        size_t n)
{
    char address[UET_IP_TEXT];
    int at = snprintf(out, n, "%s sent none of the UET packets; ",
                      uet_ip_text(&o->rules.sender, address));
    for (unsigned i = 0; i < f->n_senders && at > 0 && (size_t)at < n; i++)
        at += snprintf(out + at, n - (size_t)at, "%s%s", i ? ", " : "",
                       uet_ip_text(&f->senders[i], address));
    if (at > 0 && (size_t)at < n)
        snprintf(out + at, n - (size_t)at, " did");
}

static const char *cure(const struct check_file *f, const struct check_options *o, char *out,
                        size_t n)
{
    static const char *const cures[CHECK_REASONS] = {
        [CHECK_CUT] = ("the capture has too little of each packet; capture with a larger snaplen "
                       "(tcpdump -s 0), or let the mirror copy more"),
        [CHECK_FRAGMENT] = "IP fragments are not put together; UET packets are never fragmented",
        [CHECK_EXTENSION] = "UET behind IPv6 extension headers is not read",
        [CHECK_MALFORMED] = "no packet has a PDS header that can be read; uetcat decode shows why",
        [CHECK_CRC] = "every CRC trailer is wrong; give --protect none if there is none",
        [CHECK_SEALED] = ("TSS has sealed the packets, and only their headers were looked at; give "
                          "their keys with --keys"),
        [CHECK_REFUSED] = "none of the keys opens a packet; are they those of this capture?",
        [CHECK_TRIMMED] = "a switch has cut all of them; capture before it",
    };
    enum check_reason reason = chief(f);
    if (f->packets == 0)
        snprintf(out, n, "the capture holds no packet");
    else if (reason == CHECK_NOT_UET)
        cure_not_uet(o, out, n);
    else if (reason == CHECK_LINK_TYPE)
        snprintf(out, n, "link type %u is not read; capture Ethernet, Linux cooked or raw IP",
                 f->link_type);
    else if (reason == CHECK_SENDER)
        cure_sender(f, o, out, n);
    else if (reason == CHECK_CRC && f->trailers.other)
        snprintf(out, n,
                 "every CRC trailer is wrong, and right in the other byte order; "
                 "give --crc-order auto");
    else
        snprintf(out, n, "%s", cures[reason] ? cures[reason] : check_reason_text(reason));
    return out;
}

void check_tell_nothing(const struct check_file *file, const struct check_options *o)
{
    char text[400];
    fflush(stdout); /* the line comes after what was said of the file */
    uet_setup_error("check", "%s: nothing was judged: %s", file->path,
                    cure(file, o, text, sizeof(text)));
}
