// Names in package-lock.json every platform's optional package that its parent names, and the hash of each package that has none.
// A registry mirror that carries only some platforms makes npm leave the others out, and `npm ci` then refuses the lock file.
// Run after changing dependencies.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const { packages } = lock;

const OS = ['darwin', 'win32', 'freebsd', 'android', 'openharmony', 'linux'];
const CPU = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'wasm32'];
const partOf = (name, parts) => parts.find((part) => name.includes(`-${part}`));

/** Whether the dependency resolves from a package's folder, as Node looks it up. */
function resolves(path, dependency) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (packages[`${folder === '' ? '' : `${folder}/`}node_modules/${dependency}`]) return true;
    if (folder === '') return false;
  }
}

/** The registry's hash of the package, or null where it does not carry this version. */
function hashOf(name, version) {
  try {
    const answer = execFileSync('npm', ['view', `${name}@${version}`, 'dist.integrity', '--json'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 60_000,
      shell: process.platform === 'win32',
    });
    const hash = JSON.parse(answer);
    return typeof hash === 'string' && hash.startsWith('sha512-') ? hash : null;
  } catch {
    return null;
  }
}

const added = [];
for (const [path, { optionalDependencies = {}, dev }] of Object.entries({ ...packages })) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (!/^\d/.test(version) || resolves(path, name)) continue;
    const os = partOf(name, OS);
    const cpu = partOf(name, CPU);
    packages[`node_modules/${name}`] = {
      version,
      ...(cpu && { cpu: [cpu] }),
      ...(dev && { dev: true }),
      optional: true,
      ...(os && { os: [os] }),
    };
    added.push(`${name}@${version}`);
  }
}

const hashed = [];
const unknown = [];
for (const [path, entry] of Object.entries(packages)) {
  if (path === '' || entry.link || entry.integrity) continue;
  const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const integrity = hashOf(name, entry.version);
  if (integrity !== null) packages[path] = { version: entry.version, integrity, ...entry };
  (integrity === null ? unknown : hashed).push(`${name}@${entry.version}`);
}

lock.packages = Object.fromEntries(
  Object.entries(packages).sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)),
);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(added.length === 0 ? 'The lock file names every platform.' : `Added ${added.join(', ')}`);
if (hashed.length > 0) console.log(`Hashes added of ${hashed.join(', ')}`);
if (unknown.length > 0) {
  console.error(
    `This registry does not carry ${unknown.join(', ')}, so there is no hash to lock: ask another registry, or use a version of which it has every platform.`,
  );
  process.exitCode = 1;
}
