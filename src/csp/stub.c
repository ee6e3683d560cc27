#include "csp/net.h"
bool search_simple(struct search*s){(void)s;return 0;}
bool search_components(struct search*s){(void)s;return 0;}
bool search_tree(struct search*s){(void)s;return 0;}
bool search_cutset(struct search*s){(void)s;return 0;}
bool search_decomposition(struct search*s){(void)s;return 0;}
bool search_local(struct search*s){(void)s;return 0;}
uint32_t csp_value_classes(struct csp*n,uint32_t*c){(void)n;(void)c;return 0;}
enum csp_outcome csp_enforce(struct csp *n, enum csp_consistency level, uint32_t k, struct csp_stats *s){(void)level;(void)k;(void)s;return csp_propagate(n)?CSP_CONSISTENT:CSP_INCONSISTENT;}
