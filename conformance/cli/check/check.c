/* SPDX-License-Identifier: BSD-2-Clause */
/* uetconform check: the rules' opinion of captures. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "conformance/cli/args.h"
#include "conformance/cli/check/tell.h"
#include "conformance/cli/commands.h"
#include "conformance/harness/dut.h"
#include "tools/idle_option.h"
#include "wire/secret.h"

#define MAX_SHOWN 3 /* packets of each requirement, by default */

struct check {
    struct check_options options;
    const char *keys_path;
    const char *json_path; /* --json=FILE; "-": standard output, and no text there; NULL: no JSON */
    const char *svg_path;  /* --svg; NULL: no picture */
    bool max_given;
    FILE *json;
    /* of all files */
    unsigned files, unreadable, unjudged;
    bool sealed; /* some packet of some capture is */
    uint32_t judged, violations, must;
};

static int help(void)
{
    printf(
        "usage: uetconform check CAPTURE... [OPTIONS]\n\n"
        "Reads pcapng or pcap files (- is standard input) and names the requirements that packets "
        "break,\nwith the first packets of each. Packets are found behind Ethernet, Linux cooked "
        "(-i any),\nloopback and raw IP, in VLANs, MPLS, VXLAN, Geneve, GRE and ERSPAN.\n\n"
        "  --summary          a line for each requirement, no packets\n"
        "  --max N            packets shown of each requirement: 3 by default; in JSON, all\n"
        "  --level L          must: leave out what breaks a SHOULD; all (default)\n"
        "  --strict           exit status 1 also when only a SHOULD is broken\n"
        "  --vantage V        where it was taken: middle (default), initiator, target, both\n"
        "                     (a rule that cannot be sure at that place says nothing)\n"
        "  --sender ADDR      judge only what this address sent\n"
        "  --spec V           1.0.3 (default), 1.0.2 or 1.0.1\n"
        "  --from-start       nothing was sent before the capture began\n"
        "  --protect P        do packets end in a CRC trailer? none, crc, or auto (default): found "
        "out\n"
        "                     from each sender's packets\n"
        "  --crc-order O      its byte order: big, little, or auto (default): either is right\n"
        "  --udp-port N       4793 by default\n"
        "  --ip-protocol N    of UET without UDP: 253 by default\n"
        "  --dscp-trimmed L   DSCPs of packets that a switch has trimmed, as 10,12\n"
        "  --dscp-lasthop L   the same, trimmed at the last hop\n"
        "  --keys FILE        decrypt what TSS has encrypted: a key log, as tshark takes it, a "
        "line\n"
        "                     for each key: UET_SD sdi=0x000001 an=0 mode=cluster key=<64 "
        "digits>\n"
        "  --dscp-control L   DSCPs of ACKs, NACKs and Control Packets where the capture was "
        "taken:\n"
        "                     others are judged then (CMS-008), but of ACKs with read data\n"
        "  --default-mpr N    Default_MPR of the sources, 1 to 255; it is not known by default\n"
        "  --max-wnd BYTES    the ceiling of the sources' windows (NSCC; 1.5 x link rate x base "
        "RTT), "
        "and\n"
        "  --rto MS           the shortest time after which they take a packet for lost: with "
        "both,\n"
        "                     bytes in flight are judged (CMS-037, CMS-038), but at the middle\n"
        "  --congestion       also tell of each direction of a PDC what was in flight (counted "
        "low: "
        "an\n"
        "                     answer counts for all before it), a window that must have been open "
        "(the\n"
        "                     most in flight in a round trip), RTT (at this place, without\n"
        "                     service_time), marks, trims, resends and goodput over time\n"
        "  --svg FILE         the same as a picture, of one capture\n"
        "  --json[=FILE]      {file, violations: [...], requirements: [...], packets, judged,\n"
        "                     not_judged: {...}, ..., complete}; of several files {files: "
        "[...]}.\n"
        "                     Without FILE, or with -, nothing else goes to standard output\n"
        "  --rules            list the rules and end\n\n"
        "Some packets are not judged, only counted with the reason: those that are not UET,\n"
        "cut short by the capture, trimmed by a switch, captured twice, or that a receiver drops\n"
        "for their CRC, or because none of the keys for it opens it (\"refused\"). Of one that is\n"
        "encrypted without a key (\"sealed\") the TSS header alone is judged: whether an IV is "
        "used\n"
        "twice, and whether the counter rises. Of those that were opened it is told in which of\n"
        "the contested readings (TSS-012, TSS-077).\n\n"
        "Exit status: 0 no MUST is broken, 1 one is, 2 a capture cannot be read or the arguments "
        "are wrong,\n3 nothing was judged.\n\n"
        "Examples:\n"
        "  uetconform check --sender 192.0.2.1 captures/trace.pcapng\n"
        "  uetconform check --summary --level must *.pcapng\n"
        "  uetconform check --congestion --svg flow.svg --vantage initiator trace.pcapng\n"
        "  uetconform check --json trace.pcapng | jq '.requirements[].requirement'\n"
        "  tcpdump -i any -w - udp port 4793 | uetconform check -\n");
    return 0;
}

