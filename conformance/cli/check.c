/* SPDX-License-Identifier: BSD-2-Clause */
/* uetconform check: the rules' opinion of a capture. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/cli/args.h"
#include "conformance/cli/commands.h"
#include "port/capture.h"
#include "rules/rules.h"
#include "uet_spec.h"
#include "wire/keyring.h"
#include "wire/print.h"

#define MAX_VIOLATIONS 16

struct check {
    const char *path;
    struct uet_track_config track_config;
    struct uet_rules_config rules_config;
    struct uet_track *track;
    struct uet_rules *rules;
    bool json;
    uint8_t *room;  /* UET_FRAME_ROOM bytes, for a packet that the capture cut */
    uint8_t *clear; /* the same, for one that was opened */
    const char *keys_path;
    struct uet_keyring *keys; /* NULL: none given */
    uint32_t packets, cut, malformed, violations;
};

#define UET_FRAME_ROOM 65536u

static int help(void)
{
    printf(
        "usage: uetconform check CAPTURE [OPTIONS]\n\n"
        "Reads a pcapng or pcap file and names every packet that breaks a rule.\n\n"
        "  --vantage V        where it was taken: middle (default), initiator, target, both\n"
        "                     (a rule that could not know at that place keeps silent)\n"
        "  --sender ADDR      judge only what this address sent\n"
        "  --spec V           1.0.3 (default), 1.0.2 or 1.0.1\n"
        "  --from-start       nothing was sent before the capture began\n"
        "  --protect P        none, crc, or auto (default): is there a CRC trailer?\n"
        "  --udp-port N       4793 by default\n"
        "  --ip-protocol N    of UET without UDP: 253 by default\n"
        "  --dscp-trimmed L   DSCPs of packets that a switch cut, as 10,12\n"
        "  --dscp-lasthop L   the same, cut at the last hop\n"
        "  --keys FILE        open what TSS has sealed: a key log, as tshark takes it, with a "
        "line\n"
        "                     for each key: UET_SD sdi=0x000001 an=0 mode=cluster key=<64 digits>\n"
        "  --default-mpr N    Default_MPR of the sources, 1 to 255; it is not known by default\n"
        "  --json             {file, violations: [...], packets, uet, ..., complete}\n"
        "  --rules            list the rules and end\n\n"
        "A violation is known by the packet's number, the requirement and its section. What TSS "
        "has\n"
        "sealed and no key opens, a switch has cut or a receiver drops for its CRC is counted and\n"
        "not judged.\n\n"
        "Exit status: 0 no violation, 1 some, 2 the capture cannot be read.\n\n"
        "Example:\n"
        "  uetconform check --sender 192.0.2.1 captures/trace.pcapng\n");
    return 0;
}

static int list_rules(void)
{
    for (size_t i = 0; i < uet_n_rules(); i++)
        printf("%-8s %s\n", uet_rule(i)->requirement, uet_rule(i)->title);
    return 0;
}

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

/* ---- one packet ---- */

static void tell_json(const struct check *c, const struct uet_violation *v,
                      const struct uet_requirement *r, const char *line)
{
    json_t *o = json_pack("{sIssssssssss}", "frame", (json_int_t)v->number, "requirement",
                          v->requirement, "section", r ? r->section : "", "level",
                          r ? uet_level_name((enum uet_level)r->level) : "", "message", v->message,
                          "packet", line);
    printf("%s\n    ", c->violations > 1 ? "," : "");
    json_dumpf(o, stdout, 0);
    json_decref(o);
}

static void tell(struct check *c, const struct uet_violation *v, const struct uet_packet *p)
{
    const struct uet_requirement *r = uet_requirement_find(v->requirement);
    char line[UET_LINE_MAX + 100];

    c->violations++;
    uet_print_addressed(line, sizeof(line), p);
    if (c->json) {
        tell_json(c, v, r, line);
        return;
    }
    printf("%s: packet %u: %s (%s, %s): %s\n    %s\n", c->path, v->number, v->requirement,
           r ? r->section : "?", r ? uet_level_name((enum uet_level)r->level) : "?", v->message,
           line);
}

