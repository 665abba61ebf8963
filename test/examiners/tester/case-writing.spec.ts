import { casesIn, MAX_SCENARIOS } from '../../../src/examiners/tester/case-writing';
import { contentFrom, topicOf } from '../../../src/examiners/tester/clinical-patient';
import { TRIAGE_TEXT } from './scenario-generator.contract';

// In this thread: what OfflineScenarioGenerator has other threads do.
const all = (text: string) => casesIn({ text, extent: 'all' });
const rubricOf = (text: string) =>
  all(text).flatMap(({ rubricCriteria }) =>
    rubricCriteria.map(({ criterion, points, tags }) => [criterion, points, tags]),
  );

describe('the scenarios in a clinical text', () => {
  test('are one for each section that states a rule, with the patient that it tells of', () => {
    const [chestPain, soreThroat, ...others] = all(TRIAGE_TEXT);
    expect(others).toEqual([]);
    expect(soreThroat?.name).toBe('Sore throat');
    expect(chestPain).toMatchObject({
      name: 'Chest pain',
      category: 'emergency',
      content: {
        chief_complaint: 'I have crushing chest pain radiating to my left arm.',
        demographics: { age: 58, gender: 'male' },
        script:
          'You have crushing chest pain radiating to your left arm.\nYou take warfarin.\nYour father had a heart attack.',
        assumed: [],
      },
    });
  });

  test('are none without a rule, whatever is asked for', () => {
    expect(all('Our clinic opens at nine.')).toEqual([]);
    expect(casesIn({ text: 'Our clinic opens at nine.', extent: 'one' })).toEqual([]);
  });

  test('are the one with the most at stake, where one is asked for, and the first of equals', () => {
    const one = (text: string) => casesIn({ text, extent: 'one' }).map(({ name }) => name);
    expect(one('## Cough\nAdvise rest.\n## Chest pain\nNever let them drive.\n## Fever\nAsk about it.')).toEqual([
      'Chest pain',
    ]);
    expect(one('## Cough\nAdvise rest.\n## Fever\nAdvise fluids.')).toEqual(['Cough']);
  });

  test('are at most fifty, and those of one name are numbered from the second', () => {
    const many = all(Array.from({ length: MAX_SCENARIOS + 1 }, () => '## Fever\nAsk about it.').join('\n'));
    expect(many).toHaveLength(MAX_SCENARIOS);
    expect(many.slice(0, 3).map(({ name }) => name)).toEqual(['Fever', 'Fever (2)', 'Fever (3)']);
  });

  test('have each rule once, and twelve of them at most', () => {
    expect(rubricOf('## Fever\nAsk about it.\nAsk about it.\nAdvise rest.')).toHaveLength(2);
    const rules = Array.from({ length: 15 }, (_, place) => `Always ask about sign ${place}.`);
    expect(rubricOf(`## Fever\n${rules.join('\n')}`).map(([criterion]) => criterion)).toEqual(rules.slice(0, 12));
  });

  test('are named after their heading or first sentence, cut at a word', () => {
    expect(all('ask about the pain.').map(({ name }) => name)).toEqual(['Ask about the pain']);
    expect(all('Ask this: is it new?').map(({ name }) => name)).toEqual(['Ask this: is it new?']);
    const eighty = `Always ask about ${'x'.repeat(62)}.`;
    expect(eighty).toHaveLength(80);
    expect(all(eighty)[0]?.name).toBe(eighty.slice(0, -1));
    expect(all(`Always ask about ${'x'.repeat(63)}, and again.`)[0]?.name).toBe('Always ask about…');
  });

  test.each([
    ['Ask whether they feel suicidal and call 911.', 'mental_health'],
    ['Ask about stroke in pregnancy.', 'emergency'],
    ['## Stroke\nAsk when it began.', 'emergency'],
    ['Ask any pregnant caller about the child.', 'pregnancy'],
    ['Ask about the dose for a toddler.', 'paediatrics'],
    ['Ask about insulin and consent.', 'medication_safety'],
    ['Ask for consent in diabetes.', 'privacy_boundaries'],
    ['Ask about asthma.', 'chronic_care'],
    ['Ask about a cough.', 'triage'],
  ])('are of the first category that has a sign in them: %s', (text, category) => {
    expect(all(text)[0]?.category).toBe(category);
  });

  test.each<[string, readonly (readonly [string, number, readonly string[]])[]]>([
    ['> - Ask about pain.', [['Ask about pain.', 3, ['history']]]],
    [
      'If the caller is short of breath, then call 911.',
      [['If the caller is short of breath, then call 911.', 3, ['management']]],
    ],
    [
      'Under no circumstances give aspirin.',
      [['Breaks the rule: Under no circumstances give aspirin.', -10, ['safety', 'must_pass']]],
    ],
    ['Avoid aspirin.', [['Breaks the rule: Avoid aspirin.', -5, ['safety']]]],
    ['It is essential to ask about pain.', [['It is essential to ask about pain.', 5, ['history', 'must_pass']]]],
    ['Send them at once.', [['Send them at once.', 5, ['safety', 'must_pass']]]],
    ['Rest is recommended.', [['Rest is recommended.', 3, ['management']]]],
    ['The nurse clarifies, and elicit more.', [['The nurse clarifies, and elicit more.', 3, ['history']]]],
    ['He was told he must rest.', []],
    ['It began immediately.', []],
  ])('have what a rule is worth: %s', (text, rubric) => {
    expect(rubricOf(text)).toEqual(rubric);
  });

  test('have no rule of more than 300 characters', () => {
    const rule = (length: number) => `Always ask ${'x'.repeat(length - 12)}.`;
    expect(rubricOf(rule(300))).toHaveLength(1);
    expect(rubricOf(rule(301))).toEqual([]);
  });
});

