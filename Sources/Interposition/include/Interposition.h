// Answers calls to libdispatch and the C library, from any library, if a simulation's thread makes them.
// The calls of all other threads are passed on.
//
// It is C for three reasons. It reads a thread-local variable before Swift's runtime may be used. It answers calls with a
// variable number of arguments. It answers calls on locks that the runtime itself takes.
#ifndef INTERPOSITION_H
#define INTERPOSITION_H

#if defined(__linux__) && !defined(__ANDROID__)

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>

// The calls that are answered for threads of simulations: result, name, parameters, arguments.
#define INTERPOSITION_FUNCTIONS(F) \
  F(void *, dispatch_queue_create, (const char *label, void *attributes), (label, attributes)) \
  F(void *, dispatch_queue_create_with_target, \
    (const char *label, void *attributes, void *target), (label, attributes, target)) \
  F(void, dispatch_async, (void *queue, void *block), (queue, block)) \
  F(void, dispatch_async_f, (void *queue, void *context, void (*work)(void *)), (queue, context, work)) \
  F(void, dispatch_barrier_async, (void *queue, void *block), (queue, block)) \
  F(void, dispatch_barrier_async_f, (void *queue, void *context, void (*work)(void *)), (queue, context, work)) \
  F(void, dispatch_sync, (void *queue, void *block), (queue, block)) \
  F(void, dispatch_sync_f, (void *queue, void *context, void (*work)(void *)), (queue, context, work)) \
  F(void, dispatch_barrier_sync, (void *queue, void *block), (queue, block)) \
  F(void, dispatch_barrier_sync_f, (void *queue, void *context, void (*work)(void *)), (queue, context, work)) \
  F(void, dispatch_async_and_wait, (void *queue, void *block), (queue, block)) \
  F(void, dispatch_barrier_async_and_wait, (void *queue, void *block), (queue, block)) \
  F(void, dispatch_after, (uint64_t when, void *queue, void *block), (when, queue, block)) \
  F(void, dispatch_after_f, (uint64_t when, void *queue, void *context, void (*work)(void *)), (when, queue, context, work)) \
  F(void, dispatch_apply, (size_t count, void *queue, void *block), (count, queue, block)) \
  F(void, dispatch_group_leave, (void *group), (group)) \
  F(void, dispatch_group_enter, (void *group), (group)) \
  F(void, dispatch_group_async, (void *group, void *queue, void *block), (group, queue, block)) \
  F(void, dispatch_group_notify, (void *group, void *queue, void *block), (group, queue, block)) \
  F(long, dispatch_group_wait, (void *group, uint64_t timeout), (group, timeout)) \
  F(long, dispatch_semaphore_wait, (void *semaphore, uint64_t timeout), (semaphore, timeout)) \
  F(long, dispatch_block_wait, (void *block, uint64_t timeout), (block, timeout)) \
  F(void, dispatch_block_notify, (void *block, void *queue, void *notification), (block, queue, notification)) \
  F(void *, dispatch_source_create, \
    (const void *type, uintptr_t handle, uintptr_t mask, void *queue), \
    (type, handle, mask, queue)) \
  F(void, dispatch_source_set_event_handler, (void *source, void *block), (source, block)) \
  F(void, dispatch_source_set_event_handler_f, (void *source, void (*handler)(void *)), (source, handler)) \
  F(void, dispatch_source_set_cancel_handler, (void *source, void *block), (source, block)) \
  F(void, dispatch_source_set_timer, \
    (void *source, uint64_t start, uint64_t interval, uint64_t leeway), \
    (source, start, interval, leeway)) \
  F(void, dispatch_source_cancel, (void *source), (source)) \
  F(void, dispatch_activate, (void *object), (object)) \
  F(void, dispatch_resume, (void *object), (object)) \
  F(void, dispatch_suspend, (void *object), (object)) \
  F(void, dispatch_set_target_queue, (void *object, void *queue), (object, queue)) \
  F(void, dispatch_assert_queue, (void *queue), (queue)) \
  F(void, dispatch_assert_queue_barrier, (void *queue), (queue)) \
  F(void, dispatch_assert_queue_not, (void *queue), (queue)) \
  F(void *, dispatch_get_specific, (const void *key), (key)) \
  F(const char *, dispatch_queue_get_label, (void *queue), (queue)) \
  F(void, dispatch_main, (void), ()) \
  F(void *, dispatch_io_create, \
    (uint64_t type, int descriptor, void *queue, void *cleanup), \
    (type, descriptor, queue, cleanup)) \
  F(void *, dispatch_io_create_with_path, \
    (uint64_t type, const char *path, int flags, uint16_t mode, void *queue, void *cleanup), \
    (type, path, flags, mode, queue, cleanup)) \
  F(void, dispatch_read, (int descriptor, size_t length, void *queue, void *handler), (descriptor, length, queue, handler)) \
  F(void, dispatch_write, (int descriptor, void *data, void *queue, void *handler), (descriptor, data, queue, handler)) \
  F(int, clock_gettime, (clockid_t clock, struct timespec *time), (clock, time)) \
  F(int, gettimeofday, (struct timeval *time, void *zone), (time, zone)) \
  F(time_t, time, (time_t *time), (time)) \
  F(int, timespec_get, (struct timespec *time, int base), (time, base)) \
  F(int, nanosleep, (const struct timespec *time, struct timespec *left), (time, left)) \
  F(int, clock_nanosleep, \
    (clockid_t clock, int flags, const struct timespec *time, struct timespec *left), \
    (clock, flags, time, left)) \
  F(int, usleep, (unsigned int microseconds), (microseconds)) \
  F(unsigned int, sleep, (unsigned int seconds), (seconds)) \
  F(int, sched_yield, (void), ()) \
  F(int, pthread_create, \
    (pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument), \
    (thread, attributes, start, argument)) \
  F(void, pthread_exit, (void *result), (result)) \
  F(int, pthread_join, (pthread_t thread, void **result), (thread, result)) \
  F(int, pthread_timedjoin_np, \
    (pthread_t thread, void **result, const struct timespec *time), (thread, result, time)) \
  F(int, pthread_clockjoin_np, \
    (pthread_t thread, void **result, clockid_t clock, const struct timespec *time), (thread, result, clock, time)) \
  F(int, sigtimedwait, \
    (const sigset_t *signals, siginfo_t *found, const struct timespec *time), (signals, found, time)) \
  F(int, pause, (void), ()) \
  F(int, sigsuspend, (const sigset_t *signals), (signals)) \
  F(unsigned int, alarm, (unsigned int seconds), (seconds)) \
  F(int, timer_create, (clockid_t clock, struct sigevent *event, timer_t *timer), (clock, event, timer)) \
  F(int, pthread_mutex_lock, (pthread_mutex_t *mutex), (mutex)) \
  F(int, pthread_mutex_timedlock, (pthread_mutex_t *mutex, const struct timespec *time), (mutex, time)) \
  F(int, pthread_rwlock_rdlock, (pthread_rwlock_t *lock), (lock)) \
  F(int, pthread_rwlock_wrlock, (pthread_rwlock_t *lock), (lock)) \
  F(int, pthread_rwlock_timedrdlock, (pthread_rwlock_t *lock, const struct timespec *time), (lock, time)) \
  F(int, pthread_rwlock_timedwrlock, (pthread_rwlock_t *lock, const struct timespec *time), (lock, time)) \
  F(int, pthread_rwlock_clockrdlock, \
    (pthread_rwlock_t *lock, clockid_t clock, const struct timespec *time), \
    (lock, clock, time)) \
  F(int, pthread_rwlock_clockwrlock, \
    (pthread_rwlock_t *lock, clockid_t clock, const struct timespec *time), \
    (lock, clock, time)) \
  F(int, pthread_mutex_clocklock, \
    (pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time), \
    (mutex, clock, time)) \
  F(int, pthread_barrier_wait, (pthread_barrier_t *barrier), (barrier)) \
  F(int, pthread_cond_wait, (pthread_cond_t *condition, pthread_mutex_t *mutex), (condition, mutex)) \
  F(int, pthread_cond_timedwait, \
    (pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time), \
    (condition, mutex, time)) \
  F(int, pthread_cond_clockwait, \
    (pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time), \
    (condition, mutex, clock, time)) \
  F(int, sem_wait, (sem_t *semaphore), (semaphore)) \
  F(int, sem_timedwait, (sem_t *semaphore, const struct timespec *time), (semaphore, time)) \
  F(int, sem_clockwait, (sem_t *semaphore, clockid_t clock, const struct timespec *time), (semaphore, clock, time)) \
  F(int, posix_spawn, \
    (pid_t *process, const char *path, const void *actions, const void *attributes, char *const *arguments, char *const *environment), \
    (process, path, actions, attributes, arguments, environment)) \
  F(int, epoll_wait, (int set, void *events, int count, int timeout), (set, events, count, timeout)) \
  F(int, ppoll, \
    (void *descriptors, unsigned long count, const struct timespec *timeout, const void *mask), \
    (descriptors, count, timeout, mask)) \
  F(int, poll, (void *descriptors, unsigned long count, int timeout), (descriptors, count, timeout)) \
  F(int, select, \
    (int count, fd_set *readable, fd_set *writable, fd_set *broken, struct timeval *timeout), \
    (count, readable, writable, broken, timeout)) \
  F(int, timerfd_settime, \
    (int timer, int flags, const struct itimerspec *value, struct itimerspec *former), \
    (timer, flags, value, former)) \
  F(void *, foundation_main_run_loop, (void), ()) \
  F(void *, foundation_current_run_loop, (void), ()) \
  F(void *, foundation_main_operation_queue, (void), ()) \
  F(void *, foundation_default_notification_center, (void), ()) \
  F(ssize_t, read, (int descriptor, void *memory, size_t count), (descriptor, memory, count)) \
  F(ssize_t, readv, (int descriptor, const void *pieces, int count), (descriptor, pieces, count)) \
  F(ssize_t, recv, (int socket, void *memory, size_t count, int flags), (socket, memory, count, flags)) \
  F(ssize_t, recvfrom, \
    (int socket, void *memory, size_t count, int flags, void *address, unsigned int *size), \
    (socket, memory, count, flags, address, size)) \
  F(ssize_t, recvmsg, (int socket, void *message, int flags), (socket, message, flags)) \
  F(int, accept, (int socket, void *address, unsigned int *size), (socket, address, size)) \
  F(int, accept4, (int socket, void *address, unsigned int *size, int flags), (socket, address, size, flags)) \
  F(int, flock, (int descriptor, int operation), (descriptor, operation)) \
  F(ssize_t, getrandom, (void *memory, size_t count, unsigned int flags), (memory, count, flags)) \
  F(int, getentropy, (void *memory, size_t count), (memory, count)) \
  F(long, random, (void), ()) \
  F(int, rand, (void), ()) \
  F(double, drand48, (void), ()) \
  F(long, lrand48, (void), ()) \
  F(long, mrand48, (void), ()) \
  F(uint32_t, arc4random, (void), ()) \
  F(uint32_t, arc4random_uniform, (uint32_t bound), (bound)) \
  F(void, arc4random_buf, (void *memory, size_t count), (memory, count)) \
  F(long, syscall, (long number, long a, long b, long c, long d, long e, long f), (number, a, b, c, d, e, f)) \
  F(int, pselect, \
    (int count, fd_set *readable, fd_set *writable, fd_set *broken, const struct timespec *timeout, const sigset_t *mask), \
    (count, readable, writable, broken, timeout, mask)) \
  F(int, epoll_pwait, \
    (int set, void *events, int count, int timeout, const sigset_t *mask), \
    (set, events, count, timeout, mask)) \
  F(int, setsockopt, \
    (int socket, int level, int name, const void *value, unsigned int size), \
    (socket, level, name, value, size)) \
  F(int, open, (const char *path, int flags, mode_t mode), (path, flags, mode)) \
  F(int, open64, (const char *path, int flags, mode_t mode), (path, flags, mode)) \
  F(int, openat, (int folder, const char *path, int flags, mode_t mode), (folder, path, flags, mode)) \
  F(int, openat64, (int folder, const char *path, int flags, mode_t mode), (folder, path, flags, mode)) \
  F(ssize_t, write, (int descriptor, const void *memory, size_t count), (descriptor, memory, count)) \
  F(ssize_t, pwrite, (int descriptor, const void *memory, size_t count, off_t place), (descriptor, memory, count, place)) \
  F(ssize_t, pwrite64, (int descriptor, const void *memory, size_t count, off_t place), (descriptor, memory, count, place)) \
  F(ssize_t, writev, (int descriptor, const void *pieces, int count), (descriptor, pieces, count)) \
  F(int, ftruncate, (int descriptor, off_t size), (descriptor, size)) \
  F(int, ftruncate64, (int descriptor, off_t size), (descriptor, size)) \
  F(int, fsync, (int descriptor), (descriptor)) \
  F(int, fdatasync, (int descriptor), (descriptor)) \
  F(int, syncfs, (int descriptor), (descriptor)) \
  F(void, sync, (void), ()) \
  F(int, rename, (const char *from, const char *to), (from, to)) \
  F(int, renameat, (int from_folder, const char *from, int to_folder, const char *to), (from_folder, from, to_folder, to)) \
  F(int, renameat2, \
    (int from_folder, const char *from, int to_folder, const char *to, unsigned int flags), \
    (from_folder, from, to_folder, to, flags)) \
  F(int, unlink, (const char *path), (path)) \
  F(int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags)) \
  F(int, mkdir, (const char *path, mode_t mode), (path, mode)) \
  F(int, rmdir, (const char *path), (path)) \
  F(int, thrd_create, (pthread_t *thread, int (*start)(void *), void *argument), (thread, start, argument)) \
  F(int, thrd_join, (pthread_t thread, int *result), (thread, result)) \
  F(void, thrd_exit, (int result), (result)) \
  F(int, thrd_sleep, (const struct timespec *time, struct timespec *left), (time, left)) \
  F(void, thrd_yield, (void), ()) \
  F(int, mtx_lock, (void *mutex), (mutex)) \
  F(int, mtx_timedlock, (void *mutex, const struct timespec *time), (mutex, time)) \
  F(int, cnd_wait, (void *condition, void *mutex), (condition, mutex)) \
  F(int, cnd_timedwait, (void *condition, void *mutex, const struct timespec *time), (condition, mutex, time))

