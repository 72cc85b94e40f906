/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/selftest/sweep_doc.h"

#include "conformance/cli/args.h"
#include "conformance/report/outfile.h"

static const char intro[] =
    "<!-- SPDX-License-Identifier: BSD-2-Clause -->\n"
    "<!-- Made by `uetconform selftest --sweep --doc FILE`; `./dev docs` makes it again. -->\n"
    "# The mutant sweep: what survives, and why\n\n"
    "`uetconform selftest --sweep` breaks the reference FEP in ways that nobody chose: it inverts\n"
    "the last bit of each field of each header that the FEP sends, and drops, duplicates and "
    "delays\n"
    "(by 2 s) each kind of packet, one mutation at a time. The whole suite runs against each "
    "mutant\n"
    "until a test notices. A mutant that no test notices must have its reason in\n"
    "`conformance/violate/permitted.def`, or the sweep fails.\n\n";

static const char *text(const json_t *row, const char *key)
{
    const char *s = json_string_value(json_object_get(row, key));

    return s ? s : "**none: a hole**";
}

static void survivors_table(FILE *out, const json_t *survivors)
{
    size_t i;
    json_t *row;

    fprintf(out, "## Survivors\n\nNone of them breaks a requirement that has a test.\n\n"
                 "| header | field, or what is done to the packet | why no test need notice |\n"
                 "|---|---|---|\n");
    json_array_foreach(survivors, i, row)
    {
        fprintf(out, "| %s | %s | %s |\n", text(row, "header"), text(row, "what"),
                text(row, "permitted"));
    }
}

static void unsent_list(FILE *out, const json_t *unsent)
{
    size_t i;
    json_t *name;

    fprintf(out, "\n## Headers that no test makes the reference FEP send\n\nTheir mutants change "
                 "nothing. Some of these headers are sent by its variants (`uetfep --variant "
                 "list`), which the sweep does not run.\n\n");
    json_array_foreach(unsent, i, name)
    {
        fprintf(out, "%s`%s`", i ? ", " : "", json_string_value(name));
    }
    fprintf(out, "\n");
}

int uet_sweep_doc(const char *path, const json_t *survivors, const json_t *unsent)
{
    struct uet_outfile f;
    char error[600];

    if (uet_outfile_open(&f, path, error, sizeof(error)) < 0)
        return uet_setup_error("selftest", "%s", error);
    fputs(intro, f.out);
    survivors_table(f.out, survivors);
    unsent_list(f.out, unsent);
    if (uet_outfile_commit(&f, error, sizeof(error)) < 0)
        return uet_setup_error("selftest", "%s", error);
    return 0;
}
