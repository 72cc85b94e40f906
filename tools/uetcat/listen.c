/* SPDX-License-Identifier: BSD-2-Clause */
/* uetcat listen: a FEP on the terminal. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/bad_option.h"
#include "tools/uetcat/args.h"
#include "tools/uetcat/client.h"
#include "tools/uetcat/command.h"
#include "tools/uetcat/listen_serve.h"
#include "tools/uetcat/listen_show.h"
#include "tools/uetcat/listen_watch.h"
#include "tools/uetcat/options.h"

const char uetcat_listen_help[] =
    "uetcat listen [OPTION...]\n"
    "\n"
    "A FEP on the terminal: takes the sends, tagged or not, that come to its address, and prints "
    "a\n"
    "line for each; serves memory to writes, reads and atomics; says what it refuses. Ctrl-C ends\n"
    "it with the totals.\n"
    "\n" UETCAT_FEP_HELP_LINK
    "  -t, --tag BITS     take tagged sends with these match bits only (default: with any)\n"
    "  -s, --size N       the longest message that is taken, in bytes, KiB or MiB (default 16MiB)\n"
    "  -M, --memory JOB:PID:RI:KEY:LEN\n"
    "                     serve LEN bytes (KiB, MiB) of memory under KEY; may be given again\n"
    "      --from FILE    the bytes of the --memory before it, as far as the file has them\n"
    "      --save FILE    where to write the bytes of the --memory before it at the end\n"
    "  -c, --count N      end after N messages (UET_NO_OP of a ping is none)\n"
    "  -o, --output FILE  write the bytes of all sends there, one after the other, and nothing\n"
    "                     else; - is standard output, and the lines then go to standard error\n"
    "      --hex          all bytes of each message, not the first 16\n"
    "  -q, --quiet        no line for each message\n"
    "      --mtu N        Payload MTU: 1024, 2048, 4096 (default) or 8192\n" UETCAT_FEP_HELP_SERVICE
    "                     (--job: take messages of that job only; default: of any)\n"
    "      --json         JSON lines\n"
    "      --pcap FILE    write what was sent and received to a pcapng file\n"
    "      --help\n"
    "\n"
    "Needs the right to open raw sockets (root, or CAP_NET_RAW). Exit status: 0 it was ended by\n"
    "Ctrl-C or after N messages, 2 the arguments, the interface or a file are wrong.\n"
    "\n"
    "Examples:\n"
    "  uetcat listen -S 192.0.2.2\n"
    "  uetcat listen -S 192.0.2.2 -c 1 -o - >file      and elsewhere\n"
    "  uetcat send -S 192.0.2.77 192.0.2.2 <file\n"
    "  uetcat listen -S 192.0.2.2 -M 0:0:0:1:1MiB --from mem.bin --save mem.bin\n"
    "  uetcat listen -S 192.0.2.2 --json | jq -r .kind\n";

#define LOOK_NS                                                                                    \
    UINT64_C(500000000) /* a signal between a look and the sleep after it waits so long */

struct run {
    struct uetcat_link link;
    struct uetcat_client client;
    struct listen_serve serve;
    struct listen_watch watch;
    struct listen_show show;
    const char *output;
    FILE *sink;
    uint64_t count, messages; /* count 0: no end */
    uint16_t payload_mtu;
    bool full; /* the output could not be written */
};

/* ---- what came ---- */

static bool goes_on(const struct run *r)
{
    return !uetcat_interrupted && !r->link.broken && !r->watch.failed && !r->full &&
           (r->count == 0 || r->messages < r->count);
}

static void tell(void *ctx, const struct listen_event *event)
{
    struct run *r = ctx;
    if (event->kind == LISTEN_MESSAGE && event->opcode != UET_OP_NO_OP)
        r->messages++;
    listen_show_event(&r->show, event);
}

static void keep_bytes(struct run *r, const uint8_t *bytes, uint32_t n)
{
    if (!r->sink || (fwrite(bytes, 1, n, r->sink) == n && fflush(r->sink) == 0))
        return;
    fprintf(stderr, "uetcat listen: %s: %s\n", r->output, strerror(errno));
    r->full = true;
}

