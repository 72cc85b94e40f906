/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/options.h"

#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/bad_option.h"
#include "tools/idle_option.h"
#include "tools/outputs.h"
#include "tools/uetcat/args.h"
#include "tools/uetcat/domain.h"

enum kind { FLAG, NUMBER, SECONDS, TEXT, TAKEN, OWN };

struct row {
    const char *name, *alias; /* of the long option; a second name, or NULL */
    char letter;              /* of the short one, or 0 */
    uint8_t kind;             /* enum kind: what its value is */
    const char *value;        /* what stands for that in the help */
    const char *help;         /* lines */
    size_t at;                /* in struct uetcat_args: bool, uint64_t, const char * */
    uint64_t min, max;        /* NUMBER */
    bool (*take)(struct uetcat_args *a, const char *text); /* TAKEN: false after a message */
};

#define LENGTH_MAX (1u << 30)
#define AT(member) .at = offsetof(struct uetcat_args, member)

static bool take_source(struct uetcat_args *a, const char *text)
{
    a->link.have_source = true;
    return uetcat_link_ip(&a->link, "-S", text, &a->link.src);
}

static bool take_wait(struct uetcat_args *a, const char *text)
{
    return uetcat_seconds(a->link.command, "-W", text, 0.000001, 86400, &a->link.wait_ns);
}

static bool take_encapsulation(struct uetcat_args *a, const char *text)
{
    return uetcat_link_encapsulation(&a->link, text);
}

static bool take_entropy(struct uetcat_args *a, const char *text)
{
    return uetcat_entropy_read(a->link.command, text, &a->link.entropy);
}

static bool take_mtu(struct uetcat_args *a, const char *text)
{
    return uetcat_mtu(a->link.command, text, &a->payload_mtu);
}

static bool take_rate(struct uetcat_args *a, const char *text)
{
    uint64_t rate;
    if (!uetcat_number(a->link.command, "--rate", text, 1, 1000000000, &rate))
        return false;
    a->interval_ns = 1000000000 / rate;
    return true;
}

