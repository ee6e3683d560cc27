/* What a person sees of the match. */
#include "cli/draw.h"
#include "cli/person.h"
#include "cli/sitting.h"

#include <stdio.h>
#include <string.h>

enum { LISTED = 60 }; /* moves that are shown without being asked for */

void show_paragraph(const char *s)
{
	struct text out = {0};
	screen_wrap(s, strlen(s), 0, 0, screen_columns(), &out);
	fputs(text_str(&out), stdout);
	text_free(&out);
}

static void put_seconds(const struct sitting *t, struct text *out)
{
	if (t->o->playouts)
		text_printf(out, "%llu playouts a move", (unsigned long long)t->o->playouts);
	else
		text_printf(out, "%g s a move", t->o->clock);
}

void show_greeting(const struct sitting *t)
{
	struct text s = {0};
	uint32_t others = 0;
	text_printf(&s, "You are %s in %s", macaw_game_role(t->g, t->you), macaw_game_name(t->g));
	for (uint32_t r = 0; r < t->roles; r++)
		if (r != t->you && r != macaw_game_random(t->g))
			text_printf(&s, "%s%s", others++ ? ", " : "; ", macaw_game_role(t->g, r));
	if (others) {
		text_printf(&s, " %s played by %s, ", others == 1 ? "is" : "are", t->o->player);
		put_seconds(t, &s);
	}
	if (macaw_game_random(t->g) != MACAW_NONE)
		text_puts(&s, "; chance plays too");
	text_puts(&s, macaw_game_hidden(t->g) ? ". Not everything is seen: what you know is shown. " : ". ");
	text_puts(&s, "Type a move or its number; `help` says what else there is, `quit` leaves.");
	show_paragraph(text_str(&s));
	text_free(&s);
}

/* ---- the position ---- */

static void print_sight(struct sitting *t, const macaw_sight *sight)
{
	struct text out = {0};
	draw_position(t->drawing, t->o->draw, sight, &out);
	fputs(text_str(&out), stdout);
	text_free(&out);
}

static void show_open(struct sitting *t, uint32_t step)
{
	macaw_sight sight = {.position = sitting_position(t, step)};
	if (step) {
		sight.before = sitting_position(t, step - 1);
		sight.last = sitting_joint(t, step - 1);
	}
	print_sight(t, &sight);
}

/* What follows from what was seen; nothing where the possibilities were too many to be counted. */
static void show_known(struct sitting *t)
{
	size_t count = knowledge_count(t->knowledge);
	struct text s = {0};
	if (!count)
		return;
	number_grouped(&s, count);
	if (count == 1)
		puts("What you know is all there is to know:");
	else
		printf("What you know (? is open: %s positions are possible):\n", text_str(&s));
	text_free(&s);
	print_sight(
		t, &(macaw_sight){.position = knowledge_certain(t->knowledge), .possible = knowledge_possible(t->knowledge)});
}

/* ---- what was seen ---- */

/* Percepts of your role in a step; "" when there were none. */
static void put_seen(struct sitting *t, uint32_t step, struct text *out)
{
	macaw_seen seen;
	if (!macaw_sees(t->worker, sitting_position(t, step), sitting_joint(t, step), &seen))
		return;
	for (uint32_t i = seen.start[t->you]; i < seen.start[t->you + 1]; i++)
		text_printf(out, "%s%s", out->n ? " " : "", macaw_game_percept(t->g, seen.percepts[i]));
}

/* The moves of a step that you may know: of roles that could choose, where anybody could. */
static void put_moves(struct sitting *t, uint32_t step, struct text *out)
{
	const uint32_t *joint = sitting_joint(t, step);
	bool hidden = macaw_game_hidden(t->g), any = false;
	for (uint32_t r = 0; r < t->roles; r++)
		any |= sitting_choices(t, step, r) > 1;
	for (uint32_t r = 0; r < t->roles; r++)
		if (hidden ? r == t->you && sitting_choices(t, step, r) > 1 : !any || sitting_choices(t, step, r) > 1)
			text_printf(out, "%s%s %s", out->n ? ", " : "", macaw_game_role(t->g, r), macaw_game_move(t->g, joint[r]));
}

static void print_indented(const char *before, const struct text *s)
{
	struct text out = {0};
	text_puts(&out, before);
	screen_wrap(text_str(s), s->n, 4, (int)strlen(before), screen_columns(), &out);
	fputs(text_str(&out), stdout);
	text_free(&out);
}

