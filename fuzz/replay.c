/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs a fuzz target over files, without libFuzzer: any compiler, in every build.
 *   fuzz_parse FILE|DIRECTORY...
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz/fuzz.h"

static unsigned long replayed;

static int complain(const char *path)
{
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return 2;
}

static int replay_file(const char *path, size_t size)
{
    FILE *f = fopen(path, "rb");
    /* Exactly as long as the input: a reader of more shows under ASan. */
    uint8_t *data = malloc(size ? size : 1);
    size_t n = f && data ? fread(data, 1, size, f) : 0;
    int bad = !f || !data || n != size ? complain(path) : 0;
    if (!bad) {
        LLVMFuzzerTestOneInput(data, size);
        replayed++;
    }
    if (f)
        fclose(f);
    free(data);
    return bad;
}

static int replay(const char *path);

static int replay_directory(const char *path)
{
    DIR *d = opendir(path);
    int bad = d ? 0 : complain(path);
    const struct dirent *e;
    while (d && (e = readdir(d))) {
        char child[PATH_MAX];
        if (e->d_name[0] == '.')
            continue;
        snprintf(child, sizeof child, "%s/%s", path, e->d_name);
        bad |= replay(child);
    }
    if (d)
        closedir(d);
    return bad;
}

static int replay(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return complain(path);
    return S_ISDIR(st.st_mode) ? replay_directory(path) : replay_file(path, (size_t)st.st_size);
}

int main(int argc, char **argv)
{
    int bad = 0;
    for (int i = 1; i < argc; i++)
        bad |= replay(argv[i]);
    if (!bad && !replayed) {
        fprintf(stderr, "%s: nothing to replay; give files or directories\n", argv[0]);
        bad = 2;
    }
    printf("%lu inputs\n", replayed);
    return bad;
}
