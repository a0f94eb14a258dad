/* Records what a process writes to the files of one folder, in order, for simulated power cuts.
 *
 * Loaded with LD_PRELOAD. POWER_FOLDER is the absolute path of the folder, POWER_LOG the file that records are appended
 * to; it must be outside of the folder. Each record is one write to a file opened with O_APPEND, so records of several
 * threads and processes never mix. tests/faults/power_recording.py reads them.
 *
 * A write is recorded after it was done, a sync both before and after: a write counts as synced only if its record
 * precedes the beginning of a sync that was completed. Where threads compete, that errs on the side of "not synced".
 *
 * Calls inside of libc are not seen. So the content of a file that was written through stdio is recorded as a whole
 * when it is synced or renamed.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define MAX_FDS 65536

struct header {
    uint32_t size; /* of the whole record */
    uint32_t kind;
    uint64_t inode;
    int64_t offset; /* of a write; the new size for a truncation; of a sync: its number */
    uint32_t path_size;
    uint32_t data_size;
} __attribute__((packed));

enum { CREATE = 'C', OPEN = 'O', WRITE = 'W', CONTENT = 'F', TRUNCATE = 'T', SYNC = 'S', SYNCED = 'E', RENAME = 'R', UNLINK = 'U' };

static char folder[PATH_MAX];
static size_t folder_size;
static int log_fd = -1;
static int64_t syncs;
/* Whether a descriptor is a file of the folder that was opened for writing through us. */
static char known[MAX_FDS];

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_writev)(int, const struct iovec *, int);
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static int (*real_ftruncate)(int, off64_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_rename)(const char *, const char *);
static int (*real_unlink)(const char *);
static int (*real_close)(int);

static void record(uint32_t kind, uint64_t inode, int64_t offset, const char *path, const void *data, size_t size) {
    if (log_fd < 0)
        return;
    int before = errno;
    struct header header = {0, kind, inode, offset, (uint32_t)strlen(path), (uint32_t)size};
    header.size = sizeof header + header.path_size + header.data_size;
    struct iovec parts[3] = {{&header, sizeof header}, {(void *)path, header.path_size}, {(void *)data, size}};
    if (real_writev(log_fd, parts, 3) != (ssize_t)header.size)
        abort(); /* an incomplete recording would prove nothing */
    errno = before;
}

__attribute__((constructor)) static void begin(void) {
    real_write = dlsym(RTLD_NEXT, "write");
    real_writev = dlsym(RTLD_NEXT, "writev");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_rename = dlsym(RTLD_NEXT, "rename");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_close = dlsym(RTLD_NEXT, "close");
    const char *wanted = getenv("POWER_FOLDER"), *log = getenv("POWER_LOG");
    if (!wanted || !log || !realpath(wanted, folder))
        return;
    folder_size = strlen(folder);
    log_fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    /* A number that no program expects to be free. */
    int moved = fcntl(log_fd, F_DUPFD_CLOEXEC, 900);
    if (moved >= 0) {
        syscall(SYS_close, log_fd);
        log_fd = moved;
    }
}

/* Write the path of a descriptor inside the folder to `path` ("" for the folder itself); return false if it is outside. */
static int inside(int fd, char *path) {
    char name[64], found[PATH_MAX];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(name, found, sizeof found - 1);
    if (size < 0)
        return 0;
    found[size] = 0;
    if (strncmp(found, folder, folder_size) != 0 || (found[folder_size] && found[folder_size] != '/'))
        return 0;
    strcpy(path, found[folder_size] ? found + folder_size + 1 : "");
    return 1;
}

/* The same for a path, which need not exist any more: its folder must. */
static int inside_path(const char *given, char *path) {
    char copy[PATH_MAX], absolute[PATH_MAX];
    if (strlen(given) >= sizeof copy)
        return 0;
    strcpy(copy, given);
    char *slash = strrchr(copy, '/');
    const char *name = given;
    if (slash) {
        name = given + (slash - copy) + 1;
        *slash = 0;
    }
    if (!realpath(slash ? (copy[0] ? copy : "/") : ".", absolute))
        return 0;
    if (strncmp(absolute, folder, folder_size) != 0 || (absolute[folder_size] && absolute[folder_size] != '/'))
        return 0;
    if (absolute[folder_size])
        snprintf(path, PATH_MAX, "%s/%s", absolute + folder_size + 1, name);
    else
        snprintf(path, PATH_MAX, "%s", name);
    return 1;
}

static uint64_t inode_of(int fd) {
    struct stat64 status;
    return fstat64(fd, &status) ? 0 : (uint64_t)status.st_ino;
}

static int opened(int fd, int flags, int existed) {
    char path[PATH_MAX];
    if (fd < 0 || fd >= MAX_FDS || log_fd < 0)
        return fd;
    int before = errno;
    known[fd] = 0;
    if (inside(fd, path)) {
        struct stat64 status;
        known[fd] = !fstat64(fd, &status) && S_ISREG(status.st_mode) && (flags & O_ACCMODE) != O_RDONLY;
        if (known[fd]) {
            record((flags & O_CREAT) && !existed ? CREATE : OPEN, status.st_ino, 0, path, NULL, 0);
            if (existed && (flags & O_TRUNC))
                record(TRUNCATE, status.st_ino, 0, path, NULL, 0);
        }
    }
    errno = before;
    return fd;
}

