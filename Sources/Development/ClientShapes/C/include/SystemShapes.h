// Ways of C code to wait, which Swift has no names for.
#ifndef SYSTEM_SHAPES_H
#define SYSTEM_SHAPES_H

#include <stdint.h>

#if defined(__linux__) && !defined(__ANDROID__)
// Each waits for so many milliseconds; 0 where it did as it should.
int shape_thrd_sleep(int milliseconds);
int shape_pselect(int milliseconds);
int shape_epoll_pwait(int milliseconds);
int shape_syscall_nanosleep(int milliseconds);
// A thread of C11's sets a flag after so many milliseconds, for which the caller waits by a condition.
int shape_c11_thread(int milliseconds);
// The uptime in nanoseconds, by a system call.
int64_t shape_syscall_uptime(void);
// Waits while a word has a value, at most so many milliseconds (0: for ever); 0, or the error.
int shape_futex(uint32_t *word, uint32_t value, int milliseconds);
// Spins until a flag is set, with a number in the register for frames that is none.
void shape_spin_without_frames(const int32_t *flag);
// Sets a time limit for a socket.
int shape_socket_timeout(void);
#endif

#endif
