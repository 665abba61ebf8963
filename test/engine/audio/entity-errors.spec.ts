import fc from 'fast-check';
import { comparableWords, entityErrors, spokenText, type HeardTurn } from '../../../src/engine/audio';
import { readNumber } from '../../../src/engine/audio/number-values';
import { numberWords } from '../../../src/engine/audio/number-words';
import { quantitiesIn } from '../../../src/engine/audio/spoken-quantities';
import { someOf } from '../../setup/sample';

const CARD = `
You take warfarin for a clot in the lung two years ago, simvastatin 40 milligrams at night, and 15 mg of mirtazapine twice a day.
The pain began at 8:30 pm, three days ago.
If asked about other medicines: you take nothing else.
If asked about allergies: penicillin gave you a rash. You are allergic to bee stings.
`;

const turn = (said: string, heard: string | null, reply = 'I see.'): HeardTurn => ({ said, heard, reply });
const mentionsOf = (...turns: HeardTurn[]) => entityErrors(CARD, turns).mentions;
const shown = (...turns: HeardTurn[]) =>
  mentionsOf(...turns).map(({ kind, key, outcome, heardAs }) => [kind, key, outcome, heardAs]);

describe('what is found in a text', () => {
  it.each([
    ['40mg', ['40 milligram']],
    ['two and a half tablets', ['2.5 tablet']],
    ['half a tablet, then a capsule', ['0.5 tablet', '1 capsule']],
    ['two to three puffs', ['2 puff', '3 puff']],
    ['12.5 mg/kg', ['12.5 milligram per kilogram']],
    ['1,000 international units', ['1000 unit']],
    ['5 milliliters', ['5 millilitre']],
    ['for three days, since an hour ago', ['3 day', '1 hour']],
    ['half an hour', ['30 minute']],
    ['twice a day', ['2 a day']],
    ['b.i.d.', ['2 a day']],
    ['three times daily, once a week', ['3 a day', '1 a week']],
    ['every six hours', ['every 6 hour']],
    ['q6h', ['every 6 hour']],
    ['at 8:30 pm', ['8:30 pm']],
    ['at 20:30', ['8:30 pm']],
    ['half past eight', ['8:30']],
    ['a quarter to nine', ['8:45']],
    ["eight o'clock on Tuesday", ['8:00', 'tuesday']],
    ['on 2026-03-21', ['21 march']],
    ['March 21st', ['21 march']],
    ['I am 45 years old and weigh 72 kilograms', []],
    ['Call 911. I may take two.', []],
  ])('%s', (text, keys) => {
    expect(quantitiesIn(comparableWords(text)).map(({ key }) => key)).toEqual(keys);
  });

  it('a number is read back from its words', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), fc.integer({ min: 0, max: 99 }), (whole, decimals) => {
        for (const written of [`${whole}`, `${whole}.${decimals}`]) {
          const words = comparableWords(numberWords(written));
          expect(readNumber(words, 0)).toEqual({ value: Number(written), next: words.length });
        }
      }),
    );
  });
});

describe('what arrived of a turn', () => {
  it('an entity is heard however it is written', () => {
    expect(shown(turn('I take simvastatin, forty milligrams, at night.', 'I take Zocor 40mg every night'))).toEqual([
      ['medicine', 'simvastatin', 'heard', null],
      ['dose', '40 milligram', 'heard', null],
      ['time', 'at night', 'heard', null],
    ]);
  });

  it('another value of the same unit is wrong, and nothing in its place is missing', () => {
    expect(shown(turn('Fifteen milligrams of mirtazapine twice a day', '50 mg of mirtazapine'))).toEqual([
      ['medicine', 'mirtazapine', 'heard', null],
      ['dose', '15 milligram', 'wrong', 'fifty milligrams'],
      ['time', '2 a day', 'missing', null],
    ]);
  });

  it('a name is wrong where a similar word, or another medicine, stands for it', () => {
    expect(shown(turn('I take warfarin', 'I take war farewell'))).toEqual([['medicine', 'warfarin', 'missing', null]]);
    expect(shown(turn('I take warfarin', 'I take wafferin'))).toEqual([['medicine', 'warfarin', 'wrong', 'wafferin']]);
    expect(shown(turn('I take warfarin', 'I take heparin'))).toEqual([['medicine', 'warfarin', 'wrong', 'heparin']]);
  });

  it('allergens of the card are allergies', () => {
    expect(shown(turn('Penicillin gave me a rash, and bee stings.', 'Penny gave me a rash, and bee stings'))).toEqual([
      ['allergy', 'penicillin', 'missing', null],
      ['allergy', 'bee sting', 'heard', null],
    ]);
  });

  it('the list of allergens ends where the patient goes on', () => {
    const card =
      'You are allergic to cats, and you have just got one. He is allergic to the dog, latex or bee stings since May.';
    const said = [turn('I am allergic to cats, dogs, latex and bee stings, and I have just seen you.', '')];
    expect(entityErrors(card, said).mentions.map(({ kind, key }) => `${kind} ${key}`)).toEqual([
      'allergy cat',
      'allergy dog',
      'allergy latex',
      'allergy bee sting',
    ]);
  });

  it('no allergies that became allergies are missing', () => {
    const card = 'If asked about medicines or allergies: you take ramipril and have no allergies.';
    const heard = entityErrors(card, [turn('I have no allergies, and I take ramipril.', 'I have allergies, Altace')]);
    expect(heard.mentions.map(({ kind, key, outcome }) => [kind, key, outcome])).toEqual([
      ['medicine', 'ramipril', 'heard'],
      ['allergy', 'no allergies', 'missing'],
    ]);
  });

  it('half of the day matters where both name one', () => {
    expect(shown(turn('at 8:30 pm', 'at half past eight'))).toEqual([['time', '8:30 pm', 'heard', null]]);
    expect(shown(turn('at 8:30 pm', 'at 8:30 am'))).toEqual([['time', '8:30 pm', 'wrong', 'eight thirty a m']]);
  });

  it('what is not on the card is not counted, and a silent agent is not measured', () => {
    expect(shown(turn('I take 80 mg of furosemide', ''))).toEqual([]);
    const silent = entityErrors(CARD, [turn('I take warfarin', null, 'Since when do you take warfarin?')]);
    expect(silent.mentions).toMatchObject([{ outcome: 'unknown', isUnrecovered: false, readBack: 'right' }]);
    expect(silent.errors).toEqual({ events: 0, hits: 0, rate: null });
    expect(silent.readBack).toEqual({ events: 1, hits: 1, rate: null });
  });
});

