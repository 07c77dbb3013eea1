// Finds the source line of an address in a program's line number tables, as Swift writes them (DWARF 4, section 6.2).
//
// The Swift runtime reads other tables too, but all of them for each address: half a second for a large program.
#if defined(__linux__) && !defined(__ANDROID__)
#define _GNU_SOURCE
#include "Interposition.h"
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// Bytes that are read from the front; after their end, each number is 0 and each text empty.
struct bytes {
  const uint8_t *at, *end;
};

// Instructions in ascending order and without a gap, which one table describes.
struct sequence {
  uint64_t low, high;
  struct bytes table;
};

struct image {
  const void *base;
  uint64_t offset;
  struct sequence *sequences;
  size_t count, capacity;
  struct image *next;
};

struct table {
  struct bytes program, lengths, names;
  int minimum, first_special, range;
  int8_t base;
};

struct row {
  uint64_t address, file, line;
};

static size_t left(const struct bytes *bytes) { return bytes->end - bytes->at; }

// The next `count` bytes, or as many as there are.
static struct bytes part(struct bytes *bytes, uint64_t count) {
  const uint8_t *start = bytes->at;
  bytes->at += count < left(bytes) ? count : left(bytes);
  return (struct bytes){start, bytes->at};
}

static uint64_t number(struct bytes *bytes, uint64_t size) {
  struct bytes own = part(bytes, size);
  uint64_t result = 0;
  memcpy(&result, own.at, left(&own) == size && size <= 8 ? size : 0);
  return result;
}

static uint64_t leb(struct bytes *bytes, int is_signed) {
  uint64_t result = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    uint8_t byte = number(bytes, 1);
    result |= (uint64_t)(byte & 0x7F) << shift;
    if (byte & 0x80) continue;
    if (is_signed && byte & 0x40 && shift < 57) result |= ~UINT64_C(0) << (shift + 7);
    break;
  }
  return result;
}

static const char *text(struct bytes *bytes) {
  const uint8_t *start = bytes->at, *end = memchr(start, 0, left(bytes));
  if (!end) return bytes->at = bytes->end, "";
  bytes->at = end + 1;
  return (const char *)start;
}

// Section 6.2.4: the header.
static int is_read(struct bytes bytes, struct table *table) {
  part(&bytes, 4);
  int version = number(&bytes, 2);
  table->names = part(&bytes, number(&bytes, 4));
  table->program = bytes;
  table->minimum = number(&table->names, 1);
  part(&table->names, 2);
  table->base = number(&table->names, 1);
  table->range = number(&table->names, 1);
  table->first_special = number(&table->names, 1);
  table->lengths = part(&table->names, table->first_special - 1);
  return version == 4 && table->range && table->first_special;
}

static void add(struct image *image, struct sequence sequence) {
  // The linker sets the addresses of what it has left out to 0.
  if (!sequence.low || sequence.high <= sequence.low) return;
  if (image->count == image->capacity) {
    size_t capacity = image->capacity ? 2 * image->capacity : 4096;
    struct sequence *sequences = realloc(image->sequences, capacity * sizeof *sequences);
    if (!sequences) return;
    (image->sequences = sequences, image->capacity = capacity);
  }
  image->sequences[image->count++] = sequence;
}

// Section 6.2.5: runs a table's program. It adds the table's sequences to `image`; or, without one, it finds the row of an
// address.
static int run(const struct table *table, struct bytes unit, struct image *image, uint64_t address, struct row *found) {
  struct bytes program = table->program;
  struct row row = {0, 1, 1}, before = row;
  uint64_t low = 0;
  int has_before = 0;
  while (left(&program)) {
    int code = number(&program, 1), is_row = code == 1, is_end = 0;
    if (code >= table->first_special) {
      int step = code - table->first_special;
      row.address += step / table->range * table->minimum;
      row.line += table->base + step % table->range;
      is_row = 1;
    } else if (code == 0) {
      struct bytes extended = part(&program, leb(&program, 0));
      int kind = number(&extended, 1);
      is_row = is_end = kind == 1;
      if (kind == 2) row.address = number(&extended, left(&extended));
    } else if (code == 2) {
      row.address += leb(&program, 0) * table->minimum;
    } else if (code == 3) {
      row.line += leb(&program, 1);
    } else if (code == 4) {
      row.file = leb(&program, 0);
    } else if (code == 8) {
      row.address += (255 - table->first_special) / table->range * table->minimum;
    } else if (code == 9) {
      row.address += number(&program, 2);
    } else if (code > 1) {
      struct bytes lengths = table->lengths;
      part(&lengths, code - 1);
      for (uint64_t count = number(&lengths, 1); count > 0; count--) leb(&program, 0);
    }
    if (!is_row) continue;
    if (!has_before) low = row.address;
    if (!image && has_before && before.address <= address && address < row.address) return *found = before, 1;
    if (image && is_end) add(image, (struct sequence){low, row.address, unit});
    (before = row, has_before = !is_end);
    if (is_end) row = (struct row){0, 1, 1};
  }
  return 0;
}

