// Waits of C code that cannot be written in Swift.
#ifndef SYSTEM_SHAPES_H
#define SYSTEM_SHAPES_H

#include <stdint.h>

#if defined(__linux__) && !defined(__ANDROID__)
// Each waits for this many milliseconds, and returns 0 if the call did what it should.
int shape_thrd_sleep(int milliseconds);
int shape_pselect(int milliseconds);
int shape_epoll_pwait(int milliseconds);
int shape_syscall_nanosleep(int milliseconds);
// Waits for a repeating timer as often as `reads` says, with a pause after each; returns how often it was due.
int shape_timerfd(int milliseconds, int reads, int pause);
// Starts a C11 thread that sets a flag after this many milliseconds, and waits for the flag with a condition.
int shape_c11_thread(int milliseconds);
// The uptime in nanoseconds, by a system call.
int64_t shape_syscall_uptime(void);
// Waits while a word has a value, at most this many milliseconds (0: without a limit); returns 0 or the error.
int shape_futex(uint32_t *word, uint32_t value, int milliseconds);
// Spins until a flag is set; the register of frames holds a number that is no frame.
void shape_spin_without_frames(const int32_t *flag);
// Joins a thread that ends after this many milliseconds, at most until a limit; returns 0 or the error.
int shape_timed_join(int milliseconds, int limit);
// Sets a time limit for a socket.
int shape_socket_timeout(void);
#endif

#endif