static int list_rules(void)
{
    for (size_t i = 0; i < uet_n_rules(); i++)
        printf("%-8s %s\n", uet_rule(i)->requirement, uet_rule(i)->title);
    return 0;
}

/* ---- the files ---- */

/*
 * What was judged decides; nothing judged is no verdict, unless the header of a sealed packet was
 * wrong.
 */
static int verdict(const struct check_options *o, uint32_t judged, uint32_t violations,
                   uint32_t must)
{
    if (must > 0 || (o->strict && violations > 0))
        return 1;
    return judged ? 0 : UET_EXIT_NOTHING;
}

static void add_up(struct check *c, const struct check_file *f)
{
    c->judged += f->judged;
    c->violations += f->found.violations;
    c->must += f->found.must;
    c->unjudged += f->judged == 0;
    c->sealed |= f->sealed.opened || f->sealed.n_slots;
}

/* A second reader of a file; NULL for a pipe, of which nothing can be read twice. */
static struct uet_capture *open_again(const char *path)
{
    struct uet_capture *ahead;
    struct stat st;
    char err[512];
    bool file = strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);

    return file && uet_capture_open(&ahead, path, err, sizeof(err)) == 0 ? ahead : NULL;
}

static void plot(struct check *c, const struct check_file *file)
{
    FILE *svg = fopen(c->svg_path, "w");
    bool bad = !svg;

    if (svg) {
        check_congestion_plot(file->congestion, file->path, svg);
        bad = ferror(svg) != 0;
        bad |= fclose(svg) != 0;
    }
    if (bad)
        c->unreadable += uet_setup_error("check", "%s: cannot be written: %s", c->svg_path,
                                         strerror(errno)) != 0;
}

static void check_one(struct check *c, struct uet_capture *capture, const char *path)
{
    struct uet_capture *ahead = open_again(path);
    struct check_file file = {.path = path};
    struct check_json json = {.out = c->json};

    if (c->json)
        check_json_begin(&json, path);
    bool packets = c->json && !(c->options.summary && !c->max_given);
    int status = check_judge(&file, capture, ahead, &c->options,
                             packets ? check_json_violation : NULL, &json);
    uet_capture_close(ahead);
    c->unreadable += status != 0;
    add_up(c, &file);
    if (status == 0)
        status = verdict(&c->options, file.judged, file.found.violations, file.found.must);
    if (c->json)
        check_json_end(&json, &file, status);
    if (c->json != stdout)
        check_tell(&file, &c->options);
    if (file.congestion && c->json != stdout)
        check_congestion_tell(file.congestion);
    if (file.congestion && c->svg_path)
        plot(c, &file);
    if (file.complete && file.judged == 0)
        check_tell_nothing(&file, &c->options);
    check_found_free(&file.found);
    check_congestion_free(file.congestion);
}

static void check_path(struct check *c, const char *path, bool several)
{
    struct uet_capture *capture;
    char err[512];

    if (uet_capture_open(&capture, path, err, sizeof(err)) != 0) {
        uet_setup_error("check", "%s", err);
        c->unreadable++;
        if (c->json && several)
            check_json_error(c->json, path, err);
        return;
    }
    check_one(c, capture, path);
    uet_capture_close(capture);
}

static const char *plural(uint32_t n)
{
    return n == 1 ? "" : "s";
}

static void tell_files(const struct check *c, int n)
{
    if (c->judged)
        printf("\n%d files: %u packet%s judged; %u violation%s", n, c->judged, plural(c->judged),
               c->violations, plural(c->violations));
    else
        printf("\n%d files: no packet judged", n);
    if (c->unjudged)
        printf("; %u file%s with nothing judged", c->unjudged, plural(c->unjudged));
    if (c->unreadable)
        printf("; %u file%s not readable to the end", c->unreadable, plural(c->unreadable));
    printf("\n");
}

