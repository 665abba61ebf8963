import type { Turn } from '../../../src/domain/conversation';
import { OfflineTester } from '../../../src/examiners/tester/offline.tester';
import { agreeingWithYou, firstPerson } from '../../../src/examiners/tester/patient-speech';
import type { PatientScenario } from '../../../src/domain/scenario';
import { openTextThreads } from '../../setup/text-threads';
import { scenarioWith, transcriptOf, turnAfter } from '../../setup/transcripts';
import { describeTester } from './tester.contract';

const tester = new OfflineTester(openTextThreads());
const signal = new AbortController().signal;

describeTester('offline', () => tester);

const CHEST_PAIN = scenarioWith(
  `The pain started two hours ago while you were gardening. It feels like a weight, eight out of ten. You feel sick.
   You take warfarin every day. You are not allergic to anything. You do not want to make a fuss.
   If asked about smoking, you smoke ten cigarettes a day. You roll them yourself. Only if asked: your father had a heart attack at fifty. Do not mention your wife.`,
);

/** Holds a conversation with an agent that says these things; answers what the patient said. */
async function hold(scenario: PatientScenario, agentMessages: readonly string[]): Promise<string[]> {
  const history: Turn[] = [];
  for (const agentMessage of [...agentMessages, '']) {
    const { content } = await tester.nextMessage(turnAfter(scenario, history), signal);
    const [exchange] = transcriptOf([agentMessage], content);
    if (exchange !== undefined) history.push({ ...exchange, turn: history.length + 1 });
  }
  return history.map(({ patientMessage }) => patientMessage);
}

