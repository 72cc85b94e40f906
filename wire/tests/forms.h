/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A packet of each PDS, SES and TSS form, written by hand from the field tables, from the TSS or
 * PDS header on: with what it must be read as.
 */
#ifndef UET_WIRE_TESTS_FORMS_H
#define UET_WIRE_TESTS_FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/packet.h"

#define FORM_MAX 160

struct form {
    const char *name;
    const char *hex;    /* blanks are only to read by */
    const char *layers; /* the headers in it, by their names, with blanks between */
    const char *line;   /* what uet_print_line says; NULL: not looked at */
    uint16_t payload_len;
    uint8_t error; /* enum uet_parse_error */
    bool variants; /* read with uet_parse_options.variants */
};

extern const struct form forms[];
extern const size_t n_forms;

/* The bytes of hex, at most FORM_MAX of them; returns how many. Ends the program when it is bad. */
size_t form_bytes(const struct form *f, uint8_t out[FORM_MAX]);

#endif
