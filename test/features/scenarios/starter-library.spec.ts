import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { USUAL_PATIENT } from '../../../src/domain/patient';
import { MUST_PASS_TAG } from '../../../src/domain/rubric';
import { approvalNote } from '../../../src/features/scenarios/scenario.views';
import { silentLog } from '../../../src/platform/config/log';
import { settingsFrom } from '../../../src/platform/config/settings';
import { Database } from '../../../src/platform/database/database';
import { ScenariosStore, type NewScenario } from '../../../src/features/scenarios/scenarios.store';
import { scenarioFile } from '../../../src/features/scenarios/scenario-file';
import {
  loadStarterLibrary,
  seedStarterLibrary,
  StarterLibraryError,
} from '../../../src/features/scenarios/starter-library';
import { OfflineTester } from '../../../src/examiners/tester/offline.tester';
import { factsOf } from '../../../src/examiners/tester/patient-script';
import { roleCardOf } from '../../../src/examiners/tester/role-card';
import { createTestDatabase, type TestDatabase } from '../../setup/database';
import { openTextThreads } from '../../setup/text-threads';

const threads = openTextThreads();

const sizes = <Key>(keys: readonly Key[]): Map<Key, number> =>
  keys.reduce((counted, key) => counted.set(key, (counted.get(key) ?? 0) + 1), new Map<Key, number>());

