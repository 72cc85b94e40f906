/* SPDX-License-Identifier: BSD-2-Clause */
/* Text that came from elsewhere (a FEP, a file, a packet), made safe to print and to embed. */
#ifndef UET_REPORT_TEXT_H
#define UET_REPORT_TEXT_H

#include <stddef.h>
#include <stdio.h>

/*
 * Copies in to out (size bytes, size >= 1) as valid UTF-8 without control characters but newline
 * and tab: bytes that are no UTF-8 become U+FFFD, other controls vanish. What does not fit is cut
 * between two characters. Returns the length.
 */
size_t uet_text_clean(char *out, size_t size, const char *in);

/* A clean copy of in that the caller frees, or NULL when memory is out. NULL copies as "". */
char *uet_text_dup(const char *in);

/* Writes clean text into HTML or XML, as content or inside double quotes. */
void uet_put_xml(FILE *out, const char *text);

/* Writes a path as a relative URL inside double quotes. */
void uet_put_url(FILE *out, const char *path);

/* Writes the first line of text. */
void uet_put_first_line(FILE *out, const char *text, void (*put)(FILE *, const char *));

/*
 * The way from the folder of file `from` to file `to`, both absolute or both relative to the
 * working directory: ("out/report.html", "out/pcap/a.pcapng") gives "pcap/a.pcapng". When there
 * is none it is `to` itself. Returns out.
 */
const char *uet_relative_path(char *out, size_t size, const char *from, const char *to);

/* A word for a POSIX shell: quoted when it has to be. Returns out (size bytes). */
const char *uet_shell_word(char *out, size_t size, const char *word);

#endif
