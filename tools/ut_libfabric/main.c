/* SPDX-License-Identifier: BSD-2-Clause */
/* ut-libfabric: an upper tester for any libfabric provider. docs/ut-libfabric.md */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/bad_option.h"
#include "tools/idle_option.h"
#include "tools/ut_libfabric/verbs.h"
#include "ut/descriptors.h"
#include "ut/server.h"

#define NAME    "ut-libfabric"
#define END_S   3 /* how long the end may take */
#define LOOK_MS 1 /* a provider of manual progress goes on only when it is asked */

static const char usage[] =
    "usage: " NAME " --provider NAME --address ADDR [--control WHERE] [options]\n"
    "An upper tester for a FEP behind libfabric: the verbs of docs/upper-tester.md become fi_*\n"
    "calls of a provider. docs/ut-libfabric.md tells which, and what libfabric cannot show.\n"
    "\n"
    "  --provider NAME|list  tcp, 'udp;ofi_rxd', uet, ...; list: those of this host, and end\n"
    "  --endpoint rdm|dgram  reliable messages and memory (FI_EP_RDM, the default), or datagrams\n"
    "                        alone (FI_EP_DGRAM: send with mode uud)\n"
    "  --progress auto|manual\n"
    "                        ask the provider for automatic or manual progress (default: its own)\n"
    "  --address ADDR        the Fabric Address of this FEP\n"
    "  --control WHERE       where the suite finds it: unix:PATH, or tcp:HOST:PORT (whoever\n"
    "                        reaches that port may drive the FEP); left out: requests come on\n"
    "                        standard input, as `control: exec:` of fep.yaml sends them\n"
    "  --format sockaddr|uet how endpoints are addressed: IP address and port (default), or the\n"
    "                        endpoint address of Table 2-10\n"
    "  --base-port N         of sockaddr: the port of resource index 0; 12288 are used from it on\n"
    "                        (20000; the same at both ends)\n"
    "  --pid N               PIDonFEP of this process (0)\n"
    "  --job N               its JobID (1)\n"
    "  --initiator N         initiator ID of its endpoints (0)\n"
    "  --payload-mtu BYTES   what hello tells: 1024, 2048, 4096 (default) or 8192\n"
    "  --spec VERSION        what hello tells: 1.0.3 (default), 1.0.2 or 1.0.1\n"
    "  --without VERB,...    verbs that are not offered, whatever the provider says of itself\n"
    "  --help, --version\n"
    "\n"
    "Two processes on one machine, tried without any FEP:\n"
    "  " NAME " --provider tcp --address 127.0.0.1 --control unix:/tmp/a.sock &\n"
    "  " NAME " --provider tcp --address 127.0.0.2 --control unix:/tmp/b.sock &\n"
    "  uetconform ut-check --control /tmp/a.sock --peer /tmp/b.sock --verbose\n";

static volatile sig_atomic_t stop;

/* A provider may hang, and hold the process: then the clock ends it, or a second signal. */
static void on_signal(int number)
{
    signal(number, SIG_DFL);
    alarm(END_S);
    stop = 1;
}

struct options {
    struct adapter adapter;
    const char *control;
    bool has_address, has_base;
};

static int fail(const char *format, const char *a, const char *b)
{
    fputs(NAME ": ", stderr);
    fprintf(stderr, format, a, b);
    fputc('\n', stderr);
    return 2;
}

enum {
    OPT_PROVIDER = 256,
    OPT_ADDRESS,
    OPT_CONTROL,
    OPT_FORMAT,
    OPT_BASE,
    OPT_PID,
    OPT_JOB,
    OPT_INITIATOR,
    OPT_MTU,
    OPT_SPEC,
    OPT_WITHOUT,
    OPT_ENDPOINT,
    OPT_PROGRESS,
    OPT_HELP,
    OPT_VERSION
};

/* 0, or 2 and a line written. */
static int number(const char *option, const char *text, unsigned long max, unsigned long *value)
{
    char *end;
    char most[64];

    errno = 0;
    *value = strtoul(text, &end, 0);
    if (*text >= '0' && *text <= '9' && !*end && !errno && *value <= max)
        return 0;
    snprintf(most, sizeof(most), "a number from 0 to %lu", max);
    fprintf(stderr, NAME ": --%s: '%s' is no %s\n", option, text, most + 2);
    return 2;
}

