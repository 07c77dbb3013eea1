// Finds a thread's place in its code, and the place at which a task will continue.
#if defined(__linux__) && !defined(__ANDROID__)
#define _GNU_SOURCE
#include "Interposition.h"
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

int interposition_is_foundation(const void *address) {
  Dl_info one, other;
  const void *own = dlsym(RTLD_DEFAULT, "CFRunLoopGetMain");
  return own && dladdr(own, &one) && dladdr(address, &other) && one.dli_fbase == other.dli_fbase;
}

const char *interposition_file(uintptr_t address) {
  Dl_info one;
  return dladdr((void *)address, &one) ? one.dli_fname : "";
}

// MARK: Statics

// The runtime's function that calls the initialisers of static and global variables; `swift_once` jumps to it.
static uintptr_t once;

static _Unwind_Reason_Code learn(struct _Unwind_Context *context, void *image) {
  Dl_info one;
  uintptr_t function = _Unwind_GetRegionStart(context);
  if (!dladdr((void *)function, &one) || one.dli_fbase != image) return _URC_NO_REASON;
  once = function;
  return _URC_END_OF_STACK;
}

void interposition_learn_once(void) {
  Dl_info one;
  const void *own = dlsym(RTLD_DEFAULT, "swift_once");
  if (own && dladdr(own, &one)) _Unwind_Backtrace(learn, one.dli_fbase);
}

static _Unwind_Reason_Code look_for_once(struct _Unwind_Context *context, void *is_found) {
  *(int *)is_found = _Unwind_GetRegionStart(context) == once;
  return *(int *)is_found ? _URC_END_OF_STACK : _URC_NO_REASON;
}

int interposition_is_in_once(void) {
  int is_found = 0;
  _Unwind_Backtrace(look_for_once, &is_found);
  return is_found;
}

// Reads memory; returns 0 if it is not mapped.
static int is_read(uintptr_t from, uintptr_t *words, size_t count) {
  struct iovec here = {words, count * sizeof *words}, there = {(void *)from, count * sizeof *words};
  return from % 8 == 0 && process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)here.iov_len;
}

// Adds the addresses at which a task's awaiting functions continue. The memory of each function begins with a pointer to its
// caller's memory, and the address at which the caller continues. A loop over a stream has eight functions of the runtime.
static size_t add_awaiting(uintptr_t context, struct interposition_frame *frames, size_t count, size_t capacity) {
  uintptr_t words[2];
  for (int awaiting = 0; awaiting < 16 && count < capacity && is_read(context, words, 2) && words[1]; awaiting++) {
    frames[count++] = (struct interposition_frame){words[1], 1};
    context = words[0];
  }
  return count;
}

size_t interposition_task_frames(const void *job, struct interposition_frame *frames, size_t capacity) {
  // The address at which it continues, and its memory (`ResumeTask` and `ResumeContext` of the runtime's `AsyncTask`).
  uintptr_t words[2], task = (uintptr_t)job;
  // `Task.yield` enqueues a job of another kind, which holds the task (`NullaryContinuationJob`).
  if (is_read(task + 32, words, 1) && (words[0] & 0xFF) == 195 && is_read(task + 72, words, 1)) task = words[0];
  if (!capacity || !is_read(task + 56, words, 2)) return 0;
  frames[0] = (struct interposition_frame){words[0], 1};
  return add_awaiting(words[1], frames, 1, capacity);
}

size_t interposition_waiting_frames(const void *task, struct interposition_frame *frames, size_t capacity) {
  // Words of the runtime's `AsyncTask`: its metadata, which begins with `MetadataKind::Task`; the flags of its
  // `ActiveTaskStatus`, which tell whether it is running, enqueued or complete; and its `ResumeContext`. While it waits, this
  // is a `ContinuationAsyncContext`, with 1 as its `AwaitSynchronization`.
  uintptr_t metadata, kind, flags, memory, status, address = (uintptr_t)task;
  if (!is_read(address, &metadata, 1) || !is_read(metadata, &kind, 1) || kind != 0x502) return 0;
  if (!is_read(address + 96, &flags, 1) || !flags || flags > 0xFFFF || flags & 0x3800) return 0;
  if (!is_read(address + 64, &memory, 1) || !is_read(memory + 24, &status, 1) || status != 1) return 0;
  return add_awaiting(memory, frames, 0, capacity);
}

// Follows the frames between `last` and `end`, where the whole stack can be read. `frame` may be any number, because some
// code uses the register of frames for other values.
static size_t follow(uintptr_t frame, uintptr_t last, uintptr_t end, struct interposition_frame *frames, size_t count,
                     size_t capacity) {
  // A frame begins with the address of its caller's frame, which is higher, and the caller's return address.
  while (count < capacity && frame > last && frame % 8 == 0 && frame <= end - 16) {
    last = frame;
    frames[count++] = (struct interposition_frame){((uintptr_t *)frame)[1], 0};
    frame = *(uintptr_t *)frame;
    if (frame <= last || frame % 8 || frame > end - 16) break;
    // In a task's function, the word before the frame points to the task's memory; in others it may have any value.
    count = add_awaiting(((uintptr_t *)frame)[-1], frames, count, capacity);
  }
  return count;
}

struct walk {
  struct interposition_frame *frames;
  size_t next, count, capacity;
};

