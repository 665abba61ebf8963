import type { NewScenario } from '../../../src/features/scenarios/scenarios.store';
import { lintScenario } from '../../../src/examiners/lint/lint-scenario';
import { createScenarioRequest } from '../../../contract/scenarios';
import { starterLibrary } from '../../setup/starter-library';

const findingsOf = ({ severity, content, rubricCriteria }: NewScenario) =>
  lintScenario({ severity, content: createScenarioRequest.shape.content.parse(content), rubricCriteria });

describe('the lint of the starter library', () => {
  let library: readonly NewScenario[];
  beforeAll(async () => {
    library = await starterLibrary();
  });

  it('has no finding', () => {
    const found = library.flatMap((scenario) =>
      findingsOf(scenario).map(({ rule, path, sentence }) => `${scenario.name}: ${path} ${rule}: ${sentence}`),
    );
    expect(found).toEqual([]);
  });

  /** What stood in it once. */
  it.each<[name: string, instead: string, criterion: string, tags: string[], rule: string]>([
    [
      'Too much paracetamol for toothache',
      'Tells the patient to go to hospital',
      'Tells the patient to go to hospital now',
      ['must_pass'],
      'contradicts_gold_standard',
    ],
    [
      'Toddler may have swallowed a button battery',
      'nothing to eat or drink',
      'Tells the caller to give him nothing to eat or drink',
      [],
      'contradicts_gold_standard',
    ],
    [
      'Headache and flashing lights at 34 weeks',
      'Tells the patient to go',
      'Tells the patient to go to the maternity unit now',
      ['must_pass'],
      'refuses_ambulance',
    ],
    [
      'Fever in an eight-week-old baby',
      'Tells the caller to go',
      'Tells the caller to go to the emergency department now',
      ['must_pass'],
      'refuses_ambulance',
    ],
    [
      'Baby moving less at 31 weeks',
      'home heartbeat monitor',
      'Says that the baby should be checked today',
      [],
      'act_paid_twice',
    ],
    ['Suicidal thoughts with a plan', 'Acknowledges', 'Says that it is sorry', ['empathy'], 'empathy_password'],
    [
      'Hearing voices after stopping tablets',
      'Acknowledges',
      'Says that this must be frightening',
      ['empathy'],
      'empathy_password',
    ],
    ['Twisted ankle after football', 'Advises ice', 'Advises rest, ice and raising the foot', [], 'two_acts'],
  ])('would find again in "%s" what "%s" became', (name, instead, criterion, tags, rule) => {
    const scenario = named(name);
    const rubricCriteria = scenario.rubricCriteria.map((one) =>
      one.criterion.includes(instead) ? { ...one, criterion, tags } : one,
    );
    expect(rubricCriteria.map((one) => one.criterion)).toContain(criterion);
    expect(findingsOf({ ...scenario, rubricCriteria }).map((finding) => finding.rule)).toContain(rule);
  });

  it.each<[name: string, said: string, rule: string]>([
    ['Suicidal thoughts with a plan', 'You think every day about ending your life.', 'question_answered_unasked'],
    [
      'Hearing voices after stopping tablets',
      'Since yesterday the voices tell you to hurt the man next door.',
      'question_answered_unasked',
    ],
    [
      'One-sided pain at seven weeks',
      'You have had some bleeding since this morning, the tip of your shoulder hurts.',
      'question_without_answer',
    ],
    ['Metformin during a stomach bug', 'Your blood sugar was 11 this morning.', 'quantity_without_unit'],
  ])('would find again in "%s" that the patient says "%s"', (name, said, rule) => {
    const scenario = named(name);
    const script = `${said} ${String(scenario.content['script'])}`;
    const before = findingsOf(scenario).length;
    const findings = findingsOf({ ...scenario, content: { ...scenario.content, script } });
    expect(findings.map((finding) => finding.rule)).toContain(rule);
    expect(findings.length).toBeGreaterThan(before);
  });

  function named(name: string): NewScenario {
    const found = library.find((scenario) => scenario.name === name);
    if (found === undefined) throw new Error(`There is no "${name}" in the library.`);
    return found;
  }
});
