/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * golden OUT.hex OUT.keys: the packet vectors of TSS as hex2pcap takes them, each once as it is and
 * once with its last bit changed, and their keys as a key log, named by the vector.
 */
#include <stdio.h>
#include <string.h>

#include "wire/tests/golden_tss.h"

static void write_packet(FILE *hex, const struct golden_tss *g, bool changed)
{
    uint8_t bytes[256];
    size_t n = golden_unhex(bytes, sizeof bytes, g->packet);
    bytes[n - 1] ^= changed;
    fprintf(hex, "packet %s%s\n02 00 00 00 00 02 02 00 00 00 00 01 %s\n", g->id,
            changed ? "-changed" : "", bytes[0] >> 4 == 4 ? "08 00" : "86 dd");
    for (size_t i = 0; i < n; i++)
        fprintf(hex, "%02x%c", bytes[i], i + 1 < n ? ' ' : '\n');
}

int main(int argc, char **argv)
{
    FILE *hex = argc == 3 ? fopen(argv[1], "w") : NULL, *keys = hex ? fopen(argv[2], "w") : NULL;
    if (!hex || !keys) {
        fputs("usage: golden OUT.hex OUT.keys\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < n_golden_tss; i++) {
        char line[400];
        const struct uet_tss_params p = golden_tss_params(&golden_tss[i]);
        golden_tss_key_line(line, sizeof line, &p, golden_tss[i].id);
        fputs(line, keys);
        write_packet(hex, &golden_tss[i], false);
        write_packet(hex, &golden_tss[i], true);
    }
    bool bad = fclose(hex) != 0;
    bad |= fclose(keys) != 0;
    printf("%zu\n", n_golden_tss);
    return bad ? 2 : 0;
}