static int exists(int at, const char *path, int flags) {
    struct stat64 status;
    int before = errno;
    int found = !(flags & O_CREAT) || !fstatat64(at, path, &status, 0);
    errno = before;
    return found;
}

#define MODE                                                     \
    mode_t mode = 0;                                             \
    if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) { \
        va_list list;                                            \
        va_start(list, flags);                                   \
        mode = va_arg(list, mode_t);                             \
        va_end(list);                                            \
    }

static int open_any(int at, const char *path, int flags, mode_t mode) {
    int existed = exists(at, path, flags);
    return opened((int)syscall(SYS_openat, at, path, flags, mode), flags, existed);
}

int open(const char *path, int flags, ...) { MODE return open_any(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE return open_any(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE return open_any(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE return open_any(at, path, flags, mode); }

int close(int fd) {
    if (fd == log_fd)
        return 0; /* programs close all descriptors when they become a daemon */
    if (fd >= 0 && fd < MAX_FDS)
        known[fd] = 0;
    /* An allocator may open and close files before the constructor runs. */
    return real_close ? real_close(fd) : (int)syscall(SYS_close, fd);
}

static int is_known(int fd) { return fd >= 0 && fd < MAX_FDS && known[fd]; }

static void record_at(uint32_t kind, int fd, int64_t offset, const void *data, size_t size) {
    int before = errno;
    record(kind, inode_of(fd), offset, "", data, size);
    errno = before;
}

ssize_t write(int fd, const void *data, size_t size) {
    ssize_t written = real_write ? real_write(fd, data, size) : syscall(SYS_write, fd, data, size);
    if (written > 0 && is_known(fd))
        record_at(WRITE, fd, lseek64(fd, 0, SEEK_CUR) - written, data, (size_t)written);
    return written;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    ssize_t written = real_writev(fd, parts, count);
    if (written > 0 && is_known(fd))
        abort(); /* no program under test writes files like this */
    return written;
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset) {
    ssize_t written = real_pwrite(fd, data, size, offset);
    if (written > 0 && is_known(fd))
        record_at(WRITE, fd, offset, data, (size_t)written);
    return written;
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) { return pwrite64(fd, data, size, offset); }

int ftruncate64(int fd, off64_t size) {
    int result = real_ftruncate(fd, size);
    if (!result && is_known(fd))
        record_at(TRUNCATE, fd, size, NULL, 0);
    return result;
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

/* Record the whole content of a file that was written through stdio. */
static void record_content(int fd) {
    struct stat64 status;
    if (fstat64(fd, &status) || !S_ISREG(status.st_mode))
        return;
    char *data = malloc((size_t)status.st_size + 1), path[PATH_MAX];
    ssize_t size = data && inside(fd, path) ? pread64(fd, data, (size_t)status.st_size, 0) : -1;
    if (size < 0 && data && inside(fd, path)) {
        /* The descriptor may be for writing only. */
        char name[64];
        snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
        int again = (int)syscall(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC);
        size = again < 0 ? -1 : pread64(again, data, (size_t)status.st_size, 0);
        if (again >= 0)
            syscall(SYS_close, again);
    }
    if (size >= 0)
        record(CONTENT, status.st_ino, 0, path, data, (size_t)size);
    free(data);
}

static int synced(int fd, int (*real)(int)) {
    char path[PATH_MAX];
    int is_inside = log_fd >= 0 && inside(fd, path);
    int64_t number = 0;
    if (is_inside) {
        struct stat64 status;
        int is_folder = !fstat64(fd, &status) && S_ISDIR(status.st_mode);
        if (!is_folder && !is_known(fd))
            record_content(fd);
        number = __atomic_add_fetch(&syncs, 1, __ATOMIC_SEQ_CST) + ((int64_t)getpid() << 32);
        /* A folder has no inode here: the path says which one is meant. */
        record(SYNC, is_folder ? 0 : inode_of(fd), number, path, NULL, 0);
    }
    int result = real(fd);
    if (is_inside && !result)
        record(SYNCED, inode_of(fd), number, path, NULL, 0);
    return result;
}

int fsync(int fd) { return synced(fd, real_fsync); }
int fdatasync(int fd) { return synced(fd, real_fdatasync); }

int rename(const char *from, const char *to) {
    char source[PATH_MAX], target[PATH_MAX], both[2 * PATH_MAX];
    int is_inside = log_fd >= 0 && inside_path(from, source) && inside_path(to, target);
    int result = real_rename(from, to);
    if (is_inside && !result) {
        int size = snprintf(both, sizeof both, "%s", target);
        record(RENAME, 0, 0, source, both, (size_t)size);
    }
    return result;
}

int unlink(const char *path) {
    char inside_folder[PATH_MAX];
    int is_inside = log_fd >= 0 && inside_path(path, inside_folder);
    int result = real_unlink(path);
    if (is_inside && !result)
        record(UNLINK, 0, 0, inside_folder, NULL, 0);
    return result;
}
