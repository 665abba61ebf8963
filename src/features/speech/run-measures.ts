import { longestTolerated, type EntityKind, type TurnTaking } from '../../engine/audio';
import {
  BACKCHANNEL_OUTCOMES,
  LEAST_EVENTS,
  type SpeechEntities,
  type SpeechMeasures,
  type SpeechWords,
} from '../../../contract/speech-measures';
import { othersTurn } from '../../platform/concurrency';
import { rateFrom, ratioFrom, spreadFrom } from './estimates';
import type { EntityTally, MeasuredConversation, Tally, WordTally } from '../../engine/measures';

/** A conversation of the run, measured. */
export interface Part extends MeasuredConversation {
  readonly scenarioId: string;
}

type Figures = Pick<
  SpeechMeasures,
  | 'turns'
  | 'response_latency'
  | 'time_to_first_word'
  | 'premature_starts'
  | 'unanswered'
  | 'talked_through'
  | 'pause_tolerance'
  | 'yield'
  | 'yielded_in_time'
  | 'missed_interruptions'
  | 'backchannels'
  | 'false_yields'
  | 'talk_over'
  | 'dead_air'
  | 'talk_share'
  | 'words_a_minute'
  | 'heard_words'
  | 'entities'
  | 'own_against_heard'
  | 'time_to_escalation'
>;

/** The figures of a run from those of its conversations, each in a turn of its own: a run may have thousands. @param confidence 0..1 */
export async function figuresOf(parts: readonly Part[], confidence: number): Promise<Figures> {
  const sum = (of: (part: Part) => number): number => parts.reduce((total, part) => total + of(part), 0);
  const inTurn = async <Figure>(work: () => Figure): Promise<Figure> => {
    await othersTurn();
    return work();
  };
  const rate = (of: (part: Part) => Tally) =>
    inTurn(() =>
      rateFrom(
        parts.map((part) => ({ scenarioId: part.scenarioId, ...of(part) })),
        confidence,
      ),
    );
  const spread = (of: (part: Part) => readonly number[]) => inTurn(() => spreadFrom(parts.flatMap(of), confidence));
  const ratio = (share: (part: Part) => number, of: (part: Part) => number) =>
    inTurn(() =>
      ratioFrom(
        parts.map((part) => ({ scenarioId: part.scenarioId, share: share(part), of: of(part) })),
        confidence,
      ),
    );
  const anyone = ({ floor }: Part): number => floor.anyoneMs;
  const deadAir = parts.flatMap(({ floor }) => floor.deadAir.map(({ from, to }) => to - from));
  const [agentMs, patientMs] = [sum(({ floor }) => floor.agentMs), sum(({ floor }) => floor.patientMs)];
  return {
    turns: {
      spoken: sum(({ turns }) => turns.spoken),
      unreliable: sum(({ turns }) => turns.unreliable),
      inaudible: sum(({ turns }) => turns.inaudible),
    },
    response_latency: await spread(({ latenciesMs }) => latenciesMs),
    time_to_first_word: await spread(({ timeToFirstWordMs: ms }) => (ms === null ? [] : [ms])),
    premature_starts: await rate(({ prematureStarts }) => prematureStarts),
    unanswered: sum(({ unanswered }) => unanswered),
    talked_through: sum(({ talkedThrough }) => talkedThrough),
    pause_tolerance: await inTurn(() => toleranceOf(parts, confidence)),
    yield: await spread(({ yieldsMs }) => yieldsMs),
    yielded_in_time: await rate(({ yieldedInTime }) => yieldedInTime),
    missed_interruptions: sum(({ missedInterruptions }) => missedInterruptions),
    backchannels: backchannelsOf(parts),
    false_yields: await rate(({ falseYields }) => falseYields),
    talk_over: {
      by_agent: await ratio(({ floor }) => floor.overByAgentMs, anyone),
      by_patient: await ratio(({ floor }) => floor.overByPatientMs, anyone),
      spoken_ms: sum(anyone),
    },
    dead_air: {
      silences: deadAir.length,
      total_ms: deadAir.reduce((total, ms) => total + ms, 0),
      longest_ms: deadAir.length === 0 ? null : deadAir.reduce((longest, ms) => Math.max(longest, ms), 0),
    },
    talk_share: {
      agent: await ratio(
        ({ floor }) => floor.agentMs,
        ({ floor }) => floor.agentMs + floor.patientMs,
      ),
      agent_ms: agentMs,
      patient_ms: patientMs,
    },
    words_a_minute: {
      agent: aMinute(
        sum(({ floor }) => floor.agentWords),
        agentMs,
      ),
      patient: aMinute(
        sum(({ floor }) => floor.patientWords),
        patientMs,
      ),
    },
    heard_words: await inTurn(() => wordsOf(parts, ({ heardWords }) => heardWords, confidence)),
    entities: await inTurn(() => entitiesOf(parts, confidence)),
    own_against_heard: await inTurn(() => ownAgainstHeardOf(parts, confidence)),
    time_to_escalation: escalationOf(parts, confidence),
  };
}

