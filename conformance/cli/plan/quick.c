/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uetconform quick: a first verdict on a FEP of which only the address is known. What fep.yaml
 * would tell is found out, written as one, and run.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/cli/args.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/target/secure.h"
#include "conformance/harness/run/features.h"
#include "conformance/harness/run/protection.h"
#include "conformance/harness/security.h"
#include "port/afpacket.h"
#include "wire/packet.h"

static const char help[] =
    "usage: uetconform quick --address A --interface I [OPTIONS]\n"
    "A first look at a FEP of which no more is known than its address: finds out how its packets\n"
    "are wrapped (UDP or native IP, CRC trailer and its order) and what it does that needs no\n"
    "memory, then runs what can be run so, once each.\n\n"
    "  --address A      its Fabric Address\n"
    "  --interface I    the tester's interface; needs CAP_NET_RAW\n"
    "  --tester T[,T]   addresses for the tester that nobody else has (default: two of A's\n"
    "                   neighbours for which nobody answers)\n"
    "  --keys F         it speaks sealed (TSS, 3.7): the key file, as a FEP takes it\n"
    "  --sdi N          the domain of that file to speak in (default: its first one)\n"
    "  --save F         leave the fep.yaml that was found out in the file F: where to begin from\n"
    "  --depth, --seed, --strict, --json, --junit, --html, --pcap-dir, --quiet, --verbose\n"
    "                   as for `uetconform run`\n\n"
    "Exit status: that of the run; 1 also when the FEP does not answer; 2 usage or set-up.\n\n"
    "Examples:\n"
    "  uetconform quick --address 192.0.2.2 --interface eth1\n"
    "  uetconform quick --address fd00::2 --interface eth1 --save my-fep.yaml --html report.html\n"
    "  uetconform quick --address 192.0.2.2 --interface eth1 --keys keys.txt\n";

enum { RUN_ARGS = 40, TRIES = 8 };
#define RESOLVE_NS 2000000000u

struct quick {
    const char *interface, *save;
    struct uet_ip testers[UET_DUT_TESTERS]; /* --tester */
    struct uet_target target;               /* its dut, port and keys */
    struct uet_feature found[UET_N_FEATURES];
    char *run[RUN_ARGS]; /* for `uetconform run` */
    int n_run;
};

/* ---- the tester's addresses ---- */

/* A's neighbour k: the last byte counted down from 250, past A itself. */
static struct uet_ip neighbour(const struct uet_ip *a, unsigned k)
{
    struct uet_ip ip = *a;
    uint8_t *last = &ip.bytes[a->version == 6 ? 15 : 3], own = *last;

    *last = (uint8_t)(250 - k);
    if (own <= 250 && *last <= own)
        (*last)--;
    return ip;
}

static int open_port(struct quick *q, char *err, size_t errlen)
{
    size_t n = 0;

    while (n < UET_DUT_TESTERS && q->target.dut.tester[n].version)
        n++;
    const struct uet_afpacket_config config = {.ifname = q->interface,
                                               .addresses = q->target.dut.tester,
                                               .n_addresses = n,
                                               .defend = true};

    return uet_afpacket_open(&q->target.port, &config, err, errlen);
}

/* With the addresses that were given, or the first neighbours that are free. */
static int find_port(struct quick *q, char *err, size_t errlen)
{
    int rc = -EADDRINUSE;

    memcpy(q->target.dut.tester, q->testers, sizeof(q->testers));
    if (q->testers[0].version)
        return open_port(q, err, errlen);
    for (unsigned k = 0; rc == -EADDRINUSE && k < TRIES; k++) {
        q->target.dut.tester[0] = neighbour(&q->target.dut.address, 2 * k);
        q->target.dut.tester[1] = neighbour(&q->target.dut.address, 2 * k + 1);
        rc = open_port(q, err, errlen);
    }
    return rc;
}

/* ---- what was found out, as a fep.yaml ---- */

static void write_claims(const struct quick *q, FILE *out)
{
    fputs("claims: [rud", out);
    for (size_t i = 0; i < UET_N_FEATURES; i++)
        if (q->found[i].holds)
            fprintf(out, ", %s", uet_pics[q->found[i].item].name);
    fputs("]\n", out);
}

