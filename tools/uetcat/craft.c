/* SPDX-License-Identifier: BSD-2-Clause */
/* uetcat craft: bytes from a line of text; the way back from uetcat decode. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/header.h"
#include "port/pcapng.h"
#include "tools/uetcat/command.h"
#include "tools/uetcat/line.h"
#include "tools/uetcat/result.h"
#include "wire/keyfile.h"
#include "wire/secret.h"

int uetcat_line_error(const char *command, const char *line, const struct uet_gen_error *error)
{
    size_t shown = 100, at = error->at, from = at > 80 ? at - 80 : 0, len = strlen(line);
    size_t carets = error->len ? error->len : 1;
    fprintf(stderr, "uetcat %s: %s\n  %s%.*s%s\n  %*s", command, error->text, from ? ".." : "",
            (int)shown, line + from, len > from + shown ? ".." : "",
            (int)(at - from + (from ? 2 : 0)), "");
    for (size_t i = 0; i < carets && i < shown; i++)
        fputc(i ? '~' : '^', stderr);
    fputc('\n', stderr);
    return UETCAT_USAGE;
}

struct crafter {
    const char *line, *output, *header;
    uint64_t limit, number;
    bool json;
    struct uet_keyfile *keys; /* NULL: none given */
    struct uet_pcapng *capture;
    uint64_t time_ns;
    uint8_t frame[UET_FRAME_MAX];
};

static void print_hex(struct crafter *c, const uint8_t *bytes, size_t n)
{
    if (c->json) {
        uetcat_json("craft",
                    json_pack("{s:I, s:I, s:o}", "number", (json_int_t)++c->number, "length",
                              (json_int_t)n, "data", uetcat_json_bytes(bytes, n)));
        return;
    }
    for (size_t i = 0; i < n; i++)
        printf("%02x", bytes[i]);
    putchar('\n');
}

static int one_packet(struct crafter *c, struct uet_gen *gen, uint64_t i)
{
    struct uet_gen_error error;
    struct uet_gen_about about;
    int n = uet_gen_packet(gen, i, c->frame, sizeof c->frame, &about, &error);
    if (n < 0)
        return uetcat_line_error("craft", c->line, &error);
    if (!c->capture) {
        print_hex(c, c->frame, (size_t)n);
        return UETCAT_YES;
    }
    if (about.start != UET_START_ETH) {
        fputs("uetcat craft: a capture holds Ethernet frames: begin the line with eth/\n", stderr);
        return UETCAT_USAGE;
    }
    c->time_ns += 1000;
    int rc = uet_pcapng_write(c->capture, c->frame, (uint32_t)n, c->time_ns, UET_DIRECTION_UNKNOWN,
                              NULL);
    if (rc == 0)
        return UETCAT_YES;
    fprintf(stderr, "uetcat craft: %s: %s\n", c->output, strerror(-rc));
    return UETCAT_NO;
}

static int craft_line(struct crafter *c)
{
    struct uet_gen *gen;
    struct uet_gen_error error;
    char err[300];
    int rc = uet_gen_new_with_keys(&gen, c->line, c->limit, c->keys, &error), status = UETCAT_YES;
    if (rc == -ENOMEM) {
        fputs("uetcat craft: out of memory\n", stderr);
        return UETCAT_NO;
    }
    if (rc)
        return uetcat_line_error("craft", c->line, &error);
    if (c->keys && !uet_gen_sealed_by_file(gen))
        fputs("uetcat craft: --keys: no effect, as no tss() of the line takes its key there\n",
              stderr);
    if (c->output && uet_pcapng_open(&c->capture, c->output, err, sizeof err) != 0) {
        fprintf(stderr, "uetcat craft: %s\n", err);
        status = UETCAT_USAGE;
    }
    for (uint64_t i = 0; i < uet_gen_count(gen) && status == UETCAT_YES; i++)
        status = one_packet(c, gen, i);
    rc = c->capture ? uet_pcapng_close(c->capture) : 0;
    if (rc && status == UETCAT_YES) {
        fprintf(stderr, "uetcat craft: %s: %s\n", c->output, strerror(-rc));
        status = UETCAT_NO;
    }
    uet_gen_free(gen);
    return status;
}

