/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/report/outfile.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int uet_outfile_error(const char *path, int number, char *error, size_t size)
{
    const char *mend = "name a file that can be written";

    if (number == ENOENT)
        mend = "make its folder first";
    else if (number == ENOSPC || number == EDQUOT)
        mend = "free some space or name a file elsewhere";
    else if (number == EISDIR)
        mend = "name a file in it";
    snprintf(error, size, "%s: cannot be written: %s; %s", path, strerror(number), mend);
    return -number;
}

int uet_outfile_open(struct uet_outfile *f, const char *path, char *error, size_t size)
{
    struct stat st;

    memset(f, 0, sizeof(*f));
    if (strlen(path) >= sizeof(f->path))
        return uet_outfile_error("the file", ENAMETOOLONG, error, size);
    snprintf(f->path, sizeof(f->path), "%s", path);
    if (strcmp(path, "-") == 0) {
        f->out = stdout;
        return 0;
    }
    /* A device or a pipe is written to, never replaced by a file. */
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
        if (S_ISDIR(st.st_mode))
            return uet_outfile_error(path, EISDIR, error, size);
    } else {
        snprintf(f->temp, sizeof(f->temp), "%s.tmp", path);
    }
    f->out = fopen(f->temp[0] ? f->temp : path, "w");
    return f->out ? 0 : uet_outfile_error(path, errno, error, size);
}

int uet_outfile_commit(struct uet_outfile *f, char *error, size_t size)
{
    int number = 0;

    if (fflush(f->out) != 0 || ferror(f->out))
        number = errno ? errno : EIO;
    if (f->out != stdout && fclose(f->out) != 0 && !number)
        number = errno;
    f->out = NULL;
    if (!number && f->temp[0] && rename(f->temp, f->path) != 0)
        number = errno;
    if (!number)
        return 0;
    if (f->temp[0])
        unlink(f->temp);
    return uet_outfile_error(f->path, number, error, size);
}

void uet_outfile_abort(struct uet_outfile *f)
{
    if (!f->out)
        return;
    if (f->out != stdout)
        fclose(f->out);
    if (f->temp[0])
        unlink(f->temp);
    f->out = NULL;
}
