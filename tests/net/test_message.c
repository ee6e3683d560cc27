/* Messages as strangers write them; names scrambled and back; and what a role knows held
 * against matches whose every state is known to the test. */
#include "work.h"

#include "net/player/tracker.h"
#include "net/protocol/message.h"
#include "net/protocol/scramble.h"
#include "server.h"

#include <string.h>

static struct message *read_text(const char *text)
{
	struct text error = {0};
	struct message *m = message_read(text, strlen(text), &error);
	assert_int_equal(!m, error.n > 0);
	text_free(&error);
	return m;
}

static void the_forms_of_messages(void **state)
{
	struct message *m =
		read_text("( START Local.ticTacToe.1794 xplayer (( role xplayer ) ( role oplayer )) 30 10.5 extra )");
	const char *rules;
	size_t length;
	assert_int_equal(m->kind, MESSAGE_START);
	assert_string_equal(text_str(&m->id), "Local.ticTacToe.1794");
	assert_string_equal(text_str(&m->role), "xplayer");
	assert_true(m->start == 30 && m->play == 10.5);
	message_rules(m, &rules, &length);
	assert_int_equal(strncmp(rules, "( role xplayer ) ( role oplayer )", length), 0);
	message_free(m);

	m = read_text("(play m nil)");
	assert_true(!m->turned && m->list == KIF_NONE && m->own == KIF_NONE);
	message_free(m);
	m = read_text("(Play m ((a 1) noop))");
	assert_true(!m->turned && m->kif.nodes.at[m->list].count == 2);
	message_free(m);
	m = read_text("(play m 3 (a 1) ((p q) (r)))");
	struct text own = {0};
	kif_print(&m->kif, m->own, &own);
	assert_true(m->turned && m->turn == 3 && m->kif.nodes.at[m->list].count == 2);
	assert_string_equal(text_str(&own), "(a 1)");
	message_free(m);
	m = read_text("(stop m 0 nil nil)");
	assert_true(m->turned && m->own == KIF_NONE && m->list == KIF_NONE);
	message_free(m);
	text_free(&own);
	assert_null(read_text("(play m 1 nil)"));
	assert_null(read_text("(play m soon nil nil)"));
	assert_null(read_text("(start m r ((role r)) 1)"));
	assert_null(read_text("(start m r ((role r)) 1 nan)"));
}

static void deep_lists_are_refused(void **state)
{
	enum { DEEP = 200000 };
	char *text = mem_alloc(2 * DEEP + 1, 1);
	memset(text, '(', DEEP);
	memset(text + DEEP, ')', DEEP);
	text[2 * DEEP] = 0;
	assert_null(read_text(text));
	mem_free(text);
}

static void terms_print_as_rules_do(void **state)
{
	static const char *const pairs[][2] = {
		{" ( noop ) ", "noop"}, {"(  a\n(b)  (c (d) ) )", "(a b (c d))"}, {"x", "x"}, {"(a ; why\n b)", "(a b)"}};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		struct kif k;
		struct text out = {0}, error = {0};
		assert_true(kif_read(&k, pairs[i][0], strlen(pairs[i][0]), &error));
		kif_print(&k, 0, &out);
		assert_string_equal(text_str(&out), pairs[i][1]);
		kif_free(&k);
		text_free(&out);
	}
}

static struct gdl_rules *read_rules(const char *text)
{
	struct diags d = {0};
	struct gdl_rules *r = gdl_read(text, strlen(text), &d);
	gdl_check(r, &d);
	assert_int_equal(d.errors, 0);
	diag_free(&d);
	return r;
}

static void scrambled_rules_are_the_same_game(void **state)
{
	const char *text = server_rules("kuhn_poker");
	struct scramble *s = scramble_new(text, strlen(text), 5);
	struct text there = {0}, back = {0};
	scramble_put(s, text, strlen(text), &there);
	scramble_undo(s, text_str(&there), there.n, &back);
	struct gdl_rules *a = read_rules(text), *b = read_rules(text_str(&there)), *c = read_rules(text_str(&back));
	assert_true(gdl_equal(a, c));
	assert_false(gdl_equal(a, b));
	assert_null(strstr(text_str(&there), "alice"));
	assert_non_null(strstr(text_str(&there), "random"));
	gdl_free(a);
	gdl_free(b);
	gdl_free(c);
	text_free(&there);
	text_free(&back);
	scramble_free(s);
}

/* ---- what a role knows ----------------------------------------------------------------------- */

struct truth {
	struct game *g;
	struct worker *w;
	struct rng rng;
	uint64_t *state;
	uint32_t joint[16];
};

static void compare(const struct truth *t, const struct tracker *k, uint32_t role)
{
	const struct tracker_now *n = tracker_now(k);
	struct view v = game_look(t->w, t->state);
	if (v.terminal || n->guessed)
		return; /* that some thinkable state goes on is no error */
	assert_int_equal(n->legal_count, v.start[role + 1] - v.start[role]);
	assert_memory_equal(n->legal, v.legal + v.start[role], n->legal_count * sizeof *n->legal);
	if (!t->g->hidden) {
		assert_int_equal(n->states, 1);
		assert_memory_equal(n->state, t->state, t->g->words * sizeof *t->state);
	}
}

