/* SPDX-License-Identifier: BSD-2-Clause */
#include "refimpl/law.h"

#include <string.h>

#include "refimpl/state.h"

/* What older versions had (config.spec). */
static void edit_for_version(struct uet_fep *fep)
{
    (void)fep;
}

/* What this FEP chose where the specification is free (config.choices). */
static void edit_for_choices(struct uet_fep *fep)
{
    (void)fep;
}

void uet_law_make(struct uet_fep *fep)
{
    memcpy(fep->law.nacks, uet_nack_table, sizeof fep->law.nacks);
    edit_for_version(fep);
    edit_for_choices(fep);
    uet_faults_rows(fep);
}
