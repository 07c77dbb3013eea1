// Answers calls that any library of the process makes to libdispatch and to the C library, for the threads that belong
// to a simulation; the calls of all other threads are passed on.
//
// C and not Swift, for three reasons: a thread's own variable that can be read before anything of Swift's runtime may be
// used, calls with a variable number of arguments, and locks that the runtime itself takes.
#ifndef INTERPOSITION_H
#define INTERPOSITION_H

#if defined(__linux__)

#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>

// Everything that is answered: result, name, parameters.
#define INTERPOSITION_FUNCTIONS(F) \
  F(void, dispatch_async, (void *queue, void *block)) \
  F(void, dispatch_async_f, (void *queue, void *context, void (*work)(void *))) \
  F(void, dispatch_barrier_async, (void *queue, void *block)) \
  F(void, dispatch_barrier_async_f, (void *queue, void *context, void (*work)(void *))) \
  F(void, dispatch_sync, (void *queue, void *block)) \
  F(void, dispatch_sync_f, (void *queue, void *context, void (*work)(void *))) \
  F(void, dispatch_barrier_sync, (void *queue, void *block)) \
  F(void, dispatch_barrier_sync_f, (void *queue, void *context, void (*work)(void *))) \
  F(void, dispatch_async_and_wait, (void *queue, void *block)) \
  F(void, dispatch_barrier_async_and_wait, (void *queue, void *block)) \
  F(void, dispatch_after, (uint64_t when, void *queue, void *block)) \
  F(void, dispatch_after_f, (uint64_t when, void *queue, void *context, void (*work)(void *))) \
  F(void, dispatch_apply, (size_t count, void *queue, void *block)) \
  F(void, dispatch_group_leave, (void *group)) \
  F(void, dispatch_group_enter, (void *group)) \
  F(void, dispatch_group_async, (void *group, void *queue, void *block)) \
  F(void, dispatch_group_notify, (void *group, void *queue, void *block)) \
  F(long, dispatch_group_wait, (void *group, uint64_t timeout)) \
  F(long, dispatch_semaphore_wait, (void *semaphore, uint64_t timeout)) \
  F(long, dispatch_block_wait, (void *block, uint64_t timeout)) \
  F(void, dispatch_block_notify, (void *block, void *queue, void *notification)) \
  F(void *, dispatch_source_create, (const void *type, uintptr_t handle, uintptr_t mask, void *queue)) \
  F(void, dispatch_source_set_event_handler, (void *source, void *block)) \
  F(void, dispatch_source_set_event_handler_f, (void *source, void (*handler)(void *))) \
  F(void, dispatch_source_set_cancel_handler, (void *source, void *block)) \
  F(void, dispatch_source_set_timer, (void *source, uint64_t start, uint64_t interval, uint64_t leeway)) \
  F(void, dispatch_source_cancel, (void *source)) \
  F(void, dispatch_activate, (void *object)) \
  F(void, dispatch_resume, (void *object)) \
  F(void, dispatch_suspend, (void *object)) \
  F(void, dispatch_set_target_queue, (void *object, void *queue)) \
  F(void, dispatch_assert_queue, (void *queue)) \
  F(void, dispatch_assert_queue_barrier, (void *queue)) \
  F(void, dispatch_assert_queue_not, (void *queue)) \
  F(void *, dispatch_get_specific, (const void *key)) \
  F(const char *, dispatch_queue_get_label, (void *queue)) \
  F(void, dispatch_main, (void)) \
  F(void *, dispatch_io_create, (uint64_t type, int descriptor, void *queue, void *cleanup)) \
  F(void *, dispatch_io_create_with_path, \
    (uint64_t type, const char *path, int flags, uint16_t mode, void *queue, void *cleanup)) \
  F(void, dispatch_read, (int descriptor, size_t length, void *queue, void *handler)) \
  F(void, dispatch_write, (int descriptor, void *data, void *queue, void *handler)) \
  F(int, clock_gettime, (clockid_t clock, struct timespec *time)) \
  F(int, gettimeofday, (struct timeval *time, void *zone)) \
  F(time_t, time, (time_t *time)) \
  F(int, timespec_get, (struct timespec *time, int base)) \
  F(int, nanosleep, (const struct timespec *time, struct timespec *left)) \
  F(int, clock_nanosleep, (clockid_t clock, int flags, const struct timespec *time, struct timespec *left)) \
  F(int, usleep, (unsigned int microseconds)) \
  F(unsigned int, sleep, (unsigned int seconds)) \
  F(int, sched_yield, (void)) \
  F(int, pthread_create, (pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)) \
  F(void, pthread_exit, (void *result)) \
  F(int, pthread_join, (pthread_t thread, void **result)) \
  F(int, pthread_mutex_lock, (pthread_mutex_t *mutex)) \
  F(int, pthread_mutex_timedlock, (pthread_mutex_t *mutex, const struct timespec *time)) \
  F(int, pthread_rwlock_rdlock, (pthread_rwlock_t *lock)) \
  F(int, pthread_rwlock_wrlock, (pthread_rwlock_t *lock)) \
  F(int, pthread_rwlock_timedrdlock, (pthread_rwlock_t *lock, const struct timespec *time)) \
  F(int, pthread_rwlock_timedwrlock, (pthread_rwlock_t *lock, const struct timespec *time)) \
  F(int, pthread_rwlock_clockrdlock, (pthread_rwlock_t *lock, clockid_t clock, const struct timespec *time)) \
  F(int, pthread_rwlock_clockwrlock, (pthread_rwlock_t *lock, clockid_t clock, const struct timespec *time)) \
  F(int, pthread_mutex_clocklock, (pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time)) \
  F(int, pthread_barrier_wait, (pthread_barrier_t *barrier)) \
  F(int, pthread_cond_wait, (pthread_cond_t *condition, pthread_mutex_t *mutex)) \
  F(int, pthread_cond_timedwait, (pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time)) \
  F(int, pthread_cond_clockwait, \
    (pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time)) \
  F(int, pthread_cond_signal, (pthread_cond_t *condition)) \
  F(int, pthread_cond_broadcast, (pthread_cond_t *condition)) \
  F(int, sem_wait, (sem_t *semaphore)) \
  F(int, sem_timedwait, (sem_t *semaphore, const struct timespec *time)) \
  F(int, sem_clockwait, (sem_t *semaphore, clockid_t clock, const struct timespec *time)) \
  F(int, posix_spawn, \
    (pid_t *process, const char *path, const void *actions, const void *attributes, char *const *arguments, \
     char *const *environment)) \
  F(int, epoll_wait, (int set, void *events, int count, int timeout)) \
  F(int, ppoll, (void *descriptors, unsigned long count, const struct timespec *timeout, const void *mask)) \
  F(int, poll, (void *descriptors, unsigned long count, int timeout)) \
  F(int, select, (int count, fd_set *readable, fd_set *writable, fd_set *broken, struct timeval *timeout)) \
  F(int, timerfd_settime, (int timer, int flags, const struct itimerspec *value, struct itimerspec *former)) \
  F(unsigned char, _CFIsMainThread, (void)) \
  F(void *, foundation_main_run_loop, (void)) \
  F(void *, foundation_main_operation_queue, (void)) \
  F(ssize_t, read, (int descriptor, void *memory, size_t count)) \
  F(ssize_t, getrandom, (void *memory, size_t count, unsigned int flags)) \
  F(int, getentropy, (void *memory, size_t count)) \
  F(long, random, (void)) \
  F(int, rand, (void)) \
  F(double, drand48, (void)) \
  F(long, lrand48, (void)) \
  F(long, mrand48, (void)) \
  F(uint32_t, arc4random, (void)) \
  F(uint32_t, arc4random_uniform, (uint32_t bound)) \
  F(void, arc4random_buf, (void *memory, size_t count)) \
  F(long, syscall, (long number, long a, long b, long c, long d, long e, long f))

