/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetfep/options.h"
#include "refimpl/acts_as.h"
#include "refimpl/violate.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/bad_option.h"
#include "tools/idle_option.h"
#include "tools/place.h"
#include "tools/uetfep/keys.h"
#include "tools/uetfep/number.h"
#include "tools/uetfep/show.h"
#include "uet_spec.h"

static const char usage[] =
    "usage: " UETFEP_NAME " --port IFACE --address ADDR [options]\n"
    "       " UETFEP_NAME " --udp --address ADDR [options]\n"
    "The reference FEP of uetkit as a process: UET over an Ethernet interface.\n"
    "\n"
    "  --port IFACE            network interface (needs CAP_NET_RAW)\n"
    "  --address ADDR          its Fabric Address; one that the kernel does not have\n"
    "  --udp                   over a UDP socket of the kernel, at an address that it has: needs "
    "no\n"
    "                          right; no native IP, no trimmed packets. --port is then only the\n"
    "                          interface of a link-local address\n"
    "  --control WHERE         let an upper tester drive it (docs/upper-tester.md): unix:PATH, or\n"
    "                          tcp:HOST:PORT, where whoever reaches the port may do so\n"
    "  --spec VERSION          1.0.3 (default), 1.0.2 or 1.0.1\n"
    "  --encapsulation udp|native\n"
    "                          UDP (default), or PDS right after IP (UET_Over_UDP, 3.5.10.1)\n"
    "  --ip-protocol N         of native IP, 1 to 255 (IP_Proto_Nxt_Hdr, 253)\n"
    "  --protect none|crc|tss  UET_Data_Protect (3.5.5); both ends must agree. tss needs --keys\n"
    "  --keys FILE             secure domains and their keys (3.7; man uetfep), as FILE says now\n"
    "                          and whenever it changes; with --protect none or crc, jobs that no\n"
    "                          domain serves go in clear. Default: tss\n"
    "  --used FILE|none        which counters the keys were used for, over restarts: a file that\n"
    "                          is written; default: FILE.ADDRESS.used beside the keys\n"
    "  --sdi N                 of the file's domains this one alone\n"
    "  --start METHOD          how PDCs that peers open begin, in all domains: expected-0rtt or\n"
    "                          random-1rtt; default: as the file says\n"
    "  --crc-order big|little  byte order of the CRC: big-endian (default), or that of FEPs which\n"
    "                          copy the word of a little-endian CPU; with --protect crc\n"
    "  --payload-mtu BYTES     1024, 2048, 4096 or 8192; otherwise what the interface carries\n"
    "  --param NAME=VALUE      a parameter of Table 3-28; times in ns, or with us, ms, s\n"
    "  --dscp-request N, --dscp-rudi-uud N, --dscp-control N\n"
    "                          DSCPs of RUD and ROD requests, of RUDI and UUD requests, and of\n"
    "                          ACKs, NACKs, RUDI Responses and Control Packets (0)\n"
    "  --dscp-rtx N            DSCP of requests that are sent again; default: that of requests\n"
    "  --dscp-trimmed LIST, --dscp-lasthop LIST\n"
    "                          DSCPs that switches give to packets that they trim: 11,12\n"
    "  --service JOB:PID:RI:CLASS[:GENERATION][:keeps]\n"
    "                          open a resource index of class rma, send or tagged; with keeps,\n"
    "                          sends that come before their receive wait for it (3.4.3.6.2.2)\n"
    "  --memory JOB:PID:RI:KEY:LEN\n"
    "                          open an rma resource index, if it is not, and register memory of\n"
    "                          LEN bytes (or KiB, MiB) that the job may read and write by KEY\n"
    "  --receive JOB:PID:RI:LEN\n"
    "                          open a send resource index, if it is not, and post buffers of LEN\n"
    "                          bytes there, each posted again when it was filled\n"
    "  --bare                  open nothing at all\n"
    "  --max-pdcs N            PDCs at once, 1 to 65535\n"
    "  --reserved-pdcs N       of them, kept for SYNs that ask for a reserved PDC (use_rsv_pdc)\n"
    "  --profile P|list        AI-Base, AI-Full or HPC (3.3.1): without what such a FEP goes\n"
    "                          without; list: which features each has. Default: all it can\n"
    "  --variant NAME|list     a FEP that conforms and chooses otherwise: eager, lazy, tiny, ...;\n"
    "                          give it before --param and the sizes\n"
    "  --seed N                of everything random: same seed, same packets. With --keys nobody\n"
    "                          can guess it unless it is given\n"
    "  --violate ID            break the rule of a requirement (uetfep-bent only)\n"
    "  --list-violations       the ids that can be broken\n"
    "  --show-params [--json]  print the parameters as they would be, with unit and range, and "
    "end;\n"
    "                          of what is off, what it needs\n"
    "  --stats                 print counters at the end\n"
    "  --help, --version\n"
    "\n"
    "Unless --service, --memory, --receive or --bare is given, job 0, PIDonFEP 0, resource index\n"
    "0 is open to all: RMA memory of 1 MiB with key 1, and receives for sends up to 64 KiB.\n"
    "\n"
    "Two namespaces, one veth pair, a FEP at the far end:\n"
    "  ip netns add far\n"
    "  ip link add uet0 mtu 9000 type veth peer name uet1 mtu 9000 netns far\n"
    "  ip link set uet0 up; ip -n far link set uet1 up\n"
    "  ip netns exec far uetfep --port uet1 --address 192.0.2.2 --control unix:/tmp/fep.sock\n"
    "  uetcat ping -I uet0 -S 192.0.2.1 192.0.2.2\n"
    "A FEP that acknowledges each packet and gives up after 3 resends, 2 ms apart:\n"
    "  uetfep --port uet1 --address 192.0.2.2 --param Enb_ACK_Per_Pkt=1 \\\n"
    "         --param Max_RTO_Retx_Cnt=3 --param RTO_Init_Time=2ms\n"
    "The FEP of conformance/examples/fep.yaml, which has no upper tester:\n"
    "  uetfep --port uet1 --address 192.0.2.1 --memory 1:0:5:1:64KiB --receive 1:0:6:64KiB\n"
    "A FEP on native IP that protects its packets:\n"
    "  uetfep --port uet1 --address 192.0.2.2 --encapsulation native --protect crc\n";