void show_joint(struct sitting *t, uint32_t step)
{
	struct text moves = {0}, seen = {0};
	put_moves(t, step, &moves);
	if (moves.n)
		print_indented("  ", &moves);
	if (macaw_game_hidden(t->g))
		put_seen(t, step, &seen);
	if (seen.n)
		print_indented("  you see: ", &seen);
	fflush(stdout);
	text_free(&moves);
	text_free(&seen);
}

static void show_step(struct sitting *t, uint32_t step)
{
	char before[32];
	struct text line = {0}, seen = {0};
	put_moves(t, step, &line);
	if (macaw_game_hidden(t->g))
		put_seen(t, step, &seen);
	if (seen.n)
		text_printf(&line, "%ssaw %s", line.n ? "; " : "", text_str(&seen));
	snprintf(before, sizeof before, "%4u  ", step + 1);
	if (line.n)
		print_indented(before, &line);
	text_free(&line);
	text_free(&seen);
}

void show_history(struct sitting *t)
{
	if (!t->now)
		puts("  Nothing has been played yet.");
	for (uint32_t i = 0; i < t->now; i++)
		show_step(t, i);
}

/* The last steps in which you did or saw something. */
static void show_recent(struct sitting *t)
{
	enum { RECENT = 8 };
	uint32_t from = t->now > RECENT ? t->now - RECENT : 0;
	if (t->now)
		puts(from ? "The last steps (`history` has all):" : "So far:");
	for (uint32_t i = from; i < t->now; i++)
		show_step(t, i);
}

void show_choice(struct sitting *t)
{
	putchar('\n');
	if (t->knowledge) {
		show_recent(t);
		show_known(t);
	} else {
		show_open(t, t->now);
	}
	uint32_t count = (uint32_t)t->moves.n;
	if (count <= LISTED) {
		person_moves(t->moves.at, count, NULL);
	} else {
		struct text s = {0};
		text_printf(&s, "%u moves: `moves` lists them, `moves TEXT` those that contain it.", count);
		show_paragraph(text_str(&s));
		text_free(&s);
	}
	fflush(stdout);
}

/* ---- the end ---- */

static void print_score(const struct sitting *t, const macaw_match *m, uint32_t role)
{
	int goal = macaw_match_goal(m, role);
	printf("%s (%s): ", macaw_game_role(t->g, role), role == t->you ? "you" : t->o->player);
	if (goal == MACAW_NO_GOAL)
		puts("none");
	else
		printf("%d\n", goal);
}

static const char *verdict(const struct sitting *t, const macaw_match *m)
{
	int yours = macaw_match_goal(m, t->you), best = -1, others = 0;
	for (uint32_t r = 0; r < t->roles; r++)
		if (r != t->you && r != macaw_game_random(t->g)) {
			int goal = macaw_match_goal(m, r);
			best = goal > best ? goal : best;
			others++;
		}
	if (!others || yours == MACAW_NO_GOAL)
		return "";
	return yours > best ? "You win." : yours == best ? "A draw." : "You lose.";
}

/* Where information was hidden: the whole truth. */
static void show_truth(struct sitting *t)
{
	struct text out = {0};
	puts("\nWhat was hidden:");
	for (uint32_t i = 0; i < t->now; i++)
		draw_step(t->g, i + 1, sitting_joint(t, i), &out);
	fputs(text_str(&out), stdout);
	text_free(&out);
}

void show_end(struct sitting *t, const macaw_match *m)
{
	enum macaw_ending ending = macaw_match_ending(m);
	if (macaw_game_hidden(t->g))
		show_truth(t);
	putchar('\n');
	show_open(t, t->now);
	if (ending == MACAW_STUCK)
		puts("A role has no legal move, and the game is not over: the rules are at fault.");
	if (ending == MACAW_TROUBLE)
		printf("The rules cannot be run any further: %s\n", macaw_match_trouble(m));
	const char *said = verdict(t, m);
	printf("%s%s", said, *said ? "\n" : "");
	for (uint32_t r = 0; r < t->roles; r++)
		if (r != macaw_game_random(t->g))
			print_score(t, m, r);
}

void show_farewell(const struct sitting *t)
{
	struct text s = {0};
	if (t->leaving == LEAVE)
		text_printf(&s, "You left after %u step%s. ", t->now, t->now == 1 ? "" : "s");
	text_printf(&s, "Seed %llu", (unsigned long long)t->o->seed);
	if (macaw_game_random(t->g) != MACAW_NONE)
		text_printf(&s, ": with `macaw play %s --seed %llu` chance does the same again", t->o->word,
		            (unsigned long long)t->o->seed);
	text_puts(&s, ".");
	if (t->record.n)
		text_printf(&s, " The match is in %s.", text_str(&t->record));
	show_paragraph(text_str(&s));
	text_free(&s);
}