describe('the starter library', () => {
  let library: NewScenario[];
  beforeAll(async () => {
    library = await loadStarterLibrary();
  });

  const scriptOf = ({ content }: NewScenario) => String(content['script']);
  const eachScenario = (check: (scenario: NewScenario) => void) => {
    for (const scenario of library) {
      try {
        check(scenario);
      } catch (error) {
        throw new Error(`In "${scenario.name}"`, { cause: error });
      }
    }
  };

  const contentOf = ({ content }: NewScenario) => scenarioFile.shape.content.parse(content);

  it('holds sixty scenarios: twenty emergencies, twenty for this day or week, twenty to be looked after at home', () => {
    expect(library).toHaveLength(60);
    const dispositions = sizes(library.map((scenario) => contentOf(scenario).disposition));
    expect(Object.fromEntries(dispositions)).toEqual({ emergency: 20, prompt_care: 20, self_care: 20 });
  });

  it('holds at least ten categories of at least three scenarios', () => {
    const categories = sizes(library.map(({ category }) => category));
    expect(categories.size).toBeGreaterThanOrEqual(10);
    expect(Math.min(...categories.values())).toBeGreaterThanOrEqual(3);
  });

  it('has patients from newborn to ninety, of all genders, who speak for themselves or are spoken for', () => {
    const people = library.map((scenario) => contentOf(scenario).demographics);
    const ages = people.map(({ age = -1 }) => age);
    expect(Math.min(...ages)).toBe(0);
    expect(Math.max(...ages)).toBeGreaterThanOrEqual(85);
    expect(new Set(people.map(({ gender }) => gender))).toEqual(new Set(['female', 'male', 'non-binary']));
    expect(people.filter((person) => 'speaker' in person).length).toBeGreaterThanOrEqual(10);
  });

  it('has twelve callers or more who want something else, with the danger hidden behind it', () => {
    const hidden = library
      .map(contentOf)
      .filter(({ disposition, asks_for }) => disposition !== 'self_care' && asks_for);
    expect(hidden.length).toBeGreaterThanOrEqual(12);
  });

  it('has twelve pairs or more of twins: the same opening, the same first reply, and another need behind it', () => {
    const byName = new Map(library.map((scenario) => [scenario.name, contentOf(scenario)]));
    const paired = [...byName].filter(([, { twin_of }]) => twin_of !== undefined);
    expect(paired.length).toBeGreaterThanOrEqual(24);
    for (const [name, content] of paired) {
      const twin = byName.get(content.twin_of ?? '');
      expect({ name, twin: twin?.twin_of }).toEqual({ name, twin: name });
      expect(twin?.chief_complaint).toBe(content.chief_complaint);
      expect(twin?.model_replies?.[0]).toBe(content.model_replies?.[0]);
      expect({ name, disposition: twin?.disposition }).not.toEqual({ name, disposition: content.disposition });
    }
  });

  it('has the same opening only for twins', () => {
    const openings = sizes(library.map((scenario) => contentOf(scenario).chief_complaint));
    const alike = [...openings.values()].filter((count) => count > 1);
    const twins = library.filter((scenario) => contentOf(scenario).twin_of !== undefined);
    expect(alike).toEqual(Array.from({ length: twins.length / 2 }, () => 2));
  });

  it('has four demo scenarios of different categories, which come first', () => {
    const demos = library.slice(0, 4);
    expect(demos.map(({ scenarioType }) => scenarioType)).toEqual(['demo', 'demo', 'demo', 'demo']);
    expect(new Set(demos.map(({ category }) => category)).size).toBe(4);
    expect(library.slice(4).every(({ scenarioType }) => scenarioType === 'full')).toBe(true);
  });

  it('tells no scenario twice', () => {
    for (const told of [({ name }: NewScenario) => name, ({ priority }: NewScenario) => String(priority), scriptOf]) {
      expect(new Set(library.map(told)).size).toBe(library.length);
    }
  });

  it('is approved, active and tagged with its category', () => {
    eachScenario(({ approved, isActive, tags, category }) => {
      expect({ approved, isActive }).toEqual({ approved: true, isActive: true });
      expect(tags[0]).toBe(category);
      expect(new Set(tags).size).toBe(tags.length);
    });
  });

  it('gives every patient 8 to 18 facts, most of them told only when asked, and an age and a gender', () => {
    eachScenario(({ content }) => {
      const { script, demographics } = content as { script: string; demographics: { age: number; gender: string } };
      const facts = factsOf({ script, demographics: {} });
      expect(facts.length).toBeGreaterThanOrEqual(8);
      expect(facts.length).toBeLessThanOrEqual(18);
      const volunteered = facts.filter(({ onlyWhenAsked }) => !onlyWhenAsked);
      expect(volunteered.length).toBeGreaterThanOrEqual(3);
      expect(volunteered.length).toBeLessThan(facts.length / 2);
      // First what the patient says by itself: whoever reads the script sees where that ends.
      expect(facts.slice(0, volunteered.length)).toEqual(volunteered);
      expect(demographics).toMatchObject({ age: expect.any(Number), gender: expect.any(String) });
    });
  });

  it('has every patient open in their own words', async () => {
    const tester = new OfflineTester(threads);
    for (const { content } of library) {
      const card = roleCardOf(scenarioFile.shape.content.parse(content));
      const request = {
        card,
        patient: USUAL_PATIENT,
        history: [],
        turn: 1,
        maxTurns: 6,
        greeting: null,
        refused: null,
      };
      const opening = await tester.nextMessage(request, new AbortController().signal);
      expect(opening.content).toBe(content['chief_complaint']);
    }
  });

  it('marks each scenario with 7 to 10 criteria, of which at least one must be passed', () => {
    eachScenario(({ rubricCriteria }) => {
      expect(rubricCriteria.length).toBeGreaterThanOrEqual(7);
      expect(rubricCriteria.length).toBeLessThanOrEqual(10);
      const points = rubricCriteria.map((criterion) => criterion.points);
      expect(points.every((value) => Number.isInteger(value) && value !== 0 && Math.abs(value) <= 10)).toBe(true);
      expect(points.some((value) => value < 0)).toBe(true);
      expect(rubricCriteria.some(({ tags }) => tags.includes(MUST_PASS_TAG))).toBe(true);
      expect(new Set(rubricCriteria.map(({ criterion }) => criterion)).size).toBe(rubricCriteria.length);
    });
  });

  it('phrases criteria as what the agent says or does', () => {
    const act = /^(Tells|Asks|Says|Explains|Advises|Suggests|Recommends|Offers|Mentions|Gives|Acknowledges) /;
    eachScenario(({ rubricCriteria }) => {
      expect(rubricCriteria.filter(({ criterion }) => !act.test(criterion))).toEqual([]);
    });
  });

  it('says what an ideal clinician does and says, and what happens when it is got wrong', () => {
    eachScenario((scenario) => {
      const { gold_standard, hazard, model_replies = [] } = contentOf(scenario);
      expect({ gold_standard, hazard }).toEqual({
        gold_standard: expect.stringMatching(/.{40}/),
        hazard: expect.stringMatching(/.{30}/),
      });
      expect(model_replies.length).toBeGreaterThanOrEqual(5);
    });
  });

  it('names a published source for every criterion that must be passed', () => {
    eachScenario((scenario) => {
      const { sources = [] } = contentOf(scenario);
      const supported = new Set(sources.flatMap(({ supports }) => supports));
      const criteria = scenario.rubricCriteria.map(({ criterion }) => criterion);
      const mustPass = scenario.rubricCriteria.filter(({ tags }) => tags.includes(MUST_PASS_TAG));
      expect(mustPass.filter(({ criterion }) => !supported.has(criterion))).toEqual([]);
      // A source that names no criterion of this rubric was left behind by a change.
      expect([...supported].filter((criterion) => !criteria.includes(criterion))).toEqual([]);
    });
  });

  it('punishes an ambulance for patients who can be looked after at home', () => {
    eachScenario((scenario) => {
      if (contentOf(scenario).disposition !== 'self_care') return;
      expect(scenario.rubricCriteria.some(({ points, tags }) => points < 0 && tags.includes('over_triage'))).toBe(true);
    });
  });

  it('names by when an emergency has to be sent for help', () => {
    const emergencies = library.filter((scenario) => contentOf(scenario).disposition === 'emergency');
    const timed = emergencies.filter(({ rubricCriteria }) =>
      rubricCriteria.some(({ by_turn }) => by_turn !== undefined),
    );
    expect(timed.length).toBeGreaterThanOrEqual(10);
  });

  it('shows patient and judge nothing of what is the author’s alone', () => {
    eachScenario((scenario) => {
      const card = JSON.stringify(roleCardOf(contentOf(scenario)));
      for (const reply of contentOf(scenario).model_replies ?? []) expect(card).not.toContain(reply);
    });
  });
});