static int judge(struct check *c, const struct uet_packet *packet, uint64_t time_ns)
{
    struct uet_violation v[MAX_VIOLATIONS];
    const struct uet_tracked *t = uet_track_add_packet(c->track, packet, time_ns);

    if (!t)
        return -1;
    c->malformed += uet_parse_malformed(packet);
    size_t n = uet_rules_check(c->rules, t, v, MAX_VIOLATIONS);
    for (size_t i = 0; i < n; i++)
        tell(c, &v[i], &t->packet);
    return 0;
}

/*
 * The capture holds less of the packet than there was. What is missing is put there as zeros, so
 * that the lengths are right, and then the headers are read as far as they were captured.
 */
static void parse_cut(struct check *c, struct uet_packet *p, const struct uet_capture_packet *from,
                      const struct uet_parse_options *options)
{
    struct uet_parse_options o = *options;
    size_t len = from->len < UET_FRAME_ROOM ? from->len : UET_FRAME_ROOM;
    size_t have = from->caplen < len ? from->caplen : len;

    c->cut++;
    memcpy(c->room, from->data, have);
    memset(c->room + have, 0, len - have);
    o.protect = UET_PROTECT_NONE;
    uet_parse(p, c->room, len, &o);
    size_t at = p->tss ? p->tss_offset : p->pds_offset;
    if (!at)
        return;
    if (c->keys && uet_keyring_open(c->keys, p, have, &o, c->clear))
        return;
    size_t end = p->ip_end;
    if (options->protect == UET_PROTECT_CRC && end - at > UET_CRC_TRAILER_BYTES && !p->tss)
        end -= UET_CRC_TRAILER_BYTES;
    struct uet_packet again = {.frame = p->frame,
                               .len = p->len,
                               .ip_version = p->ip_version,
                               .n_vlans = p->n_vlans,
                               .start = p->start,
                               .trim = p->trim,
                               .ip_offset = p->ip_offset,
                               .ip_end = p->ip_end,
                               .udp_offset = p->udp_offset,
                               .entropy_offset = p->entropy_offset,
                               /* The trailer was not captured, and may or may not be there. */
                               .crc_state = UET_CRC_UNCHECKED};
    uet_parse_transport(&again, at, end, have > end ? end : have, &o);
    *p = again;
}

static void parse_whole(struct check *c, struct uet_packet *p,
                        const struct uet_capture_packet *from,
                        const struct uet_parse_options *options)
{
    uet_parse(p, from->data, from->caplen, options);
    if (c->keys && p->tss && from->caplen <= UET_FRAME_ROOM)
        uet_keyring_open(c->keys, p, p->len, options, c->clear);
}

static int judge_packet(struct check *c, const struct uet_capture_packet *from)
{
    static const uint8_t none[1];
    const struct uet_track_config *t = &c->track_config;
    bool ip = from->linktype == UET_LINKTYPE_RAW_IP;
    const struct uet_parse_options options = {.protect = t->protect,
                                              .lenient = true,
                                              .start = ip ? UET_START_IP : UET_START_ETH,
                                              .udp_port = t->udp_port,
                                              .ip_protocol = t->ip_protocol,
                                              .dscp_trimmed = t->dscp_trimmed,
                                              .dscp_trimmed_lasthop = t->dscp_trimmed_lasthop};
    struct uet_packet p;

    if ((!ip && from->linktype != UET_LINKTYPE_ETHERNET) || !from->data)
        uet_parse(&p, none, 0, &options); /* counts: numbers stay those of the file */
    else if (from->caplen < from->len)
        parse_cut(c, &p, from, &options);
    else
        parse_whole(c, &p, from, &options);
    if (p.error == UET_PARSE_ETH_SHORT || p.error == UET_PARSE_IP_SHORT)
        p.error = UET_PARSE_NOT_UET; /* not even a frame: nobody knows whose */
    return judge(c, &p, from->time_ns);
}

/* ---- the file ---- */

static int read_capture(struct check *c, struct uet_capture *capture)
{
    struct uet_capture_packet packet;
    int rc;

    while ((rc = uet_capture_next(capture, &packet)) > 0) {
        c->packets++;
        if (judge_packet(c, &packet) != 0) {
            uet_setup_error("check", "no memory left at packet %u", c->packets);
            break;
        }
    }
    if (rc < 0)
        uet_setup_error("check", "%s", uet_capture_error(capture));
    return rc ? 2 : 0;
}