describe('what was put right', () => {
  const wrong = turn('I take 15 mg of mirtazapine', 'I take 50 mg of mirtazapine', 'Thank you. How do you sleep?');
  const doseOf = (...turns: HeardTurn[]) => mentionsOf(...turns).find(({ kind }) => kind === 'dose');

  it('an error stays while nobody says it rightly', () => {
    expect(doseOf(wrong, turn('Badly.', 'Badly.'))).toMatchObject({ isUnrecovered: true, readBack: null });
  });

  it('is put right when the agent says it rightly, or hears it rightly later', () => {
    const asked = turn('Yes.', 'Yes.', 'So you take fifteen milligrams?');
    expect(doseOf(wrong, asked)).toMatchObject({ isUnrecovered: false, readBack: 'right' });
    const repeated = turn('Fifteen milligrams, I said.', '15mg I said', 'I see.');
    expect(doseOf(wrong, repeated)).toMatchObject({ isUnrecovered: false, readBack: null });
  });

  it('is not put right by being said before', () => {
    expect(mentionsOf(turn('Hello', 'Hello', 'Is it 15 mg?'), wrong)[1]).toMatchObject({ isUnrecovered: true });
  });

  it('a wrong value that the agent repeats is a wrong read-back', () => {
    expect(doseOf(wrong, turn('Yes.', 'Yes.', 'You take 50 mg.'))).toMatchObject({
      isUnrecovered: true,
      readBack: 'wrong',
    });
    const name = turn('I take warfarin', 'I take wafferin', 'How long have you taken wafferin?');
    expect(mentionsOf(name)).toMatchObject([{ readBack: 'wrong' }]);
  });
});

const phrase = fc.constantFrom(
  'I take warfarin.',
  '40 milligrams',
  '15 mg twice a day',
  'It began at 8:30 pm.',
  'Penicillin gave me a rash.',
  'bee stings',
  'three days ago',
  'simvastatin at night',
  'and my knee hurts',
);
const text = fc.array(phrase, { maxLength: 6 }).map((phrases) => phrases.join(' '));
const hostile = fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), text);

it('what is heard as it was said is right, in words or in figures', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), (texts) => {
      for (const heardAs of [(said: string) => said, spokenText]) {
        const { errors, mentions } = entityErrors(
          CARD,
          texts.map((said) => turn(said, heardAs(said))),
        );
        expect(errors.hits).toBe(0);
        expect(errors.events).toBe(mentions.length);
      }
    }),
  );
});

it('counts fit each other whatever is heard, and an agent that says all of it leaves nothing unrecovered', () => {
  const turns = fc.array(fc.record({ said: text, heard: fc.option(hostile), reply: hostile }), { maxLength: 5 });
  fc.assert(
    fc.property(turns, fc.string({ unit: 'binary' }), (said, card) => {
      const { errors, unrecovered, readBack, mentions, errorsByKind } = entityErrors(CARD, said);
      expect(unrecovered.hits).toBeLessThanOrEqual(errors.hits);
      expect(readBack.events).toBe(mentions.length);
      expect(Object.values(errorsByKind).reduce((sum, { hits }) => sum + hits, 0)).toBe(errors.hits);
      const all = said.map(({ said: words }) => words).join('. ');
      const put = entityErrors(CARD, [...said, turn('', '', all)]);
      expect([put.unrecovered.hits, put.readBack.hits]).toEqual([0, put.readBack.events]);
      entityErrors(card, said);
    }),
  );
});

it('an error in one turn leaves the mentions of the others as they are', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      const right = mentionsOf(turn(one, one), turn(other, other));
      const deaf = mentionsOf(turn(one, one), turn(other, ''));
      expect(deaf.filter((mention) => mention.turn === 0)).toEqual(right.filter((mention) => mention.turn === 0));
      expect(deaf.filter((mention) => mention.turn === 1).every(({ outcome }) => outcome === 'missing')).toBe(true);
    }),
  );
});

it('reads hostile texts in time that grows with their length', () => {
  const before = process.cpuUsage();
  const pieces = ['one ', 'point one ', 'thousand ', 'half past ', 'allergic to ', 'no ', 'every ', 'warfarin '];
  for (const piece of someOf(pieces, 3, 'hostile entities')) {
    const long = piece.repeat(200_000 / piece.length);
    entityErrors(`${CARD}${long}`, [turn(long, long, long), turn('I take warfarin', long)]);
  }
  const { user } = process.cpuUsage(before);
  expect(user).toBeLessThan(60_000_000);
});
