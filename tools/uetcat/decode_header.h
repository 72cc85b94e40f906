/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef UETCAT_DECODE_HEADER_H
#define UETCAT_DECODE_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Prints the fields of the header of that name, whose n bytes these are; an exit status. */
int uetcat_decode_header(const char *name, const uint8_t *bytes, size_t n, bool json);

#endif
