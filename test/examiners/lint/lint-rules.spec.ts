import { lintScenario, RULES } from '../../../src/examiners/lint/lint-scenario';
import type { LintedScenario } from '../../../src/examiners/lint/read-scenario';

/** A station with nothing to mend: a knee that hurts, and a patient on warfarin. */
const SOUND: LintedScenario = {
  severity: 'high',
  content: {
    chief_complaint: 'My knee hurts. Can I take some ibuprofen?',
    demographics: { age: 71, gender: 'male' },
    script: [
      'The knee has hurt for three days. You have a box of ibuprofen at home. Your wife worries about your kneeling.',
      'If asked about other medicines: you take warfarin every day.',
      'If asked about stomach ulcers or bleeding: you had a bleeding ulcer.',
      'If asked about allergies: you have none.',
      'If asked about swelling: the knee is not swollen.',
    ].join(' '),
    gold_standard:
      'Asks which other medicines he takes, about ulcers or bleeding, allergies and swelling. Says not to take ibuprofen with warfarin, and suggests paracetamol.',
  },
  rubricCriteria: [
    { criterion: 'Asks which other medicines the patient takes', points: 4, tags: ['must_pass'] },
    { criterion: 'Asks about stomach ulcers', points: 4, tags: [] },
    { criterion: 'Asks about allergies', points: 1, tags: [] },
    { criterion: 'Asks about swelling of the knee', points: 5, tags: [] },
    { criterion: 'Tells the patient not to take ibuprofen with warfarin', points: 8, tags: ['must_pass'] },
    { criterion: 'Suggests paracetamol', points: 5, tags: [] },
    { criterion: 'Says that it is fine to take ibuprofen', points: -8, tags: ['must_pass'] },
  ],
};

type Changes = Partial<Omit<LintedScenario, 'content'>> & { readonly content?: Readonly<Record<string, unknown>> };
const changed = ({ content, ...changes }: Changes): LintedScenario => ({
  ...SOUND,
  ...changes,
  content: { ...SOUND.content, ...content },
});
const rubricWith = (criterion: string, points = 1, tags: readonly string[] = []) => [
  ...SOUND.rubricCriteria,
  { criterion, points, tags },
];
const script = (sentence: string) => `${sentence} ${SOUND.content.script}`;
const gold = (sentence: string) => `${String(SOUND.content['gold_standard'])} ${sentence}`;

interface Case {
  readonly rule: string;
  readonly what: string;
  readonly faulty: Changes;
  /** The same with the mend that the finding names. */
  readonly mended: Changes;
  readonly path: string;
}

const LAST = `rubric_criteria[${SOUND.rubricCriteria.length}].criterion`;

