/* The threads that compute for the page. Work comes in three ranks: what a request waits for, pieces of long work, and
 * what may wait; one thread at least is never in long work, so requests are answered whatever is going on. */
#ifndef WEB_POOL_H
#define WEB_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pool_rank { POOL_REQUEST, POOL_LONG, POOL_BACKGROUND, POOL_RANKS };

struct pool;

struct pool *pool_open(uint32_t threads); /* NULL: no thread could be started */
/* Work that has not begun is dropped, work under way is waited for. */
void pool_close(struct pool *p);

typedef void pool_work(void *context);
/* Not before `at` on clock_now() (0: as soon as a thread is free). Work of a rank begins in the order it came. */
void pool_add(struct pool *p, enum pool_rank rank, double at, pool_work *work, void *context);
/* Does it as a request and waits until it is done. False: the pool is closing, and it was not done. */
bool pool_run(struct pool *p, pool_work *work, void *context);

#endif
