import type { Turn } from '../../../src/domain/conversation';
import type { PatientScenario } from '../../../src/domain/scenario';
import { scriptFactsOf } from '../../../src/examiners/tester/patient-script';
import { heardOf, nextSpeech } from '../../../src/examiners/tester/script-reply';
import { scenarioWith, transcriptOf, turnAfter } from '../../setup/transcripts';

const CHEST_PAIN = scenarioWith(
  `The pain started two hours ago while you were gardening. It feels like a weight, eight out of ten. You feel sick.
   You take warfarin every day. You are not allergic to anything. You do not want to make a fuss.
   If asked about smoking, you smoke ten cigarettes a day. You roll them yourself. Only if asked: your father had a heart attack at fifty. Do not mention your wife.`,
);

/** Holds a conversation with an agent that says these things, in this thread; answers what the patient said. */
function hold(scenario: PatientScenario, agentMessages: readonly string[]): string[] {
  const history: Turn[] = [];
  for (const agentMessage of [...agentMessages, '']) {
    const content = nextSpeech(heardOf(turnAfter(scenario, history)));
    const [exchange] = transcriptOf([agentMessage], content);
    if (exchange !== undefined) history.push({ ...exchange, turn: history.length + 1 });
  }
  return history.map(({ patientMessage }) => patientMessage);
}

