/* The body of one kernel. The including file defines
 *
 *     KERNEL    name of the kernel, also the suffix of its functions
 *     V         a vector of 64-bit words, or uint64_t itself
 *     NV        vectors in a slot (1 or 2)
 *     ANY(x)    is any bit of vector x set?
 *
 * A slot is NV vectors in a row. */

#define PASTE2(a, b) a##_##b
#define PASTE(a, b) PASTE2(a, b)
#define NAME(f) PASTE(f, KERNEL)

/* ---- running code ------------------------------------------------------------ */

#define SLOT(i) (slots + (size_t)(i) * NV)
#define EACH(k) for (int k = 0; k < NV; k++)

static bool NAME(straight)(const uint32_t *pc, const uint32_t *end, V *slots)
{
	V changed = (V){0} - (V){0};
	while (pc < end) {
		uint32_t header = pc[0], pos, neg;
		V *dst = SLOT(pc[1]);
		V acc[NV];
		switch (header & 15) {
		case OP_AND2: {
			const V *a = SLOT(pc[2]), *b = SLOT(pc[3]);
			EACH(k) dst[k] = a[k] & b[k];
			pc += 4;
			break;
		}
		case OP_ANDN: {
			const V *a = SLOT(pc[2]), *b = SLOT(pc[3]);
			EACH(k) dst[k] = a[k] & ~b[k];
			pc += 4;
			break;
		}
		case OP_OR2: {
			const V *a = SLOT(pc[2]), *b = SLOT(pc[3]);
			EACH(k) dst[k] = a[k] | b[k];
			pc += 4;
			break;
		}
		case OP_AND3: {
			const V *a = SLOT(pc[2]), *b = SLOT(pc[3]), *c = SLOT(pc[4]);
			EACH(k) dst[k] = a[k] & b[k] & c[k];
			pc += 5;
			break;
		}
		case OP_OR3: {
			const V *a = SLOT(pc[2]), *b = SLOT(pc[3]), *c = SLOT(pc[4]);
			EACH(k) dst[k] = a[k] | b[k] | c[k];
			pc += 5;
			break;
		}
		case OP_AND:
			pos = op_pos(header);
			neg = op_neg(header);
			EACH(k) acc[k] = ~((V){0} - (V){0});
			pc += 2;
			for (; pos; pos--, pc++)
				EACH(k) acc[k] &= SLOT(*pc)[k];
			for (; neg; neg--, pc++)
				EACH(k) acc[k] &= ~SLOT(*pc)[k];
			EACH(k) dst[k] = acc[k];
			break;
		case OP_OR:
			pos = op_pos(header);
			neg = op_neg(header);
			EACH(k) acc[k] = (V){0} - (V){0};
			pc += 2;
			for (; pos; pos--, pc++)
				EACH(k) acc[k] |= SLOT(*pc)[k];
			for (; neg; neg--, pc++)
				EACH(k) acc[k] |= ~SLOT(*pc)[k];
			EACH(k) dst[k] = acc[k];
			break;
		case OP_GROW: {
			const V *a = SLOT(pc[2]);
			EACH(k)
			{
				V more = (op_neg(header) ? ~a[k] : a[k]) & ~dst[k];
				dst[k] |= more;
				changed |= more;
			}
			pc += 3;
			break;
		}
		case OP_LOOP: {
			const uint32_t *forward = pc + 3, *backward = forward + pc[1];
			pc = backward + pc[2];
			while (NAME(straight)(forward, backward, slots) && NAME(straight)(backward, pc, slots))
				;
			break;
		}
		}
	}
	return ANY(changed);
}

static void NAME(run)(const uint32_t *code, const uint32_t *end, uint64_t *slots)
{
	NAME(straight)(code, end, (V *)slots);
}

/* ---- random words (sfc64, Doty-Humphrey) --------------------------------------- */

struct NAME(random) {
	V a, b, c, n;
};

static inline V NAME(draw)(struct NAME(random) *r)
{
	V t = r->a + r->b + r->n;
	r->n += (V){0} - (V){0} + 1;
	r->a = r->b ^ (r->b >> 11);
	r->b = r->c + (r->c << 3);
	r->c = ((r->c << 24) | (r->c >> 40)) + t;
	return t;
}

