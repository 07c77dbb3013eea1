#if defined(__linux__)
#define _GNU_SOURCE
#include "Interposition.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

struct interposition_functions interposition_real;

static __thread void *owner;
static __thread int depth;
static volatile int is_over;

void *interposition_current(void) { return depth == 0 && !is_over ? owner : NULL; }
void interposition_end(void) { is_over = 1; }
void *interposition_owner(void) { return owner; }
void interposition_set_owner(void *thread) { owner = thread; }
void interposition_enter(void) { depth++; }
void interposition_leave(void) { depth--; }
int interposition_suspend(void) { int before = depth; depth = 0; return before; }
void interposition_restore(int before) { depth = before; }

int interposition_thread_number(void) { return (int)interposition_real.syscall(SYS_gettid, 0, 0, 0, 0, 0, 0); }
int interposition_owner_of(const pthread_mutex_t *mutex) { return mutex->__data.__owner; }
int interposition_writer_of(const pthread_rwlock_t *lock) { return lock->__data.__cur_writer; }

int interposition_kind_of(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status)) return interposition_other;
  // /dev/random and /dev/urandom.
  if (S_ISCHR(status.st_mode) && (status.st_rdev == makedev(1, 8) || status.st_rdev == makedev(1, 9)))
    return interposition_chance;
  // Those of timers and of events have no type.
  int is_pipe = S_ISFIFO(status.st_mode) || !(status.st_mode & S_IFMT);
  return is_pipe && !(fcntl(descriptor, F_GETFL) & O_NONBLOCK) ? interposition_pipe : interposition_other;
}

// Reads memory that may not be there.
static int is_read(uintptr_t from, uintptr_t *words, size_t count) {
  struct iovec here = {words, count * sizeof *words}, there = {(void *)from, count * sizeof *words};
  return from % 8 == 0 && process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)here.iov_len;
}

// Adds where those go on that await a task's memory: it begins with that of the one before, and with where that one does.
static size_t add_awaiting(uintptr_t context, struct interposition_frame *frames, size_t count, size_t capacity) {
  uintptr_t words[2];
  for (int awaiting = 0; awaiting < 8 && count < capacity && is_read(context, words, 2) && words[1]; awaiting++) {
    frames[count++] = (struct interposition_frame){words[1], 1};
    context = words[0];
  }
  return count;
}

size_t interposition_task_frames(const void *job, struct interposition_frame *frames, size_t capacity) {
  // Where it goes on, and its memory (`ResumeTask` and `ResumeContext` in the runtime's `AsyncTask`).
  uintptr_t words[2];
  if (!capacity || !is_read((uintptr_t)job + 56, words, 2)) return 0;
  frames[0] = (struct interposition_frame){words[0], 1};
  return add_awaiting(words[1], frames, 1, capacity);
}

size_t interposition_frames(struct interposition_frame *frames, size_t capacity) {
  pthread_attr_t attributes;
  void *stack;
  size_t size, count = 0;
  if (pthread_getattr_np(pthread_self(), &attributes)) return 0;
  pthread_attr_getstack(&attributes, &stack, &size);
  pthread_attr_destroy(&attributes);
  uintptr_t end = (uintptr_t)stack + size, last = (uintptr_t)&attributes;
  // Each frame begins with the place of the one before, which is further up, and with where that one goes on.
  for (uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
       count < capacity && frame > last && frame % 8 == 0 && frame + 16 <= end;) {
    last = frame;
    frames[count++] = (struct interposition_frame){((uintptr_t *)frame)[1], 0};
    frame = *(uintptr_t *)frame;
    if (frame <= last || frame % 8 || frame + 16 > end) break;
    // A function of a task's keeps its task's memory in the word before. In other functions anything may be there.
    count = add_awaiting(((uintptr_t *)frame)[-1], frames, count, capacity);
  }
  return count;
}

// MARK: Blocks

struct block {
  void *isa;
  int flags, reserved;
  void (*invoke)();
};
extern void *_Block_copy(const void *);
extern void _Block_release(const void *);

void *interposition_block_copy(void *block) { return _Block_copy(block); }
void interposition_block_release(void *block) { _Block_release(block); }
void interposition_block_call(void *block) { ((void (*)(void *))((struct block *)block)->invoke)(block); }
void interposition_block_call_at(void *block, size_t index) {
  ((void (*)(void *, size_t))((struct block *)block)->invoke)(block, index);
}

// MARK: Locks
//
// The runtime takes these while it looks up types: so nothing of Swift's may run here unless the lock is held, and for
// longer than a thread that is outside of the simulation would hold it.

static int (*wait_for_lock)(pthread_mutex_t *mutex);

static int lock(pthread_mutex_t *mutex) {
  if (!interposition_current()) return interposition_real.pthread_mutex_lock(mutex);
  int result = pthread_mutex_trylock(mutex);
  return result == EBUSY ? wait_for_lock(mutex) : result;
}

// MARK: Slots

struct replacement {
  const char *name;
  void *answer;
};

