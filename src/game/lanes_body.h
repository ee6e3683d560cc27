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
 * A tree of counts over the moves that are legal in some lane, all of it
 * bit-sliced: node values are binary numbers whose digits are planes. Leaves come in
 * fours; a node at level l stands for 2^l leaves and keeps l + 1 planes. Going up,
 * counts are added; at the root each lane draws a number below its count
 * (rejection, so exactly uniform); going down, the number is compared with the
 * count of the left child: smaller, go left; else subtract it and go right. On the
 * way down a node's planes hold its number (l planes) and the lanes that are here. */

struct NAME(tree) {
	V *leaf; /* the moves legal in some lane, one after another, padded to fours */
	V *level[CHOOSER_MAX_LEVELS];
	uint32_t nodes[CHOOSER_MAX_LEVELS];
	uint32_t top;
};

#define INLINE static inline __attribute__((always_inline))

static void NAME(count_fours)(struct NAME(tree) *t)
{
	for (uint32_t i = 0; i < t->nodes[2]; i++) {
		V a = t->leaf[4 * i], b = t->leaf[4 * i + 1], c = t->leaf[4 * i + 2], d = t->leaf[4 * i + 3];
		V ab = a ^ b, cd = c ^ d, ab2 = a & b, cd2 = c & d, *s = t->level[2] + (size_t)i * 3;
		s[0] = ab ^ cd;
		s[1] = ab2 ^ cd2 ^ (ab & cd);
		s[2] = ab2 & cd2;
	}
}

/* l is a constant wherever this is inlined, so that the loops unroll. */
INLINE void NAME(count_level)(struct NAME(tree) *t, uint32_t l)
{
	uint32_t n = t->nodes[l], below = t->nodes[l - 1];
	const V *a = t->level[l - 1];
	V *s = t->level[l];
	for (uint32_t i = 0; i < n; i++, a += 2 * l, s += l + 1) {
		V carry = (V){0} - (V){0};
		if (2 * i + 1 == below) { /* no right child */
			for (uint32_t k = 0; k < l; k++)
				s[k] = a[k];
			s[l] = carry;
			continue;
		}
		for (uint32_t k = 0; k < l; k++) {
			V x = a[k] ^ a[l + k];
			s[k] = x ^ carry;
			carry = (a[k] & a[l + k]) | (x & carry);
		}
		s[l] = carry;
	}
}

static void NAME(count_up)(struct NAME(tree) *t)
{
	NAME(count_fours)(t);
	for (uint32_t l = 3; l <= t->top; l++)
		switch (l) {
		case 3: NAME(count_level)(t, 3); break;
		case 4: NAME(count_level)(t, 4); break;
		case 5: NAME(count_level)(t, 5); break;
		case 6: NAME(count_level)(t, 6); break;
		default: NAME(count_level)(t, l); break;
		}
}

/* The root's planes hold a count n; they become a number drawn below n, and the
 * last plane the lanes where n > 0. */
static void NAME(draw_below)(struct NAME(random) *generator, V *root, uint32_t planes, V has)
{
	const V zero = (V){0} - (V){0};
	struct NAME(random) random = *generator;
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
			x[k] = NAME(draw)(&random) & mask[k];
			more |= same & x[k] & ~most[k];
			same &= ~(x[k] ^ most[k]);
		}
		V good = wait & ~more;
		for (uint32_t k = 0; k < used; k++)
			root[k] |= x[k] & good;
		wait = more;
	}
	root[planes - 1] = has;
	*generator = random;
}

INLINE void NAME(down_level)(struct NAME(tree) *t, uint32_t l)
{
	uint32_t n = t->nodes[l], below = t->nodes[l - 1];
	const V *s = t->level[l];
	V *a = t->level[l - 1];
	for (uint32_t i = 0; i < n; i++, a += 2 * l, s += l + 1) {
		V here = s[l], borrow = (V){0} - (V){0}, *b = a + l;
		if (2 * i + 1 == below) {
			for (uint32_t k = 0; k + 1 < l; k++)
				a[k] = s[k];
			a[l - 1] = here;
			continue;
		}
		for (uint32_t k = 0; k < l; k++) { /* number - count of the left */
			V x = s[k] ^ a[k], rest = x ^ borrow;
			borrow = (~s[k] & a[k]) | (~x & borrow);
			if (k + 1 < l) {
				a[k] = s[k];
				b[k] = rest;
			}
		}
		a[l - 1] = here & borrow;
		b[l - 1] = here & ~borrow;
	}
}