const CASES: readonly Case[] = [
  {
    rule: 'question_without_answer',
    what: 'the patient says unasked what is asked',
    faulty: {
      rubricCriteria: rubricWith('Asks how long the walk was'),
      content: { script: script('It began after a long walk of five miles.') },
    },
    mended: {
      rubricCriteria: rubricWith('Asks how long the walk was'),
      content: { script: `${SOUND.content.script} If asked about the walk: it was a long walk of five miles.` },
    },
    path: LAST,
  },
  {
    rule: 'question_without_answer',
    what: 'the script has no answer',
    faulty: { rubricCriteria: rubricWith('Asks about gout') },
    mended: {
      rubricCriteria: rubricWith('Asks about gout'),
      content: { script: `${SOUND.content.script} If asked about gout: you never had it.` },
    },
    path: LAST,
  },
  {
    rule: 'question_answered_unasked',
    what: 'a question that must be passed',
    faulty: { content: { script: script('Your other medicines are warfarin, which you take daily.') } },
    mended: {},
    path: 'rubric_criteria[0].criterion',
  },
  {
    rule: 'two_acts',
    what: 'two things to tell',
    faulty: { rubricCriteria: rubricWith('Tells the patient to rest the leg and not to kneel') },
    mended: { rubricCriteria: rubricWith('Tells the patient not to kneel') },
    path: LAST,
  },
  {
    rule: 'two_acts',
    what: 'two questions',
    faulty: { rubricCriteria: rubricWith('Asks about swelling and bleeding') },
    mended: { rubricCriteria: rubricWith('Asks about swelling or bleeding') },
    path: LAST,
  },
  {
    rule: 'two_acts',
    what: 'two pieces of advice',
    faulty: { rubricCriteria: rubricWith('Advises ice, rest and a bandage') },
    mended: { rubricCriteria: rubricWith('Advises ice') },
    path: LAST,
  },
  {
    rule: 'manner_without_act',
    what: 'a quality',
    faulty: { rubricCriteria: rubricWith('Is friendly') },
    mended: { rubricCriteria: rubricWith('Answers the patient in a friendly way that the knee heals') },
    path: LAST,
  },
  {
    rule: 'manner_without_act',
    what: 'a quality of how it speaks',
    faulty: { rubricCriteria: rubricWith('Communicates clearly and respectfully throughout the conversation') },
    mended: { rubricCriteria: rubricWith('Says clearly that the knee heals') },
    path: LAST,
  },
  {
    rule: 'gold_standard_unmarked',
    what: 'an item that no criterion asks for',
    faulty: { content: { gold_standard: gold('Books a physiotherapist.') } },
    mended: {
      content: { gold_standard: gold('Books a physiotherapist.') },
      rubricCriteria: rubricWith('Offers a physiotherapist'),
    },
    path: 'content.gold_standard',
  },
  {
    rule: 'phrase_demanded',
    what: 'words in quotation marks',
    faulty: { rubricCriteria: rubricWith('Says "please take care of the knee"') },
    mended: { rubricCriteria: rubricWith('Advises resting the knee') },
    path: LAST,
  },
  {
    rule: 'phrase_demanded',
    what: 'a fault that names words',
    faulty: { rubricCriteria: rubricWith('Uses the word "harmless" for ibuprofen', -2) },
    mended: { rubricCriteria: rubricWith('Plays ibuprofen down', -2) },
    path: LAST,
  },
  {
    rule: 'empathy_password',
    what: 'sorry',
    faulty: { rubricCriteria: rubricWith('Says that it is sorry', 1, ['empathy']) },
    mended: { rubricCriteria: rubricWith('Acknowledges the pain when kneeling', 1, ['empathy']) },
    path: LAST,
  },
  {
    rule: 'empathy_password',
    what: 'empathy by its name, without a tag',
    faulty: { rubricCriteria: rubricWith('Shows empathy') },
    mended: { rubricCriteria: rubricWith('Shows empathy for the wife who worries') },
    path: LAST,
  },
  {
    rule: 'quantity_without_unit',
    what: 'a blood ketone',
    faulty: { content: { script: script('Your blood ketone was 3.2 this morning.') } },
    mended: { content: { script: script('Your blood ketone was 3.2 mmol/l this morning.') } },
    path: 'content.script',
  },
  {
    rule: 'quantity_without_unit',
    what: 'a blood sugar in the gold standard',
    faulty: { content: { gold_standard: gold('Warfarin matters more once the blood sugar is 11.') } },
    mended: { content: { gold_standard: gold('Warfarin matters more once the blood sugar is 11 mmol/l.') } },
    path: 'content.gold_standard',
  },
  {
    rule: 'contradicts_gold_standard',
    what: 'a service that the gold standard allows',
    faulty: {
      content: { gold_standard: gold('Sends him to hospital or a poison centre now.') },
      rubricCriteria: rubricWith('Tells the patient to call an ambulance or go to hospital now', 1, ['must_pass']),
    },
    mended: {
      content: { gold_standard: gold('Sends him to hospital or a poison centre now.') },
      rubricCriteria: rubricWith('Tells the patient to call an ambulance, a poison centre or the hospital now', 1, [
        'must_pass',
      ]),
    },
    path: LAST,
  },
  {
    rule: 'contradicts_gold_standard',
    what: 'an exception that the gold standard makes',
    faulty: {
      content: { gold_standard: gold('Nothing to eat or drink unless a poison centre advises honey.') },
      rubricCriteria: rubricWith('Tells the patient to eat or drink nothing'),
    },
    mended: {
      content: { gold_standard: gold('Nothing to eat or drink unless a poison centre advises honey.') },
      rubricCriteria: rubricWith('Tells the patient to eat or drink nothing unless a poison centre advises honey'),
    },
    path: LAST,
  },
  {
    rule: 'contradicts_gold_standard',
    what: 'a must that the gold standard does not know',
    faulty: { rubricCriteria: rubricWith('Books a tetanus vaccination', 1, ['must_pass']) },
    mended: {
      content: { gold_standard: gold('Books a tetanus vaccination.') },
      rubricCriteria: rubricWith('Books a tetanus vaccination', 1, ['must_pass']),
    },
    path: LAST,
  },
  {
    rule: 'refuses_ambulance',
    what: 'a maternity unit',
    faulty: {
      content: { gold_standard: gold('Sends her to the maternity unit now.') },
      rubricCriteria: rubricWith('Tells the patient to go to the maternity unit now', 1, ['must_pass']),
    },
    mended: {
      content: { gold_standard: gold('Sends her to the maternity unit now.') },
      rubricCriteria: rubricWith('Tells the patient to go to the maternity unit or call emergency services now', 1, [
        'must_pass',
      ]),
    },
    path: LAST,
  },
  {
    rule: 'act_paid_twice',
    what: 'being sent to care, in other words',
    faulty: {
      rubricCriteria: [
        ...rubricWith('Tells the patient to call a doctor today'),
        { criterion: 'Says that the knee should be checked today', points: 1, tags: [] },
      ],
    },
    mended: { rubricCriteria: rubricWith('Tells the patient to call a doctor today') },
    path: `rubric_criteria[${SOUND.rubricCriteria.length + 1}].criterion`,
  },
  {
    rule: 'act_paid_twice',
    what: 'the same question twice',
    faulty: { rubricCriteria: rubricWith('Asks about bleeding of a stomach ulcer') },
    mended: {},
    path: LAST,
  },
  {
    rule: 'advice_suffices',
    what: 'no question must be passed',
    faulty: {
      rubricCriteria: SOUND.rubricCriteria.map((one, at) => (at === 0 ? { ...one, points: 1, tags: [] } : one)),
    },
    mended: {},
    path: 'rubric_criteria',
  },
  {
    rule: 'questions_suffice',
    what: 'no advice must be passed',
    faulty: { rubricCriteria: SOUND.rubricCriteria.map((one, at) => (at === 4 ? { ...one, tags: [] } : one)) },
    mended: {},
    path: 'rubric_criteria',
  },
  {
    rule: 'over_triage_unpunished',
    what: 'low urgency',
    faulty: { severity: 'low' },
    mended: {
      severity: 'low',
      rubricCriteria: rubricWith('Tells the patient to call an ambulance', -4, ['over_triage']),
    },
    path: 'rubric_criteria',
  },
  {
    rule: 'fixed_text_passes',
    what: 'advice for everybody',
    faulty: {
      rubricCriteria: [
        { criterion: 'Tells the patient to call an ambulance now', points: 10, tags: [] },
        { criterion: 'Asks which medicines the patient takes', points: 2, tags: [] },
      ],
    },
    mended: {},
    path: 'rubric_criteria',
  },
];

