# Reads Meson's testlog.txt (one or more), prints the record of every test
# program that failed, names what was skipped, and closes with
# `N passed, N failed[, N skipped]`. Exit status 1 when anything failed.
#
# A program counts with the cases cmocka reports; one without such a report
# counts as one case by its exit status (77: skipped). A program that ended
# badly counts as at least one failure whatever it has printed before.
#
# The log of a second run, testlog-again.txt, comes before that of the first: a
# program that failed counts as it did then, and is named if it has passed.
# More than SECOND_MOST such programs are failures all the same.

BEGIN { SECOND_MOST = 3 }

function show() {
	printf "---- FAILED: %s (%s)\n%s\n", name, result, record
}

function finish() {
	if (!inside)
		return
	inside = 0
	ok = result == "exit status 0"
	if (!p && !f && !s) {
		if (ok)
			p = 1
		else if (result == "exit status 77")
			s = 1
	}
	if (!ok && !f && !(s == 1 && result == "exit status 77"))
		f = 1
	if (again) {
		if (f)
			show()
		else
			excused[folder, name] = p
		return
	}
	if (f && (folder, name) in excused) {
		p = excused[folder, name]
		f = 0
		second[++seconds] = name
		second_cases += p
	}
	passed += p
	failed += f
	skipped += s
	if (f)
		show()
	if (s)
		skips[++skip_count] = sprintf("skipped: %s (%d)%s", name, s, why)
}

FNR == 1 {
	finish()
	again = FILENAME ~ /-again\.txt$/
	folder = FILENAME
	sub(/[^\/]*$/, "", folder)
}

/^=+ [0-9]+\/[0-9]+ =+$/ {
	finish()
	inside = 1
	programs++
	p = f = s = 0
	record = name = result = why = ""
	next
}

/^=+$/ && length($0) > 70 { finish() } # a sanitizer's report has shorter lines of them

!inside { next }

{ record = record $0 "\n" }
name == "" && /^test: / { name = $0; sub(/^test: +/, "", name) }
result == "" && /^result: / { result = $0; sub(/^result: +/, "", result) }
/^\[  PASSED  \] [0-9]+ test/ { p += $4 }
/^\[  FAILED  \] [0-9]+ test/ { f += $4 }
/^\[  SKIPPED \] [0-9]+ test/ { s += $4 }
/^skipped: / { why = why "\n  " substr($0, 10) }

END {
	finish()
	if (!programs) {
		print "no test has run"
		failed++
	}
	for (i = 1; i <= skip_count; i++)
		if (!told[skips[i]]++)
			print skips[i]
	for (i = 1; i <= seconds; i++)
		print "passed at the second run: " second[i]
	if (seconds > SECOND_MOST) {
		printf "%d programs passed only at the second run, which are too many\n", seconds
		passed -= second_cases
		failed += seconds
	}
	line = sprintf("%d passed, %d failed", passed, failed)
	if (skipped)
		line = line sprintf(", %d skipped", skipped)
	print line
	exit failed ? 1 : 0
}
