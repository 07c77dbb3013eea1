#if defined(__linux__) && !defined(__ANDROID__)
#define _GNU_SOURCE
#include "SystemShapes.h"
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static struct timespec span(int milliseconds) {
  return (struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000L};
}

int shape_thrd_sleep(int milliseconds) {
  struct timespec time = span(milliseconds);
  return thrd_sleep(&time, NULL);
}

int shape_pselect(int milliseconds) {
  struct timespec time = span(milliseconds);
  return pselect(0, NULL, NULL, NULL, &time, NULL);
}

int shape_epoll_pwait(int milliseconds) {
  struct epoll_event event;
  int set = epoll_create1(0), count = epoll_pwait(set, &event, 1, milliseconds, NULL);
  close(set);
  return count;
}

int shape_timerfd(int milliseconds, int reads, int pause) {
  struct itimerspec time = {span(milliseconds), span(milliseconds)};
  int timer = timerfd_create(CLOCK_MONOTONIC, 0), due = 0;
  timerfd_settime(timer, 0, &time, NULL);
  while (reads-- > 0) {
    uint64_t count = 0;
    if (read(timer, &count, sizeof count) != sizeof count) break;
    due += (int)count;
    struct timespec rest = span(pause);
    nanosleep(&rest, NULL);
  }
  close(timer);
  return due;
}

int shape_syscall_nanosleep(int milliseconds) {
  struct timespec time = span(milliseconds);
  return (int)syscall(SYS_nanosleep, &time, NULL);
}

int shape_futex(uint32_t *word, uint32_t value, int milliseconds) {
  struct timespec time = span(milliseconds);
  while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == value)
    if (syscall(SYS_futex, word, FUTEX_WAIT, value, milliseconds ? &time : NULL, NULL, 0) && errno == ETIMEDOUT) return ETIMEDOUT;
  return 0;
}

struct flag {
  mtx_t mutex;
  cnd_t condition;
  int is_set, milliseconds;
};

static int set_flag(void *context) {
  struct flag *flag = context;
  struct timespec time = span(flag->milliseconds);
  thrd_sleep(&time, NULL);
  mtx_lock(&flag->mutex);
  flag->is_set = 1;
  cnd_signal(&flag->condition);
  mtx_unlock(&flag->mutex);
  return 7;
}

int shape_c11_thread(int milliseconds) {
  struct flag flag = {.milliseconds = milliseconds};
  thrd_t thread;
  int result = 0;
  mtx_init(&flag.mutex, mtx_plain);
  cnd_init(&flag.condition);
  if (thrd_create(&thread, set_flag, &flag) != thrd_success) return -1;
  mtx_lock(&flag.mutex);
  while (!flag.is_set) cnd_wait(&flag.condition, &flag.mutex);
  mtx_unlock(&flag.mutex);
  thrd_join(thread, &result);
  return result - 7;
}

int64_t shape_syscall_uptime(void) {
  struct timespec time;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

void shape_spin_without_frames(const int32_t *flag) {
#if defined(__x86_64__)
  __asm__ volatile("lea -128(%%rsp), %%rsp\n push %%rbp\n mov $-16, %%rbp\n"
                   "1: cmpl $0, (%0)\n je 1b\n"
                   "pop %%rbp\n lea 128(%%rsp), %%rsp" ::"r"(flag) : "memory", "cc");
#else
  while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE)) {}
#endif
}

static void *sleeper(void *milliseconds) {
  usleep((useconds_t)(intptr_t)milliseconds * 1000);
  return NULL;
}

int shape_timed_join(int milliseconds, int limit) {
  pthread_t thread;
  pthread_create(&thread, NULL, sleeper, (void *)(intptr_t)milliseconds);
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += limit / 1000;
  end.tv_nsec += limit % 1000 * 1000000L;
  return pthread_timedjoin_np(thread, NULL, &end);
}

int shape_socket_timeout(void) {
  struct timeval time = {1, 0};
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return -1;
  return setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
}
#endif
