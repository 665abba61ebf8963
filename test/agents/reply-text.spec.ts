import { AgentHungUp } from '../../src/agents/errors';
import {
  endingReply,
  isReadable,
  MAX_REPLY_BYTES,
  nothingSaid,
  replyText,
  requireNoPage,
} from '../../src/agents/reply-text';
import { Secrets } from '../../src/agents/secrets/secrets';

const secrets = Secrets.of({ api_key: 'sk-canary-0123456789' });

it.each([
  ['a', true],
  [' . ', true],
  ['😀', true],
  ['', false],
  [' \n\t\u00a0', false],
  ['\u0000\u200b\u00ad', false],
])('%j holds something to read: %s', (text, is) => {
  expect(isReadable(text)).toBe(is);
});

describe('The text of a reply', () => {
  it('is what was said, fit to be stored', () => {
    expect(replyText(' Rest.\n')).toBe(' Rest.\n');
    expect(replyText('a\0b\ud800c\0')).toBe('a\ufffdb\ufffdc\ufffd');
  });

  it('is none where nothing can be read, which is said with its likely reason', () => {
    const empty = { code: 'empty_reply', disposition: { kind: 'terminal' } };
    expect(() => replyText(' \u200b')).toThrow(
      expect.objectContaining({ ...empty, message: "The agent's reply holds no text." }),
    );
    expect(() => replyText('', 'It called a tool.')).toThrow("The agent's reply holds no text. It called a tool.");
  });

  it('is as long as a megabyte in bytes, and no longer', () => {
    expect(replyText('a'.repeat(MAX_REPLY_BYTES))).toHaveLength(MAX_REPLY_BYTES);
    expect(replyText('é'.repeat(MAX_REPLY_BYTES / 2))).toHaveLength(MAX_REPLY_BYTES / 2);
    for (const text of ['a'.repeat(MAX_REPLY_BYTES + 1), `${'é'.repeat(MAX_REPLY_BYTES / 2)}a`]) {
      expect(() => replyText(text)).toThrow(`The agent's reply is longer than ${MAX_REPLY_BYTES} bytes.`);
    }
  });
});

it('Why nothing was said is told by the tools that were called, the first three by name', () => {
  const said = (...tools: string[]) => nothingSaid(tools, 'Otherwise.');
  expect(said()).toBe('Otherwise.');
  expect(said('find')).toMatch(/^It called find, and the service answers no tool calls: have the agent's server run/);
  expect(said('a', 'b', 'c')).toMatch(/^It called a, b, c, and the service/);
  expect(said('a', 'b', 'c', 'd', 'e')).toMatch(/^It called a, b, c and 2 more, and the service/);
  expect(said(`x\n${'y'.repeat(100)}`)).toMatch(/^It called x y{58}, and/);
});

describe('A reply', () => {
  it('ends the conversation where one of the tools that do so was called', () => {
    expect(endingReply({ text: 'Bye.', tools: ['find', 'end'] }, ['hang_up', 'end'])).toEqual({
      endsConversation: true,
    });
    expect(endingReply({ text: 'Rest.', tools: ['find'] }, ['end'])).toEqual({});
    expect(endingReply({ text: '', tools: [] }, ['end'])).toEqual({});
  });

  it('that ends it without a word is a hang-up, with what the agent did', () => {
    const acts = { calls: [], areCallsCut: false, context: [], isContextCut: false };
    const hungUp = (): unknown => endingReply({ text: ' ', tools: ['end'], acts }, ['end']);
    expect(hungUp).toThrow(AgentHungUp);
    expect(hungUp).toThrow(expect.objectContaining({ isUnanswered: true, acts }));
    expect(() => endingReply({ text: '', tools: ['end'] }, ['end'])).toThrow(expect.objectContaining({ acts: null }));
  });

  it('is no web page, and a login under no circumstances', () => {
    const [page, login] = ['<!doctype html><p>x</p>', '<!doctype html><input type="password">'];
    const refused = (text: string, format: 'text' | 'html') => () => requireNoPage(text, format, secrets);
    expect(refused(page, 'text')).toThrow(/^The agent's answer holds a web page, .* set reply_format to html\./);
    expect(refused(page, 'html')).not.toThrow();
    expect(refused(login, 'text')).toThrow(expect.objectContaining({ code: 'auth_failed' }));
    expect(refused(login, 'html')).toThrow(expect.objectContaining({ code: 'auth_failed' }));
    expect(refused('Put <html> first.', 'text')).not.toThrow();
  });
});
