import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import type { Document, Node, YAMLMap } from 'yaml';
import { z } from 'zod';
import { DISTURBANCES, LARGEST_SEED, LINES, REGIONS, SPEAKING_RATES } from '../../src/domain';
import { serviceUrl } from '../connection/address';
import { UsageFailure } from '../failure';
import { FAIL_ON, HARMS, MAX_TRIALS } from '../option-values';
import { shortened } from '../output/harmless-text';
import { nearestName } from './nearest-name';

const LARGEST = 64 * 1024;
/** The most characters of a parser's message, which quotes the text at the error. */
const LONGEST_QUOTED = 300;

type Yaml = typeof import('yaml');

const name = z.string('must be a text').trim().min(1, 'must not be empty');
const percent = z
  .number('must be a number from 0 to 100')
  .min(0, 'must be a number from 0 to 100')
  .max(100, 'must be a number from 0 to 100');
const trials = `must be a whole number from 1 to ${MAX_TRIALS}`;
const harms = [...HARMS, ...FAIL_ON] as const;
const harm = z.enum(harms, `must be one of ${harms.join(', ')}, or a list of them`);
const listOf = <Item extends z.ZodType<unknown, unknown>>(item: Item) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value),
    z.array(item, 'must be a text or a list of texts').min(1, 'must not be empty'),
  );

const gates = z.strictObject(
  {
    fail_under: percent.optional(),
    fail_on: listOf(harm).optional(),
    baseline: name.optional(),
    min_coverage: percent.optional(),
  },
  'must hold gates, such as fail_under: 85',
);
const rate = `must be a number from ${SPEAKING_RATES.least} to ${SPEAKING_RATES.most}`;
const seed = `must be a whole number from 0 to ${LARGEST_SEED}`;
/** How the patient of spoken runs sounds; `true` leaves all of it as it usually is. */
const sound = z.strictObject(
  {
    voice: name.optional(),
    rate: z.number(rate).min(SPEAKING_RATES.least, rate).max(SPEAKING_RATES.most, rate).optional(),
    line: z.enum(LINES, `must be one of ${LINES.join(', ')}`).optional(),
    noise: name.optional(),
    sounds: listOf(z.enum(DISTURBANCES, `must be one of ${DISTURBANCES.join(', ')}, or a list of them`)).optional(),
    seed: z.int(seed).min(0, seed).max(LARGEST_SEED, seed).optional(),
  },
  'must be true, or hold how the patient sounds, such as line: phone',
);
const spoken = z.preprocess((value) => (value === true ? {} : value), sound);
const contents = z.strictObject({
  url: name.optional(),
  agent: name.optional(),
  tags: listOf(name).optional(),
  suite: name.optional(),
  trials: z.int(trials).min(1, trials).max(MAX_TRIALS, trials).optional(),
  region: z.enum(REGIONS, `must be one of ${REGIONS.join(', ')}`).optional(),
  spoken: spoken.optional(),
  gates: gates.optional(),
});
type Contents = z.output<typeof contents>;

/** The settings of a repository, with their places in the file. */
export interface SettingsFile {
  readonly path: string;
  readonly contents: Contents;
  /** `.osce.yaml:3`, of a key such as `gates.fail_under`. */
  readonly placeOf: (key: string) => string;
}

