/* SPDX-License-Identifier: BSD-3-Clause */
#include "entry.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int entry_by_key(const void *one, const void *other)
{
    const struct entry *a = one, *b = other;
    const int difference[] = { a->call - b->call, a->step - b->step, a->ranks - b->ranks,
                               a->nodes - b->nodes };

    for (int i = 0; i < 4; i++)
        if (difference[i] != 0)
            return difference[i];
    return 0;
}

int entry_by_seconds(const void *one, const void *other)
{
    const struct entry *a = one, *b = other;

    return a->seconds == b->seconds ? entry_by_key(a, b) : a->seconds < b->seconds ? 1 : -1;
}

static void join(struct entry *to, const struct entry *from)
{
    to->holders += from->holders;
    to->count += from->count;
    to->bytes += from->bytes;
    to->seconds += from->seconds;
    to->shortest = fmin(to->shortest, from->shortest);
    to->least = fmin(to->least, from->least);
    to->most = fmax(to->most, from->most);
}

int entry_merge(struct entry *to, const struct entry *a, int n, const struct entry *b, int m)
{
    int k = 0;

    for (int i = 0, j = 0; i < n || j < m; k++) {
        const int order = i == n ? 1 : j == m ? -1 : entry_by_key(&a[i], &b[j]);
        to[k] = order <= 0 ? a[i++] : b[j++];
        if (order == 0)
            join(&to[k], &b[j++]);
    }
    return k;
}

const char *entry_size(int step, char text[16])
{
    static const char *const unit[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
    const int power = step - 1;

    if (step == 0)
        return "0 B";
    snprintf(text, 16, "%d %s", 1 << power % 10, unit[power / 10]);
    return text;
}

/* --- The file ------------------------------------------------------------------------ */

static bool is_written;

/* Of a signal's handler, too: no memory, no stream. */
__attribute__((format(printf, 2, 3))) static void put(int fd, const char *format, ...)
{
    char text[1024];
    va_list arguments;

    va_start(arguments, format);
    const int n = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (n < 0 || n >= (int)sizeof text || write(fd, text, n) != n)
        is_written = false;
}

/* "key": "text", as far as it fits; what is no ASCII is a question mark. */
static void put_text(int fd, const char *key, const char *text)
{
    char quoted[512];
    size_t n = 0;

    for (; *text != '\0' && n < sizeof quoted - 3; text++) {
        if (*text == '"' || *text == '\\')
            quoted[n++] = '\\';
        quoted[n++] = *text > '~' || *text < 0 ? '?' : *text < ' ' ? ' ' : *text;
    }
    quoted[n] = '\0';
    put(fd, "  \"%s\": \"%s\",\n", key, quoted);
}

/* The words that started this process. */
static void put_program(int fd)
{
    char words[512];
    const int file = open("/proc/self/cmdline", O_RDONLY);
    const ssize_t n = file < 0 ? 0 : read(file, words, sizeof words - 1);

    if (file >= 0)
        close(file);
    for (ssize_t i = 0; i + 1 < n; i++)
        if (words[i] == '\0')
            words[i] = ' ';
    words[n > 0 ? n : 0] = '\0';
    put_text(fd, "program", words);
}

static void put_entry(int fd, const struct entry *e, const char *name)
{
    put(fd, "\n    { \"call\": \"%s\", \"from_bytes\": %llu, \"ranks\": %d, \"nodes\": %d,", name,
        e->step == 0 ? 0 : 1ull << (e->step - 1), e->ranks, e->nodes);
    put(fd, " \"holders\": %d, \"count\": %llu, \"bytes\": %llu,", e->holders,
        (unsigned long long)e->count, (unsigned long long)e->bytes);
    put(fd, " \"seconds\": %.9f, \"shortest\": %.9f, \"least\": %.9f, \"most\": %.9f }", e->seconds,
        e->shortest, e->least, e->most);
}

double record_seconds_in_mpi(const struct record *record)
{
    double all = 0;

    for (int i = 0; i < record->n; i++)
        all += record->entry[i].seconds;
    return record->recorded > 0 ? all / record->recorded : 0;
}

bool record_write(const struct record *record)
{
    char part[PATH_MAX + 32];

    struct stat there;

    /* A device or a pipe is written to, and not replaced; nobody waits for a reader. */
    const bool is_replaced = stat(record->file, &there) != 0 || S_ISREG(there.st_mode);
    snprintf(part, sizeof part, "%s.%d.part", record->file, record->rank);
    const int fd = is_replaced ? open(part, O_WRONLY | O_CREAT | O_TRUNC, 0666)
                               : open(record->file, O_WRONLY | O_NONBLOCK);
    is_written = fd >= 0;
    if (!is_written)
        return false;
    put(fd, "{\n  \"alidade_record\": 1,\n");
    put_program(fd);
    put_text(fd, "library", record->library);
    put(fd, "  \"complete\": %s,\n", record->why == NULL ? "true" : "false");
    if (record->why != NULL)
        put_text(fd, "why", record->why);
    put(fd, "  \"ranks\": %d,\n  \"nodes\": %d,\n  \"recorded_ranks\": %d,\n", record->ranks,
        record->nodes, record->recorded);
    put(fd, "  \"seconds\": %.6f,\n  \"mpi_seconds\": %.6f,\n", record->seconds,
        record_seconds_in_mpi(record));
    put(fd, "  \"lost_calls\": %llu,\n  \"calls\": [", (unsigned long long)record->lost);
    for (int i = 0; i < record->n; i++) {
        put(fd, "%s", i > 0 ? "," : "");
        put_entry(fd, &record->entry[i], record->name_of(record->entry[i].call));
    }
    put(fd, "%s]\n}\n", record->n > 0 ? "\n  " : "");
    is_written = close(fd) == 0 && is_written;
    if (is_replaced && is_written && rename(part, record->file) != 0)
        is_written = false;
    if (is_replaced && !is_written)
        unlink(part);
    return is_written;
}
