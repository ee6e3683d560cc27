# A thin front for Meson: everything here can be done with meson and ninja too.
#
#   make            build/macaw and the libraries
#   make test       all tests, plain and under sanitizers
#   make quick      tests of half a minute
#   make check      format, warnings, analysis, assertions, coverage
#   make play       play Connect Four against the computer (GAME=name: another game)
#   make demo       watch two players
#   make web        the page, in the browser
#   make bench      speed, as a table and as build/bench.json
#   make attack     generated input and abuse of the protocol for ATTACK_SECONDS (1800)
#   make fuzz       mutated input for FUZZ_SECONDS (60) per target
#   make install    into DESTDIR and PREFIX (/usr/local)
#   make deb        a Debian package, build/macaw_VERSION_ARCH.deb
#   make format     lay the sources out as .clang-format says
#   make clean      remove everything that was built

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
export FUZZ_SECONDS
ATTACK_SECONDS ?= 1800

all:
	@TARGETS=product scripts/build build

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

# What was counted and how fast it was, added to the history of commits.
bench-history: all
	@build/macaw bench --repeat 5 --history bench/history.jsonl --commit "$$(git describe --always --dirty)"

attack: all
	@MACAW=build/macaw MACAW_SOURCE=. python3 -B tests/attack/attack.py --seconds $(ATTACK_SECONDS)

fuzz:
	@scripts/fuzz

install:
	@TARGETS=product scripts/build build '--prefix=$(PREFIX)'
	@meson install -C build --no-rebuild $(if $(DESTDIR),--destdir '$(if $(filter /%,$(firstword $(DESTDIR))),,$(CURDIR)/)$(DESTDIR)')

deb:
	@scripts/deb

check: setup
	@scripts/check

format:
	@scripts/format

clean:
	rm -rf build build-*

setup:
	@scripts/setup

.NOTPARALLEL:
.PHONY: all program test quick check play demo web bench bench-history attack fuzz install deb format clean setup
