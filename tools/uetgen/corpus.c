/* SPDX-License-Identifier: BSD-2-Clause */
/* uetgen corpus: every packet the data knows of, right and wrong, with a manifest. */
#include "gen/corpus.h"

#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "port/pcapng.h"
#include "tools/bad_option.h"
#include "tools/uetgen/command.h"

const char uetgen_corpus_help[] =
    "uetgen corpus [OPTION...] DIR\n"
    "\n"
    "Writes packets for everything the data knows: every header in every form and place, every\n"
    "value of every enumeration, the ends of every range; and wrong ones: cut after each byte,\n"
    "reserved bits and values, wrong lengths, checksums and CRC. One capture (pcapng) for each\n"
    "family of headers; the comment of a packet is the line that makes it (uetgen packet).\n"
    "\n"
    "DIR/manifest.json says of each packet: file and frame (from 1), header, kind, field, line,\n"
    "bytes, whether a correct sender may send it (valid), whether it ends in a CRC (protect), and\n"
    "what a parser must make of it (expect: OK, NOT_UET, PDS_SHORT ..).\n"
    "\n"
    "      --all       one capture for all, all.pcapng\n"
    "      --valid     only packets that a correct sender may send\n"
    "      --help\n"
    "\n"
    "Exit status: 0 done, 1 the output could not be written, 2 an option is wrong.\n"
    "\n"
    "Examples:\n"
    "  uetgen corpus /tmp/corpus\n"
    "  uetgen corpus --valid --all /tmp/corpus && tshark -r /tmp/corpus/all.pcapng\n"
    "  jq '.packets[] | select(.kind == \"crc\") | .line' /tmp/corpus/manifest.json\n";

#define PATH_LONGEST (PATH_MAX + 64)
#define STEP_NS      1000000 /* between packets */

struct file {
    struct uet_pcapng *capture;
    char name[64];
    unsigned frames;
};

struct writer {
    const char *dir;
    bool all, valid;
    struct file files[UET_H_COUNT + 1];
    size_t n_files;
    uint64_t time_ns;
    FILE *manifest;
    unsigned packets;
    int status;
};

static int complain(struct writer *w, const char *path, int rc)
{
    fprintf(stderr, "uetgen corpus: %s: %s\n", path, strerror(-rc));
    w->status = UETGEN_FAILED;
    return -1;
}

static struct file *open_file(struct writer *w, const char *name)
{
    char path[PATH_LONGEST], err[300];
    for (size_t i = 0; i < w->n_files; i++)
        if (strcmp(w->files[i].name, name) == 0)
            return &w->files[i];
    struct file *f = &w->files[w->n_files];
    snprintf(f->name, sizeof f->name, "%s", name);
    snprintf(path, sizeof path, "%s/%s", w->dir, f->name);
    if (uet_pcapng_open(&f->capture, path, err, sizeof err) != 0) {
        fprintf(stderr, "uetgen corpus: %s\n", err);
        w->status = UETGEN_FAILED;
        return NULL;
    }
    w->n_files++;
    return f;
}

static int tell(struct writer *w, const struct file *f, const struct uet_gen_case *c)
{
    json_t *j = json_pack("{s:s, s:i, s:s, s:s, s:s, s:i, s:b, s:s, s:s}", "file", f->name, "frame",
                          (int)f->frames, "header", uet_headers[c->header].name, "kind", c->kind,
                          "line", c->line, "bytes", (int)c->len, "valid", (int)c->valid, "protect",
                          c->protect == UET_PROTECT_CRC ? "crc" : "none", "expect",
                          uet_gen_result_name(c->expect));
    if (j && *c->field && json_object_set_new(j, "field", json_string(c->field)) != 0) {
        json_decref(j);
        j = NULL;
    }
    fputs(w->packets++ ? ",\n  " : "\n  ", w->manifest);
    int rc = j ? json_dumpf(j, w->manifest, JSON_COMPACT) : -1;
    json_decref(j);
    return rc == 0 ? 0 : complain(w, "manifest.json", -ENOMEM);
}

static int take(void *ctx, const struct uet_gen_case *c)
{
    struct writer *w = ctx;
    char name[64], comment[2200];
    if (w->valid && !c->valid)
        return 0;
    snprintf(name, sizeof name, "%s.pcapng", w->all ? "all" : uet_headers[c->header].family);
    struct file *f = open_file(w, name);
    if (!f)
        return -1;
    f->frames++;
    snprintf(comment, sizeof comment, "%s%s%s, %s, expect %s: %s", c->kind, *c->field ? " " : "",
             c->field, c->valid ? "valid" : "wrong", uet_gen_result_name(c->expect), c->line);
    w->time_ns += STEP_NS;
    int rc = uet_pcapng_write(f->capture, c->frame, (uint32_t)c->len, w->time_ns,
                              UET_DIRECTION_UNKNOWN, comment);
    return rc ? complain(w, f->name, rc) : tell(w, f, c);
}

static int close_all(struct writer *w)
{
    for (size_t i = 0; i < w->n_files; i++) {
        int rc = uet_pcapng_close(w->files[i].capture);
        if (rc)
            complain(w, w->files[i].name, rc);
    }
    fprintf(w->manifest, "\n ],\n \"count\": %u\n}\n", w->packets);
    bool bad = ferror(w->manifest);
    if (fclose(w->manifest) != 0 || bad)
        complain(w, "manifest.json", -errno);
    return w->status;
}

static int run(struct writer *w)
{
    char path[PATH_LONGEST], error[400];
    if (mkdir(w->dir, 0777) != 0 && errno != EEXIST)
        return complain(w, w->dir, -errno), UETGEN_USAGE;
    snprintf(path, sizeof path, "%s/manifest.json", w->dir);
    w->manifest = fopen(path, "w");
    if (!w->manifest)
        return complain(w, path, -errno), UETGEN_USAGE;
    fputs("{\n \"generator\": \"uetgen " UETKIT_VERSION "\",\n \"packets\": [", w->manifest);
    int rc = uet_gen_corpus(take, w, error, sizeof error);
    if (rc == -EINVAL) {
        fprintf(stderr, "uetgen corpus: %s\n", error);
        w->status = UETGEN_FAILED;
    } else if (rc == -ENOMEM)
        complain(w, w->dir, rc);
    if (close_all(w) == UETGEN_DONE)
        printf("%u packets in %zu capture%s, %s\n", w->packets, w->n_files,
               w->n_files == 1 ? "" : "s", path);
    return w->status;
}

enum { OPT_ALL = 256, OPT_VALID };

static const struct option long_options[] = {
    {"all", no_argument, NULL, OPT_ALL},
    {"valid", no_argument, NULL, OPT_VALID},
    {0},
};

int uetgen_corpus(int argc, char **argv)
{
    struct writer w = {.time_ns = 0};
    int c;
    opterr = 0;
    while ((c = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
        if (c == '?' || c == ':')
            return uet_bad_option("uetgen corpus", c, argv, long_options);
        w.all |= c == OPT_ALL;
        w.valid |= c == OPT_VALID;
    }
    if (argc - optind != 1 || strlen(argv[optind]) >= PATH_MAX) {
        fputs("uetgen corpus: give one directory; see uetgen corpus --help\n", stderr);
        return UETGEN_USAGE;
    }
    w.dir = argv[optind];
    return run(&w);
}