// The functions that are answered in the place of the own ones, and the libraries in which they are.
struct table {
  struct replacement entries[128];
  size_t count;
  // Whether the calls of this function by the library at a path are answered.
  int (*includes)(const char *path, const char *name);
  // How many libraries had been loaded when slots were set last.
  unsigned long long loaded;
};

static void add(struct table *table, const char *name, void *answer) {
  table->entries[table->count++] = (struct replacement){name, answer};
}

static int by_name(const void *left, const void *right) {
  return strcmp(((const struct replacement *)left)->name, ((const struct replacement *)right)->name);
}

static struct replacement *find(struct table *table, const char *name) {
  struct replacement wanted = {.name = name};
  return bsearch(&wanted, table->entries, table->count, sizeof wanted, by_name);
}

// The kinds of relocation by which a library finds a function.
#if defined(__x86_64__)
#define IS_SLOT(type) ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT)
#elif defined(__aarch64__)
#define IS_SLOT(type) ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT)
#else
#define IS_SLOT(type) 0
#endif

// Whether a library's file begins with one of these names.
static int is_named(const char *path, const char *const *names) {
  const char *last = strrchr(path, '/');
  for (; *names; names++)
    if (!strncmp(last ? last + 1 : path, *names, strlen(*names))) return 1;
  return 0;
}

static void set_slots(const ElfW(Rela) *entries, size_t count, ElfW(Addr) base, const ElfW(Sym) *symbols,
                      const char *names, const char *path, struct table *table) {
  for (size_t index = 0; index < count; index++) {
    if (!IS_SLOT(ELF64_R_TYPE(entries[index].r_info))) continue;
    struct replacement *found = find(table, names + symbols[ELF64_R_SYM(entries[index].r_info)].st_name);
    if (found && table->includes(path, found->name)) *(void **)(base + entries[index].r_offset) = found->answer;
  }
}

static int visit(struct dl_phdr_info *object, size_t size, void *context) {
  const char *path = object->dlpi_name ? object->dlpi_name : "";
  struct table *table = context;
  static const char *const own[] = {"libc.", "ld-", "linux-vdso", "libpthread", "libBlocksRuntime", "libm.", NULL};
  if (is_named(path, own)) return 0;
  const ElfW(Dyn) *dynamic = NULL;
  ElfW(Addr) start = 0, end = 0;
  long page = sysconf(_SC_PAGESIZE);
  for (int index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *header = &object->dlpi_phdr[index];
    if (header->p_type == PT_DYNAMIC) dynamic = (const void *)(object->dlpi_addr + header->p_vaddr);
    if (header->p_type == PT_GNU_RELRO) {
      start = (object->dlpi_addr + header->p_vaddr) & ~(ElfW(Addr))(page - 1);
      end = (object->dlpi_addr + header->p_vaddr + header->p_memsz) & ~(ElfW(Addr))(page - 1);
    }
  }
  if (!dynamic) return 0;
  const ElfW(Rela) *jumps = NULL, *data = NULL;
  size_t jump_size = 0, data_size = 0;
  const ElfW(Sym) *symbols = NULL;
  const char *names = NULL;
  for (; dynamic->d_tag != DT_NULL; dynamic++) {
    switch (dynamic->d_tag) {
      case DT_JMPREL: jumps = (const void *)dynamic->d_un.d_ptr; break;
      case DT_PLTRELSZ: jump_size = dynamic->d_un.d_val; break;
      case DT_RELA: data = (const void *)dynamic->d_un.d_ptr; break;
      case DT_RELASZ: data_size = dynamic->d_un.d_val; break;
      case DT_SYMTAB: symbols = (const void *)dynamic->d_un.d_ptr; break;
      case DT_STRTAB: names = (const void *)dynamic->d_un.d_ptr; break;
    }
  }
  if (!symbols || !names) return 0;
  // Slots that were bound before the start are read-only since.
  if (end > start && mprotect((void *)start, end - start, PROT_READ | PROT_WRITE)) return 0;
  if (jumps) set_slots(jumps, jump_size / sizeof *jumps, object->dlpi_addr, symbols, names, path, table);
  if (data) set_slots(data, data_size / sizeof *data, object->dlpi_addr, symbols, names, path, table);
  if (end > start) mprotect((void *)start, end - start, PROT_READ);
  return 0;
}

// The name by which a function is known to the linker.
static const char *symbol(const char *name) {
  // The getters of RunLoop.main and OperationQueue.main.
  if (!strcmp(name, "foundation_main_run_loop")) return "$s10Foundation7RunLoopC4mainACvgZ";
  if (!strcmp(name, "foundation_main_operation_queue")) return "$s10Foundation14OperationQueueC4mainACvgZ";
  return name;
}

static int count_loaded(struct dl_phdr_info *object, size_t size, void *context) {
  *(unsigned long long *)context = object->dlpi_adds;
  return 1;
}

// Sets the slots of a table, unless those of all loaded libraries are set.
static void set(struct table *table) {
  unsigned long long loaded = 0;
  dl_iterate_phdr(count_loaded, &loaded);
  if (loaded == table->loaded) return;
  table->loaded = loaded;
  dl_iterate_phdr(visit, table);
}

