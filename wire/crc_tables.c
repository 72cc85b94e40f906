/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Host program: prints the tables of the CRC (crc.c, crc_x86.c) as C. Made from the polynomial in
 * the specification's data by the definition of the remainder, so that nobody has to trust 2,389
 * numbers that nobody can read.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "spec-map/spec.h"
#include "wire/crc_paths.h"

/* Lowest bit = highest power of x, as the bits of a byte go over the wire. */
static uint32_t reflected(uint32_t v)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (v >> i & 1) << (31 - i);
    return r;
}

/* v times x^n, modulo the polynomial. */
static uint32_t times_x(uint32_t v, int n, uint32_t poly)
{
    while (n-- > 0)
        v = v & 1 ? v >> 1 ^ poly : v >> 1;
    return v;
}

static void print(const uint32_t *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        printf("%s0x%08" PRIx32 ",", i % 8 ? " " : "\n    ", v[i]);
}

/* slice[k][b]: the remainder of byte b with k zero bytes after it. */
static void print_slices(uint32_t poly)
{
    printf("const uint32_t uet_crc_slice[8][256] = {");
    for (int k = 0; k < 8; k++) {
        uint32_t row[256];
        for (uint32_t b = 0; b < 256; b++)
            row[b] = times_x(b, 8 * (k + 1), poly);
        printf("{");
        print(row, 256);
        printf("\n},");
    }
    printf("};\n");
}

/*
 * advance[i] = x^(64 i - 33): a state carry-less multiplied by it, then run through the CRC
 * instruction, is that state i words of zeros later. The 33: the instruction multiplies by x^32,
 * and the product of two reflected 32-bit numbers stands one bit too high in its 64.
 */
static void print_advances(uint32_t poly)
{
    uint32_t advance[UET_CRC_ADVANCE_MAX + 1] = {0}; /* there is no use for 0 words */
    advance[1] = 1;                                  /* x^31 */
    for (int i = 2; i <= UET_CRC_ADVANCE_MAX; i++)
        advance[i] = times_x(advance[i - 1], 64, poly);
    printf("const uint32_t uet_crc_advance[%d] = {", UET_CRC_ADVANCE_MAX + 1);
    print(advance, UET_CRC_ADVANCE_MAX + 1);
    printf("\n};\n");
}

int main(void)
{
    const struct uet_term *term = uet_term_find("uet_crc", "POLY");
    char *end = NULL;
    unsigned long poly = term ? strtoul(term->value, &end, 16) : 0;
    if (!term || *end || !(poly & 1) || poly > UINT32_MAX) {
        fputs("crc_tables: spec-map/terms.csv: uet_crc POLY is no polynomial of 32 bits\n", stderr);
        return 2;
    }
    printf("/* Made by wire/crc_tables.c from uet_crc POLY of spec-map/terms.csv. */\n");
    printf("#include \"wire/crc_paths.h\"\n");
    print_slices(reflected((uint32_t)poly));
    print_advances(reflected((uint32_t)poly));
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("crc_tables: standard output");
        return 2;
    }
    return 0;
}