enum option_id {
    OPT_ADDRESS = 256,
    OPT_BARE,
    OPT_CONTROL,
    OPT_CRC_ORDER,
    OPT_DSCP_CONTROL,
    OPT_DSCP_LASTHOP,
    OPT_DSCP_REQUEST,
    OPT_DSCP_RTX,
    OPT_DSCP_RUDI_UUD,
    OPT_DSCP_TRIMMED,
    OPT_ENCAPSULATION,
    OPT_HELP,
    OPT_IP_PROTOCOL,
    OPT_JSON,
    OPT_KEYS,
    OPT_LIST_VIOLATIONS,
    OPT_MAX_PDCS,
    OPT_MEMORY,
    OPT_PARAM,
    OPT_PAYLOAD_MTU,
    OPT_PORT,
    OPT_PROFILE,
    OPT_PROTECT,
    OPT_RECEIVE,
    OPT_RESERVED_PDCS,
    OPT_SDI,
    OPT_SEED,
    OPT_SERVICE,
    OPT_SHOW_PARAMS,
    OPT_SPEC,
    OPT_START,
    OPT_STATS,
    OPT_UDP,
    OPT_USED,
    OPT_VARIANT,
    OPT_VERSION,
    OPT_VIOLATE,
};

static const struct option long_options[] = {
    {"address", required_argument, NULL, OPT_ADDRESS},
    {"bare", no_argument, NULL, OPT_BARE},
    {"control", required_argument, NULL, OPT_CONTROL},
    {"crc-order", required_argument, NULL, OPT_CRC_ORDER},
    {"dscp-control", required_argument, NULL, OPT_DSCP_CONTROL},
    {"dscp-lasthop", required_argument, NULL, OPT_DSCP_LASTHOP},
    {"dscp-request", required_argument, NULL, OPT_DSCP_REQUEST},
    {"dscp-rtx", required_argument, NULL, OPT_DSCP_RTX},
    {"dscp-rudi-uud", required_argument, NULL, OPT_DSCP_RUDI_UUD},
    {"dscp-trimmed", required_argument, NULL, OPT_DSCP_TRIMMED},
    {"encapsulation", required_argument, NULL, OPT_ENCAPSULATION},
    {"help", no_argument, NULL, OPT_HELP},
    {"ip-protocol", required_argument, NULL, OPT_IP_PROTOCOL},
    {"json", no_argument, NULL, OPT_JSON},
    {"keys", required_argument, NULL, OPT_KEYS},
    {"list-violations", no_argument, NULL, OPT_LIST_VIOLATIONS},
    {"max-pdcs", required_argument, NULL, OPT_MAX_PDCS},
    {"memory", required_argument, NULL, OPT_MEMORY},
    {"param", required_argument, NULL, OPT_PARAM},
    {"payload-mtu", required_argument, NULL, OPT_PAYLOAD_MTU},
    {"port", required_argument, NULL, OPT_PORT},
    {"profile", required_argument, NULL, OPT_PROFILE},
    {"protect", required_argument, NULL, OPT_PROTECT},
    {"receive", required_argument, NULL, OPT_RECEIVE},
    {"reserved-pdcs", required_argument, NULL, OPT_RESERVED_PDCS},
    {"sdi", required_argument, NULL, OPT_SDI},
    {"seed", required_argument, NULL, OPT_SEED},
    {"service", required_argument, NULL, OPT_SERVICE},
    {"show-params", no_argument, NULL, OPT_SHOW_PARAMS},
    {"spec", required_argument, NULL, OPT_SPEC},
    {"start", required_argument, NULL, OPT_START},
    {"stats", no_argument, NULL, OPT_STATS},
    {"udp", no_argument, NULL, OPT_UDP},
    {"used", required_argument, NULL, OPT_USED},
    {"variant", required_argument, NULL, OPT_VARIANT},
    {"version", no_argument, NULL, OPT_VERSION},
    {"violate", required_argument, NULL, OPT_VIOLATE},
    {0},
};

