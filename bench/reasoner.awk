# From what bench/reasoner measured to its table, its judgement and its figures.
# First file: peers.tsv. Second: lines of LIST GAME WHAT FIGURE UNIT. Prints text
# for the reader as lines that begin with "> " and figures as lines of three words.

function say(text) { print "> " text }
function figure(what, value, unit) { printf "%s %.9g %s\n", what, value, unit }

# 12345678 -> 12.3M: three digits and a unit
function short(x)
{
	if (x >= 99.95e6) return sprintf("%.0fM", x / 1e6)
	if (x >= 9.995e6) return sprintf("%.1fM", x / 1e6)
	if (x >= 999.5e3) return sprintf("%.2fM", x / 1e6)
	if (x >= 99.95e3) return sprintf("%.0fk", x / 1e3)
	if (x >= 9.995e3) return sprintf("%.1fk", x / 1e3)
	if (x >= 999.5) return sprintf("%.2fk", x / 1e3)
	return sprintf("%.0f", x)
}

function times(x) { return sprintf(x >= 99.95 ? "%.0f" : "%.1f", x) }
function milli(x) { return sprintf(x >= 9.995 ? "%.0f" : x >= 0.9995 ? "%.1f" : "%.2f", x) }

# Insertion sort of a[1..n]; w[] goes along.
function sort(a, w, n,    i, j, x, y)
{
	for (i = 2; i <= n; i++) {
		x = a[i]; y = w[i]
		for (j = i - 1; j >= 1 && a[j] > x; j--) {
			a[j + 1] = a[j]; w[j + 1] = w[j]
		}
		a[j + 1] = x; w[j + 1] = y
	}
}

# One row of the table of aims; `met` is 1 or 0, `have` what was measured. With
# nothing measured there is nothing to judge; a game that failed fails them all.
function aim(name, text, met, have, known)
{
	met = met && failed == ""
	say(sprintf("| %-7s | %-66s | %s |", known ? (met ? "PASS" : "FAIL") : "unknown", text, known ? have : "not measured"))
	if (known)
		figure("aim/" name, met, "pass")
}

function ratio(list, game, speed, peer) # counts towards the mean of `list`
{
	if (peer + 0 <= 0 || speed <= 0)
		return ""
	ratios[list]++
	logs[list] += log(speed / peer)
	if (!(list in least) || speed / peer < least[list]) {
		least[list] = speed / peer
		where[list] = game
	}
	if (list == "sancho" || list == "rbg")
		figure(game "/" list, speed / peer, "times")
	return times(speed / peer)
}

function mean(list) { return ratios[list] ? exp(logs[list] / ratios[list]) : 0 }
function or_dash(x) { return x == "" ? "–" : x }
# %-Ns counts bytes in some awks and characters in others: pad by hand
function left(x, n) { while (width(x) < n) x = x " "; return x }
function right(x, n) { while (width(x) < n) x = " " x; return x }
function width(x) { gsub(/×|–/, "x", x); return length(x) }

FNR == NR {
	if ($1 !~ /^#/) {
		sancho[$1] = $2; rbg[$1] = $3; peer_length[$1] = $4
	}
	next
}

