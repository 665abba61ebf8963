import { audibleTranscript } from '../../../src/engine/actors/spoken-conversations';
import { transcriptOf } from '../../setup/transcripts';

const spoken = (replies: readonly (readonly [reply: string, inaudible: boolean])[]) =>
  transcriptOf(replies.map(([reply]) => reply)).map((turn, at) => ({
    ...turn,
    metadata: { spoken: { inaudible: replies[at]?.[1] } },
  }));

test('a conversation in text is marked as it is', () => {
  const transcript = transcriptOf(['When did it begin?', '']);
  expect(audibleTranscript(transcript)).toBe(transcript);
});

test('of an inaudible reply nothing is marked, whatever was kept of it', () => {
  const audible = audibleTranscript(
    spoken([
      ['When did it begin?', false],
      ['Call an ambulance now.', true],
    ]),
  );
  expect(audible.map(({ agentMessage }) => agentMessage)).toEqual(['When did it begin?', '']);
});

test('a call in which nothing was audible is an error, and no conversation to mark', () => {
  const silent = spoken([
    ['Call an ambulance now.', true],
    ['', true],
  ]);
  expect(() => audibleTranscript(silent)).toThrow(
    expect.objectContaining({ failure: expect.objectContaining({ code: 'empty_reply' }) }),
  );
});

test.each([[null], ['inaudible'], [{}], [{ inaudible: false }], [{ inaudible: 'yes' }]])(
  'a reply with %j beside it is marked as it is',
  (kept) => {
    const transcript = transcriptOf(['When did it begin?']).map((turn) => ({ ...turn, metadata: { spoken: kept } }));
    expect(audibleTranscript(transcript)).toEqual(transcript);
  },
);

test('one spoken reply makes a spoken conversation, also beside replies of which nothing is known', () => {
  const [spokenTurn] = spoken([['Call an ambulance now.', true]]);
  const [first, second] = transcriptOf(['When did it begin?', 'Where does it hurt?']);
  if (spokenTurn === undefined || first === undefined || second === undefined)
    throw new Error('There are three turns.');
  const transcript = [first, { ...second, metadata: {} }, { ...spokenTurn, turn: 3 }];
  expect(audibleTranscript(transcript).map(({ agentMessage }) => agentMessage)).toEqual([
    'When did it begin?',
    'Where does it hurt?',
    '',
  ]);
});
