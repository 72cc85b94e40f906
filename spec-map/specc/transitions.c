/* SPDX-License-Identifier: BSD-2-Clause */
/* The transitions of a PDC's state machines: what a row must be, and docs/pdc-states.md. */
#include "spec-map/specc/model.h"

#include <string.h>

static const char *const sides[] = {"initiator", "target"};

/* Row of terms.csv that tells this state; false: there is none. */
static bool is_state(const struct model *m, const char *name, size_t n)
{
    const struct csv *c = &m->terms_csv;
    for (size_t i = 0; i < csv_rows(c); i++) {
        const char *state = csv_get(c, i, "name");
        if (strcmp(csv_get(c, i, "table"), "PDC_STATE") == 0 && strlen(state) == n &&
            memcmp(state, name, n) == 0)
            return true;
    }
    return false;
}

static bool is_requirement(const struct model *m, const char *id, size_t n)
{
    const struct csv *c = &m->requirements_csv;
    for (size_t i = 0; i < csv_rows(c); i++) {
        const char *other = csv_get(c, i, "id");
        if (strlen(other) == n && memcmp(other, id, n) == 0)
            return true;
    }
    return false;
}

/* Each part of a cell, between '|', must be known. */
static void check_parts(const struct model *m, size_t row, const char *column,
                        bool (*known)(const struct model *, const char *, size_t))
{
    const struct csv *c = &m->transitions_csv;
    for (const char *p = csv_get(c, row, column); *p;) {
        size_t n = strcspn(p, "|");
        if (!known(m, p, n))
            csv_error(c, row, "unknown %s %.*s", strcmp(column, "next") ? column : "state", (int)n,
                      p);
        p += n + (p[n] == '|');
    }
}

static bool on_side(const struct csv *c, size_t row, size_t side)
{
    return strcmp(csv_get(c, row, "side"), sides[side]) == 0;
}

/* Labels are I1, I2, ... of the initiator and T1, T2, ... of the target, without a gap. */
static void check_labels(const struct csv *c, size_t side)
{
    unsigned n = 0;
    for (size_t i = 0; i < csv_rows(c); i++) {
        const char *label = csv_get(c, i, "label");
        char wanted[16];
        if (!on_side(c, i, side) || !*label)
            continue;
        snprintf(wanted, sizeof wanted, "%c%u", side ? 'T' : 'I', ++n);
        if (strcmp(label, wanted) != 0)
            csv_error(c, i, "label %s: the next one of the %s is %s", label, sides[side], wanted);
    }
}

void check_transitions(const struct model *m)
{
    const struct csv *c = &m->transitions_csv;
    for (size_t i = 0; i < csv_rows(c); i++) {
        bool told = *csv_get(c, i, "label");
        if (!on_side(c, i, 0) && !on_side(c, i, 1))
            csv_error(c, i, "side must be initiator or target");
        if (!*csv_get(c, i, "state") || !*csv_get(c, i, "event"))
            csv_error(c, i, "a transition has a state and an event");
        if (told && (!*csv_get(c, i, "next") || !*csv_get(c, i, "action")))
            csv_error(c, i, "%s has no action or no next state", csv_get(c, i, "label"));
        if (!told && (*csv_get(c, i, "next") || !*csv_get(c, i, "note")))
            csv_error(c, i, "without a label, a note alone tells what is not known");
        check_parts(m, i, "state", is_state);
        check_parts(m, i, "next", is_state);
        check_parts(m, i, "requirements", is_requirement);
        check_section(m, c, i, told ? csv_get(c, i, "label") : "a transition");
        check_confidence(c, i, "a transition");
    }
    check_labels(c, 0);
    check_labels(c, 1);
}

/* ---- docs/pdc-states.md ---- */

/* A table cell; the '|' between parts of one becomes a comma. */
static void cell(FILE *out, const char *text)
{
    for (; *text; text++)
        if (*text == '|')
            fputs(", ", out);
        else
            fputc(*text, out);
    fputs(" | ", out);
}

static void states(const struct model *m, FILE *out)
{
    const struct csv *c = &m->terms_csv;
    fputs("\n## States\n\n| state | meaning | section | conf. | note |\n|---|---|---|---|---|\n",
          out);
    for (size_t i = 0; i < csv_rows(c); i++)
        if (strcmp(csv_get(c, i, "table"), "PDC_STATE") == 0) {
            fputs("| ", out);
            cell(out, csv_get(c, i, "name"));
            cell(out, csv_get(c, i, "meaning"));
            cell(out, csv_get(c, i, "section"));
            cell(out, csv_get(c, i, "confidence"));
            cell(out, csv_get(c, i, "note"));
            fputs("\n", out);
        }
}

static void transitions(const struct csv *c, FILE *out, size_t side)
{
    static const char *const columns[] = {"label", "state",      "event",        "guard",  "action",
                                          "next",  "confidence", "requirements", "section"};
    fputs("\n| | state | event | guard | action | next | conf. | requirements | section |\n"
          "|---|---|---|---|---|---|---|---|---|\n",
          out);
    for (size_t i = 0; i < csv_rows(c); i++) {
        if (!on_side(c, i, side) || !*csv_get(c, i, "label"))
            continue;
        fputs("| ", out);
        for (size_t j = 0; j < sizeof columns / sizeof *columns; j++)
            cell(out, csv_get(c, i, columns[j]));
        fputs("\n", out);
    }
    fputs("\n", out);
    for (size_t i = 0; i < csv_rows(c); i++)
        if (on_side(c, i, side) && *csv_get(c, i, "label") && *csv_get(c, i, "note"))
            fprintf(out, "* %s: %s.\n", csv_get(c, i, "label"), csv_get(c, i, "note"));
}

static void untold(const struct csv *c, FILE *out, size_t side)
{
    fputs("\nWhat no public source tells:\n\n", out);
    for (size_t i = 0; i < csv_rows(c); i++)
        if (on_side(c, i, side) && !*csv_get(c, i, "label"))
            fprintf(out, "* in %s, %s: %s.\n", csv_get(c, i, "state"), csv_get(c, i, "event"),
                    csv_get(c, i, "note"));
}

void emit_transitions(const struct model *m, FILE *out)
{
    static const char *const titles[] = {"Initiator (Figures 3-43 and 3-48)",
                                         "Target (Figures 3-44 and 3-49)"};
    fputs(
        "# The states of a PDC\n\nGenerated by specc from `spec-map/transitions.csv`; do not edit. "
        "A packet delivery context (PDC) has two halves, and each is a state machine: that of the "
        "initiator, which opens and closes the PDC, and that of the target. One row is one "
        "transition. Its label, I1 or T1, is uetkit's: code, comments and tests cite it. "
        "conf. is how sure a row is: A, two independent public sources or more; B, one; C, "
        "inferred, or the sources disagree. Names of "
        "sources are explained in `spec-map/README.md`.\n",
        out);
    states(m, out);
    for (size_t side = 0; side < 2; side++) {
        fprintf(out, "\n## %s\n", titles[side]);
        transitions(&m->transitions_csv, out, side);
        untold(&m->transitions_csv, out, side);
    }
}
