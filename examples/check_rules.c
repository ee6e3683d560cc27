/* What is wrong with a rulesheet, as data: check_rules [GAME]. Without a game a faulty one is looked at. */
#include <macaw/rules.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	const char faulty[] = "(role a) (<= (next (on ?x ?y)) (true (on ?x b)))";
	macaw_error error;
	macaw_rules *r =
		argc > 1 ? macaw_rules_load(argv[1], &error) : macaw_rules_parse(faulty, strlen(faulty), "faulty", &error);
	if (!r) {
		fprintf(stderr, "%s\n", error.text);
		return error.status;
	}
	for (size_t i = 0; i < macaw_rules_diagnostics(r); i++) {
		macaw_diagnostic d = macaw_rules_diagnostic(r, i);
		printf("%u:%u: %s: %s [%s]\n", d.at.line, d.at.column, d.severity == MACAW_ERROR ? "error" : "warning",
		       d.message, d.code);
		if (d.help)
			printf("\thelp: %s\n", d.help);
	}
	printf("%zu clauses, %zu errors\n", macaw_rules_count(r), macaw_rules_errors(r));
	macaw_rules_free(r);
	return 0;
}
