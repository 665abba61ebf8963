import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultOfVoice, readEspeakVoices } from '../../src/engine/speech/espeak-voices';
import { EspeakVoice } from '../../src/engine/speech/espeak.voice';
import { describeWithProgram } from '../setup/describe-with-program';

const never = new AbortController().signal;

const VOICES = `Pty Language       Age/Gender VoiceName          File                 Other Languages
 2  en-gb           --/M      English_(Great_Britain) gmw/en               (en 2)
 3  en-uk           --/M      english-mb-en1     mb/mb-en1            (en-gb 3)(en 2)
 2  en-us           --/M      English_(America)  gmw/en-US            (en 3)
`;
const VARIANTS = `Pty Language       Age/Gender VoiceName          File                 Other Languages
 5  variant         --/F      female3            !v/f3                
 5  variant         --/M      Mr_Serious         !v/Mr serious        
`;

describe('the voices that are listed', () => {
  const listed = readEspeakVoices(VOICES, VARIANTS);

  it('are languages and files, without those that need data of their own', () => {
    expect([...listed.voices].toSorted()).toEqual(['en', 'en-gb', 'en-us']);
    expect([...listed.variants]).toEqual(['f3', 'Mr serious']);
  });

  it.each([
    ['en-us', null],
    ['EN-US+f3', null],
    [
      'en-uk',
      'espeak-ng has no voice "en-uk" (did you mean en-us?): set SPEECH_VOICE to one that `espeak-ng --voices` lists.',
    ],
    [
      'en-us+f4',
      /^espeak-ng has no variant "f4" \(did you mean f3\?\), and would speak with the plain voice: set SPEECH_VOICE/,
    ],
    ['en-us+F3', /no variant "F3"/],
    ['en+f3+f3', /^SPEECH_VOICE is "en\+f3\+f3", which is no voice of espeak-ng/],
    ['-h', /no voice "-h"/],
    ['en; rm', /which is no voice of espeak-ng/],
  ])('%s', (voice, fault) => {
    const found = faultOfVoice(voice, listed);
    if (fault instanceof RegExp) expect(found).toMatch(fault);
    else expect(found).toBe(fault);
  });
});

describe('a program that is not what it should be', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'espeak-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Speaks as the lines say. */
  async function openWith(lines: string, deadlineMs = 60_000): Promise<EspeakVoice> {
    const program = join(folder, `espeak-${Math.random().toString(36).slice(2)}`);
    const listing = `case "$*" in
      --version) echo 'eSpeak NG text-to-speech: 1.52-dev  Data at: /x'; exit;;
      --voices) cat <<'END'\n${VOICES}END\n exit;;
      --voices=variant) cat <<'END'\n${VARIANTS}END\n exit;;
    esac`;
    await writeFile(program, `#!/bin/sh\n${listing}\n${lines}\n`);
    await chmod(program, 0o755);
    return EspeakVoice.open({ voice: 'en-us', rate: 1, program, deadlineMs }, never);
  }

  it('is missing: the sentence says how to install it', async () => {
    const opening = EspeakVoice.open({ voice: 'en', rate: 1, program: 'espeak-ng-that-is-not-there' }, never);
    await expect(opening).rejects.toMatchObject({
      kind: 'engine_missing',
      message:
        "espeak-ng-that-is-not-there is not installed, and it is the patient's voice when SPEECH_URL is not set: install it " +
        '(apt-get install espeak-ng on Debian and Ubuntu, brew install espeak-ng on macOS), or set SPEECH_URL to a speech server.',
    });
  });

  it('is another program', async () => {
    const opening = EspeakVoice.open({ voice: 'en', rate: 1, program: 'true' }, never);
    await expect(opening).rejects.toMatchObject({
      kind: 'engine_missing',
      message: /^The program true is not espeak-ng/,
    });
  });

  it.each([
    ['exit 3', /^espeak-ng made no sound \(exit code 3\)$/],
    ['echo "Error: no data" >&2', /^espeak-ng made no sound \(exit code 0\): Error: no data$/],
    ['echo hello there, listener', /^espeak-ng: The audio is no WAV file: 22 bytes that look like text/],
    ['yes', /^espeak-ng made more than 120 s of sound for one sentence/],
  ])('fails in its own way: %s', async (lines, sentence) => {
    const voice = await openWith(lines);
    await expect(voice.synthesize('Hello.', never)).rejects.toMatchObject({ kind: 'engine_failed', message: sentence });
    expect(voice.identity.version).toBe('1.52-dev');
  });

  it('is killed when the time is up, and when the caller leaves or the voice is closed', async () => {
    const slow = await openWith('exec sleep 3600', 1_000);
    await expect(slow.synthesize('Hello.', never)).rejects.toMatchObject({ kind: 'timed_out', message: /within 1 s/ });
    const voice = await openWith('exec sleep 3600');
    const leaving = new AbortController();
    const left = voice.synthesize('Hello.', leaving.signal);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ kind: 'canceled' });
    const closed = voice.synthesize('Hello.', never);
    await voice.close();
    await expect(closed).rejects.toMatchObject({ kind: 'canceled' });
    await expect(voice.synthesize('Hello.', never)).rejects.toMatchObject({ kind: 'canceled' });
  });
});

describeWithProgram('espeak-ng', 'espeak-ng itself', () => {
  const open = (voice: string, rate = 1) => EspeakVoice.open({ voice, rate }, never);

  it('says the same sentence with the same samples, and a slower voice takes longer', async () => {
    const [one, other] = [await open('en-us+f3'), await open('en-us+f3', 0.5)];
    const [first, again] = [await one.synthesize('I feel dizzy.', never), await one.synthesize('I feel dizzy.', never)];
    expect(first.rate).toBe(22_050);
    expect(again).toEqual(first);
    const slow = await other.synthesize('I feel dizzy.', never);
    expect(slow.samples.length).toBeGreaterThan(first.samples.length * 1.4);
    expect(one.identity).toMatchObject({ engine: 'espeak-ng', voice: 'en-us+f3', rate: 1 });
  });

  it('never takes a text for an option or for phonemes', async () => {
    const voice = await open('en');
    const plain = await voice.synthesize('there', never);
    for (const text of ['-h there', '--version there', "[[h@'loU]] there"]) {
      expect((await voice.synthesize(text, never)).samples.length).toBeGreaterThan(plain.samples.length);
    }
  });

  it('refuses voices that would be plain ones', async () => {
    await expect(open('en-gb+f3')).rejects.toMatchObject({
      kind: 'voice_unknown',
      message:
        'espeak-ng speaks en-gb+f3 with the plain voice en-gb: set SPEECH_VOICE to en-gb, or to another voice with that variant, such as en+f3 or en-us+f3.',
    });
    await expect(open('en+nonsense')).rejects.toMatchObject({
      kind: 'voice_unknown',
      message: /no variant "nonsense"/,
    });
    for (const voice of ['en+f3', 'en-us+f3', 'en-gb-scotland+f2', 'en-029+f3', 'en-gb']) await open(voice);
  });
});
