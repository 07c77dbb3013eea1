// Finds what a descriptor or a path refers to.
#if defined(__linux__) && !defined(__ANDROID__)
#define _GNU_SOURCE
#include "Interposition.h"
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

int interposition_kind_of(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status)) return interposition_other;
  // /dev/random and /dev/urandom.
  if (S_ISCHR(status.st_mode) && (status.st_rdev == makedev(1, 8) || status.st_rdev == makedev(1, 9)))
    return interposition_chance;
  if (fcntl(descriptor, F_GETFL) & O_NONBLOCK) return interposition_other;
  // Timers and events have no type.
  if (S_ISFIFO(status.st_mode) || !(status.st_mode & S_IFMT)) return interposition_pipe;
  struct ucred peer;
  socklen_t size = sizeof peer;
  int is_own = S_ISSOCK(status.st_mode) && !getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size);
  return is_own && peer.pid == getpid() ? interposition_pipe : interposition_other;
}

static int begins(const char *path, const char *folder) {
  size_t length = strlen(folder);
  return !strncmp(path, folder, length) && (path[length] == '/' || !path[length]);
}

int interposition_is_below(const char *folder, int descriptor) {
  char link[32], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return begins(path, folder);
}

int interposition_path_is_below(const char *folder, int start, const char *path) {
  if (*path == '/') return begins(path, folder);
  return start != AT_FDCWD && interposition_is_below(folder, start);
}
#endif
