/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sub-commands of uetconform: one function and one file each. argv[0] is the sub-command's
 * name; the return value is the exit status (`uetconform --help` tells what each means).
 */
#ifndef UET_CONFORMANCE_COMMANDS_H
#define UET_CONFORMANCE_COMMANDS_H

enum {
    UET_EXIT_NOTHING = 3,      /* nothing was judged */
    UET_EXIT_INTERRUPTED = 130 /* by Ctrl-C or SIGTERM */
};

int uet_cmd_run(int argc, char **argv);
int uet_cmd_plan(int argc, char **argv);
int uet_cmd_quick(int argc, char **argv);
int uet_cmd_list(int argc, char **argv);
int uet_cmd_check(int argc, char **argv);
int uet_cmd_explain(int argc, char **argv);
int uet_cmd_coverage(int argc, char **argv);
int uet_cmd_selftest(int argc, char **argv);
int uet_cmd_report(int argc, char **argv);
int uet_cmd_diff(int argc, char **argv);
int uet_cmd_ut_check(int argc, char **argv);

#endif
