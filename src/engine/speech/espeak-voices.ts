import { editDistance } from '../../domain';

/** The voices and variants that an installed espeak-ng lists. */
export interface EspeakVoices {
  /** What stands before `+`: languages and the files of voices, in lower case. */
  readonly voices: ReadonlySet<string>;
  /** What stands behind `+`, as it is written. */
  readonly variants: ReadonlySet<string>;
}

/** A row of `--voices`: priority, language, age and gender, name, file, other languages. */
const ROW = /^\s*\d+\s+(\S+)\s+\S+\s+(\S+)\s+(\S+(?: \S+)*?)\s*((?:\([\w-]+ \d+\))*)\s*$/;
const MOST_ROWS = 5_000;

/**
 * @param voices what `espeak-ng --voices` prints
 * @param variants what `espeak-ng --voices=variant` prints
 */
export function readEspeakVoices(voices: string, variants: string): EspeakVoices {
  const languages = rowsOf(voices).flatMap(([, language = '', , file = '', others = '']) => {
    const other = [...others.matchAll(/\(([\w-]+) \d+\)/g)].map(([, name = '']) => name);
    // Voices in mb/ need data that is installed by itself.
    return file.startsWith('mb/') ? [] : [language, file.split('/').at(-1) ?? '', ...other];
  });
  const files = rowsOf(variants).map(([, , , file = '']) => file.replace(/^!v\//, ''));
  return {
    voices: new Set(languages.filter((name) => name !== '').map((name) => name.toLowerCase())),
    variants: new Set(files.filter((name) => name !== '')),
  };
}

/**
 * What is wrong with a voice such as `en-us+f3`, as a sentence; null where it is listed.
 * espeak-ng itself is silent about a variant that it does not have, and speaks with the plain voice.
 */
export function faultOfVoice(
  wanted: string,
  { voices, variants }: EspeakVoices,
  namedBy = 'SPEECH_VOICE',
): string | null {
  const [voice = '', variant, ...more] = wanted.split('+');
  if (more.length > 0 || !/^[\w-]+(?:\+[\w-]+)?$/.test(wanted)) {
    return `${namedBy} is ${shown(wanted)}, which is no voice of espeak-ng: write a voice and perhaps a variant, such as en-us+f3.`;
  }
  if (!voices.has(voice.toLowerCase())) {
    return `espeak-ng has no voice ${shown(voice)}${nearest(voice, voices)}: set ${namedBy} to one that \`espeak-ng --voices\` lists.`;
  }
  if (variant !== undefined && !variants.has(variant)) {
    return `espeak-ng has no variant ${shown(variant)}${nearest(variant, variants)}, and would speak with the plain voice: set ${namedBy} to ${voice}+ and a name that \`espeak-ng --voices=variant\` lists behind !v/.`;
  }
  return null;
}

function rowsOf(listed: string): RegExpExecArray[] {
  return listed
    .split('\n', MOST_ROWS)
    .map((line) => ROW.exec(line))
    .filter((row) => row !== null);
}

const shown = (name: string) => JSON.stringify(name.slice(0, 60));

function nearest(name: string, known: ReadonlySet<string>): string {
  if (name.length > 30) return '';
  const near = [...known].find((other) => editDistance(name.toLowerCase(), other.toLowerCase()) === 1);
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}
