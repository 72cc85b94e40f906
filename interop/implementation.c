/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/implementation.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS(a) (sizeof(a) / sizeof((a)[0]))
#define ALL      UINT32_MAX

static const struct field fields[] = {
    {"name", FIELD_TEXT, true, FIELD_AT(implementation, name)},
    {"description", FIELD_TEXT, true, FIELD_AT(implementation, description)},
    {"version", FIELD_TEXT, false, FIELD_AT(implementation, version)},
    {"client", FIELD_TEXT, false, FIELD_AT(implementation, client)},
    {"server", FIELD_TEXT, false, FIELD_AT(implementation, server)},
    {"spec", FIELD_WORD, false, FIELD_AT(implementation, spec), .words = word_specs},
    {"hub", FIELD_WORD, false, FIELD_AT(implementation, hub), .words = word_no_yes},
    {"when_named", FIELD_WORD, false, FIELD_AT(implementation, when_named), .words = word_no_yes},
    {"operations", FIELD_WORDS, false, FIELD_AT(implementation, operations),
     .words = word_operations},
    {"modes", FIELD_WORDS, false, FIELD_AT(implementation, modes), .words = word_modes},
    {"directions", FIELD_WORDS, false, FIELD_AT(implementation, directions),
     .words = word_directions},
    {"encapsulations", FIELD_WORDS, false, FIELD_AT(implementation, encapsulations),
     .words = word_encapsulations},
    {"ip", FIELD_WORDS, false, FIELD_AT(implementation, ips), .words = word_ips},
    {"protect", FIELD_WORDS, false, FIELD_AT(implementation, protects), .words = word_protects},
    {"features", FIELD_WORDS, false, FIELD_AT(implementation, features), .words = word_features},
    {"max_length", FIELD_NUMBER, false, FIELD_AT(implementation, max_length), .max = UINT32_MAX},
    {"max_payload_mtu", FIELD_NUMBER, false, FIELD_AT(implementation, max_payload_mtu),
     .max = 8192},
};

static int read_manifest(struct implementation *im, const char *folder, char *err, size_t errlen)
{
    char path[FOLDER_MAX + 16];
    const struct yaml_reading reading = {path, err, errlen};
    int rc;

    *im = (struct implementation){.operations = ALL, .modes = ALL, .directions = ALL};
    im->encapsulations = im->ips = im->protects = im->features = ALL;
    snprintf(im->folder, sizeof(im->folder), "%s", folder);
    snprintf(path, sizeof(path), "%s/manifest.yaml", folder);
    rc = yaml_read_one(&reading, fields, ITEMS(fields), im);
    if (rc == 0 && !im->client[0] && !im->server[0]) {
        snprintf(err, errlen, "%s:1: neither 'client' nor 'server': name a command for one", path);
        rc = -EINVAL;
    }
    if (rc == 0 && im->name[strcspn(im->name, "/, \t")]) {
        snprintf(err, errlen, "%s:1: 'name' has a space, a comma or a slash", path);
        rc = -EINVAL;
    }
    return rc;
}

static int add(struct implementations *list, const char *folder, char *err, size_t errlen)
{
    struct implementation *more = realloc(list->all, (list->n + 1) * sizeof(*more));
    int rc;

    if (!more) {
        snprintf(err, errlen, "not enough memory");
        return -ENOMEM;
    }
    list->all = more;
    rc = read_manifest(&more[list->n], folder, err, errlen);
    if (rc)
        return rc;
    if (implementation_find(list, more[list->n].name)) {
        snprintf(err, errlen, "%s/manifest.yaml:1: another manifest has the name '%s', too", folder,
                 more[list->n].name);
        return -EEXIST;
    }
    list->n++;
    return 0;
}

static int is_folder(const struct dirent *entry)
{
    return entry->d_name[0] != '.' &&
           (entry->d_type == DT_DIR || entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN);
}

int implementations_read(struct implementations *list, const char *folder, char *err, size_t errlen)
{
    char whole[PATH_MAX], one[FOLDER_MAX];
    struct dirent **entries = NULL;
    int n = realpath(folder, whole) ? scandir(whole, &entries, is_folder, alphasort) : -1, rc = 0;

    if (n < 0) {
        snprintf(err, errlen, "%s: %s: name a folder of implementations", folder, strerror(errno));
        return -ENOENT;
    }
    for (int i = 0; i < n; i++) {
        if (rc == 0 && snprintf(one, sizeof(one), "%s/%s", whole, entries[i]->d_name) < FOLDER_MAX)
            rc = add(list, one, err, errlen);
        free(entries[i]);
    }
    free(entries);
    if (rc == 0 && list->n == 0) {
        snprintf(err, errlen, "%s: no folder with a manifest.yaml in it", folder);
        rc = -ENOENT;
    }
    return rc;
}

void implementations_free(struct implementations *list)
{
    free(list->all);
    *list = (struct implementations){0};
}

const struct implementation *implementation_find(const struct implementations *list,
                                                 const char *name)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->all[i].name, name) == 0)
            return &list->all[i];
    return NULL;
}

const char *implementation_lacks(const struct implementation *im, const struct interop_case *c,
                                 bool server)
{
    const struct {
        bool lacks;
        const char *what;
    } checks[] = {
        {!(server ? im->server : im->client)[0], server ? "no server" : "no client"},
        {!(im->operations >> c->operation & 1), "not this operation"},
        {!(im->modes >> c->mode & 1), "not this mode"},
        {!(im->directions >> c->direction & 1), "not this direction"},
        {!(im->encapsulations >> c->encapsulation & 1), "not this encapsulation"},
        {!(im->ips >> c->ip & 1), "not this version of IP"},
        {!(im->protects >> c->protect & 1), "not this protection"},
        {(case_features(c) & ~im->features) != 0, "not the features of this case"},
        {im->max_payload_mtu && im->max_payload_mtu < c->payload_mtu, "no such payload MTU"},
    };

    for (size_t i = 0; i < ITEMS(checks); i++)
        if (checks[i].lacks)
            return checks[i].what;
    return NULL;
}