// The two tables are set by one thread at a time.
static pthread_mutex_t setting = PTHREAD_MUTEX_INITIALIZER;
static struct table watched, answered;

// MARK: Watching

static struct interposition_watcher watcher;
static __thread int is_in_task;

// A thread of a captured client's goes by its own simulation's time, whatever queue it is on.
static int watched_real_time(const char *call) { return owner && !is_in_task ? 0 : watcher.real_time(call, is_in_task); }

static int watched_blocking(const char *call) { return watcher.blocking(call); }

static void watched_stopping(const char *call, void *object) {
  if (!is_in_task && !owner && !depth) watcher.stopping(call, object);
}

int interposition_set_in_task(int value) {
  int before = is_in_task;
  is_in_task = value;
  return before;
}

// The library of Swift's clocks. One that is read as `any Clock` is reached by a table of its methods alone, and seen where
// they lead; so are sleeps, and the methods of classes.
static const char *const clocks[] = {"libswift_Concurrency.", NULL};
static const char *const foundation[] = {"libFoundation.", NULL};
static const char *const queues[] = {"libswiftDispatch.", NULL};

static int is_program(const char *path) {
  static const char *const toolchain[] = {
      "libswift", "lib_", "libFoundation", "libdispatch.", "libTesting.", "libXCTest.", NULL};
  return !is_named(path, toolchain) && strncmp(path, "/lib/", 5) && strncmp(path, "/usr/lib/", 9);
}

static int is_watched(const char *path, const char *name) {
  if (is_named(path, clocks)) return !strcmp(name, "clock_gettime");
  if (is_named(path, foundation)) return !strncmp(name, "pthread_cond_", 13) || !strcmp(name, "pthread_mutex_timedlock");
  if (is_named(path, queues)) return !strcmp(name, "dispatch_block_wait");
  return is_program(path);
}

// Whether a function was called by the program's own code, though it be through one of Swift's clocks: libraries read these
// as well.
static int is_called_by_program(void **frame) {
  Dl_info object;
  while (dladdr(frame[1], &object)) {
    if (!is_named(object.dli_fname, clocks)) return is_program(object.dli_fname);
    uintptr_t next = (uintptr_t)frame[0];
    if (next <= (uintptr_t)frame || next % 8) break;
    frame = (void **)next;
  }
  return 0;
}

#if defined(__x86_64__) || defined(__aarch64__)
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define RESULT __attribute__((swift_indirect_result))
#else
#define SWIFT
#define SELF
#define RESULT
#endif

#define SWIFT_CLOCK (RESULT void *instant, SELF void *clock)
// The arguments of a function whose own do not matter: all that go in registers for whole numbers.
#define WORDS (uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f, SELF void *self)

// What makes a source of libdispatch's, of a descriptor, a signal or flags, and a queue.
#define SOURCE (RESULT void *source, uintptr_t a, uintptr_t b, SELF void *type)

// A task and its memory, in registers (`AsyncTaskAndContext` in the runtime).
struct task {
  void *task, *memory;
};

// The functions that tell real time: result, name, symbol, words, parameters, arguments.
#define WATCHED_CLOCKS(F) \
  F(double, date, "$s20FoundationEssentials4DateVACycfC", "Date()", (void), ()) \
  F(double, date_now, "$s20FoundationEssentials4DateV3nowACvgZ", "Date.now", (void), ()) \
  F(double, date_from_now, "$s20FoundationEssentials4DateV20timeIntervalSinceNowACSd_tcfC", \
    "Date(timeIntervalSinceNow:)", (double seconds), (seconds)) \
  F(double, seconds_from_now, "$s20FoundationEssentials4DateV20timeIntervalSinceNowSdvg", "timeIntervalSinceNow", \
    (double date), (date)) \
  F(void, continuous_now, "$ss15ContinuousClockV3nowAB7InstantVvg", "ContinuousClock", SWIFT_CLOCK, (instant, clock)) \
  F(void, continuous_clock_now, "$ss15ContinuousClockV3nowAB7InstantVvgZ", "ContinuousClock", SWIFT_CLOCK, (instant, clock)) \
  F(void, continuous_instant, "$ss15ContinuousClockV7InstantV3nowADvgZ", "ContinuousClock", SWIFT_CLOCK, (instant, clock)) \
  F(void, suspending_now, "$ss15SuspendingClockV3nowAB7InstantVvg", "SuspendingClock", SWIFT_CLOCK, (instant, clock)) \
  F(void, suspending_clock_now, "$ss15SuspendingClockV3nowAB7InstantVvgZ", "SuspendingClock", SWIFT_CLOCK, (instant, clock)) \
  F(void, suspending_instant, "$ss15SuspendingClockV7InstantV3nowADvgZ", "SuspendingClock", SWIFT_CLOCK, (instant, clock)) \
  F(double, absolute_time, "CFAbsoluteTimeGetCurrent", "CFAbsoluteTimeGetCurrent()", (void), ()) \
  F(double, uptime, "$s20FoundationEssentials11ProcessInfoC12systemUptimeSdvg", "systemUptime", (SELF void *info), (info)) \
  F(int, gettimeofday, "gettimeofday", "The system's clock", (struct timeval *time, void *zone), (time, zone)) \
  F(time_t, time, "time", "The system's clock", (time_t *time), (time)) \
  F(int, timespec_get, "timespec_get", "The system's clock", (struct timespec *time, int base), (time, base)) \
  F(uint64_t, dispatch_nanoseconds, "$s8Dispatch0A4TimeV17uptimeNanosecondss6UInt64Vvg", "DispatchTime", \
    (uint64_t time), (time)) \
  F(_Bool, dispatch_earlier, "$s8Dispatch0A4TimeV1loiySbAC_ACtFZ", "DispatchTime", \
    (uint64_t one, uint64_t other), (one, other)) \
  F(_Bool, dispatch_wall_earlier, "$s8Dispatch0A8WallTimeV1loiySbAC_ACtFZ", "DispatchWallTime", \
    (uint64_t one, uint64_t other), (one, other))

