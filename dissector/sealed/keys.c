/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/sealed/keys.h"

#include <epan/uat.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <wsutil/report_message.h>
#include <wsutil/strtoi.h>

#define SDI_MAX     0xffffffu
#define COUNTER_MAX ((UINT64_C(1) << 48) - 1)
#define SHIFT_MAX   47
#define LINE_MAX_   1024

/* Rows of the table, as epan keeps them; and what the file says. */
static struct uetx_key *rows;
static guint n_rows;
static struct uetx_key *logged;
static size_t n_logged;
static const char *log_path = "";
static char *log_read_path; /* what logged is from */
static int64_t log_size = -1;
static int64_t log_time;
static unsigned version;

/* What is wrong with a row, with how to mend it; NULL: nothing. */
static const char *fault(const struct uetx_key *k)
{
    if (k->sdi > SDI_MAX)
        return "the SDI has 24 bits";
    if (k->key_len != UETX_KEY_BYTES)
        return "the key is 32 bytes long: 64 hexadecimal digits (AES-256)";
    if (k->iv_mask_len && k->iv_mask_len != UETX_IV_MASK_BYTES)
        return "the IV mask is empty or 12 bytes long: 24 hexadecimal digits";
    if (k->iv_mask_len && k->mode != UETX_KEYING_DIRECT)
        return "the IV mask is derived in this mode: leave it empty";
    if (k->rekey_mask && k->mode != UETX_KEYING_CLUSTER)
        return "automatic rekey is for cluster mode: make the rekey mask 0";
    if (k->rekey_shift && !k->rekey_mask)
        return "a rekey shift needs a rekey mask that is not 0: write one, or make the shift 0";
    if (k->rekey_mask > COUNTER_MAX || k->rekey_shift > SHIFT_MAX ||
        k->rekey_mask >> k->rekey_shift > UINT32_MAX)
        return "rekey: a mask of 48 bits and a shift up to 47 that leave at most 32 bits";
    return NULL;
}

static void erase(struct uetx_key *k)
{
    if (k->key)
        memset(k->key, 0, k->key_len);
    g_free(k->key);
    g_free(k->iv_mask);
    g_free(k->name);
    memset(k, 0, sizeof *k);
}

/* Callbacks of the table. */

static void *copy_row(void *to, const void *from, size_t n)
{
    struct uetx_key *a = to;
    const struct uetx_key *b = from;
    memcpy(a, b, n);
    a->name = g_strdup(b->name);
    a->key = (uetx_uat_byte_t *)g_memdup2(b->key, b->key_len);
    a->iv_mask = (uetx_uat_byte_t *)g_memdup2(b->iv_mask, b->iv_mask_len);
    return a;
}

static bool check_row(void *row, char **error)
{
    const struct uetx_key *k = row;
    const char *what = fault(k);
    if (what)
        *error = ws_strdup_printf("SDI 0x%06x: %s", k->sdi, what);
    return !what;
}

static uetx_row_bool_t update_row(void *row, char **error)
{
    return check_row(row, error);
}

static void free_row(void *row)
{
    erase(row);
}

static void rows_changed(void)
{
    version++;
}

static const value_string modes[] = {{UETX_KEYING_DIRECT, "direct"},
                                     {UETX_KEYING_CLUSTER, "cluster"},
                                     {UETX_KEYING_SERVER, "server"},
                                     {0, NULL}};
static const value_string ans[] = {{0, "0"}, {1, "1"}, {UETX_AN_ANY, "any"}, {0, NULL}};
static const value_string ssis[] = {
    {UETX_SSI_ANY, "any"}, {UETX_SSI_NO, "no"}, {UETX_SSI_YES, "yes"}, {0, NULL}};

/* The macros of uat.h convert as they like. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
UAT_HEX_CB_DEF(uetx_sd, sdi, struct uetx_key)
UAT_VS_DEF(uetx_sd, an, struct uetx_key, guint, UETX_AN_ANY, "any")
UAT_VS_DEF(uetx_sd, mode, struct uetx_key, guint, UETX_KEYING_CLUSTER, "cluster")
UAT_BUFFER_CB_DEF(uetx_sd, key, struct uetx_key, key, key_len)
UAT_BUFFER_CB_DEF(uetx_sd, iv_mask, struct uetx_key, iv_mask, iv_mask_len)
UAT_VS_DEF(uetx_sd, ssi, struct uetx_key, guint, UETX_SSI_ANY, "any")
UAT_HEX64_CB_DEF(uetx_sd, rekey_mask, struct uetx_key)
UAT_DEC_CB_DEF(uetx_sd, rekey_shift, struct uetx_key)
UAT_DEC_CB_DEF(uetx_sd, encrypt_from, struct uetx_key)
UAT_CSTRING_CB_DEF(uetx_sd, name, struct uetx_key)
#pragma GCC diagnostic pop

/* The key-log file: "UET_SD sdi=0x000001 an=0 mode=cluster key=..." and more of the columns. */