// Adds a frame that `follow` has left out, because the function's callee keeps no frame.
static _Unwind_Reason_Code add_missing(struct _Unwind_Context *context, void *pointer) {
  struct walk *walk = pointer;
  struct interposition_frame *frames = walk->frames, frame = {_Unwind_GetIP(context), 0};
  while (walk->next < walk->count && frames[walk->next].is_awaiting) walk->next++;
  size_t place = walk->next;
  while (place < walk->count && (frames[place].is_awaiting || frames[place].address != frame.address)) place++;
  if (place < walk->count) {
    walk->next = place + 1;
  } else if (walk->count < walk->capacity) {
    memmove(frames + walk->next + 1, frames + walk->next, (walk->count++ - walk->next) * sizeof *frames);
    frames[walk->next++] = frame;
  }
  return _URC_NO_REASON;
}

size_t interposition_frames(struct interposition_frame *frames, size_t capacity) {
  pthread_attr_t attributes;
  void *stack;
  size_t size;
  if (pthread_getattr_np(pthread_self(), &attributes)) return 0;
  pthread_attr_getstack(&attributes, &stack, &size);
  pthread_attr_destroy(&attributes);
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  size_t count = follow(frame, (uintptr_t)&attributes, (uintptr_t)stack + size, frames, 0, capacity);
  struct walk walk = {frames, 0, count, capacity};
  _Unwind_Backtrace(add_missing, &walk);
  return walk.count;
}

// MARK: Another thread
//
// A signal asks the other thread for its registers. The handler is installed only while the answer is awaited. By default
// the signal is ignored.

enum { idle, asked, answering };
static int standing;
static int answered;
static uintptr_t stack_base;
static struct interposition_sighting sighting;

static uint64_t hash(uint64_t state, const void *memory, size_t size) {
  for (const uint64_t *word = memory, *end = word + size / sizeof *word; word < end; word++) {
    state = (state ^ *word) * 0x9E3779B97F4A7C15;
    state ^= state >> 32;
  }
  return state;
}

static void answer(int number, siginfo_t *info, void *context) {
  int expected = asked, error = errno;
  if (!__atomic_compare_exchange_n(&standing, &expected, answering, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return;
  const mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
#if defined(__x86_64__)
  const greg_t *registers = machine->gregs;
  uintptr_t place = registers[REG_RIP], stack = registers[REG_RSP], frame = registers[REG_RBP];
  uint64_t state = hash(0, registers, (REG_RIP + 1) * sizeof *registers);
  if (machine->fpregs) state = hash(state, machine->fpregs->_xmm, sizeof machine->fpregs->_xmm);
#elif defined(__aarch64__)
  uintptr_t place = machine->pc, stack = machine->sp, frame = machine->regs[29];
  uint64_t state = hash(place ^ stack, machine->regs, sizeof machine->regs);
#else
  uintptr_t place = 0, stack = 0, frame = 0;
  uint64_t state = 0;
#endif
  // Hash only mapped pages.
  static char memory[16 << 10];
  enum { page = 4096 };
  uintptr_t base = stack < stack_base ? stack_base : stack;
  struct iovec here = {memory, sizeof memory}, there[sizeof memory / page + 1];
  size_t count = 0, size;
  for (uintptr_t from = base, end = base + sizeof memory; from < end; from += size) {
    size = page - from % page < end - from ? page - from % page : end - from;
    there[count++] = (struct iovec){(void *)from, size};
  }
  ssize_t length = process_vm_readv(getpid(), &here, 1, there, count, 0);
  sighting.stack = stack;
  sighting.state = length > 0 ? hash(state, memory, length) : 0;
  // Add 1, because symbol look-ups expect return addresses.
  sighting.frames[0] = (struct interposition_frame){place + 1, 0};
  sighting.count = length <= 0 ? 0
    : follow(frame, stack - 1, base + length, sighting.frames, 1, sizeof sighting.frames / sizeof *sighting.frames);
  __atomic_store_n(&answered, 1, __ATOMIC_RELEASE);
  interposition_real.syscall(SYS_futex, (long)&answered, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
  errno = error;
}

static void await_answer(struct timespec *limit) {
  while (!__atomic_load_n(&answered, __ATOMIC_ACQUIRE)) {
    long result = interposition_real.syscall(SYS_futex, (long)&answered, FUTEX_WAIT_PRIVATE, 0, (long)limit, 0, 0);
    if (result && errno == ETIMEDOUT) return;
  }
}

int interposition_sight(int thread, uintptr_t base, struct interposition_sighting *result) {
  struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK}, former;
  stack_base = base;
  if (sigaction(SIGURG, &action, &former)) return 0;
  __atomic_store_n(&answered, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&standing, asked, __ATOMIC_RELEASE);
  int error = (int)interposition_real.syscall(SYS_tgkill, getpid(), thread, SIGURG, 0, 0, 0), expected = asked;
  // The limit of a semaphore would follow the calendar clock, which somebody may set. This one does not.
  if (!error) await_answer(&(struct timespec){0, 200000000});
  int is_answered = !__atomic_compare_exchange_n(&standing, &expected, idle, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  // Wait for a handler that has already begun.
  if (is_answered) await_answer(NULL);
  sigaction(SIGURG, &former, NULL);
  if (is_answered) *result = sighting;
  return is_answered && result->count > 0;
}
#endif
