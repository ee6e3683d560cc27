/* The process of one match: a session in threads, whose messages come from a server through a socket. */
#ifndef NET_PLAYER_MATCH_CHILD_H
#define NET_PLAYER_MATCH_CHILD_H

/* Until the match is over or the server has gone; the exit status of the process. */
int match_child_run(int socket);

#endif
