import type { Command } from 'commander';
import type { Host } from '../session';
import { addSpeechCalibrateCommand } from './speech-calibrate';
import { addSpeechCheckCommand } from './speech-check';

/** `osce speech …`: what spoken examinations need of this machine. */
export function addSpeechCommands(program: Command, host: Host): void {
  const speech = program
    .command('speech')
    .summary('what spoken examinations need of this machine')
    .description('See what spoken examinations need of this machine.');
  addSpeechCheckCommand(speech, host);
  addSpeechCalibrateCommand(speech, host);
}