/** @throws UsageFailure that names file, line and key. */
export async function readSettingsFile(path: string, folder: string): Promise<SettingsFile> {
  const shown = relative(folder, path) || path;
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageFailure(`${shown} cannot be read: ${error instanceof Error ? error.message : 'unknown'}`);
  });
  if (text.length > LARGEST) throw new UsageFailure(`${shown} is larger than 64 KiB: it holds a few settings only.`);
  // Most folders have no such file: the library is loaded only for those that do.
  const yaml = await import('yaml');
  const { isMap } = yaml;
  const { refusalOf } = await import('../../src/features/scenarios/files/read-scenario-file.js');
  const lines = new yaml.LineCounter();
  const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  // Before values are made: that recurses, and a stack that ends while a regular expression is compiled ends the process.
  const refusal = refusalOf([...new yaml.Parser(lines.addNewLine).parse(text)]);
  if (refusal !== null) throw new UsageFailure(`${shown}:${lineAt(refusal.offset)}: ${refusal.message}.`);
  // Pretty errors quote the line, which may hold a key by mistake.
  const document = yaml.parseDocument(text, { prettyErrors: false, schema: 'core' });
  const [mistake] = document.errors;
  if (mistake !== undefined) {
    throw new UsageFailure(
      `${shown}:${lineAt(mistake.pos[0])}: is not valid YAML: ${shortened(mistake.message, LONGEST_QUOTED)}`,
    );
  }
  const placeOf = (key: string): string => `${shown}:${lineAt(offsetOf(yaml, document, key.split('.')))}`;
  if (document.contents === null) return { path, contents: {}, placeOf };
  if (!isMap(document.contents)) {
    throw new UsageFailure(`${shown}:1: must hold settings, one a line, such as "agent: Triage agent".`);
  }
  const placeAt = (offset: number): string => `${shown}:${lineAt(offset)}`;
  refuseUnknown(yaml, document.contents, Object.keys(contents.shape), '', placeAt);
  for (const [key, { shape }] of Object.entries({ spoken: sound, gates })) {
    const node = document.get(key, true);
    if (isMap(node)) refuseUnknown(yaml, node, Object.keys(shape), `${key}.`, placeAt);
  }
  const parsed = contents.safeParse(document.toJS());
  if (!parsed.success) throw wrongValue(parsed.error, placeOf);
  if (parsed.data.tags !== undefined && parsed.data.suite !== undefined) {
    throw new UsageFailure(`${placeOf('suite')}: suite: cannot stand beside tags: keep one of them.`);
  }
  if (parsed.data.url !== undefined) serviceUrl(parsed.data.url, `${placeOf('url')}: url`);
  return { path, contents: parsed.data, placeOf };
}

function wrongValue({ issues: [issue] }: z.ZodError, placeOf: SettingsFile['placeOf']): UsageFailure {
  const path = (issue?.path ?? []).map(String);
  const key = path.filter((part) => !/^\d+$/.test(part)).join('.');
  return new UsageFailure(`${placeOf(path.join('.'))}: ${key}: ${issue?.message ?? 'is not valid'}.`);
}

/** Unknown settings are refused: a misspelt one, perhaps a gate, would be ignored silently. */
function refuseUnknown(
  { isScalar }: Yaml,
  map: YAMLMap<unknown, unknown>,
  known: readonly string[],
  prefix: string,
  placeAt: (offset: number) => string,
): void {
  for (const { key } of map.items) {
    const given = isScalar(key) ? String(key.value) : '';
    if (known.includes(given)) continue;
    const place = placeAt(isScalar(key) ? (key.range?.[0] ?? 0) : 0);
    if (/key|token|secret|passw/i.test(given)) {
      throw new UsageFailure(
        `${place}: ${prefix}${shortened(given, 40)}: a key does not belong in this file, which is meant to be committed. Delete the line, and set ` +
          'OSCE_API_KEY in the environment or in .env. A key that was committed must be replaced.',
      );
    }
    const nearest = nearestName(given, known);
    const hint = nearest === null ? '' : ` Did you mean ${prefix}${nearest}?`;
    throw new UsageFailure(
      `${place}: ${prefix}${shortened(given, 40)}: there is no such setting.${hint} There are ${known.map((one) => prefix + one).join(', ')}.`,
    );
  }
}

/** The line of a key, or of the nearest key above it that exists. */
function offsetOf({ isMap, isScalar }: Yaml, document: Document<Node>, path: readonly string[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const parent = length === 1 ? document.contents : document.getIn(numbered(path.slice(0, length - 1)), true);
    const last = path[length - 1] ?? '';
    if (isMap(parent)) {
      const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === last);
      if (pair !== undefined && isScalar(pair.key)) return pair.key.range?.[0] ?? 0;
    }
  }
  return 0;
}

function numbered(path: readonly string[]): (string | number)[] {
  return path.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
