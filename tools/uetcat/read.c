/* SPDX-License-Identifier: BSD-2-Clause */
/* uetcat read: the bytes of a FEP's memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/uetcat/bytes.h"
#include "tools/uetcat/command.h"
#include "tools/uetcat/dump.h"
#include "tools/uetcat/once.h"
#include "tools/uetcat/result.h"

/* Requests outstanding: a FEP with little memory for READs takes them, and a fast one is busy. */
enum { WINDOW = 32, LENGTH = 64 };

struct run {
    struct uetcat_args *args;
    struct uetcat_series *series;
    struct uetcat_bytes want; /* of --check */
    uint32_t length;
    uint8_t *bytes;
    char differs[100];
};

static void show_json(const struct run *r)
{
    const struct uetcat_args *a = r->args;
    json_t *j = uetcat_result_json("read", r->series, r->length);
    if (r->series->done && !a->output)
        json_object_set_new(j, "data", uetcat_json_bytes(r->bytes, r->length));
    if (r->series->done && a->check)
        json_object_set_new(j, "check", json_string(r->differs[0] ? r->differs : "same"));
    uetcat_json("read", j);
}

/* The bytes of one; of many how long they took. */
static void show(const struct run *r)
{
    const struct uetcat_args *a = r->args;
    if (a->json)
        show_json(r);
    else if (a->quiet)
        return;
    else if (r->series->count > 1)
        uetcat_result_text(a->output ? stderr : stdout, r->series, r->length);
    else if (r->series->done && !a->output)
        uetcat_dump(stdout, a->offset, r->bytes, r->length);
}

static int judge(struct run *r, int status)
{
    if (status == UETCAT_YES && r->args->check &&
        !uetcat_bytes_same(r->args, r->want.at, r->bytes, r->length, r->differs, sizeof r->differs))
        status = UETCAT_NO;
    if (r->series->done && r->args->output && !uetcat_bytes_output(r->args, r->bytes, r->length))
        status = UETCAT_USAGE;
    if (status != UETCAT_USAGE)
        show(r);
    return status;
}

static int read_and_tell(struct run *r)
{
    struct uetcat_link *l = &r->args->link;
    const struct uet_operation op = {.opcode = UET_OP_READ,
                                     .mode = r->args->rod ? UET_MODE_ROD : UET_MODE_RUD,
                                     .buffer_offset = r->args->offset,
                                     .key = r->args->key,
                                     .into = r->bytes,
                                     .length = r->length};
    struct uet_fep_config config = uetcat_client_config(l, WINDOW);
    int status;
    config.payload_mtu = r->args->payload_mtu;
    config.max_operations = UETCAT_AT_ONCE_MAX;
    if (!uetcat_link_open(l))
        return UETCAT_USAGE;
    status = judge(r, uetcat_series(l, &config, &op, r->series));
    uetcat_link_close(l);
    return l->broken ? UETCAT_USAGE : status;
}

/* Options that do not fit each other; false after a message. */
static bool fits(const struct uetcat_args *a)
{
    const char *wrong = NULL;
    if (!a->given[UETCAT_KEY])
        wrong = "give the memory key of the region with -k";
    else if ((a->input || a->pattern) && !a->check)
        wrong = "-F and --pattern are of --check: give that, too";
    else if (a->input && (a->pattern || a->given[UETCAT_LENGTH]))
        wrong = "give -F, or -n and --pattern, not both";
    else if (a->output && strcmp(a->output, "-") == 0 && (a->json || a->verbose))
        wrong = "-o - and --json or -v would both write to standard output: give one";
    if (wrong)
        fprintf(stderr, "uetcat read: %s\n", wrong);
    return !wrong;
}

static bool prepare(struct run *r)
{
    const struct uetcat_args *a = r->args;
    r->length = a->given[UETCAT_LENGTH] ? (uint32_t)a->length : LENGTH;
    if (a->check && !(a->input ? uetcat_bytes_input(a, &r->want)
                               : uetcat_bytes_pattern(a, r->length, &r->want)))
        return false;
    if (a->input)
        r->length = r->want.length;
    r->series = uetcat_series_new(a);
    r->bytes = calloc(1, r->length ? r->length : 1);
    if (!r->bytes)
        fputs("uetcat read: out of memory\n", stderr);
    return r->series && r->bytes;
}

static int run(int argc, char **argv)
{
    struct run r = {.args = uetcat_args_new(&uetcat_read)};
    struct uetcat_args *a = r.args;
    int status = UETCAT_USAGE;
    if (a && uetcat_options(&uetcat_read, a, argc, argv, NULL, NULL) &&
        uetcat_link_address(&a->link, a->n_words, a->words) && fits(a) && prepare(&r))
        status = read_and_tell(&r);
    free(r.bytes);
    free(r.want.at);
    free(r.series);
    free(a);
    return status;
}

static const struct uetcat_use uses[] = {
    UETCAT_USES_LINK,
    {UETCAT_KEY, NULL},
    {UETCAT_OFFSET, NULL},
    {UETCAT_LENGTH, "how many bytes (default 64)"},
    {UETCAT_OUTPUT, NULL},
    {UETCAT_CHECK, "compare them with those of -F, or with --pattern"},
    {UETCAT_INPUT, "the bytes that should be there; - is standard input"},
    {UETCAT_PATTERN, NULL},
    {UETCAT_COUNT, "how often (default 1); more than once, rate and latency are shown\n"
                   "instead of the bytes"},
    {UETCAT_AT_ONCE, NULL},
    {UETCAT_INTERVAL, NULL},
    {UETCAT_RATE, NULL},
    {UETCAT_ROD, NULL},
    {UETCAT_WAIT, NULL},
    {UETCAT_MTU, NULL},
    UETCAT_USES_SERVICE,
    UETCAT_USES_WIRE,
    {UETCAT_JSON, NULL},
    {UETCAT_QUIET, NULL},
    {UETCAT_VERBOSE, NULL},
    {0}};

static const struct uet_idle_option idle[] = {
    UETCAT_IDLE_CRC, UETCAT_IDLE_SERIES, {"quiet", "json", NULL}, {NULL, NULL, NULL}};

const struct uetcat_command uetcat_read = {
    .name = "read",
    .purpose = "the bytes of a FEP's memory",
    .synopsis = "[OPTION...] ADDR",
    .text = "Opens a PDC to the FEP at ADDR, reads from a memory region with UET_READ, shows the\n"
            "bytes in hexadecimal, and closes the PDC.\n",
    .uses = uses,
    .idle = idle,
    .status =
        "Exit status: 0 all bytes\n"
        "came, 1 they did not, or others than --check says, 2 the arguments, the interface or the\n"
        "file are wrong.\n",
    .examples = "-S 192.0.2.77 --job 1 --ri 1 -k 0x1001 192.0.2.2\n"
                "-S 192.0.2.77 --job 1 --ri 1 -k 0x1001 -n 65536 -o mem.bin 192.0.2.2\n"
                "-S 192.0.2.77 -k 1 -n 4096 -c 10000 -w 16 192.0.2.2\n"
                "-S 192.0.2.77 -k 1 -n 65536 --check --pattern random:7 192.0.2.2\n",
    .run = run,
};