// The functions by which something goes on in real time, in the same way.
#define WATCHED_BEGINNINGS(F) \
  F(void *, scheduled_timer, "$s10Foundation5TimerC09scheduledB016withTimeInterval7repeats5blockACSd_SbyACYbctFZ", \
    "Timer.scheduledTimer", (double time, _Bool repeats, void *work, void *context, SELF void *type), \
    (time, repeats, work, context, type)) \
  F(void *, timer, "$s10Foundation5TimerC12timeInterval7repeats5blockACSd_SbyACYbctcfC", \
    "A Timer", (double time, _Bool repeats, void *work, void *context, SELF void *type), \
    (time, repeats, work, context, type)) \
  F(void *, dated_timer, "$s10Foundation5TimerC4fire8interval7repeats5blockAC0A10Essentials4DateV_SdSbyACYbctcfC", \
    "A Timer", (double date, double time, _Bool repeats, void *work, void *context, SELF void *type), \
    (date, time, repeats, work, context, type)) \
  F(void *, thread, "$s10Foundation6ThreadC5blockACyyYbc_tcfC", "A thread", \
    (void *work, void *context, SELF void *type), (work, context, type)) \
  F(void *, own_thread, "$s10Foundation6ThreadCACycfc", "A thread", (SELF void *thread), (thread)) \
  F(void, detached_thread, "$s10Foundation6ThreadC09detachNewB0yyyyYbcFZ", "A thread", \
    (void *work, void *context, SELF void *type), (work, context, type)) \
  F(int, pthread_create, "pthread_create", "A thread", \
    (pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument), \
    (thread, attributes, start, argument))

// Those whose parameters do not matter, and those that make a source.
#define WATCHED_WORK(F) \
  F(void, after, \
    "$s8Dispatch0A5QueueC10asyncAfter8deadline3qos5flags7executeyAA0A4TimeV_AA0A3QoSVAA0A13WorkItemFlagsVyyYbXBtF", \
    "DispatchQueue.asyncAfter") \
  F(void, after_wall, \
    "$s8Dispatch0A5QueueC10asyncAfter12wallDeadline3qos5flags7executeyAA0A8WallTimeV_AA0A3QoSVAA0A13WorkItemFlagsVyyYbXBtF", \
    "DispatchQueue.asyncAfter") \
  F(void, after_item, \
    "$s8Dispatch0A5QueueC10asyncAfter8deadline7executeyAA0A4TimeV_AA0A8WorkItemCtF", "DispatchQueue.asyncAfter") \
  F(void, after_wall_item, \
    "$s8Dispatch0A5QueueC10asyncAfter12wallDeadline7executeyAA0A8WallTimeV_AA0A8WorkItemCtF", \
    "DispatchQueue.asyncAfter") \
  F(void, async, \
    "$s8Dispatch0A5QueueC5async5group3qos5flags7executeyAA0A5GroupCSg_AA0A3QoSVAA0A13WorkItemFlagsVyyYbXBtF", \
    "DispatchQueue.async") \
  F(void, async_item, "$s8Dispatch0A5QueueC5async7executeyAA0A8WorkItemC_tF", "DispatchQueue.async") \
  F(void, async_group_item, \
    "$s8Dispatch0A5QueueC5async5group7executeyAA0A5GroupC_AA0A8WorkItemCtF", "DispatchQueue.async") \
  F(void, notify, \
    "$s8Dispatch0A5GroupC6notify3qos5flags5queue7executeyAA0A3QoSV_AA0A13WorkItemFlagsVAA0A5QueueCyyXBtF", \
    "DispatchGroup.notify") \
  F(void, notify_item, "$s8Dispatch0A5GroupC6notify5queue4workyAA0A5QueueC_AA0A8WorkItemCtF", "DispatchGroup.notify") \
  F(void, io_read, \
    "$s8Dispatch0A2IOC4read6offset6length5queue9ioHandlerySi_SiAA0A5QueueCySb_AA0A4DataVSgs5Int32VtctF", \
    "DispatchIO.read") \
  F(void, io_write, \
    "$s8Dispatch0A2IOC5write6offset4data5queue9ioHandlerySi_AA0A4DataVAA0A5QueueCySb_AJSgs5Int32VtctF", \
    "DispatchIO.write") \
  F(void, read_file, \
    "$s8Dispatch0A2IOC4read18fromFileDescriptor9maxLength16runningHandlerOn7handlerys5Int32V_SiAA0A5QueueCyAA0A4DataV_AJtctFZ", \
    "DispatchIO.read") \
  F(void, write_file, \
    "$s8Dispatch0A2IOC5write16toFileDescriptor4data16runningHandlerOn7handlerys5Int32V_AA0A4DataVAA0A5QueueCyALSg_AJtctFZ", \
    "DispatchIO.write") \
  F(void, perform, "$s10Foundation7RunLoopC7performyyyyYbcF", "RunLoop.perform") \
  F(void, perform_in_modes, "$s10Foundation7RunLoopC7perform7inModes5blockySayAC4ModeVG_yyYbctF", "RunLoop.perform")

