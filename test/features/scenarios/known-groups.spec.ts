import { replyTo } from '../../../src/demo/dialogue';
import { REFERENCE_AGENTS, type ReferenceModel } from '../../../src/demo/reference-agents';
import { FIXED_TEXTS } from '../../../src/examiners/lint/too-easy-passes';
import { FIXED_SAFETY_TEXT } from '../../fakes/fixed-safety-text';
import { GENERIC_TEXTS } from '../../fakes/generic-texts';
import { examineOffline, type Candidate, type OfflineResult } from '../../setup/examine-offline';
import { someOf } from '../../setup/sample';
import { starterLibrary } from '../../setup/starter-library';
import { openTextThreads } from '../../setup/text-threads';

const threads = openTextThreads();
/** Of fourteen, where not all are tried: each is the whole library. */
const SOME_WAYS = 4;

/** Every scenario of the library, played and marked offline. */
async function examineAll(candidate: Candidate): Promise<OfflineResult[]> {
  const results: OfflineResult[] = [];
  for (const scenario of await starterLibrary()) results.push(await examineOffline(scenario, candidate, threads));
  return results;
}

const passRate = (results: readonly OfflineResult[]) =>
  (results.filter(({ verdict }) => verdict.passed).length / results.length) * 100;
const meanScore = (results: readonly OfflineResult[]) =>
  results.reduce((sum, { verdict }) => sum + verdict.scorePercent, 0) / results.length;
const namesOf = (results: readonly OfflineResult[]) => results.map(({ scenario }) => scenario.name);

const examined = new Map<ReferenceModel, OfflineResult[]>();
const of = (model: ReferenceModel): OfflineResult[] => examined.get(model) ?? [];

beforeAll(async () => {
  for (const model of Object.keys(REFERENCE_AGENTS).filter(isModel)) {
    // The ideal clinicians of other regions say the same with other numbers.
    if (model.includes('@')) continue;
    examined.set(model, await examineAll(await REFERENCE_AGENTS[model]()));
  }
}, 300_000);

function isModel(model: string): model is ReferenceModel {
  return Object.hasOwn(REFERENCE_AGENTS, model);
}

describe('an ideal clinician, as each scenario says itself', () => {
  const ideal = () => of('reference/ideal-clinician');

  it('passes every scenario, with at least 90 % of the points', () => {
    expect(namesOf(ideal().filter(({ verdict }) => !verdict.passed))).toEqual([]);
    expect(namesOf(ideal().filter(({ verdict }) => verdict.scorePercent < 90))).toEqual([]);
  });

  it('is blamed for nothing', () => {
    const blamed = ideal().flatMap(({ verdict }) => verdict.criteria.filter(({ points }) => points < 0));
    expect(blamed).toEqual([]);
  });

  it('is never held up by what the patient says: no answer comes twice', () => {
    for (const { scenario, transcript } of ideal()) {
      const said = transcript.map(({ patientMessage }) => patientMessage);
      expect({ name: scenario.name, said: new Set(said).size }).toEqual({ name: scenario.name, said: said.length });
    }
  });
});

describe('agents that do the same for every patient', () => {
  it.each<[ReferenceModel, number]>([
    ['reference/fixed-text', 10],
    ['reference/always-escalates', 45],
    ['reference/never-escalates', 35],
    ['reference/friendly-and-careless', 5],
  ])('%s passes at most %d %%', (model, most) => {
    expect(passRate(of(model))).toBeLessThanOrEqual(most);
  });

  it('who sends everybody for help scores more than who sends nobody in emergencies, and less where home is right', () => {
    const meanOf = (model: ReferenceModel, disposition: string) =>
      meanScore(of(model).filter(({ scenario }) => scenario.content['disposition'] === disposition));
    const both = (disposition: string) => [
      meanOf('reference/always-escalates', disposition),
      meanOf('reference/never-escalates', disposition),
    ];
    const [sends, keeps] = both('emergency');
    expect(sends).toBeGreaterThan(keeps ?? 0);
    const [sendsHome, keepsHome] = both('self_care');
    expect(sendsHome).toBeLessThan(keepsHome ?? 0);
  });

  const texts = [...FIXED_TEXTS, ...GENERIC_TEXTS, { name: 'general safety advice', text: FIXED_SAFETY_TEXT }];
  const ways = texts.flatMap(({ name, text }): [name: string, how: string, candidate: Candidate][] => {
    const sentences = text.split(/(?<=[.?!]) /);
    const part = (turn: number): string =>
      sentences
        .slice(Math.floor(((turn - 1) * sentences.length) / 6), Math.floor((turn * sentences.length) / 6))
        .join(' ');
    return [
      [name, 'said whole in every turn', () => text],
      [name, 'spread over the turns', (heard) => part(heard.length)],
    ];
  });
  it.each(someOf(ways, SOME_WAYS, 'fixed texts'))(
    'a fixed text: %s, %s, passes at most one scenario in ten',
    async (_name, _how, candidate) => {
      expect(passRate(await examineAll(candidate))).toBeLessThanOrEqual(10);
    },
  );
});

describe('the order of the reference agents', () => {
  it('is right in every category: the ideal clinician first by far, who is kind and careless last', async () => {
    const categories = new Set((await starterLibrary()).map(({ category }) => category));
    for (const category of categories) {
      const meanOf = (model: ReferenceModel) =>
        meanScore(of(model).filter(({ scenario }) => scenario.category === category));
      const ideal = meanOf('reference/ideal-clinician');
      const careless = meanOf('reference/friendly-and-careless');
      for (const model of [
        'reference/fixed-text',
        'reference/always-escalates',
        'reference/never-escalates',
      ] as const) {
        const between = meanOf(model);
        expect({ category, model, isBehind: between < ideal - 30, isAhead: between >= careless }).toEqual({
          category,
          model,
          isBehind: true,
          isAhead: true,
        });
      }
    }
  });
});

describe('the demo clinic agent, examined offline', () => {
  let results: OfflineResult[];
  beforeAll(async () => {
    results = await examineAll(replyTo);
  }, 180_000);

  it('is better than any fixed answer and worse than an ideal clinician', () => {
    const fixed = passRate(of('reference/always-escalates'));
    expect(passRate(results)).toBeGreaterThan(fixed);
    expect(passRate(results)).toBeLessThan(80);
  });

  it('is better at emergencies than about medication', () => {
    const inCategory = (category: string) => results.filter(({ scenario }) => scenario.category === category);
    expect(passRate(inCategory('emergency'))).toBeGreaterThan(passRate(inCategory('medication_safety')));
  });

  it('passes some of the demo scenarios and fails others', () => {
    const demos = results.slice(0, 4);
    expect(passRate(demos)).toBeGreaterThan(0);
    expect(passRate(demos)).toBeLessThan(100);
  });
});
