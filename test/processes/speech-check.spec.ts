import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { comparableWords, readWav } from '../../src/engine/audio';
import { controlTextOf } from '../../src/engine/speech';
import type { HttpStub } from '../fakes/http-stub';
import { startSpeechServer } from '../fakes/speech-server';
import { describeWithProgram } from '../setup/describe-with-program';
import { OsceCommand } from '../setup/osce-command';

let folder: string;
let server: HttpStub;
const CONTROL_SENTENCE = controlTextOf('en').sentence;
let heard = CONTROL_SENTENCE;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-osce-speech-'));
  server = await startSpeechServer(() => heard);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const check = (args: readonly string[], environment: Record<string, string> = {}) =>
  OsceCommand.start(['speech', 'check', ...args], { environment }).ends();
const servers = () => ({
  SPEECH_URL: `${server.origin}/v1`,
  SPEECH_MODEL: 'kokoro',
  SPEECH_API_KEY: 'sk-of-the-voice',
  TRANSCRIPTION_URL: `${server.origin}/v1`,
  TRANSCRIPTION_MODEL: 'whisper-1',
});

describeWithProgram('espeak-ng', 'without a setting', () => {
  it('espeak-ng speaks, and the sentence is in a file as it left the line', async () => {
    const file = join(folder, 'sentence.wav');
    const { code, stdout, stderr } = await check(['--out', file]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Voice: en-us, espeak-ng \d\.\d+.*\.$/m);
    expect(stdout).toMatch(/^Ear: none, so that agents are marked by their own account/m);
    expect(stdout).toMatch(
      /^Measured after the line phone: \d\.\d\d s, of them \d\.\d\d s speech, at -\d\d\.\d dBFS, 0\.00 % clipped\.$/m,
    );
    expect(stdout).toContain('The voice said it twice with the same samples.');
    expect(stdout).toContain(`Wrote ${file}.`);
    const { rate, channels } = readWav(await readFile(file), 60);
    expect([rate, channels.length]).toEqual([48_000, 1]);
  });

  it('says the same in JSON each time', async () => {
    const [one, other] = await Promise.all([
      check(['--json', '--line', 'wideband']),
      check(['--json', '--line', 'wideband']),
    ]);
    expect(one).toEqual(other);
    expect(JSON.parse(one.stdout)).toMatchObject({
      voice: { engine: 'espeak-ng', voice: 'en-us', rate: 1 },
      ear: null,
      line: 'wideband',
      repeatable: true,
      heard: null,
    });
  });

  it.each([
    ['--language', ['--language', 'de-DE'], {}, 'de', controlTextOf('de').sentence],
    [
      '--language, whatever SPEECH_VOICE speaks',
      ['--language', 'fi'],
      { SPEECH_VOICE: 'de' },
      'fi',
      controlTextOf('fi').sentence,
    ],
    ['SPEECH_VOICE', [], { SPEECH_VOICE: 'fr-be' }, 'fr-be', controlTextOf('fr').sentence],
    ['--language, in one without a control sentence', ['--language', 'la'], {}, 'la', '1, 2, 3, 4, 5, 6, 7, 8, 9, 10.'],
  ])('the sentence is in the language of %s', async (_, args, environment, voice, sentence) => {
    const { code, stdout, stderr } = await check(['--json', ...args], environment);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ voice: { voice }, sentence });
  });

  it('a language that no voice speaks is refused with a sentence', async () => {
    expect(await check(['--language', 'xx'])).toMatchObject({
      code: 2,
      stderr: 'espeak-ng has no voice for xx: name another --language, or set SPEECH_URL to a speech server.\n',
    });
  });

  it('refuses a voice that espeak-ng would replace', async () => {
    expect(await check(['--json'], { SPEECH_VOICE: 'en-us+nonsense' })).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/^\{"error":"espeak-ng has no variant \\"nonsense\\", and would speak/),
    });
  });
});

it('without espeak-ng it says how to install it', async () => {
  expect(await check([], { PATH: folder })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^espeak-ng is not installed, .*apt-get install espeak-ng on Debian/),
  });
  expect(dirname(process.execPath)).not.toBe(folder);
});

it('with servers it says which, and what was heard', async () => {
  heard = CONTROL_SENTENCE.replace('two hours', 'ten hours');
  const { code, stdout, stderr } = await check([], servers());
  expect([code, stderr]).toEqual([0, '']);
  const host = server.origin.replace('http://', '');
  expect(stdout).toContain(`Voice: alloy, model kokoro at ${host}.`);
  expect(stdout).toContain(`Ear: model whisper-1 at ${host}.`);
  const share = Math.round(100 / comparableWords(CONTROL_SENTENCE).length);
  expect(stdout).toContain(`Heard: ${JSON.stringify(heard)}, ${share} % of the words wrong.`);
  expect(stdout + stderr).not.toContain('sk-of-the-voice');
});

it('it is heard in that language, and where there is no sentence in it the words are not compared', async () => {
  heard = controlTextOf('tr').sentence;
  const turkish = await check(['--language', 'tr'], servers());
  expect([turkish.code, turkish.stderr]).toEqual([0, '']);
  expect(turkish.stdout).toContain(`Heard: ${JSON.stringify(heard)}, 0 % of the words wrong.`);
  const sent = server.requests.filter(({ path }) => path.endsWith('/audio/transcriptions')).at(-1);
  expect(sent?.body).toMatch(/name="language"\s+tr\s/);
  heard = 'unus duo tres';
  const latin = await check(['--language', 'la', '--json'], servers());
  expect(JSON.parse(latin.stdout)).toMatchObject({ heard: { text: heard, word_error_rate: null } });
  const told = await check(['--language', 'la'], servers());
  expect(told.stdout).toContain(
    'Heard: "unus duo tres". There is no control sentence in la: which words are right is not known.',
  );
});

it('what is no language is refused', async () => {
  expect(await check(['--language', 'a language'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('must be a language tag (BCP 47) such as en, de or pt-BR'),
  });
});

it('a deaf ear ends it with a sentence', async () => {
  heard = '';
  const { code, stderr } = await check([], servers());
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^The control sentence was not heard by whisper-1 .*: check TRANSCRIPTION_URL and TRANSCRIPTION_MODEL\.$/m,
  );
});

it('a signal ends it', async () => {
  server.next(() => undefined);
  const command = OsceCommand.start(['speech', 'check'], { environment: servers() });
  await server.until(() => server.inFlight === 1);
  command.child.kill('SIGINT');
  expect(await command.ends()).toMatchObject({ code: 130, stderr: 'Interrupted.\n' });
});
