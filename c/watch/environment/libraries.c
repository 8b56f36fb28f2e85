/* SPDX-License-Identifier: BSD-3-Clause */
#include "libraries.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum form {
    FORM_NONE,   /* it does not say, or only by touching a device */
    FORM_TEXT,   /* const char *f(void) */
    FORM_FABRIC, /* uint32_t f(void): 65536 * major + minor */
    FORM_CUDA,   /* int f(int *): 1000 * major + 10 * minor */
};

/* Each function is named by the library's own header, and only returns a constant. */
static const struct known {
    const char *name, *function;
    enum form form;
} known[] = {
    { "libucp", "ucp_get_version_string", FORM_TEXT },
    { "libuct", NULL, FORM_NONE },
    { "libfabric", "fi_version", FORM_FABRIC },
    { "libpsm2", NULL, FORM_NONE },
    { "libpsm3", NULL, FORM_NONE },
    { "libibverbs", NULL, FORM_NONE },
    { "librdmacm", NULL, FORM_NONE },
    { "libefa", NULL, FORM_NONE },
    { "libcxi", NULL, FORM_NONE },
    { "libportals", NULL, FORM_NONE },
    { "libxpmem", NULL, FORM_NONE },
    { "libknem", NULL, FORM_NONE },
    { "libhcoll", NULL, FORM_NONE },
    { "libucc", "ucc_get_version_string", FORM_TEXT },
    { "libsharp_coll", NULL, FORM_NONE },
    { "libpmix", "PMIx_Get_version", FORM_TEXT },
    { "libcuda", "cuDriverGetVersion", FORM_CUDA },
    { "libcudart", "cudaRuntimeGetVersion", FORM_CUDA },
    { "libnccl", NULL, FORM_NONE },
    { "libgdrapi", NULL, FORM_NONE },
    { "libamdhip64", NULL, FORM_NONE },
    { "libze_loader", NULL, FORM_NONE },
};
enum { KNOWN = sizeof known / sizeof *known };

/* The known library of that file; NULL: none.  "libucp.so.0.0.0", "libucp-1a2b.so.0":
   what follows the name must not go on as a word, as in libucp_extra.so. */
static const struct known *find(const char *file)
{
    for (size_t i = 0; i < KNOWN; i++) {
        const size_t n = strlen(known[i].name);

        if (strncmp(file, known[i].name, n) == 0 &&
            (file[n] == '.' || file[n] == '-') && strstr(file, ".so") != NULL)
            return &known[i];
    }
    return NULL;
}

static const char *file_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

int libraries_match(const char *path, struct library *l)
{
    const struct known *k = find(file_of(path));

    if (k == NULL)
        return 0;
    *l = (struct library){ .version = "" };
    snprintf(l->name, sizeof l->name, "%s", k->name);
    snprintf(l->file, sizeof l->file, "%.63s", file_of(path));
    return 1;
}

/* Ask the library: of that very file, since MPI keeps what it opens to itself. */
static void ask(const char *path, const struct known *k, struct library *l)
{
    void *handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    void *symbol = NULL;
    union {
        void *symbol;
        const char *(*text)(void);
        uint32_t (*fabric)(void);
        int (*cuda)(int *);
    } function;
    uint32_t fabric;
    int cuda = 0;

    if (handle != NULL && k->function != NULL)
        symbol = dlsym(handle, k->function);
    function.symbol = symbol;
    if (symbol != NULL && k->form == FORM_TEXT) {
        /* Of "OpenPMIx 4.2.2 (PMIx Standard: ...)" the first part. */
        const char *text = function.text();
        size_t n = strcspn(text, "(,");

        while (n > 0 && text[n - 1] == ' ')
            n--;
        snprintf(l->version, sizeof l->version, "%.*s", (int)n, text);
    } else if (symbol != NULL && k->form == FORM_FABRIC) {
        fabric = function.fabric();
        snprintf(l->version, sizeof l->version, "%u.%u", fabric >> 16,
                 fabric & 0xffff);
    } else if (symbol != NULL && k->form == FORM_CUDA &&
               function.cuda(&cuda) == 0 && cuda > 0) {
        snprintf(l->version, sizeof l->version, "%d.%d", cuda / 1000,
                 cuda % 1000 / 10);
    }
    if (handle != NULL)
        dlclose(handle);
}

static int is_listed(const struct library *list, int n, const char *file)
{
    for (int i = 0; i < n; i++)
        if (strcmp(list[i].file, file) == 0)
            return 1;
    return 0;
}

int libraries_find(struct library list[LIBRARIES_MAX])
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char *line = NULL;
    size_t room = 0;
    int n = 0;

    while (n < LIBRARIES_MAX && maps != NULL &&
           getline(&line, &room, maps) >= 0) {
        char *path = strchr(line, '/');

        if (path == NULL)
            continue;
        path[strcspn(path, "\n")] = '\0';
        if (libraries_match(path, &list[n]) &&
            !is_listed(list, n, list[n].file)) {
            ask(path, find(file_of(path)), &list[n]);
            n++;
        }
    }
    free(line);
    if (maps != NULL)
        fclose(maps);
    return n;
}