/* Rows in the order of enum uetcat_option; in the help a command's options have its own order. */
static const struct row table[UETCAT_OPTIONS] = {
    [UETCAT_SOURCE] = {"source", NULL, 'S', TAKEN, "ADDR",
                       "our address: a free one of that network, which no interface has; then\n"
                       "raw sockets are used (root, or CAP_NET_RAW). Without it, with one that\n"
                       "this host has, or without the right, UDP of the kernel",
                       .take = take_source},
    [UETCAT_INTERFACE] =
        {"interface", NULL, 'I', TEXT, "IF",
         "Ethernet interface (default: that of a zone, as in fe80::2%eth1, or the\n"
         "one whose network ADDR is in)",
         AT(link.ifname)},
    [UETCAT_UDP] = {"udp", NULL, 0, FLAG, NULL,
                    "UDP of the kernel, whatever -S is: needs no right; no native IP",
                    AT(link.udp)},
    [UETCAT_WAIT] = {"wait", NULL, 'W', TAKEN, "S",
                     "seconds to wait for an answer (default 1): a request without one is sent\n"
                     "again after an eighth of them, later each time; after five times as\n"
                     "long there is none",
                     .take = take_wait},
    [UETCAT_CRC] = {"crc", "protect", 0, TEXT, "none|crc",
                    "whether packets end in a CRC trailer (default none)", AT(crc)},
    [UETCAT_CRC_ORDER] = {"crc-order", NULL, 0, TEXT, "big|little",
                          "the byte order of the one that is sent: big (default), or that of FEPs\n"
                          "which copy the word of a little-endian CPU",
                          AT(crc_order)},
    [UETCAT_ENCAPSULATION] = {"encapsulation", NULL, 0, TAKEN, "udp|native",
                              "over UDP (default), or native IP with the entropy header",
                              .take = take_encapsulation},
    [UETCAT_IP_PROTOCOL] = {"ip-protocol", NULL, 0, TEXT, "N", "of native IP (default 253)",
                            AT(ip_protocol)},
    [UETCAT_ENTROPY] = {"entropy", NULL, 0, TAKEN, "LIST",
                        "entropy values (UDP source ports) that the packets use in turn: N, A-B,\n"
                        "all:N (N of them, spread over all), or some of these with commas",
                        .take = take_entropy},
    [UETCAT_PCAP] = {"pcap", NULL, 0, TEXT, "FILE",
                     "write what was sent and received to a pcapng file", AT(link.pcap)},
    [UETCAT_JOB] = {"job", NULL, 0, NUMBER, "N", "JobID (default 0)", AT(job), .max = 0xffffff},
    [UETCAT_PID] = {"pid", NULL, 0, NUMBER, "N", "PIDonFEP (default 0)", AT(pid), .max = 0xfff},
    [UETCAT_RI] = {"ri", NULL, 0, NUMBER, "N", "resource index (default 0)", AT(ri), .max = 0xfff},
    [UETCAT_REL] = {"rel", NULL, 0, FLAG, NULL, "relative addressing", AT(link.relative)},
    [UETCAT_KEY] = {"key", NULL, 'k', NUMBER, "KEY", "memory key of the region. Needed", AT(key),
                    .max = UINT64_MAX},
    [UETCAT_OFFSET] = {"offset", NULL, 'O', NUMBER, "N", "where in the region to begin (default 0)",
                       AT(offset), .max = UINT64_MAX},
    [UETCAT_TAG] = {"tag", NULL, 't', NUMBER, "BITS", "match bits of the receive", AT(tag),
                    .max = UINT64_MAX},
    [UETCAT_INITIATOR] = {"initiator", NULL, 0, NUMBER, "N", "the initiator ID (default 0)",
                          AT(initiator), .max = UINT32_MAX},
    [UETCAT_LENGTH] = {"length", "size", 'n', NUMBER, "N", "how many bytes", AT(length),
                       .max = LENGTH_MAX},
    [UETCAT_MTU] = {"mtu", NULL, 0, TAKEN, "N",
                    "Payload MTU: 1024, 2048, 4096 or 8192, as the FEP has it (default: what the\n"
                    "link carries, at most 4096)",
                    .take = take_mtu},
    [UETCAT_INPUT] = {"input", NULL, 'F', TEXT, "FILE",
                      "the bytes are those of the file; - is standard input", AT(input)},
    [UETCAT_PATTERN] = {"pattern", NULL, 0, TEXT, "P",
                        "what the bytes are: count (default: byte i is (i + i/256 + i/65536)\n"
                        "modulo 256), zero, ones, random:SEED, or hex:DIGITS over and over",
                        AT(pattern)},
    [UETCAT_OUTPUT] = {"output", NULL, 'o', TEXT, "FILE",
                       "write the bytes there and show none; - is standard output", AT(output)},
    [UETCAT_ROD] = {"rod", NULL, 0, FLAG, NULL, "on ROD instead of RUD", AT(rod)},
    [UETCAT_AMO] = {"amo", NULL, 'a', TEXT, "OP",
                    "the operation (default sum): min max sum diff prod lor land bor band lxor\n"
                    "bxor read write; with -C cswap cswap_ne cswap_le cswap_lt cswap_ge\n"
                    "cswap_gt mswap (Table 3-21)",
                    AT(amo)},
    [UETCAT_DATATYPE] = {"datatype", NULL, 'd', TEXT, "T",
                         "the datatype (default uint64): int8 to int128, uint8 to uint128, float\n"
                         "double long_double bf16 fp16, float_complex double_complex\n"
                         "long_double_complex (Table 3-22)",
                         AT(datatype)},
    [UETCAT_VALUE] = {"value", NULL, 'x', TEXT, "N",
                      "the operand (default 0: a sum then only fetches); \"1.5,-2\" of a complex\n"
                      "type",
                      AT(value)},
    [UETCAT_COMPARE] = {"compare", NULL, 'C', TEXT, "N",
                        "what a cswap compares with the element, the mask of mswap", AT(compare)},
    [UETCAT_PLAIN] = {"plain", NULL, 0, FLAG, NULL,
                      "UET_ATOMIC, or UET_TSEND_ATOMIC: no old value comes back", AT(plain)},
    [UETCAT_COUNT] = {"count", NULL, 'c', NUMBER, "N",
                      "how often (default 1); more than once, rate and latency are shown",
                      AT(count), .min = 1, .max = UINT32_MAX},
    [UETCAT_INTERVAL] = {"interval", NULL, 'i', SECONDS, "S",
                         "seconds from the start of one to that of the next (default 0: as fast\n"
                         "as may be)",
                         AT(interval_ns)},
    [UETCAT_RATE] = {"rate", NULL, 0, TAKEN, "N", "at most so many a second: an interval of 1/N",
                     .take = take_rate},
    [UETCAT_AT_ONCE] = {"at-once", NULL, 'w', NUMBER, "N",
                        "how many are under way, 1 (default) to 64", AT(at_once), .min = 1,
                        .max = 64},
    [UETCAT_FLOOD] = {"flood", NULL, 'f', FLAG, NULL,
                      "each one as soon as the one before is answered, or after 10 ms; on a\n"
                      "terminal a dot is a request, and its answer takes the dot away",
                      AT(flood)},
    [UETCAT_CHECK] = {"check", NULL, 0, FLAG, NULL, "read them back afterwards, and compare",
                      AT(check)},
    [UETCAT_JSON] = {"json", NULL, 0, FLAG, NULL, "the result as one JSON object", AT(json)},
    [UETCAT_QUIET] = {"quiet", NULL, 'q', FLAG, NULL, "say nothing of what went well", AT(quiet)},
    [UETCAT_VERBOSE] = {"verbose", NULL, 'v', FLAG, NULL, "a line for each of them", AT(verbose)},
    [UETCAT_LONGEST] = {"longest", NULL, 's', TEXT, "N",
                        "the longest message that is taken, in bytes, KiB or MiB (default 16MiB)",
                        AT(longest)},
    [UETCAT_MEMORY] = {"memory", NULL, 'M', OWN, "JOB:PID:RI:KEY:LEN",
                       "serve LEN bytes (KiB, MiB) of memory under KEY; may be given again",
                       .at = 0},
    [UETCAT_FROM] = {"from", NULL, 0, OWN, "FILE",
                     "the bytes of the --memory before it, as far as the file has them", .at = 0},
    [UETCAT_SAVE] = {"save", NULL, 0, OWN, "FILE",
                     "where to write the bytes of the --memory before it at the end", .at = 0},
    [UETCAT_HEX] = {"hex", NULL, 0, FLAG, NULL, "all bytes of each message, not the first 16",
                    AT(hex)},
    [UETCAT_IP] = {"ip", NULL, 0, FLAG, NULL, "HEX begins at the IP header", AT(ip)},
    [UETCAT_PDS] = {"pds", NULL, 0, FLAG, NULL, "HEX begins at the PDS header", AT(pds)},
    [UETCAT_UDP_PORT] = {"udp-port", NULL, 0, NUMBER, "N", "UET's UDP port (default 4793)",
                         AT(udp_port), .min = 1, .max = 65535},
    [UETCAT_KEYS] = {"keys", NULL, 0, TEXT, "FILE",
                     "decrypt what TSS has encrypted: a key log, as tshark takes it, a line for\n"
                     "each key: UET_SD sdi=0x000001 an=0 mode=cluster key=<64 digits>; not with\n"
                     "--pds, since keys are bound to addresses",
                     AT(keys)},
    [UETCAT_VARIANTS] = {"variants", NULL, 0, FLAG, NULL,
                         "read bytes as drafts or single implementations send them, also where\n"
                         "the specification reads them in another way. What has one reading only\n"
                         "is named without this option",
                         AT(variants)},
    [UETCAT_AS_SPEC] = {"as-spec", NULL, 0, FLAG, NULL,
                        "the line of text that makes the packet: `uetcat craft` and `uetgen\n"
                        "packet` make the same bytes of it",
                        AT(as_spec)},
    [UETCAT_HEADER] = {"header", NULL, 0, TEXT, "NAME",
                       "HEX is this header alone; --json prints its name and fields", AT(header)},
    [UETCAT_LIMIT] = {"limit", NULL, 0, NUMBER, "N",
                      "packets that LINE may stand for (default 1000000)", AT(limit), .min = 1,
                      .max = UINT32_MAX},
    [UETCAT_AS] = {"as", NULL, 0, TEXT, "ADDR",
                   "the address in the capture whose packets are sent (default: who opens the\n"
                   "first PDC there)",
                   AT(as)},
    [UETCAT_FAST] = {"fast", NULL, 0, FLAG, NULL,
                     "do not wait for the times of the capture, only for the answers", AT(fast)},
};

