#if defined(__linux__)
#define _GNU_SOURCE
#include "Interposition.h"
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

struct interposition_functions interposition_real;

static __thread void *owner;
static __thread int depth;

void *interposition_current(void) { return depth == 0 ? owner : NULL; }
void *interposition_owner(void) { return owner; }
void interposition_set_owner(void *thread) { owner = thread; }
void interposition_enter(void) { depth++; }
void interposition_leave(void) { depth--; }
int interposition_suspend(void) { int before = depth; depth = 0; return before; }
void interposition_restore(int before) { depth = before; }

int interposition_thread_number(void) { return (int)interposition_real.syscall(SYS_gettid, 0, 0, 0, 0, 0, 0); }
int interposition_owner_of(const pthread_mutex_t *mutex) { return mutex->__data.__owner; }

int interposition_is_random(int descriptor) {
  struct stat status;
  // /dev/random and /dev/urandom.
  return fstat(descriptor, &status) == 0 && S_ISCHR(status.st_mode) &&
         (status.st_rdev == makedev(1, 8) || status.st_rdev == makedev(1, 9));
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
static struct replacement replacements[128];
static size_t replacement_count;

static int by_name(const void *left, const void *right) {
  return strcmp(((const struct replacement *)left)->name, ((const struct replacement *)right)->name);
}

// The kinds of relocation by which a library finds a function.
#if defined(__x86_64__)
#define IS_SLOT(type) ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT)
#elif defined(__aarch64__)
#define IS_SLOT(type) ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT)
#else
#define IS_SLOT(type) 0
#endif

static int ends_with(const char *path, const char *name) {
  const char *last = strrchr(path, '/');
  return strncmp(last ? last + 1 : path, name, strlen(name)) == 0;
}

static void set_slots(const ElfW(Rela) *entries, size_t count, ElfW(Addr) base, const ElfW(Sym) *symbols,
                      const char *names, int clocks_only) {
  for (size_t index = 0; index < count; index++) {
    if (!IS_SLOT(ELF64_R_TYPE(entries[index].r_info))) continue;
    struct replacement wanted = {.name = names + symbols[ELF64_R_SYM(entries[index].r_info)].st_name};
    struct replacement *found =
        bsearch(&wanted, replacements, replacement_count, sizeof wanted, by_name);
    if (!found) continue;
    // Libdispatch works for all threads of the process: only what time it is depends on who asks.
    if (clocks_only && strcmp(found->name, "clock_gettime") && strcmp(found->name, "gettimeofday")) continue;
    *(void **)(base + entries[index].r_offset) = found->answer;
  }
}

static int visit(struct dl_phdr_info *object, size_t size, void *context) {
  const char *path = object->dlpi_name ? object->dlpi_name : "";
  static const char *const own[] = {"libc.", "ld-", "linux-vdso", "libpthread", "libBlocksRuntime", "libm."};
  for (size_t index = 0; index < sizeof own / sizeof *own; index++)
    if (ends_with(path, own[index])) return 0;
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
  int clocks_only = ends_with(path, "libdispatch.");
  // Slots that were bound before the start are read-only since.
  if (end > start && mprotect((void *)start, end - start, PROT_READ | PROT_WRITE)) return 0;
  if (jumps) set_slots(jumps, jump_size / sizeof *jumps, object->dlpi_addr, symbols, names, clocks_only);
  if (data) set_slots(data, data_size / sizeof *data, object->dlpi_addr, symbols, names, clocks_only);
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

void interposition_install(const struct interposition_functions *answers) {
  static unsigned long long known;
  unsigned long long loaded = 0;
  dl_iterate_phdr(count_loaded, &loaded);
  if (loaded == known) return;
  if (!known) {
#define F(result, function, parameters) \
  *(void **)&interposition_real.function = dlsym(RTLD_DEFAULT, symbol(#function)); \
  if (answers->function) \
    replacements[replacement_count++] = \
        (struct replacement){symbol(#function), (void *)answers->function};
    INTERPOSITION_FUNCTIONS(F)
#undef F
    wait_for_lock = answers->pthread_mutex_lock;
    for (size_t index = 0; index < replacement_count; index++)
      if (!strcmp(replacements[index].name, "pthread_mutex_lock")) replacements[index].answer = (void *)lock;
    qsort(replacements, replacement_count, sizeof *replacements, by_name);
  }
  known = loaded;
  dl_iterate_phdr(visit, NULL);
}
#endif
