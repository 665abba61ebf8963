import type { Turn } from '../../../src/domain/conversation';
import { USUAL_PATIENT } from '../../../src/domain/patient';
import type { NewScenario } from '../../../src/features/scenarios/scenarios.store';
import type { GateFault, GateRequest } from '../../../src/examiners/tester/gate/gate-request';
import { faultsOf, objectionTo } from '../../../src/examiners/tester/gate/message-gate';
import { roleCardOf } from '../../../src/examiners/tester/role-card';
import { FAITHFUL_PATIENTS } from '../../fakes/faithful-patients';
import { plantedFaults } from '../../fakes/planted-faults';
import { starterLibrary } from '../../setup/starter-library';
import { exchangesOf, scenarioWith, transcriptOf } from '../../setup/transcripts';
import { createScenarioRequest } from '../../../contract/scenarios';

const CARD = roleCardOf(
  scenarioWith(
    `The pain started two hours ago. It feels like a weight, eight out of ten. You take 5 mg of bisoprolol. You were in hospital in
     March for a week. You feel sick. If asked about smoking, you smoke at parties. If asked about other medicines, you take warfarin.
     If asked about earlier illnesses, you have asthma. You use a blue inhaler.`,
  ).content,
);

function kindsOf(message: string, part: Partial<GateRequest> = {}): string[] {
  const history = transcriptOf(['I see.'], 'I have chest pain.');
  const request = {
    message,
    card: CARD,
    patient: USUAL_PATIENT,
    criteria: ['Tells the patient to call emergency services now'],
    greeting: null,
    history,
  };
  return faultsOf({ ...request, ...part }).map(({ kind }) => kind);
}

const after = (...replies: string[]): Partial<GateRequest> => ({
  history: transcriptOf(replies, 'I have chest pain.'),
});

describe('Numbers, doses, medicines and days', () => {
  it.each([
    ['It began 2 hours ago.'],
    ['It started 120 minutes ago.'],
    ["I'd say 8."],
    ['Eight out of 10, I guess.'],
    ['I am 58 years old.'],
    ["I'm fifty-eight."],
    ['I take bisoprolol, five milligrams.'],
    ['In March I was in hospital, seven days.'],
    ['I was in for a week in March.'],
    ['Should I call 911?'],
    ['One of them hurts. This one.'],
    ['I am 100% sure.'],
    ['I feel a hundred percent sure about vitamin B12.'],
    ['I need help 24/7.'],
    ['My husband may march off soon.'],
    ['It is the worst in the morning today.'],
  ])('that the script says, in other forms or as ways of speaking: "%s"', (message) => {
    expect(kindsOf(message)).toEqual([]);
  });

  it.each([
    ['It began three hours ago.'],
    ['It began 2 days ago.'],
    ['It began half an hour ago.'],
    ['It is nine out of ten.'],
    ['I take 10 mg of bisoprolol.'],
    ['I take 5 grams of bisoprolol.'],
    ['I took an ibuprofen.'],
    ['I am on perindopril.'],
    ['I was in hospital in June.'],
    ['It began on Tuesday.'],
    ['I have had it since yesterday.'],
    ['I am 61 years old.'],
    ['I have thirty-two of them.'],
    ['I was there for a month.'],
  ])('that nobody has said: "%s"', (message) => {
    expect(kindsOf(message)).toContain('invented');
  });

  it.each([
    ['So 15 minutes, all right.', 'Take 15 g of sugar and check again in fifteen minutes.'],
    ['No, I have not taken aspirin.', 'Have you taken aspirin?'],
    ['Yes, since Tuesday.', 'Was it on Monday or Tuesday?'],
    ['Tylenol, you mean?', 'You may take paracetamol.'],
  ])('that the agent has said: "%s"', (message, reply) => {
    expect(kindsOf(message)).toContain('invented');
    expect(kindsOf(message, after(reply))).toEqual([]);
  });

  it('that the patient has said first are known, those that the patient has made up later are not', () => {
    const said = {
      history: exchangesOf([
        ['I have had it for 6 weeks.', 'I see.'],
        ['It lasts 40 minutes.', 'Hm.'],
      ]),
    };
    expect(kindsOf('For 6 weeks, as I said.', said)).toEqual([]);
    expect(kindsOf('For 40 minutes, as I said.', said)).toEqual(['invented']);
  });
});

