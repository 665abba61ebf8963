import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';

/** What the page talks to while it is worked on: `npm run web:dev` beside `npm start`. */
const SERVICE = process.env.SERVICE_URL ?? 'http://127.0.0.1:8000';
const FONTS = ['source-sans-3', 'source-serif-4'];
const API = ['/api', '/events', '/health', '/docs', '/start-run', '/cancel-run'];

/** The service answers compressed without compressing anything itself: each file lies beside its .br and .gz. */
function compressed() {
  let folder;
  return {
    name: 'compressed',
    apply: 'build',
    configResolved: ({ root, build }) => void (folder = resolve(root, build.outDir)),
    closeBundle() {
      for (const path of readdirSync(folder, { recursive: true })) {
        if (!/\.(html|js|css|svg)$/.test(path)) continue;
        const bytes = readFileSync(join(folder, path));
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
        writeFileSync(join(folder, `${path}.br`), brotliCompressSync(bytes, { params }));
        writeFileSync(join(folder, `${path}.gz`), gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

/** Whoever is given the page is given the licences of the fonts in it. */
function fontLicences() {
  return {
    name: 'font-licences',
    apply: 'build',
    generateBundle() {
      const texts = FONTS.map((name) =>
        readFileSync(new URL(`../node_modules/@fontsource-variable/${name}/LICENSE`, import.meta.url), 'utf8'),
      );
      this.emitFile({ type: 'asset', fileName: 'font-licences.txt', source: texts.join('\n\n') });
    },
  };
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // What counts is what a first visit transfers, which test/web/serving.spec.ts holds below 300 kB.
    chunkSizeWarningLimit: 600,
    target: 'es2022',
    // The page's content security policy allows no inline script and no data: scripts.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // React's libraries mark what runs in browsers; here everything does.
      onLog: (level, log, next) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && next(level, log),
      // What most views share is one file: twenty small ones wait for each other's connections.
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 6 }] } },
    },
  },
  plugins: [compressed(), fontLicences()],
  server: { proxy: Object.fromEntries(API.map((path) => [path, SERVICE])) },
});
