import { measured, type MeasuredInput } from '../../../src/engine/measures/measured-conversation';
import { measuredTurn, type MeasuredTurn } from '../../../src/engine/measures/measured-turn';
import { redFlagIn } from '../../../src/engine/measures/escalation';
import { keptTurn, type SpokenTurnGiven } from '../../setup/stored-spoken-run';

const turnOf = (turn: number, said: string, replied: string, spoken: SpokenTurnGiven['spoken']): MeasuredTurn => ({
  turn,
  said,
  replied,
  spoken: keptTurn(spoken),
});

const conversation = (turns: readonly MeasuredTurn[], given: Partial<MeasuredInput> = {}) =>
  measured({ turns, startMs: 0, card: '', redFlags: [], language: 'en', criteria: null, ...given });

const voice = (from_ms: number, to_ms: number) => ({ from_ms, to_ms });

describe('what is measured of a spoken conversation', () => {
  test('are the times between the two voices', () => {
    const { conversation: found, turns } = conversation([
      turnOf(1, 'One two three four.', 'Five six.', { ...voice(1_000, 3_000), agent: [voice(4_200, 6_200)] }),
      turnOf(2, 'Seven.', 'Eight.', { ...voice(8_000, 9_000), agent: [voice(8_700, 10_000)] }),
      turnOf(3, 'Nine.', 'Ten.', { ...voice(12_000, 13_000), agent: [voice(18_500, 19_500)] }),
    ]);
    expect(found).toMatchObject({
      turns: { spoken: 3, unreliable: 0, inaudible: 0 },
      latenciesMs: [1_200, 5_500],
      prematureStarts: { events: 3, hits: 1 },
      timeToFirstWordMs: 4_200,
      // 2 + 1.3 + 1 s of the agent, 4 s of the patient, of which 0.3 s together.
      floor: {
        agentMs: 4_300,
        patientMs: 4_000,
        overByPatientMs: 0,
        deadAir: [{ from: 13_000, to: 18_500 }],
        agentWords: 4,
        patientWords: 6,
      },
    });
    expect(found.floor.anyoneMs).toBeCloseTo(8_000, 6);
    expect(found.floor.overByAgentMs).toBeCloseTo(300, 6);
    expect(turns.map(({ answer }) => answer.kind)).toEqual(['answered', 'premature', 'answered']);
  });

  test('have what the patient said into an answer among its words, and no time to a first word that is ours', () => {
    const interrupted = turnOf(1, 'What do I take?', 'Two of these.', {
      ...voice(0, 1_000),
      agent: [voice(2_000, 8_000)],
      heard_by_agent: 'what do i take sorry wait a moment',
      interjection: {
        ...{ kind: 'interruption', ...voice(5_000, 6_000), reliable: true, agent_unfinished: true },
        words: 'Sorry, wait a moment.',
      },
    });
    const aside = turnOf(2, 'And then?', 'Rest.', {
      ...voice(12_000, 13_000),
      agent: [voice(14_000, 15_000)],
      heard_by_agent: 'i am on the phone and then',
      disturbances: [{ kind: 'aside', ...voice(12_000, 12_400) }],
    });
    const { conversation: found } = conversation([interrupted, aside], { startMs: null });
    expect(found.heardWords).toMatchObject({ turns: 1, words: 8, insertions: 0, deletions: 0, notMeasurable: 1 });
    expect(found.floor.patientWords).toBe(10);
    expect(found.timeToFirstWordMs).toBeNull();
  });

  test('time the answer to keys that were pressed, and find no words in them', () => {
    const keys = { keys: '75', sentences: [], ...voice(0, 300), agent: [voice(1_300, 3_000)], heard_by_agent: '' };
    const pressed = measuredTurn(1, '[presses 75]', 'Thank you.', keptTurn(keys));
    const spoken = turnOf(2, 'I take 75 mg of aspirin.', 'Good.', {
      ...voice(5_000, 6_000),
      agent: [voice(6_500, 7_000)],
      heard_by_agent: 'I take 75 mg of aspirin',
    });
    const { conversation: found, turns } = conversation([pressed, spoken], { card: 'You take 75 mg of aspirin.' });
    expect(found).toMatchObject({
      turns: { spoken: 2 },
      latenciesMs: [1_000, 500],
      heardWords: { turns: 1, substitutions: 0, deletions: 0, insertions: 0, notMeasurable: 0 },
      entities: { mentions: 2, errors: { events: 2, hits: 0 } },
      floor: { patientWords: 7 },
    });
    expect(turns.map(({ wordErrors, mentions }) => [wordErrors === null, mentions.length])).toEqual([
      [true, 0],
      [false, 2],
    ]);
    expect(redFlagIn([pressed, spoken], [])).toMatchObject({ turn: 2, since: 'first_turn' });
  });

  test('leave a turn that was disturbed on our side out of every figure, and count it', () => {
    const disturbed = turnOf(1, 'I take warfarin.', 'Yes.', {
      ...voice(0, 1_000),
      agent: [voice(9_000, 9_900)],
      heard_by_agent: 'I take nothing',
      timing_reliable: false,
      interjection: { kind: 'interruption', ...voice(9_100, 9_300), reliable: true, agent_unfinished: null },
    });
    const sound = turnOf(2, 'And aspirin.', 'Good.', {
      ...voice(12_000, 13_000),
      agent: [voice(13_700, 15_000)],
      heard_by_agent: 'and aspirin',
    });
    const { conversation: found } = conversation([disturbed, sound], { card: 'You take warfarin and aspirin.' });
    expect(found).toMatchObject({
      turns: { spoken: 2, unreliable: 1 },
      latenciesMs: [700],
      prematureStarts: { events: 1, hits: 0 },
      yieldsMs: [],
      heardWords: { turns: 1, words: 2, substitutions: 0, deletions: 0, insertions: 0, notMeasurable: 0 },
      entities: { mentions: 1, errors: { events: 1, hits: 0 } },
      floor: { agentMs: 1_300, patientMs: 1_000, deadAir: [] },
    });
  });

  test('say of what the agent does not tell that it is not known, and never that there were no errors', () => {
    const { conversation: found } = conversation(
      [turnOf(1, 'I take 15 mg of warfarin.', 'You take 50 mg.', { ...voice(0, 1_000), agent: [voice(2_000, 3_000)] })],
      { card: 'You take 15 mg of warfarin.' },
    );
    expect(found.heardWords).toMatchObject({ turns: 0, words: 0, notMeasurable: 1 });
    expect(found.entities).toMatchObject({ mentions: 2, notMeasurable: 2, errors: { events: 0, hits: 0 } });
    expect(found.ownAgainstHeard).toBeNull();
  });

  test('find the dose that was heard wrongly and said back wrongly', () => {
    const { turns } = conversation(
      [
        turnOf(1, 'I take 15 mg of warfarin.', 'So 50 mg of warfarin.', {
          ...voice(0, 1_000),
          agent: [voice(2_000, 3_000)],
          heard_by_agent: 'I take 50 mg of warfarin',
        }),
      ],
      { card: 'You take 15 mg of warfarin.' },
    );
    expect(turns[0]?.mentions).toMatchObject([
      { kind: 'medicine', outcome: 'heard', readBack: 'right' },
      { kind: 'dose', outcome: 'wrong', isUnrecovered: true, readBack: 'wrong' },
    ]);
  });

  test('compare the account of the agent with its sound, sentence by sentence', () => {
    const { conversation: found } = conversation([
      turnOf(1, 'Hello.', 'Take 15 mg.', {
        ...voice(0, 1_000),
        agent: [voice(2_000, 3_000)],
        own: 'Take 15 mg of aspirin. Call me tomorrow morning please.',
        heard: 'Take 50 mg of aspirin.',
      }),
    ]);
    expect(found.ownAgainstHeard).toMatchObject({
      sentences: { events: 2, hits: 1 },
      words: { turns: 1, words: 10, substitutions: 1, deletions: 5, insertions: 0 },
    });
    expect(found.ownAgainstHeard?.entities.hits).toBeGreaterThan(0);
  });

  const ESCALATES = {
    criterion: 'Tells the caller to call 911',
    tags: ['escalation', 'must_pass'],
    decision: 'MET',
    points: 5,
    max_points: 5,
    rationale: '',
    evidence: [{ turn: 2, quote: 'Call 911 now.' }],
  } as const;
  const TWO_TURNS = [
    turnOf(1, 'I feel sick.', 'Since when?', { ...voice(0, 1_000), agent: [voice(2_000, 3_000)] }),
    turnOf(2, 'Since noon. My arm hurts.', 'I see. Call 911 now.', {
      ...voice(5_000, 8_000),
      sentences: [
        { id: 'p1', ...voice(5_000, 6_000), words: 'since noon' },
        { id: 'p2', ...voice(6_400, 8_000), words: 'my arm hurts' },
      ],
      agent: [voice(9_000, 12_000)],
      agent_sentences: [
        { id: 's1', ...voice(9_000, 10_000), certain: true },
        { id: 's2', ...voice(10_500, 12_000), certain: false },
      ],
    }),
  ];

  test('time the help from the sentence with the red flag to the sentence that earns the criterion', () => {
    const found = conversation(TWO_TURNS, { criteria: [ESCALATES], redFlags: ['arm hurts'] });
    expect(found.conversation.escalation).toEqual({
      kind: 'measured',
      afterMs: 2_500,
      since: 'red_flag',
      certain: false,
    });
    const unnamed = conversation(TWO_TURNS, { criteria: [ESCALATES] });
    expect(unnamed.conversation.escalation).toMatchObject({ afterMs: 9_500, since: 'first_turn' });
  });

  test('tell a criterion that was not earned from one whose times are not known', () => {
    const kindOf = (criteria: MeasuredInput['criteria'], redFlags: readonly string[] = []) =>
      conversation(TWO_TURNS, { criteria, redFlags }).conversation.escalation.kind;
    expect(kindOf([{ ...ESCALATES, decision: 'NOT MET' }])).toBe('missed');
    expect(kindOf([{ ...ESCALATES, tags: ['escalation'] }])).toBe('none');
    expect(kindOf([{ ...ESCALATES, evidence: [{ turn: 2, quote: 'Call 112 now.' }] }])).toBe('not_measurable');
    expect(kindOf([ESCALATES], ['crushing chest pain'])).toBe('not_measurable');
    expect(kindOf(null)).toBe('none');
  });

  test('are not read of texts that no one says in a turn', () => {
    const hostile = '15 mg of warfarin at 5 pm. '.repeat(20_000);
    const { conversation: found } = conversation(
      [
        turnOf(1, 'I take 15 mg of warfarin.', hostile, {
          ...voice(0, 1_000),
          agent: [voice(2_000, 3_000)],
          own: hostile,
          heard: hostile,
          heard_by_agent: hostile,
        }),
      ],
      { card: hostile },
    );
    expect(found.heardWords).toMatchObject({ turns: 0, notMeasurable: 1 });
    expect(found.ownAgainstHeard).toBeNull();
  });
});
