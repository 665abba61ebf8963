import { ExaminationNotes } from '../../../src/examiners/judge/examination-record';
import { NO_USAGE } from '../../../src/examiners/model/model-usage';

it('The record of an examination that asked nobody is empty', () => {
  expect(new ExaminationNotes(7).record).toEqual({
    seed: 7,
    usage: NO_USAGE,
    calls: 0,
    votes: 0,
    controls: { asked: 0, wrong: 0 },
    answeredBy: [],
    unread: [],
    addressedToExaminer: [],
  });
});

describe('A call that ended in an error', () => {
  const paid = { ...NO_USAGE, calls: 1, inputTokens: 100, answeredBy: ['a model'] };

  it.each([
    ['one of the whole conversation', false, 0],
    ['a vote', true, 1],
  ])('counts, if its answer was paid for, as %s', (_, isVote, votes) => {
    const notes = new ExaminationNotes(7);
    notes.noteFailedCall(paid, isVote);
    expect(notes.record).toMatchObject({ calls: 1, votes, usage: { inputTokens: 100 }, answeredBy: ['a model'] });
  });

  it('counts for nothing if it cost nothing', () => {
    const notes = new ExaminationNotes(7);
    notes.noteFailedCall(NO_USAGE, true);
    expect(notes.record).toMatchObject({ seed: 7, calls: 0, votes: 0, answeredBy: [] });
  });
});