static bool hex_bytes(const char *text, uetx_uat_byte_t **out, guint *len)
{
    size_t n = strlen(text) / 2;
    uetx_uat_byte_t *bytes = g_new(uetx_uat_byte_t, n + 1);
    for (size_t i = 0; i < n; i++) {
        int high = g_ascii_xdigit_value(text[2 * i]), low = g_ascii_xdigit_value(text[2 * i + 1]);
        if (high < 0 || low < 0) {
            g_free(bytes);
            return false;
        }
        bytes[i] = (uetx_uat_byte_t)(high << 4 | low);
    }
    g_free(*out);
    *out = bytes;
    *len = (guint)n;
    return strlen(text) % 2 == 0;
}

static bool number(const char *text, uint64_t max, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 0);
    return text[0] != '-' && end != text && !*end && !errno && *out <= max;
}

static bool word(const char *text, const value_string *of, guint *out)
{
    for (; of->strptr; of++)
        if (strcmp(text, of->strptr) == 0) {
            *out = of->value;
            return true;
        }
    return false;
}

enum kind { NUMBER32, NUMBER64, WORD, BYTES, TEXT };

/* The columns of a line, and where they go. */
static const struct column {
    const char *name;
    enum kind kind;
    size_t offset;
    uint64_t max;
    const value_string *words;
} columns_of_line[] = {
    {"sdi", NUMBER32, offsetof(struct uetx_key, sdi), SDI_MAX, NULL},
    {"an", WORD, offsetof(struct uetx_key, an), 0, ans},
    {"mode", WORD, offsetof(struct uetx_key, mode), 0, modes},
    {"key", BYTES, offsetof(struct uetx_key, key), 0, NULL},
    {"iv_mask", BYTES, offsetof(struct uetx_key, iv_mask), 0, NULL},
    {"ssi", WORD, offsetof(struct uetx_key, ssi), 0, ssis},
    {"rekey_mask", NUMBER64, offsetof(struct uetx_key, rekey_mask), COUNTER_MAX, NULL},
    {"rekey_shift", NUMBER32, offsetof(struct uetx_key, rekey_shift), SHIFT_MAX, NULL},
    {"encrypt_from", NUMBER32, offsetof(struct uetx_key, encrypt_from), UINT16_MAX, NULL},
    {"name", TEXT, offsetof(struct uetx_key, name), 0, NULL},
};

static bool put(struct uetx_key *k, const struct column *c, const char *text)
{
    void *at = (char *)k + c->offset;
    uint64_t v;
    switch (c->kind) {
    case NUMBER32:
    case NUMBER64:
        if (!number(text, c->max, &v))
            return false;
        if (c->kind == NUMBER32)
            *(guint32 *)at = (guint32)v;
        else
            *(guint64 *)at = v;
        return true;
    case WORD:
        return word(text, c->words, at);
    case BYTES:
        return hex_bytes(
            text, at, c->offset == offsetof(struct uetx_key, key) ? &k->key_len : &k->iv_mask_len);
    default:
        g_free(k->name);
        k->name = g_strdup(text);
        return true;
    }
}

/* *had has a bit for each column that the line has had: which of two values would hold? */
static const char *set(struct uetx_key *k, const char *column, const char *text, unsigned *had)
{
    size_t i = 0;
    while (i < array_length(columns_of_line) && strcmp(column, columns_of_line[i].name) != 0)
        i++;
    if (i < array_length(columns_of_line) && *had & 1u << i)
        return "a column stands there twice: leave one of them";
    *had |= 1u << i;
    if (i < array_length(columns_of_line) && put(k, &columns_of_line[i], text))
        return NULL;
    return "unknown column or wrong value: sdi, an, mode, ssi, key, iv_mask, rekey_mask, "
           "rekey_shift, encrypt_from, name are known";
}

/* Reads one line into k; what is wrong with it, or NULL. Names no value: it may be a key. */
static const char *read_line(struct uetx_key *k, char *line)
{
    bool has_sdi = false;
    unsigned had = 0;
    *k = (struct uetx_key){.an = UETX_AN_ANY, .mode = UETX_KEYING_CLUSTER};
    strtok(line, " \t\r\n");
    for (char *part; (part = strtok(NULL, " \t\r\n"));) {
        char *value = strchr(part, '=');
        if (!value)
            return "expected column=value";
        *value++ = '\0';
        const char *wrong = set(k, part, value, &had);
        if (wrong)
            return wrong;
        has_sdi = has_sdi || strcmp(part, "sdi") == 0;
    }
    return has_sdi ? fault(k) : "sdi is missing";
}

static void forget_log(void)
{
    for (size_t i = 0; i < n_logged; i++)
        erase(&logged[i]);
    g_free(logged);
    logged = NULL;
    n_logged = 0;
}