static int check_all(struct check *c, int n, char **paths)
{
    bool several = n > 1;

    if (c->json && several)
        fprintf(c->json, "{\"files\": [\n");
    for (int i = 0; i < n; i++) {
        if (i)
            fputs(c->json == stdout ? ",\n" : "\n", stdout);
        if (i && c->json && c->json != stdout)
            fputs(",\n", c->json);
        check_path(c, paths[i], several);
    }
    int status = c->unreadable ? 2 : verdict(&c->options, c->judged, c->violations, c->must);
    if (c->json && several)
        fprintf(c->json, "], \"exit_status\": %d}\n", status);
    if (c->json != stdout && several)
        tell_files(c, n);
    return status;
}

/* ---- files beside the captures ---- */

/* The keys of --keys, if any; 0, or 2 with a line about what is wrong. */
static int read_keys(struct check *c)
{
    char err[512];

    if (!c->keys_path)
        return 0;
    c->options.keys = uet_keyring_read(c->keys_path, err, sizeof(err));
    if (!c->options.keys)
        return uet_setup_error("check", "--keys: %s", err);
    if (*err)
        fprintf(stderr, "uetconform check: %s\n", err);
    /* What the system does not lock is told by programs that stay. */
    (void)uet_secrets_guard(err, sizeof(err));
    return 0;
}

static int open_json(struct check *c)
{
    if (!c->json_path)
        return 0;
    c->json = strcmp(c->json_path, "-") == 0 ? stdout : fopen(c->json_path, "w");
    if (c->json)
        return 0;
    return uet_setup_error("check", "%s: cannot be written: %s; make its folder first",
                           c->json_path, strerror(errno));
}

static int close_json(struct check *c, int status)
{
    if (!c->json || c->json == stdout)
        return status;
    bool bad = ferror(c->json) != 0;
    bad |= fclose(c->json) != 0;
    if (!bad)
        return status;
    return uet_setup_error("check", "%s: cannot be written: %s", c->json_path, strerror(errno));
}

static int check(struct check *c, int n, char **paths)
{
    int status = read_keys(c);

    if (status == 0)
        status = open_json(c);
    if (status == 0)
        status = close_json(c, check_all(c, n, paths));
    if (c->keys_path && status != 2 && !c->sealed)
        fputs("uetconform check: --keys: no effect, as nothing there is sealed\n", stderr);
    uet_keyring_free(c->options.keys);
    return status;
}

/* ---- options ---- */

static bool set_number(const char *option, uint64_t min, uint64_t max, uint64_t *value)
{
    return uet_args_number("check", option, optarg, min, max, value);
}

/* "10,12": a bit for each DSCP. One that stands there twice was to be another. */
static bool set_dscps(const char *option, uint64_t *bits)
{
    const char *at = optarg;
    uint64_t given = 0;

    for (;; at++) {
        char *end;
        unsigned long dscp = strtoul(at, &end, 10);
        if (*at < '0' || *at > '9' || dscp > 63 || (*end && *end != ',')) {
            uet_usage("check", "--%s must be DSCPs from 0 to 63 like 10,12, not '%s'", option,
                      optarg);
            return false;
        }
        if (given >> dscp & 1) {
            uet_usage("check", "--%s %s: %lu stands there twice: leave one out, or mend it", option,
                      optarg, dscp);
            return false;
        }
        given |= UINT64_C(1) << dscp;
        at = end;
        if (!*at)
            break;
    }
    *bits |= given;
    return true;
}

static bool set_sender(struct check_options *o)
{
    if (o->rules.sender.version != 0) {
        uet_usage("check",
                  "'--sender' stands there twice: it judges one sender or, without it, all");
        return false;
    }
    if (uet_ip_parse(&o->rules.sender, optarg) == 0)
        return true;
    uet_usage("check", "--sender must be an IP address, not '%s'", optarg);
    return false;
}