function aMinute(words: number, ms: number): number | null {
  return ms === 0 ? null : (words * 60_000) / ms;
}

function toleranceOf(parts: readonly Part[], confidence: number): SpeechMeasures['pause_tolerance'] {
  const lengths = new Set(parts.flatMap(({ pauses }) => pauses.map(({ scriptedMs }) => scriptedMs)));
  const pauses = [...lengths]
    .sort((one, other) => one - other)
    .map((scripted_ms) => {
      const same = parts.flatMap(({ scenarioId, pauses: all }) =>
        all
          .filter(({ scriptedMs }) => scriptedMs === scripted_ms)
          .map(({ tolerated }) => ({ scenarioId, ...tolerated })),
      );
      return { scripted_ms, tolerated: rateFrom(same, confidence) };
    });
  const rates = pauses.map(({ scripted_ms, tolerated: { rate } }) => ({
    scriptedMs: scripted_ms,
    rate: rate?.value ?? null,
  }));
  return { tolerated_ms: longestTolerated(rates), pauses };
}

function backchannelsOf(parts: readonly Part[]): TurnTaking['backchannels'] {
  const sum = {
    talked_through: 0,
    paused_and_resumed: 0,
    gave_up: 0,
    finished: 0,
    unknown: 0,
    missed: 0,
    unreliable: 0,
  };
  for (const { backchannels } of parts) {
    for (const outcome of BACKCHANNEL_OUTCOMES) sum[outcome] += backchannels[outcome];
  }
  return sum;
}

function wordsOf(parts: readonly Part[], of: (part: Part) => WordTally, confidence: number): SpeechWords {
  const sum = { turns: 0, notMeasurable: 0, words: 0, substitutions: 0, deletions: 0, insertions: 0 };
  for (const part of parts) {
    const tally = of(part);
    for (const what of WORDS) sum[what] += tally[what];
  }
  const { notMeasurable: not_measurable, ...known } = sum;
  const error_rate = ratioFrom(
    parts.map((part) => {
      const { substitutions, deletions, insertions, words } = of(part);
      return { scenarioId: part.scenarioId, share: substitutions + deletions + insertions, of: words };
    }),
    confidence,
  );
  return { ...known, not_measurable, error_rate };
}

const WORDS = ['turns', 'notMeasurable', 'words', 'substitutions', 'deletions', 'insertions'] as const;

function entitiesOf(parts: readonly Part[], confidence: number): SpeechEntities | null {
  const read = parts.flatMap(({ scenarioId, entities }) => (entities === null ? [] : [{ scenarioId, entities }]));
  if (read.length === 0) return null;
  const rate = (of: (tally: EntityTally) => Tally) =>
    rateFrom(
      read.map(({ scenarioId, entities }) => ({ scenarioId, ...of(entities) })),
      confidence,
    );
  const ofKind = (kind: EntityKind) => rate(({ errorsByKind }) => errorsByKind[kind]);
  return {
    mentions: read.reduce((sum, { entities }) => sum + entities.mentions, 0),
    not_measurable: read.reduce((sum, { entities }) => sum + entities.notMeasurable, 0),
    errors: rate(({ errors }) => errors),
    unrecovered: rate(({ unrecovered }) => unrecovered),
    read_back: rate(({ readBack }) => readBack),
    errors_by_kind: {
      medicine: ofKind('medicine'),
      dose: ofKind('dose'),
      time: ofKind('time'),
      allergy: ofKind('allergy'),
    },
  };
}

