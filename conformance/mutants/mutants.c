/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Mistakes at random places of a C source: what `./dev mutants` puts into the reference FEP to see
 * whether the suite notices. It knows tokens and statements, no types: what does not compile is
 * thrown away by its caller.
 *
 *   uet_mutants list FILE...    a line for each mutation: id, line, old text, new text (tabs
 * between) uet_mutants apply FILE ID   the file with that mutation on standard output
 *
 * An id is FILE:FUNCTION:OPERATOR:N, N counting the operator's places in the function, so that it
 * outlives changes elsewhere in the file.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { WORD, NUMBER, TEXT, MARK };

struct token {
    size_t at, n; /* bytes in the source */
    unsigned line;
    enum kind kind;
    int function; /* index, -1: outside of functions */
    size_t match; /* of a bracket: its partner's index */
};

struct function {
    char name[80];
    bool is_void;
    size_t open; /* its first brace */
};

struct mutation {
    size_t at, n; /* bytes that go */
    char text[600];
    const char *operator;
    int function;
    unsigned line, ordinal;
};

struct source {
    const char *path;
    char *bytes;
    size_t size;
    struct token *tokens;
    size_t n_tokens;
    struct function *functions;
    size_t n_functions;
    struct mutation *mutations;
    size_t n_mutations, room;
};

static _Noreturn void die(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fputs("uet_mutants: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(2);
}

static void *zeroed(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);

    if (!p)
        die("no memory left");
    return p;
}

/* ---- reading ---- */

static void slurp(struct source *s)
{
    FILE *in = fopen(s->path, "rb");

    if (!in)
        die("%s: %s", s->path, strerror(errno));
    s->bytes = zeroed(1 << 20, 1);
    s->size = fread(s->bytes, 1, (1 << 20) - 1, in);
    if (ferror(in) || !feof(in))
        die("%s: cannot be read, or has more than 1 MiB", s->path);
    fclose(in);
}

/* The bytes of a comment or of a preprocessor line at p, else 0. */
static size_t skipped(const struct source *s, size_t at, bool line_start)
{
    const char *p = s->bytes + at, *end;

    if (p[0] == '/' && p[1] == '*') {
        end = strstr(p + 2, "*/");
        return end ? (size_t)(end + 2 - p) : strlen(p);
    }
    if (p[0] == '/' && p[1] == '/')
        return strcspn(p, "\n");
    if (p[0] != '#' || !line_start)
        return 0;
    size_t n = strcspn(p, "\n");
    while (n > 0 && p[n] && p[n - 1] == '\\')
        n += 1 + strcspn(p + n + 1, "\n");
    return n;
}

static size_t quoted(const char *p)
{
    size_t n = 1;

    while (p[n] && p[n] != p[0])
        n += p[n] == '\\' && p[n + 1] ? 2 : 1;
    return n + (p[n] != '\0');
}

