/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/secret.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <openssl/crypto.h>

/* Stands in front of each secret, and keeps it aligned. */
union front {
    size_t bytes; /* of the whole mapping */
    max_align_t align;
};

void *uet_secret_new(size_t n)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    union front *front;

    if (n > SIZE_MAX / 2)
        return NULL;
    n = (n + sizeof *front + page - 1) / page * page;
    front = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (front == MAP_FAILED)
        return NULL;
    /* What the kernel refuses here, uet_secrets_guard tells. */
    (void)mlock(front, n);
    (void)madvise(front, n, MADV_DONTDUMP);
    front->bytes = n;
    return front + 1;
}

void uet_secret_free(void *secret)
{
    union front *front = secret;
    size_t n;

    if (!secret)
        return;
    n = (--front)->bytes;
    OPENSSL_cleanse(front, n);
    munmap(front, n);
}

bool uet_secret_equal(const void *a, const void *b, size_t n)
{
    return CRYPTO_memcmp(a, b, n) == 0;
}

int uet_secrets_guard(char *err, size_t size)
{
    struct rlimit limit = {0};

    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)) {
        int code = errno;

        snprintf(err, size, "keys could appear in a core dump: %s; ulimit -c 0 forbids it",
                 strerror(code));
        return -code;
    }
    if (mlockall(MCL_CURRENT | MCL_ONFAULT)) {
        int code = errno;

        getrlimit(RLIMIT_MEMLOCK, &limit);
        snprintf(err, size,
                 "keys could be swapped out: the system locks %llu KiB of memory and no more (%s); "
                 "ulimit -l unlimited, or CAP_IPC_LOCK, allows it",
                 (unsigned long long)limit.rlim_cur / 1024, strerror(code));
        return -code;
    }
    return 0;
}
