import { agreeingWithYou, capitalized, firstPerson, lowered } from '../../../src/examiners/tester/patient-speech';

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
    ['Is it yours?', 'Is it mine?'],
    ['You hurt yourself.', 'I hurt myself.'],
    ['You’d rest, but you’ll see.', "I'd rest, but I'll see."],
    ["You aren't ill and weren't before.", "I am not ill and wasn't before."],
    ['Were you ill?', 'Was I ill?'],
    ['They are ill, and you are well.', 'They are ill, and I am well.'],
    ['You think they are ill.', 'I think they are ill.'],
    ['People near you, yesterday.', 'People near me, yesterday.'],
    ['It is you.', 'It is me.'],
    ['"You smoke."', '"I smoke."'],
    ['The pain wakes you at night.', 'The pain wakes me at night.'],
    ['The caller isn’t well.', 'I am not well.'],
    ["The patient doesn't smoke.", "I don't smoke."],
    ['The patient hasn’t slept and wasn’t hungry.', "I haven't slept and wasn’t hungry."],
    ['This client’s leg hurts.', 'My leg hurts.'],
    ['A nurse saw the patient.', 'A nurse saw me.'],
    ['A nurse saw the patient’s leg.', 'A nurse saw my leg.'],
    ['your leg hurts.', 'My leg hurts.'],
    ['The fall bruised you badly.', 'The fall bruised me badly.'],
    ['You again felt dizzy.', 'I again felt dizzy.'],
    ['They find you again.', 'They find me again.'],
    ['It is you', 'It is me'],
    ['You feel like you are dying.', 'I feel like I am dying.'],
    ['You are worse than you were.', 'I am worse than I was.'],
    ['He hit you…hard.', 'He hit me…hard.'],
    ["You've smoked and are overweight.", "I've smoked and am overweight."],
    ['"Your leg hurts."', '"My leg hurts."'],
    ['“it hurts you,” you say.', '“it hurts me,” I say.'],
    ['It is you, doctors say.', 'It is me, doctors say.'],
  ])('%s', (fact, speech) => expect(firstPerson(fact)).toBe(speech));
});

describe('A question', () => {
  it.each([
    'How are you?',
    'How are you today?',
    'How are you feeling?',
    '"How are you?" is all they ask.',
    '"How are you feeling?" is all they ask.',
    'How old are you?',
    'Who are you?',
    'Where were you?',
    'Can you?',
    'They are ill, are you?',
  ])('to whoever is spoken to stays one: %s', (question) => expect(firstPerson(question)).toBe(question));

  it('that a patient repeats stays one', () => {
    expect(firstPerson('You ask: How are you?')).toBe('I ask: How are you?');
    expect(firstPerson('You say, "Are you?"')).toBe('I say, "Are you?"');
  });

  it.each([
    ['Are you dying?', 'Am I dying?'],
    ['Are you in danger?', 'Am I in danger?'],
    ['How are you to take it?', 'How am I to take it?'],
    ['How are you feeling this?', 'How am I feeling this?'],
    ['Why are you feeling?', 'Why am I feeling?'],
    ["Aren't you too old for it?", "Aren't I too old for it?"],
    ['Should you on such days take more?', 'Should I on such days take more?'],
    ["You are dying, aren't you?", "I am dying, aren't I?"],
    ['You were ill, weren’t you?', "I was ill, wasn't I?"],
    ['You smoke, don’t you?', 'I smoke, don’t I?'],
  ])('about the patient is the patient’s own: %s', (question, speech) => expect(firstPerson(question)).toBe(speech));
});

describe('A verb before "you"', () => {
  it.each([
    ['Your wife is ill, and so are you.', 'My wife is ill, and so am I.'],
    ['Your father was a smoker, as were you.', 'My father was a smoker, as was I.'],
    ['Your wife smokes, and so do you.', 'My wife smokes, and so do I.'],
    ['Your children only have you.', 'My children only have me.'],
    ['The pills they gave you have run out.', 'The pills they gave me have run out.'],
    ['The letters they sent you are lost, and so are you.', 'The letters they sent me are lost, and so am I.'],
    ['They know you have asthma.', 'They know I have asthma.'],
  ])('has the patient as its subject, or as its object: %s', (fact, speech) => expect(firstPerson(fact)).toBe(speech));
});

test.each([
  ['takes', 'take'],
  ['carries', 'carry'],
  ['lies', 'lie'],
  ['watches', 'watch'],
  ['pushes', 'push'],
  ['passes', 'pass'],
  ['Goes', 'go'],
  ['mixes', 'mix'],
  ['buzzes', 'buzz'],
  ['orchestrates', 'orchestrate'],
  ['is', 'are'],
  ['was', 'were'],
  ['has', 'have'],
  ['pass', 'pass'],
  ['agrees', 'agree'],
  ['Takes', 'take'],
  ['doesn’t', "don't"],
  ['must', 'must'],
])('"she %s" is "you %s"', (verb, form) => {
  expect(agreeingWithYou(verb)).toBe(form);
});

test('a first letter is raised always, and lowered where the first word is no name', () => {
  expect([capitalized('my leg'), capitalized('')]).toEqual(['My leg', '']);
  expect(['It hurts.', 'Anna is here.', 'Theo is here.', 'I am ill.'].map(lowered)).toEqual([
    'it hurts.',
    'Anna is here.',
    'Theo is here.',
    'I am ill.',
  ]);
});