static size_t mark_length(const char *p)
{
    static const char *const marks[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                        "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                        "*=",  "/=",  "%=",  "&=", "|=", "^="};

    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
        if (strncmp(p, marks[i], strlen(marks[i])) == 0)
            return strlen(marks[i]);
    return 1;
}

static size_t word_length(const char *p)
{
    size_t n = 0;

    while (isalnum((unsigned char)p[n]) || p[n] == '_')
        n++;
    return n;
}

static void tokenize(struct source *s)
{
    unsigned line = 1;
    bool line_start = true;

    s->tokens = zeroed(s->size + 1, sizeof(s->tokens[0]));
    for (size_t at = 0; at < s->size;) {
        const char *p = s->bytes + at;
        size_t n = skipped(s, at, line_start);
        if (n == 0 && isspace((unsigned char)*p))
            n = 1;
        if (n > 0) {
            for (size_t i = 0; i < n; i++)
                line += p[i] == '\n';
            line_start = p[n - 1] == '\n' || (line_start && isspace((unsigned char)*p));
            at += n;
            continue;
        }
        enum kind kind = isdigit((unsigned char)*p)                ? NUMBER
                         : isalpha((unsigned char)*p) || *p == '_' ? WORD
                         : *p == '"' || *p == '\''                 ? TEXT
                                                                   : MARK;
        n = kind == TEXT ? quoted(p) : kind == MARK ? mark_length(p) : word_length(p);
        s->tokens[s->n_tokens++] =
            (struct token){.at = at, .n = n, .line = line, .kind = kind, .function = -1};
        at += n;
        line_start = false;
    }
}

static bool is(const struct source *s, size_t i, const char *text)
{
    return i < s->n_tokens && s->tokens[i].n == strlen(text) &&
           memcmp(s->bytes + s->tokens[i].at, text, s->tokens[i].n) == 0;
}

static bool one_of(const struct source *s, size_t i, const char *const *list)
{
    for (; *list; list++)
        if (is(s, i, *list))
            return true;
    return false;
}

static void match_brackets(struct source *s)
{
    size_t *open = zeroed(s->n_tokens, sizeof(*open)), depth = 0;

    for (size_t i = 0; i < s->n_tokens; i++) {
        if (is(s, i, "(") || is(s, i, "{") || is(s, i, "["))
            open[depth++] = i;
        else if ((is(s, i, ")") || is(s, i, "}") || is(s, i, "]")) && depth > 0) {
            s->tokens[i].match = open[--depth];
            s->tokens[open[depth]].match = i;
        }
    }
    free(open);
}

/* NAME ( ... ) { at the outermost level begins a function. */
static void find_functions(struct source *s)
{
    s->functions = zeroed(s->n_tokens + 1, sizeof(s->functions[0]));
    for (size_t i = 0; i < s->n_tokens; i++) {
        if (!is(s, i, "{")) {
            if (is(s, i, "(") && !is(s, s->tokens[i].match + 1, "{"))
                i = s->tokens[i].match;
            continue;
        }
        size_t close = s->tokens[i].match, args = i ? s->tokens[i - 1].match : 0;
        if (i > 0 && is(s, i - 1, ")") && args > 1 && s->tokens[args - 1].kind == WORD) {
            struct function *f = &s->functions[s->n_functions];
            const struct token *name = &s->tokens[args - 1];

            snprintf(f->name, sizeof(f->name), "%.*s", (int)name->n, s->bytes + name->at);
            f->is_void = is(s, args - 2, "void");
            f->open = i;
            for (size_t k = i; k <= close; k++)
                s->tokens[k].function = (int)s->n_functions;
            s->n_functions++;
        }
        i = close;
    }
}

/* ---- mutations ---- */

/* What the bent build breaks on purpose, and counters that nobody judges, are left alone. */
static bool is_left_alone(const struct source *s, size_t at)
{
    static const char *const words[] = {"UET_VIOLATES", "COUNT(", "assert", NULL};
    size_t from = at, to = at;

    while (from > 0 && s->bytes[from - 1] != '\n')
        from--;
    while (to < s->size && s->bytes[to] != '\n')
        to++;
    for (const char *const *w = words; *w; w++) {
        const char *found = strstr(s->bytes + from, *w);
        if (found && found < s->bytes + to)
            return true;
    }
    return false;
}

static void propose(struct source *s, size_t token, size_t at, size_t n, const char *operator,
                    const char * format, ...) __attribute__((format(printf, 6, 7)));

static void propose(struct source *s, size_t token, size_t at, size_t n, const char *operator,
                    const char * format, ...)
{
    va_list args;

    if (s->tokens[token].function < 0 || is_left_alone(s, at))
        return;
    if (s->n_mutations == s->room) {
        s->room = s->room ? 2 * s->room : 256;
        s->mutations = realloc(s->mutations, s->room * sizeof(s->mutations[0]));
        if (!s->mutations)
            die("no memory left");
    }
    struct mutation *m = &s->mutations[s->n_mutations];
    *m = (struct mutation){.at = at,
                           .n = n,
                           .operator= operator,
                           .function = s->tokens[token].function,
                           .line = s->tokens[token].line,
                           .ordinal = 1};
    va_start(args, format);
    int length = vsnprintf(m->text, sizeof(m->text), format, args);
    va_end(args);
    if (length < 0 || (size_t)length >= sizeof(m->text))
        return; /* too long to be a slip */
    for (size_t i = 0; i < s->n_mutations; i++)
        if (s->mutations[i].function == m->function &&
            strcmp(s->mutations[i].operator, operator) == 0)
            m->ordinal = s->mutations[i].ordinal + 1;
    s->n_mutations++;
}

static void replace_token(struct source *s, size_t i, const char *operator, const char * text)
{
    propose(s, i, s->tokens[i].at, s->tokens[i].n, operator, "%s", text);
}

/* Does a value end before token i, so that + - & there have two operands? */
static bool is_binary(const struct source *s, size_t i)
{
    static const char *const not_values[] = {"return", "case", NULL};

    return i > 0 && !one_of(s, i - 1, not_values) &&
           (s->tokens[i - 1].kind == WORD || s->tokens[i - 1].kind == NUMBER || is(s, i - 1, ")") ||
            is(s, i - 1, "]"));
}

static void mutate_mark(struct source *s, size_t i)
{
    static const struct {
        const char *operator, * from, *to;
        bool binary;
    } table[] = {
        {"compare", "<", "<=", true},      {"compare", "<=", "<", true},
        {"compare", ">", ">=", true},      {"compare", ">=", ">", true},
        {"compare", "==", "!=", true},     {"compare", "!=", "==", true},
        {"logic", "&&", "||", true},       {"logic", "||", "&&", true},
        {"arithmetic", "+", "-", true},    {"arithmetic", "-", "+", true},
        {"arithmetic", "<<", ">>", true},  {"arithmetic", ">>", "<<", true},
        {"arithmetic", "&", "|", true},    {"arithmetic", "|", "&", true},
        {"arithmetic", "+=", "-=", false}, {"arithmetic", "-=", "+=", false},
        {"arithmetic", "|=", "&=", false}, {"arithmetic", "++", "--", false},
        {"arithmetic", "--", "++", false}, {"negate", "!", "", false},
    };

    for (size_t k = 0; k < sizeof(table) / sizeof(table[0]); k++)
        if (is(s, i, table[k].from) && (!table[k].binary || is_binary(s, i)))
            replace_token(s, i, table[k].operator, table[k].to);
}

static void mutate_number(struct source *s, size_t i)
{
    const struct token *t = &s->tokens[i];

    propose(s, i, t->at, t->n, "constant", "(%.*s + 1)", (int)t->n, s->bytes + t->at);
}

/* The argument of the call at `open` that begins at token i ends before the token returned. */
static size_t argument_end(const struct source *s, size_t i, size_t close)
{
    for (; i < close && !is(s, i, ","); i++)
        if (is(s, i, "(") || is(s, i, "[") || is(s, i, "{"))
            i = s->tokens[i].match;
    return i;
}

static void mutate_call(struct source *s, size_t i)
{
    size_t open = i + 1, close = s->tokens[open].match;
    size_t a = open + 1, comma = argument_end(s, a, close);

    /* The first argument is what the function works on: the ones behind it get mixed up. */
    for (; comma < close; a = comma + 1, comma = argument_end(s, a, close)) {
        size_t b = comma + 1, end = argument_end(s, b, close);
        size_t a_at = s->tokens[a].at, b_at = s->tokens[b].at;
        size_t a_n = s->tokens[comma - 1].at + s->tokens[comma - 1].n - a_at;
        size_t b_n = s->tokens[end - 1].at + s->tokens[end - 1].n - b_at;

        if (a == comma || b == end)
            return;
        if (a_n != b_n || memcmp(s->bytes + a_at, s->bytes + b_at, a_n) != 0)
            propose(s, i, a_at, b_at + b_n - a_at, "swap", "%.*s, %.*s", (int)b_n, s->bytes + b_at,
                    (int)a_n, s->bytes + a_at);
    }
}

/* The part of a member's name behind its last underscore: psn of next_psn. */
static const char *suffix(const char *name, size_t n, size_t *length)
{
    size_t at = n;

    while (at > 0 && name[at - 1] != '_')
        at--;
    *length = n - at;
    return name + at;
}

static bool is_member(const struct source *s, size_t i)
{
    return i > 0 && s->tokens[i].kind == WORD && (is(s, i - 1, "->") || is(s, i - 1, "."));
}

/* Another member whose name ends alike, the next one that the file uses. */
static void mutate_member(struct source *s, size_t i)
{
    const struct token *t = &s->tokens[i];
    const char *name = s->bytes + t->at;
    size_t n, other_n;
    const char *end = suffix(name, t->n, &n);

    for (size_t step = 1; step < s->n_tokens; step++) {
        size_t k = (i + step) % s->n_tokens;
        const struct token *o = &s->tokens[k];
        const char *other = s->bytes + o->at, *other_end;

        if (!is_member(s, k) || (o->n == t->n && memcmp(other, name, t->n) == 0))
            continue;
        other_end = suffix(other, o->n, &other_n);
        if (other_n != n || memcmp(end, other_end, n) != 0)
            continue;
        propose(s, i, t->at, t->n, "field", "%.*s", (int)o->n, other);
        return;
    }
}

static void mutate_word(struct source *s, size_t i)
{
    static const char *const no_calls[] = {"if",     "while",  "for",     "switch",
                                           "sizeof", "return", "defined", NULL};

    if (is(s, i, "true"))
        replace_token(s, i, "constant", "false");
    if (is(s, i, "false"))
        replace_token(s, i, "constant", "true");
    if (is_member(s, i))
        mutate_member(s, i);
    if (is(s, i, "if") && is(s, i + 1, "(")) {
        size_t a = s->tokens[i + 1].at, z = s->tokens[s->tokens[i + 1].match].at;
        propose(s, i, a, z + 1 - a, "negate", "(!%.*s)", (int)(z + 1 - a), s->bytes + a);
    }
    if (is(s, i + 1, "(") && !one_of(s, i, no_calls) && s->tokens[i].function >= 0)
        mutate_call(s, i);
}

/* A statement begins behind one of these, or behind the condition of an if, for or while. */
static bool begins_statement(const struct source *s, size_t i)
{
    static const char *const conditions[] = {"if", "for", "while", "switch", NULL};

    if (i == 0)
        return false;
    if (is(s, i - 1, ";") || is(s, i - 1, "{") || is(s, i - 1, "}") || is(s, i - 1, "else"))
        return true;
    size_t open = s->tokens[i - 1].match;
    return is(s, i - 1, ")") && open > 0 && one_of(s, open - 1, conditions);
}

/* An assignment or a call is deleted; a declaration or a jump is not. */
static void mutate_statement(struct source *s, size_t i)
{
    static const char *const others[] = {
        "return", "if",       "for",    "while",  "do",    "switch",   "case", "else",    "goto",
        "break",  "continue", "struct", "static", "const", "unsigned", "enum", "default", NULL};
    static const char *const zeros[] = {"0", "false", "NULL", NULL};
    size_t end = i, assign = 0;

    if (!begins_statement(s, i) || one_of(s, i, others) ||
        (s->tokens[i].kind != WORD && !is(s, i, "*") && !is(s, i, "(")))
        return;
    if (s->tokens[i].kind == WORD && i + 1 < s->n_tokens &&
        (s->tokens[i + 1].kind == WORD || is(s, i + 1, ":")))
        return; /* a declaration, a label */
    for (; end < s->n_tokens && !is(s, end, ";"); end++) {
        if (is(s, end, "=") && !assign)
            assign = end;
        if ((is(s, end, "{") && !assign) || is(s, end, "}"))
            return;
        if (is(s, end, "(") || is(s, end, "[") || is(s, end, "{"))
            end = s->tokens[end].match;
    }
    if (is(s, i, "*") && s->tokens[i + 1].kind == WORD && !assign)
        return;
    if (end >= s->n_tokens || s->tokens[end].function != s->tokens[i].function)
        return;
    size_t at = s->tokens[i].at;
    bool reset = assign && assign + 2 == end && one_of(s, assign + 1, zeros);
    propose(s, i, at, s->tokens[end].at - at, reset ? "reset" : "delete", "%s", "");
}

static void find_mutations(struct source *s)
{
    for (size_t f = 0; f < s->n_functions; f++) {
        const struct function *function = &s->functions[f];
        size_t body = s->tokens[function->open].at + 1;
        propose(s, function->open, body, 0, "return",
                function->is_void ? " if (1) return;" : " if (1) return 0;");
    }
    for (size_t i = 0; i < s->n_tokens; i++) {
        if (s->tokens[i].function < 0)
            continue;
        mutate_statement(s, i);
        if (s->tokens[i].kind == MARK)
            mutate_mark(s, i);
        else if (s->tokens[i].kind == NUMBER)
            mutate_number(s, i);
        else if (s->tokens[i].kind == WORD)
            mutate_word(s, i);
    }
}

static struct source open_source(const char *path)
{
    struct source s = {.path = path};

    slurp(&s);
    tokenize(&s);
    match_brackets(&s);
    find_functions(&s);
    find_mutations(&s);
    return s;
}

static void close_source(struct source *s)
{
    free(s->bytes);
    free(s->tokens);
    free(s->functions);
    free(s->mutations);
}

/* ---- commands ---- */

static void id_of(const struct source *s, const struct mutation *m, char *out, size_t n)
{
    snprintf(out, n, "%s:%s:%s:%u", s->path, s->functions[m->function].name, m->operator,
             m->ordinal);
}

/* One line, whatever it held. */
static void put_flat(const char *text, size_t n)
{
    bool space = false;

    for (size_t i = 0; i < n; i++) {
        bool blank = isspace((unsigned char)text[i]);
        if (!blank || !space)
            putchar(blank ? ' ' : text[i]);
        space = blank;
    }
}

static int list(const char *path)
{
    struct source s = open_source(path);
    char id[400];

    for (size_t i = 0; i < s.n_mutations; i++) {
        const struct mutation *m = &s.mutations[i];
        id_of(&s, m, id, sizeof(id));
        printf("%s\t%u\t", id, m->line);
        put_flat(s.bytes + m->at, m->n);
        putchar('\t');
        put_flat(m->text, strlen(m->text));
        putchar('\n');
    }
    close_source(&s);
    return 0;
}

static int apply(const char *path, const char *id)
{
    struct source s = open_source(path);
    char here[400];
    int rc = 2;

    for (size_t i = 0; i < s.n_mutations && rc; i++) {
        const struct mutation *m = &s.mutations[i];
        id_of(&s, m, here, sizeof(here));
        if (strcmp(here, id) != 0)
            continue;
        fwrite(s.bytes, 1, m->at, stdout);
        fputs(m->text, stdout);
        fwrite(s.bytes + m->at + m->n, 1, s.size - m->at - m->n, stdout);
        rc = 0;
    }
    close_source(&s);
    if (rc)
        fprintf(stderr, "uet_mutants: %s has no mutation %s: `uet_mutants list` names them\n", path,
                id);
    return rc;
}

int main(int argc, char **argv)
{
    int rc = 0;

    if (argc == 4 && strcmp(argv[1], "apply") == 0)
        return apply(argv[2], argv[3]);
    if (argc < 3 || strcmp(argv[1], "list") != 0)
        die("usage: uet_mutants list FILE... | apply FILE ID");
    for (int i = 2; i < argc && rc == 0; i++)
        rc = list(argv[i]);
    return fflush(stdout) == 0 && !ferror(stdout) ? rc : 2;
}