__attribute__((format(printf, 1, 2))) static int fail(const char *format, ...)
{
    va_list args;

    fputs(UETFEP_NAME ": ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    return 2;
}

static int take_param(struct options *options, const char *text)
{
    const char *equals = strchr(text, '=');
    char name[64];
    uint64_t value;
    int rc;

    if (!equals || (size_t)(equals - text) >= sizeof(name))
        return fail("--param %s: give NAME=VALUE, for example RTO_Init_Time=5ms", text);
    memcpy(name, text, (size_t)(equals - text));
    name[equals - text] = 0;
    if (!quantity(equals + 1, &value))
        return fail("--param %s: the value is no number (with ns, us, ms or s for a time)", text);
    rc = uet_fep_config_set(&options->config.fep, name, value);
    if (rc == -ENOENT)
        return fail("--param %s: there is no parameter %s: --show-params lists them", text, name);
    if (rc)
        return fail("--param %s: the value is out of the range of %s: --show-params tells it", text,
                    name);
    return -1;
}

/* --service, --memory and --receive. */
static int take_resource(struct options *options, const char *option, const char *text)
{
    char why[200];

    if (resources_take(&options->resources, option, text, why, sizeof(why)))
        return fail("--%s %s: %s", option, text, why);
    return -1;
}

static int take_control(struct options *options, const char *text)
{
    if (strncmp(text, "tcp:", 4) != 0 && (strncmp(text, "unix:", 5) != 0 || text[5] == 0))
        return fail(
            "--control %s: give unix:PATH, for example unix:/tmp/fep.sock, or tcp:HOST:PORT", text);
    options->control = text;
    return -1;
}

static int take_violate(struct options *options, const char *id)
{
    size_t i = 0;

    if (!uet_fep_violation(0))
        return fail("--violate %s: this program keeps the rules: use uetfep-bent", id);
    while (uet_fep_violation(i) && strcmp(uet_fep_violation(i), id) != 0)
        i++;
    if (!uet_fep_violation(i))
        return fail("--violate %s: that violation is not built in: --list-violations lists them",
                    id);
    options->config.violate = id;
    return -1;
}

static int take_number(const char *name, const char *text, uint64_t min, uint64_t max,
                       uint64_t *out)
{
    if (whole(text, max, out) && *out >= min)
        return -1;
    return fail("--%s %s: give a number from %" PRIu64 " to %" PRIu64, name, text, min, max);
}

static int take_payload_mtu(struct options *options, const char *text)
{
    uint64_t value = 0;

    if (!whole(text, 8192, &value) || value < 1024 || (value & (value - 1)) != 0)
        return fail("--payload-mtu %s: give 1024, 2048, 4096 or 8192", text);
    options->config.fep.payload_mtu = (uint16_t)value;
    options->payload_mtu = true;
    return -1;
}

static int take_dscp(const char *option, const char *text, uint8_t *dscp)
{
    uint64_t value = 0;

    if (!whole(text, 63, &value))
        return fail("--%s %s: give a DSCP from 0 to 63", option, text);
    *dscp = (uint8_t)value;
    return -1;
}

/* Numbers with commas between them, as a mask. */
static int take_dscps(const char *option, const char *text, uint64_t *mask)
{
    const char *at = text, *end = text;
    uint64_t value;

    *mask = 0;
    do {
        if (!uet_place_number(at, &value, &end) || value > 63 || (*end != ',' && *end != 0))
            return fail("--%s %s: give DSCPs from 0 to 63 with commas between them, for example "
                        "11,12",
                        option, text);
        *mask |= UINT64_C(1) << value;
        at = end + 1;
    } while (*end == ',');
    return -1;
}

static const char prints_and_ends[] = "prints and ends: leave out all other options";

static int list_variants(void)
{
    const char *name, *text = "";

    for (size_t i = 0; (name = uet_fep_variant(i, &text)); i++)
        printf("%-10s %s\n", name, text);
    return 0;
}

static int take_variant(struct options *options, const char *name, bool alone)
{
    if (strcmp(name, "list") == 0)
        return alone ? list_variants() : fail("--variant list: %s", prints_and_ends);
    if (options->before_variant)
        return fail("--variant %s: may undo --%s: give it before that", name,
                    options->before_variant);
    if (uet_fep_config_variant(&options->config.fep, name))
        return fail("--variant %s: there is no such variant: --variant list tells them", name);
    return -1;
}

static int take_profile(struct options *options, const char *name, bool alone)
{
    if (strcmp(name, "list") == 0)
        return alone ? show_profiles(&options->config.fep)
                     : fail("--profile list: %s", prints_and_ends);
    int index = choice(name, uet_profile_names, UET_PROFILE_ALL);

    if (index < 0)
        return fail("--profile %s: give AI-Base, AI-Full or HPC; --profile list tells what they "
                    "have",
                    name);
    options->config.fep.profile = (uint8_t)index;
    return -1;
}

/* Options that take their own place in the configuration. */
static int take_value(struct options *options, int id, const char *text)
{
    static const char *const orders[] = {"big", "little"}; /* as enum uet_crc_order */
    static const char *const encapsulations[] = {"native", "udp"};
    static const char *const protects[] = {"none", "crc", "tss"}; /* as enum uet_protect */
    static const char *const specs[] = {"1.0.3", "1.0.2", "1.0.1"};
    struct uet_fep_config *fep = &options->config.fep;
    uint64_t value = 0;
    int index, rc = -1;

    switch (id) {
    case OPT_ADDRESS:
        if (uet_ip_parse(&fep->address, text))
            return fail("--address %s: give an IPv4 or IPv6 address", text);
        break;
    case OPT_CRC_ORDER:
        index = choice(text, orders, 2);
        if (index < 0)
            return fail("--crc-order %s: give big or little", text);
        fep->crc_order = (uint8_t)index;
        options->crc_order = true;
        break;
    case OPT_DSCP_CONTROL:
        return take_dscp("dscp-control", text, &fep->dscp_control);
    case OPT_DSCP_REQUEST:
        return take_dscp("dscp-request", text, &fep->dscp_request);
    case OPT_DSCP_RTX:
        return take_dscp("dscp-rtx", text, &fep->dscp_rtx);
    case OPT_DSCP_RUDI_UUD:
        return take_dscp("dscp-rudi-uud", text, &fep->dscp_rudi_uud);
    case OPT_DSCP_LASTHOP:
        return take_dscps("dscp-lasthop", text, &fep->dscp_trimmed_lasthop);
    case OPT_DSCP_TRIMMED:
        return take_dscps("dscp-trimmed", text, &fep->dscp_trimmed);
    case OPT_ENCAPSULATION:
        index = choice(text, encapsulations, 2);
        if (index < 0)
            return fail("--encapsulation %s: give udp or native", text);
        fep->over_udp = index;
        break;
    case OPT_IP_PROTOCOL:
        rc = take_number("ip-protocol", text, 1, UINT8_MAX, &value);
        fep->ip_protocol = (uint8_t)value;
        options->ip_protocol = true;
        break;
    case OPT_MAX_PDCS:
        rc = take_number("max-pdcs", text, 1, UINT16_MAX, &value);
        fep->max_pdcs = (uint16_t)value;
        break;
    case OPT_RESERVED_PDCS:
        rc = take_number("reserved-pdcs", text, 0, UINT16_MAX - 1, &value);
        fep->reserved_pdcs = (uint16_t)value;
        break;
    case OPT_SEED:
        rc = take_number("seed", text, 0, UINT64_MAX, &fep->seed);
        options->seed = true;
        break;
    case OPT_PROTECT:
        index = choice(text, protects, 3);
        if (index < 0)
            return fail("--protect %s: give none, crc or tss", text);
        fep->protect = (uint8_t)index;
        options->protect = true;
        break;
    case OPT_SPEC:
        index = choice(text, specs, 3);
        if (index < 0)
            return fail("--spec %s: give 1.0.3, 1.0.2 or 1.0.1", text);
        fep->spec = (uint8_t)index; /* in the order of enum uet_fep_spec */
        break;
    }
    return rc;
}

static int list_violations(void)
{
    if (!uet_fep_violation(0))
        return fail("--list-violations: this program keeps the rules: use uetfep-bent");
    for (size_t i = 0; uet_fep_violation(i); i++)
        puts(uet_fep_violation(i));
    return 0;
}

/* What is printed instead of running. */
struct wish {
    bool params, json;
    bool alone; /* one option stands there */
};

static int take(struct options *options, int id, const char *text, struct wish *wish)
{
    switch (id) {
    case OPT_BARE:
        options->bare = true;
        return -1;
    case OPT_CONTROL:
        return take_control(options, text);
    case OPT_HELP:
        fputs(usage, stdout);
        return 0;
    case OPT_LIST_VIOLATIONS:
        return list_violations();
    case OPT_PARAM:
        return take_param(options, text);
    case OPT_PAYLOAD_MTU:
        return take_payload_mtu(options, text);
    case OPT_PROFILE:
        return take_profile(options, text, wish->alone);
    case OPT_PORT:
        options->interface = text;
        return -1;
    case OPT_UDP:
        options->udp = true;
        return -1;
    case OPT_SERVICE:
        return take_resource(options, "service", text);
    case OPT_MEMORY:
        return take_resource(options, "memory", text);
    case OPT_RECEIVE:
        return take_resource(options, "receive", text);
    case OPT_SHOW_PARAMS:
        wish->params = true;
        return -1;
    case OPT_JSON:
        wish->json = true;
        return -1;
    case OPT_STATS:
        options->stats = true;
        return -1;
    case OPT_KEYS:
        options->keys.path = text;
        return -1;
    case OPT_USED:
        options->keys.used = text;
        return -1;
    case OPT_SDI:
        return keys_take_sdi(&options->keys, text);
    case OPT_START:
        return keys_take_start(&options->keys, text);
    case OPT_VARIANT:
        return take_variant(options, text, wish->alone);
    case OPT_VERSION:
        puts(UETFEP_NAME " " UETKIT_VERSION);
        return 0;
    case OPT_VIOLATE:
        return take_violate(options, text);
    default:
        return take_value(options, id, text);
    }
}

/* A --param of what is switched off: no mistake, as the verb `set` may switch that on later. */
static void tell_idle_params(const struct options *options, int argc, char **argv)
{
    struct uet_fep_needs needs;
    char name[64];
    int id;

    optind = 0; /* from the beginning: every option has been taken, so all values are known */
    while ((id = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
        if (id != OPT_PARAM)
            continue;
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(optarg, "="), optarg);
        if (uet_fep_param_needs(&options->config.fep, options->keys.path, name, &needs))
            fprintf(stderr, UETFEP_NAME ": --param %s: no effect without %s\n", optarg, needs.text);
    }
}

/* What of the keys does not go together. */
static int check_keys(struct options *options)
{
    struct uet_fep_config *fep = &options->config.fep;

    if (options->keys.path && !options->protect)
        fep->protect = UET_PROTECT_TSS;
    if (!options->keys.path && fep->protect == UET_PROTECT_TSS)
        return fail("--protect tss: with which keys? Give --keys FILE, too");
    if (!options->keys.path && (options->keys.one || options->keys.start || options->keys.used))
        return fail("--sdi, --start, --used: of which domains? Give --keys FILE, too");
    if (options->keys.path && !options->seed &&
        !(keys_unguessable(&fep->seed) && keys_unguessable(&fep->secret)))
        return fail("--keys: the system has no random numbers: give --seed N");
    return -1;
}

/* What of the FEP itself does not go together. */
static int check_fep(struct options *options)
{
    const struct uet_fep_config *fep = &options->config.fep;

    if (options->crc_order && fep->protect != UET_PROTECT_CRC)
        return fail("--crc-order: there is no CRC: give --protect crc, too");
    if (options->ip_protocol && fep->over_udp)
        return fail("--ip-protocol: of native IP: give --encapsulation native, too");
    if (options->bare && (options->resources.n_services || options->resources.n_memory ||
                          options->resources.n_receives))
        return fail("--bare opens nothing: leave it out, or --service, --memory and --receive");
    if (fep->reserved_pdcs >= fep->max_pdcs)
        return fail("--reserved-pdcs %u: fewer than --max-pdcs, which is %u", fep->reserved_pdcs,
                    fep->max_pdcs);
    if (!uet_fep_config_dscps(fep))
        return fail("--dscp-trimmed, --dscp-lasthop: one of these DSCPs is another's, too: what is "
                    "trimmed is told by it (4.1.4.1)");
    if (options->udp && !fep->over_udp)
        return fail("--udp: carries no native IP: leave out one of them");
    return -1;
}

/* Where it is. */
static int check_place(const struct options *options)
{
    if (!options->interface && !options->udp)
        return fail("no interface: give --port IFACE (`ip link` lists them), or --udp");
    if (options->config.fep.address.version == 0)
        return fail("no address: give --address ADDR, one that the kernel %s",
                    options->udp ? "has" : "does not have");
    return -1;
}

static const char *name_of(int id)
{
    size_t i = 0;

    while (long_options[i].name && long_options[i].val != id)
        i++;
    return long_options[i].name;
}

/* --port names the interface of a link-local address then (RFC 4007), and nothing else. */
static void tell_idle_port(const struct options *options)
{
    const uint8_t *at = options->config.fep.address.bytes;
    const bool link_local =
        options->config.fep.address.version == 6 && at[0] == 0xfe && (at[1] & 0xc0) == 0x80;

    if (options->udp && options->interface && !link_local)
        fprintf(stderr,
                UETFEP_NAME ": --port %s: no effect with --udp, as the address is not "
                            "link-local\n",
                options->interface);
}

int options_read(struct options *options, int argc, char **argv)
{
    static const struct uet_idle_option idle[] = {{"list-violations", "*", NULL},
                                                  {"dscp-trimmed", "udp", NULL},
                                                  {"dscp-lasthop", "udp", NULL},
                                                  {NULL, NULL, NULL}};
    static const char *const many[] = {"param", "service", "memory", "receive", NULL};
    struct wish wish = {.alone = argc == 2 || (argc == 3 && argv[2][0] != '-')};
    int id, rc;

    *options = (struct options){.keys.watch = -1};
    uet_host_config_default(&options->config);
    if (uet_idle_options(UETFEP_NAME, argc, argv, ":", long_options, idle, many) >= 0)
        return 2;
    optind = 0; /* from the beginning again */
    opterr = 0;
    while ((id = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
        if (id == ':' || id == '?')
            return uet_bad_option(UETFEP_NAME, id, argv, long_options);
        if (id == OPT_PARAM || id == OPT_MAX_PDCS || id == OPT_RESERVED_PDCS || id == OPT_PROFILE)
            options->before_variant = name_of(id);
        rc = take(options, id, optarg, &wish);
        if (rc >= 0)
            return rc;
    }
    if (optind < argc)
        return fail("%s: what is this? Options only: try --help", argv[optind]);
    if (wish.json && !wish.params)
        return fail("--json: of what? Give --show-params, too");
    if ((rc = check_keys(options)) >= 0 || (rc = check_fep(options)) >= 0 ||
        (!wish.params && (rc = check_place(options)) >= 0))
        return rc;
    tell_idle_params(options, argc, argv);
    tell_idle_port(options);
    return wish.params ? show_params(&options->config.fep, options->keys.path, wish.json) : -1;
}
