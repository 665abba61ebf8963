import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

const SOURCES = { main: join(ROOT, 'src', 'main.ts'), osce: join(ROOT, 'cli', 'osce.ts') };

/**
 * How Node starts the service (`main`) or the command: from the file that bundle-sources.mjs has made of it, or from its sources,
 * where none was made and where its environment tells Node to watch what is loaded.
 */
export function programCommand(
  name: keyof typeof SOURCES,
  environment: Readonly<Record<string, string>>,
): readonly string[] {
  const { OSCE_TEST_PROGRAMS: bundled } = process.env;
  const program = bundled === undefined || 'NODE_OPTIONS' in environment ? SOURCES[name] : join(bundled, `${name}.js`);
  // What a bundled program starts beside itself is TypeScript, too.
  return ['--require', join(__dirname, 'register-typescript.cjs'), program];
}
