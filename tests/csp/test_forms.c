/* Every constraint of XCSP3 in every form that is read: small random instances, whose solutions the independent judge
 * counts value by value; all algorithms and consistencies must count the same, reified or not, and again when the
 * network is written and read back. FORMS=N sets the number of instances per form. */
#include "test.h"

#include "base/rng.h"
#include "base/text.h"
#include "csp/csp.h"
#include "csp/judge/judge.h"
#include "csp/xcsp3.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* $c condition, $o operator, $v number, $p number that is not negative, $l list of variables, $e expression, $L list
 * with expressions, $R rank, $t tuples of 3, $T tuples with sets, $s start index, $f true or false, $w weights */
static const char *const forms[] = {
	"<intension> $e </intension>",
	"<intension> <function> $e </function> </intension>",
	"<intension> iff(eq(x[0],$v),lt(x[1],x[2]),ne(x[0],x[2])) </intension>",
	"<intension> in(x[0],set($v,$v,$v)) </intension>",
	"<intension> notin(add(x[0],x[1]),range($v,$p)) </intension>",
	"<intension> eq(if(gt(x[0],x[1]),x[2],$v),x[1]) </intension>",
	"<intension> eq(div(x[0],x[1]),mod(x[2],x[1])) </intension>",
	"<intension> le(pow(x[0],2),mul(x[1],x[2])) </intension>",
	"<extension> <list> x[0] x[1] x[2] </list> <supports> $t </supports> </extension>",
	"<extension> <list> x[0] x[1] x[2] </list> <conflicts> $t </conflicts> </extension>",
	"<extension> <list> x[0] x[1] x[2] </list> <supports> $T </supports> </extension>",
	"<extension> <list> x[0] x[1] x[2] </list> <conflicts> $T </conflicts> </extension>",
	"<extension> <list> x[1] </list> <supports> $v 2..3 </supports> </extension>",
	"<extension> <list> x[1] </list> <conflicts> 0..1 $p </conflicts> </extension>",
	"<regular> <list> x[] </list> <transitions> (a,0,a)(a,1,b)(b,1..2,b)(b,$v,a)(a,{2,3},c)(c,$v,c) </transitions> "
	"<start> a </start> <final> b c </final> </regular>",
	"<regular> <list> x[] </list> <transitions> (a,$v,a)(a,$v,b)(a,$v,c)(b,*,c)(c,$v,b) </transitions> <start> a "
	"</start> <final> c </final> </regular>",
	"<mdd> <list> x[0..2] </list> <transitions> (r,0,n1)(r,1,n2)(r,2,n3)(n1,2,n4)(n2,2,n4)(n3,$v,n5)(n4,$v,t)(n5,$v,t) "
	"</transitions> </mdd>",
	"<allDifferent> $l </allDifferent>",
	"<allDifferent> <list> $L </list> </allDifferent>",
	"<allDifferent> <list> $l </list> <except> $v $v </except> </allDifferent>",
	"<allDifferent> <list> x[0] x[1] </list> <list> x[2] x[3] </list> <list> x[1] x[2] </list> </allDifferent>",
	"<allDifferent> <list> x[0] x[1] </list> <list> x[2] x[3] </list> <except> (0,0)(1,$v) </except> </allDifferent>",
	"<allDifferent> <matrix> mm[][] </matrix> </allDifferent>",
	"<allDifferent> <matrix> mm[][] </matrix> <except> 0 </except> </allDifferent>",
	"<allDifferent> <matrix> (x[0],x[1])(x[2],x[3]) </matrix> </allDifferent>",
	"<allEqual> $l </allEqual>",
	"<allEqual> <list> $L </list> </allEqual>",
	"<allEqual> <list> $l </list> <except> $v 1 </except> </allEqual>",
	"<ordered> <list> $l </list> <operator> $o </operator> </ordered>",
	"<ordered> <list> x[0] x[1] x[2] </list> <lengths> $v $v </lengths> <operator> $o </operator> </ordered>",
	"<ordered> <list> x[0] x[1] x[2] </list> <lengths> kk x[3] </lengths> <operator> $o </operator> </ordered>",
	"<ordered case=\"strictlyIncreasing\"> $l </ordered>",
	"<ordered case=\"decreasing\"> <list> $L </list> </ordered>",
	"<lex> <list> x[0] x[1] </list> <list> x[2] x[3] </list> <operator> $o </operator> </lex>",
	"<lex> <list> x[0] x[1] </list> <list> x[2] $v </list> <list> 1 x[3] </list> <operator> $o </operator> </lex>",
	"<lex> <matrix> mm[][] </matrix> <operator> $o </operator> </lex>",
	"<lex> <matrix> (x[0],x[1])(x[2],x[3]) </matrix> <operator> $o </operator> </lex>",
	"<precedence> <list> x[] </list> <values> 2 0 1 </values> </precedence>",
	"<precedence> <list> x[] </list> <values covered=\"$f\"> 1 2 </values> </precedence>",
	"<precedence> x[] </precedence>",
	"<sum> <list> $l </list> <condition> $c </condition> </sum>",
	"<sum> <list> x[0] x[1] x[2] </list> <coeffs> $v $v $v </coeffs> <condition> $c </condition> </sum>",
	"<sum> <list> $L </list> <condition> $c </condition> </sum>",
	"<sum> <list> x[0] x[1] </list> <coeffs> x[2] kk </coeffs> <condition> $c </condition> </sum>",
	"<count> <list> $l </list> <values> $v $v </values> <condition> $c </condition> </count>",
	"<count> <list> $L </list> <values> $v </values> <condition> $c </condition> </count>",
	"<count> <list> x[0..2] </list> <values> x[3] kk </values> <condition> $c </condition> </count>",
	"<nValues> <list> $l </list> <condition> $c </condition> </nValues>",
	"<nValues> <list> $L </list> <condition> (eq,kk) </condition> </nValues>",
	"<nValues> <list> $l </list> <except> $v 0 </except> <condition> $c </condition> </nValues>",
	"<cardinality> <list> $l </list> <values> 0 1 2 </values> <occurs> 1 0..2 kk </occurs> </cardinality>",
	"<cardinality> <list> $l </list> <values closed=\"$f\"> 0 1 </values> <occurs> 0..3 1..2 </occurs> </cardinality>",
	"<cardinality> <list> x[] </list> <values closed=\"$f\"> 0 2 1 </values> <occurs> oo[] </occurs> </cardinality>",
	"<cardinality> <list> x[0] x[1] x[2] </list> <values closed=\"$f\"> x[3] kk </values> <occurs> 1 0..2 </occurs> "
	"</cardinality>",
	"<maximum> <list> $l </list> <condition> $c </condition> </maximum>",
	"<minimum> <list> $L </list> <condition> $c </condition> </minimum>",
	"<maximum> <list startIndex=\"$s\"> $l </list> <index $R> ii </index> <condition> $c </condition> </maximum>",
	"<minimum> <list> $l </list> <index $R> ii </index> </minimum>",
	"<maximumArg $R> <list> $l </list> <condition> $c </condition> </maximumArg>",
	"<minimumArg> <list $R startIndex=\"$s\"> $l </list> <condition> $c </condition> </minimumArg>",
	"<element> <list startIndex=\"$s\"> $l </list> <index> ii </index> <value> kk </value> </element>",
	"<element> <list> $l </list> <index $R> ii </index> <value> $v </value> </element>",
	"<element> <list> $L </list> <index $R> ii </index> <condition> $c </condition> </element>",
	"<element> <list> 3 1 0 1 </list> <index $R> ii </index> <value> kk </value> </element>",
	"<element> <list> $l </list> <value> kk </value> </element>",
	"<element> <list> $l </list> <condition> $c </condition> </element>",
	"<element> <matrix> mm[][] </matrix> <index> ii kk </index> <value> $v </value> </element>",
	"<element> <matrix startRowIndex=\"$s\" startColIndex=\"1\"> (0,1,2)(3,1,0) </matrix> <index> ii kk </index> "
	"<condition> $c </condition> </element>",
	"<element> <matrix> mm[][] </matrix> <condition> $c </condition> </element>",
	"<channel> x[] </channel>",
	"<channel> <list startIndex=\"$s\"> x[] </list> </channel>",
	"<channel> <list> x[0] x[1] x[2] </list> <list startIndex=\"$s\"> mm[0][0] x[3] mm[1][1] </list> </channel>",
	"<channel> <list> x[0] x[1] </list> <list> mm[0][0] mm[0][1] mm[1][0] </list> </channel>",
	"<channel> <list startIndex=\"$s\"> zz[] </list> <value> ii </value> </channel>",
	"<noOverlap zeroIgnored=\"$f\"> <origins> $l </origins> <lengths> $w </lengths> </noOverlap>",
	"<noOverlap zeroIgnored=\"$f\"> <origins> x[0] x[1] </origins> <lengths> kk zz[0] </lengths> </noOverlap>",
	"<noOverlap zeroIgnored=\"$f\"> <origins> (x[0],x[1])(x[2],x[3]) </origins> <lengths> ($p,1)(1,$p) </lengths> "
	"</noOverlap>",
	"<noOverlap zeroIgnored=\"$f\"> <origins> (x[0],x[1])(x[2],x[3]) </origins> <lengths> (kk,1)(zz[0],2) </lengths> "
	"</noOverlap>",
	"<cumulative> <origins> $l </origins> <lengths> $w </lengths> <heights> $w </heights> <condition> (le,$p) "
	"</condition> </cumulative>",
	"<cumulative> <origins> x[0] x[1] x[2] </origins> <lengths> zz[0] 2 zz[1] </lengths> <heights> 1 zz[2] 1 "
	"</heights> <condition> (lt,kk) </condition> </cumulative>",
	"<cumulative> <origins> x[0] x[1] </origins> <lengths> $p 2 </lengths> <ends> x[2] x[3] </ends> <heights> 1 $p "
	"</heights> <condition> (le,kk) </condition> </cumulative>",
	"<binPacking> <list> $l </list> <sizes> $w </sizes> <condition> $c </condition> </binPacking>",
	"<binPacking> <list> $l </list> <sizes> $w </sizes> <condition> (le,$p) </condition> </binPacking>",
	"<binPacking> <list> pp[] </list> <sizes> 1 2 1 </sizes> <limits> 2 kk $p </limits> </binPacking>",
	"<binPacking> <list> pp[] </list> <sizes> 1 2 1 </sizes> <loads> oo[] </loads> </binPacking>",
	"<binPacking> <list> pp[] </list> <sizes> 1 2 1 </sizes> <conditions> (le,2) (ge,$v) (in,{0,2,3}) </conditions> "
	"</binPacking>",
	"<knapsack> <list> zz[] kk </list> <weights> 2 1 3 1 </weights> <condition> (le,4) </condition> <profits> 1 2 2 1 "
	"</profits> <condition> $c </condition> </knapsack>",
	"<flow> <list> x[0] x[1] x[2] x[3] </list> <balance> $v 0 0 </balance> <arcs> (0,1)(1,2)(2,0)(0,2) </arcs> </flow>",
	"<flow> <list> x[0] x[1] x[2] </list> <balance> kk $v $v </balance> <arcs> (1,2)(2,3)(1,3) </arcs> <weights> 1 2 1 "
	"</weights> <condition> $c </condition> </flow>",
	"<circuit> x[] </circuit>",
	"<circuit> <list startIndex=\"$s\"> x[] </list> </circuit>",
	"<circuit> <list> x[] </list> <size> kk </size> </circuit>",
	"<clause> zz[0] not(zz[1]) zz[2] </clause>",
	"<clause> <list> not(zz[0]) not(zz[2]) </list> </clause>",
	"<instantiation> <list> x[] </list> <values> $v * $v * </values> </instantiation>",
	"<instantiation> <list> x[0] zz[] </list> <values> $v 1x2 * </values> </instantiation>",
	"<slide> <list> x[] </list> <intension> ne(add(%0,$v),%1) </intension> </slide>",
	"<slide circular=\"$f\"> <list offset=\"2\"> x[] </list> <extension> <list> %0 %1 </list> <conflicts> (0,$v)($v,1) "
	"</conflicts> </extension> </slide>",
	"<slide circular=\"$f\"> <list collect=\"2\"> x[] </list> <list> zz[0] zz[1] zz[2] kk </list> <sum> <list> %0 %1 "
	"%2 </list> <condition> $c </condition> </sum> </slide>",
	"<group> <intension> or(ne(%0,%1),eq(%2,$v)) </intension> <args> x[0..1] kk </args> <args> x[2] x[3] add(x[0],1) "
	"</args> </group>",
	"<group> <count> <list> %... </list> <values> %0 </values> <condition> (le,%1) </condition> </count> <args> $v 1 "
	"x[] </args> <args> 1 kk x[0] x[1] </args> </group>",
	"<block> <sum> <list> x[0] x[1] </list> <condition> $c </condition> </sum> <allDifferent> x[] </allDifferent> "
	"</block>",
};

