/* SPDX-License-Identifier: BSD-2-Clause */
/* The sub-commands of uetcat: one file each, listed in main.c. */
#ifndef UETCAT_COMMAND_H
#define UETCAT_COMMAND_H

/* Exit statuses, as ping's: the answer was yes, it was no, the question was wrong. */
enum { UETCAT_YES = 0, UETCAT_NO = 1, UETCAT_USAGE = 2 };

/* argv[0] is the sub-command's name. Each prints its own messages and returns an exit status. */
int uetcat_atomic(int argc, char **argv);
int uetcat_craft(int argc, char **argv);
int uetcat_decode(int argc, char **argv);
int uetcat_listen(int argc, char **argv);
int uetcat_ping(int argc, char **argv);
int uetcat_read(int argc, char **argv);
int uetcat_send(int argc, char **argv);
int uetcat_tsend(int argc, char **argv);
int uetcat_write(int argc, char **argv);

/* The text of `uetcat NAME --help`. */
extern const char uetcat_atomic_help[];
extern const char uetcat_craft_help[];
extern const char uetcat_decode_help[];
extern const char uetcat_listen_help[];
extern const char uetcat_ping_help[];
extern const char uetcat_read_help[];
extern const char uetcat_send_help[];
extern const char uetcat_tsend_help[];
extern const char uetcat_write_help[];

#endif
