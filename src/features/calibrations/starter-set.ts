import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { labelledCriterion, labelledItem } from '../../../contract/labelled-items';

/** The kinds of cases that the labels try a judge with. */
export const CASES = ['clear', 'near_miss', 'omission', 'fault', 'negation', 'hedge'] as const;

const starterItem = labelledItem
  .extend({
    /** As in the scenario library. */
    category: z.string().min(1),
    criteria: z
      .array(
        labelledCriterion
          .extend({
            doubtful: z.boolean(),
            case: z.enum(CASES),
            /** Why the label is what it is. */
            because: z.string().min(1),
            /** The agent's words that it follows from; none where it follows from what was left unsaid. */
            words: z.array(z.string().min(1)),
          })
          .strict(),
      )
      .min(1),
  })
  .strict();
export type StarterItem = z.output<typeof starterItem>;

/** The set is part of the service: an unusable file is its editor's mistake. */
export class StarterSetError extends Error {
  override readonly name = 'StarterSetError';
}

/**
 * The labelled transcripts that come with the service (docs/calibration.md): a smoke test of a judge, not its validation.
 * @param folder holds one file of JSON lines for each category
 * @throws StarterSetError naming the file, the line and the field
 */
export async function loadStarterSet(folder = starterFolder()): Promise<StarterItem[]> {
  const files = (await readdir(folder)).filter((path) => path.endsWith('.jsonl')).sort();
  const items = await Promise.all(files.map((file) => readItems(join(folder, file))));
  return items.flat();
}

async function readItems(path: string): Promise<StarterItem[]> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  return lines.flatMap((line, index) => (line === '' ? [] : [readItem(line, `${path}:${index + 1}`)]));
}

function readItem(line: string, where: string): StarterItem {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new StarterSetError(`${where} is not JSON.`, { cause });
  }
  const parsed = starterItem.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new StarterSetError(`${where} is not a labelled transcript: ${z.prettifyError(parsed.error)}`);
}

/** Some folders up: two from the sources, three from the built files. */
function starterFolder(below = __dirname): string {
  const folder = join(below, 'content', 'calibration');
  if (existsSync(folder)) return folder;
  const parent = dirname(below);
  if (parent === below) throw new StarterSetError('The folder content/calibration is missing; reinstall Agent OSCE.');
  return starterFolder(parent);
}