#define WATCHED_SOURCES(F) \
  F(void, timer_source, \
    "$s8Dispatch0A6SourceC09makeTimerB05flags5queueAA0abD0_pAC0D5FlagsV_AA0A5QueueCSgtFZ", \
    "DispatchSource.makeTimerSource") \
  F(void, signal_source, \
    "$s8Dispatch0A6SourceC010makeSignalB06signal5queueAA0abD0_ps5Int32V_AA0A5QueueCSgtFZ", "A dispatch source") \
  F(void, read_source, \
    "$s8Dispatch0A6SourceC08makeReadB014fileDescriptor5queueAA0abD0_ps5Int32V_AA0A5QueueCSgtFZ", "A dispatch source") \
  F(void, write_source, \
    "$s8Dispatch0A6SourceC09makeWriteB014fileDescriptor5queueAA0abD0_ps5Int32V_AA0A5QueueCSgtFZ", "A dispatch source") \
  F(void, or_source, \
    "$s8Dispatch0A6SourceC014makeUserDataOrB05queueAA0abdeF0_pAA0A5QueueCSg_tFZ", "A dispatch source") \
  F(void, add_source, \
    "$s8Dispatch0A6SourceC015makeUserDataAddB05queueAA0abdeF0_pAA0A5QueueCSg_tFZ", "A dispatch source") \
  F(void, replace_source, \
    "$s8Dispatch0A6SourceC019makeUserDataReplaceB05queueAA0abdeF0_pAA0A5QueueCSg_tFZ", "A dispatch source")

// The bit of a child among the flags of a new task (`TaskCreateFlags` in the runtime).
#define IS_CHILD (1 << 8)

#define WATCHED_TASK(F) \
  F(struct task, swift_task_create, "swift_task_create", "An unstructured task", \
    (size_t flags, void *options, const void *type, void *entry, void *context), (flags, options, type, entry, context))

// The functions that have a thread wait.
#define WATCHED_WAITS(F) \
  F(void, sleep_for, "$s10Foundation6ThreadC5sleep15forTimeIntervalySd_tFZ", "Thread.sleep", \
    (double seconds, SELF void *type), (seconds, type)) \
  F(void, sleep_until, "$s10Foundation6ThreadC5sleep5untily0A10Essentials4DateV_tFZ", "Thread.sleep", \
    (double date, SELF void *type), (date, type)) \
  F(int, usleep, "usleep", "usleep", (unsigned int microseconds), (microseconds)) \
  F(unsigned int, sleep, "sleep", "sleep", (unsigned int seconds), (seconds)) \
  F(int, nanosleep, "nanosleep", "nanosleep", (const struct timespec *time, struct timespec *left), (time, left))