static bool write_yaml(const struct quick *q, FILE *out)
{
    const struct uet_dut *dut = &q->target.dut;
    char a[UET_IP_TEXT], b[UET_IP_TEXT];

    fprintf(out,
            "# Found out by `uetconform quick`. What needs memory, a buffer or an upper tester is\n"
            "# not claimed: see conformance/examples/fep.yaml for what more can be told.\n"
            "address: \"%s\"\n",
            uet_ip_text(&dut->address, a));
    fprintf(out, dut->tester[1].version ? "tester: [\"%s\", \"%s\"]\n" : "tester: [\"%s\"]\n",
            uet_ip_text(&dut->tester[0], a), uet_ip_text(&dut->tester[1], b));
    fprintf(out, "port: {interface: \"%s\"}\nencapsulation: %s\nprotect: %s\n", q->interface,
            dut->native ? "native" : "udp", uet_dut_protections[dut->protect]);
    if (dut->protect == UET_PROTECT_CRC)
        fprintf(out, "crc_order: %s\n", dut->crc_order == UET_DUT_CRC_LITTLE ? "little" : "big");
    if (dut->keys[0])
        fprintf(out, "security: {keys: \"%s\", sdi: 0x%06x}\n", dut->keys,
                (unsigned)uet_security_ordinary(dut->security)->told->sdi);
    write_claims(q, out);
    const bool bad = ferror(out); /* closing does not tell again of what failed before */
    return fclose(out) == 0 && !bad;
}

static void tell(const struct quick *q)
{
    const struct uet_dut *dut = &q->target.dut;
    char ip[UET_IP_TEXT];

    fprintf(stderr, "uetconform quick: %s answers over %s, %s; it does",
            uet_ip_text(&dut->address, ip), dut->native ? "native IP" : "UDP",
            dut->protect == UET_PROTECT_TSS        ? "sealed"
            : dut->protect != UET_PROTECT_CRC      ? "without CRC trailers"
            : dut->crc_order == UET_DUT_CRC_LITTLE ? "with little-endian CRC trailers"
                                                   : "with CRC trailers");
    for (size_t i = 0; i < UET_N_FEATURES; i++)
        fprintf(stderr, "%s %s%s", i ? "," : "", q->found[i].holds ? "" : "not ",
                uet_pics[q->found[i].item].name);
    fputs("\n", stderr);
}

/* ---- the command ---- */

/* 0 when the FEP answers, else the exit status. */
static int find_out(struct quick *q)
{
    struct uet_session session;
    char err[400], ip[UET_IP_TEXT];
    int rc = find_port(q, err, sizeof(err));

    if (rc)
        return uet_setup_error("quick", "%s%s", err,
                               rc == -EADDRINUSE ? "; choose others with --tester" : "");
    if (uet_secure_open(&q->target, err, sizeof(err)))
        return uet_setup_error("quick", "%s", err);
    uet_session_default(&session);
    session.dut = &q->target.dut;
    session.port = q->target.port;
    uet_ip_text(&q->target.dut.address, ip);
    rc = uet_port_resolve(q->target.port, &q->target.dut.address,
                          uet_port_now(q->target.port) + RESOLVE_NS);
    bool answers = !rc && uet_learn_protection(&session, &q->target.dut);
    if (rc)
        fprintf(stderr, "uetconform quick: %s does not answer ARP or neighbour discovery on %s\n",
                ip, q->interface);
    else if (!answers)
        fprintf(stderr,
                "uetconform quick: %s is there, but answers no NO_OP, over UDP or native IP, %s: "
                "tell more of it in a fep.yaml\n",
                ip, q->target.keys ? "sealed by these keys" : "with or without CRC trailer");
    else
        uet_find_features(&session, &q->target.dut, q->found);
    uet_port_close(q->target.port);
    return answers ? 0 : 1;
}

static int save_and_run(struct quick *q)
{
    char path[] = "/tmp/uetconform-quick-XXXXXX", option[400];
    int fd = q->save ? -1 : mkstemp(path);
    FILE *out = q->save ? fopen(q->save, "wxe") : fd >= 0 ? fdopen(fd, "w") : NULL;
    const char *file = q->save ? q->save : path;

    if (!out || !write_yaml(q, out))
        return uet_setup_error("quick", "%s: %s%s", file, strerror(errno),
                               errno == EEXIST ? ": remove it, or choose another name" : "");
    snprintf(option, sizeof(option), "--fep=%s", file);
    q->run[q->n_run++] = option;
    optind = 0;
    int status = uet_cmd_run(q->n_run, q->run);
    if (!q->save)
        unlink(path);
    return status;
}

/* T[,T] */
static bool take_testers(struct quick *q, const char *text)
{
    for (size_t i = 0; text && i < UET_DUT_TESTERS; i++) {
        char one[UET_IP_TEXT];
        size_t n = strcspn(text, ",");

        snprintf(one, sizeof(one), "%.*s", (int)n, text);
        if (n >= sizeof(one) || uet_ip_parse(&q->testers[i], one) != 0)
            break;
        if (!text[n])
            return true;
        text += n + 1;
    }
    uet_usage("quick", "--tester: give one or two IP addresses, as 192.0.2.11,192.0.2.12");
    return false;
}

