/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef UET_SIM_OUTPUTS_H
#define UET_SIM_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Before a run that takes long: can each of these files be written (NULL: there is none; "-" is
 * standard output), and are no two of them one? false after a line on standard error that begins
 * with who. Nothing is made or changed.
 */
bool sim_outputs(const char *who, const char *const *paths, size_t n);

#endif
