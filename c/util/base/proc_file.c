/* SPDX-License-Identifier: BSD-3-Clause */
#include "proc_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool proc_line(const char *path, const char *key, char *text, size_t room)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t length = 0;
    bool found = false;

    text[0] = '\0';
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

double proc_number(const char *path, const char *key)
{
    char text[64], *end;
    double value;

    if (!proc_line(path, key, text, sizeof text))
        return NAN;
    value = strtod(text, &end);
    return end > text ? value : NAN;
}

const char *proc_sys(void)
{
    const char *root = getenv("ALIDADE_SYSFS");

    return root != NULL && root[0] != '\0' ? root : "/sys";
}