// The calls that are answered for all threads, because a client may wait for a signal of another thread.
#define INTERPOSITION_FUNCTIONS_OF_ALL(F) \
  F(unsigned char, _CFIsMainThread, (void), ()) \
  F(int, pthread_cond_signal, (pthread_cond_t *condition), (condition)) \
  F(int, pthread_cond_broadcast, (pthread_cond_t *condition), (condition)) \
  F(int, cnd_signal, (void *condition), (condition)) \
  F(int, cnd_broadcast, (void *condition), (condition))

// The system calls that are answered, and the operations of a futex.
enum {
  interposition_futex = SYS_futex,
  interposition_getrandom = SYS_getrandom,
  interposition_clock_gettime = SYS_clock_gettime,
  interposition_gettimeofday = SYS_gettimeofday,
  interposition_nanosleep = SYS_nanosleep,
  interposition_clock_nanosleep = SYS_clock_nanosleep,
  interposition_sched_yield = SYS_sched_yield,
  interposition_ppoll = SYS_ppoll,
  interposition_pselect = SYS_pselect6,
  interposition_epoll_pwait = SYS_epoll_pwait,
  interposition_futex_wait = 0,
  interposition_futex_lock = 6,
  interposition_futex_wait_bitset = 9,
};

// One function for each call.
struct interposition_functions {
#define F(result, name, parameters, arguments) result (*name) parameters;
  INTERPOSITION_FUNCTIONS(F)
  INTERPOSITION_FUNCTIONS_OF_ALL(F)
#undef F
};