describe('What the script keeps back until asked for', () => {
  it.each([
    ['I smoke a bit, at parties.', 'Do you smoke?'],
    ['I take warfarin.', 'Are you on any other medication?'],
    ['I have asthma.', 'Do you have any long-term conditions?'],
    ['I use a blue inhaler.', 'Any other illnesses before this?'],
  ])('is a fault before anybody touches it, and none after: "%s"', (message, question) => {
    expect(kindsOf(message)).toEqual(['volunteered']);
    expect(kindsOf(message, after(question))).toEqual([]);
  });

  it('is not touched by a question about medicines when it is none', () => {
    expect(kindsOf('I smoke a bit, at parties.', after('Are you on any other medication?'))).toEqual(['volunteered']);
  });

  it('may be a single word', () => {
    const card = roleCardOf(scenarioWith('You feel sick. If asked about hobbies, you juggle.').content);
    expect(kindsOf('I juggle.', { card })).toEqual(['volunteered']);
    expect(kindsOf('I juggle.', { card, ...after('Do you have any hobbies?') })).toEqual([]);
  });

  it('may be told in part, up to two words in five', () => {
    const card = roleCardOf(
      scenarioWith('If asked about hobbies, you mend clocks, harmoniums, bicycles, gramophones.').content,
    );
    expect(kindsOf('I saw clocks and bicycles.', { card })).toEqual(['volunteered']);
    const more = roleCardOf(
      scenarioWith('If asked about hobbies, you mend clocks, harmoniums, bicycles, gramophones and typewriters.')
        .content,
    );
    expect(kindsOf('I saw clocks and bicycles.', { card: more })).toEqual([]);
  });

  it('leaves alone what stands before the first "If asked"', () => {
    expect(kindsOf('I feel sick, and it feels like a weight.')).toEqual([]);
  });
});

describe('A patient who leaves the role', () => {
  it('does not where the script has the same words', () => {
    const card = roleCardOf(scenarioWith('You feel sick. Your brother said: My advice is to wait.').content);
    expect(kindsOf('My advice is to wait.')).toEqual(['role_reversal']);
    expect(kindsOf('My advice is to wait.', { card })).toEqual([]);
  });

  it.each([
    ['Should I call an ambulance?'],
    ['What should I do now? You should know, you are the doctor.'],
    ['My neighbour said you should rest with this.'],
    ['Please help me.'],
    ['Can you tell me if it is serious?'],
    ["I'm sorry, I do not know."],
    ['Thank you for your help.'],
    ['Please tell me what it is.'],
    ['Do you think it is my heart?'],
    ['I need to lie down.'],
    ['Have you seen this before?'],
  ])('is not one who says "%s"', (message) => {
    expect(kindsOf(message)).toEqual([]);
  });

  it('may repeat a question of the agent in disbelief', () => {
    expect(kindsOf('Do you have any allergies?', after('Do you have any allergies?'))).toEqual([]);
    expect(kindsOf('Do you have any allergies?')).toEqual(['role_reversal']);
  });
});

describe('Repetitions and words of the rubric', () => {
  it('is found word for word, or with other marks and capitals', () => {
    const said = { history: transcriptOf(['I see.'], 'It feels like a heavy weight on me.') };
    expect(kindsOf('It feels like a heavy weight on me.', said)).toEqual(['repeated']);
    expect(kindsOf('it feels like a heavy weight on me!', said)).toEqual(['repeated']);
    expect(kindsOf('It feels like a weight.', said)).toEqual([]);
  });

  it('may say twice that there is nothing to say', () => {
    for (const message of [
      'No.',
      'I do not know.',
      'No, not that I know of.',
      'I have not noticed anything like that.',
    ]) {
      expect(kindsOf(message, { history: transcriptOf(['And?'], message) })).toEqual([]);
    }
  });

  it('finds a criterion, unless the agent said the same words', () => {
    const message = 'Tells the patient to call emergency services now.';
    expect(kindsOf(message)).toEqual(['rubric_spoken']);
    expect(kindsOf('Should I call emergency services now?')).toEqual([]);
    expect(kindsOf(message, after(message))).toEqual([]);
  });
});