/* ---- choosing a move ------------------------------------------------------------
 *
 * A tree of counts over the moves, all of it bit-sliced: node values are binary
 * numbers whose digits are planes. Going up, counts are added; at the root each
 * lane draws a number below its count (rejection, so exactly uniform); going down,
 * the number is compared with the count of the left child: smaller, go left;
 * else subtract it and go right. A node at level l keeps l + 1 planes: on the way
 * up its count, on the way down its number (l planes) and the lanes that are here.
 * Parts of the tree where no lane has a legal move are skipped. */

struct NAME(tree) {
	V *level[CHOOSER_MAX_LEVELS];
	uint8_t *any[CHOOSER_MAX_LEVELS];
	uint32_t nodes[CHOOSER_MAX_LEVELS];
	uint32_t top;
};

static inline V *NAME(node)(const struct NAME(tree) *t, uint32_t l, uint32_t i)
{
	return l ? t->level[l] + (size_t)i * (l + 1) : t->level[0] + (size_t)i * NV;
}

static void NAME(pairs)(struct NAME(tree) *t)
{
	const V zero = (V){0} - (V){0};
	for (uint32_t i = 0; i < t->nodes[1]; i++) {
		V a = *NAME(node)(t, 0, 2 * i);
		V b = 2 * i + 1 < t->nodes[0] ? *NAME(node)(t, 0, 2 * i + 1) : zero;
		V *s = NAME(node)(t, 1, i);
		s[0] = a ^ b;
		s[1] = a & b;
		t->any[1][i] = ANY(a | b);
	}
}

static void NAME(count_up)(struct NAME(tree) *t)
{
	const V zero = (V){0} - (V){0};
	NAME(pairs)(t);
	for (uint32_t l = 2; l <= t->top; l++)
		for (uint32_t i = 0; i < t->nodes[l]; i++) {
			const uint8_t *any = t->any[l - 1];
			bool left = any[2 * i], right = 2 * i + 1 < t->nodes[l - 1] && any[2 * i + 1];
			const V *a = NAME(node)(t, l - 1, 2 * i), *b = a + l;
			V *s = NAME(node)(t, l, i), carry = zero;
			t->any[l][i] = left | right;
			if (left && right) {
				for (uint32_t k = 0; k < l; k++) {
					V x = a[k] ^ b[k];
					s[k] = x ^ carry;
					carry = (a[k] & b[k]) | (x & carry);
				}
				s[l] = carry;
			} else if (left | right) {
				for (uint32_t k = 0; k < l; k++)
					s[k] = left ? a[k] : b[k];
				s[l] = zero;
			}
		}
}

/* The root's planes hold a count n; they become a number drawn below n, and the
 * last plane the lanes where n > 0. */
static void NAME(draw_below)(struct NAME(random) *random, V *root, uint32_t planes, V has)
{
	const V zero = (V){0} - (V){0};
	V most[CHOOSER_MAX_LEVELS + 1], mask[CHOOSER_MAX_LEVELS + 1], x[CHOOSER_MAX_LEVELS + 1];
	V borrow = ~zero, seen = zero, wait = has;
	uint32_t used = 0;
	for (uint32_t k = 0; k < planes; k++) { /* most = n - 1 */
		most[k] = (root[k] ^ borrow) & has;
		borrow &= ~root[k];
		root[k] = zero;
	}
	for (uint32_t k = planes; k-- > 0;) {
		mask[k] = seen |= most[k];
		if (!used && ANY(seen))
			used = k + 1;
	}
	while (ANY(wait)) {
		V more = zero, same = wait;
		for (uint32_t k = used; k-- > 0;) {
			x[k] = NAME(draw)(random) & mask[k];
			more |= same & x[k] & ~most[k];
			same &= ~(x[k] ^ most[k]);
		}
		V good = wait & ~more;
		for (uint32_t k = 0; k < used; k++)
			root[k] |= x[k] & good;
		wait = more;
	}
	root[planes - 1] = has;
}

static inline void NAME(hand_over)(V *to, const V *number, uint32_t planes, V here)
{
	for (uint32_t k = 0; k + 1 < planes; k++)
		to[k] = number[k];
	to[planes - 1] = here;
}