/* ---- help ---- */

enum { COLUMN = 21 };

static void help_row(const struct row *r, const char *help)
{
    char left[80];
    int n = r->letter ? snprintf(left, sizeof left, "  -%c, --%s", r->letter, r->name)
                      : snprintf(left, sizeof left, "      --%s", r->name);
    if (r->alias)
        n += snprintf(left + n, sizeof left - (size_t)n, ", --%s", r->alias);
    if (r->value)
        n += snprintf(left + n, sizeof left - (size_t)n, " %s", r->value);
    printf("%s%*s", left, n < COLUMN ? COLUMN - n : 0, "");
    if (n >= COLUMN)
        printf("\n%*s", COLUMN, "");
    for (; *help; help++) {
        putchar(*help);
        if (*help == '\n')
            printf("%*s", COLUMN, "");
    }
    putchar('\n');
}

/* Each line behind the command's name. */
static void help_lines(const char *lines, const char *before, const char *name)
{
    while (*lines) {
        size_t n = strcspn(lines, "\n");
        printf("%suetcat %s %.*s\n", before, name, (int)n, lines);
        lines += n + (lines[n] == '\n');
    }
}

void uetcat_help(const struct uetcat_command *c)
{
    help_lines(c->synopsis, "", c->name);
    printf("\n%s\n", c->text);
    for (const struct uetcat_use *u = c->uses; u->option; u++)
        help_row(&table[u->option], u->help ? u->help : table[u->option].help);
    printf("      --help\n\n%s\nExamples:\n", c->status);
    help_lines(c->examples, "  ", c->name);
}

