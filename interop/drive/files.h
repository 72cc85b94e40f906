/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of the endpoint. */
#ifndef UET_INTEROP_FILES_H
#define UET_INTEROP_FILES_H

#include "interop/drive/contract.h"

/* The bytes of an item's file in the folder, to be freed; NULL: told on stderr. */
uint8_t *file_load(const char *folder, const struct item *item);

/* Are they what a FEP makes by itself with this seed (uet_ut_pattern)? */
bool file_is_pattern(const uint8_t *data, uint64_t length, uint8_t seed);

/* Makes the file; an exit status of the endpoint, told on stderr unless it is 0. */
int file_save(const char *folder, const char *name, const uint8_t *data, uint64_t length);

/* Makes an empty file, for which somebody else looks; the same. */
int file_touch(const char *path);

#endif
