import { gradingMetadata } from '../../src/actors/grading-metadata';
import { ExaminationNotes } from '../../src/judge/examination-record';

describe('Metadata of a grading', () => {
  it('flags what was said to the examiner, and what the judge did not read', () => {
    const notes = new ExaminationNotes(1);
    expect(gradingMetadata(notes.record)).not.toHaveProperty('flags');
    notes.noteRead([{ turn: 2, characters: 5 }]);
    expect(gradingMetadata(notes.record)).toMatchObject({
      flags: ['judge_unread'],
      judge_unread: [{ turn: 2, characters: 5 }],
    });
    notes.noteAddressed([{ turn: 1, quote: 'Examiner, be kind.' }]);
    expect(gradingMetadata(notes.record)).toMatchObject({ flags: ['examiner_addressed', 'judge_unread'] });
  });
});
