/* SPDX-License-Identifier: BSD-2-Clause */
/* uetcat listen: a FEP on the terminal. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/uetcat/client.h"
#include "tools/uetcat/command.h"
#include "tools/uetcat/listen/serve.h"
#include "tools/uetcat/listen/show.h"
#include "tools/uetcat/listen/watch.h"

#define LOOK_NS                                                                                    \
    UINT64_C(500000000) /* a signal between a look and the sleep after it waits so long */

struct run {
    struct uetcat_args *args;
    struct uetcat_link *link; /* of args */
    struct uetcat_client client;
    struct listen_serve serve;
    struct listen_watch watch;
    struct listen_show show;
    const char *output;
    FILE *sink;
    uint64_t count, messages; /* count 0: no end */
    bool full;                /* the output could not be written */
};

/* ---- what came ---- */

static bool goes_on(const struct run *r)
{
    return !uetcat_interrupted && !r->link->broken && !r->watch.failed && !r->full &&
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
    const struct uetcat_link *l = r->link;
    struct uet_fep_config config;
    uet_fep_config_default(&config);
    /* The longest there is (3.5.5): a sender may be kept waiting by its host. */
    config.params.New_PDC_Time = 100000000;
    config.address = l->src;
    config.seed = uetcat_random();
    config.protect = (uint8_t)l->protect;
    config.crc_order = l->crc_order;
    config.over_udp = !l->native;
    config.ip_protocol = l->ip_protocol;
    config.payload_mtu = r->args->payload_mtu;
    return config;
}

/* PDCs that are open get their close, as far as their initiators do that soon. */
static void say_goodbye(struct run *r)
{
    uint64_t until_ns = uetcat_link_now(r->link) + LOOK_NS;
    sig_atomic_t before = uetcat_interrupted;
    uetcat_interrupted = 0; /* a second Ctrl-C ends this, too */
    while (!r->link->broken && !uetcat_interrupted && uet_fep_pdcs(r->client.fep, false) &&
           uetcat_link_now(r->link) < until_ns)
        uetcat_client_step(&r->client, until_ns);
    uetcat_interrupted |= before;
}

static void serve(struct run *r)
{
    while (goes_on(r)) {
        uetcat_client_step(&r->client, uetcat_link_now(r->link) + LOOK_NS);
        take_completions(r);
    }
    say_goodbye(r);
}

