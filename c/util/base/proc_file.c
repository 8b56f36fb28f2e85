/* SPDX-License-Identifier: BSD-3-Clause */
#include "proc_file.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool proc_line(const char *folder, const char *name, const char *key, char *text, size_t room)
{
    char path[PATH_MAX], *line = NULL;
    size_t length = 0;
    bool found = false;
    FILE *file;

    text[0] = '\0';
    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "r");
    while (!found && file != NULL && getline(&line, &length, file) >= 0)
        found = strncmp(line, key, strlen(key)) == 0;
    if (found) {
        line[strcspn(line, "\n")] = '\0';
        snprintf(text, room, "%s", line + strlen(key));
    }
    free(line);
    if (file != NULL)
        fclose(file);
    return found;
}

double proc_number(const char *folder, const char *name, const char *key)
{
    char text[64], *end;
    double value;

    if (!proc_line(folder, name, key, text, sizeof text))
        return NAN;
    value = strtod(text, &end);
    return end > text ? value : NAN;
}

bool proc_has(const char *folder, const char *name)
{
    char path[PATH_MAX];
    glob_t found;
    bool any;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    any = glob(path, 0, NULL, &found) == 0;
    if (any)
        globfree(&found);
    return any;
}

char *proc_text(const char *path)
{
    FILE *const file = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;

    if (file == NULL)
        return NULL;
    if (getdelim(&text, &room, '\0', file) < 0) {
        const int error = errno;

        free(text);
        text = ferror(file) ? NULL : calloc(1, 1);
        errno = error;
    }
    fclose(file);
    return text;
}

const char *proc_sys(void)
{
    const char *root = getenv("ALIDADE_SYSFS");

    return root != NULL && root[0] != '\0' ? root : "/sys";
}