// The functions that may have it wait for as long as it was told to: whether they were told to, and whether it did.
#define WATCHED_TIMEOUTS(F) \
  F(unsigned char, semaphore, "$s8Dispatch0A9SemaphoreC4wait7timeoutAA0A13TimeoutResultOAA0A4TimeV_tF", \
    "A semaphore's timeout", (uint64_t time, SELF void *semaphore), (time, semaphore), 1, result) \
  F(unsigned char, semaphore_wall, "$s8Dispatch0A9SemaphoreC4wait11wallTimeoutAA0aE6ResultOAA0A8WallTimeV_tF", \
    "A semaphore's timeout", (uint64_t time, SELF void *semaphore), (time, semaphore), 1, result) \
  F(unsigned char, group, "$s8Dispatch0A5GroupC4wait7timeoutAA0A13TimeoutResultOAA0A4TimeV_tF", \
    "A group's timeout", (uint64_t time, SELF void *group), (time, group), 1, result) \
  F(unsigned char, group_wall, "$s8Dispatch0A5GroupC4wait11wallTimeoutAA0aE6ResultOAA0A8WallTimeV_tF", \
    "A group's timeout", (uint64_t time, SELF void *group), (time, group), 1, result) \
  F(int, sem_timedwait, "sem_timedwait", "A semaphore's timeout", \
    (sem_t *semaphore, const struct timespec *time), (semaphore, time), 1, result && errno == ETIMEDOUT) \
  F(int, pthread_cond_timedwait, "pthread_cond_timedwait", "A condition's timeout", \
    (pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time), (condition, mutex, time), \
    is_in_task, result == ETIMEDOUT) \
  F(int, pthread_mutex_timedlock, "pthread_mutex_timedlock", "A lock's timeout", \
    (pthread_mutex_t *mutex, const struct timespec *time), (mutex, time), is_in_task, result == ETIMEDOUT) \
  F(int, poll, "poll", "poll", (void *files, unsigned long count, int timeout), (files, count, timeout), \
    timeout, !result) \
  F(int, select, "select", "select", \
    (int count, fd_set *readable, fd_set *writable, fd_set *broken, struct timeval *timeout), \
    (count, readable, writable, broken, timeout), timeout && (timeout->tv_sec || timeout->tv_usec), !result)

// The functions that have it wait without a time: how they are told one, in real time from now, and whether it has passed.
#define WATCHED_BLOCKS(F) \
  F(void, semaphore_wait, "$s8Dispatch0A9SemaphoreC4waityyF", "DispatchSemaphore.wait()", (SELF void *semaphore), \
    (semaphore), real_semaphore(dispatch_time(0, nanoseconds), semaphore)) \
  F(void, group_wait, "$s8Dispatch0A5GroupC4waityyF", "DispatchGroup.wait()", (SELF void *group), \
    (group), real_group(dispatch_time(0, nanoseconds), group)) \
  F(int, sem_wait, "sem_wait", "sem_wait", (sem_t *semaphore), \
    (semaphore), real_sem_timedwait(semaphore, (end = date_after(nanoseconds), &end))) \
  F(int, pthread_cond_wait, "pthread_cond_wait", "A condition's wait", (pthread_cond_t *condition, pthread_mutex_t *mutex), \
    (condition, mutex), \
    real_pthread_cond_timedwait(condition, mutex, (end = date_after(nanoseconds), &end)) == ETIMEDOUT)

// A work item is waited for in both ways.
#define WATCHED_WORK_ITEM(F) \
  F(intptr_t, dispatch_block_wait, "dispatch_block_wait", "DispatchWorkItem.wait()", (void *block, uint64_t time), \
    (block, time), real_dispatch_block_wait(block, dispatch_time(0, nanoseconds)))

// The methods, reached by tables of their classes, that stop what is under way, or have something done in real time.
#define WATCHED_METHODS(F) \
  F(cancel, "$s20FoundationNetworking14URLSessionTaskC6cancelyyF", watched_stopping("A request was cancelled", self)) \
  F(cancel_download, "$s20FoundationNetworking22URLSessionDownloadTaskC6cancel21byProducingResumeDatayy0A10Essentials0J0VSgc_tF", \
    watched_stopping("A request was cancelled", self)) \
  F(suspend, "$s20FoundationNetworking14URLSessionTaskC7suspendyyF", watched_stopping("A request was suspended", self)) \
  F(invalidate, "$s20FoundationNetworking10URLSessionC19invalidateAndCancelyyF", \
    watched_stopping("A session was invalidated", self)) \
  F(add_operation, "$s10Foundation14OperationQueueC03addB0yyAA0B0CF", watched_real_time("OperationQueue.addOperation")) \
  F(add_block, "$s10Foundation14OperationQueueC03addB0yyyyYbcF", watched_real_time("OperationQueue.addOperation")) \
  F(add_operations, "$s10Foundation14OperationQueueC13addOperations_17waitUntilFinishedySayAA0B0CG_SbtF", \
    watched_real_time("OperationQueue.addOperations")) \
  F(add_barrier, "$s10Foundation14OperationQueueC15addBarrierBlockyyyyYbcF", \
    watched_real_time("OperationQueue.addBarrierBlock")) \
  F(item_notify, "$s8Dispatch0A8WorkItemC6notify3qos5flags5queue7executeyAA0A3QoSV_AA0abC5FlagsVAA0A5QueueCyyXBtF", \
    watched_real_time("DispatchWorkItem.notify")) \
  F(item_notify_item, "$s8Dispatch0A8WorkItemC6notify5queue7executeyAA0A5QueueC_ACtF", \
    watched_real_time("DispatchWorkItem.notify")) \
  F(readability, "$s10Foundation10FileHandleC18readabilityHandleryACYbcSgvs", \
    watched_real_time("FileHandle.readabilityHandler"))

#define WATCHED_CLOCK(F) \
  F(int, clock_gettime, "clock_gettime", "The system's clock, or a sleep on it,", (clockid_t clock, struct timespec *time), (clock, time))