describe('The patient of a script', () => {
  it.each([
    ['I have chest pain.'],
    ['You have chest pain and cannot sleep.'],
    ['Can you tell me my results?'],
    ['Severe headache'],
    ['Patient reports a rash on both legs'],
  ])('opens with the chief complaint, word for word (%s)', (chief_complaint) => {
    expect(hold(scenarioWith('You feel sick.', { chief_complaint }), [])).toEqual([chief_complaint]);
  });

  it.each([
    ['When did the pain start?', 'The pain started two hours ago while I was gardening.'],
    ['How bad is it, on a scale of one to ten?', 'It feels like a weight, eight out of ten.'],
    ['Which medicines are you on?', 'I take warfarin every day.'],
    ['Any allergies?', 'I am not allergic to anything.'],
    ['Do you smoke?', 'I smoke ten cigarettes a day.'],
    [
      'Is there heart disease in your family, like a father with a heart attack?',
      'My father had a heart attack at fifty.',
    ],
    ['How old are you?', 'I am 58 years old.'],
    ['Please tell me about any allergies.', 'I am not allergic to anything.'],
  ])('answers "%s" with the fact that fits', (question, answer) => {
    expect(hold(CHEST_PAIN, [question])).toEqual(['I have chest pain.', answer]);
  });

  it.each([
    ['What medication do you use?', 'You inject Lantus at night.', 'I inject Lantus at night.'],
    ['What was the onset?', 'You fell down the stairs yesterday.', 'I fell down the stairs yesterday.'],
    ['How would you describe the severity?', 'Your back is in agony.', 'My back is in agony.'],
    ['Is there any medical history?', 'You had a stroke.', 'I had a stroke.'],
  ])('knows that "%s" asks for what its words do not name', (question, fact, answer) => {
    const said = hold(scenarioWith(`You like gardening.\n${fact}`), [question]);
    expect(said[1]).toBe(answer);
  });

  it('answers several questions in their order', () => {
    const [, answer] = hold(CHEST_PAIN, ['Do you have allergies? And when did it start?']);
    expect(answer).toBe('I am not allergic to anything. The pain started two hours ago while I was gardening.');
  });

  it.each([
    ['not what it has said in other words', 'My chest is in pain.', 'I am short of breath.'],
    ['what it has only denied', 'No pain in my chest.', 'I have pain in my chest.'],
    ['what it has said in part', 'I am in pain.', 'I have pain in my chest.'],
  ])('volunteers %s', (_what, chief_complaint, next) => {
    const scenario = scenarioWith('You have pain in your chest.\nYou are short of breath.', { chief_complaint });
    expect(hold(scenario, ['Go on.'])[1]).toBe(next);
  });

  it('answers what is asked twice once', () => {
    expect(hold(CHEST_PAIN, ['Any allergies? You have allergies?'])[1]).toBe('I am not allergic to anything.');
    const said = hold(CHEST_PAIN, ['Any allergies?', 'Any allergies?']);
    expect(said.slice(1)).toEqual([
      'I am not allergic to anything.',
      'The pain started two hours ago while I was gardening.',
    ]);
  });

  it('volunteers first what the agent speaks of', () => {
    expect(hold(CHEST_PAIN, ['Some people take warfarin.'])[1]).toBe('I take warfarin every day.');
  });

  it('does not volunteer what its first words have said, however long ago', () => {
    const scenario = scenarioWith('You feel sick.\nYou have chest pain.\nYou are tired.');
    expect(hold(scenario, ['Go on.', 'Go on.'])).toEqual(['I have chest pain.', 'I feel sick.', 'I am tired.']);
  });

  it('answers the last three of many questions', () => {
    const many = 'Do you have allergies? Do you smoke? When did it start? Which medicines are you on?';
    const [, answer] = hold(CHEST_PAIN, [many]);
    expect(answer).toBe(
      'I smoke ten cigarettes a day. The pain started two hours ago while I was gardening. I take warfarin every day.',
    );
  });

  it('volunteers the next fact when nothing was asked or nothing fits, never one that is kept back until asked for', () => {
    const said = hold(CHEST_PAIN, ['Go on.', 'Have you been abroad?', 'I see.', 'Mm.', 'Right.', 'Well.', 'Good.']);
    expect(said.slice(1)).toEqual([
      'The pain started two hours ago while I was gardening.',
      'It feels like a weight, eight out of ten.',
      'I feel sick.',
      'I take warfarin every day.',
      'I am not allergic to anything.',
      'I do not want to make a fuss.',
      'Should I be worried?',
    ]);
  });

  it('does not tell a fact to an agent that only says the word', () => {
    const scenario = scenarioWith('You feel sick. If asked about smoking, you smoke ten cigarettes a day.');
    const said = hold(scenario, ['Smoking is bad for you.', 'Stop smoking cigarettes.', 'Do you smoke?']);
    expect(said).toEqual([
      'I have chest pain.',
      'I feel sick.',
      'Should I be worried?',
      'I smoke ten cigarettes a day.',
    ]);
  });

  it('keeps everything from the first "If asked" on until it is asked for', () => {
    const said = hold(CHEST_PAIN, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'Do you smoke, and do you roll them yourself?']);
    expect(said.slice(0, -1).join(' ')).not.toMatch(/smok|roll|father/);
    expect(said.at(-1)).toBe('I roll them myself.');
  });

  it('says that it does not know what the script does not say', () => {
    const scenario = scenarioWith('You feel sick.', { chief_complaint: 'I feel sick.' });
    expect(hold(scenario, ['Have you been abroad?'])).toEqual(['I feel sick.', 'I do not know about that, sorry.']);
  });

  it('keeps negations and never says what the script told it to keep back', () => {
    const said = hold(CHEST_PAIN, ['Are you allergic to anything?', 'Is your wife with you?', 'a', 'b', 'c', 'd']);
    expect(said[1]).toBe('I am not allergic to anything.');
    expect(said.join(' ')).not.toContain('wife');
  });

  it('answers a repeated question once, and then goes on', () => {
    const question = 'When did the pain start, while gardening?';
    const [, first, second, third] = hold(CHEST_PAIN, [question, question, question]);
    expect(first).toBe('The pain started two hours ago while I was gardening.');
    expect(second).toBe('As I said, the pain started two hours ago while I was gardening.');
    expect(third).toBe('It feels like a weight, eight out of ten.');
  });

  it('does not volunteer what the chief complaint said already', () => {
    const scenario = scenarioWith('You have chest pain. You have no fever.', { chief_complaint: 'I have chest pain.' });
    expect(hold(scenario, ['Go on.'])).toEqual(['I have chest pain.', 'I have no fever.']);
  });

  it('does not count a denied symptom as told because the complaint names it', () => {
    const scenario = scenarioWith('You have no fever.', { chief_complaint: 'I worry about a fever.' });
    expect(hold(scenario, ['Go on.'])[1]).toBe('I have no fever.');
  });

  it('says the same every time', () => {
    const agent = ['When did it start?', 'Anything else?', 'Do you take medicines?'];
    expect(hold(CHEST_PAIN, agent)).toEqual(hold(CHEST_PAIN, agent));
  });

  it('reads scripts in lines, lists and labels', () => {
    const scenario = scenarioWith('Facts:\n- You are tired\n2. Your legs are swollen\nAllergies: none', {
      chief_complaint: 'Hello.',
    });
    const said = hold(scenario, ['a', 'b', 'c', 'd']);
    expect(said.slice(1, 4)).toEqual(['I am tired.', 'My legs are swollen.', 'Allergies: none.']);
  });

  it('speaks of the patient when the scenario names who calls, whatever the script says', () => {
    const answers = (demographics: PatientScenario['content']['demographics']) =>
      hold(scenarioWith('You are worried.', { demographics }), ['How old is the patient?', 'Male or female?']).slice(1);
    const husband = { age: 31, gender: 'female', speaker: 'husband' };
    expect(answers(husband)).toEqual(['She is 31 years old.', 'She is female.']);
    expect(answers({ age: 16, gender: 'non-binary', speaker: 'mother' })).toEqual([
      'They are 16 years old.',
      'They are non-binary.',
    ]);
    for (const speaker of ['herself', 'self', 'patient', ' The patient ', '']) {
      expect(answers({ ...husband, speaker })).toEqual(['I am 31 years old.', 'I am female.']);
    }
  });

  it('tells the age of a baby in weeks or months where the scenario does', () => {
    const age = (demographics: PatientScenario['content']['demographics']) =>
      hold(scenarioWith('You are worried.', { demographics }), ['How old is your baby?'])[1];
    expect(age({ age: 0, age_in_weeks: 8, gender: 'female' })).toBe('She is 8 weeks old.');
    expect(age({ age: 0, age_in_months: 3, gender: 'male' })).toBe('He is 3 months old.');
    expect(age({ age: 6, age_in_weeks: 312, gender: 'male' })).toBe('He is 6 years old.');
    expect(age({ age: 6, age_in_months: 72, gender: 'male' })).toBe('He is 6 years old.');
    expect(age({ age: 2, age_in_weeks: -1, age_in_months: -1, gender: 'male' })).toBe('He is 2 years old.');
  });

  it('speaks of the patient when a parent calls', () => {
    const scenario = scenarioWith('Her temperature is 38.6 degrees.', { demographics: { age: 0, gender: 'female' } });
    expect(hold(scenario, ['How old is the baby?'])[1]).toBe('She is 0 years old.');
  });

  it.each([
    ['one sentence over and over', 'You take pills and feel sick. '.repeat(7_000)],
    ['no sentence at all', 'you '.repeat(50_000)],
    ['no word at all', '…!?'.repeat(66_000)],
    ['half-made directions', 'If asked about '.repeat(14_000)],
  ])('plays a script of 200 kB with %s', (_, script) => {
    const said = hold(scenarioWith(script), ['Do you take pills?', 'Do you feel sick?']);
    expect(said).toHaveLength(3);
    expect(said.every((message) => message.trim() !== '')).toBe(true);
  });
});

