// `prepare`: builds when npm packs this package, for `npm pack` or because somebody installs it from git. npm also calls it
// at the end of `npm ci` in a checkout, and when it links to one (`npm install ../agent-osce`, or `npx` called in it): there what
// is built stays as it is. npm names the folder to whom it packs or links for, and of a link also what kind of dependency it is.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const { npm_package_resolved: resolved, npm_package_dev: linkedAs } = process.env;
const isBuilt = existsSync(new URL('../dist/cli/osce.js', import.meta.url));

if (resolved !== undefined && (linkedAs === undefined || !isBuilt)) {
  if (!existsSync(new URL('../node_modules/@nestjs/cli', import.meta.url))) {
    console.error(
      `Agent OSCE is built before it is packed, and its development tools are missing: run npm ci in ${root}`,
    );
    process.exit(1);
  }
  // What npm prints on standard output is the name of the tarball, or JSON: nothing else may stand there.
  execFileSync('npm', ['run', 'build', '--silent'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
}
