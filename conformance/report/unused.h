/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Parameters of fep.yaml without effect, as uet_dut_unused tells them ("alpha (nscc)"), in the one
 * shape that the JSON of a run and that of a plan have: [{"name": "alpha", "claims": "nscc"}].
 * "claims" is empty where no test reads the parameter, whatever is claimed.
 */
#ifndef UET_REPORT_UNUSED_H
#define UET_REPORT_UNUSED_H

#include <jansson.h>

#include "conformance/report/run.h"

/* A condition of a run that stands as that list in its JSON. */
bool uet_condition_is_unused(const struct uet_condition *condition);

/* The text as the list: a new reference, or NULL when memory is out. "": an empty list. */
json_t *uet_unused_json(const char *text);

/* The list as the text, which the caller frees; NULL: it is no such list, or memory is out. */
char *uet_unused_text(json_t *list);

#endif