// Section 6.2.4: the folders, and the files with their folders' numbers, each list from 1 on.
static void write_name(const struct table *table, uint64_t number, char *path, size_t size) {
  struct bytes folders = table->names, files = folders;
  const char *file = "", *folder = "";
  uint64_t place = 0;
  while (*text(&files)) {}
  for (uint64_t index = 0; index < number && left(&files); index++) {
    file = text(&files);
    place = leb(&files, 0);
    (leb(&files, 0), leb(&files, 0));
  }
  for (uint64_t index = 0; index < place; index++) folder = text(&folders);
  if (*file == '/') folder = "";
  snprintf(path, size, "%s%s%s", folder, *folder ? "/" : "", file);
}

// MARK: Images

static struct bytes lines(struct bytes file) {
  const ElfW(Ehdr) *header = (const void *)file.at;
  const ElfW(Shdr) *sections = (const void *)(file.at + header->e_shoff), *names = sections + header->e_shstrndx;
  for (const ElfW(Shdr) *each = sections; each < sections + header->e_shnum; each++) {
    struct bytes name = file, content = file;
    part(&name, names->sh_offset + each->sh_name);
    if (each->sh_flags & SHF_COMPRESSED || strcmp(text(&name), ".debug_line")) continue;
    part(&content, each->sh_offset);
    return part(&content, each->sh_size);
  }
  return (struct bytes){file.end, file.end};
}

static struct bytes file_at(const char *path) {
  struct bytes result = {NULL, NULL};
  struct stat status;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return result;
  if (!fstat(descriptor, &status) && status.st_size > (off_t)sizeof(ElfW(Ehdr))) {
    const uint8_t *start = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (start != MAP_FAILED) result = (struct bytes){start, start + status.st_size};
  }
  close(descriptor);
  const ElfW(Ehdr) *header = (const void *)result.at;
  int is_valid = header && !memcmp(header, ELFMAG, SELFMAG) && header->e_shstrndx < header->e_shnum
    && header->e_shoff + header->e_shnum * sizeof(ElfW(Shdr)) <= left(&result);
  return is_valid ? result : (struct bytes){NULL, NULL};
}

static struct image *image_at(uintptr_t address) {
  static struct image *images;
  Dl_info info;
  struct link_map *map;
  if (!dladdr1((void *)address, &info, (void **)&map, RTLD_DL_LINKMAP)) return NULL;
  for (struct image *image = images; image; image = image->next) {
    if (image->base == info.dli_fbase) return image;
  }
  struct image *image = calloc(1, sizeof *image);
  if (!image) return NULL;
  (image->base = info.dli_fbase, image->offset = map->l_addr, image->next = images, images = image);
  struct bytes file = file_at(*map->l_name ? map->l_name : "/proc/self/exe");
  if (!file.at) return image;
  for (struct bytes rest = lines(file); left(&rest);) {
    struct bytes unit = rest;
    part(&rest, number(&rest, 4));
    unit.end = rest.at;
    struct table table;
    if (is_read(unit, &table)) run(&table, unit, image, 0, NULL);
  }
  return image;
}

int64_t interposition_line(uintptr_t address, char *path, size_t size) {
  struct image *image = image_at(address);
  uint64_t place = image ? address - image->offset : 0;
  for (size_t index = 0; image && index < image->count; index++) {
    struct sequence each = image->sequences[index];
    struct table table;
    struct row row;
    if (place < each.low || place >= each.high || !is_read(each.table, &table)) continue;
    if (!run(&table, each.table, NULL, place, &row)) continue;
    write_name(&table, row.file, path, size);
    return row.line;
  }
  return -1;
}
#endif