#define WATCHED(F) \
  WATCHED_CLOCK(F) WATCHED_CLOCKS(F) WATCHED_BEGINNINGS(F) WATCHED_WORK(F) WATCHED_SOURCES(F) WATCHED_TASK(F) \
  WATCHED_WAITS(F) WATCHED_TIMEOUTS(F) WATCHED_BLOCKS(F) WATCHED_WORK_ITEM(F)

// A frame as the next one points to it.
struct frame {
  _Alignas(16) void *next;
  void *place;
};

// Tells of a call that a library's function made for the program without a frame of its own, so that whoever follows the
// frames would miss the one that called it: finds the return address above the frame of the watched function, where the
// first of the program's is that one, and has the frames lead by it.
static __attribute__((noinline)) void watched_through(const void *watched, struct frame *missing,
                                                     int (*notice)(const char *call), const char *words) {
  struct frame *own = __builtin_frame_address(0);
  const struct frame *frame = watched;
  void *next = own->next;
  Dl_info object;
  *missing = (struct frame){frame->next, NULL};
  for (void *const *word = (void *const *)(frame + 1); (void *)word < frame->next && word < (void *const *)(frame + 8); word++) {
    if (!dladdr(*word, &object) || !is_program(object.dli_fname)) continue;
    missing->place = *word;
    own->next = missing;
    break;
  }
  notice(words);
  own->next = next;
}