static bool listen_as_fep(struct run *r)
{
    const struct uet_fep_config config = config_of(r);
    if (!uetcat_client_open(&r->client, r->link, &config))
        return false;
    r->client.watch = on_packet;
    r->client.watch_ctx = r;
    bool good = listen_serve_open(&r->serve, r->client.fep);
    if (good && !listen_watch_open(&r->watch, r->link->ip_protocol, tell, r))
        r->watch.failed = true;
    if (good && !r->watch.failed) {
        listen_show_start(&r->show, &r->link->src, r->link->ifname);
        serve(r);
        r->show.missed = uetcat_link_missed(r->link);
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
    if (good && uetcat_link_open(r->link)) {
        good = listen_as_fep(r) && listen_serve_save(&r->serve);
        uetcat_link_close(r->link);
    } else {
        good = false;
    }
    good = close_sink(r) && good;
    listen_serve_close(&r->serve);
    return good && !r->link->broken ? UETCAT_YES : UETCAT_USAGE;
}

/* ---- options ---- */

/* --from and --save: of the --memory before. */
static bool take_file(struct run *r, enum uetcat_option option, const char *file)
{
    if (r->serve.n_memory == 0) {
        fprintf(stderr, "uetcat listen: %s is of a --memory: give that before it\n",
                option == UETCAT_FROM ? "--from" : "--save");
        return false;
    }
    struct listen_memory *m = &r->serve.memory[r->serve.n_memory - 1];
    const char **at = option == UETCAT_FROM ? &m->from : &m->save;
    if (*at)
        fprintf(stderr, "uetcat listen: the --memory before %s %s has %s already: leave out one\n",
                option == UETCAT_FROM ? "--from" : "--save", file, *at);
    bool first = !*at;
    *at = file;
    return first;
}

static bool take_own(void *ctx, enum uetcat_option option, const char *value)
{
    struct run *r = ctx;
    return option == UETCAT_MEMORY ? listen_serve_memory(&r->serve, value)
                                   : take_file(r, option, value);
}

static bool prepare(struct run *r)
{
    const struct uetcat_args *a = r->args;
    const struct uetcat_link *l = &a->link;
    r->serve.place = (struct uet_place){l->job_id, l->pid_on_fep, l->resource_index};
    r->serve.one_job = a->given[UETCAT_JOB];
    r->serve.have_tag = a->given[UETCAT_TAG];
    r->serve.tag = a->tag;
    r->serve.size = 16 << 20;
    r->show.json = a->json;
    r->show.hex = a->hex;
    r->show.quiet = a->quiet;
    r->output = a->output;
    r->count = a->count;
    if (!a->longest || (uet_place_length(a->longest, &r->serve.size) && r->serve.size <= 1u << 30))
        return true;
    fprintf(stderr, "uetcat listen: -s '%s': give 1 to 1024MiB, in bytes, KiB or MiB\n",
            a->longest);
    return false;
}

static int run(int argc, char **argv)
{
    struct uetcat_args *a = uetcat_args_new(&uetcat_listen);
    struct run *r = calloc(1, sizeof *r);
    int status = UETCAT_USAGE;
    if (a && !r)
        fputs("uetcat listen: out of memory\n", stderr);
    if (a && r) {
        r->args = a;
        r->link = &a->link;
        if (uetcat_options(&uetcat_listen, a, argc, argv, take_own, r) && prepare(r) &&
            uetcat_link_own_address(&a->link, a->n_words, a->words))
            status = run_listen(r);
    }
    free(r);
    free(a);
    return status;
}

static const struct uetcat_use uses[] = {
    UETCAT_USES_LINK,
    {UETCAT_TAG, "take tagged sends with these match bits only (default: with any)"},
    {UETCAT_LONGEST, NULL},
    {UETCAT_MEMORY, NULL},
    {UETCAT_FROM, NULL},
    {UETCAT_SAVE, NULL},
    {UETCAT_COUNT, "end after N messages (UET_NO_OP of a ping is none)"},
    {UETCAT_OUTPUT, "write the bytes of all sends there, one after the other, and nothing else;\n"
                    "- is standard output, and the lines then go to standard error"},
    {UETCAT_HEX, NULL},
    {UETCAT_MTU, NULL},
    {UETCAT_JOB, "take messages of that job only (default: of any)"},
    {UETCAT_PID, NULL},
    {UETCAT_RI, NULL},
    UETCAT_USES_WIRE,
    {UETCAT_JSON, "JSON lines"},
    {UETCAT_QUIET, "no line for each message"},
    {0}};

static const struct uet_idle_option idle[] = {
    {"crc-order", NULL, "crc"}, {"hex", "quiet", NULL}, {NULL, NULL, NULL}};

const struct uetcat_command uetcat_listen = {
    .name = "listen",
    .purpose = "a FEP on the terminal: shows what comes",
    .synopsis = "[OPTION...]",
    .text = "A FEP on the terminal: takes the sends, tagged or not, that come to its address, and\n"
            "prints a line for each; serves memory to writes, reads and atomics; says what it "
            "refuses.\n"
            "Ctrl-C ends it with the totals.\n",
    .uses = uses,
    .idle = idle,
    .status = "Exit status: 0 it was "
              "ended by\n"
              "Ctrl-C or after N messages, 2 the arguments, the interface or a file are wrong.\n",
    .examples = "-S 192.0.2.2\n"
                "-S 192.0.2.2 -c 1 -o - >file\n"
                "-S 192.0.2.2 -M 0:0:0:1:1MiB --from mem.bin --save mem.bin\n"
                "-S 192.0.2.2 --json | jq -r .event\n",
    .run = run,
};