describe('what a text says of a patient', () => {
  const patientOf = (text: string, facts: readonly string[] = [], topic: string | null = null) =>
    contentFrom(text, facts, topic);

  test.each<[string, number, string]>([
    ['A 34-year-old woman.', 34, 'female'],
    ['A man aged 71.', 71, 'male'],
    ['He is 40 y/o.', 40, 'male'],
    ['A 6-week-old boy.', 0, 'male'],
    ['She was over 60 years old when her 30 year old son called.', 30, 'female'],
    ['Somebody of 200 years old, or a 20 year old.', 20, 'unspecified'],
    ['Somebody of 130 years old.', 45, 'unspecified'],
    ['The boy and his mother.', 8, 'male'],
  ])('is read from "%s"', (text, age, gender) => {
    expect(patientOf(text).demographics).toEqual({ age, gender });
  });

  test.each([
    ['The newborn', 0],
    ['The toddler', 2],
    ['The child', 8],
    ['The adolescent', 15],
    ['If pregnant', 30],
    ['The elderly', 75],
    ['The caller', 45],
  ])('is assumed by the kind of patient: %s', (text, age) => {
    const { demographics, assumed } = patientOf(text);
    expect(demographics).toMatchObject({ age });
    expect(assumed).toEqual(expect.arrayContaining(['age', 'chief_complaint']));
  });

  test('is listed as assumed only where the text leaves it open', () => {
    expect(patientOf('A 34-year-old woman says "I feel ill".', ['She takes warfarin.']).assumed).toEqual([]);
    expect(patientOf('Somebody.', []).assumed).toEqual(['age', 'gender', 'chief_complaint', 'script']);
  });

  test.each([
    ['The caller says "My head hurts"', 'My head hurts.'],
    ['The caller says: "Does it matter?"', 'Does it matter?'],
    ['The caller says " I fell. It hurts "', 'I fell. It hurts.'],
    ['She presents with a rash (red).', 'I have a rash.'],
    ['She presents with flu.', 'I have flu.'],
    ['She presents with TB that is old.', 'Hello, I would like some medical advice, please.'],
    ['She presents with her old cough.', 'I have my old cough.'],
    ['A patient who reports feeling faint must rest.', 'I am feeling faint.'],
    ['A girl presents with a rash and should be seen.', 'My child has a rash and.'],
    ['She reports pain on hearing.', 'I have pain on hearing.'],
    ['An infant with a fever.', 'My baby has a fever.'],
    ['She complains of it.', 'Hello, I would like some medical advice, please.'],
  ])('is the complaint of "%s"', (text, complaint) => {
    expect(patientOf(text).chief_complaint).toBe(complaint);
  });

  test('is a wish for help with the topic, or for advice, where nothing is told', () => {
    expect(patientOf('Text.', [], 'fever')).toMatchObject({
      chief_complaint: 'I would like some help with fever.',
      script: 'You would like some help with fever.',
    });
    expect(patientOf('Text.')).toMatchObject({ script: 'You would like some medical advice.' });
    expect(patientOf('The caller says "I am ill and my head hurts"').script).toBe('You are ill and your head hurts.');
    expect(patientOf('The caller says "My head hurts, so I rest"').script).toBe('My head hurts, so I rest.');
  });

  test.each([
    ['She takes warfarin of her own.', 'You take warfarin of your own.'],
    ['His father has gout.', 'Your father has gout.'],
    ['He said that he smokes and that it helps him.', 'You said that you smoke and that it helps you.'],
    ['The patient complained of a rash.', 'You have a rash.'],
    ['They complain  of  a rash.', 'You have a rash.'],
    ['They present with a rash.', 'You have a rash.'],
    ['A 58-year-old man presenting with a rash.', 'You have a rash.'],
    ['A woman taking warfarin.', 'You are taking warfarin.'],
    ['They bring her tablets.', 'You bring your tablets.'],
    ['A man aged 71 has gout.', 'You have gout.'],
    ['A woman, aged 34, with gout.', 'You have gout.'],
    ['He presents early with a rash.', 'You present early with a rash.'],
    ['He complained about a rash.', 'You complained about a rash.'],
    ['He lives with his son.', 'You live with your son.'],
    ['A man with gout.', 'You have gout.'],
    ["She doesn't smoke.", "You don't smoke."],
    ['The caller isn’t pregnant.', "You aren't pregnant."],
  ])('is told in the second person: %s', (fact, script) => {
    expect(patientOf('Text.', [fact]).script).toBe(script);
  });

  test('leaves out sentences about anything else, and what is more than fourteen', () => {
    expect(patientOf('Text.', ['The clinic opens at nine.']).script).toBe('You would like some medical advice.');
    expect(patientOf('Text.', ['A man aged 71.']).script).toBe('You would like some medical advice.');
    const many = Array.from({ length: 16 }, (_, place) => `She has sign ${place}.`);
    expect(patientOf('Text.', many).script.split('\n')).toHaveLength(14);
  });

  test('is that she is pregnant only where nothing else is told', () => {
    expect(patientOf('A pregnant caller.').script).toBe('You are pregnant.');
    expect(patientOf('A pregnant caller.', ['She smokes.']).script).toBe('You smoke.');
  });
});

test.each([
  ['Section 3: Chest pain protocol', 'chest pain'],
  ['**Management of fever**', 'fever'],
  ['COPD and smoking', 'COPD and smoking'],
  ['Smoking and COPD', 'smoking and copd'],
  ['Fever protocol for adults', 'fever for adults'],
  ['CHEST PAIN', 'chest pain'],
  ['Flu', 'flu'],
  ['Protocol 12', null],
  ['12. ab', null],
])('the heading "%s" is about %j', (heading, topic) => {
  expect(topicOf(heading)).toBe(topic);
});
