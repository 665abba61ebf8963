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