static void NAME(go_down)(struct NAME(tree) *t)
{
	const V zero = (V){0} - (V){0};
	for (uint32_t l = t->top; l >= 2; l--)
		for (uint32_t i = 0; i < t->nodes[l]; i++) {
			uint8_t *any = t->any[l - 1];
			bool has_right = 2 * i + 1 < t->nodes[l - 1];
			bool left = any[2 * i], right = has_right && any[2 * i + 1];
			const V *s = NAME(node)(t, l, i);
			V *a = NAME(node)(t, l - 1, 2 * i), *b = a + l, here = s[l];
			if (!t->any[l][i]) {
				any[2 * i] = 0;
				if (has_right)
					any[2 * i + 1] = 0;
			} else if (!right) {
				NAME(hand_over)(a, s, l, here);
			} else if (!left) {
				NAME(hand_over)(b, s, l, here);
			} else {
				V borrow = zero, rest[CHOOSER_MAX_LEVELS + 1];
				for (uint32_t k = 0; k < l; k++) { /* rest = number - count of the left */
					V x = s[k] ^ a[k];
					rest[k] = x ^ borrow;
					borrow = (~s[k] & a[k]) | (~x & borrow);
				}
				V go_left = here & borrow, go_right = here & ~borrow;
				NAME(hand_over)(a, s, l, go_left);
				NAME(hand_over)(b, rest, l, go_right);
				any[2 * i] = ANY(go_left);
				any[2 * i + 1] = ANY(go_right);
			}
		}
	for (uint32_t i = 0; i < t->nodes[1]; i++) {
		V *a = NAME(node)(t, 0, 2 * i), *s = NAME(node)(t, 1, i);
		V here = t->any[1][i] ? s[1] : zero;
		V go_left = t->any[1][i] ? here & *a & ~s[0] : zero;
		*a = go_left;
		if (2 * i + 1 < t->nodes[0])
			*NAME(node)(t, 0, 2 * i + 1) = here & ~go_left;
	}
}

static void NAME(choose)(struct chooser *c, uint64_t *moves, uint32_t count, uint64_t *has)
{
	struct NAME(tree) t = {.top = chooser_levels(count)};
	V *planes = (V *)c->planes;
	uint8_t *any = c->any;
	for (uint32_t l = 0, n = count; l <= t.top; l++, n = (n + 1) / 2) {
		t.nodes[l] = n;
		t.level[l] = planes;
		t.any[l] = any;
		planes += l ? (size_t)n * (l + 1) : 0;
		any += n;
	}
	for (int block = 0; block < NV; block++) {
		V *here = (V *)has + block, some = (V){0} - (V){0};
		t.level[0] = (V *)moves + block;
		if (count == 1) {
			*here = *t.level[0];
			continue;
		}
		NAME(count_up)(&t);
		*here = some;
		if (!t.any[t.top][0])
			continue;
		V *root = NAME(node)(&t, t.top, 0);
		for (uint32_t k = 1; k <= t.top; k++)
			some |= root[k];
		*here = some | root[0];
		if (!ANY(some)) /* one legal move or none everywhere: nothing to choose */
			continue;
		NAME(draw_below)((struct NAME(random) *)c->random + block, root, t.top + 1, *here);
		NAME(go_down)(&t);
	}
}

/* ---- state ---------------------------------------------------------------------- */

static void NAME(advance)(uint64_t *all, const uint32_t *live, uint32_t n, const uint64_t *next, const uint64_t *where)
{
	V *slots = (V *)all;
	const V *from = (const V *)next, *w = (const V *)where;
	V still = (V){0} - (V){0};
	EACH(k) still |= ~w[k];
	if (!ANY(still)) {
		for (uint32_t i = 0; i < n; i++)
			EACH(k) SLOT(live[i])[k] = from[(size_t)i * NV + k];
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		EACH(k)
		{
			V *s = &SLOT(live[i])[k];
			*s ^= (*s ^ from[(size_t)i * NV + k]) & w[k];
		}
}

static void NAME(refill)(uint64_t *all, uint32_t n, const uint64_t *state, const uint64_t *where)
{
	V *slots = (V *)all;
	const V *w = (const V *)where;
	for (uint32_t i = 0; i < n; i++)
		if (state[i >> 6] >> (i & 63) & 1)
			EACH(k) SLOT(i)[k] |= w[k];
		else
			EACH(k) SLOT(i)[k] &= ~w[k];
}

#define TEXT2(x) #x
#define TEXT(x) TEXT2(x)
const struct lane_kernel NAME(lanes);
const struct lane_kernel NAME(lanes) = {TEXT(KERNEL), sizeof(V) * 8 * NV, sizeof(V) / 8 * NV,
					NAME(run), NAME(choose), NAME(advance), NAME(refill)};

#undef SLOT
#undef EACH
#undef TEXT
#undef TEXT2
#undef NAME
#undef PASTE
#undef PASTE2
#undef KERNEL
#undef NV
