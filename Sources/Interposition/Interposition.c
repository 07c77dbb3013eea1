#if defined(__linux__) && !defined(__ANDROID__)
#define _GNU_SOURCE
#include "Interposition.h"
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

struct interposition_functions interposition_real;
static struct interposition_functions answers;

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
int interposition_is_recursive(const pthread_mutex_t *mutex) {
  int kind = mutex->__data.__kind & 3;
  return kind == PTHREAD_MUTEX_RECURSIVE || kind == PTHREAD_MUTEX_ERRORCHECK;
}
int interposition_writer_of(const pthread_rwlock_t *lock) { return lock->__data.__cur_writer; }

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
// Swift's runtime takes these locks while it looks up types. So no Swift code may run here unless the lock is held, and
// held for longer than a thread outside of the simulation would hold it.

static int interposition_lock(pthread_mutex_t *mutex) {
  if (!interposition_current()) return interposition_real.pthread_mutex_lock(mutex);
  int result = pthread_mutex_trylock(mutex);
  return result == EBUSY ? answers.pthread_mutex_lock(mutex) : result;
}

// MARK: Threads of C11: in the C library they are those of POSIX, but do not call them by name

static int c11(int error) {
  return !error ? thrd_success : error == ETIMEDOUT ? thrd_timedout : error == EBUSY ? thrd_busy : thrd_error;
}
static int interposition_c11_lock(void *mutex) { return c11(interposition_lock(mutex)); }
static int interposition_c11_timedlock(void *mutex, const struct timespec *time) {
  return c11(answers.pthread_mutex_timedlock(mutex, time));
}
static int interposition_c11_wait(void *condition, void *mutex) { return c11(answers.pthread_cond_wait(condition, mutex)); }
static int interposition_c11_timedwait(void *condition, void *mutex, const struct timespec *time) {
  return c11(answers.pthread_cond_timedwait(condition, mutex, time));
}
static int interposition_c11_signal(void *condition) { return c11(answers.pthread_cond_signal(condition)); }
static int interposition_c11_broadcast(void *condition) { return c11(answers.pthread_cond_broadcast(condition)); }
static void interposition_c11_yield(void) { answers.sched_yield(); }
static void interposition_c11_exit(int result) { answers.pthread_exit((void *)(intptr_t)result); }

struct c11_start {
  int (*function)(void *);
  void *argument;
};

static void *interposition_c11_run(void *context) {
  struct c11_start start = *(struct c11_start *)context;
  free(context);
  return (void *)(intptr_t)start.function(start.argument);
}

static int interposition_c11_create(pthread_t *thread, int (*function)(void *), void *argument) {
  struct c11_start *start = malloc(sizeof *start);
  if (!start) return thrd_nomem;
  *start = (struct c11_start){function, argument};
  int error = answers.pthread_create(thread, NULL, interposition_c11_run, start);
  if (error) free(start);
  return c11(error);
}

static int interposition_c11_join(pthread_t thread, int *result) {
  void *word = NULL;
  int error = answers.pthread_join(thread, &word);
  if (result) *result = (int)(intptr_t)word;
  return c11(error);
}

// MARK: Slots

struct replacement {
  const char *name;
  void *answer;
};

// The names of the answered functions.
static struct replacement entries[160];
static size_t count;
// How many libraries had been loaded when the slots were last set.
static unsigned long long loaded;
static pthread_mutex_t setting = PTHREAD_MUTEX_INITIALIZER;

static int by_name(const void *left, const void *right) {
  return strcmp(((const struct replacement *)left)->name, ((const struct replacement *)right)->name);
}

// Whether an answered name begins as this one does; of the tens of thousands of names in a process most do not.
static uint8_t beginnings[1 << 13];
static size_t beginning(const char *name) {
  size_t value = 0;
  for (int index = 0; index < 5 && name[index]; index++) value = value * 33 + (uint8_t)name[index];
  return value % sizeof beginnings;
}

