/* SPDX-License-Identifier: BSD-2-Clause */
/* uetcat replay: what one FEP sent in a capture, sent to a FEP again, and its answers compared. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/uetcat/command.h"
#include "tools/uetcat/replay/run.h"
#include "tools/uetcat/result.h"

struct run {
    struct uetcat_args *args;
    struct replay_plan plan;
    struct replay_differences differences;
    struct replay_run run;
    struct uetcat_domain domain; /* with --keys */
    struct uetcat_seals seals;
};

/* ---- what is shown ---- */

static void show_start(const struct run *r)
{
    const struct uetcat_args *a = r->args;
    char as[UET_IP_TEXT], to[UET_IP_TEXT], from[UET_IP_TEXT];
    if (a->json || a->quiet)
        return;
    printf("%s: %" PRIu64 " packets of %s go from %s to %s\n", a->words[0], r->plan.n_ours,
           uet_ip_text(&r->plan.ours, as), uet_ip_text(&a->link.src, from),
           uet_ip_text(&a->link.dst, to));
    for (unsigned i = 1; i < REPLAY_LEFT_KINDS; i++)
        if (r->plan.left[i])
            printf("%" PRIu64 " packets are left out: %s\n", r->plan.left[i],
                   replay_left_text((enum replay_left)i));
}

static void show_differences(const struct replay_differences *d)
{
    for (size_t i = 0; i < d->n; i++) {
        const struct replay_difference *each = &d->at[i];
        if (each->first)
            printf("packet %u", each->first);
        if (each->first && each->n > 1)
            printf(" and %u more", each->n - 1);
        printf("%s%s", each->first ? ": " : "", each->what);
        if (!each->first && each->n > 1)
            printf(" (%u times)", each->n);
        putchar('\n');
    }
}

static void show_if(uint64_t n, const char *what)
{
    if (n)
        printf(", %" PRIu64 " %s", n, what);
}

static void show_end(const struct run *r, bool same)
{
    const struct replay_run *n = &r->run;
    show_differences(&r->differences);
    if (r->args->quiet)
        return;
    printf("%" PRIu64 " packets sent; of %" PRIu64 " answers in the capture %" PRIu64
           " came the same, %" PRIu64 " differ, %" PRIu64 " are missing",
           n->sent, r->plan.n_theirs, n->same, n->differ, n->missing);
    show_if(n->coalesced, "are covered by others");
    show_if(n->house + n->again, "are not compared");
    show_if(n->beside, "more came");
    show_if(n->unsent, "could not be sent");
    putchar('\n');
    puts(uetcat_interrupted      ? "interrupted"
         : r->plan.n_theirs == 0 ? "the capture has no answers to compare with"
         : same                  ? "the same as in the capture"
                                 : "not the same as in the capture");
}

static json_t *left_json(const struct replay_plan *plan)
{
    static const char *const names[REPLAY_LEFT_KINDS] = {
        [REPLAY_LEFT_OTHER] = "not_uet",     [REPLAY_LEFT_STRANGERS] = "other_feps",
        [REPLAY_LEFT_SEALED] = "encrypted",  [REPLAY_LEFT_START] = "first_try",
        [REPLAY_LEFT_CUT] = "cut",           [REPLAY_LEFT_LONG] = "long",
        [REPLAY_LEFT_DAMAGED] = "damaged",   [REPLAY_LEFT_NO_SYN] = "no_syn",
        [REPLAY_LEFT_THEIRS] = "other_side", [REPLAY_LEFT_ANSWERS] = "answers",
    };
    json_t *j = json_object();
    for (unsigned i = 1; i < REPLAY_LEFT_KINDS; i++)
        json_object_set_new(j, names[i], json_integer((json_int_t)plan->left[i]));
    return j;
}

static json_t *differences_json(const struct replay_differences *d)
{
    json_t *all = json_array();
    for (size_t i = 0; i < d->n; i++) {
        json_t *j = json_pack("{s:s, s:I}", "what", d->at[i].what, "count", (json_int_t)d->at[i].n);
        if (d->at[i].first)
            json_object_set_new(j, "packet", json_integer(d->at[i].first));
        json_array_append_new(all, j);
    }
    return all;
}

static const char *verdict_of(const struct run *r, bool same)
{
    if (uetcat_interrupted)
        return "interrupted";
    if (r->plan.n_theirs == 0)
        return "nothing to compare";
    return same ? "same" : "differs";
}