// The system calls that are answered, and what is asked of a futex.
enum {
  interposition_futex = SYS_futex,
  interposition_getrandom = SYS_getrandom,
  interposition_futex_wait = 0,
  interposition_futex_lock = 6,
  interposition_futex_wait_bitset = 9,
};

// One function for each, as they are and as they are answered.
struct interposition_functions {
#define F(result, name, parameters) result (*name) parameters;
  INTERPOSITION_FUNCTIONS(F)
#undef F
};

// The functions themselves; those that the process does not have are NULL.
extern struct interposition_functions interposition_real __attribute__((swift_attr("nonisolated(unsafe)")));

// Finds the functions, and sets every library's slots to these answers. Again when libraries were loaded since; cheap
// when none was.
void interposition_install(const struct interposition_functions *answers);

// Has each task of URLSession's that a client's thread resumes looked at first; one that is left out is not resumed.
void interposition_answer_resume(int (*is_left_out)(void *task));

// Who is told of what a client does that is not captured: its own code, not a library of the system or of the toolchain.
struct interposition_watcher {
  // It asks what time it is, waits for some, or has something done in real time; in a task on its simulation's own thread or
  // elsewhere. A wait is left out if it is answered with anything but 0. Asked with NULL, it says whether a call would matter.
  int (*real_time)(const char *call, int is_in_task);
  // It has blocked its simulation's own thread, for whatever may come.
  int (*blocking)(const char *call);
  // It stops a task of URLSession's, or a session, on any other thread.
  void (*stopping)(const char *call, void *object);
};
// Has all of this told from here on.
void interposition_watch(struct interposition_watcher watcher);
// Says that the calling thread runs a task of a simulation's client from here on, and gives back what was said before: for how
// many milliseconds it may be blocked without being asked about it, or 0 where it runs none.
int interposition_set_in_task(int value);