static int set_number(struct options *o, int c, const char *text)
{
    static const struct {
        const char *name;
        unsigned long max;
    } numbers[] = {[OPT_BASE - OPT_BASE] = {"base-port", 65535 - 3 * FABRIC_INDICES},
                   [OPT_PID - OPT_BASE] = {"pid", 0xfff},
                   [OPT_JOB - OPT_BASE] = {"job", 0xffffff},
                   [OPT_INITIATOR - OPT_BASE] = {"initiator", 0xffffffff},
                   [OPT_MTU - OPT_BASE] = {"payload-mtu", 8192}};
    unsigned long value;
    int rc = number(numbers[c - OPT_BASE].name, text, numbers[c - OPT_BASE].max, &value);

    if (rc)
        return rc;
    o->has_base |= c == OPT_BASE;
    if (c == OPT_BASE)
        o->adapter.config.port = (uint16_t)value;
    else if (c == OPT_PID)
        o->adapter.config.pid_on_fep = (uint16_t)value;
    else if (c == OPT_JOB)
        o->adapter.job_id = (uint32_t)value;
    else if (c == OPT_INITIATOR)
        o->adapter.config.initiator = (uint32_t)value;
    else if (value != 1024 && value != 2048 && value != 4096 && value != 8192)
        return fail("--payload-mtu: '%s' is not 1024, 2048, 4096 or 8192%s", text, "");
    else
        o->adapter.payload_mtu = (uint16_t)value;
    return 0;
}

/* A misspelt verb would be offered in silence. */
static int check_verbs(const char *names)
{
    char name[40];

    for (const char *at = names; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(at, ","), at);
        if (!adapter_knows(name))
            return fail("--without: there is no verb '%s'%s", name, "");
    }
    return 0;
}

static int set_text(struct options *o, int c, const char *text)
{
    switch (c) {
    case OPT_PROVIDER:
        o->adapter.config.provider = text;
        return 0;
    case OPT_ADDRESS:
        o->has_address = uet_ip_parse(&o->adapter.config.address, text) == 0;
        return o->has_address ? 0 : fail("--address: '%s' is no IP address%s", text, "");
    case OPT_CONTROL:
        o->control = strncmp(text, "unix:", 5) == 0 || strncmp(text, "tcp:", 4) == 0 ? text : NULL;
        return o->control ? 0
                          : fail("--control: '%s' is not unix:PATH or tcp:HOST:PORT%s", text, "");
    case OPT_FORMAT:
        o->adapter.config.format = strcmp(text, "uet") == 0 ? FABRIC_UET : FABRIC_SOCKADDR;
        return strcmp(text, "uet") == 0 || strcmp(text, "sockaddr") == 0
                   ? 0
                   : fail("--format: '%s' is neither sockaddr nor uet%s", text, "");
    case OPT_ENDPOINT:
        o->adapter.config.datagrams = strcmp(text, "dgram") == 0;
        return o->adapter.config.datagrams || strcmp(text, "rdm") == 0
                   ? 0
                   : fail("--endpoint: '%s' is neither rdm nor dgram%s", text, "");
    case OPT_PROGRESS:
        o->adapter.config.progress =
            strcmp(text, "auto") == 0 ? FI_PROGRESS_AUTO : FI_PROGRESS_MANUAL;
        return strcmp(text, "auto") == 0 || strcmp(text, "manual") == 0
                   ? 0
                   : fail("--progress: '%s' is neither auto nor manual%s", text, "");
    case OPT_WITHOUT:
        o->adapter.without = text;
        return check_verbs(text);
    default:
        o->adapter.spec = text;
        return strcmp(text, "1.0.3") == 0 || strcmp(text, "1.0.2") == 0 ||
                       strcmp(text, "1.0.1") == 0
                   ? 0
                   : fail("--spec: '%s' is not 1.0.3, 1.0.2 or 1.0.1%s", text, "");
    }
}

