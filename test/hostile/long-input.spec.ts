import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentFromCurl } from '../../src/agents/curl/agent-from-curl';
import { CurlLineError } from '../../src/agents/curl/curl-line-error';
import { curlRequest } from '../../src/agents/curl/curl-request';
import { replyPlaceIn, sessionPlaceIn } from '../../src/domain/reply-place';
import { readText } from '../../cli/read-input';
import { shellWords } from '../../src/agents/curl/shell-words';
import { UsageFailure } from '../../cli/failure';
import { readEntries } from '../../cli/import/read-entries';
import { nearestName } from '../../cli/settings/nearest-name';
import { readSettings } from '../../cli/settings/settings';
import { someOf } from '../setup/sample';

/** A megabyte of one character each: letters, what the readers' grammars are made of, and what a terminal would interpret. */
const CHARACTERS = [
  ...`a0 \n\r\t"'\`\\$#&*!|>%@:,-?.=/{}[]()<>`,
  '\u0000',
  '\u001b',
  '\u007f',
  '\u0085',
  '\u202e',
  '\ufeff',
  'é',
  '😀',
];
const MEGABYTE = 1024 * 1024;
const long = (character: string): string => character.repeat(MEGABYTE / Buffer.byteLength(character));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-osce-long-input-'));
  await mkdir(join(folder, '.git'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The sentence of a refusal, bounded and without what a terminal would interpret; null when it was read. */
async function refusalOf(work: () => unknown): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    expect(error instanceof UsageFailure || error instanceof CurlLineError).toBe(true);
    const message = error instanceof Error ? error.message : '';
    expect(message.length).toBeLessThan(1_000);
    return message;
  }
}

describe.each(someOf(CHARACTERS, 4, 'long input').map((character) => [JSON.stringify(character), character]))(
  'a megabyte of %s',
  (_, character) => {
    const text = long(character);

    it('is too long for .osce.yaml, and 60 KB of it are read or refused', async () => {
      const path = join(folder, '.osce.yaml');
      for (const size of [60_000, MEGABYTE]) {
        for (const before of ['', 'agent: ', 'agent: "', 'tags: [', '? ']) {
          await writeFile(path, before + character.repeat(size / Buffer.byteLength(character)));
          const refusal = await refusalOf(() => readSettings({}, {}, folder));
          if (size === MEGABYTE) expect(refusal).toContain('larger than 64 KiB');
        }
      }
      await rm(path);
    });

    it('is too long for .env, and 200 KB of it are read', async () => {
      const path = join(folder, '.env');
      for (const before of ['', 'OSCE_URL=', 'OSCE_AGENT="']) {
        await writeFile(path, before + text);
        expect(await refusalOf(() => readSettings({}, {}, folder))).toContain('.env is larger than 256 KiB');
        await writeFile(path, before + text.slice(0, 60_000));
        await refusalOf(() => readSettings({}, {}, folder));
      }
      await rm(path);
    });

    it('is read as a curl line, or refused', async () => {
      const lines = [
        text,
        `curl ${text}`,
        `curl http://a.example -d '${text}'`,
        `curl http://a.example --json "{\"message\":\"${text}`,
      ];
      for (const line of [...lines, `curl http://a.example -H 'x: ${text}' -d 'message=Hello'`]) {
        await refusalOf(async () =>
          agentFromCurl(await curlRequest(shellWords(line, {}).words, readText), {
            replacesSession: true,
            message: 'Hello',
          }),
        );
      }
      const answers = [{ reply: text, [text]: 'Hello.', id: text }];
      replyPlaceIn(answers, text);
      sessionPlaceIn(answers);
      nearestName(text, ['url', 'agent']);
    });

    it('is a line that cannot be imported', async () => {
      const path = join(folder, 'scenarios.jsonl');
      for (const line of [text, JSON.stringify({ name: text }), JSON.stringify({ [text]: 1 })]) {
        await writeFile(path, line);
        const { entries, problems } = await readEntries([path], 'auto', { category: null, tags: [] });
        expect(entries).toEqual([]);
        for (const { problem } of problems) expect(problem.length).toBeLessThan(5_000);
      }
      await rm(path);
    });
  },
);
