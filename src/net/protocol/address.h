/* Addresses HOST:PORT, to listen on and to call. */
#ifndef NET_PROTOCOL_ADDRESS_H
#define NET_PROTOCOL_ADDRESS_H

#include "base/text.h"

#include <stdbool.h>

/* A socket that listens there, or -1 with a message; `bound` gets HOST:PORT with the
 * port that was picked when it was 0; *usage: it is the address that is wrong. */
int address_listen(const char *address, struct text *bound, bool *usage, struct text *error);

/* Is it of the form HOST:PORT? Only letters, digits, `.`, `-`, `_` and, in square
 * brackets, `:` are taken for a host. */
bool address_valid(const char *address);

#endif