static void show_json(const struct run *r, bool same)
{
    const struct replay_run *n = &r->run;
    char as[UET_IP_TEXT], to[UET_IP_TEXT], from[UET_IP_TEXT];
    json_t *j = json_pack(
        "{s:s, s:s, s:s, s:s, s:I, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}",
        "capture", r->args->words[0], "as", uet_ip_text(&r->plan.ours, as), "from",
        uet_ip_text(&r->args->link.src, from), "to", uet_ip_text(&r->args->link.dst, to), "packets",
        (json_int_t)r->plan.packets, "left_out", left_json(&r->plan), "sent", (json_int_t)n->sent,
        "unsent", (json_int_t)n->unsent, "answers", (json_int_t)r->plan.n_theirs, "same",
        (json_int_t)n->same, "differ", (json_int_t)n->differ, "missing", (json_int_t)n->missing,
        "covered", (json_int_t)n->coalesced, "beside", (json_int_t)n->beside, "copies",
        (json_int_t)n->again, "housekeeping", (json_int_t)n->house);
    json_object_set_new(j, "differences", differences_json(&r->differences));
    json_object_set_new(j, "verdict", json_string(verdict_of(r, same)));
    uetcat_json("replay", j);
}

/* ---- the run ---- */

static int replay(struct run *r)
{
    struct uetcat_args *a = r->args;
    struct uetcat_link *l = &a->link;
    r->run = (struct replay_run){.link = l,
                                 .plan = &r->plan,
                                 .seals = l->keys ? &r->seals : NULL,
                                 .keys = &r->domain,
                                 .fast = a->fast,
                                 .verbose = a->verbose && !a->json,
                                 .differences = &r->differences};
    if (!uetcat_link_open(l))
        return UETCAT_USAGE;
    int status = UETCAT_NO;
    if (!uetcat_link_resolve(l)) {
        fputs("uetcat replay: nobody answers ARP or neighbour discovery for the address\n", stderr);
    } else {
        show_start(r);
        if (!replay_run(&r->run)) {
            status = UETCAT_USAGE;
        } else {
            bool same = r->differences.n == 0 && !uetcat_interrupted;
            if (a->json)
                show_json(r, same);
            else
                show_end(r, same);
            status = same ? UETCAT_YES : UETCAT_NO;
        }
    }
    uetcat_link_close(l);
    return l->broken ? UETCAT_USAGE : status;
}

/* What nobody could read from the options alone; false after a message. */
static bool fits_capture(const struct uetcat_args *a, const struct replay_plan *plan)
{
    bool sealed = false;
    for (size_t i = 0; i < plan->n_pdcs; i++)
        sealed |= plan->pdcs[i].sealed;
    if (a->keys && !sealed)
        fprintf(stderr, "uetcat replay: --keys: no effect, as nothing that is sent was sealed\n");
    if (!a->crc_order || a->link.protect == UET_PROTECT_CRC)
        return true;
    fprintf(stderr,
            "uetcat replay: --crc-order has no effect, as the packets of %s have no CRC: "
            "leave it out, or give --crc crc, too\n",
            a->words[0]);
    return false;
}

/* What nobody gave is as in the capture. */
static void follow_capture(struct uetcat_args *a, const struct replay_plan *plan)
{
    if (!a->crc)
        a->link.protect = plan->crc ? UET_PROTECT_CRC : UET_PROTECT_NONE;
    if (!a->crc_order)
        a->link.crc_order = plan->crc_order;
    if (!a->given[UETCAT_ENCAPSULATION]) /* UDP of the kernel carries no other */
        a->link.native = plan->native && a->link.have_source && !a->link.udp;
}

static bool say_nothing_there(const struct run *r)
{
    fprintf(stderr, "uetcat replay: %s: nothing can be replayed", r->args->words[0]);
    const char *before = ": ";
    for (unsigned i = 1; i < REPLAY_LEFT_KINDS; i++)
        if (r->plan.left[i]) {
            fprintf(stderr, "%s%" PRIu64 " packets %s", before, r->plan.left[i],
                    replay_left_text((enum replay_left)i));
            before = ", ";
        }
    fputs(*before == ':'                                            ? ": it has no packets\n"
          : r->plan.left[REPLAY_LEFT_SEALED] && !r->args->link.keys ? "; --keys opens them\n"
          : r->plan.left[REPLAY_LEFT_SEALED] ? "; --keys does not open them\n"
                                             : "\n",
          stderr);
    return false;
}

