/* SPDX-License-Identifier: BSD-3-Clause */
#include "gnuplot.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

bool gnuplot_is_there(void)
{
    const char *path = getenv("PATH");
    char file[4096];
    struct stat there;

    for (; path != NULL; path = strchr(path, ':')) {
        path += *path == ':';
        const int n = (int)strcspn(path, ":");

        snprintf(file, sizeof file, "%.*s/gnuplot", n, n > 0 ? path : ".");
        if (access(file, X_OK) == 0 && stat(file, &there) == 0 &&
            S_ISREG(there.st_mode))
            return true;
    }
    return false;
}

void gnuplot_quote(FILE *to, const char *text)
{
    fputc('\'', to);
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputc('\'', to);
        if (*text >= ' ' ||
            (signed char)*text < 0) /* no line ends within a string */
            fputc(*text, to);
    }
    fputc('\'', to);
}

FILE *gnuplot_begin(void)
{
    FILE *script = tmpfile();

    if (script != NULL)
        fputs("set encoding utf8\n", script);
    return script;
}

void gnuplot_terminal(FILE *script, const char *form)
{
    if (strcmp(form, "png") == 0)
        fputs("if (strstrt(GPVAL_TERMINALS, 'pngcairo')) "
              "{ set terminal pngcairo size 960,640 noenhanced } "
              "else { set terminal png size 960,640 noenhanced }\n",
              script);
    else if (strcmp(form, "pdf") == 0)
        fputs("set terminal pdfcairo size 24cm,16cm noenhanced\n", script);
    else
        fputs("set terminal svg size 960,640 noenhanced\n", script);
}

/* In characters, its drawing begins with a form feed, and its lines end in blanks. */
static void print_marked(FILE *from, FILE *to)
{
    char *line = NULL;
    size_t room = 0;

    rewind(from);
    while (getline(&line, &room, from) >= 0) {
        size_t n = strlen(line), skip = strspn(line, "\f\r\n");

        while (n > skip && strchr(" \f\r\n", line[n - 1]) != NULL)
            n--;
        fprintf(to, "# %.*s\n", (int)(n - skip), line + skip);
    }
    free(line);
    fflush(to);
}

/* The first words of what it complained about, on one line. */
static void read_complaint(FILE *from, char *why, size_t room)
{
    size_t n = 0;
    int c;

    rewind(from);
    while (n + 1 < room && (c = fgetc(from)) != EOF)
        if (c > ' ' || (n > 0 && why[n - 1] != ' '))
            why[n++] = c > ' ' ? (char)c : ' ';
    why[n] = '\0';
}

/* Its number; 0, and errno, if it cannot be started. */
static pid_t start(FILE *script, FILE *drawing, FILE *complaints)
{
    /* Read as a file: from a pipe gnuplot would go on after an error. */
    static const char *const words[] = { "gnuplot", "-d", "/dev/stdin", NULL };
    posix_spawn_file_actions_t actions;
    char *argv[4];
    pid_t pid;

    memcpy(argv, words, sizeof argv);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(drawing), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(complaints),
                                     STDERR_FILENO);
    errno = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return errno == 0 ? pid : 0;
}

bool gnuplot_run(FILE *script, FILE *to, char *why, size_t room)
{
    FILE *drawing = tmpfile(), *complaints = tmpfile();
    int status = 0;
    pid_t pid = 0;

    if (drawing != NULL && complaints != NULL && fflush(script) == 0 &&
        !ferror(script)) {
        rewind(script);
        pid = start(script, drawing, complaints);
    }
    if (pid == 0) {
        snprintf(why, room, "it could not be started: %s", strerror(errno));
    } else {
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
        print_marked(drawing, to);
        read_complaint(complaints, why, room);
        if (status != 0 && why[0] == '\0')
            snprintf(why, room, "its exit status=%d;",
                     WIFEXITED(status) ? WEXITSTATUS(status)
                                       : 128 + WTERMSIG(status));
    }
    if (drawing != NULL)
        fclose(drawing);
    if (complaints != NULL)
        fclose(complaints);
    return pid != 0 && status == 0;
}
