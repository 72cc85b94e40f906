/* SPDX-License-Identifier: BSD-2-Clause */
#include <inttypes.h>

#include "sim/fabric/runs.h"

static json_t *row_json(const struct fabric_row *r)
{
    json_t *json = json_pack("{s:s, s:f}", "what", r->what, "value", r->value);

    if (json && r->goal)
        json_object_update_new(json, json_pack("{s:f, s:f, s:b}", "low", r->low, "high", r->high,
                                               "met", fabric_met(r)));
    return json;
}

json_t *fabric_json(uint64_t seed, const struct fabric_result *result)
{
    json_t *rows = json_array();
    char digest[17];

    for (size_t i = 0; rows && i < result->n; i++)
        json_array_append_new(rows, row_json(&result->rows[i]));
    snprintf(digest, sizeof(digest), "%016" PRIx64, result->digest);
    return json_pack("{s:I, s:s, s:o}", "seed", (json_int_t)seed, "digest", digest, "measures",
                     rows);
}