/* A fep.yaml names its key file from where it stands itself: here by the whole path. */
static bool take_keys(struct quick *q, const char *text)
{
    struct uet_dut *dut = &q->target.dut;
    char *whole = realpath(text, NULL);
    const bool fits =
        whole && strlen(whole) < sizeof(dut->keys) && whole[strcspn(whole, "\"\\")] == '\0';

    if (!whole)
        uet_setup_error("quick", "--keys: %s: %s", text, strerror(errno));
    else if (!fits)
        uet_setup_error("quick", "--keys: %s: its path is too long, or has a quote or backslash",
                        text);
    else
        memcpy(dut->keys, whole, strlen(whole) + 1);
    dut->protect = UET_PROTECT_TSS;
    free(whole);
    return fits;
}

static bool take_sdi(struct quick *q, const char *text)
{
    uint64_t sdi;

    if (!uet_args_number("quick", "sdi", text, 0, 0xffffff, &sdi))
        return false;
    q->target.dut.sdi = (uint32_t)sdi;
    return true;
}

/* An option of `run`, handed on. */
static bool hand_on(struct quick *q, const struct option *o)
{
    size_t n = strlen(o->name) + (optarg ? strlen(optarg) : 0) + 4;
    char *text = q->n_run < RUN_ARGS - 2 ? malloc(n) : NULL;

    if (!text) {
        uet_usage("quick", "too many options");
        return false;
    }
    snprintf(text, n, "--%s%s%s", o->name, optarg ? "=" : "", optarg ? optarg : "");
    q->run[q->n_run++] = text;
    return true;
}

static const struct option quick_options[] = {
    {"address", required_argument, NULL, 'a'},
    {"interface", required_argument, NULL, 'i'},
    {"tester", required_argument, NULL, 't'},
    {"save", required_argument, NULL, 's'},
    {"keys", required_argument, NULL, 'k'},
    {"sdi", required_argument, NULL, 'd'},
    {"help", no_argument, NULL, 'h'},
    {"depth", required_argument, NULL, 'D'},
    {"seed", required_argument, NULL, 'n'},
    {"strict", no_argument, NULL, 'S'},
    {"json", required_argument, NULL, 'J'},
    {"junit", required_argument, NULL, 'U'},
    {"html", required_argument, NULL, 'H'},
    {"pcap-dir", required_argument, NULL, 'P'},
    {"quiet", no_argument, NULL, 'q'},
    {"verbose", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

static bool set_option(struct quick *q, int c)
{
    size_t i = 0;

    switch (c) {
    case 'a':
        if (uet_ip_parse(&q->target.dut.address, optarg) == 0)
            return true;
        uet_usage("quick", "--address: '%s' is no IP address", optarg);
        return false;
    case 'i':
        return uet_args_once("quick", "interface", optarg, &q->interface);
    case 't':
        return take_testers(q, optarg);
    case 's':
        return uet_args_once("quick", "save", optarg, &q->save);
    case 'k':
        return take_keys(q, optarg);
    case 'd':
        return take_sdi(q, optarg);
    default:
        while (quick_options[i].val != c)
            i++;
        return hand_on(q, &quick_options[i]);
    }
}

/* -1: go on; else the exit status. */
static int read_settings(struct quick *q, int argc, char **argv)
{
    int c;

    while ((c = uet_args_next("quick", argc, argv, quick_options)) != -1) {
        if (c == 'h') {
            fputs(help, stdout);
            return 0;
        }
        if (c == '?' || !set_option(q, c))
            return 2;
    }
    if (!uet_args_no_more("quick", argc, argv))
        return 2;
    if (!q->target.dut.address.version || !q->interface)
        return uet_usage("quick", "--%s is missing", q->interface ? "address" : "interface");
    if (q->target.dut.sdi != UET_DUT_SDI_ANY && !q->target.dut.keys[0])
        return uet_usage("quick", "--sdi says nothing without --keys");
    snprintf(q->target.dut.path, sizeof(q->target.dut.path), "--keys");
    snprintf(q->target.dut.interface, sizeof(q->target.dut.interface), "%s", q->interface);
    return -1;
}

int uet_cmd_quick(int argc, char **argv)
{
    static char name[] = "run", depth[] = "--depth=smoke";
    static struct quick q;

    uet_dut_default(&q.target.dut);
    q.run[0] = name;
    q.run[1] = depth; /* a later --depth counts */
    q.n_run = 2;
    int status = read_settings(&q, argc, argv);
    if (status >= 0)
        return status;
    status = find_out(&q);
    if (status == 0) {
        tell(&q);
        status = save_and_run(&q);
    }
    uet_secure_close(&q.target);
    return status;
}
