/* Makes calls of the operating system fail, as a dying, full or read-only disk does.
 *
 * FAIL_CALL   the call: fdatasync, fsync, sync_file_range, pwrite or open
 * FAIL_FROM   from which time on, counting from one
 * FAIL_ERRNO  with which error
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static atomic_long times;

static int fails(const char *call) {
    const char *wanted = getenv("FAIL_CALL");
    if (!wanted || strcmp(wanted, call) != 0) return 0;
    if (atomic_fetch_add(&times, 1) + 1 < atol(getenv("FAIL_FROM"))) return 0;
    errno = atoi(getenv("FAIL_ERRNO"));
    return 1;
}

int fdatasync(int file) {
    if (fails("fdatasync")) return -1;
    return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}

int fsync(int file) {
    if (fails("fsync")) return -1;
    return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}

int sync_file_range(int file, off64_t offset, off64_t bytes, unsigned int flags) {
    if (fails("sync_file_range")) return -1;
    return ((int (*)(int, off64_t, off64_t, unsigned int))dlsym(RTLD_NEXT, "sync_file_range"))(
        file, offset, bytes, flags);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    if (fails("pwrite")) return -1;
    return ((ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64"))(
        file, bytes, count, offset);
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    if ((flags & (O_WRONLY | O_RDWR | O_CREAT)) && fails("open")) return -1;
    return ((int (*)(const char *, int, mode_t))dlsym(RTLD_NEXT, "open64"))(path, flags, mode);
}
