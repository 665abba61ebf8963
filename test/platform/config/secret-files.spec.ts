import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SECRET } from '../../../src/platform/config/environment';
import { withSecretFiles } from '../../../src/platform/config/secret-files';
import { describeSettings, SettingsError, settingsFrom } from '../../../src/platform/config/settings';
import { answerToArguments } from '../../../src/start/usage';

describe('secrets given as files', () => {
  let folder: string;
  let file: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'agent-osce-secrets-'));
    file = join(folder, 'secret');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const sentence = (variables: NodeJS.ProcessEnv): string => {
    try {
      settingsFrom(variables);
    } catch (error) {
      if (error instanceof SettingsError) return error.message;
      throw error;
    }
    return 'accepted';
  };

  it.each([...SECRET])('takes %s from a file, and leaves its last line end out', (name) => {
    for (const [content, value] of [
      ['a secret', 'a secret'],
      ['a secret\n', 'a secret'],
      ['a secret\r\n', 'a secret'],
      ['a\nsecret\n', 'a\nsecret'],
    ]) {
      writeFileSync(file, content ?? '');
      expect(withSecretFiles({ [`${name}_FILE`]: file }, SECRET)[name]).toBe(value);
      expect(withSecretFiles({ [name]: ' ', [`${name}_FILE`]: ` ${file} ` }, SECRET)[name]).toBe(value);
    }
  });

  it('makes settings of them, also through links as Kubernetes mounts them', () => {
    mkdirSync(join(folder, '..data'));
    writeFileSync(join(folder, '..data', 'OPENAI_API_KEY'), 'sk-from-a-file\n');
    symlinkSync(join('..data', 'OPENAI_API_KEY'), join(folder, 'OPENAI_API_KEY'));
    expect(settingsFrom({ OPENAI_API_KEY_FILE: join(folder, 'OPENAI_API_KEY') }).openaiApiKey).toBe('sk-from-a-file');
  });

  it('checks what a file holds like any other value, and does not show it', () => {
    writeFileSync(file, 'not-an-address');
    expect(sentence({ DATABASE_URL_FILE: file })).toBe(
      'DATABASE_URL must be an address such as postgresql://user:password@host:5432/database; it is something else.',
    );
  });

  it('refuses a secret that is given twice', () => {
    writeFileSync(file, 'one');
    expect(sentence({ ANTHROPIC_API_KEY: 'two', ANTHROPIC_API_KEY_FILE: file })).toBe(
      'ANTHROPIC_API_KEY and ANTHROPIC_API_KEY_FILE are both set: keep one of them.',
    );
  });

  it('says in one sentence what is the matter with a file', () => {
    const about = (path: string) => sentence({ ANTHROPIC_API_KEY_FILE: path });
    const missing = join(folder, 'missing');
    expect(about(missing)).toBe(`ANTHROPIC_API_KEY_FILE names ${missing}, which does not exist.`);
    expect(about(join(file, 'below'))).toMatch(/which cannot be read \(ENOTDIR\)\.$/);
    expect(about(folder)).toBe(`ANTHROPIC_API_KEY_FILE names ${folder}, which is not a file.`);
    for (const nothing of ['', '\n', ' \n\n']) {
      writeFileSync(file, nothing);
      expect(about(file)).toBe(`ANTHROPIC_API_KEY_FILE names ${file}, which is empty.`);
    }
    writeFileSync(file, 'x'.repeat(64 * 1024 + 1));
    expect(about(file)).toBe(`ANTHROPIC_API_KEY_FILE names ${file}, which holds more than 64 KiB.`);
    writeFileSync(file, Buffer.from([0x61, 0xff, 0xfe]));
    expect(about(file)).toBe(`ANTHROPIC_API_KEY_FILE names ${file}, which is not UTF-8 text.`);
  });

  it('does not wait for a pipe that nobody writes into', () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(sentence({ ANTHROPIC_API_KEY_FILE: pipe })).toBe(
      `ANTHROPIC_API_KEY_FILE names ${pipe}, which is not a file.`,
    );
  });

  it('does not read files for what is no secret', () => {
    expect(sentence({ LOG_LEVEL_FILE: join(folder, 'missing') })).toBe('accepted');
  });

  it('is described, setting by setting', () => {
    const named = describeSettings().flatMap(({ fileVariable }) => fileVariable ?? []);
    expect(named.sort()).toEqual([...SECRET].map((name) => `${name}_FILE`).sort());
    const help = answerToArguments(['--help']);
    for (const name of named) expect(help).toContain(name);
  });
});