static struct replacement *find(const char *name) {
  struct replacement wanted = {.name = name};
  return beginnings[beginning(name)] ? bsearch(&wanted, entries, count, sizeof wanted, by_name) : NULL;
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
  for (; *names; names++) if (!strncmp(last ? last + 1 : path, *names, strlen(*names))) return 1;
  return 0;
}

// Libdispatch works for all threads of the process; only the time depends on the calling thread.
static int is_answered(const char *path, const char *name) {
  static const char *const dispatch[] = {"libdispatch.", NULL};
  return !is_named(path, dispatch) || !strcmp(name, "clock_gettime") || !strcmp(name, "gettimeofday");
}

static void set_slots(const ElfW(Rela) *entries, size_t count, ElfW(Addr) base, const ElfW(Sym) *symbols,
                      const char *names, const char *path) {
  for (size_t index = 0; index < count; index++) {
    if (!IS_SLOT(ELF64_R_TYPE(entries[index].r_info))) continue;
    struct replacement *found = find(names + symbols[ELF64_R_SYM(entries[index].r_info)].st_name);
    if (found && is_answered(path, found->name)) *(void **)(base + entries[index].r_offset) = found->answer;
  }
}

static int visit(struct dl_phdr_info *object, size_t size, void *context) {
  const char *path = object->dlpi_name ? object->dlpi_name : "";
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
  const ElfW(Rela) *jumps = NULL, *data = NULL;
  size_t jump_size = 0, data_size = 0, relative = 0;
  const ElfW(Sym) *symbols = NULL;
  const char *names = NULL;
  for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
    switch (dynamic->d_tag) {
      case DT_JMPREL: jumps = (const void *)dynamic->d_un.d_ptr; break;
      case DT_PLTRELSZ: jump_size = dynamic->d_un.d_val; break;
      case DT_RELA: data = (const void *)dynamic->d_un.d_ptr; break;
      case DT_RELASZ: data_size = dynamic->d_un.d_val; break;
      case DT_RELACOUNT: relative = dynamic->d_un.d_val; break; // So many relocations have no name; they are first.
      case DT_SYMTAB: symbols = (const void *)dynamic->d_un.d_ptr; break;
      case DT_STRTAB: names = (const void *)dynamic->d_un.d_ptr; break;
    }
  }
  if (!symbols || !names) return 0;
  // Slots that were bound before the start are read-only.
  if (end > start && mprotect((void *)start, end - start, PROT_READ | PROT_WRITE)) return 0;
  if (jumps) set_slots(jumps, jump_size / sizeof *jumps, object->dlpi_addr, symbols, names, path);
  if (data) set_slots(data + relative, data_size / sizeof *data - relative, object->dlpi_addr, symbols, names, path);
  if (end > start) mprotect((void *)start, end - start, PROT_READ);
  return 0;
}

// A function's name for the linker.
static const char *symbol(const char *name) {
  // The getters of RunLoop.main and RunLoop.current, OperationQueue.main and NotificationCenter.default.
  if (!strcmp(name, "foundation_main_run_loop")) return "$s10Foundation7RunLoopC4mainACvgZ";
  if (!strcmp(name, "foundation_current_run_loop")) return "$s10Foundation7RunLoopC7currentACvgZ";
  if (!strcmp(name, "foundation_main_operation_queue")) return "$s10Foundation14OperationQueueC4mainACvgZ";
  if (!strcmp(name, "foundation_default_notification_center")) return "$s20FoundationEssentials18NotificationCenterC7defaultACvgZ";
  return name;
}

static int count_loaded(struct dl_phdr_info *object, size_t size, void *context) {
  *(unsigned long long *)context = object->dlpi_adds;
  return 1;
}

// MARK: Resuming a URLSession task

#if defined(__x86_64__) || defined(__aarch64__)
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#else
#define SWIFT
#define SELF
#endif
#define METHOD (uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f, SELF void *self)

static int (*is_task_left_out)(void *task);
static void *socket_class; // It overrides the method.
static SWIFT void (*real_resume) METHOD, (*real_socket_resume) METHOD;
static SWIFT void interposition_answer_of_resume METHOD {
  if (interposition_current() && is_task_left_out(self)) return;
  (*(void **)self == socket_class ? real_socket_resume : real_resume)(a, b, c, d, e, f, self);
}

