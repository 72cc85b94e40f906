/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/report/text.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT 0xfffdu

/* The length that a first byte announces; 0 when it cannot begin a character. */
static size_t sequence_length(unsigned char c)
{
    if (c < 0x80)
        return 1;
    if (c >= 0xc2 && c <= 0xdf)
        return 2;
    if (c >= 0xe0 && c <= 0xef)
        return 3;
    return c >= 0xf0 && c <= 0xf4 ? 4 : 0;
}

/* Decodes one character of a NUL-terminated text; a bad byte is one U+FFFD. */
static uint32_t decode(const unsigned char **p)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *s = *p;
    size_t n = sequence_length(*s);
    uint32_t c = n == 1 ? *s : n ? *s & (0x7fu >> n) : REPLACEMENT;

    *p = s + 1;
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return REPLACEMENT;
        c = c << 6 | (s[i] & 0x3fu);
    }
    if (n > 1 && (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)))
        return REPLACEMENT;
    if (n > 1)
        *p = s + n;
    return c;
}

/* Controls (C0, DEL, C1) and non-characters: no place in XML, and unsafe on a terminal. */
static int unwanted(uint32_t c)
{
    return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0) || c == 0xfffe ||
           c == 0xffff;
}

static size_t encode(char out[4], uint32_t c)
{
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};

    for (size_t i = n; i-- > 1; c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)(n == 1 ? c : first[n] | c);
    return n;
}

size_t uet_text_clean(char *out, size_t size, const char *in)
{
    const unsigned char *p = (const unsigned char *)in;
    size_t at = 0;

    while (*p) {
        uint32_t c = decode(&p);
        char bytes[4];
        size_t n = encode(bytes, c);

        if (unwanted(c))
            continue;
        if (at + n >= size)
            break;
        memcpy(out + at, bytes, n);
        at += n;
    }
    out[at] = '\0';
    return at;
}

char *uet_text_dup(const char *in)
{
    if (!in)
        in = "";
    size_t size = strlen(in) * 3 + 1; /* a bad byte becomes three */
    char *out = malloc(size);

    if (out)
        uet_text_clean(out, size, in);
    return out;
}

void uet_put_xml(FILE *out, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        case '\'':
            fputs("&#39;", out);
            break;
        case '\n':
            fputs("&#10;", out); /* an attribute would turn it into a space */
            break;
        default:
            fputc(*text, out);
        }
}

void uet_put_url(FILE *out, const char *path)
{
    for (; *path; path++)
        if (isalnum((unsigned char)*path) || strchr("/._-~", *path))
            fputc(*path, out);
        else
            fprintf(out, "%%%02X", (unsigned char)*path);
}

void uet_put_first_line(FILE *out, const char *text, void (*put)(FILE *, const char *))
{
    char line[1024];

    snprintf(line, sizeof(line), "%.*s", (int)strcspn(text, "\n"), text);
    put(out, line);
}

/* The length of the folders of path that both share, each ending in '/'. */
static size_t shared_folders(const char *a, const char *b)
{
    size_t shared = 0;

    for (size_t i = 0; a[i] && a[i] == b[i]; i++)
        if (a[i] == '/')
            shared = i + 1;
    return shared;
}

const char *uet_relative_path(char *out, size_t size, const char *from, const char *to)
{
    while (strncmp(from, "./", 2) == 0)
        from += 2;
    while (strncmp(to, "./", 2) == 0)
        to += 2;
    snprintf(out, size, "%s", to);
    if ((*from == '/') != (*to == '/'))
        return out;
    size_t shared = shared_folders(from, to), at = 0;
    if (strstr(from + shared, ".."))
        return out; /* nothing can be said without asking the file system */
    out[0] = '\0';
    for (const char *p = from + shared; (p = strchr(p, '/')) && at + 4 < size; p++) {
        memcpy(out + at, "../", 4);
        at += 3;
    }
    snprintf(out + at, size - at, "%s", to + shared);
    return out;
}

const char *uet_shell_word(char *out, size_t size, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "@%_+=:,./-";
    size_t at = 0;

    if (*word && word[strspn(word, plain)] == '\0') {
        snprintf(out, size, "%s", word);
        return out;
    }
    out[0] = '\0';
    for (const char *p = word; at + 6 < size; p++) {
        if (p == word)
            out[at++] = '\'';
        if (*p == '\'')
            at += (size_t)snprintf(out + at, size - at, "'\\''");
        else if (*p)
            out[at++] = *p;
        else {
            out[at++] = '\'';
            break;
        }
    }
    out[at] = '\0';
    return out;
}
