/* SPDX-License-Identifier: BSD-2-Clause */
/* Options that nobody would read: beside another one, without another one, or given once more. */
#ifndef UET_TOOLS_IDLE_OPTION_H
#define UET_TOOLS_IDLE_OPTION_H

#include <getopt.h>
#include <stdbool.h>

/* --option has no effect beside one of `with`, or without all of `without`. */
struct uet_idle_option {
    const char *option;  /* a long name; NULL ends a list */
    const char *with;    /* such a name; "*": any other option; NULL */
    const char *without; /* likewise, but "*"; "": it has none in this command */
};

/*
 * Looks through a command line that getopt_long takes (with these arguments) and leaves optind
 * behind its options. Of an option with a value that stands there twice, and is none of `many`
 * ("*": all may; NULL: none; else ends with a NULL), a line on standard error says that the last
 * one counts. Returns -1, or 2 (the exit status for usage) after a line that says which option has
 * no effect and how to mend it. who: the program and its command, as typed.
 */
int uet_idle_options(const char *who, int argc, char **argv, const char *shorts,
                     const struct option *options, const struct uet_idle_option *idle,
                     const char *const *many);

/*
 * The first option with a value that stands there twice, with both values; false: none does. optind
 * is as before any call of getopt_long then.
 */
struct uet_option_twice {
    const char *name, *values[2];
};
bool uet_options_twice(int argc, char **argv, const char *shorts, const struct option *options,
                       const char *const *many, struct uet_option_twice *twice);

#endif
