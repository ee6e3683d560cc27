/* What is the same for many commands, to be read by `macaw help TOPIC`. */
#ifndef CLI_TOPICS_H
#define CLI_TOPICS_H

#include <stddef.h>

struct topic {
	const char *name, *summary;
	const char *text; /* paragraphs; indented lines stand as they are */
};

extern const struct topic topics[];
extern const size_t topic_count;

#endif