/* Options with a value that says what the packets are. */
static bool set_packets(struct check_options *o, int option)
{
    uint64_t n = 0;
    bool good = true;

    switch (option) {
    case 'u':
        good = set_number("udp-port", 1, 65535, &n);
        o->track.udp_port = (uint16_t)n;
        return good;
    case 'i':
        good = set_number("ip-protocol", 1, 255, &n);
        o->track.ip_protocol = (uint8_t)n;
        return good;
    case 'm':
        good = set_number("default-mpr", 1, 255, &n);
        o->rules.default_mpr = (uint8_t)n;
        return good;
    case 'W':
        good = set_number("max-wnd", 1, INT32_MAX, &o->window.max_wnd);
        o->window.max_credit = o->window.max_wnd;
        return good;
    case 'R':
        good = set_number("rto", 1, 3600000, &n);
        o->window.loss_ns = n * 1000000;
        return good;
    case 't':
        return set_dscps("dscp-trimmed", &o->track.dscp_trimmed);
    case 'l':
        good = set_dscps("dscp-lasthop", &o->track.dscp_trimmed_lasthop);
        o->track.dscp_trimmed |= o->track.dscp_trimmed_lasthop;
        return good;
    case 'd':
        return set_dscps("dscp-control", &o->rules.dscp_control);
    default:
        return false;
    }
}

static bool set_option(struct check *c, int option)
{
    static const char *const vantages[] = {"middle", "initiator", "target", "both", NULL};
    static const char *const protects[] = {"none", "crc", "auto", NULL};
    static const char *const orders[] = {"big", "little", "auto", NULL};
    static const char *const levels[] = {"all", "must", NULL};
    struct check_options *o = &c->options;
    uint8_t level = 0;
    uint64_t n = 0;
    bool good = true;

    switch (option) {
    case 'v':
        return uet_args_word("check", "vantage", optarg, vantages, &o->rules.vantage);
    case 'p':
        return uet_args_word("check", "protect", optarg, protects, &o->track.protect);
    case 'c':
        good = uet_args_word("check", "crc-order", optarg, orders, &o->crc_order);
        o->any_order = strcmp(optarg, "auto") == 0;
        return good;
    case 'V':
        return uet_args_word("check", "spec", optarg, uet_dut_specs, &o->rules.spec);
    case 'L':
        good = uet_args_word("check", "level", optarg, levels, &level);
        o->must_only = level == 1;
        return good;
    case 'M':
        good = c->max_given = set_number("max", 0, 1000000, &n);
        o->max = (uint32_t)n;
        return good;
    case 's':
        return set_sender(o);
    case 'k':
        return uet_args_once("check", "keys", optarg, &c->keys_path);
    case 'f':
        return o->track.from_start = true;
    case 'C':
        return o->congestion = true;
    case 'G':
        o->congestion = true;
        return uet_args_once("check", "svg", optarg, &c->svg_path);
    case 'S':
        return o->summary = true;
    case 'T':
        return o->strict = true;
    case 'j':
        return uet_args_once("check", "json", optarg ? optarg : "-", &c->json_path);
    default:
        return set_packets(o, option);
    }
}

/* No capture is called so; other commands take --json FILE. */
static bool names_json(const char *word)
{
    size_t n = strlen(word);

    return n > 5 && strcmp(word + n - 5, ".json") == 0;
}

/* --json -, as other commands take it: the dash is no capture when there is one. */
static int drop_dash(int n, char **paths)
{
    for (int i = 0; i < n; i++)
        if (strcmp(paths[i], "-") == 0) {
            memmove(&paths[i], &paths[i + 1], (size_t)(n - i - 1) * sizeof(*paths));
            return n - 1;
        }
    return n;
}

/* A window is told for nothing, or all is told that its rules need; false after a message. */
static bool window_is_judged(const struct check_options *o)
{
    const bool wnd = o->window.max_wnd, rto = o->window.loss_ns;

    if (wnd != rto)
        uet_usage("check",
                  "bytes in flight are judged with both --max-wnd and --rto: give --%s, too",
                  wnd ? "rto" : "max-wnd");
    else if (wnd && o->rules.vantage == UET_VANTAGE_MIDDLE)
        uet_usage("check", "%s",
                  "--max-wnd: bytes in flight are not judged at the middle: give "
                  "--vantage initiator, target or both");
    else
        return true;
    return false;
}

/* A trimmed packet is known by its DSCP alone (4.1.4.1); false after a message. */
static bool roles_differ(const struct check_options *o)
{
    const uint64_t both = o->rules.dscp_control & o->track.dscp_trimmed;

    if (both)
        uet_usage("check",
                  "--dscp-control: %d is of trimmed packets, too, and they are told apart by it: "
                  "leave it out there or at --dscp-trimmed and --dscp-lasthop",
                  __builtin_ctzll(both));
    return !both;
}