// The client's thread that the calling thread is; NULL on all others, and while the scheduler itself is at work.
void *interposition_current(void);
// The same, whoever is at work.
void *interposition_owner(void);
void interposition_set_owner(void *thread);
// Passes every call on from here on: the process is dying, and whoever sees to that is no client, whatever thread he is on.
// May be called in a signal's handler.
void interposition_end(void);
// The scheduler is at work on this thread until it is left as often as it was entered.
void interposition_enter(void);
void interposition_leave(void);
// Runs a client's work inside of the scheduler's, and gives back how deep the scheduler was, to be set again.
int interposition_suspend(void);
void interposition_restore(int depth);

// The kernel's number of the calling thread, and those that own a mutex or write under a lock.
int interposition_thread_number(void);
int interposition_owner_of(const pthread_mutex_t *mutex);
int interposition_writer_of(const pthread_rwlock_t *lock);

// What reads of a descriptor depend on: one of the system's sources of chance, or somebody of this process who fills a pipe or
// a timer.
enum { interposition_other, interposition_chance, interposition_pipe };
int interposition_kind_of(int descriptor);

// Where the calling thread's functions go on, the last call first, as far as their frames can be followed by pointers: code
// without such pointers may end that. After the place of a function that may be a task's there are those of the functions
// that await it: memory that looks like it may say so of others, and what it says may be no place at all.
struct interposition_frame { uintptr_t address; int is_awaiting; };
size_t interposition_frames(struct interposition_frame *frames, size_t capacity);
// The same of a task that is about to go on: where it does, and those that await it.
size_t interposition_task_frames(const void *job, struct interposition_frame *frames, size_t capacity);

// Blocks of libdispatch.
void *interposition_block_copy(void *block);
void interposition_block_release(void *block);
void interposition_block_call(void *block);
void interposition_block_call_at(void *block, size_t index);

#endif
#endif