static void take_receive(struct run *r, const struct uet_completion *c)
{
    bool tagged;
    const uint8_t *bytes = listen_serve_bytes(&r->serve, c->token, &tagged);
    struct listen_event e = {.kind = LISTEN_MESSAGE,
                             .peer = c->peer,
                             .has_opcode = true,
                             .opcode = tagged ? UET_OP_TAGGED_SEND : UET_OP_SEND,
                             .has_place = true,
                             .job_id = c->job_id,
                             .pid_on_fep = r->serve.place.pid_on_fep,
                             .resource_index = r->serve.place.resource_index,
                             .has_tag = tagged,
                             .tag = c->match_bits,
                             .has_length = true,
                             .length = c->length,
                             .initiator = c->initiator,
                             .has_header_data = c->has_header_data,
                             .header_data = c->header_data,
                             .code = c->return_code};
    if (c->status == UET_STATUS_OK) {
        e.bytes = bytes;
        e.n_bytes = c->length;
        keep_bytes(r, bytes, c->length);
    } else {
        e.kind = LISTEN_REFUSED; /* the receive has ended in error */
    }
    tell(r, &e);
    listen_serve_again(&r->serve, r->client.fep, c->token);
}

static void take_completions(struct run *r)
{
    struct uet_completion c;
    while (goes_on(r) && uet_fep_completion(r->client.fep, &c))
        if (c.kind == UET_COMPLETION_RECEIVE) /* of writes the watch tells */
            take_receive(r, &c);
}

static void on_packet(void *ctx, const struct uet_packet *p, bool sent, uint64_t now_ns)
{
    struct run *r = ctx;
    take_completions(r); /* of the packet before */
    listen_watch_packet(&r->watch, p, sent, now_ns);
}

/* ---- the FEP ---- */

static struct uet_fep_config config_of(const struct run *r)
{
    const struct uetcat_link *l = &r->link;
    struct uet_fep_config config;
    uet_fep_config_default(&config);
    config.address = l->src;
    config.seed = uetcat_random();
    config.protect = (uint8_t)l->protect;
    config.crc_order = l->crc_order;
    config.over_udp = !l->native;
    config.ip_protocol = l->ip_protocol;
    config.payload_mtu = r->payload_mtu;
    return config;
}

/* PDCs that are open get their close, as far as their initiators do that soon. */
static void say_goodbye(struct run *r)
{
    uint64_t until_ns = uetcat_link_now(&r->link) + LOOK_NS;
    sig_atomic_t before = uetcat_interrupted;
    uetcat_interrupted = 0; /* a second Ctrl-C ends this, too */
    while (!r->link.broken && !uetcat_interrupted && uet_fep_pdcs(r->client.fep, false) &&
           uetcat_link_now(&r->link) < until_ns)
        uetcat_client_step(&r->client, until_ns);
    uetcat_interrupted |= before;
}

static void serve(struct run *r)
{
    while (goes_on(r)) {
        uetcat_client_step(&r->client, uetcat_link_now(&r->link) + LOOK_NS);
        take_completions(r);
    }
    say_goodbye(r);
}

static bool listen_as_fep(struct run *r)
{
    const struct uet_fep_config config = config_of(r);
    if (!uetcat_client_open(&r->client, &r->link, &config))
        return false;
    r->client.watch = on_packet;
    r->client.watch_ctx = r;
    bool good = listen_serve_open(&r->serve, r->client.fep);
    if (good && !listen_watch_open(&r->watch, r->link.ip_protocol, tell, r))
        r->watch.failed = true;
    if (good && !r->watch.failed) {
        listen_show_start(&r->show, &r->link.src, r->link.ifname);
        serve(r);
        listen_show_end(&r->show);
    }
    if (r->watch.failed)
        fputs("uetcat listen: out of memory\n", stderr);
    listen_watch_close(&r->watch);
    uetcat_client_close(&r->client);
    return good && !r->watch.failed && !r->full;
}

static bool open_sink(struct run *r)
{
    r->show.out = stdout;
    if (!r->output)
        return true;
    r->sink = strcmp(r->output, "-") == 0 ? stdout : fopen(r->output, "wbe");
    if (!r->sink)
        fprintf(stderr, "uetcat listen: %s: %s\n", r->output, strerror(errno));
    if (r->sink == stdout)
        r->show.out = stderr;
    return r->sink != NULL;
}

static bool close_sink(struct run *r)
{
    if (!r->sink || r->sink == stdout || fclose(r->sink) == 0)
        return true;
    fprintf(stderr, "uetcat listen: %s: %s\n", r->output, strerror(errno));
    return false;
}