// The original functions; NULL for those that the process does not have.
extern struct interposition_functions interposition_real __attribute__((swift_attr("nonisolated(unsafe)")));

// Finds the original functions, and sets every library's slots to these answers. Call it again after libraries were
// loaded; it is cheap if none was.
void interposition_install(const struct interposition_functions *answers);

// Calls this function before a client's thread resumes a URLSession task; if it returns 1, the task is not resumed.
void interposition_answer_resume(int (*is_left_out)(void *task));

// The client thread that belongs to the calling thread; NULL on other threads, and while the scheduler works.
void *interposition_current(void);
// The same, also while the scheduler works.
void *interposition_owner(void);
void interposition_set_owner(void *thread);
// Passes all later calls on, because the process is dying and must report that. It may be called in a signal handler.
void interposition_end(void);
// Marks this thread as working for the scheduler, until it has left as often as it has entered.
void interposition_enter(void);
void interposition_leave(void);
// Lets the scheduler run a client's work, and returns the scheduler's depth, which is restored later.
int interposition_suspend(void);
void interposition_restore(int depth);

// The kernel's number of the calling thread, of a mutex's owner, and of a lock's writer.
int interposition_thread_number(void);
int interposition_owner_of(const pthread_mutex_t *mutex);
// Whether the owner of a mutex may lock it again, or then gets an error.
int interposition_is_recursive(const pthread_mutex_t *mutex);
int interposition_writer_of(const pthread_rwlock_t *lock);

