/* SPDX-License-Identifier: BSD-2-Clause */
/* uetcat write, send, tsend: bytes to a FEP's memory, or to a receive that waits there. */
#include <stdio.h>
#include <stdlib.h>

#include "tools/uetcat/bytes.h"
#include "tools/uetcat/command.h"
#include "tools/uetcat/once.h"
#include "tools/uetcat/result.h"

/* Packets outstanding on the PDC; the FEP's MPR may allow less. */
enum { WINDOW = 64 };

struct run {
    struct uetcat_args *args;
    struct uetcat_bytes bytes;
    struct uet_operation op;
    struct uetcat_series *series;
    char differs[100]; /* of --check */
};

static struct uet_fep_config config_of(const struct run *r)
{
    struct uet_fep_config config = uetcat_client_config(&r->args->link, WINDOW);
    config.payload_mtu = r->args->payload_mtu;
    config.max_operations = UETCAT_AT_ONCE_MAX;
    return config;
}

/* The same bytes, read back. */
static int check(struct run *r)
{
    const struct uet_fep_config config = config_of(r);
    uint8_t *got = calloc(1, r->op.length ? r->op.length : 1);
    const struct uet_operation read = {.opcode = UET_OP_READ,
                                       .buffer_offset = r->op.buffer_offset,
                                       .key = r->op.key,
                                       .into = got,
                                       .length = r->op.length};
    if (!got) {
        fprintf(stderr, "uetcat %s: out of memory\n", r->args->link.command);
        return UETCAT_USAGE;
    }
    int status = uetcat_once(&r->args->link, &config, &read);
    if (status == UETCAT_YES &&
        !uetcat_bytes_same(r->args, r->bytes.at, got, r->op.length, r->differs, sizeof r->differs))
        status = UETCAT_NO;
    else if (status == UETCAT_NO)
        snprintf(r->differs, sizeof r->differs, "the bytes could not be read back");
    free(got);
    return status;
}

static void show(const struct run *r, bool checked)
{
    const struct uetcat_args *a = r->args;
    if (!a->json && !a->quiet)
        uetcat_result_text(stdout, r->series, r->op.length);
    if (!a->json)
        return;
    json_t *j = uetcat_result_json(a->link.command, r->series, r->op.length);
    if (checked)
        json_object_set_new(j, "check", json_string(r->differs[0] ? r->differs : "same"));
    uetcat_json(a->link.command, j);
}

static int put(struct run *r)
{
    struct uetcat_link *l = &r->args->link;
    const struct uet_fep_config config = config_of(r);
    int status = UETCAT_USAGE;
    if (!uetcat_link_open(l))
        return status;
    status = uetcat_series(l, &config, &r->op, r->series);
    bool checked = status == UETCAT_YES && r->args->check;
    if (checked)
        status = check(r);
    if (status != UETCAT_USAGE)
        show(r, checked);
    uetcat_link_close(l);
    return l->broken ? UETCAT_USAGE : status;
}

/* Options that do not fit each other; false after a message. */
static bool fits(const struct run *r)
{
    const struct uetcat_args *a = r->args;
    const char *wrong = NULL;
    if (r->op.opcode == UET_OP_WRITE && !a->given[UETCAT_KEY])
        wrong = "give the memory key of the region with -k";
    else if (r->op.opcode == UET_OP_TAGGED_SEND && !a->given[UETCAT_TAG])
        wrong = "give the match bits of the receive with -t";
    else if (a->given[UETCAT_LENGTH] && a->input)
        wrong = "give -F or -n, not both";
    else if (a->pattern && !a->given[UETCAT_LENGTH])
        wrong = "--pattern is of so many bytes: give -n, too";
    if (wrong)
        fprintf(stderr, "uetcat %s: %s\n", a->link.command, wrong);
    return !wrong;
}

static int run_if_right(struct run *r)
{
    const struct uetcat_args *a = r->args;
    if (!uetcat_link_address(&r->args->link, a->n_words, a->words) || !fits(r))
        return UETCAT_USAGE;
    if (!(a->given[UETCAT_LENGTH] ? uetcat_bytes_pattern(a, (uint32_t)a->length, &r->bytes)
                                  : uetcat_bytes_input(a, &r->bytes)))
        return UETCAT_USAGE;
    r->op.key = r->op.opcode == UET_OP_WRITE ? a->key : a->tag;
    r->op.buffer_offset = a->offset;
    r->op.initiator = (uint32_t)a->initiator;
    r->op.mode = a->rod ? UET_MODE_ROD : UET_MODE_RUD;
    r->op.data = r->bytes.at;
    r->op.length = r->bytes.length;
    r->series = uetcat_series_new(a);
    int status = r->series ? put(r) : UETCAT_USAGE;
    free(r->series);
    return status;
}

static int run(const struct uetcat_command *c, uint8_t opcode, int argc, char **argv)
{
    struct run r = {.args = uetcat_args_new(c), .op.opcode = opcode};
    int status = UETCAT_USAGE;
    if (r.args && uetcat_options(c, r.args, argc, argv, NULL, NULL))
        status = run_if_right(&r);
    free(r.bytes.at);
    free(r.args);
    return status;
}

