import type { ExaminedTurn } from '../../src/domain';
import { cardOf, measuredTranscript } from '../../src/engine/measures/measured-transcript';
import { withLimits } from '../../src/engine/measures/speech-limits';
import { TextThreads } from '../../src/examiners/threads/text-threads';
import { scenarioFile } from '../../src/features/scenarios/scenario-file';
import { loadStarterLibrary } from '../../src/features/scenarios/starter-library';
import type { NewScenario } from '../../src/features/scenarios/scenarios.store';
import { examineOffline, modelClinician, type Candidate } from '../setup/examine-offline';
import { keptTurn } from '../setup/stored-spoken-run';
import { misheard } from '../speakers/misheard';

/** Stations of the library that say how their patient speaks, and what an agent that is spoken with has to do. */
let stations: readonly NewScenario[];
const threads = new TextThreads();
const contentOf = ({ content }: NewScenario) => scenarioFile.shape.content.parse(content);

beforeAll(async () => {
  stations = (await loadStarterLibrary()).filter(({ content }) => content['speech'] !== undefined);
});
afterAll(() => threads.onApplicationShutdown());

test('there are twelve, and each sets limits that only a spoken run measures', () => {
  expect(stations).toHaveLength(12);
  for (const station of stations) {
    const { speech, speech_limits: limits = {} } = contentOf(station);
    expect(Object.keys(limits).length).toBeGreaterThan(0);
    // Where the patient speaks into answers, it is measured what becomes of it.
    expect({ name: station.name, isMeasured: limits.false_yields !== undefined }).toEqual({
      name: station.name,
      isMeasured: speech?.backchannels !== undefined,
    });
    expect(limits.yield_ms !== undefined).toBe(speech?.interruptions !== undefined);
  }
});

/** The words of a conversation, as if all of it had been audible. */
async function readBackBy(station: NewScenario, candidate: Candidate) {
  const { verdict, transcript } = await examineOffline(station, candidate, threads);
  const scenario = { name: station.name, content: contentOf(station) };
  const held = transcript.map(({ turn, patientMessage, patientAt, agentMessage, agentAt }): ExaminedTurn => {
    const from = turn * 10_000;
    const spoken = keptTurn({
      from_ms: from,
      to_ms: from + 2_000,
      agent: [{ from_ms: from + 3_000, to_ms: from + 6_000 }],
    });
    return { turn, patientMessage, patientAt, agentMessage, agentAt, latencyMs: null, metadata: { spoken } };
  });
  const measured = measuredTranscript(held, scenario, 'en', verdict.criteria);
  const { read_back } = scenario.content.speech_limits ?? {};
  const limits = read_back === undefined ? {} : { read_back };
  const decided = withLimits(verdict, limits, measured, { card: cardOf(scenario), passThreshold: 50 });
  if ('why' in decided) throw new Error(`${station.name}: ${decided.name}: ${decided.why}`);
  return decided.criteria.at(-1);
}

test('what is to be read back is known, is said, and is read back by the ideal clinician and not by one that mishears', async () => {
  const withDoses = stations.filter((station) => contentOf(station).speech_limits?.read_back !== undefined);
  expect(withDoses.length).toBeGreaterThanOrEqual(6);
  for (const station of withDoses) {
    const [ideal, mishearing] = [
      await readBackBy(station, modelClinician),
      await readBackBy(station, (heard, of) => misheard(modelClinician(heard, of))),
    ];
    const of = (mark: typeof ideal) => ({ station: station.name, decision: mark?.decision, why: mark?.rationale });
    expect(of(ideal)).toMatchObject({ station: station.name, decision: 'MET' });
    expect(of(mishearing)).toMatchObject({ station: station.name, decision: 'NOT MET' });
  }
}, 120_000);