/* Why PSNs were sent again: "3 no answer in time, 1 trimmed by a switch". */
static void print_resent(const struct uet_track_totals *n)
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

static void print_text(const struct check *c, const struct uet_track_totals *n)
{
    printf("%s: %u packets, %u of UET, %u malformed, %u violations of %zu rules\n", c->path,
           c->packets, n->uet, c->malformed, c->violations, uet_n_rules());
    if (n->sealed || n->trimmed || n->crc_bad || c->cut)
        printf("  not judged: %u sealed by TSS, %u trimmed by a switch, %u with a wrong CRC; "
               "%u cut short by the capture\n",
               n->sealed, n->trimmed, n->crc_bad, c->cut);
    if (n->rudi_requests || n->uud)
        printf("  without a PDC: %u RUDI Requests (%u again), %u Responses, %u NACKs; %u UUD\n",
               n->rudi_requests, n->rudi_resent, n->rudi_responses, n->rudi_nacks, n->uud);
    print_resent(n);
}

static void print_json_end(const struct check *c, const struct uet_track_totals *n, bool complete)
{
    json_t *resent = json_object();
    for (int i = 1; i < UET_RESENT_CAUSES; i++)
        json_object_set_new(resent, uet_resent_name((enum uet_resent)i),
                            json_integer(n->resent[i]));
    json_t *totals = json_pack("{sIsIsIsIsIsIsIsIsIsosb}", "packets", (json_int_t)c->packets, "uet",
                               (json_int_t)n->uet, "malformed", (json_int_t)c->malformed, "sealed",
                               (json_int_t)n->sealed, "trimmed", (json_int_t)n->trimmed, "crc_bad",
                               (json_int_t)n->crc_bad, "cut", (json_int_t)c->cut, "rudi",
                               (json_int_t)n->rudi_requests, "uud", (json_int_t)n->uud, "resent",
                               resent, "complete", complete);
    char *text = json_dumps(totals, 0);
    printf("%s],\n  %s\n", c->violations ? "\n  " : "", text ? text + 1 : "}");
    free(text);
    json_decref(totals);
}

static int finish(struct check *c, int status)
{
    const struct uet_track_totals *n = uet_track_totals(c->track);
    if (c->json)
        print_json_end(c, n, status == 0);
    else
        print_text(c, n);
    return status ? status : c->violations > 0;
}

static void begin(const struct check *c)
{
    json_t *path = c->json ? json_string(c->path) : NULL;
    if (!c->json)
        return;
    printf("{\n  \"file\": ");
    json_dumpf(path, stdout, JSON_ENCODE_ANY);
    printf(",\n  \"violations\": [");
    json_decref(path);
}

/* The keys of --keys, if any; 0, or 2 with a line about what is wrong. */
static int read_keys(struct check *c)
{
    char err[512];
    FILE *f = c->keys_path ? fopen(c->keys_path, "r") : NULL;

    if (!c->keys_path)
        return 0;
    if (!f)
        return uet_setup_error("check", "%s: %s: give --keys a file that can be read", c->keys_path,
                               strerror(errno));
    c->keys = uet_keyring_read(f, c->keys_path, err, sizeof(err));
    fclose(f);
    return c->keys ? 0 : uet_setup_error("check", "%s", err);
}

static int check(struct check *c)
{
    struct uet_capture *capture;
    char err[512];
    int status = 2;

    if (read_keys(c) != 0)
        return 2;
    if (uet_capture_open(&capture, c->path, err, sizeof(err)) != 0) {
        uet_keyring_free(c->keys);
        return uet_setup_error("check", "%s", err);
    }
    c->track_config.allocator = (struct uet_track_allocator){NULL, block_alloc, block_free};
    c->track_config.vantage = c->rules_config.vantage;
    c->track_config.window = UET_TRACK_WINDOW_MIN; /* a capture may be as long as it likes */
    c->room = malloc(UET_FRAME_ROOM);
    c->clear = malloc(UET_FRAME_ROOM);
    c->track = uet_track_new(&c->track_config);
    c->rules = c->track ? uet_rules_new(&c->rules_config, &c->track_config.allocator) : NULL;
    if (c->rules && c->room && c->clear) {
        begin(c);
        status = finish(c, read_capture(c, capture));
    } else {
        uet_setup_error("check", "no memory left");
    }
    uet_capture_close(capture);
    uet_rules_free(c->rules);
    uet_track_free(c->track);
    uet_keyring_free(c->keys);
    free(c->room);
    free(c->clear);
    return status;
}