static bool prepare(struct run *r)
{
    struct uetcat_args *a = r->args;
    struct uet_ip as;
    char err[300];
    if (a->n_words != 2) {
        fprintf(stderr,
                "uetcat replay: give a capture and an address, not %d words; see uetcat "
                "replay --help\n",
                a->n_words);
        return false;
    }
    if (a->as && !uetcat_link_ip(&a->link, "--as", a->as, &as))
        return false;
    bool native = a->link.native;
    a->link.native |= a->ip_protocol != NULL; /* the capture decides */
    if (!uetcat_link_address(&a->link, 1, a->words + 1))
        return false;
    a->link.native = native;
    if (a->link.keys && (!uetcat_domain_open(&r->domain, a->link.command, a->link.keys) ||
                         !uetcat_seals_open(&r->seals, &r->domain, a->link.command)))
        return false;
    if (replay_plan_read(&r->plan, a->words[0], a->as ? &as : NULL, a->link.ip_protocol,
                         r->domain.ring, err, sizeof err) < 0) {
        fprintf(stderr, "uetcat replay: %s\n", err);
        return false;
    }
    follow_capture(a, &r->plan);
    return r->plan.n_ours ? fits_capture(a, &r->plan) : say_nothing_there(r);
}

static int run(int argc, char **argv)
{
    struct run r = {.args = uetcat_args_new(&uetcat_replay)};
    int status = UETCAT_USAGE;
    if (r.args && uetcat_options(&uetcat_replay, r.args, argc, argv, NULL, NULL) && prepare(&r))
        status = replay(&r);
    replay_run_free(&r.run);
    replay_plan_free(&r.plan);
    replay_differences_free(&r.differences);
    uetcat_seals_close(&r.seals);
    uetcat_domain_close(&r.domain);
    free(r.args);
    return status;
}

static const struct uetcat_use uses[] = {
    UETCAT_USES_LINK,
    {UETCAT_AS, NULL},
    {UETCAT_FAST, NULL},
    {UETCAT_WAIT, "seconds to wait for each answer of the capture (default 1)"},
    {UETCAT_CRC, "whether packets end in a CRC trailer (default: as in the capture)"},
    {UETCAT_CRC_ORDER, "its byte order (default: as in the capture)"},
    {UETCAT_ENCAPSULATION, "over UDP, or native IP (default: as in the capture)"},
    {UETCAT_IP_PROTOCOL, NULL},
    {UETCAT_ENTROPY, "entropy values, instead of those of the capture: N, A-B, all:N (N of them,\n"
                     "spread over all), or some of these with commas, in turn"},
    {UETCAT_KEYS,
     "open what is sealed in the capture (TSS, 3.7), and seal it anew for the FEP: a key\n"
     "file, as a FEP takes it. Counters begin with the time of day, so that no IV\n"
     "comes twice; what was in clear goes in clear"},
    {UETCAT_PCAP, NULL},
    {UETCAT_JSON, NULL},
    {UETCAT_QUIET, "the differences only"},
    {UETCAT_VERBOSE, "a line for each packet, in the terms of the capture"},
    {0}};

static const struct uet_idle_option idle[] = {
    {"quiet", "json", NULL}, {"verbose", "json", NULL}, {NULL, NULL, NULL}};

const struct uetcat_command uetcat_replay = {
    .name = "replay",
    .purpose = "a capture sent to a FEP, and its answers compared",
    .synopsis = "[OPTION...] FILE ADDR",
    .text =
        "Sends what one FEP sent in the capture FILE (pcap or pcapng) to the FEP at ADDR, and\n"
        "compares the answers with those in the capture. Addresses, PDCIDs and PSNs are "
        "rewritten,\n"
        "for the PDCs that the FEP gives now. Each packet waits for its time, and for the answers\n"
        "that stand before it in the capture. What cannot be replayed is counted: encrypted, cut\n"
        "short, of a PDC whose SYN is not there. With --keys what is encrypted is sealed anew, "
        "and\n"
        "its PDCs begin where the FEP wants them to.\n",
    .uses = uses,
    .idle = idle,
    .status =
        "Exit status: 0 the answers are those of the capture, 1 they differ, 2 the arguments,\n"
        "the file or the interface are wrong, or nothing in the file can be replayed.\n",
    .examples = "-S 192.0.2.77 talk.pcapng 192.0.2.2\n"
                "-S 192.0.2.77 --as 198.51.100.7 --fast talk.pcapng 192.0.2.2\n"
                "-S 192.0.2.77 --keys keys talk.pcapng 192.0.2.2\n"
                "-S 192.0.2.77 --json talk.pcapng 192.0.2.2 | jq '.differences[]'\n",
    .seals_last = true,
    .run = run,
};
