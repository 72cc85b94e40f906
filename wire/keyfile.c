/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/keyfile.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wire/secret.h"

/* Nobody needs as many; they bound what a file can make of memory. */
#define KEYS_MAX   4096
#define FILE_MAX   ((size_t)4 << 20)
#define FILE_FIRST ((size_t)16 << 10)

#define SDI_MAX    0xffffffu
#define JOB_ID_MAX 0xffffffu

/* ---- values ---- */

struct word {
    const char *text;
    uint8_t value;
};

static const struct word ans[] = {{"0", 0}, {"1", 1}, {"any", UET_KEY_AN_ANY}, {NULL, 0}};
static const struct word slots[] = {{"0", 0}, {"1", 1}, {NULL, 0}};
static const struct word ssis[] = {
    {"any", UET_KEY_SSI_ANY}, {"no", UET_KEY_SSI_NO}, {"yes", UET_KEY_SSI_YES}, {NULL, 0}};
static const struct word modes[] = {{"direct", UET_TSS_MODE_DIRECT},
                                    {"cluster", UET_TSS_MODE_CLUSTER},
                                    {"server", UET_TSS_MODE_SERVER},
                                    {NULL, 0}};
static const struct word starts[] = {
    {"expected-0rtt", UET_KEY_EXPECTED_0RTT}, {"random-1rtt", UET_KEY_RANDOM_1RTT}, {NULL, 0}};

static bool word(const char *text, const struct word *of, uint8_t *out)
{
    for (; of->text; of++)
        if (strcmp(text, of->text) == 0) {
            *out = of->value;
            return true;
        }
    return false;
}

/* A number at the front of the text, which ends at *end. */
static bool number_to(const char *text, uint64_t max, uint64_t *out, char **end)
{
    errno = 0;
    *out = strtoull(text, end, 0);
    return isdigit((unsigned char)text[0]) && !errno && *out <= max;
}

