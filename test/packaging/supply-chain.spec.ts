import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const ROOT = join(__dirname, '..', '..');
const versions = z.record(z.string(), z.string());
const manifest = z.object({ dependencies: versions, devDependencies: versions, optionalDependencies: versions });
const locked = z.object({ integrity: z.string().optional() });
const lock = z.object({ packages: z.record(z.string(), locked) });

const read = (name: string): unknown => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));

describe('packages', () => {
  it('are wanted in one version each, not in whatever is newest', () => {
    const { dependencies, devDependencies, optionalDependencies } = manifest.parse(read('package.json'));
    const wanted = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(wanted.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  // Other platforms' packages too: scripts/complete-lockfile.mjs adds those that npm left out.
  it('are locked with the hash of what they held, so that npm ci refuses any other content', () => {
    const { '': _service, ...packages } = lock.parse(read('package-lock.json')).packages;
    const unhashed = Object.entries(packages)
      .filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))
      .map(([path]) => path);
    expect(Object.keys(packages).length).toBeGreaterThan(100);
    expect(unhashed).toEqual([]);
  });
});