const NO_WORDS: WordTally = { substitutions: 0, deletions: 0, insertions: 0, words: 0, turns: 0, notMeasurable: 0 };
const NONE: Tally = { events: 0, hits: 0 };

function ownAgainstHeardOf(parts: readonly Part[], confidence: number): SpeechMeasures['own_against_heard'] {
  if (parts.every(({ ownAgainstHeard }) => ownAgainstHeard === null)) return null;
  const rate = (what: 'sentences' | 'entities') =>
    rateFrom(
      parts.map(({ scenarioId, ownAgainstHeard }) => ({ scenarioId, ...(ownAgainstHeard?.[what] ?? NONE) })),
      confidence,
    );
  return {
    words: wordsOf(
      parts,
      ({ ownAgainstHeard, turns }) =>
        ownAgainstHeard?.words ?? { ...NO_WORDS, notMeasurable: turns.spoken - turns.unreliable },
      confidence,
    ),
    sentences_not_heard: rate('sentences'),
    entities_not_heard: rate('entities'),
  };
}

function escalationOf(parts: readonly Part[], confidence: number): SpeechMeasures['time_to_escalation'] {
  const all = parts.map(({ escalation }) => escalation);
  const found = all.flatMap((one) => (one.kind === 'measured' ? [one] : []));
  return {
    ...spreadFrom(
      found.map(({ afterMs }) => afterMs),
      confidence,
    ),
    missed: all.filter(({ kind }) => kind === 'missed').length,
    not_measurable: all.filter(({ kind }) => kind === 'not_measurable').length,
    since_first_turn: found.filter(({ since }) => since === 'first_turn').length,
    uncertain: found.filter(({ certain }) => !certain).length,
  };
}

/** What the figures cannot tell, in sentences. */
export function notMeasurableIn(
  figures: Figures,
  { hasEar, timingErrorMs }: { readonly hasEar: boolean; readonly timingErrorMs: number | null },
): string[] {
  const { turns, heard_words: heard, entities, own_against_heard: own, time_to_escalation: escalation } = figures;
  const sentences: (string | false)[] = [
    turns.spoken === 0 && 'No turn was spoken yet.',
    turns.unreliable > 0 &&
      `${turns.unreliable} of ${turns.spoken} turns were disturbed on our side: they are in no figure.`,
    timingErrorMs === null &&
      'The error of the times is not known: osce speech calibrate measures it, and SPEECH_TIMING_ERROR_MS tells the service.',
    figures.time_to_first_word.events === 0 &&
      turns.spoken > 0 &&
      'The time to the first word is not known: rooms do not tell when the agent could first hear the patient.',
    heard.turns === 0 && turns.spoken > 0 && 'What the agent heard is not known: it does not tell.',
    heard.turns > 0 &&
      heard.not_measurable > 0 &&
      `What the agent heard is not known of ${heard.not_measurable} turns.`,
    entities === null && turns.spoken > 0 && 'Medicines, doses, times and allergies are read in English only.',
    entities !== null &&
      entities.not_measurable > 0 &&
      `Whether the agent heard them rightly is not known of ${entities.not_measurable} of ${entities.mentions} medicines, doses, times and allergies that were said.`,
    !hasEar &&
      'No ear is set (TRANSCRIPTION_URL): the agent’s own account of its words was marked, where it had a voice.',
    hasEar &&
      own === null &&
      turns.spoken > 0 &&
      'The agent gives no account of its words in text: there is nothing to compare its sound with.',
    escalation.not_measurable > 0 &&
      `The time to escalation is not known of ${escalation.not_measurable} conversations: the times of the words are not.`,
    turns.spoken > 0 &&
      figures.response_latency.events < LEAST_EVENTS &&
      `There are fewer than ${LEAST_EVENTS} timed answers: they are counted, and no rate or percentile is made of them.`,
  ];
  return sentences.filter((sentence) => sentence !== false);
}
