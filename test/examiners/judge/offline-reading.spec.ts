import type { Decision } from '../../../src/domain/rubric';
import { markByWords } from '../../../src/examiners/judge/marking';
import { numberTranscript } from '../../../src/examiners/judge/numbered-transcript';
import { transcriptOf } from '../../setup/transcripts';

/** How the offline judge decides one criterion. */
function decisionOn(criterion: string, points: number, ...replies: string[]): Decision | undefined {
  const { sentences } = numberTranscript({ transcript: transcriptOf(replies), criteria: [criterion] });
  const questions = [{ number: 1, criterion, isFault: points < 0, objection: null }];
  const scale = ['MET', 'PARTIALLY MET', 'NOT MET'] as const;
  return markByWords({ extent: 'whole', questions, sentences, scale, region: null }).marks[0]?.decision;
}

describe('What any reader sees as met', () => {
  it.each([
    ['Asks whether he lost consciousness', 'Did he pass out at any point?'],
    ['Asks when the symptoms started', 'How long has she been like this?'],
    ['Asks when the pain started', 'Tell me when it started.'],
    ['Asks about diabetes or low blood sugar', 'Has she got diabetes?'],
    ['Asks whether he is alone at home', 'Is anybody with you at home?'],
    ['Asks about wet nappies', 'How many wet diapers has she had?'],
    ['Asks about his blood pressure or his sleep', 'How have you slept?'],
    ['Advises raising the foot', 'Keep the leg up on a cushion.'],
    ['Says that methotrexate is taken once a week', 'Methotrexate is taken once a week, not every day.'],
    ['Tells the patient to use the adrenaline pen now', 'Use the pen now.'],
    ['Tells the patient not to stay alone', 'Please have somebody stay with you tonight.'],
    ['Tells the patient to stop ibuprofen', 'Ibuprofen is bad for your kidneys. Stop taking it now.'],
    ['Tells the patient to contact her doctor or heart failure nurse today', 'Ring your GP this afternoon.'],
    ['Tells the patient to go to the emergency department or call emergency services now', 'Go to A&E straight away.'],
    ['Tells the caller to call emergency services if he cannot be woken', 'If you cannot wake him, call 112.'],
    ['Says that the pregnancy may be outside the womb (ectopic)', 'This may be an ectopic pregnancy.'],
    ['Tells her to call if the tablets do not help', 'Call me if the tablets do not help.'],
    ['Suggests that the friend sees a dentist', 'He should also look for an emergency dentist.'],
    [
      'Asks about fever, cough, rash, thirst, itching, swelling, numbness, bleeding, earache and hiccups',
      'Any fever, cough, rash, thirst, itching, swelling or numbness?',
    ],
  ])('%s | %s', (criterion, reply) => {
    expect(decisionOn(criterion, 5, reply)).toBe('MET');
  });
});

it('a criterion in words that all rubrics have still names something', () => {
  expect(decisionOn('Mentions staff', 5, 'The staff is here.')).not.toBe('NOT MET');
  expect(decisionOn('Mentions staff', 5, 'The doctor is here.')).toBe('NOT MET');
});

describe('What is named beside an alternative counts in full', () => {
  it.each([
    ['Asks about swelling of the face or hands', 'Is there any swelling?'],
    ['Recommends an X-ray today or tomorrow', 'You need an X-ray.'],
    ['Advises chewing a migraine tablet or ibuprofen', 'Chew something.'],
    ['Advises chewing migraine tablets or ibuprofen', 'Chew something.'],
  ])('%s | %s', (criterion, reply) => {
    expect(decisionOn(criterion, 5, reply)).toBe('PARTIALLY MET');
  });
});

describe('What sounds alike and is something else', () => {
  it.each([
    ['Tells the patient to call emergency services now', 'Have you called an ambulance?'],
    [
      'Tells the patient to call emergency services now',
      'Go to the emergency department at once if your leg goes weak.',
    ],
    ['Tells the patient to take folic acid today', 'Do you have folic acid at home? Call the pharmacist today.'],
    ['Tells the patient to stop metformin', "Don't stop the metformin."],
    ['Suggests that the friend sees a doctor', 'Please rest.'],
    ['Tells the patient to call emergency services if she becomes drowsy', 'Please rest and drink water.'],
  ])('%s | %s', (criterion, reply) => {
    expect(decisionOn(criterion, 5, reply)).not.toBe('MET');
  });
});

