#include "../game/play.h"
int main(void) { return 0; }