describe('what is heard of a conversation', () => {
  const { card } = turnAfter(CHEST_PAIN, []);
  const heard = (...replies: readonly string[]) => nextSpeech(heardOf({ card, history: transcriptOf(replies) }));

  it('is the last reply alone, and of that the end', () => {
    const { history } = heardOf({ card, history: transcriptOf(['Do you smoke?', `${'x'.repeat(9_000)}y`]) });
    expect(history.map(({ agentMessage }) => agentMessage)).toEqual(['', `${'x'.repeat(7_999)}y`]);
    expect(heard(`Do you smoke? ${'x'.repeat(8_000)}`)).toBe('The pain started two hours ago while I was gardening.');
  });

  it('is the end of the last reply also where it was handed over whole', () => {
    const whole = transcriptOf([`Do you smoke? ${'x'.repeat(8_000)}`]);
    expect(nextSpeech({ card, history: whole })).toBe('The pain started two hours ago while I was gardening.');
  });

  it.each([
    ['Do you smoke?!', true],
    ['Do you smoke？', true],
    ['See smoke?x', false],
    ['Describe how you smoke.', true],
    ['Walk me through how you smoke', true],
    ['Smoke.', false],
  ])('asks for something: %s', (reply, isAsking) => {
    expect(heard(reply) === 'I smoke ten cigarettes a day.').toBe(isAsking);
  });

  it('asks for the country in words that have another apostrophe too', () => {
    const abroad = { ...card, country: 'Australia' };
    const said = nextSpeech({ card: abroad, history: transcriptOf(['Could I ask where you’re based?']) });
    expect(said).toBe('I live in Australia.');
  });
});

