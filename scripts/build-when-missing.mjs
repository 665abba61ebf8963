// `npm start` on a fresh clone: builds once when nothing is built yet.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

if (!existsSync(new URL('../dist/src/main.js', import.meta.url))) {
  console.log('Nothing is built yet: building once, this takes some seconds.');
  execFileSync('npm', ['run', 'build', '--silent'], { stdio: 'inherit', shell: process.platform === 'win32' });
}
