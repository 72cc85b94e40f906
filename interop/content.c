/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/content.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interop/folder.h"
#include "ut/verbs.h"
#include "wire/splitmix.h"

#define PIECE 65536u

const char *content_name(char out[CONTENT_NAME], int i)
{
    snprintf(out, CONTENT_NAME, "%04d", i);
    return out;
}

static void fill(uint8_t *piece, size_t n, uint64_t at, uint64_t length, uint64_t key,
                 uint64_t *random)
{
    if (length > CONTENT_RANDOM_MAX)
        uet_ut_pattern(piece, n, at, (uint8_t)key);
    else
        for (size_t i = 0; i < n; i += 8) {
            const uint64_t word = uet_splitmix64(random);

            memcpy(piece + i, &word, n - i < 8 ? n - i : 8);
        }
}

static int make_one(const char *path, uint64_t length, uint64_t key, uint64_t random)
{
    static uint8_t piece[PIECE];
    FILE *out = fopen(path, "wb");
    bool good = out != NULL;

    for (uint64_t at = 0; good && at < length; at += PIECE) {
        const size_t n = length - at < PIECE ? (size_t)(length - at) : PIECE;

        fill(piece, n, at, length, key, &random);
        good = fwrite(piece, 1, n, out) == n;
    }
    if (out)
        good = fclose(out) == 0 && good;
    return good ? 0 : -(errno ? errno : EIO);
}

int content_make(const struct content *content, const char *folder)
{
    char path[PATH_LENGTH], name[CONTENT_NAME];
    int rc = folder_make(folder);

    for (int i = 0; i < content->n && rc == 0; i++)
        rc = make_one(path_of(path, "%s/%s", folder, content_name(name, i)), content->lengths[i],
                      content->keys[i], content->seed * 65536 + (uint64_t)i);
    return rc;
}

int content_list(const struct content *content, const char *path, int first, int end)
{
    char name[CONTENT_NAME];
    FILE *out = fopen(path, "w");

    if (!out)
        return -errno;
    for (int i = first; content && i < end && i < content->n; i++)
        fprintf(out, "%s %" PRIu64 " %" PRIu32 " 0x%" PRIx64 "\n", content_name(name, i),
                content->lengths[i], 1 + (uint32_t)i % content->jobs, content->keys[i]);
    return fclose(out) ? -errno : 0;
}

static bool take_key(struct content *content, const char *line)
{
    char known[CONTENT_NAME], name[CONTENT_NAME];
    uint64_t key;

    if (sscanf(line, "%15s %" SCNx64, name, &key) != 2)
        return false;
    for (int i = 0; i < content->n; i++)
        if (strcmp(content_name(known, i), name) == 0) {
            content->keys[i] = key;
            return true;
        }
    return false;
}

bool content_take_keys(struct content *content, const char *path, char *why, size_t size)
{
    char line[100];
    FILE *in = fopen(path, "r");
    bool good = in != NULL;

    while (good && fgets(line, sizeof(line), in)) {
        line[strcspn(line, "\n")] = '\0';
        good = take_key(content, line);
        if (!good)
            snprintf(why, size, "'%s' is not NAME KEY", line);
    }
    if (in)
        fclose(in);
    else
        snprintf(why, size, "cannot be read");
    return good;
}

/* ---- comparing ---- */

enum same { SAME, OTHER_BYTES, OTHER_LENGTH, NOT_THERE };

static enum same compare_files(const char *sent, const char *arrived, uint64_t *at)
{
    static uint8_t a[PIECE], b[PIECE];
    FILE *one = fopen(sent, "rb"), *two = fopen(arrived, "rb");
    enum same same = one && two ? SAME : NOT_THERE;
    size_t n = 1, m;

    for (*at = 0; same == SAME && n > 0; *at += n) {
        n = fread(a, 1, PIECE, one);
        m = fread(b, 1, PIECE, two);
        if (n != m)
            same = OTHER_LENGTH;
        else if (memcmp(a, b, n) != 0)
            same = OTHER_BYTES;
        for (size_t i = 0; same == OTHER_BYTES && i < n; i++)
            if (a[i] != b[i]) {
                *at += i;
                break;
            }
        if (same != SAME)
            break;
    }
    if (one)
        fclose(one);
    if (two)
        fclose(two);
    return same;
}

static void tell(char *why, size_t size, const char *name, enum same same, uint64_t at)
{
    if (why[0])
        return; /* the first is told */
    if (same == OTHER_BYTES)
        snprintf(why, size, "%s: byte %" PRIu64 " is another one", name, at);
    else
        snprintf(why, size, "%s: %s", name,
                 same == NOT_THERE ? "has not arrived" : "has another length");
}

/* Under some name that no other file has taken; lengths first, as they tell most apart. */
static enum same find(const char *sent, const char *arrived, int n, bool *taken)
{
    char path[PATH_LENGTH], name[CONTENT_NAME];
    uint64_t at;

    for (int i = 0; i < n; i++)
        if (!taken[i] && compare_files(sent, path_of(path, "%s/%s", arrived, content_name(name, i)),
                                       &at) == SAME) {
            taken[i] = true;
            return SAME;
        }
    return NOT_THERE;
}

int content_compare(const struct content *content, const char *sent, const char *arrived,
                    bool by_name, char *why, size_t size)
{
    static bool taken[CASE_FILES_MAX];
    char from[PATH_LENGTH], to[PATH_LENGTH], name[CONTENT_NAME];
    int wrong = 0;

    memset(taken, 0, sizeof(taken));
    why[0] = '\0';
    for (int i = 0; i < content->n; i++) {
        uint64_t at = 0;
        enum same same;

        content_name(name, i);
        path_of(from, "%s/%s", sent, name);
        path_of(to, "%s/%s", arrived, name);
        same = by_name ? compare_files(from, to, &at) : find(from, arrived, content->n, taken);
        if (same == SAME)
            continue;
        wrong++;
        tell(why, size, name, same, at);
    }
    return wrong;
}