{
	list = $1; game = $2; what = $3; value = $4; unit = $5
	for (i = 6; i <= NF; i++)
		unit = unit " " $i
	if (!((list, game) in known)) {
		known[list, game] = 1
		games[list, ++count[list]] = game
	}
	if (what == "why" || what == "trouble" || what == "processor" || what == "failed") {
		said[list, game, what] = unit
		if (what != "failed")
			next
	}
	x[list, game, what] = value
	if (what ~ /^score\//)
		scores[list, game] = scores[list, game] (scores[list, game] == "" ? "" : " ") sprintf("%.1f", value)
	print (list == "machine" ? "" : game "/") (list == "corpus" ? "corpus/" : "") what, value, what == "failed" ? "flag" : unit
}

function row(a, b, c, d, e, f, g, h, i, j)
{
	say("| " left(a, 17) " | " right(b, 10) " | " right(c, 8) " | " right(d, 5) " | " right(e, 6) " | " right(f, 6) \
	    " | " left(g, 14) " | " right(h, 8) " | " right(i, 9) " | " right(j, 4) " |")
}

function table(    i, g, s, off)
{
	row("game", "playouts/s", "× Sancho", "× RBG", "length", "theirs", "scores", "build ms", "2 threads", "MB")
	say("| --- | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: |")
	for (i = 1; i <= count["peers"]; i++) {
		g = games["peers", i]
		if (("peers", g, "failed") in x) {
			failed = failed " " g
			row(g, "failed", "", "", "", "", "", "", "", "")
			continue
		}
		s = x["peers", g, "playouts"]
		row(g, short(s), or_dash(ratio("sancho", g, s, sancho[g])), or_dash(ratio("rbg", g, s, rbg[g])),
		    sprintf("%.1f", x["peers", g, "length"]), sprintf("%.1f", peer_length[g]), scores["peers", g],
		    milli(x["peers", g, "build"]), sprintf("%.2f", x["peers", g, "threads_ratio"]),
		    sprintf("%.0f", x["peers", g, "peak_memory"]))
		off = peer_length[g] ? x["peers", g, "length"] / peer_length[g] - 1 : 0
		figure(g "/length_off", 100 * off, "percent")
		off = off < 0 ? -off : off
		if (off >= most_off) {
			most_off = off; off_where = g
		}
		if (x["peers", g, "build"] >= slowest) {
			slowest = x["peers", g, "build"]; slow_where = g
		}
		ratio("threads", g, x["peers", g, "threads_ratio"], 1)
		ratio("threads_per_cpu", g, x["peers", g, "threads_ratio_per_cpu"], 1)
	}
	row("geometric mean", "", times(mean("sancho")), times(mean("rbg")), "", "", "", "", sprintf("%.2f", mean("threads")), "")
	row("minimum", "", times(least["sancho"]), times(least["rbg"]), "", "", "", "", sprintf("%.2f", least["threads"]), "")
}

# Sets n, built, median, sum, interpreted, bad: judged first, told later.
function corpus_sum(    i, g)
{
	for (i = 1; i <= count["corpus"]; i++) {
		g = games["corpus", i]
		if (("corpus", g, "failed") in x) {
			bad = bad (bad == "" ? " " : "; ") g " (" said["corpus", g, "failed"] ")"
			continue
		}
		built[++n] = x["corpus", g, "build"]
		built_name[n] = g
		sum += built[n]
		if (x["corpus", g, "interpreted"]) {
			interpreted++
			slow_list = slow_list (slow_list == "" ? "" : ", ") g
			reasons[said["corpus", g, "why"]]++
		}
	}
	if (!n)
		return
	sort(built, built_name, n)
	median = n % 2 ? built[(n + 1) / 2] : (built[n / 2] + built[n / 2 + 1]) / 2
	figure("corpus/median_build", median, "cpu-ms")
	figure("corpus/mean_build", sum / n, "cpu-ms")
	figure("corpus/interpreted", interpreted, "games")
}

function corpus(    i)
{
	if (!n)
		return
	say("")
	say(sprintf("Build time over the corpus of %d rulesheets, in ms: median %s, nine of ten below %s, mean %s.", n,
	    milli(median), milli(built[int(0.9 * n + 0.999)]), milli(sum / n)))
	for (i = n; i > n - 5 && i >= 1; i--)
		slowest_list = slowest_list (i == n ? "" : ", ") built_name[i] " " milli(built[i])
	say("Slowest: " slowest_list ".")
	say("Interpreted, because grounding them exceeds the bounds: " (interpreted ? interpreted " (" slow_list ")" : "none") ".")
	if (bad != "")
		say("Not built:" bad ".")
}

function aims(    t)
{
	say("")
	say("| verdict | aim | measured |")
	say("| --- | --- | --- |")
	aim("sancho_mean", "50 times the playouts of Sancho, geometric mean", mean("sancho") >= 50, times(mean("sancho")), ratios["sancho"])
	aim("sancho_least", "no game under 10 times Sancho", least["sancho"] >= 10, times(least["sancho"]) " (" where["sancho"] ")", ratios["sancho"])
	aim("rbg_mean", "5 times the playouts of RBG, geometric mean", mean("rbg") >= 5, times(mean("rbg")), ratios["rbg"])
	aim("length", "mean length within 2% of theirs", most_off <= 0.02, sprintf("%.1f%% off at most (%s)", 100 * most_off, off_where), count["peers"])
	aim("corpus_build", "median build over the corpus under 50 ms", median < 50, milli(median) " ms", n)
	aim("slowest_build", "every game of the table built in under 5 s", slowest < 5000, milli(slowest) " ms (" slow_where ")", slow_where != "")
	aim("threads", "two threads 1.8 times one, geometric mean", mean("threads") >= 1.8,
	    sprintf("%.2f by the clock, %.2f per CPU second", mean("threads"), mean("threads_per_cpu")), ratios["threads"])
	t = x["peers", "chess_200", "peak_memory"]
	aim("memory", "chess_200 under 500 MB at its peak", t < 500, sprintf("%.0f MB", t), t)
}

END {
	table()
	corpus_sum()
	aims()
	corpus()
	say("")
	say(sprintf("%s, %d cores, load average %.1f before and %.1f after; %s s per game, best of %d builds, best of %d runs with one and two threads.",
	    said["machine", "-", "processor"], x["machine", "-", "cores"], x["machine", "-", "load_before"],
	    x["machine", "-", "load_after"], x["machine", "-", "seconds"], x["machine", "-", "builds"], x["machine", "-", "rounds"]))
	figure("sancho_mean", mean("sancho"), "times")
	figure("rbg_mean", mean("rbg"), "times")
	figure("sancho_least", least["sancho"], "times")
	figure("threads_mean", mean("threads"), "times")
}
