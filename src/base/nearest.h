/* Suggestions for mistyped words. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

/* The nearest word to `word` of a NULL-terminated list, or NULL when none is near. */
const char *nearest_word(const char *word, const char *const *list);

#endif
