/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * specc: compiles the CSV files of spec-map/ into C.
 *
 *   specc SPEC-MAP-DIR OUT-DIR     writes uet_spec.h, uet_spec.c, uet_requirements.c,
 *                                  uet_blocks.c, uet_params.c, uet.dict
 *   specc --doc SPEC-MAP-DIR FILE  writes the wire format reference
 *   specc --states SPEC-MAP-DIR FILE  writes the state machines of a PDC
 *
 * It refuses, with file and line: gaps or overlaps in a header or block, unknown enumerations,
 * values that do not fit, double names, families torn apart, a requirement without a section, a
 * contested one without its readings, unknown or circular aliases, a transition of an unknown
 * state. Exit status 2 then.
 */
#include "spec-map/specc/model.h"

#include <stdlib.h>
#include <string.h>

static struct model model;

static void write_file(const char *dir, const char *name,
                       void (*emit)(const struct model *, FILE *))
{
    char path[1024];
    snprintf(path, sizeof path, "%s%s%s", dir, *name ? "/" : "", name);
    FILE *out = fopen(path, "w");
    if (!out) {
        fprintf(stderr, "%s: cannot be written\n", path);
        exit(2);
    }
    emit(&model, out);
    if (fclose(out) != 0) {
        fprintf(stderr, "%s: cannot be written whole\n", path);
        exit(2);
    }
}

int main(int argc, char **argv)
{
    bool doc = argc == 4 && strcmp(argv[1], "--doc") == 0;
    bool states = argc == 4 && strcmp(argv[1], "--states") == 0;
    if (!doc && !states && argc != 3) {
        fprintf(stderr, "usage: specc SPEC-MAP-DIR OUT-DIR | specc --doc SPEC-MAP-DIR FILE | "
                        "specc --states SPEC-MAP-DIR FILE\n");
        return 2;
    }
    model_read(&model, argv[doc || states ? 2 : 1]);
    check_specification(&model);
    check_params(&model);
    check_transitions(&model);
    check_checks(&model);
    check_filters(&model);
    if (csv_errors())
        return 2;
    if (doc || states) {
        write_file(argv[3], "", doc ? emit_doc : emit_transitions);
        return 0;
    }
    write_file(argv[2], "uet_spec.h", emit_header);
    write_file(argv[2], "uet_spec.c", emit_tables);
    write_file(argv[2], "uet_requirements.c", emit_requirements);
    write_file(argv[2], "uet_blocks.c", emit_blocks);
    write_file(argv[2], "uet_params.c", emit_params);
    write_file(argv[2], "uet_checks.c", emit_checks);
    write_file(argv[2], "uet.dict", emit_dictionary);
    return 0;
}
