/* XCSP3: the bytes of an instance. Competition instances come as .xml.lzma; the packing is told from the first bytes,
 * not from the name. What unpacks to more than the limit is refused, so that small files cannot fill the memory. */
#include "csp/xcsp3/load.h"

#include <lzma.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#define MOST ((size_t)INT32_MAX) /* bytes of a document */

static bool say(struct csp_source_error *e, const char *format, const char *detail)
{
	snprintf(e->message, sizeof e->message, format, detail);
	return false;
}

static bool read_all(FILE *f, struct text *out, struct csp_source_error *e)
{
	static const char large[] = "more than 2 gigabytes";
	char piece[4096];
	size_t n;
	while ((n = fread(piece, 1, sizeof piece, f)) > 0) {
		text_add(out, piece, n);
		if (out->n > MOST)
			return say(e, "%s", large);
	}
	return !ferror(f) || say(e, "%s", "cannot be read");
}

/* ---- unpacking ---- */

static void end_inflate(void *z)
{
	inflateEnd(z);
}

static bool inflate_all(z_stream *z, struct text *out, struct csp_source_error *e)
{
	unsigned char piece[4096];
	int status = Z_OK;
	while (status == Z_OK) {
		z->next_out = piece;
		z->avail_out = sizeof piece;
		status = inflate(z, Z_NO_FLUSH);
		text_add(out, (char *)piece, sizeof piece - z->avail_out);
		if (out->n > MOST || (z->total_in && out->n / 2000 > z->total_in))
			return say(e, "%s", "it unpacks to too much");
		if (status == Z_STREAM_END && z->avail_in)
			status = inflateReset(z); /* another member */
	}
	return status == Z_STREAM_END || say(e, "%s", "a damaged gzip file");
}

static bool unpack_gzip(const struct text *in, struct text *out, struct csp_source_error *e)
{
	z_stream *z = NEW(z_stream);
	struct mem_resource *owned = NULL;
	z->next_in = (unsigned char *)in->at;
	z->avail_in = (uInt)in->n;
	bool ok = inflateInit2(z, 15 + 32) == Z_OK;
	if (ok) {
		owned = mem_own(end_inflate, z);
		ok = inflate_all(z, out, e);
		mem_disown(owned);
		inflateEnd(z);
	} else {
		say(e, "%s", "gzip does not start");
	}
	mem_free(z);
	return ok;
}

static void end_lzma(void *z)
{
	lzma_end(z);
}

static bool lzma_all(lzma_stream *z, struct text *out, struct csp_source_error *e)
{
	unsigned char piece[4096];
	lzma_ret status = LZMA_OK;
	while (status == LZMA_OK) {
		z->next_out = piece;
		z->avail_out = sizeof piece;
		status = lzma_code(z, LZMA_FINISH);
		text_add(out, (char *)piece, sizeof piece - z->avail_out);
		if (out->n > MOST)
			return say(e, "%s", "it unpacks to too much");
	}
	return status == LZMA_STREAM_END || say(e, "%s", "a damaged lzma file");
}

static bool unpack_lzma(const struct text *in, struct text *out, struct csp_source_error *e)
{
	lzma_stream *z = NEW(lzma_stream);
	z->next_in = (unsigned char *)in->at;
	z->avail_in = in->n;
	bool ok = lzma_auto_decoder(z, (uint64_t)1 << 28, LZMA_CONCATENATED) == LZMA_OK;
	if (ok) {
		struct mem_resource *owned = mem_own(end_lzma, z);
		ok = lzma_all(z, out, e);
		mem_disown(owned);
		lzma_end(z);
	} else {
		say(e, "%s", "lzma does not start");
	}
	mem_free(z);
	return ok;
}

static bool begins(const struct text *t, const char *bytes, size_t n)
{
	return t->n >= n && !memcmp(t->at, bytes, n);
}

static bool unpack(struct text *t, struct csp_source_error *e)
{
	bool gzip = begins(t, "\x1f\x8b", 2);
	bool lzma = begins(t, "\xfd\x37zXZ", 6) || begins(t, "\x5d\0\0", 3);
	if (!gzip && !lzma)
		return true;
	struct text out = {0};
	bool ok = gzip ? unpack_gzip(t, &out, e) : unpack_lzma(t, &out, e);
	text_free(t);
	*t = out;
	return ok;
}

static void close_file(void *f)
{
	fclose(f);
}

bool xcsp3_load(const char *path, struct text *out, struct csp_source_error *e)
{
	*e = (struct csp_source_error){0};
	bool input = !strcmp(path, "-");
	FILE *f = input ? stdin : fopen(path, "rb");
	if (!f)
		return say(e, "%s", "cannot be read");
	struct mem_resource *owned = input ? NULL : mem_own(close_file, f);
	bool ok = read_all(f, out, e);
	mem_disown(owned);
	if (!input)
		fclose(f);
	return ok && unpack(out, e);
}

/* ---- other formats ---- */

static bool has_word(const char *data, size_t length, const char *word)
{
	size_t n = strlen(word), most = length < 4000 ? length : 4000;
	for (size_t i = 0; i + n <= most; i++)
		if ((!i || data[i - 1] == '\n') && !memcmp(data + i, word, n))
			return true;
	return false;
}

const char *xcsp3_foreign(const char *data, size_t length)
{
	static const char *const zinc[] = {"var ",        "array[", "array [",  "array", "predicate ",
	                                   "constraint ", "solve ", "include ", "int:",  "%"};
	if (has_word(data, length, "p cnf") || has_word(data, length, "p wcnf"))
		return "a formula in DIMACS (p cnf), which is for a SAT solver; an XCSP3 instance is expected";
	for (size_t i = 0; i < sizeof zinc / sizeof *zinc; i++)
		if (has_word(data, length, zinc[i]))
			return "a model in MiniZinc or FlatZinc, which is not read; an XCSP3 instance is expected";
	return "no XCSP3 instance: it does not begin with \"<\"";
}
