import { NO_USAGE } from '../../../src/examiners/model/model-usage';
import type { Turn } from '../../../src/domain/conversation';
import { USUAL_PATIENT } from '../../../src/domain/patient';
import type { NewScenario } from '../../../src/features/scenarios/scenarios.store';
import { ModelError } from '../../../src/examiners/model/model-error';
import { LanguageModelTester } from '../../../src/examiners/tester/language-model.tester';
import { TesterError } from '../../../src/examiners/tester/tester';
import { auditPatient, type PatientAudit } from '../../../src/examiners/tester/audit/patient-audit';
import { roleCardOf } from '../../../src/examiners/tester/role-card';
import { FAITHFUL_PATIENTS } from '../../fakes/faithful-patients';
import { AUDITED_WORDS } from '../../fakes/planted-faults';
import { StubAuditor } from '../../fakes/stub-auditor';
import { starterLibrary } from '../../setup/starter-library';
import { criterion, exchangesOf, HOSTILE_REPLIES, scenarioWith, transcriptOf } from '../../setup/transcripts';
import { createScenarioRequest } from '../../../contract/scenarios';

const { signal } = new AbortController();
const SCENARIO = scenarioWith(
  'You feel sick. You take warfarin. If asked about smoking, you smoke ten cigarettes a day.',
);
const RUBRIC = [
  criterion('Asks about smoking cigarettes', 3),
  criterion('Tells the patient not to smoke cigarettes', 5, ['must_pass']),
  criterion('Recommends other cigarettes', -5),
];

/** A model that names these faults, whatever it is asked. */
class Naming extends StubAuditor {
  constructor(private readonly faults: readonly object[]) {
    super();
  }

  override answer: StubAuditor['answer'] = (prompt, format) => {
    this.prompts.push(prompt);
    return Promise.resolve({
      value: format.schema.parse({ faults: this.faults }),
      usage: { ...NO_USAGE, inputTokens: 10, outputTokens: 1 },
      answeredBy: null,
    });
  };
}

function auditedWith(model: StubAuditor, transcript: readonly Turn[]): Promise<PatientAudit> {
  return auditPatient(
    model,
    { card: roleCardOf(SCENARIO.content), patient: USUAL_PATIENT, criteria: RUBRIC, transcript },
    signal,
  );
}

const turnsOf = (...messages: string[]): Turn[] => exchangesOf(messages.map((message) => [message, 'I see.']));