/* ---- parsing ---- */

static const char *shown(const struct row *r, char text[40])
{
    if (r->letter)
        snprintf(text, 40, "-%c", r->letter);
    else
        snprintf(text, 40, "--%s", r->name);
    return text;
}

static bool take(struct uetcat_args *a, enum uetcat_option option, const char *text)
{
    const struct row *r = &table[option];
    void *at = (char *)a + r->at;
    char name[40];
    a->given[option] = true;
    switch (r->kind) {
    case FLAG:
        return *(bool *)at = true;
    case TEXT:
        *(const char **)at = text;
        return true;
    case SECONDS:
        return uetcat_seconds(a->link.command, shown(r, name), text, 0, 86400, at);
    case NUMBER:
        return uetcat_number(a->link.command, shown(r, name), text, r->min, r->max, at);
    default:
        return r->take(a, text);
    }
}

/* What getopt_long wants, made of a command's list. */
struct wanted {
    struct option longs[2 * UETCAT_OPTIONS + 1];
    char shorts[2 * UETCAT_OPTIONS + 2];
};

static void want(struct wanted *w, const struct uetcat_command *c)
{
    size_t n = 0, s = 0;
    w->shorts[s++] = ':';
    for (const struct uetcat_use *u = c->uses; u->option; u++) {
        const struct row *r = &table[u->option];
        int has = r->kind == FLAG ? no_argument : required_argument;
        int result = r->letter ? r->letter : 256 + u->option;
        w->longs[n++] = (struct option){r->name, has, NULL, result};
        if (r->alias)
            w->longs[n++] = (struct option){r->alias, has, NULL, result};
        if (r->letter)
            w->shorts[s++] = r->letter;
        if (r->letter && has == required_argument)
            w->shorts[s++] = ':';
    }
    w->longs[n] = (struct option){0};
    w->shorts[s] = '\0';
}

