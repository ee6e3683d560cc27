/* The one door to the heap. Sizes are checked for overflow, and running out of
 * memory ends the program here (exit status 3), so callers never test for NULL. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>
#include <stdint.h>

void *mem_alloc(size_t count, size_t size);  /* uninitialised */
void *mem_zalloc(size_t count, size_t size); /* zeroed */
void *mem_align(size_t count, size_t size);  /* zeroed, aligned to 64 bytes; freed with mem_free */
void *mem_resize(void *old, size_t count, size_t size);
void mem_free(void *p);

#define NEW(type) ((type *)mem_zalloc(1, sizeof(type)))
#define NEW_ARRAY(type, n) ((type *)mem_zalloc((n), sizeof(type)))

size_t mem_physical(void); /* bytes of memory in this machine */
size_t mem_resident(void); /* bytes this process occupies now */

#endif