/* -1: go on; else the exit status. */
static int read_options(struct options *o, int argc, char **argv)
{
    static const struct option known[] = {{"provider", required_argument, NULL, OPT_PROVIDER},
                                          {"address", required_argument, NULL, OPT_ADDRESS},
                                          {"control", required_argument, NULL, OPT_CONTROL},
                                          {"format", required_argument, NULL, OPT_FORMAT},
                                          {"base-port", required_argument, NULL, OPT_BASE},
                                          {"pid", required_argument, NULL, OPT_PID},
                                          {"job", required_argument, NULL, OPT_JOB},
                                          {"initiator", required_argument, NULL, OPT_INITIATOR},
                                          {"payload-mtu", required_argument, NULL, OPT_MTU},
                                          {"spec", required_argument, NULL, OPT_SPEC},
                                          {"without", required_argument, NULL, OPT_WITHOUT},
                                          {"endpoint", required_argument, NULL, OPT_ENDPOINT},
                                          {"progress", required_argument, NULL, OPT_PROGRESS},
                                          {"help", no_argument, NULL, OPT_HELP},
                                          {"version", no_argument, NULL, OPT_VERSION},
                                          {NULL, 0, NULL, 0}};
    static const struct uet_idle_option alone[] = {{"provider", "*", NULL}, {NULL, NULL, NULL}};
    int c, rc = 0;

    opterr = 0;
    while (!rc && (c = getopt_long(argc, argv, ":", known, NULL)) != -1) {
        if (c == OPT_HELP)
            return fputs(usage, stdout) < 0 || fflush(stdout)
                       ? fail("--help: %s%s", strerror(errno), "")
                       : 0;
        if (c == OPT_VERSION)
            return printf(NAME " %s\n", UETKIT_VERSION) < 0 ? 2 : 0;
        if (c == '?' || c == ':')
            return uet_bad_option(NAME, c, argv, known);
        rc = c >= OPT_BASE && c <= OPT_MTU ? set_number(o, c, optarg) : set_text(o, c, optarg);
    }
    if (rc)
        return rc;
    const char *provider = o->adapter.config.provider;
    const bool lists = provider && strcmp(provider, "list") == 0;
    if (uet_idle_options(lists ? NAME " --provider list" : NAME, argc, argv, ":", known,
                         lists ? alone : NULL, NULL) >= 0)
        return 2;
    if (o->has_base && o->adapter.config.format == FABRIC_UET)
        return fail("--base-port has no effect with --format uet: leave it out%s%s", "", "");
    if (optind < argc)
        return fail("'%s' is no option; --help lists them%s", argv[optind], "");
    if (lists)
        return fabric_list(stdout) && fflush(stdout) == 0
                   ? 0
                   : fail("--provider list: %s%s", strerror(errno), "");
    if (!provider || !o->has_address)
        return fail("--%s is missing; --help lists the options%s",
                    provider ? "address" : "provider", "");
    return -1;
}

/* One thread: requests and the provider in turn. */
static void serve(struct adapter *a, struct uet_ut_server *server)
{
    while (!stop) {
        struct pollfd polls[UET_UT_SERVER_FDS];

        uet_ut_server_poll(server, adapter_handle, a);
        adapter_progress(a);
        uint64_t wait_ns = uet_ut_server_wait(server, polls);
        poll(polls, UET_UT_SERVER_FDS, wait_ns ? LOOK_MS : 0);
    }
}

static int serve_at(struct adapter *a, const char *control)
{
    const struct fi_info *info = fabric_info(a->fabric);
    struct uet_ut_server *server;
    char err[400], address[UET_IP_TEXT];

    if (uet_ut_server_open(&server, control, err, sizeof(err)) != 0)
        return fail("--%s%s", err, "");
    printf(NAME ": ready on %s as %s, progress %s\n", info->fabric_attr->prov_name,
           uet_ip_text(&a->config.address, address),
           info->domain_attr->data_progress == FI_PROGRESS_AUTO ? "automatic" : "manual");
    fflush(stdout);
    serve(a, server);
    uet_ut_server_close(server);
    return 0;
}

static void progress(void *adapter)
{
    adapter_progress(adapter);
}

int main(int argc, char **argv)
{
    struct options o = {.adapter = {.config = {.port = 20000},
                                    .job_id = 1,
                                    .payload_mtu = 4096,
                                    .spec = "1.0.3",
                                    .without = "",
                                    .next_handle = 1}};
    const struct sigaction on_end = {.sa_handler = on_signal}; /* no SA_RESTART: poll ends */
    char err[400];
    int rc = uet_hold_descriptors() ? read_options(&o, argc, argv) : 2;

    if (rc >= 0)
        return rc;
    rc = 0;
    if (fabric_open(&o.adapter.fabric, &o.adapter.config, err, sizeof(err)))
        return fail("%s; --provider list shows what there is%s", err, "");
    o.adapter.ended = json_array();
    sigaction(SIGINT, &on_end, NULL);
    sigaction(SIGTERM, &on_end, NULL);
    signal(SIGPIPE, SIG_IGN);
    if (o.control)
        rc = serve_at(&o.adapter, o.control);
    else
        uet_ut_speak(adapter_handle, progress, &o.adapter, &stop);
    adapter_end(&o.adapter);
    fabric_close(o.adapter.fabric);
    return rc;
}
