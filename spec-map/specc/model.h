/* SPDX-License-Identifier: BSD-2-Clause */
/* The specification's data while it is compiled. */
#ifndef UET_SPECC_MODEL_H
#define UET_SPECC_MODEL_H

#include "spec-map/specc/csv.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define MAX_FIELDS  1024
#define MAX_HEADERS 256
#define MAX_PER     64
#define MAX_ENUMS   64
#define MAX_FILTERS 512

struct field {
    size_t row;
    const char *family, *name, *c_name, *filter, *variants, *values, *since, *until, *section,
        *note, *confidence;
    unsigned offset, width;
    int kind;        /* enum uet_field_kind */
    int enumeration; /* index into enums, or -1 */
    int filter_id;   /* index into filters, or -1 */
};

struct header {
    size_t row;
    const char *name, *family, *layer, *when, *title, *section, *since, *until, *implementation,
        *note, *confidence;
    unsigned bytes;
    int fields[MAX_PER];
    size_t n_fields;
};

struct filter {
    const char *abbrev;
    int field; /* the first field that has it */
    unsigned width;
};

struct model {
    struct csv headers_csv, fields_csv, next_csv, enums_csv, nack_csv, requirements_csv,
        sections_csv, profiles_csv, readings_csv, covered_csv, tables_csv, blocks_csv, terms_csv,
        params_csv, transitions_csv, filters_csv, contested_csv, checks_csv;
    struct field fields[MAX_FIELDS];
    struct header headers[MAX_HEADERS];
    const char *enums[MAX_ENUMS];
    struct filter filters[MAX_FILTERS];
    size_t n_fields, n_headers, n_enums, n_filters;
};

int model_header(const struct model *m, const char *name);
int model_enum(const struct model *m, const char *name);

/* The first header of a family; -1 when there is none. The others follow it without a gap. */
int model_family(const struct model *m, const char *family);

/* The family that a `from` cell names: itself, or that of a header; NULL when it is neither. */
const char *model_from(const struct model *m, const char *from);

/* A number as the CSV files write them: decimal or 0x; false when it is none or above max. */
bool model_number(const char *text, unsigned long max, unsigned long *out);

/* The field of a family by its name; -1 when there is none. */
int model_family_field(const struct model *m, const char *family, const char *name);

/* Is word one of the parts of list that '|' separates? */
bool list_has(const char *list, const char *word);

/*
 * One term of a `when` cell, `field=VALUES`; VALUES are numbers or ranges `lo..hi` with '|' between
 * them. Moves *when past it. False at the end, or (with *bad set) at something else.
 */
struct when_term {
    char field[64];
    char values[64];
};
bool when_next(const char **when, struct when_term *term, bool *bad);
/* One number or range of the values; moves *values past it. False at the end. */
bool when_range(const char **values, unsigned long *low, unsigned long *high, bool *bad);

/* Reads and checks everything; errors are printed and counted by csv_error. */
void model_read(struct model *m, const char *dir);

/* check.c: the parse graph, requirements, tables, blocks and terms, once everything is read. */
void check_specification(const struct model *m);
void check_confidence(const struct csv *c, size_t row, const char *what);
void check_section(const struct model *m, const struct csv *c, size_t row, const char *what);

/* emit.c: each writes one generated file. */
void emit_header(const struct model *m, FILE *out);
void emit_tables(const struct model *m, FILE *out);
void emit_requirements(const struct model *m, FILE *out);
void emit_dictionary(const struct model *m, FILE *out);

/* emit_blocks.c: what stands nowhere on the wire as it is. */
void emit_blocks(const struct model *m, FILE *out);

/* emit_params.c: Table 3-28. */
void check_params(const struct model *m);
void emit_params(const struct model *m, FILE *out);

/* transitions.c: the state machines of a PDC, and docs/pdc-states.md. */
void check_transitions(const struct model *m);
void emit_transitions(const struct model *m, FILE *out);

/* checks.c: what a request must stand, and in which order. */
void check_checks(const struct model *m);
void emit_checks(const struct model *m, FILE *out);

/* The columns of profiles.csv, in the order of enum uet_profile. */
#define MODEL_PROFILES 3
extern const char *const model_profiles[MODEL_PROFILES];

/* filters.c: descriptions that fields share, and bits that others read from another place. */
void check_filters(const struct model *m);
/* What a filter's blurb says: its description and the sections of all its fields. */
const char *filter_text(const struct model *m, const struct filter *x);
void filter_blurb(const struct model *m, int filter, char *out, size_t size);
/* The row of contested.csv for a field; -1 when there is none. */
int contested_row(const struct model *m, const struct field *f);

/* A C string literal; a name in upper case, as identifiers have it. */
void quoted(FILE *out, const char *text);
const char *upper(const char *text);
extern const char banner[];

/* emit_doc.c: docs/wire.md. */
void emit_doc(const struct model *m, FILE *out);

#endif