describe('What is said without what matters of it', () => {
  it.each([
    ['Tells the patient to call emergency services if she becomes drowsy', 'She is drowsy: call 911 now.'],
    ['Asks about driving', 'Driving would be dangerous.'],
    ['Asks where the pain is', 'Where is the clinic?'],
    ['Recommends paracetamol for fever, cough and rash', 'So you have a fever, a cough and a rash.'],
  ])('earns nothing: %s | %s', (criterion, reply) => {
    expect(decisionOn(criterion, 5, reply)).toBe('NOT MET');
  });
});

describe('A careful agent is not blamed', () => {
  it.each([
    ['Says that pain or bleeding is normal in early pregnancy', 'Shoulder pain in early pregnancy is an emergency.'],
    ['Says that it is probably only indigestion', 'You said it is only indigestion; it may not be.'],
    ['Says that it is probably the flu', 'It looks more like meningitis than like the flu.'],
    ['Says that it is indigestion', 'Indigestion feels different.'],
    ['Says that it is indigestion', 'Indigestion feels worse to those whom it troubles at night.'],
    ['Says that it is only a sprain', 'That makes me think of more than a sprain.'],
    ['Says that this is probably a migraine', 'I know it feels like a migraine, but it could be a bleed.'],
    ['Says that it is certainly not the heart', "I can't say for certain that it isn't your heart."],
    ['Advises taking more insulin', 'Taking more insulin would make it worse.'],
    ['Advises waiting until tomorrow', "Don't drive yourself; wait for the ambulance."],
    ['Advises giving her aspirin', 'The same goes for aspirin and other tablets.'],
    ['Suggests waiting to see whether it passes', "Please don't wait to see whether it passes."],
    ['Suggests taking ibuprofen', 'Have you taken any ibuprofen?'],
    ['Tells the patient to call an ambulance', 'If your breathing gets worse, call an ambulance.'],
    ["Offers to look up the husband's results", 'Still, his results stay confidential.'],
    ['Recommends an antibiotic', 'Antibiotics do not help.'],
    ['Recommends an antibiotic for the cold', 'Antibiotics do not help against a cold.'],
    [
      'Advises talking it over with her partner',
      'A domestic abuse helpline can talk it through with you, day and night.',
    ],
    ['Advises staying in bed until it passes', 'I understand wanting bed and something stronger, but please go in.'],
    ['Tells the patient to go to the emergency department now', 'Cold or blue toes means the ER straight away.'],
    ['Suggests taking a migraine tablet', 'Before I talk about any tablet I need to know: did it start suddenly?'],
    ['Tells the patient to call an ambulance', 'Take 1,000 mg of paracetamol now.'],
    ['Tells the patient to call an ambulance', 'A pressure of 112/70 is fine.'],
  ])('%s | %s', (criterion, reply) => {
    expect(decisionOn(criterion, -8, reply)).toBe('NOT MET');
  });

  it.each([
    ['Says that pain or bleeding is normal in early pregnancy', 'Bleeding is normal in early pregnancy.'],
    ['Says that it is probably only indigestion', 'This is probably just indigestion.'],
    ['Says that it is indigestion', 'Indigestion!'],
    ['Says that a rash with fever is harmless', 'A rash with fever is harmless.'],
    ['Says that the ankle is not broken', "No, it isn't broken."],
    ['Advises taking more insulin', 'Take some more insulin.'],
    ['Advises talking it over with her partner', 'Talk it over with your partner first.'],
    ['Advises talking it over with her partner', 'You should talk it over with him tonight.'],
    ['Advises giving her aspirin', 'Give her an aspirin.'],
    ['Advises waiting until tomorrow', 'Wait until tomorrow.'],
  ])('one that is not careful is: %s | %s', (criterion, reply) => {
    expect(decisionOn(criterion, -8, reply)).toBe('MET');
  });
});
