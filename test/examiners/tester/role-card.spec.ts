import { USUAL_PATIENT } from '../../../src/domain/patient';
import { openingOf, roleCardOf } from '../../../src/examiners/tester/role-card';
import { scenarioWith } from '../../setup/transcripts';

describe('What a patient says first', () => {
  const opening = (initial_message: string, chief_complaint: string) =>
    openingOf(roleCardOf(scenarioWith('You feel sick.', { initial_message, chief_complaint }).content), USUAL_PATIENT);

  it('is the initial message, else the chief complaint, without space around it', () => {
    expect(opening(' Hello. ', 'My chest hurts.')).toBe('Hello.');
    expect(opening('  ', ' My chest hurts. ')).toBe('My chest hurts.');
  });

  it('is open where both are blank', () => {
    expect(opening(' ', '  ')).toBeNull();
  });
});
