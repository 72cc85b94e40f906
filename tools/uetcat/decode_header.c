/* SPDX-License-Identifier: BSD-2-Clause */
/* uetcat decode --header: one header alone. */
#include <stdio.h>

#include "gen/header.h"
#include "tools/uetcat/command.h"
#include "tools/uetcat/decode_header.h"
#include "wire/print.h"

static void show_text(enum uet_header_id id, const uint8_t *bytes)
{
    const struct uet_header *h = &uet_headers[id];
    printf("%s, %u bytes (%s)\n", h->title, h->bytes, h->section);
    for (size_t i = 0; i < h->n_fields; i++) {
        char text[128];
        uet_print_field(text, sizeof text, h->fields[i], bytes);
        printf("    %-24s %s\n", h->fields[i]->name, text);
    }
}

int uetcat_decode_header(const char *name, const uint8_t *bytes, size_t n, bool json)
{
    struct uet_gen_error error;
    enum uet_header_id id = uet_gen_header(name, &error);
    if (id == UET_H_NONE) {
        fprintf(stderr, "uetcat decode: --header %s\n", error.text);
        return UETCAT_USAGE;
    }
    if (n != uet_headers[id].bytes) {
        fprintf(stderr, "uetcat decode: --header %s: HEX has %zu byte%s, the header %u\n",
                uet_headers[id].name, n, n == 1 ? "" : "s", uet_headers[id].bytes);
        return UETCAT_USAGE;
    }
    if (json) {
        uet_gen_header_json(stdout, id, bytes);
        putchar('\n');
    } else
        show_text(id, bytes);
    return UETCAT_YES;
}