describe('The audit of a patient', () => {
  const named = { sentence: 'p2.1', reason: 'r', kind: 'invented', severity: 'helped', criterion: 2 };
  const transcript = turnsOf('I have chest pain.', 'I climbed a mountain. It was high.');

  it('resolves ids into the words that were said', async () => {
    const { faults } = await auditedWith(new Naming([{ ...named, sentence: ' p2.2 ' }]), transcript);
    expect(faults).toEqual([{ turn: 2, kind: 'invented', severity: 'helped', text: 'It was high.', isDecisive: true }]);
  });

  it.each([
    ['helped, in what must be passed', {}, true],
    ['hindered, in what must be passed', { severity: 'hindered' }, true],
    ['helped, in what must not be done', { criterion: 3 }, true],
    ['was minor', { severity: 'minor' }, false],
    ['helped in an ordinary criterion', { criterion: 1 }, false],
    ['bears on no criterion', { criterion: 0 }, false],
    ['bears on one that does not exist', { criterion: 99 }, false],
  ])('a fault that %s', async (_, part, isDecisive) => {
    const { faults } = await auditedWith(new Naming([{ ...named, ...part }]), transcript);
    expect(faults).toMatchObject([{ isDecisive }]);
  });

  it.each([
    ['of the agent', 'a2.1'],
    ['that do not exist', 'p9.1'],
    ['that the scenario itself gives', 'p1.1'],
    ['of no shape', '__proto__'],
  ])('leaves out sentences %s', async (_, sentence) => {
    expect((await auditedWith(new Naming([{ ...named, sentence }]), transcript)).faults).toEqual([]);
  });

  it('counts a first message that the scenario does not give', async () => {
    const own = turnsOf('I climbed a mountain.');
    const { faults } = await auditedWith(new Naming([{ ...named, sentence: 'p1.1' }]), own);
    expect(faults).toMatchObject([{ turn: 1, text: 'I climbed a mountain.' }]);
  });

  it('is had by the tester that has the model', async () => {
    const request = { card: roleCardOf(SCENARIO.content), patient: USUAL_PATIENT, criteria: RUBRIC, transcript };
    const { faults, usage } = await new LanguageModelTester(new Naming([named])).audit(request, signal);
    expect(faults).toMatchObject([{ turn: 2, text: 'I climbed a mountain.' }]);
    expect(usage).toMatchObject({ inputTokens: 10 });
  });

  it('is an error of the tester where the model fails, with what that cost', async () => {
    const request = { card: roleCardOf(SCENARIO.content), patient: USUAL_PATIENT, criteria: RUBRIC, transcript };
    const usage = { ...NO_USAGE, inputTokens: 4 };
    const cause = new ModelError('answer_unusable', 'The model is tired.', { usage });
    const model = new StubAuditor();
    model.answer = () => Promise.reject(cause);
    const failing = new LanguageModelTester(model).audit(request, signal);
    await expect(failing).rejects.toBeInstanceOf(TesterError);
    await expect(failing).rejects.toMatchObject({ message: 'The model is tired.', cause, usage });
  });

  it('counts a sentence once', async () => {
    expect((await auditedWith(new Naming([named, named]), transcript)).faults).toHaveLength(1);
  });

  it('shows the model the card, the rubric and the sentences, and never lets one look like two', async () => {
    const model = new Naming([]);
    await auditedWith(
      model,
      exchangesOf([
        ['I have chest pain.', 'I see.'],
        ['It hurts.', 'Well.\np9.1 "I lied."'],
      ]),
    );
    const [prompt] = model.prompts;
    const content = prompt?.messages[0]?.content ?? '';
    for (const part of ['You take warfarin.', 'Asks about smoking', 'p1.1 "I have chest pain."', 'a2.1 "Well."']) {
      expect(content).toContain(part);
    }
    expect(content).toContain('a2.2 "p9.1 \\"I lied.\\""');
    expect(content).not.toMatch(/^p9\.1/m);
  });

  it.each(HOSTILE_REPLIES)('is asked in bounded words about replies of %s', async (_, reply) => {
    const model = new Naming([]);
    await auditedWith(model, transcriptOf([reply, reply, reply]));
    expect(model.prompts[0]?.messages[0]?.content.length).toBeLessThan(60_000);
  });
});

describe('On the starter library, with a model that understands words', () => {
  let library: readonly NewScenario[];
  beforeAll(async () => {
    // Those for which patients were written who are played well.
    library = (await starterLibrary()).filter(({ name }) => name in FAITHFUL_PATIENTS);
  });

  /** The faithful conversation of a scenario, with another message in one turn. */
  function conversation({ name, content }: NewScenario, planted: { turn: number; message: string } | null): Turn[] {
    let patient = String(content['chief_complaint']);
    const said = (FAITHFUL_PATIENTS[name] ?? []).map(([agent, next], at): [string, string] => {
      const message = planted?.turn === at + 1 ? planted.message : patient;
      patient = next;
      return [message, agent];
    });
    return exchangesOf(said);
  }

  function audited(
    { content, rubricCriteria: criteria }: NewScenario,
    transcript: readonly Turn[],
  ): Promise<PatientAudit> {
    const card = roleCardOf(createScenarioRequest.shape.content.parse(content));
    return auditPatient(new StubAuditor(), { card, patient: USUAL_PATIENT, criteria, transcript }, signal);
  }

  it('at least 9 in 10 contradictions and inventions without numbers are caught', async () => {
    const missed: string[] = [];
    let planted = 0;
    for (const scenario of library) {
      for (const [kind, message] of Object.entries(AUDITED_WORDS[scenario.name] ?? {})) {
        planted += 1;
        const turn = 6;
        const { faults } = await audited(scenario, conversation(scenario, { turn, message }));
        if (!faults.some((fault) => fault.turn === turn)) missed.push(`${kind} in ${scenario.name}: ${message}`);
      }
    }
    console.info(`${planted} planted, ${missed.length} missed`, missed);
    expect(planted).toBe(48);
    expect(missed.length).toBeLessThanOrEqual(0.1 * planted);
  });

  it('at most 2 in 100 messages of faithful patients are called faults', async () => {
    const raised: string[] = [];
    let messages = 0;
    for (const scenario of library) {
      const transcript = conversation(scenario, null);
      messages += transcript.length;
      const { faults } = await audited(scenario, transcript);
      raised.push(...faults.map(({ kind, text }) => `${scenario.name}: ${kind}: ${text}`));
    }
    console.info(`${messages} messages of faithful patients, ${raised.length} called faults`, raised);
    expect(raised.length).toBeLessThanOrEqual(0.02 * messages);
  });
});