static void NAME(down_fours)(struct NAME(tree) *t)
{
	for (uint32_t i = 0; i < t->nodes[2]; i++) {
		V a = t->leaf[4 * i], b = t->leaf[4 * i + 1], c = t->leaf[4 * i + 2];
		const V *s = t->level[2] + (size_t)i * 3;
		V odd = a ^ b, less = ~s[1] & ((a & b) | (odd & ~s[0]));
		V left = s[2] & less, right = s[2] & ~less;
		V do_a = left & a & ~s[0], do_c = right & c & ~(s[0] ^ odd);
		t->leaf[4 * i] = do_a;
		t->leaf[4 * i + 1] = left & ~do_a;
		t->leaf[4 * i + 2] = do_c;
		t->leaf[4 * i + 3] = right & ~do_c;
	}
}

static void NAME(go_down)(struct NAME(tree) *t)
{
	for (uint32_t l = t->top; l >= 3; l--)
		switch (l) {
		case 3: NAME(down_level)(t, 3); break;
		case 4: NAME(down_level)(t, 4); break;
		case 5: NAME(down_level)(t, 5); break;
		case 6: NAME(down_level)(t, 6); break;
		default: NAME(down_level)(t, l); break;
		}
	NAME(down_fours)(t);
}

/* Collects the moves that are legal in some lane; returns how many. */
static uint32_t NAME(pick)(const V *moves, uint32_t count, uint32_t *pick, V *leaf)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < count; i++) {
		V x = moves[(size_t)i * NV];
		pick[n] = i;
		leaf[n] = x;
		n += ANY(x);
	}
	for (uint32_t k = 0; k < 3; k++)
		leaf[n + k] = (V){0} - (V){0};
	return n;
}

static void NAME(choose)(struct chooser *c, uint64_t *moves, uint32_t count, uint64_t *has)
{
	for (int block = 0; block < NV; block++) {
		struct NAME(tree) t = {.leaf = (V *)c->leaves};
		V *here = (V *)has + block, *from = (V *)moves + block, *planes = (V *)c->planes;
		V some = (V){0} - (V){0};
		uint32_t n = NAME(pick)(from, count, c->pick, t.leaf);
		*here = n ? t.leaf[0] : some;
		if (n < 2)
			continue;
		t.top = n <= 4 ? 2 : chooser_levels(n);
		for (uint32_t l = 2, k = (n + 3) / 4; l <= t.top; l++, k = (k + 1) / 2) {
			t.nodes[l] = k;
			t.level[l] = planes;
			planes += (size_t)k * (l + 1);
		}
		NAME(count_up)(&t);
		V *root = t.level[t.top];
		for (uint32_t k = 1; k <= t.top; k++)
			some |= root[k];
		*here = some | root[0];
		if (!ANY(some)) /* one legal move or none everywhere: nothing to choose */
			continue;
		NAME(draw_below)((struct NAME(random) *)c->random + block, root, t.top + 1, *here);
		NAME(go_down)(&t);
		for (uint32_t i = 0; i < n; i++)
			from[(size_t)c->pick[i] * NV] = t.leaf[i];
	}
}

/* ---- thinning out ---------------------------------------------------------------
 *
 * Where a move is to be chosen less often, its lanes are drawn before the choice; a
 * lane that would be left without a move keeps all it had. */

static void NAME(thin)(struct chooser *c, uint64_t *moves, uint32_t count, const uint32_t *which, const uint8_t *halvings)
{
	for (int block = 0; block < NV; block++) {
		struct NAME(random) random = ((struct NAME(random) *)c->random)[block];
		V *row = (V *)moves + block, *left = (V *)c->leaves;
		V some = (V){0} - (V){0};
		for (uint32_t i = 0; i < count; i++) {
			V x = row[(size_t)i * NV];
			if (ANY(x))
				for (uint32_t k = halvings[which[i]]; k; k--)
					x &= NAME(draw)(&random);
			left[i] = x;
			some |= x;
		}
		for (uint32_t i = 0; i < count; i++)
			row[(size_t)i * NV] = left[i] | (row[(size_t)i * NV] & ~some);
		((struct NAME(random) *)c->random)[block] = random;
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

static uint64_t NAME(count)(const uint64_t *a, const uint64_t *b)
{
	uint64_t n = 0;
	for (size_t w = 0; w < sizeof(V) / 8 * NV; w++)
		n += (uint64_t)__builtin_popcountll(a[w] & b[w]);
	return n;
}

#define TEXT2(x) #x
#define TEXT(x) TEXT2(x)
const struct lane_kernel NAME(lanes);
const struct lane_kernel NAME(lanes) = {TEXT(KERNEL), sizeof(V) * 8 * NV, sizeof(V) / 8 * NV,
					NAME(run), NAME(choose), NAME(thin), NAME(advance), NAME(refill), NAME(count)};

#undef SLOT
#undef INLINE
#undef EACH
#undef TEXT
#undef TEXT2
#undef NAME
#undef PASTE
#undef PASTE2
#undef KERNEL
#undef NV
