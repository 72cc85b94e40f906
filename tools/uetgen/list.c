/* SPDX-License-Identifier: BSD-2-Clause */
/* uetgen list: the names of layers; the fields of one. */
#include <stdio.h>
#include <string.h>

#include "tools/uetgen/command.h"

const char uetgen_list_help[] =
    "uetgen list [LAYER]\n"
    "\n"
    "Without LAYER: the names of all layers. With it: its fields, their widths in bits, what may\n"
    "stand there, and the names of values.\n"
    "\n"
    "Examples:\n"
    "  uetgen list\n"
    "  uetgen list pds.rud_req\n"
    "  uetgen list 'pds.rud_req(syn=1)'\n"
    "  uetgen list pds.cp.probe\n";

static void layer_line(void *ctx, const char *name, const char *title)
{
    (void)ctx;
    printf("%-32s %s\n", name, title);
}

static void field_line(void *ctx, const struct uet_field *f)
{
    static const char *const kinds[] = {"uint", "int",   "psn", "flag", "reserved",
                                        "enum", "bytes", "mac", "ipv4", "ipv6"};
    (void)ctx;
    printf("%-26s %3u  %-8s %s", f->name, f->width, kinds[f->kind], f->values);
    if (f->kind == UET_KIND_ENUM) {
        const struct uet_enumeration *e = &uet_enumerations[f->enumeration];
        for (size_t i = 0; i < e->n; i++)
            printf("%s%s=%u",
                   i            ? ", "
                   : *f->values ? "; "
                                : "",
                   e->values[i].name, (unsigned)e->values[i].low);
    }
    putchar('\n');
}

int uetgen_list(int argc, char **argv)
{
    struct uet_gen_error error;
    if (argc > 2) {
        fputs("uetgen list: give one layer, or none; see uetgen list --help\n", stderr);
        return UETGEN_USAGE;
    }
    if (argc == 1) {
        uet_gen_each_layer(layer_line, NULL);
        return UETGEN_DONE;
    }
    if (uet_gen_each_field(argv[1], field_line, NULL, &error) != 0)
        return uetgen_line_error(argv[1], &error);
    return UETGEN_DONE;
}
