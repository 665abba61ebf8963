import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { LINES, type Line } from '../domain';
import { writeWav } from '../engine/audio';
import {
  controlClip,
  mainPartOf,
  openEar,
  openVoice,
  PatientVoice,
  SpeechError,
  usualVoicesFor,
  type ControlClip,
  type Ear,
} from '../engine/speech';
import { readSettingsOfCommand, SettingsError, type Settings } from '../platform/config';
import { Egress } from '../platform/egress';

const FAILED = 2;
/** What shells say of a process that a signal ended: 128 and its number. */
const ENDED_BY = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
/** Of the losses of a line, the same each time. */
const SEED = 1;

const stopping = new AbortController();
let stoppedBy: number | null = null;

/** The file that was asked for cannot be written. */
class FileFailure extends Error {
  override readonly name = 'FileFailure';
}

interface Check {
  readonly clip: ControlClip;
  /** Whether the voice said the sentence with the same samples a second time. */
  readonly isRepeatable: boolean;
}

/** `check`, as `osce speech check` starts it. */
async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: args.slice(1),
    options: {
      line: { type: 'string', default: 'phone' },
      language: { type: 'string' },
      out: { type: 'string' },
      json: { type: 'boolean' },
    },
  });
  const line = LINES.find((known) => known === values.line) ?? 'phone';
  const settings = readSettingsOfCommand();
  const egress = new Egress(settings.egress);
  const language = values.language ?? languageOf(settings);
  const ear = openEar(settings.speech, egress, language);
  const open = (): Promise<PatientVoice> => openVoiceFor(language, settings, egress);
  const voice = await open();
  try {
    // Said before anything is measured, so that a voice that fails is known.
    if (values.json !== true) process.stdout.write(`${describe(voice, ear, settings).join('\n')}\n`);
    const check = await checked({ voice, line, ear, language }, open);
    const file = values.out === undefined ? null : resolve(values.out);
    if (file !== null) await write(file, check.clip);
    if (values.json === true) process.stdout.write(`${JSON.stringify(asJson(voice, ear, line, check, file))}\n`);
    else process.stdout.write(`${told(line, language, check, file).join('\n')}\n`);
  } finally {
    await Promise.all([voice.close(), ear?.close()]);
  }
}

/** That of a voice of espeak-ng; a server's voices speak many. */
function languageOf({ speech: { speech, voice } }: Settings): string {
  return speech !== null || voice === null ? 'en' : mainPartOf(voice);
}

/** As a run of patients who speak a language would. @throws SpeechError */
async function openVoiceFor(language: string, { speech }: Settings, egress: Egress): Promise<PatientVoice> {
  let fault: SpeechError | null = null;
  const voices = usualVoicesFor(language, speech);
  for (const voice of voices) {
    try {
      return new PatientVoice(await openVoice(speech, egress, { voice }, stopping.signal), { language });
    } catch (error) {
      if (!(error instanceof SpeechError) || error.kind !== 'voice_unknown') throw error;
      fault = error;
    }
  }
  // A voice that is set has a sentence of its own.
  if (fault !== null && voices.every((voice) => voice === null || voice === speech.voice)) throw fault;
  throw new SpeechError(
    'voice_unknown',
    `espeak-ng has no voice for ${language}: name another --language, or set SPEECH_URL to a speech server.`,
  );
}

type Checked = Pick<Parameters<typeof controlClip>[0], 'voice' | 'line' | 'ear' | 'language'>;

/** @param open another voice, which has nothing kept of the first */
async function checked(asked: Checked, open: () => Promise<PatientVoice>): Promise<Check> {
  const { signal } = stopping;
  const clip = await controlClip({ ...asked, seed: SEED }, signal);
  const first = await asked.voice.say(clip.sentence, signal);
  const again = await open();
  try {
    const second = await again.say(clip.sentence, signal);
    const isRepeatable = Buffer.from(first.sound.samples.buffer).equals(Buffer.from(second.sound.samples.buffer));
    return { clip, isRepeatable };
  } finally {
    await again.close();
  }
}

