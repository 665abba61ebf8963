import { Option, type Command } from 'commander';
import { UsageFailure } from '../failure';
import { positiveInteger } from '../option-values';
import type { Environment, Host } from '../session';

const EXAMPLES = `
It calls an agent of its own, which answers after exact delays and says when it did. What is left between that and what was measured is the
error of every time that is measured here: of how fast an agent answers, and of how soon it falls silent when it is interrupted. Calibrate
on the machine that examines, with as many calls at once as runs have, and while nothing else works there.

With --media-stream the agent is called as Twilio Media Streams does, on this machine: nothing else is needed. Otherwise the calls are held
in rooms of a LiveKit server: the keys are read from LIVEKIT_API_KEY and LIVEKIT_API_SECRET, the address from --livekit or LIVEKIT_URL.

Exit codes: 0 measured; 2 not measured, and the reason is printed; 129, 130 and 143 ended by a signal.

Examples:
  $ osce speech calibrate --livekit ws://127.0.0.1:7880
  $ osce speech calibrate --media-stream --turns 80
  $ osce speech calibrate --turns 100 --rooms 4 --json`;

interface CalibrateOptions {
  readonly livekit?: string;
  readonly mediaStream?: true;
  readonly turns: number;
  readonly rooms: number;
}

/** More tell nothing new, and take an hour. */
const MOST_TURNS = 400;
const MOST_ROOMS = 40;

/** `osce speech calibrate`. @param speech the command `osce speech` */
export function addSpeechCalibrateCommand(speech: Command, host: Host): void {
  speech
    .command('calibrate')
    .summary('measure the error of this machine’s clock')
    .description('Measure how exactly this machine times spoken conversations.')
    .option('--livekit <url>', 'a LiveKit server: ws://, wss://, http:// or https:// (default: LIVEKIT_URL)')
    .option('--media-stream', 'call as Twilio Media Streams does, without a LiveKit server')
    .addOption(new Option('--turns <n>', 'turns in each call').argParser(positiveInteger).default(24))
    .addOption(
      new Option('--rooms <n>', 'rooms, or lines with --media-stream, at once').argParser(positiveInteger).default(1),
    )
    .addHelpText('after', EXAMPLES)
    .action((options: CalibrateOptions, command: Command) => {
      const { json = false } = command.optsWithGlobals<{ json?: boolean }>();
      const over = options.mediaStream ? 'lines' : 'rooms';
      const args = [over, String(options.turns), String(options.rooms), ...(json ? ['--json'] : [])];
      host.handOver(command, 'speech calibrate', (environment) => settingsFor(options, environment), args);
    });
}

function settingsFor({ livekit, mediaStream, turns, rooms }: CalibrateOptions, environment: Environment): Environment {
  if (turns > MOST_TURNS) throw new UsageFailure(`--turns: at most ${MOST_TURNS}.`);
  if (rooms > MOST_ROOMS) throw new UsageFailure(`--rooms: at most ${MOST_ROOMS}.`);
  if (mediaStream) {
    if (livekit !== undefined) throw new UsageFailure('--media-stream and --livekit exclude each other.');
    return {};
  }
  const url = livekit ?? environment['LIVEKIT_URL'] ?? '';
  if (!URL.canParse(url) || !/^(wss?|https?):$/.test(new URL(url).protocol)) {
    throw new UsageFailure('Name a LiveKit server with --livekit or LIVEKIT_URL, such as ws://127.0.0.1:7880.');
  }
  for (const name of ['LIVEKIT_API_KEY', 'LIVEKIT_API_SECRET']) {
    if ((environment[name] ?? '') === '') throw new UsageFailure(`Set ${name}: rooms are made with the server's keys.`);
  }
  return { LIVEKIT_URL: url };
}
