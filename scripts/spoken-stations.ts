import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Presets, SingleBar } from 'cli-progress';
import { silentLog, settingsFrom } from '../src/platform/config';
import { loadStarterLibrary } from '../src/features/scenarios/starter-library';
import { createApp } from '../src/start/create-app';
import { Screen } from '../cli/output/terminal';
import { tableOf } from '../cli/output/table';
import { ApiClient } from '../test/setup/api-client';
import { SPEAKERS, type SpeakerName } from '../test/speakers/known-speaker';
import {
  endedConversations,
  examineSpeakers,
  inOrder,
  namesFor,
  SpeakerClinic,
  spokenStations,
  surprises,
  type Share,
  type SpokenResult,
} from '../test/speakers/spoken-examination';

/**
 * Holds the spoken stations of the library with agents that take telephone calls and whose worth is known, on this machine, without a key: a
 * service of its own, espeak-ng as the voice of patients and agents, and an ear that knows what the agents say.
 * @returns whether each came out as what it is known to be
 */
export async function examineSpoken(args: readonly string[]): Promise<boolean> {
  const { stations: most, trials, seed, parallel, wanted } = optionsOf(args);
  const named = spokenStations(await loadStarterLibrary()).filter(
    ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
  );
  const stations = named.slice(0, most);
  const speakers = Object.keys(SPEAKERS).filter((name): name is SpeakerName => Object.hasOwn(SPEAKERS, name));
  print(
    `${stations.length} stations × ${trials}, ${speakers.length} agents, ${parallel} calls at a time, seed ${seed}.`,
  );
  const began = performance.now();
  const clinic = await SpeakerClinic.open(stations);
  const folder = mkdtempSync(join(tmpdir(), 'spoken-stations-'));
  const settings = settingsFrom({
    ...clinic.settings,
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'silent',
    SPOKEN_CONVERSATIONS: String(parallel),
  });
  const app = await createApp(settings, silentLog);
  try {
    await app.listen(0, '127.0.0.1');
    const api = new ApiClient(await app.getUrl());
    const progress = showProgress(api, stations.length * trials * speakers.length);
    const results = await examineSpeakers(api, clinic, { stations, trials, speakers, seed }).finally(() =>
      progress.stop(),
    );
    results.forEach(told);
    printTable(results);
    const wrong = surprises(results);
    for (const sentence of wrong) print(`NOT AS KNOWN: ${sentence}`);
    print(
      `It took ${Math.round((performance.now() - began) / 1_000)} s. The ear knows what the agents say: nothing is shown of recognisers.`,
    );
    return wrong.length === 0;
  } finally {
    await app.close();
    await clinic.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function optionsOf(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      stations: { type: 'string', default: '12' },
      trials: { type: 'string', default: '3' },
      seed: { type: 'string', default: '1' },
      parallel: { type: 'string', default: '4' },
    },
  });
  const count = (name: 'stations' | 'trials' | 'seed' | 'parallel'): number => {
    const value = Number(values[name]);
    if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a whole number from 1.`);
    return value;
  };
  return {
    stations: count('stations'),
    trials: count('trials'),
    seed: count('seed'),
    parallel: count('parallel'),
    wanted: positionals,
  };
}

const LOOKS_EVERY_MS = 2_000;

/** How many conversations have ended, on a terminal: they take as long as people take to say what is said. */
function showProgress(api: ApiClient, total: number): { stop(): void } {
  if (!process.stderr.isTTY) return { stop: () => undefined };
  const format = '{bar} {value}/{total} conversations, {duration_formatted}';
  const bar = new SingleBar({ format, barsize: 24, hideCursor: true, clearOnComplete: true }, Presets.shades_classic);
  bar.start(total, 0);
  const look = async (): Promise<void> => bar.update(await endedConversations(api));
  const timer = setInterval(() => void look().catch(() => undefined), LOOKS_EVERY_MS);
  return {
    stop: () => {
      clearInterval(timer);
      bar.stop();
    },
  };
}

function told({ speaker, graded, conversations, errors }: SpokenResult): void {
  print(`${speaker}: ${graded} of ${conversations} conversations were marked.`);
  for (const error of errors) print(`  ${error}`);
}

function printTable(results: readonly SpokenResult[]): void {
  const share = ({ hits, events }: Share): string => `${hits} of ${events}`;
  const columns = [
    { title: 'Agent', cell: ({ speaker }: SpokenResult) => speaker },
    { title: 'Passed', cell: ({ passed, graded }: SpokenResult) => `${passed} of ${graded}` },
    { title: 'Score', cell: ({ meanScore }: SpokenResult) => `${Math.round(meanScore)} %` },
    { title: 'Stopped at uh-huh', cell: ({ falseYields }: SpokenResult) => share(falseYields) },
    { title: 'Did not yield', cell: ({ talkedThrough }: SpokenResult) => share(talkedThrough) },
    { title: 'Not read back', cell: ({ notReadBack }: SpokenResult) => share(notReadBack) },
    { title: 'So it is', cell: (result: SpokenResult) => namesFor(result).join(', ') },
  ];
  print(tableOf(new Screen(process.stdout, process.env), columns, inOrder(results)));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
