/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list_filters: the display filters of spec-map, a line each. */
#include <stdio.h>

#include "uet_spec.h"

int main(void)
{
    for (size_t i = 0; i < uet_n_filters; i++)
        printf("%s\n", uet_filters[i].abbrev);
    return 0;
}
