// Builds when nothing is built yet, or from other sources than are here now. `npm start`, the demo and the tests of the built
// service begin with it; in between, what is built stays as it is under whoever runs from it.
import { execFileSync } from 'node:child_process';
import { isBuilt, ROOT } from './built-from.mjs';

if (!isBuilt()) {
  console.log('Building, which takes about a minute…');
  execFileSync('npm', ['run', 'build', '--silent'], {
    cwd: ROOT,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}