describe('a library that was edited', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agent-osce-library-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is refused with the file and the field when a scenario lacks something', async () => {
    await writeFile(join(folder, 'odd.yaml'), JSON.stringify({ name: 'Odd', rubric_criteria: 'none' }));
    const loading = loadStarterLibrary(folder);
    await expect(loading).rejects.toThrow(StarterLibraryError);
    await expect(loading).rejects.toThrow(/odd\.yaml[^]*rubric_criteria/);
  });

  it('is refused when a file is not YAML or has an unknown field', async () => {
    await writeFile(join(folder, 'odd.yaml'), '{');
    await expect(loadStarterLibrary(folder)).rejects.toThrow(/odd\.yaml is not YAML/);
    const whole = await readFile(
      join(__dirname, '../../../content/scenarios/pain_and_injury/twisted-ankle-after-football.yaml'),
      'utf8',
    );
    await writeFile(join(folder, 'odd.yaml'), whole);
    expect(await loadStarterLibrary(folder)).toHaveLength(1);
    await writeFile(join(folder, 'odd.yaml'), whole.replace('severity:', 'sevrity:'));
    await expect(loadStarterLibrary(folder)).rejects.toThrow(/sevrity/);
  });
});

describe('seeding', () => {
  let made: TestDatabase;
  let database: Database;
  let store: ScenariosStore;
  beforeEach(async () => {
    made = await createTestDatabase();
    database = await Database.open(settingsFrom({ DATABASE_URL: made.url }), silentLog);
    store = new ScenariosStore(database);
  });
  afterEach(async () => {
    await database.close();
    await made.drop();
  });

  it('stores the library once, however many start together', async () => {
    const seeded = await Promise.all(Array.from({ length: 4 }, () => seedStarterLibrary(store)));
    expect(seeded.filter(Boolean)).toHaveLength(1);
    const names = (await store.listActive()).map(({ name }) => name);
    expect(names).toEqual((await loadStarterLibrary()).map(({ name }) => name));
  });

  it('keeps what it is given', async () => {
    await seedStarterLibrary(store);
    const [stored] = await store.listActive();
    const [{ signature: _signature, ...scenario } = {}] = await loadStarterLibrary();
    expect(stored).toMatchObject(scenario);
  });

  it('is approved so that it can be run, and nobody has signed it', async () => {
    await seedStarterLibrary(store);
    for (const scenario of await store.listActive()) {
      expect(scenario).toMatchObject({ approved: true, approvedBy: null, approvedAt: null, approvedRevision: 1 });
      expect(approvalNote(scenario)).toMatch(/^No clinician has signed this scenario/);
    }
  });

  it('does not come back after a user deleted all of it', async () => {
    await seedStarterLibrary(store);
    for (const { id } of await store.listActive()) await store.deactivate(id);
    expect(await seedStarterLibrary(store)).toBe(false);
    expect(await store.listActive()).toEqual([]);
  });
});