static enum uetcat_option option_of(const struct uetcat_command *c, int o)
{
    if (o >= 256)
        return (enum uetcat_option)(o - 256);
    for (const struct uetcat_use *u = c->uses; u->option; u++)
        if (table[u->option].letter == o)
            return (enum uetcat_option)u->option;
    return UETCAT_NO_OPTION;
}

static bool uses(const struct uetcat_command *c, enum uetcat_option option)
{
    for (const struct uetcat_use *u = c->uses; u->option; u++)
        if (u->option == option)
            return true;
    return false;
}

/* Of a command that speaks to a FEP: what the link is told of. */
static bool finish_link(struct uetcat_args *a, const struct uetcat_command *c)
{
    struct uetcat_link *l = &a->link;
    l->job_id = (uint32_t)a->job;
    l->pid_on_fep = (uint16_t)a->pid;
    l->resource_index = (uint16_t)a->ri;
    l->keys = a->keys;
    if (l->keys && !uetcat_domain_readable(l->command, l->keys))
        return false;
    if (l->keys && l->entropy.n && !c->seals_last) {
        fprintf(stderr,
                "uetcat %s: --entropy changes the UDP header, which is authenticated: not "
                "with --keys\n",
                l->command);
        return false;
    }
    if (a->crc && !uetcat_protect(l->command, a->crc, false, &l->protect))
        return false;
    if (a->crc && a->crc_order && l->protect == UET_PROTECT_NONE) {
        fprintf(stderr, "uetcat %s: --crc-order has no effect with --crc none: leave it out\n",
                l->command);
        return false;
    }
    return (!a->crc_order || uetcat_crc_order(l->command, a->crc_order, &l->crc_order)) &&
           (!a->ip_protocol || uetcat_link_ip_protocol(l, a->ip_protocol));
}

/* No output takes the place of what the command reads: words may be files, too. */
static bool spares(const char *who, const struct uetcat_args *a)
{
    const char *const outputs[] = {a->output, a->link.pcap};
    const char *const inputs[] = {a->input, a->keys};

    return uet_outputs(who, outputs, 2, inputs, 2) &&
           uet_outputs(who, outputs, 2, (const char *const *)a->words, (size_t)a->n_words);
}

bool uetcat_options(const struct uetcat_command *c, struct uetcat_args *a, int argc, char **argv,
                    bool (*own)(void *ctx, enum uetcat_option option, const char *value), void *ctx)
{
    static const char *const many[] = {"memory", "from", "save", NULL}; /* those that are OWN */
    struct wanted w;
    char who[32];
    int o;
    want(&w, c);
    snprintf(who, sizeof who, "uetcat %s", c->name);
    if (uet_idle_options(who, argc, argv, w.shorts, w.longs, c->idle, many) >= 0)
        return false;
    opterr = 0;
    optind = 0; /* from the beginning again */
    while ((o = getopt_long(argc, argv, w.shorts, w.longs, NULL)) != -1) {
        if (o == '?' || o == ':') {
            uet_bad_option(who, o, argv, w.longs);
            return false;
        }
        enum uetcat_option option = option_of(c, o);
        if (table[option].kind == OWN ? !own(ctx, option, optarg) : !take(a, option, optarg))
            return false;
    }
    a->words = argv + optind;
    a->n_words = argc - optind;
    if (a->given[UETCAT_RATE] && a->given[UETCAT_INTERVAL]) {
        fprintf(stderr, "uetcat %s: give -i or --rate, not both\n", c->name);
        return false;
    }
    if (!spares(who, a))
        return false;
    return !uses(c, UETCAT_SOURCE) || finish_link(a, c);
}

struct uetcat_args *uetcat_args_new(const struct uetcat_command *c)
{
    struct uetcat_args *a = calloc(1, sizeof *a);
    if (!a) {
        fprintf(stderr, "uetcat %s: out of memory\n", c->name);
        return NULL;
    }
    a->link.command = c->name;
    a->link.wait_ns = 1000000000;
    a->at_once = 1;
    return a;
}
