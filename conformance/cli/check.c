/* SPDX-License-Identifier: BSD-2-Clause */
/* uetconform check: the rules' opinion of a capture. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/cli/args.h"
#include "conformance/cli/commands.h"
#include "port/capture.h"
#include "rules/rules.h"
#include "uet_spec.h"
#include "wire/print.h"

#define MAX_VIOLATIONS 16

struct check {
    const char *path;
    struct uet_track_config track_config;
    struct uet_rules_config rules_config;
    struct uet_track *track;
    struct uet_rules *rules;
    json_t *found; /* NULL: text is printed */
    uint32_t packets, uet, malformed, violations;
};

static int help(void)
{
    printf("usage: uetconform check CAPTURE [OPTIONS]\n\n"
           "Reads a pcapng or pcap file and names every packet that breaks a rule.\n\n"
           "  --vantage V    where it was taken: middle (default), initiator, target, both\n"
           "                 (a rule that could not know at that place keeps silent)\n"
           "  --sender ADDR  judge only what this address sent\n"
           "  --protect P    none, crc, or auto (default): is there a CRC trailer?\n"
           "  --udp-port N   4793 by default\n"
           "  --spec V       1.0.3 (default), 1.0.2 or 1.0.1\n"
           "  --json         {file, packets, uet, malformed, violations: [...]}\n"
           "  --rules        list the rules and end\n\n"
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

static void tell(struct check *c, const struct uet_violation *v, const struct uet_packet *p)
{
    const struct uet_requirement *r = uet_requirement_find(v->requirement);
    char line[UET_LINE_MAX + 100];

    c->violations++;
    uet_print_addressed(line, sizeof(line), p);
    if (c->found) {
        json_array_append_new(c->found, json_pack("{sIssssssssss}", "frame", (json_int_t)v->number,
                                                  "requirement", v->requirement, "section",
                                                  r ? r->section : "", "level",
                                                  r ? uet_level_name((enum uet_level)r->level) : "",
                                                  "message", v->message, "packet", line));
        return;
    }
    printf("%s:%u: %s (%s, %s): %s\n    %s\n", c->path, v->number, v->requirement,
           r ? r->section : "?", r ? uet_level_name((enum uet_level)r->level) : "?", v->message,
           line);
}

static int judge(struct check *c, const uint8_t *frame, size_t len, uint64_t time_ns)
{
    struct uet_violation v[MAX_VIOLATIONS];
    const struct uet_tracked *t = uet_track_add(c->track, frame, len, time_ns);

    if (!t)
        return -1;
    if (t->packet.error != UET_PARSE_NOT_UET) {
        c->uet++;
        c->malformed += t->packet.error != UET_PARSE_OK;
    }
    size_t n = uet_rules_check(c->rules, t, v, MAX_VIOLATIONS);
    for (size_t i = 0; i < n; i++)
        tell(c, &v[i], &t->packet);
    return 0;
}

/* The tracker reads Ethernet: a packet that begins with IP gets a header of no address. */
static int judge_packet(struct check *c, const struct uet_capture_packet *p)
{
    static const uint8_t none[1];
    const uint8_t *data = p->data ? p->data : none;

    if (p->linktype == UET_LINKTYPE_ETHERNET)
        return judge(c, data, p->caplen, p->time_ns);
    if (p->linktype != UET_LINKTYPE_RAW_IP || p->caplen == 0)
        return judge(c, none, 0, p->time_ns); /* counts, so that numbers stay those of the file */
    uint8_t *frame = calloc(1, UET_ETH_BYTES + p->caplen);
    if (!frame)
        return -1;
    uet_eth_ethertype_set(frame, data[0] >> 4 == 6 ? UET_ETHERTYPE_IPV6 : UET_ETHERTYPE_IPV4);
    memcpy(frame + UET_ETH_BYTES, data, p->caplen);
    int rc = judge(c, frame, UET_ETH_BYTES + p->caplen, p->time_ns);
    free(frame);
    return rc;
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

static int finish(struct check *c, int status)
{
    if (c->found) {
        json_t *doc = json_pack("{sssIsIsIsO}", "file", c->path, "packets", (json_int_t)c->packets,
                                "uet", (json_int_t)c->uet, "malformed", (json_int_t)c->malformed,
                                "violations", c->found);
        json_dumpf(doc, stdout, JSON_INDENT(2));
        printf("\n");
        json_decref(doc);
        json_decref(c->found);
    } else {
        printf("%s: %u packets, %u of UET, %u malformed, %u violations of %zu rules\n", c->path,
               c->packets, c->uet, c->malformed, c->violations, uet_n_rules());
    }
    return status ? status : c->violations > 0;
}

static int check(struct check *c)
{
    struct uet_capture *capture;
    char err[512];

    if (uet_capture_open(&capture, c->path, err, sizeof(err)) != 0) {
        json_decref(c->found);
        return uet_setup_error("check", "%s", err);
    }
    c->track_config.allocator = (struct uet_track_allocator){NULL, block_alloc, block_free};
    c->track_config.vantage = c->rules_config.vantage;
    c->track = uet_track_new(&c->track_config);
    c->rules = c->track ? uet_rules_new(&c->rules_config, &c->track_config.allocator) : NULL;
    int status = 2;
    if (c->rules)
        status = finish(c, read_capture(c, capture));
    else
        uet_setup_error("check", "no memory left");
    uet_capture_close(capture);
    if (c->rules)
        uet_rules_free(c->rules);
    if (c->track)
        uet_track_free(c->track);
    return status;
}

/* ---- options ---- */

static bool set_option(struct check *c, int option)
{
    static const char *const vantages[] = {"middle", "initiator", "target", "both", NULL};
    static const char *const protects[] = {"none", "crc", "auto", NULL};
    uint64_t port;

    switch (option) {
    case 'v':
        return uet_args_word("check", "vantage", optarg, vantages, &c->rules_config.vantage);
    case 'p':
        return uet_args_word("check", "protect", optarg, protects, &c->track_config.protect);
    case 'V':
        return uet_args_word("check", "spec", optarg, uet_args_specs, &c->rules_config.spec);
    case 'u':
        if (!uet_args_number("check", "udp-port", optarg, 1, 65535, &port))
            return false;
        c->track_config.udp_port = (uint16_t)port;
        return true;
    case 's':
        if (uet_ip_parse(&c->rules_config.sender, optarg) == 0)
            return true;
        uet_usage("check", "--sender must be an IP address, not '%s'", optarg);
        return false;
    case 'j':
        if (!c->found)
            c->found = json_array();
        return c->found != NULL;
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
        if (o == '?' || !set_option(&c, o)) {
            json_decref(c.found);
            return 2;
        }
    }
    if (optind + 1 != argc) {
        json_decref(c.found);
        return uet_usage("check", "%s",
                         optind == argc ? "name a capture file" : "one capture file at a time");
    }
    c.path = argv[optind];
    return check(&c);
}
