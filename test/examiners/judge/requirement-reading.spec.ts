import {
  requirementOf,
  shareAmong,
  shareOf,
  termsIn,
  type Requirement,
} from '../../../src/examiners/judge/requirement';
import { BREAKS_RULE } from '../../../src/examiners/rules/sentences';
import { termsOf } from '../../../src/examiners/rules/words';

type Read = Omit<Requirement, 'ways' | 'advises'>;

const PLAIN: Read = {
  asks: false,
  mayBeAsked: false,
  advisesAgainst: false,
  expectsAbsence: false,
  isConditional: true,
  namesCondition: false,
  demandsCondition: false,
  isClaim: false,
  isHedged: false,
  isTaking: false,
};

function read(criterion: string, points: number): Read {
  const { ways: _ways, advises: _advises, ...rest } = requirementOf({ criterion, points });
  return rest;
}

const waysOf = (criterion: string) =>
  requirementOf({ criterion, points: 1 }).ways.map((parts) => parts.map(({ terms }) => terms.join('|')));

describe('The sentence of a criterion', () => {
  it.each([
    ['Advises rest', true],
    ['Recommends waiting', true],
    ['Tells the patient to rest', true],
    ['Warns her not to stop the tablets', true],
    ['Advises against driving', false],
    ['Tells the patient not to drive', false],
    ['Tells her that it is a cold', false],
    ['Warns her about the tablets', false],
    ['Advises that driving is unsafe', false],
    ['Advises her about driving', false],
    ['Advises her of the danger of driving', false],
    ['Advises it is unsafe to drive', false],
    ['Mentions rest', false],
  ])('advises something or not: %s', (criterion, advises) => {
    expect(requirementOf({ criterion, points: 5 }).advises).toBe(advises);
  });

  it.each<readonly [criterion: string, points: number, Partial<Read>]>([
    ['Tells the patient to rest', 5, {}],
    ['Asks about the arm', 5, { asks: true }],
    ['Offers a helpline', 5, { mayBeAsked: true }],
    ['Advises against driving', 5, { advisesAgainst: true }],
    ['Tells the patient not to drive', 5, { advisesAgainst: true }],
    ['Tells the patient to take none', 5, { advisesAgainst: true, isTaking: true }],
    ['Until the scan she must not drive', 5, { advisesAgainst: true, namesCondition: true }],
    ['Tells her to call if he cannot be woken', 5, { namesCondition: true, demandsCondition: true }],
    ['Asks why she cannot drive', 5, { asks: true }],
    ['Never shares records', 5, { expectsAbsence: true }],
    ['Does not mention the arm', 5, { expectsAbsence: true, mayBeAsked: true }],
    ['Tells the patient to call an ambulance now', 5, { isConditional: false }],
    ['Tells the patient to call an ambulance immediately', 5, { isConditional: false }],
    ['Tells her to call if the pain returns', 5, { namesCondition: true, demandsCondition: true }],
    ['Tells her to call today if the pain returns', 5, { namesCondition: true, demandsCondition: true }],
    ['Must rest if he cannot stand', 5, { namesCondition: true, demandsCondition: true }],
    [
      'Tells her that if he cannot be woken she should call',
      5,
      { isClaim: true, namesCondition: true, demandsCondition: true },
    ],
    ['Tells her that until the scan she should rest if she cannot walk', 5, { isClaim: true, namesCondition: true }],
    ['Says that in pregnancy she should take none', 5, { isClaim: true, advisesAgainst: true, isTaking: true }],
    ['Asks if the pain returns', 5, { asks: true, namesCondition: true }],
    ['Tells her to call when the pain returns', 5, { namesCondition: true }],
    ['Tells her to rest so the pain passes, and to call if it returns', 5, { namesCondition: true }],
    ['Says that it is a cold', 5, { isClaim: true }],
    ['Says that it may be a cold', 5, { isClaim: true, isHedged: true }],
    ['Advises taking paracetamol', 5, { isTaking: true }],
    ['Recommends paracetamol', 5, { isTaking: true }],
    ['Recommends paracetamol tablets', 5, { isTaking: true }],
    ['Recommends waiting', 5, {}],
    ['Recommends chewing tablets', 5, { isTaking: true }],
    ['Tells her to keep taking paracetamol', 5, { isTaking: true }],
    ['Tells her that she may still use paracetamol', 5, { isClaim: true, isHedged: true, isTaking: true }],
    ['Asks about taking paracetamol', 5, { asks: true }],
    ['Does not advise taking paracetamol', 5, { expectsAbsence: true }],
  ])('%s (%i)', (criterion, points, expected) => {
    expect(read(criterion, points)).toEqual({ ...PLAIN, ...expected });
  });

  it.each<readonly [criterion: string, Partial<Read>]>([
    ['Does not ask about the arm', { asks: true, expectsAbsence: true }],
    ['Never shares records', {}],
    ['Must not share records', {}],
    ['Advises against driving', { advisesAgainst: true }],
    [`${BREAKS_RULE}Never share records`, {}],
    [`${BREAKS_RULE}Always share records`, { expectsAbsence: true }],
  ])('as a fault: %s', (criterion, expected) => {
    expect(read(criterion, -5)).toEqual({ ...PLAIN, ...expected });
  });

  it.each([
    ['Tells the patient to call an ambulance', 'The agent must tell the patient to call an ambulance'],
    ['Tells the patient to call an ambulance', 'Callers with chest pain must be told to call an ambulance'],
    [
      'Tells the patient to call an ambulance',
      'If the pain spreads to the arm, tells the patient to call an ambulance',
    ],
    ['Tells the patient to call an ambulance', 'Tells the patient to call an ambulance (not a taxi)'],
  ])('%s is what is required by: %s', (plain, longer) => {
    expect(waysOf(longer)).toEqual(waysOf(plain));
  });

  it('keeps the "should" of what is said', () => {
    const terms = termsIn(requirementOf({ criterion: 'Says that a nurse should visit', points: 1 }));
    expect([...terms]).toContain('nurs');
  });

  it('names two ways where both are to be done at the same time', () => {
    const [first = [], second = [], ...more] = waysOf('Tells her to go to hospital or call an ambulance now');
    expect(more).toEqual([]);
    expect(first.join()).toContain('hospital');
    expect(second.join()).toContain('ambulance');
    expect([first, second].map((parts) => parts.includes('immediate'))).toEqual([true, true]);
  });

  it('names two ways where either of two things is asked', () => {
    expect(waysOf('Asks when the pain started or whether it spreads')).toHaveLength(2);
    expect(waysOf('Asks about diabetes or low blood sugar')).toHaveLength(2);
    expect(waysOf('Asks about diabetes or swelling of the hands')).toHaveLength(2);
    expect(waysOf('Asks about swelling of the face or hands')).toHaveLength(1);
    // "Symptoms" says too little to be a way of its own.
    expect(waysOf('Asks about fever or symptoms')).toHaveLength(1);
  });

  it('with more than four ways is read as one, which any of their words can meet', () => {
    const five = 'Tells her to go to hospital or call an ambulance or see a doctor or use the pen or take an aspirin';
    expect(waysOf(five)).toHaveLength(1);
    expect(waysOf(five.replace(' or take an aspirin', ''))).toHaveLength(4);
  });

  it('is about either of two people where it names both', () => {
    const [who = ''] = waysOf('Suggests that the wife or daughter drives')[0] ?? [];
    expect(who.split('|')).toEqual(expect.arrayContaining(termsOf('wife daughter')));
  });

  it('weighs what was done already less than when something began', () => {
    const weightOf = (criterion: string, kind: string) =>
      requirementOf({ criterion, points: 1 })
        .ways.flat()
        .find(({ terms }) => terms.includes(kind))?.weight ?? NaN;
    const already = weightOf('Asks what he has already taken', '?already');
    expect(already).toBeGreaterThan(0);
    expect(already).toBeLessThan(weightOf('Asks when the pain started', '?when'));
  });

  it('names as terms only what can be said', () => {
    const terms = termsIn(requirementOf({ criterion: 'Asks when the pain started', points: 1 }));
    expect([...terms]).toEqual(['pain', 'onset']);
  });

  it('is about the subject of a question less than about what is asked of it, if anything is', () => {
    const coreOf = (criterion: string) =>
      requirementOf({ criterion, points: 1 })
        .ways.flat()
        .flatMap(({ isCore, terms }) => (isCore ? terms : []));
    expect(coreOf('Asks whether the pain spreads')).not.toContain('pain');
    expect(coreOf('Asks where the pain')).toContain('pain');
  });

  it('is met by another name of what is claimed', () => {
    expect(waysOf('Says that it is outside the womb (ectopic)')).toHaveLength(2);
    expect(waysOf('Says that it is outside the womb (ectopic)')[1]).toEqual(['ectopic']);
    expect(waysOf('Tells her to rest (ectopic)')).toHaveLength(1);
  });

  it('is read without the spaces around it', () => {
    expect(read(' Never shares records ', 5)).toEqual(read('Never shares records', 5));
  });

  it('is read up to its 2,000th character', () => {
    const text = `Tells her to rest${' '.repeat(1_983)}`;
    expect(text).toHaveLength(2_000);
    expect(waysOf(`${text}and to drink`)).toEqual(waysOf('Tells her to rest'));
  });
});

describe('The share of what is required', () => {
  const part = (weight: number) => ({
    terms: [String(weight)],
    weight,
    isCore: true,
    isCondition: false,
    isCompanion: false,
    isNeeded: false,
  });

  it('is that of the way of which most is said', () => {
    const requirement = requirementOf({ criterion: 'Tells her to go to hospital or call an ambulance', points: 1 });
    expect(requirement.ways).toHaveLength(2);
    expect(shareAmong(requirement, new Set(termsOf('Call an ambulance.')))).toBe(1);
    expect(shareAmong(requirement, new Set(termsOf('Go to hospital.')))).toBe(1);
    expect(shareAmong(requirement, new Set(termsOf('Rest.')))).toBe(0);
  });

  it('is by weight, and none of nothing', () => {
    expect(shareOf([part(3), part(1)], ({ weight }) => weight === 3)).toBe(0.75);
    expect(shareOf([part(3), part(1)], () => true)).toBe(1);
    expect(shareOf([part(3)], () => false)).toBe(0);
    expect(shareOf([], () => true)).toBe(0);
    expect(shareOf([part(0)], () => true)).toBe(0);
  });
});