describe('Offline tester', () => {
  it.each([
    ['I have chest pain.'],
    ['You have chest pain and cannot sleep.'],
    ['Can you tell me my results?'],
    ['Severe headache'],
    ['Patient reports a rash on both legs'],
  ])('opens with the chief complaint, word for word (%s)', async (chief_complaint) => {
    expect(await hold(scenarioWith('You feel sick.', { chief_complaint }), [])).toEqual([chief_complaint]);
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
  ])('answers "%s" with the fact that fits', async (question, answer) => {
    expect(await hold(CHEST_PAIN, [question])).toEqual(['I have chest pain.', answer]);
  });

  it.each([
    ['What medication do you use?', 'You inject Lantus at night.', 'I inject Lantus at night.'],
    ['What was the onset?', 'You fell down the stairs yesterday.', 'I fell down the stairs yesterday.'],
    ['How would you describe the severity?', 'Your back is in agony.', 'My back is in agony.'],
    ['Is there any medical history?', 'You had a stroke.', 'I had a stroke.'],
  ])('knows that "%s" asks for what its words do not name', async (question, fact, answer) => {
    const said = await hold(scenarioWith(`You like gardening.\n${fact}`), [question]);
    expect(said[1]).toBe(answer);
  });

  it('answers several questions in their order', async () => {
    const [, answer] = await hold(CHEST_PAIN, ['Do you have allergies? And when did it start?']);
    expect(answer).toBe('I am not allergic to anything. The pain started two hours ago while I was gardening.');
  });

  it.each([
    ['not what it has said in other words', 'My chest is in pain.', 'I am short of breath.'],
    ['what it has only denied', 'No pain in my chest.', 'I have pain in my chest.'],
    ['what it has said in part', 'I am in pain.', 'I have pain in my chest.'],
  ])('volunteers %s', async (_what, chief_complaint, next) => {
    const scenario = scenarioWith('You have pain in your chest.\nYou are short of breath.', { chief_complaint });
    expect((await hold(scenario, ['Go on.']))[1]).toBe(next);
  });

  it('answers the last three of many questions', async () => {
    const many = 'Do you have allergies? Do you smoke? When did it start? Which medicines are you on?';
    const [, answer] = await hold(CHEST_PAIN, [many]);
    expect(answer).toBe(
      'I smoke ten cigarettes a day. The pain started two hours ago while I was gardening. I take warfarin every day.',
    );
  });

  it('volunteers the next fact when nothing was asked or nothing fits, never one that is kept back until asked for', async () => {
    const said = await hold(CHEST_PAIN, [
      'Go on.',
      'Have you been abroad?',
      'I see.',
      'Mm.',
      'Right.',
      'Well.',
      'Good.',
    ]);
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

  it('does not tell a fact to an agent that only says the word', async () => {
    const scenario = scenarioWith('You feel sick. If asked about smoking, you smoke ten cigarettes a day.');
    const said = await hold(scenario, ['Smoking is bad for you.', 'Stop smoking cigarettes.', 'Do you smoke?']);
    expect(said).toEqual([
      'I have chest pain.',
      'I feel sick.',
      'Should I be worried?',
      'I smoke ten cigarettes a day.',
    ]);
  });

  it('keeps everything from the first "If asked" on until it is asked for', async () => {
    const said = await hold(CHEST_PAIN, [
      'a',
      'b',
      'c',
      'd',
      'e',
      'f',
      'g',
      'Do you smoke, and do you roll them yourself?',
    ]);
    expect(said.slice(0, -1).join(' ')).not.toMatch(/smok|roll|father/);
    expect(said.at(-1)).toBe('I roll them myself.');
  });

  it('says that it does not know what the script does not say', async () => {
    const scenario = scenarioWith('You feel sick.', { chief_complaint: 'I feel sick.' });
    expect(await hold(scenario, ['Have you been abroad?'])).toEqual([
      'I feel sick.',
      'I do not know about that, sorry.',
    ]);
  });

  it('keeps negations and never says what the script told it to keep back', async () => {
    const said = await hold(CHEST_PAIN, [
      'Are you allergic to anything?',
      'Is your wife with you?',
      'a',
      'b',
      'c',
      'd',
    ]);
    expect(said[1]).toBe('I am not allergic to anything.');
    expect(said.join(' ')).not.toContain('wife');
  });

  it('answers a repeated question once, and then goes on', async () => {
    const question = 'When did the pain start, while gardening?';
    const [, first, second, third] = await hold(CHEST_PAIN, [question, question, question]);
    expect(first).toBe('The pain started two hours ago while I was gardening.');
    expect(second).toBe('As I said, the pain started two hours ago while I was gardening.');
    expect(third).toBe('It feels like a weight, eight out of ten.');
  });

  it('does not volunteer what the chief complaint said already', async () => {
    const scenario = scenarioWith('You have chest pain. You have no fever.', { chief_complaint: 'I have chest pain.' });
    expect(await hold(scenario, ['Go on.'])).toEqual(['I have chest pain.', 'I have no fever.']);
  });

  it('does not count a denied symptom as told because the complaint names it', async () => {
    const scenario = scenarioWith('You have no fever.', { chief_complaint: 'I worry about a fever.' });
    expect((await hold(scenario, ['Go on.']))[1]).toBe('I have no fever.');
  });

  it('says the same every time', async () => {
    const agent = ['When did it start?', 'Anything else?', 'Do you take medicines?'];
    expect(await hold(CHEST_PAIN, agent)).toEqual(await hold(CHEST_PAIN, agent));
  });

  it('reads scripts in lines, lists and labels', async () => {
    const scenario = scenarioWith('Facts:\n- You are tired\n2. Your legs are swollen\nAllergies: none', {
      chief_complaint: 'Hello.',
    });
    const said = await hold(scenario, ['a', 'b', 'c', 'd']);
    expect(said.slice(1, 4)).toEqual(['I am tired.', 'My legs are swollen.', 'Allergies: none.']);
  });

  it('speaks of the patient when the scenario names who calls, whatever the script says', async () => {
    const answers = async (demographics: PatientScenario['content']['demographics']) =>
      (
        await hold(scenarioWith('You are worried.', { demographics }), ['How old is the patient?', 'Male or female?'])
      ).slice(1);
    const husband = { age: 31, gender: 'female', speaker: 'husband' };
    expect(await answers(husband)).toEqual(['She is 31 years old.', 'She is female.']);
    expect(await answers({ age: 16, gender: 'non-binary', speaker: 'mother' })).toEqual([
      'They are 16 years old.',
      'They are non-binary.',
    ]);
    for (const speaker of ['herself', 'self', 'patient', ' The patient ', '']) {
      expect(await answers({ ...husband, speaker })).toEqual(['I am 31 years old.', 'I am female.']);
    }
  });

  it('tells the age of a baby in weeks or months where the scenario does', async () => {
    const age = async (demographics: PatientScenario['content']['demographics']) =>
      (await hold(scenarioWith('You are worried.', { demographics }), ['How old is your baby?']))[1];
    expect(await age({ age: 0, age_in_weeks: 8, gender: 'female' })).toBe('She is 8 weeks old.');
    expect(await age({ age: 0, age_in_months: 3, gender: 'male' })).toBe('He is 3 months old.');
    expect(await age({ age: 6, age_in_weeks: 312, gender: 'male' })).toBe('He is 6 years old.');
    expect(await age({ age: 6, age_in_months: 72, gender: 'male' })).toBe('He is 6 years old.');
    expect(await age({ age: 2, age_in_weeks: -1, age_in_months: -1, gender: 'male' })).toBe('He is 2 years old.');
  });

  it('speaks of the patient when a parent calls', async () => {
    const scenario = scenarioWith('Her temperature is 38.6 degrees.', { demographics: { age: 0, gender: 'female' } });
    expect((await hold(scenario, ['How old is the baby?']))[1]).toBe('She is 0 years old.');
  });

  it.each([
    ['one sentence over and over', 'You take pills and feel sick. '.repeat(7_000)],
    ['no sentence at all', 'you '.repeat(50_000)],
    ['no word at all', '…!?'.repeat(66_000)],
    ['half-made directions', 'If asked about '.repeat(14_000)],
  ])('plays a script of 200 kB with %s', async (_, script) => {
    const said = await hold(scenarioWith(script), ['Do you take pills?', 'Do you feel sick?']);
    expect(said).toHaveLength(3);
    expect(said.every((message) => message.trim() !== '')).toBe(true);
  });
});

describe('First person', () => {
  it.each([
    ['You take warfarin.', 'I take warfarin.'],
    ['You are worried that you are dying.', 'I am worried that I am dying.'],
    ['It makes you dizzy.', 'It makes me dizzy.'],
    ['Your wife told you to call.', 'My wife told me to call.'],
    ['You and your wife are worried.', 'My wife and I are worried.'],
    ['You smoke and are overweight.', 'I smoke and am overweight.'],
    ['Your legs are swollen and your hands were cold.', 'My legs are swollen and my hands were cold.'],
    ["You've never smoked, and you're fine.", "I've never smoked, and I'm fine."],
    ['The tablets you take make you sleepy.', 'The tablets I take make me sleepy.'],
    ['If you lie down, you cannot breathe.', 'If I lie down, I cannot breathe.'],
    ['Nobody is with you.', 'Nobody is with me.'],
    ['You were told by your GP that you have asthma.', 'I was told by my GP that I have asthma.'],
    ['My partner pushed you on Saturday.', 'My partner pushed me on Saturday.'],
    ['You do not know whether you are pregnant.', 'I do not know whether I am pregnant.'],
    ['The patient takes metformin.', 'I take metformin.'],
    ["The patient's left arm hurts.", 'My left arm hurts.'],
    ['I have a cough.', 'I have a cough.'],
    ['You felt well before you had lunch.', 'I felt well before I had lunch.'],
    ['He left you, then came back.', 'He left me, then came back.'],
    ['Your sons visit you and are worried.', 'My sons visit me and are worried.'],
  ])('%s', (fact, speech) => expect(firstPerson(fact)).toBe(speech));
});

test.each([
  ['takes', 'take'],
  ['carries', 'carry'],
  ['lies', 'lie'],
  ['watches', 'watch'],
  ['pushes', 'push'],
  ['passes', 'pass'],
  ['Goes', 'go'],
  ['doesn’t', "don't"],
  ['must', 'must'],
])('"she %s" is "you %s"', (verb, form) => {
  expect(agreeingWithYou(verb)).toBe(form);
});
