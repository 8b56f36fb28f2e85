/* SPDX-License-Identifier: BSD-3-Clause */
#include "stack.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <string.h>

#include "job/signal_text.h"

enum { DEEPEST = 64, SHOWN = 8 };

struct frame {
    const char *name; /* of the function; NULL: the linker knows none */
    const char *file; /* of its library */
    const void *base; /* where that is loaded; NULL: unknown */
};

void stack_prepare(void)
{
    void *address[1];

    /* The first call loads a library. */
    backtrace(address, 1);
}

static struct frame frame_of(void *address)
{
    Dl_info info;

    if (dladdr(address, &info) == 0)
        return (struct frame){ NULL, NULL, NULL };
    return (struct frame){ info.dli_sname, info.dli_fname, info.dli_fbase };
}

/* "MPI_Send" for MPI_Send and PMPI_Send; NULL: it is no call of MPI. */
static const char *call_of(const struct frame *f)
{
    if (f->name == NULL)
        return NULL;
    if (strncmp(f->name, "PMPI_", 5) == 0)
        return f->name + 1;
    return strncmp(f->name, "MPI_", 4) == 0 ? f->name : NULL;
}

static void append_frame(char *text, size_t room, const struct frame *f)
{
    const char *slash = f->file != NULL ? strrchr(f->file, '/') : NULL;

    if (f->name != NULL) {
        signal_append(text, room, f->name);
        return;
    }
    signal_append(text, room, "? of ");
    signal_append(text, room,
                  slash != NULL     ? slash + 1
                  : f->file != NULL ? f->file
                                    : "no file");
}

void stack_describe(char *text, size_t room)
{
    void *address[DEEPEST];
    const int n = backtrace(address, DEEPEST);
    const void *own = frame_of(address[0]).base;
    int first = 0, end;
    struct frame f;

    /* The handler itself, and what the kernel returns to after it. */
    while (first < n && frame_of(address[first]).base == own)
        first++;
    first++;
    for (end = n - 1; end >= first; end--) {
        f = frame_of(address[end]);
        if (call_of(&f) != NULL) {
            signal_append(text, room, "call=");
            signal_append(text, room, call_of(&f));
            signal_append(text, room, "; ");
            break;
        }
    }
    if (end < first)
        end = n;
    if (first >= end)
        return;
    signal_append(text, room, "stack=");
    for (int i = first; i < end && i < first + SHOWN; i++) {
        f = frame_of(address[i]);
        signal_append(text, room, i > first ? " < " : "");
        append_frame(text, room, &f);
    }
    signal_append(text, room, "; ");
}