static bool number(const char *text, uint64_t max, uint64_t *out)
{
    char *end;
    return number_to(text, max, out, &end) && !*end;
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool hex(const char *text, uint8_t *out, size_t n)
{
    if (strlen(text) != 2 * n)
        return false;
    for (size_t i = 0; i < n; i++) {
        int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        out[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

/* ---- a line UET_SD ---- */

struct key_line {
    struct uet_key key;
    bool has_sdi, has_key;
};

static const char *take_number(struct uet_tss_params *p, const char *column, const char *value)
{
    uint64_t n;
    if (strcmp(column, "rekey_mask") == 0)
        return number(value, UET_TSS_COUNTER_MAX, &p->rekey_mask)
                   ? NULL
                   : "rekey_mask is a number of 48 bits";
    if (strcmp(column, "rekey_shift") == 0) {
        bool good = number(value, 47, &n);
        p->rekey_shift = (uint8_t)n;
        return good ? NULL : "rekey_shift is a number from 0 to 47";
    }
    if (strcmp(column, "encrypt_from") == 0) {
        bool good = number(value, UINT16_MAX, &n);
        p->encrypt_from = (uint16_t)n;
        return good ? NULL : "encrypt_from is a number of bytes up to 65535";
    }
    if (strcmp(column, "name") == 0)
        return NULL; /* for people */
    return "unknown column: sdi, an, mode, ssi, key, iv_mask, rekey_mask, rekey_shift, "
           "encrypt_from, name are known";
}

/* "column=value"; what is wrong with it, or NULL. */
static const char *take_key_column(void *line, const char *column, const char *value)
{
    struct key_line *l = line;
    struct uet_tss_params *p = &l->key.params;
    uint64_t n;
    if (strcmp(column, "sdi") == 0) {
        l->has_sdi = number(value, SDI_MAX, &n);
        p->sdi = (uint32_t)n;
        return l->has_sdi ? NULL : "sdi is a number of 24 bits, as 0x000001";
    }
    if (strcmp(column, "an") == 0)
        return word(value, ans, &l->key.an) ? NULL : "an is 0, 1 or any";
    if (strcmp(column, "mode") == 0)
        return word(value, modes, &p->mode) ? NULL : "mode is direct, cluster or server";
    if (strcmp(column, "ssi") == 0)
        return word(value, ssis, &l->key.ssi) ? NULL : "ssi is any, no or yes";
    if (strcmp(column, "key") == 0) {
        l->has_key = hex(value, p->key, sizeof p->key);
        return l->has_key ? NULL : "the key is 32 bytes long: 64 hexadecimal digits (AES-256)";
    }
    if (strcmp(column, "iv_mask") == 0)
        return !*value || hex(value, p->iv_mask, sizeof p->iv_mask)
                   ? NULL
                   : "the IV mask is 12 bytes long: 24 hexadecimal digits";
    return take_number(p, column, value);
}

/* ---- a line UET_DOMAIN ---- */

struct domain_line {
    struct uet_key_domain domain;
    bool has_sdi, has_tx;
};

static const char *take_jobs(struct uet_key_domain *d, const char *value)
{
    static const char form[] = "jobs is any, or JobIDs of 24 bits as 1,2,0x30, at most 8";
    uint64_t n;
    char *end;
    d->n_jobs = 0;
    if (strcmp(value, "any") == 0)
        return NULL;
    for (;; value = end + 1) {
        if (d->n_jobs == UET_KEY_JOBS_MAX || !number_to(value, JOB_ID_MAX, &n, &end) ||
            (*end && *end != ','))
            return form;
        d->jobs[d->n_jobs++] = (uint32_t)n;
        if (!*end)
            return NULL;
    }
}

static const char *take_limit(struct uet_key_domain *d, const char *column, const char *value)
{
    uint64_t n;
    if (strcmp(column, "max_epoch_age") == 0) {
        bool good = number(value, INT16_MAX, &n);
        d->max_epoch_age = (uint16_t)n;
        return good ? NULL : "max_epoch_age is a number from 0 to 32767";
    }
    if (strcmp(column, "auth_fail_threshold") == 0) {
        bool good = number(value, UINT32_MAX, &n);
        d->auth_fail_threshold = (uint32_t)n;
        return good ? NULL : "auth_fail_threshold is a number of 32 bits";
    }
    if (strcmp(column, "counter_limit") == 0)
        return number(value, UET_TSS_COUNTER_MAX, &d->counter_limit)
                   ? NULL
                   : "counter_limit is a number of 48 bits";
    return "unknown column: sdi, tx, epoch, ssi, jobs, start, max_epoch_age, auth_fail_threshold, "
           "counter_limit are known";
}

static const char *take_domain_column(void *line, const char *column, const char *value)
{
    struct domain_line *l = line;
    struct uet_key_domain *d = &l->domain;
    uint64_t n;
    if (strcmp(column, "sdi") == 0) {
        l->has_sdi = number(value, SDI_MAX, &n);
        d->sdi = (uint32_t)n;
        return l->has_sdi ? NULL : "sdi is a number of 24 bits, as 0x000001";
    }
    if (strcmp(column, "tx") == 0) {
        l->has_tx = word(value, slots, &d->tx);
        return l->has_tx ? NULL : "tx is the AN to seal with: 0 or 1";
    }
    if (strcmp(column, "epoch") == 0) {
        bool good = number(value, UINT16_MAX, &n);
        d->epoch = (uint16_t)n;
        return good ? NULL : "epoch is a number from 0 to 65535";
    }
    if (strcmp(column, "ssi") == 0) {
        d->has_ssi = number(value, UINT32_MAX, &n);
        d->ssi = (uint32_t)n;
        return d->has_ssi ? NULL : "ssi of a domain is this FEP's number, of 32 bits";
    }
    if (strcmp(column, "jobs") == 0)
        return take_jobs(d, value);
    if (strcmp(column, "start") == 0)
        return word(value, starts, &d->start) ? NULL : "start is expected-0rtt or random-1rtt";
    return take_limit(d, column, value);
}

/* ---- lines ---- */

#define COLUMNS_MAX 16 /* more than any line has */

/* Has the line had this column before? Else which of two values would hold? */
static bool is_twice(const char *const *had, size_t n, const char *column)
{
    while (n)
        if (strcmp(had[--n], column) == 0)
            return true;
    return false;
}

static const char *take_columns(char *text, void *line,
                                const char *(*take)(void *line, const char *, const char *))
{
    const char *had[COLUMNS_MAX];
    size_t n = 0;
    char *rest;
    strtok_r(text, " \t\r", &rest);
    for (char *part; (part = strtok_r(NULL, " \t\r", &rest));) {
        char *value = strchr(part, '=');
        if (!value)
            return "expected column=value";
        *value++ = '\0';
        if (n == COLUMNS_MAX || is_twice(had, n, part))
            return "a column stands there twice: leave one of them";
        had[n++] = part;
        const char *wrong = take(line, part, value);
        if (wrong)
            return wrong;
    }
    return NULL;
}

static struct uet_key_domain *domain_of(const struct uet_keyfile *file, uint32_t sdi)
{
    for (size_t i = 0; i < file->n_domains; i++)
        if (file->domains[i].sdi == sdi)
            return &file->domains[i];
    return NULL;
}

static const char *take_key(struct uet_keyfile *file, char *text)
{
    struct key_line l = {.key = {.an = UET_KEY_AN_ANY, .params = {.mode = UET_TSS_MODE_CLUSTER}}};
    const char *wrong = take_columns(text, &l, take_key_column);
    if (!wrong && (!l.has_sdi || !l.has_key))
        wrong = l.has_sdi ? "key is missing" : "sdi is missing";
    l.key.params.an = l.key.an == UET_KEY_AN_ANY ? 0 : l.key.an;
    l.key.params.rekey = l.key.params.rekey_mask != 0;
    l.key.params.ssi_mode = l.key.ssi == UET_KEY_SSI_YES;
    if (!wrong)
        wrong = uet_tss_params_error(&l.key.params);
    if (!wrong)
        file->keys[file->n_keys++] = l.key;
    uet_tss_wipe(&l, sizeof l);
    return wrong;
}

struct uet_key_domain uet_key_domain_usual(uint32_t sdi)
{
    return (struct uet_key_domain){.sdi = sdi,
                                   .max_epoch_age = 16,
                                   .auth_fail_threshold = 1000,
                                   .counter_limit = UET_TSS_COUNTER_MAX};
}

/* tx 2 until the keys are known, where it is not told. */
static const char *take_domain(struct uet_keyfile *file, char *text)
{
    struct domain_line l = {.domain = uet_key_domain_usual(0)};
    const char *wrong = take_columns(text, &l, take_domain_column);
    if (!wrong && !l.has_sdi)
        wrong = "sdi is missing";
    if (!wrong && domain_of(file, l.domain.sdi))
        wrong = "this domain has a line already: make one of them";
    if (!l.has_tx)
        l.domain.tx = UET_KEY_AN_ANY;
    if (!wrong)
        file->domains[file->n_domains++] = l.domain;
    return wrong;
}

static const char *take_line(struct uet_keyfile *file, char *text, size_t n)
{
    bool key = strncmp(text, "UET_SD ", 7) == 0, domain = strncmp(text, "UET_DOMAIN ", 11) == 0;
    if (!key && !domain)
        return NULL;
    if (strlen(text) != n)
        return "there is a byte 0 in the line";
    return key ? take_key(file, text) : take_domain(file, text);
}

/* What keys and domains must say of each other; *sdi is that of which it is told. */
static const char *join(struct uet_keyfile *file, uint32_t *sdi)
{
    for (size_t i = 0; i < file->n_keys; i++) {
        const struct uet_key *key = &file->keys[i];
        if (!domain_of(file, key->params.sdi)) {
            file->domains[file->n_domains] = uet_key_domain_usual(key->params.sdi);
            file->domains[file->n_domains++].tx = UET_KEY_AN_ANY;
        }
        struct uet_key_domain *d = domain_of(file, *sdi = key->params.sdi);
        if (d->has_ssi && key->ssi == UET_KEY_SSI_NO)
            return "its key says ssi=no, but UET_DOMAIN gives it an SSI";
        if (d->tx == UET_KEY_AN_ANY)
            d->tx = key->params.an;
    }
    for (size_t i = 0; i < file->n_domains; i++) {
        *sdi = file->domains[i].sdi;
        if (file->domains[i].tx == UET_KEY_AN_ANY)
            return "UET_DOMAIN without a key: give it a line UET_SD";
        if (!uet_keyfile_slot(file, *sdi, file->domains[i].tx))
            return "tx names a slot without a key: give it a line UET_SD with that an";
    }
    return NULL;
}

/* ---- the file ---- */

static size_t count(const char *text, size_t n, const char *word)
{
    const char *end = text + n;
    size_t found = 0, len = strlen(word);
    while (text && text < end) {
        found += (size_t)(end - text) >= len && memcmp(text, word, len) == 0;
        text = memchr(text, '\n', (size_t)(end - text));
        if (text)
            text++;
    }
    return found;
}

static struct uet_keyfile *file_new(const char *text, size_t n, const char **wrong)
{
    size_t keys = count(text, n, "UET_SD "), domains = count(text, n, "UET_DOMAIN ");
    struct uet_keyfile *file = calloc(1, sizeof *file);
    *wrong = keys + domains > KEYS_MAX ? "too many keys: at most 4096 lines in a file"
                                       : "no memory left";
    if (!file || keys + domains > KEYS_MAX)
        return file;
    file->keys = uet_secret_new((keys + 1) * sizeof *file->keys);
    file->domains = calloc(keys + domains + 1, sizeof *file->domains);
    if (file->keys && file->domains)
        *wrong = NULL;
    return file;
}

/* Lines of a text that may be written to, until one is wrong: *at is its number then. */
static const char *take_lines(struct uet_keyfile *file, char *text, size_t n, unsigned *at)
{
    const char *wrong = NULL;
    for (char *end = text + n; !wrong && text < end; ++*at) {
        char *newline = memchr(text, '\n', (size_t)(end - text)), *stop = newline ? newline : end;
        *stop = '\0';
        wrong = take_line(file, text, (size_t)(stop - text));
        text = stop + 1;
    }
    return wrong;
}

/* text has a byte more than n. */
static struct uet_keyfile *parse(char *text, size_t n, const char *name, char *err, size_t size)
{
    unsigned at = 0;
    uint32_t sdi = 0;
    const char *wrong;
    struct uet_keyfile *file = file_new(text, n, &wrong);
    if (!wrong)
        wrong = take_lines(file, text, n, &at);
    const char *unfit = wrong ? NULL : join(file, &sdi);
    *err = '\0';
    if (wrong && at)
        snprintf(err, size, "%s:%u: %s", name, at, wrong);
    else if (wrong)
        snprintf(err, size, "%s: %s", name, wrong);
    else if (unfit)
        snprintf(err, size, "%s: sdi=0x%06x: %s", name, sdi, unfit);
    else if (!file->n_keys)
        snprintf(err, size,
                 "%s: no key; a line for each: UET_SD sdi=0x000001 an=0 mode=cluster "
                 "key=<64 hexadecimal digits>",
                 name);
    if (!*err)
        return file;
    uet_keyfile_free(file);
    return NULL;
}

struct uet_keyfile *uet_keyfile_parse(const char *text, size_t n, const char *name, char *err,
                                      size_t size)
{
    char *copy = uet_secret_new(n + 1);
    if (!copy) {
        snprintf(err, size, "%s: no memory left", name);
        return NULL;
    }
    if (n)
        memcpy(copy, text, n);
    struct uet_keyfile *file = parse(copy, n, name, err, size);
    uet_secret_free(copy);
    return file;
}

/* Twice the room, and the old one wiped. NULL: no more. */
static char *grow(char *text, size_t n, size_t *cap)
{
    char *more = *cap < FILE_MAX ? uet_secret_new(*cap * 2 + 1) : NULL;
    if (more)
        memcpy(more, text, n);
    uet_secret_free(text);
    *cap *= 2;
    return more;
}

/* All of it, and room for a byte more; *code is an errno, EFBIG of a file without end. */
static char *slurp(int fd, size_t *n, int *code)
{
    size_t cap = FILE_FIRST;
    char *text = uet_secret_new(cap + 1);
    ssize_t got = -1;
    *code = text ? 0 : ENOMEM;
    for (*n = 0; text && (got = read(fd, text + *n, cap - *n)) != 0;) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            *code = errno;
            uet_secret_free(text);
            return NULL;
        }
        *n += (size_t)got;
        if (*n == cap && !(text = grow(text, *n, &cap)))
            *code = EFBIG;
    }
    return text;
}

/* Whether others may look at it, or put their own keys into it. */
static void tell_rights(int fd, const char *path, char *err, size_t size)
{
    struct stat st;
    if (fstat(fd, &st) || !S_ISREG(st.st_mode) || !(st.st_mode & (S_IROTH | S_IWOTH | S_IWGRP)))
        return;
    snprintf(err, size, "%s: %s can %s these keys (mode %04o): chmod 600 %s", path,
             st.st_mode & (S_IROTH | S_IWOTH) ? "every user of this host" : "its group",
             st.st_mode & (S_IWOTH | S_IWGRP) ? "change" : "read", (unsigned)st.st_mode & 07777,
             path);
}

struct uet_keyfile *uet_keyfile_read(const char *path, char *err, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC), code = errno;
    size_t n;
    char *text = fd < 0 ? NULL : slurp(fd, &n, &code);
    struct uet_keyfile *file = text ? parse(text, n, path, err, size) : NULL;
    uet_secret_free(text);
    if (!text)
        snprintf(err, size, "%s: %s; give a file of keys that can be read", path, strerror(code));
    if (file)
        tell_rights(fd, path, err, size);
    if (fd >= 0)
        close(fd);
    return file;
}

void uet_keyfile_free(struct uet_keyfile *file)
{
    if (!file)
        return;
    uet_secret_free(file->keys);
    free(file->domains);
    free(file);
}

/* ---- looking ---- */

const struct uet_key *uet_keyfile_slot(const struct uet_keyfile *file, uint32_t sdi, uint8_t an)
{
    for (size_t i = 0; i < file->n_keys; i++)
        if (file->keys[i].params.sdi == sdi && file->keys[i].params.an == an)
            return &file->keys[i];
    return NULL;
}

int uet_keyfile_unsure(const struct uet_keyfile *file, uint32_t sdi)
{
    for (size_t i = 0; i < file->n_keys; i++) {
        const struct uet_key *key = &file->keys[i];
        uint8_t an = key->params.an;
        if (key->params.sdi == sdi && !uet_key_equal(key, uet_keyfile_slot(file, sdi, an)))
            return an;
    }
    return -1;
}

bool uet_key_equal(const struct uet_key *a, const struct uet_key *b)
{
    const struct uet_tss_params *p = &a->params, *q = &b->params;
    bool plain = p->sdi == q->sdi && a->an == b->an && a->ssi == b->ssi && p->mode == q->mode &&
                 p->rekey_mask == q->rekey_mask && p->rekey_shift == q->rekey_shift &&
                 p->encrypt_from == q->encrypt_from;
    bool key = uet_secret_equal(p->key, q->key, sizeof p->key);
    bool mask = uet_secret_equal(p->iv_mask, q->iv_mask, sizeof p->iv_mask);
    return plain && key && mask;
}

/* ---- writing ---- */

static const char *word_of(const struct word *of, uint8_t value)
{
    while (of->text && of->value != value)
        of++;
    return of->text;
}

static void write_hex(FILE *out, const char *column, const uint8_t *bytes, size_t n)
{
    fprintf(out, " %s=", column);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%02x", bytes[i]);
}

void uet_key_write(FILE *out, const struct uet_key *key)
{
    const struct uet_tss_params *p = &key->params;
    fprintf(out, "UET_SD sdi=0x%06x an=%s mode=%s ssi=%s", (unsigned)p->sdi, word_of(ans, key->an),
            word_of(modes, p->mode), word_of(ssis, key->ssi));
    write_hex(out, "key", p->key, sizeof p->key);
    if (p->mode == UET_TSS_MODE_DIRECT)
        write_hex(out, "iv_mask", p->iv_mask, sizeof p->iv_mask);
    if (p->rekey)
        fprintf(out, " rekey_mask=0x%012llx rekey_shift=%u", (unsigned long long)p->rekey_mask,
                p->rekey_shift);
    if (p->encrypt_from)
        fprintf(out, " encrypt_from=%u", p->encrypt_from);
    fputc('\n', out);
}

void uet_key_domain_write(FILE *out, const struct uet_key_domain *d)
{
    fprintf(out, "UET_DOMAIN sdi=0x%06x tx=%u epoch=%u", (unsigned)d->sdi, d->tx, d->epoch);
    if (d->has_ssi)
        fprintf(out, " ssi=0x%08x", (unsigned)d->ssi);
    fprintf(out, " jobs=%s", d->n_jobs ? "" : "any");
    for (uint8_t i = 0; i < d->n_jobs; i++)
        fprintf(out, "%s0x%06x", i ? "," : "", (unsigned)d->jobs[i]);
    fprintf(out, " start=%s max_epoch_age=%u auth_fail_threshold=%u counter_limit=%llu\n",
            word_of(starts, d->start), d->max_epoch_age, (unsigned)d->auth_fail_threshold,
            (unsigned long long)d->counter_limit);
}
