/* Every choice of every role is thought over again: what was the move worth that was made, and what the best one? */
#include "cli/turning_points.h"

#include "cli/analyst.h"
#include "cli/commands.h"
#include "cli/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct turning_point {
	uint32_t step, role, made, best;
	double made_value, best_value;
};

struct turning_list {
	VEC(struct turning_point) all;
	uint64_t judged;
};

static const macaw_move_value *value_of(const macaw_thought *t, uint32_t move)
{
	for (uint32_t i = 0; i < t->value_count; i++)
		if (t->values[i].move == move && t->values[i].value >= 0)
			return &t->values[i];
	return NULL;
}

static void judge(const struct analyst *a, const macaw_thought *t, uint32_t made, double least,
                  struct turning_list *out)
{
	const macaw_move_value *mine = value_of(t, made), *best = value_of(t, t->move);
	if (!mine || !best)
		return;
	out->judged++;
	struct turning_point x = {a->step, a->role, made, best->move, mine->value, best->value};
	if (x.best_value - x.made_value >= least && x.best_value > x.made_value)
		vec_push(&out->all, x);
}

static bool judge_role(const struct replayed *p, uint32_t role, const struct turning_options *o,
                       struct turning_list *out, macaw_error *e)
{
	struct analyst a;
	const uint64_t *start = replayed_position(p, 0);
	bool elsewhere = !macaw_position_equal(p->game, start, macaw_position_initial(p->game));
	bool fine = analyst_open(&a, p->game, role, o->player, 1, elsewhere ? start : NULL);
	for (uint32_t i = 0; i < p->steps && fine; i++) {
		macaw_thought t;
		const uint32_t *joint = replayed_joint(p, i);
		if (analyst_chooses(&a)) {
			fine = analyst_think(&a, &(macaw_budget){.playouts = (uint64_t)o->playouts}, &t);
			if (fine)
				judge(&a, &t, joint[role], o->least, out);
		}
		fine = fine && analyst_follow(&a, joint);
	}
	*e = a.error;
	analyst_close(&a);
	return fine;
}

static int by_step(const void *a, const void *b)
{
	const struct turning_point *x = a, *y = b;
	return x->step != y->step ? (x->step > y->step) - (x->step < y->step) : (x->role > y->role) - (x->role < y->role);
}

static void print(const macaw_game *g, const struct turning_list *l, const struct turning_options *o)
{
	struct text out = {0};
	for (size_t i = 0; i < l->all.n; i++) {
		const struct turning_point *x = &l->all.at[i];
		struct text line = {0};
		text_printf(&line, "step %u: %s %s gave away %.1f points: it is worth %.1f, %s is worth %.1f", x->step + 1,
		            macaw_game_role(g, x->role), macaw_game_move(g, x->made), x->best_value - x->made_value,
		            x->made_value, macaw_game_move(g, x->best), x->best_value);
		screen_wrap(text_str(&line), line.n, 2, 0, screen_columns(), &out);
		text_free(&line);
	}
	if (!l->judged)
		text_printf(&out, "no turning points: %s says nothing of the value of moves here, or nobody had a choice\n",
		            o->player);
	else if (!l->all.n)
		text_printf(&out, "no turning points: nobody gave away %g points in %llu choices\n", o->least,
		            (unsigned long long)l->judged);
	printf("\n%s", text_str(&out));
	text_free(&out);
}

int turning_points(const struct replayed *p, const struct turning_options *o)
{
	struct turning_list l = {0};
	macaw_error e = {0};
	bool fine = true;
	for (uint32_t r = 0; r < macaw_game_roles(p->game) && fine; r++)
		if (r != macaw_game_random(p->game))
			fine = judge_role(p, r, o, &l, &e);
	if (l.all.n > 1)
		qsort(l.all.at, l.all.n, sizeof *l.all.at, by_step);
	if (fine)
		print(p->game, &l, o);
	else
		fprintf(stderr, "macaw replay: --analyse: %s\n", e.text);
	vec_free(&l.all);
	return fine ? EXIT_DONE : load_status(&e);
}