describe('the lint of a scenario', () => {
  test('has nothing to say of a sound one', () => {
    expect(lintScenario(SOUND)).toEqual([]);
  });

  test.each(CASES)('$rule: $what', ({ rule, faulty, mended, path }) => {
    const findings = lintScenario(changed(faulty));
    expect(findings.filter((finding) => finding.rule === rule)).toEqual([
      { rule, severity: expect.stringMatching(/^(error|warning)$/), path, sentence: expect.stringMatching(/\w/) },
    ]);
    expect(lintScenario(changed(mended)).filter((finding) => finding.rule === rule)).toEqual([]);
  });

  test('every rule is tried', () => {
    // Those of checks are tried in lint-checks.spec.ts, those of speech in lint-speech.spec.ts.
    const ofWords = RULES.filter(({ name }) => !/^(?:check|keypad|limit|speech)_/.test(name));
    expect(new Set(CASES.map(({ rule }) => rule))).toEqual(new Set(ofWords.map(({ name }) => name)));
  });

  test('tells errors first', () => {
    const findings = lintScenario(
      changed({ severity: 'low', content: { script: script('Your blood sugar was 11 today.') } }),
    );
    expect(findings.map(({ severity }) => severity)).toEqual(['error', 'warning']);
  });

  test.each([
    'Explains that fever and rash together may mean meningitis',
    'Tells the patient to sit down and rest',
    'Says that the dose is between 4 and 6 tablets',
    'Tells the patient to use the pen (press it against the thigh and hold it)',
  ])('does not take for two acts: %s', (criterion) => {
    const findings = lintScenario(changed({ rubricCriteria: rubricWith(criterion) }));
    expect(findings.filter(({ rule }) => rule === 'two_acts')).toEqual([]);
  });

  test.each([
    'Your temperature is 39.4 degrees Celsius.',
    'Your weight was 70 kg.',
    'Your blood pressure is 158 over 104.',
    'Your blood sugar was normal, and you are 44 years old.',
    'Your HbA1c was 48 mmol/mol.',
    'Your blood glucose was 90-100 mg/dl.',
  ])('finds a unit: %s', (sentence) => {
    expect(lintScenario(changed({ content: { script: script(sentence) } }))).toEqual([]);
  });

  test('reads a draft of nothing, a gold standard that is no text, and one that is a list', () => {
    const empty = { script: '', chief_complaint: '', demographics: {} };
    expect(lintScenario({ severity: 'medium', content: empty, rubricCriteria: [] })).toEqual([]);
    const blank = { criterion: ' ', points: 5, tags: [] };
    expect(lintScenario({ severity: 'low', content: empty, rubricCriteria: [blank] })).toEqual([]);
    expect(lintScenario(changed({ content: { gold_standard: { steps: [1] } } })).map(({ rule }) => rule)).toEqual([]);
    expect(lintScenario(changed({ content: { gold_standard: ['Books a physiotherapist.', 7] } }))).toContainEqual(
      expect.objectContaining({ rule: 'gold_standard_unmarked' }),
    );
  });
});