describe('A patient who speaks another language', () => {
  const german = (message: string, replies: string[] = ['Aha.']): string[] =>
    kindsOf(message, { ...after(...replies), patient: { style: 'cooperative', language: 'de' } });

  it.each([
    ['Es hat vor 2 Stunden angefangen.'],
    ['Ich nehme 5 mg Bisoprolol.'],
    ['Ich bin 58 Jahre alt.'],
    ['Soll ich die 112 rufen?'],
    ['Ja, ich nehme Warfarin.'],
  ])('is held to the numbers and medicines of the script, whatever they count: "%s"', (message) => {
    expect(german(message)).toEqual([]);
  });

  it.each([['Es hat vor 3 Tagen angefangen.'], ['Ich habe Ibuprofen genommen.'], ['As an AI I cannot say.']])(
    'is caught in what is the same in all languages: "%s"',
    (message) => {
      expect(german(message)).toHaveLength(1);
    },
  );

  it('may repeat the numbers of the agent', () => {
    expect(german('3 Tage, ja.', ['Sind es 3 Tage?'])).toEqual([]);
  });
});

describe('On the starter library', () => {
  let library: readonly NewScenario[];
  beforeAll(async () => {
    // Those for which patients were written who are played well.
    library = (await starterLibrary()).filter(({ name }) => name in FAITHFUL_PATIENTS);
  });

  function held(scenario: NewScenario, history: readonly Turn[], message: string): readonly GateFault[] {
    const card = roleCardOf(createScenarioRequest.shape.content.parse(scenario.content));
    const criteria = scenario.rubricCriteria.map(({ criterion }) => criterion);
    return faultsOf({ message, card, patient: USUAL_PATIENT, criteria, greeting: null, history });
  }

  it('at most 2 in 100 messages of faithful patients are objected to', () => {
    const raised: string[] = [];
    let messages = 0;
    for (const scenario of library) {
      const said: [string, string][] = [];
      let before = String(scenario.content['chief_complaint']);
      for (const [agentMessage, patientMessage] of FAITHFUL_PATIENTS[scenario.name] ?? []) {
        said.push([before, agentMessage]);
        messages += 1;
        const faults = held(scenario, exchangesOf(said), patientMessage);
        if (faults.length > 0) raised.push(`${scenario.name}: ${patientMessage} ${JSON.stringify(faults)}`);
        before = patientMessage;
      }
    }
    console.info(`${messages} messages of faithful patients, ${raised.length} objected to`, raised);
    expect(messages).toBe(144);
    expect(raised.length).toBeLessThanOrEqual(0.02 * messages);
  });

  it('at least 9 in 10 planted faults are caught, of every kind', () => {
    const faults = plantedFaults(library);
    const counts = new Map<string, { planted: number; caught: number }>();
    const missed: string[] = [];
    for (const { kind, scenario: name, history, message } of faults) {
      const scenario = library.find((one) => one.name === name);
      if (scenario === undefined) throw new Error(`No scenario "${name}".`);
      const isCaught = held(scenario, history, message).some((fault) => fault.kind === kind);
      const count = counts.get(kind) ?? { planted: 0, caught: 0 };
      counts.set(kind, { planted: count.planted + 1, caught: count.caught + (isCaught ? 1 : 0) });
      if (!isCaught) missed.push(`${kind} in ${name}: ${message}`);
    }
    console.info('planted faults', Object.fromEntries(counts), missed);
    expect(faults.length).toBeGreaterThanOrEqual(100);
    expect([...counts].filter(([, { planted, caught }]) => caught < 0.9 * planted)).toEqual([]);
  });
});

describe('an objection', () => {
  it('quotes what a script or a model wrote without control characters, and not at length', () => {
    const text = `Call\u001b[2J\u202e an\r\nambulance ${'x'.repeat(1_000_000)}`;
    const objection = objectionTo([{ kind: 'role_reversal', severity: 'helped', text }]);
    expect(objection).toContain('"Call [2J an ambulance xxx');
    expect(objection).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(objection.length).toBeLessThan(500);
  });
});