function describe(voice: PatientVoice, ear: Ear | null, { speech }: Settings): string[] {
  const { engine, version, voice: name } = voice.identity;
  const isProgram = speech.speech === null;
  return [
    `Voice: ${name}, ${isProgram ? `${engine} ${version}` : `model ${version} at ${engine}`}.`,
    ...(isProgram
      ? ['  What recognisers make of espeak-ng is no evidence of how they hear people; times are evidence.']
      : []),
    ear === null
      ? 'Ear: none, so that agents are marked by their own account, checked against their sound. TRANSCRIPTION_URL sets one.'
      : `Ear: model ${ear.identity.model} at ${ear.identity.engine}.`,
  ];
}

function told(line: Line, language: string, { clip, isRepeatable }: Check, file: string | null): string[] {
  const { sentence, durationMs, voicedMs, levelDbfs, clippedShare, heard } = clip;
  const seconds = (ms: number) => (ms / 1_000).toFixed(2);
  return [
    `Sentence: ${sentence}`,
    `Measured after the line ${line}: ${seconds(durationMs)} s, of them ${seconds(voicedMs)} s speech, at ${levelDbfs.toFixed(1)} dBFS, ${(clippedShare * 100).toFixed(2)} % clipped.`,
    isRepeatable
      ? 'The voice said it twice with the same samples.'
      : 'The voice said it twice with different samples: runs with one seed differ in what the patient sounds like.',
    ...(heard === null ? [] : [`Heard: ${JSON.stringify(heard.text)}${wrongWords(heard.wordErrorRate, language)}`]),
    ...(file === null ? [] : [`Wrote ${file}.`]),
  ];
}

function wrongWords(share: number | null, language: string): string {
  return share === null
    ? `. There is no control sentence in ${language}: which words are right is not known.`
    : `, ${Math.round(share * 100)} % of the words wrong.`;
}

function asJson(voice: PatientVoice, ear: Ear | null, line: Line, check: Check, file: string | null): object {
  const { clip, isRepeatable } = check;
  return {
    voice: voice.identity,
    ear: ear?.identity ?? null,
    line,
    sentence: clip.sentence,
    words: clip.words,
    duration_ms: clip.durationMs,
    voiced_ms: clip.voicedMs,
    level_dbfs: clip.levelDbfs,
    clipped_share: clip.clippedShare,
    repeatable: isRepeatable,
    heard: clip.heard === null ? null : { text: clip.heard.text, word_error_rate: clip.heard.wordErrorRate },
    file,
  };
}

async function write(file: string, { sound }: ControlClip): Promise<void> {
  try {
    await writeFile(file, writeWav({ rate: sound.rate, channels: [sound.samples] }));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new FileFailure(
      `${file} cannot be written${code}: name a file in a folder that exists and that you may write to.`,
      { cause: error },
    );
  }
}

function sentenceOf(error: unknown): string {
  const isForeseen = error instanceof SpeechError || error instanceof SettingsError || error instanceof FileFailure;
  if (isForeseen) return error.message;
  return `The check failed, which is a defect: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

for (const [signal, code] of Object.entries(ENDED_BY)) {
  process.on(signal, () => {
    // A second one does not wait for what the first one has ended.
    if (stoppedBy !== null) process.exit(code);
    stoppedBy = code;
    stopping.abort();
  });
}

const args = process.argv.slice(2);
main(args).then(
  () => process.exit(0),
  (error: unknown) => {
    const message = stoppedBy === null ? sentenceOf(error) : 'Interrupted.';
    if (args.includes('--json') && stoppedBy === null) process.stdout.write(`${JSON.stringify({ error: message })}\n`);
    process.stderr.write(`${message}\n`);
    process.exit(stoppedBy ?? FAILED);
  },
);
