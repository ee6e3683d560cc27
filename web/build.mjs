// Bundles the page: node build.mjs DIR writes it as files; node build.mjs --c FILE --depfile FILE writes it as one C file that the
// program is linked with (every file compressed), and what it was made of, for ninja.
import { build } from 'esbuild';
import { gzipSync } from 'node:zlib';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml' };

async function bundle() {
	const result = await build({
		absWorkingDir: here,
		entryPoints: { main: 'src/main.tsx' },
		outdir: 'dist',
		bundle: true,
		splitting: true,
		format: 'esm',
		target: 'es2022',
		jsx: 'automatic',
		jsxImportSource: 'preact',
		minify: true,
		legalComments: 'none',
		chunkNames: '[name]-[hash]',
		loader: { '.kif': 'text' },
		metafile: true,
		write: false,
	});
	const files = result.outputFiles.map((f) => ({ path: '/' + basename(f.path), bytes: Buffer.from(f.contents) }));
	files.push({ path: '/', bytes: readFileSync(join(here, 'index.html')) }, { path: '/icon.svg', bytes: readFileSync(join(here, 'icon.svg')) });
	files.sort((a, b) => (a.path < b.path ? -1 : 1));
	for (const f of files) f.type = types[f.path === '/' ? '.html' : f.path.slice(f.path.lastIndexOf('.'))];
	const inputs = [...Object.keys(result.metafile.inputs), 'index.html', 'icon.svg', 'build.mjs'].map((f) => resolve(here, f));
	return { files, inputs };
}

function cText(files) {
	const out = ['/* Written by web/build.mjs. */', '#include "web/page.h"', ''];
	files.forEach((f, i) => {
		const packed = gzipSync(f.bytes, { level: 9 });
		packed[9] = 255; // the system it was made on says nothing about the file
		out.push(`static const unsigned char file_${i}[] = {`);
		for (let at = 0; at < packed.length; at += 24) out.push([...packed.subarray(at, at + 24)].join(',') + ',');
		out.push('};');
	});
	out.push('', 'const struct page_file page_files[] = {');
	files.forEach((f, i) => out.push(`\t{"${f.path}", "${f.type}", file_${i}, sizeof file_${i}},`));
	out.push('\t{0},', '};', '');
	return out.join('\n');
}

const [first, second, , depfile] = process.argv.slice(2);
const { files, inputs } = await bundle();
if (first === '--c') {
	writeFileSync(second, cText(files));
	if (depfile) writeFileSync(depfile, `${relative(process.cwd(), resolve(second))}: ${inputs.map((f) => f.replaceAll(' ', '\\ ')).join(' ')}\n`);
} else {
	mkdirSync(first, { recursive: true });
	let packed = 0;
	for (const f of files) {
		writeFileSync(join(first, f.path === '/' ? 'index.html' : f.path), f.bytes);
		const size = gzipSync(f.bytes, { level: 9 }).length;
		packed += size;
		console.log(`${f.path.padEnd(28)} ${String(f.bytes.length).padStart(8)} ${String(size).padStart(8)}`);
	}
	console.log(`${'together, compressed'.padEnd(28)} ${String(packed).padStart(17)}`);
}
