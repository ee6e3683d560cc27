/* Passes each call on to the kind of session it is for. */
#include "net/player/session.h"

#include "base/clock.h"

bool session_crowded(const struct message *m, size_t waiting, size_t bytes)
{
	bool last = m->kind == MESSAGE_STOP || m->kind == MESSAGE_ABORT;
	if (waiting >= SESSION_WAITING + (last ? SESSION_WAITING_LAST : 0))
		return true;
	return m->kind == MESSAGE_PLAY && bytes && bytes + m->length > SESSION_BYTES;
}

const char *session_no_match(const struct message *m)
{
	return m->kind == MESSAGE_STOP ? "done" : m->kind == MESSAGE_ABORT ? "aborted" : "busy";
}

struct session *session_open(const struct session_options *o, struct message *start, double arrived, double delay,
                             void *ticket)
{
	return (o->program ? &session_in_process : &session_in_threads)->open(o, start, arrived, delay, ticket);
}

void session_ask(struct session *s, struct message *m, double arrived, double delay, void *ticket)
{
	s->kind->ask(s, m, arrived, delay, ticket);
}

void session_replay(struct session *s, struct message *m, double arrived, const char *reply)
{
	s->kind->replay(s, m, arrived, reply);
}

void session_told(struct session *s, const char *reply)
{
	s->kind->told(s, reply);
}

double session_tick(struct session *s, double now)
{
	return s->kind->tick(s, now);
}

void session_end(struct session *s, const char *why)
{
	s->kind->end(s, why);
}

const char *session_id(const struct session *s)
{
	return text_str(&s->kind->started(s)->id);
}

double session_clock(const struct session *s)
{
	return s->kind->started(s)->play;
}

bool session_over(struct session *s)
{
	return s->kind->over(s);
}

bool session_gone(struct session *s)
{
	return s->kind->gone(s);
}

bool session_same_start(struct session *s, const struct message *m)
{
	return s->kind->same_start(s, m);
}

struct session_state session_state(struct session *s)
{
	return s->kind->state(s);
}

void session_status(struct session *s, struct json_writer *w)
{
	const struct message *m = s->kind->started(s);
	struct session_state state = session_state(s);
	jsonw_object(w, NULL);
	jsonw_text(w, "match", text_str(&m->id));
	jsonw_text(w, "role", text_str(&m->role));
	jsonw_text(w, "doing", state.doing);
	jsonw_uint(w, "step", state.step);
	jsonw_real(w, "start_clock", m->start);
	jsonw_real(w, "play_clock", m->play);
	jsonw_real(w, "seconds", clock_now() - s->kind->began(s));
	jsonw_text(w, "engine", state.engine);
	jsonw_end(w);
}

void session_free(struct session *s)
{
	s->kind->free(s);
}
