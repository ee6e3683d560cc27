# A thin front for Meson: everything here can be done with meson and ninja too.
#
#   make            build/macaw
#   make test       all tests, plain and under sanitizers
#   make quick      tests of half a minute
#   make play       play Connect Four against the computer (GAME=name: another game)
#   make demo       watch two players
#   make web        the page, in the browser
#   make bench      speed, as a table and as build/bench.json
#   make attack     generated input and abuse of the protocol for ATTACK_SECONDS (1800)
#   make fuzz       mutated input for FUZZ_SECONDS (60) per target
#   make install    into DESTDIR and PREFIX (/usr/local)
#   make format     lay the sources out as .clang-format says
#   make clean      remove everything that was built

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
export FUZZ_SECONDS
ATTACK_SECONDS ?= 1800

all:
	@scripts/build build

test: setup
	@scripts/test $(TESTS)

quick: setup
	@scripts/test --quick

GAME ?= connect_four

program:
	@TARGETS=macaw scripts/build build

play: setup program
	@build/macaw play $(GAME)

demo: setup program
	@build/macaw match $(GAME) --players macaw,uct --clock 0.3 --watch

web: setup program
	@build/macaw web

bench: all
	@scripts/bench

attack: all
	@MACAW=build/macaw MACAW_SOURCE=. python3 -B tests/attack/attack.py --seconds $(ATTACK_SECONDS)

fuzz:
	@scripts/fuzz

install:
	@scripts/build build '--prefix=$(PREFIX)'
	@meson install -C build --no-rebuild $(if $(DESTDIR),--destdir '$(if $(filter /%,$(firstword $(DESTDIR))),,$(CURDIR)/)$(DESTDIR)')

format:
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean:
	rm -rf build build-*

setup:
	@scripts/setup

.NOTPARALLEL:
.PHONY: all program test quick play demo web bench attack fuzz install format clean setup