// What a read of a descriptor depends on: the system's random numbers, a pipe, timer or socket that this process fills, or
// something else.
enum { interposition_other, interposition_chance, interposition_pipe };
int interposition_kind_of(int descriptor);

// Whether a descriptor's file is below a folder, and whether a path is; a relative path starts at a folder's descriptor.
int interposition_is_below(const char *folder, int descriptor);
int interposition_path_is_below(const char *folder, int start, const char *path);

// The return addresses of the calling thread, the latest call first. Code without frame pointers may end the list. After a
// function that may belong to a task, the addresses of the functions that await it follow. They are read from memory that
// looks like a task's, so some may be wrong.
struct interposition_frame { uintptr_t address; int is_awaiting; };
size_t interposition_frames(struct interposition_frame *frames, size_t capacity);
// Whether the calling thread initialises a static or global variable. Call the first function once in such an initialiser.
void interposition_learn_once(void);
int interposition_is_in_once(void);
// Whether the code at an address belongs to Foundation.
int interposition_is_foundation(const void *address);
// The path of the program or library that contains the code at an address; empty if unknown.
const char *interposition_file(uintptr_t address);
// The line of an instruction, 0 if it belongs to none, and the path of its file; -1 if no table contains it. Only one thread
// may call it at a time.
int64_t interposition_line(uintptr_t address, char *path, size_t size);
// The same for a task that is about to continue: its next address, and those of the functions that await it.
size_t interposition_task_frames(const void *job, struct interposition_frame *frames, size_t capacity);
// The same for a task that waits for a continuation; 0 if it does not, or if the address is not a task's any more.
size_t interposition_waiting_frames(const void *task, struct interposition_frame *frames, size_t capacity);

// What another thread was doing: the end of its stack, a hash of its registers and of its stack from a base on, and its
// return addresses.
struct interposition_sighting {
  uintptr_t stack;
  uint64_t state;
  size_t count;
  struct interposition_frame frames[64];
};
// Looks at a thread, given by the kernel's number; returns 0 if it does not respond. Only one thread may call it at a time.
// The other thread must be running, because the signal may end a call that waits.
int interposition_sight(int thread, uintptr_t base, struct interposition_sighting *result);

// Blocks of libdispatch.
void *interposition_block_copy(void *block);
void interposition_block_release(void *block);
void interposition_block_call(void *block);
void interposition_block_call_at(void *block, size_t index);

#endif
#endif
