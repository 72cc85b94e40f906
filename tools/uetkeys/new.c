/* SPDX-License-Identifier: BSD-2-Clause */
/* uetkeys new: a key from the system's random bytes, as a line of a key file. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/idle_option.h"
#include "tools/uetkeys/command.h"
#include "wire/keyfile.h"
#include "wire/secret.h"

const char uetkeys_new_help[] =
    "usage: uetkeys new [option...] FILE\n"
    "A new random key as a line of a key file, which FEPs, `uetcat decode --keys`, `uetconform\n"
    "check --keys` and Wireshark read. Its owner alone can read the file.\n"
    "\n"
    "  --append            behind the lines of FILE; without it FILE must not be there\n"
    "  --sdi N             the secure domain, 24 bits (1)\n"
    "  --an 0|1            the slot (0)\n"
    "  --mode M            direct, cluster (default) or server\n"
    "  --iv-mask           mode direct: with a random IV mask; without it the mask is 0\n"
    "  --rekey-mask N, --rekey-shift N\n"
    "                      automatic rekey; mode cluster\n"
    "  --encrypt-from N    first encrypted byte, from the first of the TSS header on\n"
    "  --ssi-mode yes|no   do packets carry an SSI?\n"
    "What a FEP does in the domain, with a line of its own:\n"
    "  --tx 0|1            the slot to seal with\n"
    "  --epoch N           to seal with, 0 to 65535\n"
    "  --ssi N             its own SSI, 32 bits\n"
    "  --jobs LIST|any     JobIDs that it serves, as 1,2,0x30\n"
    "  --start S           expected-0rtt or random-1rtt\n"
    "  --help\n"
    "\n"
    "Examples:\n"
    "  uetkeys new --sdi 1 --mode cluster keys\n"
    "  uetkeys new --sdi 1 --an 1 --append keys\n"
    "  uetkeys new --sdi 2 --mode direct --ssi-mode yes --ssi 7 --jobs 1,2 fep.keys\n"
    "  tshark -o uetx.keylog_file:keys -r capture.pcapng\n";

/* An option that is a column of a line. */
enum { KEY = 1, DOMAIN = 2 };
static const struct {
    const char *column;
    int lines;
} columns[] = {{"sdi", KEY | DOMAIN}, {"an", KEY},           {"mode", KEY},    {"rekey_mask", KEY},
               {"rekey_shift", KEY},  {"encrypt_from", KEY}, {"ssi", KEY},     {"tx", DOMAIN},
               {"epoch", DOMAIN},     {"ssi", DOMAIN},       {"jobs", DOMAIN}, {"start", DOMAIN}};
enum { N_COLUMNS = sizeof columns / sizeof *columns };
enum { OPT_MODE = 3, OPT_APPEND = N_COLUMNS + 1, OPT_IV_MASK };

static const struct option options[] = {
    {"sdi", required_argument, NULL, 1},
    {"an", required_argument, NULL, 2},
    {"mode", required_argument, NULL, OPT_MODE},
    {"rekey-mask", required_argument, NULL, 4},
    {"rekey-shift", required_argument, NULL, 5},
    {"encrypt-from", required_argument, NULL, 6},
    {"ssi-mode", required_argument, NULL, 7},
    {"tx", required_argument, NULL, 8},
    {"epoch", required_argument, NULL, 9},
    {"ssi", required_argument, NULL, 10},
    {"jobs", required_argument, NULL, 11},
    {"start", required_argument, NULL, 12},
    {"append", no_argument, NULL, OPT_APPEND},
    {"iv-mask", no_argument, NULL, OPT_IV_MASK},
    {"help", no_argument, NULL, OPT_IV_MASK + 1}, /* which main has looked for */
    {NULL, 0, NULL, 0},
};

enum { FILE_TEXT_MAX = 1 << 20, LINES_MAX = 2048 };

struct order {
    const char *values[N_COLUMNS];
    bool append, iv_mask;
    const char *path;
};