/* ---- the commands ---- */

/* clang-format off */
#define USES_BYTES                                                                                 \
    {UETCAT_INPUT, "the bytes are those of the file; - is standard input, which is also\n"        \
                   "taken when neither -F nor -n is given"},                                       \
    {UETCAT_LENGTH, "or N bytes of a pattern"}, {UETCAT_PATTERN, NULL}, {UETCAT_COUNT, NULL},      \
    {UETCAT_AT_ONCE, NULL}, {UETCAT_INTERVAL, NULL}, {UETCAT_RATE, NULL}, {UETCAT_ROD, NULL},      \
    {UETCAT_WAIT, NULL}, {UETCAT_MTU, NULL}
#define USES_OUTPUT {UETCAT_JSON, NULL}, {UETCAT_QUIET, NULL}, {UETCAT_VERBOSE, NULL}
/* clang-format on */

#define STATUS                                                                                     \
    "Exit status: 0 all were\n"                                                                    \
    "acknowledged as done, 1 they were not, 2 the arguments, the interface or the file are\n"      \
    "wrong.\n"

static int run_write(int argc, char **argv)
{
    return run(&uetcat_write, UET_OP_WRITE, argc, argv);
}

static const struct uetcat_use write_uses[] = {
    UETCAT_USES_LINK,     {UETCAT_KEY, NULL}, {UETCAT_OFFSET, NULL},
    {UETCAT_CHECK, NULL}, USES_BYTES,         UETCAT_USES_SERVICE,
    UETCAT_USES_WIRE,     USES_OUTPUT,        {0}};

static const struct uet_idle_option idle[] = {
    UETCAT_IDLE_CRC, UETCAT_IDLE_SERIES, {"quiet", "json", NULL}, {NULL, NULL, NULL}};

const struct uetcat_command uetcat_write = {
    .name = "write",
    .purpose = "bytes to a FEP's memory",
    .synopsis = "[OPTION...] ADDR",
    .text = "Opens a PDC to the FEP at ADDR, writes bytes to a memory region with UET_WRITE, and\n"
            "closes the PDC.\n",
    .uses = write_uses,
    .idle = idle,
    .status = STATUS "With --check, 1 also says that other bytes are there.\n",
    .examples = "-S 192.0.2.77 -k 1 192.0.2.2 <file\n"
                "-S 192.0.2.77 -k 1 -n 65536 --pattern random:7 --check 192.0.2.2\n"
                "-S 192.0.2.77 -k 1 -n 4096 -c 10000 -w 16 192.0.2.2\n"
                "-S fe80::77 -k 1 -n 8 -c 100 --rate 50 fe80::2%eth1\n",
    .run = run_write,
};

static int run_send(int argc, char **argv)
{
    return run(&uetcat_send, UET_OP_SEND, argc, argv);
}

static const struct uetcat_use send_uses[] = {UETCAT_USES_LINK, USES_BYTES,  UETCAT_USES_SERVICE,
                                              UETCAT_USES_WIRE, USES_OUTPUT, {0}};

const struct uetcat_command uetcat_send = {
    .name = "send",
    .purpose = "bytes to a receive that waits at a FEP",
    .synopsis = "[OPTION...] ADDR",
    .text = "Opens a PDC to the FEP at ADDR, sends bytes to a receive that is posted there with\n"
            "UET_SEND, and closes the PDC. A FEP without a receive refuses (RC_NO_MATCH).\n",
    .uses = send_uses,
    .idle = idle,
    .status = STATUS,
    .examples = "-S 192.0.2.77 192.0.2.2 <file\n"
                "-S 192.0.2.77 -n 8 -c 1000 --json 192.0.2.2\n",
    .run = run_send,
};

static int run_tsend(int argc, char **argv)
{
    return run(&uetcat_tsend, UET_OP_TAGGED_SEND, argc, argv);
}

static const struct uetcat_use tsend_uses[] = {UETCAT_USES_LINK,
                                               {UETCAT_TAG, "match bits of the receive. Needed"},
                                               {UETCAT_INITIATOR, NULL},
                                               USES_BYTES,
                                               UETCAT_USES_SERVICE,
                                               UETCAT_USES_WIRE,
                                               USES_OUTPUT,
                                               {0}};

const struct uetcat_command uetcat_tsend = {
    .name = "tsend",
    .purpose = "bytes to the receive of a tag",
    .synopsis = "[OPTION...] ADDR",
    .text = "Opens a PDC to the FEP at ADDR, sends bytes to a receive with these match bits with\n"
            "UET_TAGGED_SEND, and closes the PDC. A FEP without one refuses (RC_NO_MATCH).\n",
    .uses = tsend_uses,
    .idle = idle,
    .status = STATUS,
    .examples = "-S 192.0.2.77 -t 0x1234 192.0.2.2 <file\n"
                "-S 192.0.2.77 --rod -t 7 -F file 192.0.2.2\n",
    .run = run_tsend,
};
