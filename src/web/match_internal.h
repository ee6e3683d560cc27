/* One match: its seats, its course, who may see what. */
#ifndef WEB_MATCH_INTERNAL_H
#define WEB_MATCH_INTERNAL_H

#include "base/thread.h"
#include "macaw/belief.h"
#include "macaw/match.h"
#include "macaw/player.h"
#include "web/matches.h"
#include "web/server.h"

enum who { SEAT_CHANCE, SEAT_HUMAN, SEAT_GUEST, SEAT_PLAYER }; /* guest: invited, and not there yet */

struct seat {
	enum who who;
	int holder;      /* human: the key that holds it */
	char invite[33]; /* guest */
	char *word;      /* player */
	double seconds;  /* per move; 0: */
	uint64_t playouts;
	macaw_player *player; /* belongs to the thread that plays the match */
	bool lost;            /* it has to be made anew and put where the match is */
	double clock;         /* seconds left when the step began; only with a clock */
	/* of this step */
	uint32_t decided; /* MACAW_NONE: not yet */
	bool choice;      /* has more than one move */
	double began;     /* to think, on clock_now(); 0: has not */
	double took, value;
	char *why;
};

struct made { /* by step and role */
	uint32_t move;
	double seconds, value; /* value below 0: not known */
	enum macaw_fault fault;
	bool choice;
	char *why;
};

struct key {
	char secret[33];
};

/* What one role of a hidden game has been shown, step by step. */
struct track {
	macaw_belief *belief;
	bool dry;                /* nothing was found that agrees with what was seen */
	VEC(char *) views, made; /* JSON; made[0] is NULL */
};

enum over { OVER_NOT, OVER_TERMINAL, OVER_STUCK, OVER_TIME, OVER_RESIGNED, OVER_TROUBLE, OVER_RECORD };

struct match {
	struct matches *all;
	struct web *web;
	char id[24];
	atomic_int holders;   /* of this struct: the list, listeners, who plays it, who asks */
	_Atomic double asked; /* when somebody last did, on clock_now() */
	atomic_int listeners;

	/* everything below: under this lock, except where it says otherwise */
	struct thread_mutex lock;
	pthread_cond_t change;
	struct place course;
	uint32_t roles;
	struct seat *seats;    /* by role */
	VEC(struct made) made; /* by step and role */
	VEC(struct key) keys;  /* the first one is the host's */
	struct track *tracks;  /* by role; of hidden games */
	char *view;            /* JSON of the present position, where nothing is hidden */
	uint64_t epoch;        /* changes when listeners must be told everything anew */
	uint64_t version;      /* changes with everything */
	enum over over;
	uint32_t over_role;
	char *trouble;
	bool hidden; /* the game is */
	bool record; /* opened, not played */
	bool gone;   /* was ended */
	bool paused;
	uint32_t single_steps; /* to be made although it is paused */
	double delay, last_step;
	bool clocked;
	double increment, turn_began;
	uint64_t seed;
	bool working, resting; /* a thread plays it; nobody looks */
	macaw_stop stop;       /* of whoever thinks */
};

/* ---- the list (matches.c); not under the lock of a match ---- */

/* Takes the course over. Nobody sits yet; the caller holds it. */
struct match *matches_new(struct request *q, struct place *course);
bool matches_add(struct request *q, struct match *m); /* with the host's key; false: no room, the request has failed */
struct match *matches_find(struct matches *all, const char *id); /* held; NULL: there is none */
void matches_drop(struct matches *all, struct match *m);
void matches_list(struct request *q);

/* ---- playing (match_play.c); under the lock ---- */

void match_wake(struct match *m);      /* there may be something to do */
void match_interrupt(struct match *m); /* what is being thought is thrown away: the position or a seat changes */
void match_arrive(struct match *m);    /* at a new position: looks who has a choice, ends the match where it is over */
void match_changed(struct match *m);   /* tells listeners */
void match_go_back(struct match *m, uint32_t step);
void match_decide(struct match *m, uint32_t role, uint32_t move);
void match_end(struct match *m, enum over how, uint32_t role);
void match_charge(struct match *m);                                   /* puts the time that has passed on the clocks */
double match_clock(const struct match *m, uint32_t role, double now); /* seconds left */
bool match_runs(const struct match *m, uint32_t role);                /* its clock does */
bool match_waits(const struct match *m, uint32_t role);               /* for a person who is to move */
bool match_thinks(const struct match *m, uint32_t role);
void match_give(struct match *m); /* one holder less; not under the lock */

/* ---- what is shown (match_show.c); under the lock ---- */

struct viewer {
	int key;     /* -1: none */
	uint32_t as; /* a role that the key holds; MACAW_NONE: it holds none */
};

bool match_holds(const struct match *m, int key, uint32_t role);
uint32_t match_first_role(const struct match *m,
                          int key);           /* that it holds, those to move before others; MACAW_NONE: none */
uint32_t match_people(const struct match *m); /* seats of people, also of those not there yet */
bool match_open_to(const struct match *m, const struct viewer *v); /* may see the whole position */
void match_put(struct json_writer *w, const char *key, struct match *m, const struct viewer *v);
void match_put_view(struct json_writer *w, const char *key, struct match *m, const struct viewer *v, uint32_t step);
void match_put_made(struct json_writer *w, const char *key, struct match *m, const struct viewer *v, uint32_t step);
void match_put_now(struct json_writer *w, struct match *m,
                   const struct viewer *v); /* clocks, who is to move, the end */
void match_put_seats(struct json_writer *w, struct match *m, const struct viewer *v);
void match_forget_views(struct match *m, uint32_t after); /* those of later steps */
void match_free_track(struct track *t);
void match_listen(struct request *q, struct match *m, const struct viewer *v);

#endif
