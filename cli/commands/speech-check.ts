import { type Command, Option } from 'commander';
import { languageTag } from '../option-values';
import type { Host } from '../session';

const EXAMPLES = `
It uses the settings of the service in this environment (SPEECH_URL, SPEECH_MODEL, SPEECH_API_KEY, SPEECH_VOICE, TRANSCRIPTION_URL,
TRANSCRIPTION_MODEL, TRANSCRIPTION_API_KEY) and needs no service: run it where the service runs (docker exec). Without SPEECH_URL the program
espeak-ng speaks; without TRANSCRIPTION_URL nobody hears, and agents are marked by their own account.

Exit codes: 0 the control sentence was spoken, and heard where there is an ear; 2 it was not, and the reason is printed; 129, 130 and 143
ended by a signal.

Examples:
  $ osce speech check
  $ osce speech check --line phone --out sentence.wav
  $ osce speech check --language fi
  $ SPEECH_VOICE=en-us+f3 osce speech check --json`;

interface CheckOptions {
  readonly out?: string;
  readonly line: string;
  readonly language?: string;
}

/** `osce speech check`: the voice and the ear of spoken examinations on this machine. */
export function addSpeechCheckCommand(speech: Command, host: Host): void {
  speech
    .command('check')
    .summary('speak a control sentence, measure it, and have it heard')
    .description(
      'Say which voice and ear spoken examinations would use, speak a control sentence, measure it, and have it heard.',
    )
    .option('--out <file>', 'write the sentence, as it leaves the line, to this WAV file')
    .addOption(
      new Option('--line <line>', 'what lies between the patient and the agent')
        .choices(['wideband', 'phone', 'mobile_bad'])
        .default('phone'),
    )
    .option(
      '--language <tag>',
      'of the sentence and its voice; default: that of SPEECH_VOICE with espeak-ng, else English',
      languageTag,
    )
    .addHelpText('after', EXAMPLES)
    .action(({ out, line, language }: CheckOptions, command: Command) => {
      const { json = false } = command.optsWithGlobals<{ json?: boolean }>();
      const args = [
        ...['check', '--line', line],
        ...(language === undefined ? [] : ['--language', language]),
        ...(out === undefined ? [] : ['--out', out]),
        ...(json ? ['--json'] : []),
      ];
      host.handOver(command, 'speech check', () => ({}), args);
    });
}
