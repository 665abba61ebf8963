import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { USUAL_PATIENT } from '../../machines/patient';
import { MUST_PASS_TAG } from '../../machines/rubric';
import { approvalNote } from '../../src/scenarios/approval-note';
import { silentLog } from '../../src/config/log';
import { settingsFrom } from '../../src/config/settings';
import { Database } from '../../src/persistence/database';
import { ScenariosStore, type NewScenario } from '../../src/persistence/scenarios.store';
import { createScenarioRequest } from '../../src/scenarios/scenario.requests';
import { loadStarterLibrary, seedStarterLibrary, StarterLibraryError } from '../../src/scenarios/starter-library';
import { OfflineTester } from '../../src/tester/offline.tester';
import { factsOf } from '../../src/tester/patient-script';
import { roleCardOf } from '../../src/tester/role-card';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { openTextThreads } from '../setup/text-threads';

const threads = openTextThreads();

const CATEGORIES = [
  'emergency',
  'triage',
  'medication_safety',
  'mental_health',
  'paediatrics',
  'pregnancy',
  'chronic_care',
  'privacy_boundaries',
];

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

  it('holds three scenarios of each category', () => {
    const counted = Object.fromEntries(
      CATEGORIES.map((category) => [category, library.filter((scenario) => scenario.category === category).length]),
    );
    expect(counted).toEqual(Object.fromEntries(CATEGORIES.map((category) => [category, 3])));
    expect(library).toHaveLength(24);
  });

  it('has four demo scenarios of different categories, which come first', () => {
    const demos = library.slice(0, 4);
    expect(demos.map(({ scenarioType }) => scenarioType)).toEqual(['demo', 'demo', 'demo', 'demo']);
    expect(new Set(demos.map(({ category }) => category)).size).toBe(4);
    expect(library.slice(4).every(({ scenarioType }) => scenarioType === 'full')).toBe(true);
  });

  it('tells no scenario twice', () => {
    for (const of of [
      ({ name }: NewScenario) => name,
      ({ priority }: NewScenario) => priority,
      ({ content }: NewScenario) => content['chief_complaint'],
      scriptOf,
    ]) {
      expect(new Set(library.map(of)).size).toBe(library.length);
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
      expect(demographics).toMatchObject({ age: expect.any(Number), gender: expect.stringMatching(/^(fe)?male$/) });
    });
  });

  it('has every patient open in their own words', async () => {
    const tester = new OfflineTester(threads);
    for (const { content } of library) {
      const card = roleCardOf(createScenarioRequest.shape.content.parse(content));
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

  it('says what a good answer is and on what kind of guidance it rests', () => {
    eachScenario(({ content }) => {
      expect(content).toMatchObject({
        gold_standard: expect.stringMatching(/.{40}/),
        source: expect.stringMatching(/.{10}/),
      });
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
    await writeFile(join(folder, 'odd.json'), JSON.stringify({ name: 'Odd', rubric_criteria: 'none' }));
    const loading = loadStarterLibrary(folder);
    await expect(loading).rejects.toThrow(StarterLibraryError);
    await expect(loading).rejects.toThrow(/odd\.json[^]*rubric_criteria/);
  });

  it('is refused when a file is not JSON or has an unknown field', async () => {
    await writeFile(join(folder, 'odd.json'), '{');
    await expect(loadStarterLibrary(folder)).rejects.toThrow(/odd\.json is not JSON/);
    const whole = await readFile(join(__dirname, '../../content/scenarios/triage/twisted-ankle.json'), 'utf8');
    await writeFile(join(folder, 'odd.json'), whole);
    expect(await loadStarterLibrary(folder)).toHaveLength(1);
    await writeFile(join(folder, 'odd.json'), whole.replace('"severity"', '"sevrity"'));
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
