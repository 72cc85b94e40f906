/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/list/places.h"

#include <stdio.h>
#include <string.h>

#define SET_IN 2 /* places stand so far behind their dimension */

/* Columns of the longest name, whichever are printed: two lists of places look alike. */
static int name_width(void)
{
    size_t width = 0;

    for (size_t d = 0; d < UET_N_DIMENSIONS; d++) {
        const struct uet_dimension *dimension = &uet_dimensions[d];

        if (strlen(dimension->name) > width)
            width = strlen(dimension->name);
        for (size_t p = 1; p < uet_n_places(dimension); p++)
            if (SET_IN + strlen(dimension->places[p].name) > width)
                width = SET_IN + strlen(dimension->places[p].name);
    }
    return (int)width;
}

static void print_place(const struct uet_place *place, int indent, int width)
{
    printf("%*s%-*s  %s%s%s\n", indent + SET_IN, "", width - SET_IN, place->name, place->what,
           place->needs ? "; needs " : "", place->needs ? place->needs : "");
}

void uet_places_print(const struct uet_space *space, int indent)
{
    int width = name_width();

    for (size_t d = 0; d < UET_N_DIMENSIONS; d++) {
        const struct uet_dimension *dimension = &uet_dimensions[d];
        unsigned places = space ? space->places[d] : ~0u;

        if (!places)
            continue;
        printf("%*s%-*s  %s: %s\n", indent, "", width, dimension->name, dimension->what,
               dimension->places[0].what);
        for (size_t p = 1; p < uet_n_places(dimension); p++)
            if (places >> p & 1)
                print_place(&dimension->places[p], indent, width);
    }
}
