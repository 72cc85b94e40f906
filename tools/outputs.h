/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that a command line names to be written. */
#ifndef UET_TOOLS_OUTPUTS_H
#define UET_TOOLS_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Before work that takes long: can each output be written, is it none of the inputs, and are no two
 * of them one file? Names may be NULL (there is none) or "-" (a standard stream). False after a
 * line on standard error that begins with who. Nothing is made or changed.
 */
bool uet_outputs(const char *who, const char *const *outputs, size_t n, const char *const *inputs,
                 size_t n_inputs);

#endif
