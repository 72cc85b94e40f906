/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Preloaded into tshark behind the sanitizer's runtime: takes the preload away from the programs
 * that tshark starts, in which that runtime would wait for ever.
 */
#include <stdlib.h>

__attribute__((constructor)) static void leave_children_alone(void)
{
    unsetenv("LD_PRELOAD");
}
