/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/report/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
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

static bool same_inode(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool status_of(const char *path, struct stat *st)
{
    return (strcmp(path, "-") == 0 ? fstat(STDOUT_FILENO, st) : stat(path, st)) == 0;
}

/* The last name of two files that are not there yet, and the folders that hold them. */
static bool same_place(const char *a, const char *b)
{
    char *folder_a = strdup(a), *folder_b = strdup(b), *name_a = strdup(a), *name_b = strdup(b);
    bool same = false;
    struct stat in_a, in_b;

    if (folder_a && folder_b && name_a && name_b)
        same = strcmp(basename(name_a), basename(name_b)) == 0 &&
               stat(dirname(folder_a), &in_a) == 0 && stat(dirname(folder_b), &in_b) == 0 &&
               same_inode(&in_a, &in_b);
    free(folder_a);
    free(folder_b);
    free(name_a);
    free(name_b);
    return same;
}

bool uet_outfile_same(const char *a, const char *b)
{
    struct stat st_a, st_b, null;

    if (strcmp(a, b) == 0 && strcmp(a, "-") == 0)
        return true;
    bool is_a = status_of(a, &st_a), is_b = status_of(b, &st_b);
    if (is_a != is_b)
        return false;
    if (!is_a)
        return same_place(a, b);
    return same_inode(&st_a, &st_b) && !(stat("/dev/null", &null) == 0 && same_inode(&st_a, &null));
}

bool uet_outfile_is_stdout(const char *path)
{
    return path && uet_outfile_same(path, "-");
}

/*
 * Opens the file beside `path` for us alone. A POSIX lock, since that one tells who holds it. The
 * file is emptied only when it is ours; one that was renamed meanwhile is a finished report.
 */
static FILE *open_alone(struct uet_outfile *f, char *error, size_t size)
{
    for (;;) {
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        struct stat ours, there;
        int fd = open(f->temp, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

        if (fd < 0)
            return NULL;
        /* Where the file system has no locks, one does without. */
        if (fcntl(fd, F_SETLK, &lock) != 0 && (errno == EACCES || errno == EAGAIN)) {
            bool told = fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK && lock.l_pid > 0;
            char who[32] = "";
            if (told)
                snprintf(who, sizeof(who), " (pid %ld)", (long)lock.l_pid);
            snprintf(error, size,
                     "%s: another run%s writes it; wait for that, or name another file", f->path,
                     who);
            close(fd);
            errno = EBUSY;
            return NULL;
        }
        if (fstat(fd, &ours) == 0 && stat(f->temp, &there) == 0 && same_inode(&ours, &there)) {
            if (ftruncate(fd, 0) == 0)
                return fdopen(fd, "w");
            close(fd);
            return NULL;
        }
        close(fd);
    }
}

int uet_outfile_open(struct uet_outfile *f, const char *path, char *error, size_t size)
{
    char real[PATH_MAX];
    struct stat st;

    memset(f, 0, sizeof(*f));
    if (strlen(path) >= sizeof(f->path))
        return uet_outfile_error("the file", ENAMETOOLONG, error, size);
    snprintf(f->path, sizeof(f->path), "%s", path);
    if (uet_outfile_is_stdout(path)) {
        f->out = stdout;
        return 0;
    }
    /* A link stays, and its file is replaced: /dev/stderr may be a link to one. */
    if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode) && realpath(path, real) &&
        strlen(real) < sizeof(f->path))
        memcpy(f->path, real, strlen(real) + 1);
    path = f->path;
    /* A device or a pipe is written to, never replaced by a file. */
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
        if (S_ISDIR(st.st_mode))
            return uet_outfile_error(path, EISDIR, error, size);
    } else {
        snprintf(f->temp, sizeof(f->temp), "%s.tmp", path);
    }
    f->out = f->temp[0] ? open_alone(f, error, size) : fopen(path, "w");
    if (f->out)
        return 0;
    return errno == EBUSY && f->temp[0] ? -EBUSY : uet_outfile_error(path, errno, error, size);
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
