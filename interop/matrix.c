/* SPDX-License-Identifier: BSD-2-Clause */
/* Which cells there are, and what is known of them. */
#include "interop/matrix.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- choosing ---- */

/* Is the name in a list "a,b,c"? */
static bool in_list(const char *list, const char *name)
{
    const size_t n = strlen(name);

    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, n) == 0 && (at[n] == ',' || at[n] == '\0'))
            return true;
    }
    return false;
}

static bool is_case(const struct matrix *m, const char *name)
{
    for (size_t i = 0; i < m->cases->n; i++)
        if (strcmp(m->cases->all[i].id, name) == 0)
            return true;
    return false;
}

/* Each name of a list must be one; -EINVAL. */
static int check_names(const struct matrix *m, const char *list, bool cases, char *err,
                       size_t errlen)
{
    char names[1000], *save = NULL;

    snprintf(names, sizeof(names), "%s", list ? list : "");
    for (char *name = strtok_r(names, ",", &save); name; name = strtok_r(NULL, ",", &save))
        if (cases ? !is_case(m, name) : !implementation_find(m->implementations, name)) {
            snprintf(err, errlen, "there is no %s '%s': `uetinterop list` shows them",
                     cases ? "case" : "implementation", name);
            return -EINVAL;
        }
    return 0;
}

static bool chosen(const char *list, const char *name, bool when_named)
{
    return list ? in_list(list, name) : !when_named;
}

static bool has_hub(const struct matrix *m)
{
    for (size_t i = 0; i < m->implementations->n; i++)
        if (m->implementations->all[i].hub)
            return true;
    return false;
}

/* In the small matrix each has its cases with the hub, and the hub all of them with itself. */
static bool in_small(const struct matrix *m, const struct matrix_choice *choice,
                     const struct matrix_cell *cell)
{
    const bool hub = cell->client->hub && cell->server->hub;

    if (!m->small || choice->cases)
        return true;
    if (cell->of->small == SMALL_NO)
        return false;
    if (choice->clients || choice->servers || hub || !has_hub(m))
        return true;
    return cell->of->small == SMALL_PAIRS && (cell->client->hub || cell->server->hub);
}

/* FNV-1a, over the text and the zero at its end. */
static uint32_t hash(uint32_t h, const char *text)
{
    do
        h = (h ^ (uint8_t)*text) * UINT32_C(16777619);
    while (*text++);
    return h;
}

/*
 * By its names, so that a cell has the same seed alone and in any matrix. The endpoints of a cell
 * take the next few (endpoint.c).
 */
static uint32_t seed_of(uint32_t seed, const struct matrix_cell *cell)
{
    uint32_t h = hash(UINT32_C(2166136261) + seed, cell->client->name);

    h = hash(h, cell->server->name);
    return hash(h, cell->of->id) & UINT32_C(0x7ffffff0);
}

static int add(struct matrix *m, const struct matrix_cell *cell)
{
    struct matrix_cell *more = realloc(m->cells, (m->n + 1) * sizeof(*more));

    if (!more)
        return -ENOMEM;
    m->cells = more;
    m->cells[m->n] = *cell;
    m->cells[m->n].seed = seed_of(m->seed, cell);
    m->n++;
    return 0;
}

static int add_pair(struct matrix *m, const struct matrix_choice *choice,
                    const struct implementation *client, const struct implementation *server)
{
    int rc = 0;

    for (size_t i = 0; i < m->cases->n && rc == 0; i++) {
        const struct matrix_cell cell = {client, server, &m->cases->all[i], 0, NULL};

        if (chosen(choice->cases, cell.of->id, false) && in_small(m, choice, &cell))
            rc = add(m, &cell);
    }
    return rc;
}

int matrix_choose(struct matrix *m, const struct matrix_choice *choice, char *err, size_t errlen)
{
    const struct implementations *all = m->implementations;
    int rc = check_names(m, choice->clients, false, err, errlen);

    if (rc == 0)
        rc = check_names(m, choice->servers, false, err, errlen);
    if (rc == 0)
        rc = check_names(m, choice->cases, true, err, errlen);
    if (rc)
        return rc;
    for (size_t i = 0; i < all->n && rc == 0; i++)
        for (size_t j = 0; j < all->n && rc == 0; j++)
            if (chosen(choice->clients, all->all[i].name, all->all[i].when_named) &&
                chosen(choice->servers, all->all[j].name, all->all[j].when_named))
                rc = add_pair(m, choice, &all->all[i], &all->all[j]);
    if (rc)
        snprintf(err, errlen, "not enough memory");
    else if (m->n == 0) {
        snprintf(err, errlen, "no cell is left of this choice: give fewer names");
        rc = -EINVAL;
    }
    return rc;
}

/* ---- results ---- */

enum verdict matrix_verdict(const struct matrix_cell *cell)
{
    const char *word = json_string_value(json_object_get(cell->result, "verdict"));
    int i = 0;

    while (i < CELL_VERDICTS && (!word || strcmp(word, verdict_words[i]) != 0))
        i++;
    return (enum verdict)i;
}

size_t matrix_count(const struct matrix *m, enum verdict verdict)
{
    size_t n = 0;

    for (size_t i = 0; i < m->n; i++)
        n += matrix_verdict(&m->cells[i]) == verdict;
    return n;
}

const char *matrix_folder(const struct matrix_cell *cell, char *out, size_t size)
{
    snprintf(out, size, "cells/%s_%s/%s", cell->client->name, cell->server->name, cell->of->id);
    return out;
}

const struct matrix_cell *matrix_find(const struct matrix *m, const struct implementation *client,
                                      const struct implementation *server,
                                      const struct interop_case *of)
{
    for (size_t i = 0; i < m->n; i++)
        if ((!client || m->cells[i].client == client) &&
            (!server || m->cells[i].server == server) && (!of || m->cells[i].of == of))
            return &m->cells[i];
    return NULL;
}

bool matrix_has(const struct matrix *m, const struct implementation *client,
                const struct implementation *server, const struct interop_case *of)
{
    return matrix_find(m, client, server, of) != NULL;
}

const char *matrix_reason(const struct matrix_cell *cell, char *out, size_t size)
{
    const json_t *reasons = json_object_get(cell->result, "reasons");
    const char *verdict = json_string_value(json_object_get(cell->result, "verdict"));
    size_t i;
    json_t *at;

    out[0] = '\0';
    json_array_foreach((json_t *)(uintptr_t)reasons, i, at)
    {
        const char *of = json_string_value(json_object_get(at, "verdict"));
        const char *by = json_string_value(json_object_get(at, "by"));
        const char *text = json_string_value(json_object_get(at, "text"));

        if (of && verdict && by && text && strcmp(of, verdict) == 0) {
            snprintf(out, size, "by %s: %s", by, text);
            break;
        }
    }
    return out;
}

void matrix_free(struct matrix *m)
{
    for (size_t i = 0; i < m->n; i++)
        json_decref(m->cells[i].result);
    free(m->cells);
    m->cells = NULL;
    m->n = 0;
}