describe('what a patient says of age and sex', () => {
  const answers = (script: string, demographics: PatientScenario['content']['demographics']) =>
    hold(scenarioWith(script, { demographics }), ['How old is the patient?', 'Male or female?']).slice(1);

  it('is nothing where the age is none', () => {
    for (const age of [-1, 130]) expect(answers('', { age })[0]).toBe('I do not know about that, sorry.');
    expect(answers('', { age: 129 })).toEqual(['I am 129 years old.', 'I do not know about that, sorry.']);
    expect(answers('', { gender: 'man' })[1]).toBe('I am male.');
    expect(answers('', { age: 2, age_in_weeks: null, age_in_months: null })[0]).toBe('The child is 2 years old.');
    expect(answers('', { age: 0, age_in_weeks: 0 })[0]).toBe('The child is 0 weeks old.');
    expect(answers('', { age: 0, age_in_months: 0 })[0]).toBe('The child is 0 months old.');
    expect(answers('', { age: 3, age_in_weeks: 200, age_in_months: 49 })[0]).toBe('The child is 49 months old.');
    expect(answers('', { age: 4, age_in_months: 50 })[0]).toBe('The child is 4 years old.');
  });

  it('is said of another person below ten years of age, and of themselves from then on', () => {
    expect(answers('', { age: 9, gender: 'boy' })).toEqual(['He is 9 years old.', 'He is male.']);
    expect(answers('', { age: 10, gender: 'Girl' })).toEqual(['I am 10 years old.', 'I am female.']);
  });

  it('is said of another person where the script does so in three sentences', () => {
    const woman = { age: 40, gender: 'woman' };
    const three = 'She fell in the garden. Her leg is swollen. She is calm.';
    expect(answers(three, woman)).toEqual(['She is 40 years old.', 'She is female.']);
    expect(answers(three.slice(0, 43), woman)).toEqual(['I am 40 years old.', 'I am female.']);
    expect(answers(three, { age: 40, gender: 'man' })).toEqual(['I am 40 years old.', 'I am male.']);
    expect(answers(three, { age: 40 })[0]).toBe('I am 40 years old.');
    expect(answers(`${'x'.repeat(60_000)} ${three}`, woman)).toEqual(['I am 40 years old.', 'I am female.']);
  });

  it('is not said again where the script states it', () => {
    expect(answers('If asked about age, he is a 7-year-old boy.', { age: 8 })[0]).toBe('He is a 7-year-old boy.');
  });
});