/* ---- options ---- */

static bool set_number(const char *option, uint64_t max, uint64_t *value)
{
    return uet_args_number("check", option, optarg, 1, max, value);
}

/* "10,12": a bit for each DSCP. */
static bool set_dscps(const char *option, uint64_t *bits)
{
    const char *at = optarg;
    for (;; at++) {
        char *end;
        unsigned long dscp = strtoul(at, &end, 10);
        if (*at < '0' || *at > '9' || dscp > 63 || (*end && *end != ',')) {
            uet_usage("check", "--%s must be DSCPs from 0 to 63 like 10,12, not '%s'", option,
                      optarg);
            return false;
        }
        *bits |= UINT64_C(1) << dscp;
        at = end;
        if (!*at)
            return true;
    }
}

static bool set_sender(struct check *c)
{
    if (uet_ip_parse(&c->rules_config.sender, optarg) == 0)
        return true;
    uet_usage("check", "--sender must be an IP address, not '%s'", optarg);
    return false;
}

static bool set_option(struct check *c, int option)
{
    static const char *const vantages[] = {"middle", "initiator", "target", "both", NULL};
    static const char *const protects[] = {"none", "crc", "auto", NULL};
    uint64_t n = 0;
    bool good = true;

    switch (option) {
    case 'v':
        return uet_args_word("check", "vantage", optarg, vantages, &c->rules_config.vantage);
    case 'p':
        return uet_args_word("check", "protect", optarg, protects, &c->track_config.protect);
    case 'V':
        return uet_args_word("check", "spec", optarg, uet_dut_specs, &c->rules_config.spec);
    case 'u':
        good = set_number("udp-port", 65535, &n);
        c->track_config.udp_port = (uint16_t)n;
        return good;
    case 'i':
        good = set_number("ip-protocol", 255, &n);
        c->track_config.ip_protocol = (uint8_t)n;
        return good;
    case 'm':
        good = set_number("default-mpr", 255, &n);
        c->rules_config.default_mpr = (uint8_t)n;
        return good;
    case 't':
        return set_dscps("dscp-trimmed", &c->track_config.dscp_trimmed);
    case 'l':
        good = set_dscps("dscp-lasthop", &c->track_config.dscp_trimmed_lasthop);
        c->track_config.dscp_trimmed |= c->track_config.dscp_trimmed_lasthop;
        return good;
    case 's':
        return set_sender(c);
    case 'k':
        c->keys_path = optarg;
        return true;
    case 'f':
        return c->track_config.from_start = true;
    case 'j':
        return c->json = true;
    default:
        return false;
    }
}

int uet_cmd_check(int argc, char **argv)
{
    static const struct option options[] = {
        {"vantage", required_argument, NULL, 'v'},
        {"sender", required_argument, NULL, 's'},
        {"protect", required_argument, NULL, 'p'},
        {"udp-port", required_argument, NULL, 'u'},
        {"ip-protocol", required_argument, NULL, 'i'},
        {"dscp-trimmed", required_argument, NULL, 't'},
        {"dscp-lasthop", required_argument, NULL, 'l'},
        {"default-mpr", required_argument, NULL, 'm'},
        {"keys", required_argument, NULL, 'k'},
        {"from-start", no_argument, NULL, 'f'},
        {"spec", required_argument, NULL, 'V'},
        {"json", no_argument, NULL, 'j'},
        {"rules", no_argument, NULL, 'r'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    struct check c = {.track_config.protect = UET_PROTECT_AUTO,
                      .rules_config.vantage = UET_VANTAGE_MIDDLE};
    int o;

    while ((o = uet_args_next("check", argc, argv, options)) != -1) {
        if (o == 'h')
            return help();
        if (o == 'r')
            return list_rules();
        if (o == '?' || !set_option(&c, o))
            return 2;
    }
    if (optind + 1 != argc)
        return uet_usage("check", "%s",
                         optind == argc ? "name a capture file" : "one capture file at a time");
    c.path = argv[optind];
    return check(&c);
}
