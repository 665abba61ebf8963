import type { Command } from 'commander';
import type { Host } from '../session';
import { addSpeechCalibrateCommand } from './speech-calibrate';
import { addSpeechCheckCommand } from './speech-check';

const EXAMPLES = `
Examples:
  $ osce speech check
  $ osce speech calibrate --livekit ws://127.0.0.1:7880`;

/** `osce speech …`: what spoken examinations need of this machine. */
export function addSpeechCommands(program: Command, host: Host): void {
  const speech = program
    .command('speech')
    .summary('what spoken examinations need of this machine')
    .description('See what spoken examinations need of this machine.')
    .addHelpText('after', EXAMPLES);
  addSpeechCheckCommand(speech, host);
  addSpeechCalibrateCommand(speech, host);
}
