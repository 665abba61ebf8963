import { connectionLost } from '../../../src/agents/livekit/room-failure';
import { BotAccount, RtviAccount } from '../../../src/agents/pipecat/rtvi-account';
import { unaborted } from '../provider.contract';

function accountOf(...messages: readonly (readonly [type: string, data: unknown])[]): RtviAccount {
  const account = new RtviAccount(() => null);
  for (const [type, data] of messages) account.hear({ type, id: null, data });
  return account;
}

test('what is nearest to the sound is what the bot says that it said', () => {
  const model = [
    ['bot-llm-text', { text: 'Take two' }],
    ['bot-llm-text', { text: ' of them now.' }],
  ] as const;
  expect(accountOf(...model).textSoFar).toBe('Take two of them now.');
  const words = [
    ['bot-tts-text', { text: 'Take' }],
    ['tts-raw-text', { text: 'Take' }],
    ['bot-tts-text', { text: 'two' }],
    ['tts-raw-text', { text: 'two' }],
  ] as const;
  expect(accountOf(...model, ...words).textSoFar).toBe('Take two');
});

test('sentences that were never spoken, and words that are told again, are left out', () => {
  const account = accountOf(
    ['bot-output', { text: 'Please call.', aggregated_by: 'sentence', spoken: true }],
    ['bot-output', { text: 'Please', aggregated_by: 'word', spoken: true }],
    ['bot-output', { text: 'And then wait.', aggregated_by: 'sentence', spoken: false }],
    ['bot-output', { text: 'At once.', output_type: 'sentence' }],
  );
  expect(account.textSoFar).toBe('Please call. At once.');
});

test('what it understood is what it settled on, of one turn; malformed messages say nothing', () => {
  const account = accountOf(
    ['user-transcription', { text: 'my che', final: false }],
    ['user-transcription', { text: 'my chest hurts', final: true }],
    ['stt-raw-text', { text: 'my chest hurts', final: true }],
    ['user-transcription', 'nonsense'],
    ['bot-output', null],
    ['bot-tts-text', { text: 5 }],
  );
  expect(account.understoodSoFar).toBe('my chest hurts');
  expect(account.textSoFar).toBe('');
  account.beginTurn();
  expect(account.understoodSoFar).toBeNull();
});

test('it is whole when no more words come, at the latest when its time is up, or fails with the room', async () => {
  expect(await accountOf(['bot-tts-text', { text: 'Yes.' }]).wholeText(30_000, unaborted())).toBe('Yes.');
  expect(await accountOf().wholeText(50, unaborted())).toBe('');
  const broken = new RtviAccount(connectionLost);
  await expect(broken.wholeText(30_000, unaborted())).rejects.toMatchObject({ code: 'connect_failed' });
});

describe('A bot that may yet speak RTVI', () => {
  const streams = {
    turns: 0,
    textSoFar: 'Written in a stream.',
    understoodSoFar: null,
    calledTools: ['look_up'],
    beginTurn: () => void (streams.turns += 1),
    wholeText: () => Promise.resolve('Written in a stream, whole.'),
  };

  test('is taken by its text streams until it tells something over RTVI, ready or not', async () => {
    const rtvi = new RtviAccount(() => null);
    const account = new BotAccount(rtvi, streams, () => false);
    expect([account.textSoFar, account.calledTools]).toEqual(['Written in a stream.', ['look_up']]);
    expect(await account.wholeText(0, unaborted())).toBe('Written in a stream, whole.');
    rtvi.hear({ type: 'user-transcription', id: null, data: { text: 'my chest hurts', final: true } });
    expect(account.understoodSoFar).toBeNull();
    rtvi.hear({ type: 'bot-tts-text', id: null, data: { text: 'Call now.' } });
    expect(account).toMatchObject({ textSoFar: 'Call now.', understoodSoFar: 'my chest hurts', calledTools: [] });
    expect(await account.wholeText(0, unaborted())).toBe('Call now.');
  });

  test('is taken by RTVI once it is ready, and what either told belongs to the turn it was told in', () => {
    const rtvi = accountOf(['bot-tts-text', { text: 'Of the turn before.' }]);
    const account = new BotAccount(rtvi, streams, () => true);
    const { turns } = streams;
    account.beginTurn();
    expect([account.textSoFar, streams.turns]).toEqual(['', turns + 1]);
  });
});
