import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pythonTypesSource } from './python-types-source';

const ROOT = join(__dirname, '..');
const GENERATOR = join(ROOT, 'artifacts', 'client-peers', 'bin', 'datamodel-codegen');
const TYPES = join(ROOT, 'packages', 'python', 'src', 'agent_osce', 'schemas.py');

/** Everything that the generator decides by default today and may decide otherwise in its next version. */
const OPTIONS = [
  ...['--input-file-type', 'openapi', '--output-model-type', 'typing.TypedDict', '--target-python-version', '3.10'],
  ...['--disable-timestamp', '--formatters', 'builtin', '--use-double-quotes', '--use-union-operator'],
  ...['--use-standard-collections', '--enum-field-as-literal', 'all', '--no-use-closed-typed-dict'],
  ...['--collapse-root-models', '--reuse-model', '--collapse-reuse-models'],
  ...[
    '--use-schema-description',
    '--use-field-description',
    '--use-attribute-docstrings',
    '--use-single-line-docstring',
  ],
];

/** The types of the Python package, as Python. @throws Error when the generator is missing or fails */
function generated(): string {
  if (!existsSync(GENERATOR))
    throw new Error('datamodel-codegen is missing: scripts/install-client-peers.sh installs it.');
  const openapi: unknown = JSON.parse(readFileSync(join(ROOT, 'client', 'openapi.json'), 'utf8'));
  const { document, hash } = pythonTypesSource(openapi);
  const folder = mkdtempSync(join(tmpdir(), 'agent-osce-python-types-'));
  try {
    const [input, output] = [join(folder, 'openapi.json'), join(folder, 'schemas.py')];
    writeFileSync(input, document);
    const header = `# Generated from client/openapi.json by npm run client:python: do not edit. Source ${hash}`;
    const files = ['--input', input, '--output', output, '--custom-file-header', header];
    execFileSync(GENERATOR, [...files, ...OPTIONS], { stdio: 'inherit', timeout: 120_000 });
    return readFileSync(output, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the types, or, with --check, exits with 1 when they are not what the description makes now. */
function main(): void {
  const types = generated();
  if (!process.argv.includes('--check')) writeFileSync(TYPES, types);
  else if (types !== (existsSync(TYPES) ? readFileSync(TYPES, 'utf8') : '')) {
    process.stderr.write(`${TYPES} is not what client/openapi.json describes: run npm run client:python.\n`);
    process.exitCode = 1;
  }
}

main();