/* The message that a manager would send to the role; upper case and shuffled when `rude`. */
static void tell(struct truth *t, uint32_t role, bool joint, bool rude, uint32_t step, struct text *out)
{
	struct percepts p = game_sees(t->w, t->state, t->joint);
	out->n = 0;
	text_printf(out, joint || rude ? "(play m (" : "(play m %u ", step);
	if (!joint && !rude) {
		game_print_move(t->g, t->joint[role], out);
		text_puts(out, " (");
	}
	if (joint)
		for (uint32_t r = 0; r < t->g->roles; r++) {
			game_print_move(t->g, t->joint[r], out);
			text_putc(out, ' ');
		}
	else
		for (uint32_t i = p.start[role + 1]; i > p.start[role]; i--) {
			game_print_percept(t->g, p.seen[i - 1], out);
			text_putc(out, ' ');
		}
	text_puts(out, "))");
}

static void follow(const char *game, bool joint, bool rude, uint64_t seed)
{
	struct gdl_rules *rules = read_rules(server_rules(game));
	struct text error = {0}, told = {0};
	struct truth t = {.g = game_make(rules, &(struct game_options){0}, &error), .rng = rng_seed(seed)};
	assert_non_null(t.g);
	assert_true(t.g->roles <= 16);
	t.w = worker_new(t.g);
	t.state = NEW_ARRAY(uint64_t, t.g->words);
	for (uint32_t role = 0; role < t.g->roles; role++) {
		if (role == t.g->random)
			continue;
		struct tracker *k = tracker_new(t.g, role, seed);
		memcpy(t.state, t.g->initial, t.g->words * sizeof *t.state);
		for (uint32_t step = 1; step < 40; step++) {
			compare(&t, k, role);
			struct view v = game_look(t.w, t.state);
			if (v.terminal || !game_random_move(t.g, &v, &t.rng, t.joint))
				break;
			tell(&t, role, joint, rude, step, &told);
			struct message *m = read_text(text_str(&told));
			struct tracker_input n = {&m->kif, KIF_NONE, m->own, GAME_NONE, KIF_NONE};
			if (joint)
				n.joint = m->list;
			else
				n.percepts = m->list;
			if (rude)
				n.own_move = t.joint[role];
			struct limit limit = work_seconds(test_sample() ? 0.2 : 0.04);
			if (!tracker_step(k, &n, &limit))
				fail_msg("%s, role %u, step %u of seed %u: nothing fits %s", game, role, step, (unsigned)seed,
				         text_str(&told));
			game_next(t.w, t.state, t.joint, t.state);
			message_free(m);
		}
		tracker_free(k);
	}
	mem_free(t.state);
	worker_free(t.w);
	game_free(t.g);
	gdl_free(rules);
	text_free(&told);
}

static void what_is_known_holds_the_truth(void **state)
{
	static const char *const hidden[] = {"kuhn_poker", "monty_hall", "phantom_tictactoe"};
	static const char *const open[] = {"tictactoe", "connect_four", "pacman"};
	for (size_t i = 0; i < 3; i++)
		for (uint64_t seed = 1; seed <= (test_sample() ? 1 : 2); seed++) {
			follow(open[i], true, false, seed);
			follow(hidden[i], false, false, seed);
			follow(hidden[i], false, true, seed);
			follow(hidden[i], true, false, seed);
		}
	follow("latent_tictactoe", false, false, 1); /* too much is hidden to be known: it goes on all the same */
}

static void what_does_not_fit_changes_nothing(void **state)
{
	struct gdl_rules *rules = read_rules(server_rules("tictactoe"));
	struct text error = {0};
	struct game *g = game_make(rules, &(struct game_options){0}, &error);
	struct tracker *k = tracker_new(g, 0, 1);
	static const char *const bad[] = {"(play m (noop noop))", "(play m ((mark 1 1)))", "(play m ((mark 4 4) noop))",
	                                  "(play m ((mark 1 1) noop noop))"};
	for (size_t i = 0; i < 4; i++) {
		struct message *m = read_text(bad[i]);
		struct tracker_input n = {&m->kif, m->list, KIF_NONE, GAME_NONE, KIF_NONE};
		assert_false(tracker_step(k, &n, &(struct limit){0}));
		assert_int_equal(tracker_now(k)->step, 0);
		assert_int_equal(tracker_now(k)->legal_count, 9);
		message_free(m);
	}
	tracker_free(k);
	game_free(g);
	gdl_free(rules);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(the_forms_of_messages),         cmocka_unit_test(deep_lists_are_refused),
		cmocka_unit_test(terms_print_as_rules_do),       cmocka_unit_test(scrambled_rules_are_the_same_game),
		cmocka_unit_test(what_is_known_holds_the_truth), cmocka_unit_test(what_does_not_fit_changes_nothing),
	};
	return RUN(cases);
}