#define DEFINE(result, name, parameters, body) \
  static SWIFT result(*real_##name) parameters; \
  static SWIFT result watched_##name parameters { body }

#define F(result, name, symbol, words, parameters, arguments) \
  DEFINE(result, name, parameters, \
         if (watched_real_time(NULL) && is_called_by_program(__builtin_frame_address(0))) watched_real_time(words); \
         return real_##name arguments;)
WATCHED_CLOCK(F)
#undef F
#define F(result, name, symbol, words, parameters, arguments) \
  DEFINE(result, name, parameters, watched_real_time(words); return real_##name arguments;)
WATCHED_CLOCKS(F)
WATCHED_BEGINNINGS(F)
#undef F
#define F(result, name, symbol, words) \
  DEFINE(result, name, WORDS, watched_real_time(words); real_##name(a, b, c, d, e, f, self);)
WATCHED_WORK(F)
#undef F
#define F(result, name, symbol, words) \
  DEFINE(result, name, SOURCE, watched_real_time(words); real_##name(source, a, b, type);)
WATCHED_SOURCES(F)
#undef F
#define F(result, name, symbol, words, parameters, arguments) \
  DEFINE(result, name, parameters, if (!(flags & IS_CHILD)) watched_real_time(words); return real_##name arguments;)
WATCHED_TASK(F)
#undef F
#define F(result, name, symbol, words, parameters, arguments) \
  DEFINE(result, name, parameters, return watched_real_time(words) ? (result)0 : real_##name arguments;)
WATCHED_WAITS(F)
#undef F
#define F(type, name, symbol, words, parameters, arguments, may_wait, has_timed_out) \
  DEFINE(type, name, parameters, \
         int waits = (may_wait) != 0; type result = real_##name arguments; \
         if (waits && (has_timed_out)) watched_real_time(words); return result;)
WATCHED_TIMEOUTS(F)
#undef F

extern uint64_t dispatch_time(uint64_t when, int64_t nanoseconds);

static struct timespec date_after(int64_t nanoseconds) {
  struct timespec time;
  real_clock_gettime(CLOCK_REALTIME, &time);
  time.tv_sec += (time.tv_nsec + nanoseconds) / 1000000000;
  time.tv_nsec = (time.tv_nsec + nanoseconds) % 1000000000;
  return time;
}

// Whether somebody brings the end of a wait about, of whom the simulation need not know, shows within a while.
#define WAIT_FOR_A_WHILE(type, still_waits, ...) \
  int64_t nanoseconds = is_in_task * (int64_t)1000000; \
  struct timespec end; \
  (void)end; \
  do { \
    if (!(still_waits)) return (type)0; \
  } while (!watched_blocking(NULL)); \
  nanoseconds = 10000000; \
  if (!(still_waits)) return (type)0; \
  __VA_ARGS__;
#define F(type, name, symbol, words, parameters, arguments, still_waits) \
  DEFINE(type, name, parameters, \
         if (is_in_task) { WAIT_FOR_A_WHILE(type, still_waits, watched_blocking(words)) } return real_##name arguments;)
WATCHED_BLOCKS(F)
#undef F
#define F(type, name, symbol, words, parameters, arguments, still_waits) \
  DEFINE(type, name, parameters, \
         struct frame missing; const void *own = __builtin_frame_address(0); \
         if (is_in_task && time == UINT64_MAX) { \
           WAIT_FOR_A_WHILE(type, still_waits, watched_through(own, &missing, watched_blocking, words)) } \
         type result = real_##name arguments; \
         if (is_in_task && time && result) watched_through(own, &missing, watched_real_time, "A work item's timeout"); \
         return result;)
WATCHED_WORK_ITEM(F)
#undef F

#define F(name, symbol, notice) DEFINE(void, name, WORDS, notice; real_##name(a, b, c, d, e, f, self);)
WATCHED_METHODS(F)
#undef F

// Sets a method in the table by which instances of a class are called.
static void replace_method(const char *class, void *method, void *replacement) {
  void **word = dlsym(RTLD_DEFAULT, class);
  Dl_info object;
  const ElfW(Sym) *table = NULL;
  if (!method || !word || !dladdr1(word, &object, (void **)&table, RTLD_DL_SYMENT) || !table) return;
  for (void **end = word + table->st_size / sizeof *word; word < end; word++)
    if (*word == method) *word = replacement;
}

// Sets the methods in the tables by which instances of classes are called.
static void set_methods(void) {
  static const char *const classes[] = {
      "$s20FoundationNetworking10URLSessionCN", "$s20FoundationNetworking14URLSessionTaskCN",
      "$s20FoundationNetworking18URLSessionDataTaskCN", "$s20FoundationNetworking20URLSessionUploadTaskCN",
      "$s20FoundationNetworking22URLSessionDownloadTaskCN", "$s10Foundation14OperationQueueCN",
      "$s10Foundation10FileHandleCN", "$s8Dispatch0A8WorkItemCN", NULL};
#define F(name, symbol, notice) *(void **)&real_##name = dlsym(RTLD_DEFAULT, symbol);
  WATCHED_METHODS(F)
#undef F
  for (const char *const *class = classes; *class; class++) {
#define F(name, symbol, notice) replace_method(*class, (void *)real_##name, (void *)watched_##name);
    WATCHED_METHODS(F)
#undef F
  }
}

// Has calls that are passed on go where they are answered, if they are.
static void pass_on_watched(void) {
  struct replacement *answer;
#define F(result, name, symbol, ...) \
  *(void **)&real_##name = (answer = find(&answered, symbol)) ? answer->answer : dlsym(RTLD_DEFAULT, symbol);
  WATCHED(F)
#undef F
}

void interposition_watch(struct interposition_watcher with) {
  pthread_mutex_lock(&setting);
  if (!watched.loaded) {
    watcher = with;
    set_methods();
    pass_on_watched();
    watched.includes = is_watched;
#define F(result, name, symbol, ...) \
  if (real_##name) add(&watched, symbol, (void *)watched_##name);
    WATCHED(F)
#undef F
    qsort(watched.entries, watched.count, sizeof *watched.entries, by_name);
  }
  set(&watched);
  pthread_mutex_unlock(&setting);
}

// MARK: Resuming

static int (*is_task_left_out)(void *task);
static SWIFT void (*real_resume) WORDS;
static SWIFT void interposition_resume WORDS {
  if (interposition_current() && is_task_left_out(self)) return;
  real_resume(a, b, c, d, e, f, self);
}

void interposition_answer_resume(int (*is_left_out)(void *task)) {
  static const char *const classes[] = {
      "$s20FoundationNetworking14URLSessionTaskCN", "$s20FoundationNetworking18URLSessionDataTaskCN",
      "$s20FoundationNetworking20URLSessionUploadTaskCN", "$s20FoundationNetworking22URLSessionDownloadTaskCN",
      "$s20FoundationNetworking20URLSessionStreamTaskCN", "$s20FoundationNetworking23URLSessionWebSocketTaskCN", NULL};
  pthread_mutex_lock(&setting);
  void *resume = dlsym(RTLD_DEFAULT, "$s20FoundationNetworking14URLSessionTaskC6resumeyyF");
  if (resume && !real_resume) {
    is_task_left_out = is_left_out;
    *(void **)&real_resume = resume;
    for (const char *const *class = classes; *class; class++) replace_method(*class, resume, (void *)interposition_resume);
  }
  pthread_mutex_unlock(&setting);
}

// MARK: Answering

static int is_answered(const char *path, const char *name) {
  if (watched.loaded && find(&watched, name) && is_watched(path, name)) return 0;
  // Libdispatch works for all threads of the process: only what time it is depends on who asks.
  static const char *const dispatch[] = {"libdispatch.", NULL};
  return !is_named(path, dispatch) || !strcmp(name, "clock_gettime") || !strcmp(name, "gettimeofday");
}

void interposition_install(const struct interposition_functions *answers) {
  pthread_mutex_lock(&setting);
  if (!answered.loaded) {
#define F(result, function, parameters) \
  *(void **)&interposition_real.function = dlsym(RTLD_DEFAULT, symbol(#function)); \
  if (answers->function) add(&answered, symbol(#function), (void *)answers->function);
    INTERPOSITION_FUNCTIONS(F)
#undef F
    qsort(answered.entries, answered.count, sizeof *answered.entries, by_name);
    wait_for_lock = answers->pthread_mutex_lock;
    find(&answered, "pthread_mutex_lock")->answer = (void *)lock;
    answered.includes = is_answered;
    pass_on_watched();
  }
  set(&answered);
  pthread_mutex_unlock(&setting);
}
#endif