static int run_listen(struct run *r)
{
    bool good = listen_serve_prepare(&r->serve) && open_sink(r);
    if (good && uetcat_link_open(&r->link)) {
        good = listen_as_fep(r) && listen_serve_save(&r->serve);
        uetcat_link_close(&r->link);
    } else {
        good = false;
    }
    good = close_sink(r) && good;
    listen_serve_close(&r->serve);
    return good && !r->link.broken ? UETCAT_YES : UETCAT_USAGE;
}

/* ---- options ---- */

enum { OPT_JSON = UETCAT_OPT_OWN, OPT_HEX, OPT_FROM, OPT_SAVE, OPT_MTU };

static const struct option long_options[] = {
    {"tag", required_argument, NULL, 't'},
    {"size", required_argument, NULL, 's'},
    {"memory", required_argument, NULL, 'M'},
    {"from", required_argument, NULL, OPT_FROM},
    {"save", required_argument, NULL, OPT_SAVE},
    {"count", required_argument, NULL, 'c'},
    {"output", required_argument, NULL, 'o'},
    {"hex", no_argument, NULL, OPT_HEX},
    {"quiet", no_argument, NULL, 'q'},
    {"mtu", required_argument, NULL, OPT_MTU},
    {"json", no_argument, NULL, OPT_JSON},
    UETCAT_FEP_OPTIONS,
    {0},
};

static bool take_size(struct run *r)
{
    if (uet_place_length(optarg, &r->serve.size) && r->serve.size <= 1u << 30)
        return true;
    fprintf(stderr, "uetcat listen: -s '%s': give 1 to 1024MiB, in bytes, KiB or MiB\n", optarg);
    return false;
}

/* --from and --save: of the --memory before. */
static bool take_file(struct run *r, int o)
{
    if (r->serve.n_memory == 0) {
        fprintf(stderr, "uetcat listen: %s is of a --memory: give that before it\n",
                o == OPT_FROM ? "--from" : "--save");
        return false;
    }
    struct listen_memory *m = &r->serve.memory[r->serve.n_memory - 1];
    *(o == OPT_FROM ? &m->from : &m->save) = optarg;
    return true;
}

static bool take_option(struct run *r, int o)
{
    switch (o) {
    case 't':
        r->serve.have_tag = true;
        return uetcat_number("listen", "-t", optarg, 0, UINT64_MAX, &r->serve.tag);
    case 's':
        return take_size(r);
    case 'M':
        return listen_serve_memory(&r->serve, optarg);
    case OPT_FROM:
    case OPT_SAVE:
        return take_file(r, o);
    case 'c':
        return uetcat_number("listen", "-c", optarg, 1, UINT32_MAX, &r->count);
    case 'o':
        r->output = optarg;
        return true;
    case OPT_HEX:
        return r->show.hex = true;
    case 'q':
        return r->show.quiet = true;
    case OPT_JSON:
        return r->show.json = true;
    case OPT_MTU:
        return uetcat_mtu("listen", optarg, &r->payload_mtu);
    case UETCAT_OPT_JOB:
        r->serve.one_job = true;
        return uetcat_fep_option(&r->link, o) == 1;
    default:
        return uetcat_fep_option(&r->link, o) == 1;
    }
}

int uetcat_listen(int argc, char **argv)
{
    struct run *r = calloc(1, sizeof *r);
    if (!r) {
        fputs("uetcat listen: out of memory\n", stderr);
        return UETCAT_USAGE;
    }
    r->link.command = "listen";
    r->link.wait_ns = 1000000000;
    r->payload_mtu = 4096;
    r->serve.size = 16 << 20;
    int o, status = -1;
    opterr = 0;
    while (status < 0 && (o = getopt_long(argc, argv, ":t:s:M:c:o:q" UETCAT_FEP_SHORT, long_options,
                                          NULL)) != -1) {
        if (o == '?' || o == ':')
            status = uet_bad_option("uetcat listen", o, argv, long_options);
        else if (!take_option(r, o))
            status = UETCAT_USAGE;
    }
    r->serve.place = (struct uet_place){r->link.job_id, r->link.pid_on_fep, r->link.resource_index};
    if (status < 0)
        status = uetcat_link_own_address(&r->link, argc - optind, argv + optind) ? run_listen(r)
                                                                                 : UETCAT_USAGE;
    free(r);
    return status;
}