static const char *const objectives[] = {
	"<minimize> $e </minimize>",
	"<maximize> x[1] </maximize>",
	"<minimize type=\"sum\"> <list> $l </list> </minimize>",
	"<maximize type=\"sum\"> <list> x[0] x[1] add(x[2],1) </list> <coeffs> $v $v 2 </coeffs> </maximize>",
	"<minimize type=\"product\"> <list> x[0] x[1] </list> </minimize>",
	"<maximize type=\"minimum\"> $l </maximize>",
	"<minimize type=\"maximum\"> <list> $L </list> </minimize>",
	"<maximize type=\"nValues\"> <list> $l </list> </maximize>",
};

/* ---- making instances ---- */

static void put(struct text *t, struct rng *r, const char *form);

static int below(struct rng *r, int n)
{
	return (int)rng_below(r, (uint32_t)n);
}

static const char *one_of(struct rng *r, const char *const *all, int n)
{
	return all[below(r, n)];
}

#define ONE_OF(r, ...) \
	one_of(r, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void put_tuples(struct text *t, struct rng *r, bool sets)
{
	for (int n = 1 + below(r, 6); n--;) {
		for (int i = 0; i < 3; i++) {
			text_putc(t, i ? ',' : '(');
			int kind = below(r, sets ? 9 : 5);
			if (kind == 0)
				text_putc(t, '*');
			else if (kind < 5)
				put(t, r, "$v");
			else
				text_puts(t, ONE_OF(r, "0..2", "{0,2}", "{1,3}",
				                    "\xe2\x89\xa0"
				                    "1",
				                    "\xe2\x89\xa4"
				                    "1",
				                    "\xe2\x89\xa5"
				                    "2",
				                    "\xe2\x88\x81{0,3}", "2..9"));
		}
		text_putc(t, ')');
	}
}

static void put_choice(struct text *t, struct rng *r, char what)
{
	switch (what) {
	case 'c':
		put(t, r,
		    ONE_OF(r, "(lt,$v)", "(le,$v)", "(ge,$v)", "(gt,$p)", "(ne,$v)", "(eq,$p)", "(eq,kk)", "(le,kk)", "(ne,kk)",
		           "(in,0..$p)", "(in,{$p,0,3..4})", "(notin,1..2)", "(notin,{$v,$p})", "(in,{1..4})"));
		break;
	case 'o': text_puts(t, ONE_OF(r, "lt", "le", "ge", "gt")); break;
	case 'v': text_printf(t, "%d", below(r, 6) - 1); break;
	case 'p': text_printf(t, "%d", below(r, 4)); break;
	case 's': text_printf(t, "%d", below(r, 3) - 1); break;
	case 'f': text_puts(t, below(r, 2) ? "true" : "false"); break;
	case 'l': text_puts(t, ONE_OF(r, "x[]", "x[0..3]", "x[0] x[2] x[1] x[3]")); break;
	case 'L': put(t, r, ONE_OF(r, "x[0] add(x[1],1) x[3]", "mul(x[0],x[1]) x[2] $v", "sub(x[2],x[0]) x[1..3]")); break;
	case 'R': text_puts(t, ONE_OF(r, "", "rank=\"any\"", "rank=\"first\"", "rank=\"last\"")); break;
	case 't': put_tuples(t, r, false); break;
	case 'T': put_tuples(t, r, true); break;
	case 'w': put(t, r, "$p $p 1 2"); break;
	case 'e':
		put(t, r,
		    ONE_OF(r, "eq(add(x[0],x[1]),x[2])", "or(lt(x[0],$v),and(ne(x[1],x[2]),gt(x[3],$v)))",
		           "imp(eq(x[0],$v),le(dist(x[1],x[2]),$p))", "xor(gt(x[0],x[1]),eq(x[2],$v),lt(x[3],2))",
		           "ge(max(x[0],x[1],kk),min(x[2],x[3]))", "ne(neg(x[0]),sub(x[1],sqr(x[2])))",
		           "not(le(abs(x[0]),x[1]))", "eq(x[0],x[1],x[2])"));
		break;
	default: break;
	}
}

static void put(struct text *t, struct rng *r, const char *form)
{
	for (; *form; form++)
		if (*form == '$')
			put_choice(t, r, *++form);
		else
			text_putc(t, *form);
}

static void declare(struct text *t, struct rng *r, const char *used, bool reified)
{
	text_puts(t, "<variables>\n");
	text_printf(t, "<array id=\"x\" size=\"[4]\"> %s </array>\n",
	            ONE_OF(r, "0..3", "0..2", "-1..2", "0 2 3", "0..1 3", "1..3"));
	if (strstr(used, "mm"))
		text_puts(t, "<array id=\"mm\" size=\"[2][2]\"> 0..2 </array>\n");
	if (strstr(used, "zz"))
		text_puts(t, "<array id=\"zz\" size=\"[3]\"> 0 1 </array>\n");
	if (strstr(used, "oo"))
		text_puts(t, "<array id=\"oo\" size=\"[3]\"> 0..2 </array>\n");
	if (strstr(used, "pp"))
		text_puts(t, "<array id=\"pp\" size=\"[3]\"> 0..2 </array>\n");
	if (strstr(used, "ii"))
		text_puts(t, "<var id=\"ii\"> -1..4 </var>\n");
	if (strstr(used, "kk"))
		text_printf(t, "<var id=\"kk\"> %s </var>\n", ONE_OF(r, "0..3", "1..2", "0 2"));
	if (reified)
		text_puts(t, "<var id=\"bb\"> 0 1 </var>\n");
	text_puts(t, "</variables>\n");
}

/* The constraint, with an attribute behind its name where it is reified. */
static void put_constraint(struct text *t, const char *constraint, const char *reified)
{
	size_t name = 1 + strcspn(constraint + 1, " >");
	text_add(t, constraint, name);
	if (*reified)
		text_printf(t, " %s=\"bb\"", reified);
	text_puts(t, constraint + name);
	text_putc(t, '\n');
}

static void make(struct text *t, struct rng *r, const char *form, const char *objective)
{
	struct text c = {0}, second = {0}, goal = {0};
	put(&c, r, form);
	put(&goal, r, objective);
	if (below(r, 3) == 0)
		put(&second, r, forms[rng_below(r, sizeof forms / sizeof *forms)]);
	const char *s = text_str(&c), *reified = "";
	bool compound =
		!strncmp(s, "<group", 6) || !strncmp(s, "<slide", 6) || !strncmp(s, "<block", 6) || strstr(s, "div(");
	if (!compound && below(r, 3) == 0)
		reified = ONE_OF(r, "reifiedBy", "hreifiedFrom", "hreifiedTo");
	struct text all = {0};
	text_printf(&all, "%s %s %s", s, text_str(&second), text_str(&goal));
	text_printf(t, "<instance format=\"XCSP3\" type=\"%s\">\n", *objective ? "COP" : "CSP");
	declare(t, r, text_str(&all), *reified);
	text_puts(t, "<constraints>\n");
	put_constraint(t, s, reified);
	text_puts(t, text_str(&second));
	text_puts(t, "</constraints>\n");
	if (*objective)
		text_printf(t, "<objectives> %s </objectives>\n", text_str(&goal));
	text_puts(t, "</instance>\n");
	text_free(&c);
	text_free(&second);
	text_free(&goal);
	text_free(&all);
}

/* ---- judging ---- */

struct truth {
	uint64_t solutions;
	bool any;
	int64_t best; /* of the objective */
};

static struct truth brute(struct judge *k, bool maximise)
{
	struct truth t = {0};
	size_t n = judge_variables(k), at[32] = {0};
	int64_t v[32], cost;
	for (bool more = true; more;) {
		for (size_t x = 0; x < n; x++)
			v[x] = judge_value(k, x, at[x]);
		if (!judge_solution(k, v)) {
			t.solutions++;
			if (judge_objective(k, v, &cost) && (!t.any || (maximise ? cost > t.best : cost < t.best))) {
				t.best = cost;
				t.any = true;
			}
		}
		size_t x = 0;
		while (x < n && ++at[x] == judge_size(k, x))
			at[x++] = 0;
		more = x < n;
	}
	return t;
}

struct seen {
	struct judge *k;
	const char *fault;
};

static bool judge_one(void *user, const struct csp *n, const int32_t *values)
{
	struct seen *s = user;
	int64_t v[32];
	for (size_t x = 0; x < judge_variables(s->k); x++)
		v[x] = values[csp_find(n, judge_name(s->k, x))];
	s->fault = judge_solution(s->k, v);
	return !s->fault;
}

static void solve_again(const char *xml, struct judge *k, struct truth t, uint64_t seed, int algorithm, int level)
{
	struct csp_source_error e;
	struct csp *n = csp_read_xml(xml, strlen(xml), &e);
	if (!n)
		fail_msg("%s\nline %u: %s", xml, e.line, e.message);
	struct csp_options o = csp_defaults;
	struct csp_stats st;
	struct seen seen = {.k = k};
	o.algorithm = (enum csp_algorithm)algorithm;
	o.consistency = (enum csp_consistency)level;
	o.order = (enum csp_order)(seed % CSP_ORDER_COUNT);
	o.values = (enum csp_value_order)(seed / 5 % CSP_VALUE_COUNT);
	o.k = 2;
	o.max_solutions = 0;
	o.seed = seed;
	bool goal = csp_has_objective(n);
	o.restart_unit = seed % 2 ? 1 : 100; /* short turns: all searches of auto have theirs */
	o.threads = goal && algorithm == CSP_ALG_AUTO && seed / 2 % 2 ? 2 + (uint32_t)(seed % 3) : 1;
	o.solution = judge_one;
	o.user = &seen;
	csp_methods(n, (enum csp_table_method)(seed % 3), (enum csp_alldiff_method)(seed / 3 % 2));
	enum csp_status status = csp_solve(n, &o, &st);
	if (seen.fault)
		fail_msg("%s\nalgorithm %d, level %d: a solution is wrong: %s", xml, algorithm, level, seen.fault);
	if (!st.refused && goal && (status == CSP_OPTIMUM) != t.any)
		fail_msg("%s\nalgorithm %d, level %d: %d", xml, algorithm, level, status);
	if (!st.refused && goal && t.any && st.best != t.best)
		fail_msg("%s\nalgorithm %d, level %d: best %lld, not %lld", xml, algorithm, level, (long long)t.best,
		         (long long)st.best);
	if (!st.refused && !goal && st.solutions != t.solutions)
		fail_msg("%s\nalgorithm %d, level %d: %llu solutions, not %llu", xml, algorithm, level,
		         (unsigned long long)st.solutions, (unsigned long long)t.solutions);
	csp_free(n);
}

/* Written and read back, it has as many solutions; hidden variables are seen then, but follow from the others. */
static void read_back(const char *xml, struct truth t)
{
	struct csp_source_error e;
	struct csp *n = csp_read_xml(xml, strlen(xml), &e);
	struct text again = {0};
	csp_write_xml(n, &again);
	csp_free(n);
	n = csp_read_xml(text_str(&again), again.n, &e);
	if (!n)
		fail_msg("%s\nwritten:\n%s\nline %u: %s", xml, text_str(&again), e.line, e.message);
	struct csp_options o = csp_defaults;
	struct csp_stats st;
	o.max_solutions = 0;
	if (csp_has_objective(n))
		csp_forget_objective(n);
	csp_solve(n, &o, &st);
	if (st.solutions != t.solutions)
		fail_msg("%s\nwritten:\n%s\n%llu solutions, not %llu", xml, text_str(&again), (unsigned long long)st.solutions,
		         (unsigned long long)t.solutions);
	csp_free(n);
	text_free(&again);
}

/* The same instance with domains so large that they are intervals, cut down by constraints. */
static void solve_wide(const char *xml, struct truth t, uint64_t seed)
{
	static const char narrow[] = "<array id=\"x\" size=\"[4]\"> 0..3 </array>", list[] = "<constraints>\n";
	const char *at = strstr(xml, narrow), *constraints = strstr(xml, list);
	struct text w = {0};
	struct csp_source_error e;
	if (!at)
		return;
	text_add(&w, xml, (size_t)(at - xml));
	text_puts(&w, "<array id=\"x\" size=\"[4]\"> 0..2147483647 </array>");
	at += strlen(narrow);
	text_add(&w, at, (size_t)(constraints - at) + strlen(list));
	text_puts(&w, "<group> <intension> le(%0,3) </intension> <args> x[0] </args> <args> x[1] </args> <args> x[2] "
	              "</args> <args> x[3] </args> </group>\n");
	text_puts(&w, constraints + strlen(list));
	struct csp *n = csp_read_xml(text_str(&w), w.n, &e);
	if (!n && !strstr(e.message, "limit") && !strstr(e.message, "overflow") && !strstr(e.message, "out of range") &&
	    !strstr(e.message, "possible values") && !strstr(e.message, "binPacking over"))
		fail_msg("%s\nline %u: %s", text_str(&w), e.line, e.message);
	if (n) {
		struct csp_options o = csp_defaults;
		struct csp_stats st;
		o.max_solutions = 0;
		o.values = seed % 2 ? CSP_VALUE_MAX : CSP_VALUE_MIN;
		if (csp_has_objective(n))
			csp_forget_objective(n);
		csp_solve(n, &o, &st);
		if (st.refused || st.solutions != t.solutions)
			fail_msg("%s\n%s%llu solutions, not %llu", text_str(&w), st.refused ? st.refused : "",
			         (unsigned long long)st.solutions, (unsigned long long)t.solutions);
		csp_free(n);
	}
	text_free(&w);
}

static void compare(uint64_t seed, const char *form, const char *objective)
{
	struct rng r = rng_seed(seed);
	struct text t = {0};
	char message[300];
	make(&t, &r, form, objective);
	const char *xml = text_str(&t);
	struct csp_source_error e;
	struct csp *n = csp_read_xml(xml, t.n, &e);
	if (!n && (strstr(e.message, "can be negative") || strstr(e.message, "outside of the") ||
	           strstr(e.message, "overflow") || strstr(e.message, "twice"))) { /* refused for good reasons */
		text_free(&t);
		return;
	}
	if (!n)
		fail_msg("%s\nline %u: %s", xml, e.line, e.message);
	bool maximise = csp_has_objective(n) && csp_maximises(n);
	csp_free(n);
	struct judge *k = judge_new(xml, t.n, message, sizeof message);
	if (!k)
		fail_msg("%s\n%s", xml, message);
	double cases = 1;
	for (size_t x = 0; x < judge_variables(k); x++)
		cases *= (double)judge_size(k, x);
	if (cases < 30000) {
		struct truth right = brute(k, maximise);
		solve_again(xml, k, right, seed, CSP_ALG_MAC, CSP_LEVEL_AC);
		int algorithm = (int)(seed % CSP_ALG_COUNT), level = (int)(seed / CSP_ALG_COUNT % CSP_LEVEL_COUNT);
		if (algorithm != CSP_ALG_MIN_CONFLICTS &&
		    (!*objective || algorithm < CSP_ALG_COMPONENTS || algorithm >= CSP_ALG_LCG))
			solve_again(xml, k, right, seed, algorithm, *objective ? CSP_LEVEL_AC : level);
		read_back(xml, right);
		solve_wide(xml, right, seed);
	}
	judge_free(k);
	text_free(&t);
}

static uint64_t rounds(void)
{
	const char *s = getenv("FORMS");
	return s ? strtoull(s, NULL, 10) : test_sample() ? 2 : 12;
}

static void test_forms(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		for (uint64_t seed = 0; seed < rounds(); seed++)
			compare(seed * 1000 + i, forms[i], "");
}

static void test_objectives(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof objectives / sizeof *objectives; i++)
		for (uint64_t seed = 0; seed < 4 * rounds(); seed++)
			compare(seed * 1000 + i + 500, forms[seed % (sizeof forms / sizeof *forms)], objectives[i]);
}

/* No form of the grammar is without a test. */
static void test_every_constraint_is_tried(void **state)
{
	(void)state;
	const char *name, *attributes, *children;
	for (size_t i = 0; (name = x_grammar(i, &attributes, &children)); i++) {
		char tag[40];
		bool found = false;
		snprintf(tag, sizeof tag, "<%s", name);
		for (size_t f = 0; f < sizeof forms / sizeof *forms && !found; f++)
			found = strstr(forms[f], tag) != NULL;
		if (!found)
			fail_msg("%s is in no form", name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_constraint_is_tried),
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_objectives),
	};
	return RUN(tests);
}