describe('a script', () => {
  const toldOf = (script: string) =>
    hold(scenarioWith(script, { chief_complaint: 'Hello.', demographics: {} }), ['Mm.', 'Mm.']).slice(1);

  it.each([
    ['Stay calm. Do not tell anyone. You are ill.', 'I am ill.'],
    ['You are playing a nurse. You are ill.', 'I am ill.'],
    ['# Facts\nYou are ill.', 'I am ill.'],
    ['Facts about you:\n* You are ill', 'I am ill.'],
    ['3) You are ill!', 'I am ill!'],
    ['- You are ill (a cold) today', 'I am ill (a cold) today.'],
  ])('is read without directions, headings and marks: %s', (script, speech) => {
    expect(toldOf(script)).toEqual([speech, 'Should I be worried?']);
  });

  it.each([
    'You have gout (only if asked).',
    'You have gout  (only if asked)',
    'If asked about joints:\n- You have gout.',
    'You have gout, but only when specifically asked.',
    'If asked: you say that you have gout.',
    'When you are asked about joints, you admit you have gout.',
  ])('keeps back what is told when it is asked for: %s', (script) => {
    expect(toldOf(script)).toEqual(['Should I be worried?', 'What do you think it is?']);
    const scenario = scenarioWith(script, { chief_complaint: 'Hello.', demographics: {} });
    expect(hold(scenario, ['Do you have gout?'])[1]).toBe('I have gout.');
  });
});

describe('the facts of a script', () => {
  const speeches = (script: string) => scriptFactsOf(script).map(({ speech }) => speech);

  it('are four hundred at most, from its first 60,000 characters', () => {
    expect(speeches('You have gout. '.repeat(402))).toHaveLength(400);
    expect(speeches(`You have gout. ${'x'.repeat(60_000)} You are ill.`)).not.toContain('I am ill.');
  });

  it('may begin as a direction does where they answer a question', () => {
    expect(speeches('You are acting as a clown.\nIf asked about work: you are acting as a headteacher.')).toEqual([
      'I am acting as a headteacher.',
    ]);
  });

  it.each([
    ['You do not smoke.', true],
    ["You don't smoke.", true],
    ['You haven’t smoked.', true],
    ['You went and smoked.', false],
  ])('deny something or not: %s', (script, isNegated) => {
    expect(scriptFactsOf(script)).toMatchObject([{ isNegated }]);
  });
});

describe('a patient who has told everything', () => {
  const quiet = scenarioWith('', { chief_complaint: '', demographics: {} });

  it('reacts in eight ways, then does not know in eight, then says so', () => {
    const said = hold(
      quiet,
      Array.from({ length: 18 }, () => 'Mm.'),
    );
    expect(said[0]).toBe('Hello, I would like some medical advice, please.');
    expect(said[1]).toBe('Should I be worried?');
    expect(said[9]).toBe('I do not know about that, sorry.');
    expect(new Set(said.slice(0, 17)).size).toBe(17);
    expect(said.slice(17)).toEqual(['That is everything I can tell you.', 'That is everything I can tell you.']);
  });

  it('does not know what it is asked, in eight ways, before it reacts', () => {
    const said = hold(
      quiet,
      Array.from({ length: 9 }, () => 'Have you been abroad?'),
    );
    expect(said[1]).toBe('I do not know about that, sorry.');
    expect(said[9]).toBe('Should I be worried?');
  });

  it('opens with the first fact that it may volunteer where there is no complaint', () => {
    const scenario = scenarioWith('You feel sick. You are tired.', { chief_complaint: ' ' });
    expect(hold(scenario, [])).toEqual(['I feel sick.']);
    const kept = scenarioWith('If asked, you feel sick.', { chief_complaint: '' });
    expect(hold(kept, [])).toEqual(['Hello, I would like some medical advice, please.']);
  });
});