static int read_options(struct order *o, int argc, char **argv)
{
    static const struct uet_idle_option idle[] = {{"rekey-shift", NULL, "rekey-mask"},
                                                  {NULL, NULL, NULL}};
    int c;

    o->values[0] = "1";
    o->values[1] = "0";
    opterr = 0;
    while ((c = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        if (c == '?' || c == ':')
            return uet_bad_option("uetkeys new", c, argv, options);
        if (c == OPT_APPEND)
            o->append = true;
        else if (c == OPT_IV_MASK)
            o->iv_mask = true;
        else if (c == OPT_MODE && strcmp(optarg, "beside") == 0) /* a mode of uetconform */
            return uetkeys_wrong("new", "--mode beside: that is no key mode (3.7.8); for a domain "
                                        "beside jobs in clear give --jobs");
        else if (strcspn(optarg, " \t\r\n") != strlen(optarg))
            return uetkeys_wrong("new", "a value has no blanks");
        else
            o->values[c - 1] = optarg;
    }
    if (uet_idle_options("uetkeys new", argc, argv, ":", options, idle, NULL) >= 0)
        return UETKEYS_USAGE;
    if (optind + 1 != argc)
        return uetkeys_wrong("new", "%s; see uetkeys new --help",
                             optind < argc ? "one FILE, not several" : "FILE is missing");
    o->path = argv[optind];
    return 0;
}

static bool add(char *text, size_t *n, const char *word, const char *value)
{
    size_t room = *n < FILE_TEXT_MAX ? FILE_TEXT_MAX - *n : 0;
    int wrote = snprintf(text + *n, room, value ? " %s=%s" : "%s", word, value);

    *n += (size_t)wrote;
    return (size_t)wrote < room;
}

static bool add_random(char *text, size_t *n, const char *column, size_t bytes)
{
    static const char digits[] = "0123456789abcdef";
    uint8_t random[UET_TSS_KEY_LEN];
    bool good = getrandom(random, bytes, 0) == (ssize_t)bytes && add(text, n, column, "") &&
                *n + 2 * bytes < FILE_TEXT_MAX;

    for (size_t i = 0; good && i < bytes; i++) {
        text[(*n)++] = digits[random[i] >> 4];
        text[(*n)++] = digits[random[i] & 15];
    }
    uet_tss_wipe(random, sizeof random);
    return good;
}

static bool add_lines(const struct order *o, char *text, size_t *n)
{
    bool domain = false, good = add(text, n, "UET_SD", NULL);

    for (size_t i = 0; i < N_COLUMNS; i++) {
        domain = domain || (o->values[i] && columns[i].lines == DOMAIN);
        if (o->values[i] && columns[i].lines & KEY)
            good = good && add(text, n, columns[i].column, o->values[i]);
    }
    good = good && add_random(text, n, "key", UET_TSS_KEY_LEN) &&
           (!o->iv_mask || add_random(text, n, "iv_mask", UET_TSS_IV_LEN)) &&
           add(text, n, "\n", NULL);
    if (domain)
        good = good && add(text, n, "UET_DOMAIN", NULL);
    for (size_t i = 0; domain && i < N_COLUMNS; i++)
        if (o->values[i] && columns[i].lines & DOMAIN)
            good = good && add(text, n, columns[i].column, o->values[i]);
    return good && (!domain || add(text, n, "\n", NULL));
}

/* What stands in the file already; 0, or a line on standard error. */
static int load(const struct order *o, char *text, size_t *n)
{
    struct stat st;

    *n = 0;
    if (!o->append)
        return lstat(o->path, &st) ? 0
                                   : uetkeys_wrong("new",
                                                   "%s is there already: --append adds to "
                                                   "it, or choose another FILE",
                                                   o->path);
    FILE *f = fopen(o->path, "re");
    if (!f)
        return uetkeys_wrong("new", "%s: %s: without --append it is made", o->path,
                             strerror(errno));
    setvbuf(f, NULL, _IONBF, 0); /* no copy of the keys elsewhere */
    *n = fread(text, 1, FILE_TEXT_MAX, f);
    bool whole = feof(f) && !ferror(f);
    fclose(f);
    if (*n && text[*n - 1] != '\n' && *n < FILE_TEXT_MAX)
        text[(*n)++] = '\n';
    return whole ? 0 : uetkeys_wrong("new", "%s: cannot be read, or has more than 1 MiB", o->path);
}

/* The file must make sense as a whole before it is written. */
static int check_and_write(const struct order *o, const char *text, size_t n)
{
    char err[400];
    struct uet_keyfile *file = uet_keyfile_parse(text, n, o->path, err, sizeof err);

    if (!file)
        return uetkeys_wrong("new", "%s", err);
    const uint32_t sdi = file->keys[file->n_keys - 1].params.sdi; /* the new one */
    const int an = uet_keyfile_unsure(file, sdi);
    uet_keyfile_free(file);
    if (an >= 0)
        return uetkeys_wrong("new",
                             "%s: several keys of AN %d in SDI 0x%06" PRIx32
                             ": no FEP could tell which one is in force",
                             o->path, an, sdi);
    int rc = uetkeys_replace(o->path, text, n);
    return rc ? uetkeys_wrong("new", "%s: cannot be written: %s", o->path, strerror(-rc)) : 0;
}

int uetkeys_new(int argc, char **argv)
{
    struct order o = {.path = ""};
    int rc = read_options(&o, argc, argv);
    char *text = rc ? NULL : uet_secret_new(FILE_TEXT_MAX + LINES_MAX);
    size_t n;

    if (rc)
        return rc;
    if (!text)
        return uetkeys_wrong("new", "no memory left");
    rc = load(&o, text, &n);
    if (!rc && !add_lines(&o, text, &n))
        rc = uetkeys_wrong("new", "no random bytes, or more than 1 MiB");
    if (!rc)
        rc = check_and_write(&o, text, n);
    uet_secret_free(text);
    return rc;
}