// Sets a method in the table of a class; returns the class.
static void *replace_method(const char *class, void *method, void *replacement) {
  void **const start = dlsym(RTLD_DEFAULT, class), **word = start;
  Dl_info object;
  const ElfW(Sym) *table = NULL;
  if (!method || !word || !dladdr1(word, &object, (void **)&table, RTLD_DL_SYMENT) || !table) return NULL;
  for (void **end = word + table->st_size / sizeof *word; word < end; word++)
    if (*word == method) *word = replacement;
  return start;
}

void interposition_answer_resume(int (*is_left_out)(void *task)) {
  static const char *const classes[] = {
      "$s20FoundationNetworking14URLSessionTaskCN", "$s20FoundationNetworking18URLSessionDataTaskCN",
      "$s20FoundationNetworking20URLSessionUploadTaskCN", "$s20FoundationNetworking22URLSessionDownloadTaskCN",
      "$s20FoundationNetworking20URLSessionStreamTaskCN", NULL};
  pthread_mutex_lock(&setting);
  void *resume = dlsym(RTLD_DEFAULT, "$s20FoundationNetworking14URLSessionTaskC6resumeyyF");
  if (resume && !real_resume) {
    is_task_left_out = is_left_out;
    *(void **)&real_resume = resume;
    for (const char *const *class = classes; *class; class++) replace_method(*class, resume, (void *)interposition_answer_of_resume);
    *(void **)&real_socket_resume = dlsym(RTLD_DEFAULT, "$s20FoundationNetworking23URLSessionWebSocketTaskC6resumeyyF");
    socket_class = replace_method("$s20FoundationNetworking23URLSessionWebSocketTaskCN", *(void **)&real_socket_resume, (void *)interposition_answer_of_resume);
  }
  pthread_mutex_unlock(&setting);
}

// MARK: Answering

// Passes a call on at the cost of one branch, unless a simulation's thread makes it.
#define F(result, name, parameters, arguments) \
  static result interposition_answer_##name parameters { \
    return interposition_current() ? answers.name arguments : interposition_real.name arguments; \
  }
INTERPOSITION_FUNCTIONS(F)
#undef F

static void add(const char *name, void *answer) {
  entries[count++] = (struct replacement){name, answer};
  beginnings[beginning(name)] = 1;
}

void interposition_install(const struct interposition_functions *with) {
  pthread_mutex_lock(&setting);
  if (!loaded) {
    answers = *with;
    answers.mtx_lock = interposition_c11_lock, answers.mtx_timedlock = interposition_c11_timedlock;
    answers.cnd_wait = interposition_c11_wait, answers.cnd_timedwait = interposition_c11_timedwait;
    answers.cnd_signal = interposition_c11_signal, answers.cnd_broadcast = interposition_c11_broadcast;
    answers.thrd_create = interposition_c11_create, answers.thrd_join = interposition_c11_join, answers.thrd_exit = interposition_c11_exit;
    answers.thrd_sleep = answers.nanosleep, answers.thrd_yield = interposition_c11_yield;
#define F(result, name, parameters, arguments) \
  *(void **)&interposition_real.name = dlsym(RTLD_DEFAULT, symbol(#name)); \
  if (answers.name) add(symbol(#name), (void *)interposition_answer_##name);
    INTERPOSITION_FUNCTIONS(F)
#undef F
#define F(result, name, parameters, arguments) \
  *(void **)&interposition_real.name = dlsym(RTLD_DEFAULT, symbol(#name)); \
  if (answers.name) add(symbol(#name), (void *)answers.name);
    INTERPOSITION_FUNCTIONS_OF_ALL(F)
#undef F
    qsort(entries, count, sizeof *entries, by_name);
    find("pthread_mutex_lock")->answer = (void *)interposition_lock;
  }
  unsigned long long present = 0;
  dl_iterate_phdr(count_loaded, &present);
  if (present != loaded) {
    loaded = present;
    dl_iterate_phdr(visit, NULL);
  }
  pthread_mutex_unlock(&setting);
}
#endif