static int craft_header(struct crafter *c)
{
    struct uet_gen_error error;
    enum uet_header_id id = uet_gen_header(c->header, &error);
    if (id == UET_H_NONE) {
        fprintf(stderr, "uetcat craft: --header %s\n", error.text);
        return UETCAT_USAGE;
    }
    if (uet_gen_header_fill(id, c->line ? c->line : "", c->frame, &error) != 0)
        return uetcat_line_error("craft", c->line, &error);
    print_hex(c, c->frame, uet_headers[id].bytes);
    return UETCAT_YES;
}

static int craft(struct crafter *c, int n, char **words)
{
    if (n > 1 || (n == 0 && !c->header)) {
        fprintf(stderr,
                "uetcat craft: give one line, in single quotes; %s. See uetcat craft --help\n",
                n ? "there are several arguments" : "there is none");
        return UETCAT_USAGE;
    }
    if (c->json && c->output) {
        fputs("uetcat craft: a capture is no JSON: give -o or --json, not both\n", stderr);
        return UETCAT_USAGE;
    }
    if (c->keys && c->header) {
        fputs("uetcat craft: a header alone is not sealed: give --keys or --header, not both\n",
              stderr);
        return UETCAT_USAGE;
    }
    c->line = n ? words[0] : NULL;
    return c->header ? craft_header(c) : craft_line(c);
}

static bool read_keys(struct crafter *c, const char *path)
{
    char err[512];
    c->keys = uet_keyfile_read(path, err, sizeof err);
    if (*err)
        fprintf(stderr, "uetcat craft: %s%s\n", c->keys ? "" : "--keys: ", err);
    (void)uet_secrets_guard(err, sizeof err); /* what is not locked is told by programs that stay */
    return c->keys != NULL;
}

static int run(int argc, char **argv)
{
    struct uetcat_args *a = uetcat_args_new(&uetcat_craft);
    struct crafter *c = calloc(1, sizeof *c);
    int status = UETCAT_USAGE;
    if (a && !c)
        fputs("uetcat craft: out of memory\n", stderr);
    if (a && c && uetcat_options(&uetcat_craft, a, argc, argv, NULL, NULL)) {
        c->output = a->output;
        c->header = a->header;
        c->json = a->json;
        c->limit = a->limit ? a->limit : UET_GEN_COUNT_MAX;
        if (!a->keys || read_keys(c, a->keys))
            status = craft(c, a->n_words, a->words);
    }
    if (c)
        uet_keyfile_free(c->keys);
    free(c);
    free(a);
    return status;
}

static const struct uetcat_use uses[] = {
    {UETCAT_OUTPUT, "write them to a capture (pcapng) instead; - is standard output"},
    {UETCAT_LIMIT, NULL},
    {UETCAT_HEADER, "one header alone. FIELDS are field=value,.. or a JSON object, such as\n"
                    "`uetcat decode --header NAME --json` prints; what is not given is 0"},
    {UETCAT_KEYS, "a key file: tss(sdi=..,an=..) without key= is sealed with the key that it has\n"
                  "for them, by its settings; epoch, counter and SSI are what LINE says"},
    {UETCAT_JSON, "one JSON object a line for each packet"},
    {0}};

static const struct uet_idle_option idle[] = {
    {"output", "header", NULL}, {"limit", "header", NULL}, {NULL, NULL, NULL}};

const struct uetcat_command uetcat_craft = {
    .name = "craft",
    .purpose = "bytes from a line of text",
    .synopsis = "[OPTION...] LINE\n--header NAME [FIELDS]",
    .text = "Prints in hexadecimal the packets that LINE describes, in the language of uetgen(1):\n"
            "what `uetcat decode --as-spec` prints.\n",
    .uses = uses,
    .idle = idle,
    .status = "Exit status: 0 done, 2 the line or an option is wrong, or the output cannot be "
              "written.\n",
    .examples = "'eth/ip/udp/pds.rud_req(psn=5,syn=1)/ses.std(opcode=write)/data(64)'\n"
                "'pds.cp.close(psn=7)' | uetcat decode --pds -\n"
                "--keys keys 'eth/ip/udp/tss(sdi=7,counter=1..9)/pds.cp.close(psn=7)'\n"
                "--header ack 'type=ack,cack_psn=5,spdcid=1,dpdcid=2'\n"
                "--header nack '{\"nack_code\":14,\"nack_psn\":7}'\n",
    .run = run,
};