/* Options that go together, but not with these values; false after a message. */
static bool all_is_read(const struct check *c)
{
    const struct check_options *o = &c->options;

    if (o->strict && o->must_only)
        fputs("uetconform check: --strict: no effect, as --level must leaves out all SHOULDs\n",
              stderr);
    if (o->summary && c->json_path && strcmp(c->json_path, "-") == 0)
        uet_usage("check", "%s",
                  "--summary is of the text, and --json leaves none: leave out one of them, or "
                  "write --json=FILE");
    else if (o->track.protect == UET_PROTECT_NONE && !o->any_order)
        uet_usage("check", "%s",
                  "--crc-order is of the CRC, and with --protect none there is none: leave out one "
                  "of them");
    else
        return true;
    return false;
}

/* No output takes the place of what is read, or of the other one; false after a message. */
static bool spares_files(const struct check *c, int n, char **paths)
{
    const char *const outputs[] = {c->json_path, c->svg_path};
    bool good = uet_args_apart("check", c->json_path, c->svg_path);

    for (size_t o = 0; good && o < sizeof(outputs) / sizeof(*outputs); o++) {
        for (int i = 0; good && i < n; i++)
            good = uet_args_spares("check", paths[i], outputs[o]);
        if (good && c->keys_path)
            good = uet_args_spares("check", c->keys_path, outputs[o]);
    }
    return good;
}

static int list_rules_alone(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (argv[i][0] != '-' || !argv[i][1])
            return uet_usage("check", "--rules lists them and ends: leave '%s' out", argv[i]);
    return list_rules();
}

int uet_cmd_check(int argc, char **argv)
{
    static const struct option options[] = {
        {"vantage", required_argument, NULL, 'v'},
        {"sender", required_argument, NULL, 's'},
        {"protect", required_argument, NULL, 'p'},
        {"crc-order", required_argument, NULL, 'c'},
        {"udp-port", required_argument, NULL, 'u'},
        {"ip-protocol", required_argument, NULL, 'i'},
        {"dscp-trimmed", required_argument, NULL, 't'},
        {"dscp-lasthop", required_argument, NULL, 'l'},
        {"dscp-control", required_argument, NULL, 'd'},
        {"default-mpr", required_argument, NULL, 'm'},
        {"max-wnd", required_argument, NULL, 'W'},
        {"rto", required_argument, NULL, 'R'},
        {"keys", required_argument, NULL, 'k'},
        {"from-start", no_argument, NULL, 'f'},
        {"spec", required_argument, NULL, 'V'},
        {"congestion", no_argument, NULL, 'C'},
        {"svg", required_argument, NULL, 'G'},
        {"summary", no_argument, NULL, 'S'},
        {"max", required_argument, NULL, 'M'},
        {"level", required_argument, NULL, 'L'},
        {"strict", no_argument, NULL, 'T'},
        {"json", optional_argument, NULL, 'j'},
        {"rules", no_argument, NULL, 'r'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    struct check c = {.options = {.any_order = true,
                                  .track.protect = UET_PROTECT_AUTO,
                                  .rules.vantage = UET_VANTAGE_MIDDLE,
                                  .max = MAX_SHOWN}};
    static const struct uet_idle_option idle[] = {
        {"rules", "*", NULL}, {"max", "summary", NULL}, {NULL, NULL, NULL}};
    bool dash = false;
    int o;

    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], "--json") != 0)
            continue;
        dash |= strcmp(argv[i + 1], "-") == 0;
        if (names_json(argv[i + 1]))
            return uet_usage("check", "to write into a file, write --json=%s", argv[i + 1]);
    }
    if (!uet_args_used("check", argc, argv, options, idle))
        return 2;
    while ((o = uet_args_next("check", argc, argv, options)) != -1) {
        if (o == 'h')
            return help();
        if (o == 'r')
            return list_rules_alone(argc, argv);
        if (o == '?' || !set_option(&c, o))
            return 2;
    }
    if (!window_is_judged(&c.options) || !all_is_read(&c) || !roles_differ(&c.options))
        return 2;
    c.options.every = !c.max_given;
    c.options.rules.window = &c.options.window;
    int n = argc - optind;
    if (dash && n > 1)
        n = drop_dash(n, argv + optind);
    if (n == 0)
        return uet_usage("check", "%s", "name a capture file");
    if (n > 1 && c.svg_path)
        return uet_usage("check", "%s", "--svg is of one capture");
    if (c.svg_path && strcmp(c.svg_path, "-") == 0)
        return uet_usage("check", "%s", "--svg goes to a file: name one");
    if (!spares_files(&c, n, argv + optind))
        return 2;
    return check(&c, n, argv + optind);
}