static void read_log(FILE *f)
{
    char line[LINE_MAX_];
    for (unsigned at = 1; fgets(line, sizeof line, f); at++) {
        struct uetx_key k;
        if (strncmp(line, "UET_SD ", 7) != 0)
            continue; /* a comment, or what is for another protocol */
        const char *what = read_line(&k, line);
        if (what) {
            report_failure("%s:%u: %s", log_path, at, what);
            erase(&k);
            continue;
        }
        if (!k.name)
            k.name = g_strdup_printf("line %u of the key log", at);
        logged = g_renew(struct uetx_key, logged, n_logged + 1);
        logged[n_logged++] = k;
    }
    memset(line, 0, sizeof line);
}

void uetx_keys_refresh(void)
{
    struct stat st;
    bool same_path = log_read_path && strcmp(log_read_path, log_path) == 0;
    if (!log_path || !*log_path) {
        if (n_logged) {
            forget_log();
            version++;
        }
        return;
    }
    bool there = stat(log_path, &st) == 0;
    if (same_path && (!there || (st.st_size == log_size && st.st_mtime == log_time)))
        return;
    forget_log();
    version++;
    g_free(log_read_path);
    log_read_path = g_strdup(log_path);
    FILE *f = there ? fopen(log_path, "r") : NULL;
    if (!f) {
        report_failure("%s: %s: give uetx.keylog_file a file that can be read", log_path,
                       g_strerror(errno));
        return;
    }
    log_size = st.st_size;
    log_time = st.st_mtime;
    read_log(f);
    fclose(f);
}

static bool fits(const struct uetx_key *k, uint32_t sdi, uint8_t an)
{
    return k->sdi == sdi && (k->an == UETX_AN_ANY || k->an == an);
}

const struct uetx_key *uetx_keys_next(uint32_t sdi, uint8_t an, const struct uetx_key *k)
{
    bool in_log = logged && k >= logged && k < logged + n_logged;
    for (size_t i = in_log ? n_rows : k ? (size_t)(k - rows) + 1 : 0; i < n_rows; i++)
        if (fits(&rows[i], sdi, an))
            return &rows[i];
    for (size_t i = in_log ? (size_t)(k - logged) + 1 : 0; logged && i < n_logged; i++)
        if (fits(&logged[i], sdi, an))
            return &logged[i];
    return NULL;
}

uint16_t uetx_keys_number(const struct uetx_key *k)
{
    bool in_log = logged && k >= logged && k < logged + n_logged;
    return (uint16_t)(1 + (in_log ? n_rows + (size_t)(k - logged) : (size_t)(k - rows)));
}

unsigned uetx_keys_version(void)
{
    return version;
}

void uetx_keys_register(module_t *module)
{
    static uat_field_t columns[] = {
        UAT_FLD_HEX(uetx_sd, sdi, "SDI", "Secure domain, 24 bits, hexadecimal"),
        UAT_FLD_VS(uetx_sd, an, "AN", ans, "The key slot: 0, 1 or any"),
        UAT_FLD_VS(uetx_sd, mode, "Mode", modes,
                   "direct: the key of the packets (also that of a client of a server); cluster, "
                   "server: the key it is derived from"),
        UAT_FLD_BUFFER(uetx_sd, key, "Key", "64 hexadecimal digits"),
        UAT_FLD_BUFFER(uetx_sd, iv_mask, "IV mask", "24 hexadecimal digits, or empty (direct)"),
        UAT_FLD_VS(uetx_sd, ssi, "SSI", ssis, "ssi-mode: do packets carry a source id?"),
        UAT_FLD_HEX64(uetx_sd, rekey_mask, "Rekey mask", "0: no automatic rekey (cluster)"),
        UAT_FLD_DEC(uetx_sd, rekey_shift, "Rekey shift", "0 to 47"),
        UAT_FLD_DEC(uetx_sd, encrypt_from, "Encrypted from",
                    "First encrypted byte, counted from the first of the TSS header; 0: the byte "
                    "behind that header"),
        UAT_FLD_CSTRING(uetx_sd, name, "Name", "Shown where the key opened a packet"),
        UAT_END_FIELDS};
    uat_t *uat = uat_new("UET secure domains", sizeof *rows, "uetx_sd", TRUE, &rows, &n_rows,
                         UAT_AFFECTS_DISSECTION, NULL, copy_row, update_row, free_row, rows_changed,
                         NULL, columns);
    prefs_register_uat_preference(module, "sd", "Secure domains",
                                  "Keys and settings for encrypted packets (TSS, 3.7)", uat);
    prefs_register_filename_preference(module, "keylog_file", "Key-log file",
                                       "A line per key: UET_SD sdi=0x000001 an=0 mode=cluster "
                                       "key=<64 hexadecimal digits>; further columns as in the "
                                       "table of secure domains",
                                       &log_path, FALSE);
}
