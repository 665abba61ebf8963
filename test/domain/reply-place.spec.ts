import { answersIn, isWholeStream, replyPlaceIn, sessionPlaceIn } from '../../src/domain/reply-place';

const SAID = 'Please call an ambulance now.';
const pathIn = (answer: unknown, sent = 'Hello there') => replyPlaceIn([answer], sent)?.path ?? null;
/** A text so many arrays and objects below an answer. */
const nested = (levels: number): unknown => (levels === 0 ? SAID : { reply: nested(levels - 1) });

describe('the place of the reply in an answer', () => {
  it.each<[string, unknown, string | null]>([
    ['is the answer itself', SAID, '@'],
    ['is a likely name', { reply: SAID }, 'reply'],
    ['may be one word under a likely name', { reply: 'Yes.' }, 'reply'],
    ['is not one word under a name that may hold anything', { result: 'ok' }, null],
    ['is not one word under another name', { mood: 'calm' }, null],
    ['is a sentence under any name', { mood: SAID }, 'mood'],
    ['is a sentence, however its words are set', { mood: 'Please\n\nrest' }, 'mood'],
    ['is rather the likelier name', { text: SAID, reply: SAID }, 'reply'],
    ['is rather a sentence than a likely name', { reply: 'ok', mood_words: SAID }, 'reply'],
    ['is rather below a likely name than elsewhere', { other: { said: SAID }, data: { said: SAID } }, 'data.said'],
    ['is rather below a likely name at any depth', { a: { b: { said: SAID }, data: { said: SAID } } }, 'a.data.said'],
    ['is no status, whatever it says', { status: SAID, id: SAID, errorCode: SAID, finishReason: SAID }, null],
    ['is no status in any spelling', { 'finish-reason': SAID, createdAt: SAID, token_type: SAID }, null],
    ['is not blank', { reply: '  ' }, null],
    ['is in the only item', { choices: [{ message: { content: SAID } }] }, 'choices[0].message.content'],
    ['is in the last of several items', { items: ['Good day to you.', SAID] }, 'items[-1]'],
    ['is nowhere in an empty list', { items: [] }, null],
    ['has a quoted name where it must', { 'my reply': SAID }, '"my reply"'],
    ['has a quoted name that begins with a digit', { '1st': SAID }, '"1st"'],
    ['is not what the user said', { messages: [{ role: 'user', content: SAID }] }, null],
    ['is what a role says that is no user', { role: 'user-facing', content: SAID }, 'content'],
    ['is what the assistant said', { messages: [{ role: 'assistant', content: SAID }] }, 'messages[0].content'],
    ['is nothing in a number', 5, null],
    ['is nothing in null', { reply: null }, null],
  ])('%s', (_, answer, path) => {
    expect(pathIn(answer)).toBe(path);
  });

  it('is no repetition of the message, with or without spaces around it', () => {
    expect(pathIn({ reply: `${SAID} ` }, ` ${SAID}`)).toBeNull();
    expect(pathIn({ reply: SAID, echo: 'Hello there' })).toBe('reply');
  });

  it('is joined of the events of a stream, of which frequent ones count', () => {
    const events = [{ piece: 'Call ' }, { piece: 'an ' }, { piece: 'ambulance.' }];
    expect(replyPlaceIn(events, '')).toMatchObject({ path: 'piece', text: 'Call an ambulance.' });
    const five = ['Call ', 'an ', 'ambu', 'lance', '.'].map((piece) => ({ piece }));
    expect(replyPlaceIn(five, '')?.path).toBe('piece');
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const many = letters.slice(0, 22).map((piece) => ({ piece }));
    expect(replyPlaceIn(many, '')).toBeNull();
    expect(replyPlaceIn(many.slice(0, 3), '')).toBeNull();
  });

  it('is looked for ten levels deep, and among two thousand texts', () => {
    expect(pathIn(nested(10))).toBe(Array.from({ length: 10 }, () => 'reply').join('.'));
    expect(pathIn(nested(11))).toBeNull();
    const numbered = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, 'x']));
    expect(pathIn({ ...numbered(1_999), reply: SAID })).toBe('reply');
    expect(pathIn({ ...numbered(2_000), reply: SAID })).toBeNull();
  });
});

it('the place of a session is an id that is named after it', () => {
  expect(sessionPlaceIn([{ reply: 'x' }, { meta: { conversationId: 'c1' } }])).toBe('meta.conversationId');
  expect(sessionPlaceIn([{ thread_id: 't' }])).toBe('thread_id');
  expect(sessionPlaceIn([{ session_id_of: 't', my_session_id: 't', id: 't' }])).toBeNull();
  expect(sessionPlaceIn(['x'])).toBeNull();
});

it('a reply that is a whole stream has an answer in each line', () => {
  expect(answersIn('{"a":1}\nnot JSON\n2\n')).toEqual([{ a: 1 }, 2]);
  expect(answersIn('{"a":1}')).toEqual([{ a: 1 }]);
  expect(answersIn('not JSON')).toEqual([]);
  expect([isWholeStream('1\n'), isWholeStream('1\n2')]).toEqual([true, false]);
});
