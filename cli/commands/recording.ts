import { InvalidArgumentError, Option, type Command } from 'commander';
import { downloadRecording, type Take } from '../connection/download';
import { saveFile } from '../output/save-file';
import type { Screen } from '../output/terminal';
import type { Host, Session } from '../session';

const TRACKS = ['both', 'patient', 'agent'] as const;

interface RecordingOptions {
  readonly out: string;
  readonly track: (typeof TRACKS)[number];
  readonly from?: number;
  readonly to?: number;
}

const EXAMPLES = `
The file has the patient on the left and the agent on the right, 16,000 samples a second. osce runs show RUN --json names the scenario runs of a run.

Examples:
  $ osce recording 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34 -o call.wav
  $ osce recording 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34 -o reply.wav --track agent --from 41 --to 44.5`;

/** `osce recording`: what was said and heard in a spoken conversation, as a file. */
export function addRecordingCommand(program: Command, host: Host): void {
  program
    .command('recording <scenario-run>')
    .summary('save the sound of a spoken conversation')
    .description('Save the sound of a spoken conversation as a WAV file.')
    .requiredOption('-o, --out <file>', 'where to write it')
    .addOption(
      new Option('--track <track>', 'both sides in stereo, or one of them').choices([...TRACKS]).default('both'),
    )
    .option('--from <seconds>', 'where the part begins, since the call began', seconds)
    .option('--to <seconds>', 'where it ends', seconds)
    .addHelpText('after', EXAMPLES)
    .action((scenarioRun: string, options: RecordingOptions, command: Command) =>
      host.run(command, (session) => saveRecording(session, scenarioRun, options)),
    );
}

async function saveRecording(
  { api, output }: Session,
  scenarioRun: string,
  { out: path, track, from, to }: RecordingOptions,
): Promise<void> {
  const query = { track, from: millisecondsOf(from), to: millisecondsOf(to) };
  const take: Take = (chunks, bytes) => saveFile(path, withProgress(chunks, bytes, output.err));
  await downloadRecording(api.http, scenarioRun, query, take);
  if (output.isJson) output.answer({ scenario_run_id: scenarioRun, track, file: path }, () => undefined);
  else output.remark(`Written: ${path}`);
}

const MEGABYTE = 1_000_000;
/** Shorter files are there before a bar could be read. */
const SHOWN_FROM = 5 * MEGABYTE;
const SHOWN_EVERY_MS = 200;

/** The same chunks; a terminal sees how many of them have come. */
async function* withProgress(
  chunks: AsyncIterable<Uint8Array>,
  bytes: number | null,
  screen: Screen,
): AsyncGenerator<Uint8Array> {
  const isShown = screen.isTerminal && (bytes ?? 0) >= SHOWN_FROM;
  let [read, shownAt] = [0, -SHOWN_EVERY_MS];
  try {
    for await (const chunk of chunks) {
      read += chunk.length;
      const now = performance.now();
      if (isShown && now - shownAt >= SHOWN_EVERY_MS) {
        shownAt = now;
        screen.write(`\r${(read / MEGABYTE).toFixed(1)} of ${((bytes ?? 0) / MEGABYTE).toFixed(1)} MB`);
      }
      yield chunk;
    }
  } finally {
    if (isShown) screen.write('\r\u001b[K');
  }
}

function millisecondsOf(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value * 1_000);
}

function seconds(given: string): number {
  if (/^\d{1,6}(?:\.\d{1,3})?$/.test(given)) return Number(given);
  throw new InvalidArgumentError('seconds since the call began, such as 41 or 44.5, are expected.');
}
