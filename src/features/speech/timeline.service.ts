import { Injectable, NotFoundException } from '@nestjs/common';
import { RECORDING_RATE, type SpokenTimeline } from '../../../contract/recordings';
import { turnTakingOf } from '../../engine/audio';
import { sentenceSpans } from '../../examiners/rules';
import type { StoredTurn } from '../../engine/ledger';
import {
  floorOf,
  isDoubted,
  MOST_CHARACTERS,
  redFlagIn,
  spokenEntryOf,
  spokenIn,
  timelineOf,
  type MeasuredInput,
} from '../../engine/measures';
import { othersTurn } from '../../platform/concurrency';
import { ScenarioRunsStore } from '../runs/scenario-runs.store';
import { accountAgainst } from './account-against-sound';
import { inputOf } from './measured-input';
import { RecordingsService } from './recordings.service';
import type { Recording } from './recordings.store';
import { SpokenConversationsStore } from './spoken-conversations.store';

const PARTLY =
  'Only the pieces that hold evidence of marks are kept (KEEP_RECORDINGS=evidence): what lies between them is silent in the file.';

/** Characters of a message in which sentences are looked for. */
const LONGEST_READ = 100_000;

type Mark = SpokenTimeline['marks'][number];

/** Who said what when in a spoken conversation, and what of it can be heard. */
@Injectable()
export class TimelineService {
  constructor(
    private readonly recordings: RecordingsService,
    private readonly scenarioRuns: ScenarioRunsStore,
    private readonly conversations: SpokenConversationsStore,
  ) {}

  /** @throws NotFoundException where there is no such scenario run, or it was in text */
  async find(scenarioRunId: string): Promise<SpokenTimeline> {
    const conversation = await this.recordings.conversationOf(scenarioRunId);
    const { id, modality, start_ms, timing_error_ms, status } = conversation;
    const [turns, [measurable]] = await Promise.all([
      this.scenarioRuns.turnsOf([id]).then((found) => found.get(id) ?? []),
      this.conversations.read([id], { turn: MOST_CHARACTERS, card: 0 }),
    ]);
    const found = await this.recordings.kept(conversation);
    // A run that was being cleared away has no turns any more.
    if ((await this.scenarioRuns.find(id)) === null) throw new NotFoundException('Scenario run not found');
    const isUnderWay = status === 'pending' || status === 'running';
    const state = isUnderWay ? 'under_way' : found === null ? 'none' : conversation.is_pruned ? 'partly' : 'kept';
    const notes: Readonly<Record<typeof state, () => string | null>> = {
      under_way: () => 'The recording can be heard when the conversation has ended.',
      none: () => this.recordings.reasonFor(conversation),
      partly: () => PARTLY,
      kept: () => null,
    };
    const input = measurable === undefined ? null : inputOf(measurable);
    const entries: SpokenTimeline['entries'] = [];
    for (const turn of turns) {
      // Words of many turns are compared: others' requests come in between.
      await othersTurn();
      entries.push(...entriesOf(turn, input?.language ?? 'en'));
    }
    return {
      scenario_run_id: id,
      modality,
      start_ms,
      timing_error_ms,
      recording: {
        state,
        ends_ms: found === null ? null : msOf(found.end),
        kept: found === null ? [] : stretchesOf(found),
        note: notes[state](),
      },
      entries,
      marks: input === null ? [] : marksOf(input),
    };
  }
}

function entriesOf(
  { turn, patientMessage, agentMessage, metadata }: StoredTurn,
  language: string,
): SpokenTimeline['entries'] {
  const kept = spokenIn(metadata);
  if (kept === null) return [];
  const [patient, agent] = [spokenEntryOf('patient', kept), spokenEntryOf('agent', kept)];
  const sound = kept.inaudible ? '' : (kept.heard ?? agentMessage);
  return [
    {
      ...{ turn, role: 'patient', content: patientMessage, spoken: patient },
      ...{ sentences: worded(patientMessage, patient.sentences), account: null },
    },
    {
      ...{ turn, role: 'agent', content: agentMessage, spoken: agent },
      sentences: worded(agentMessage, agent.sentences),
      account: kept.own === null || isDoubted(kept.heard_doubtful) ? null : accountAgainst(sound, kept.own, language),
    },
  ];
}

/** Sentences with their words. They are numbered as the judge numbers them: `s1` is the first one of the text. */
function worded(
  content: string,
  timed: SpokenTimeline['entries'][number]['spoken']['sentences'],
): SpokenTimeline['entries'][number]['sentences'] {
  if (timed.length === 0) return [];
  const byPlace = new Map(timed.map((sentence) => [sentence.id.slice(1), sentence]));
  return sentenceSpans(content.slice(0, LONGEST_READ)).flatMap(({ start, end }, place) => {
    const sentence = byPlace.get(String(place + 1));
    return sentence === undefined ? [] : [{ ...sentence, text: content.slice(start, end) }];
  });
}

/** Where either track has a piece, in order and apart. The pieces are in the order of their first samples. */
function stretchesOf({ pieces }: Recording): SpokenTimeline['recording']['kept'] {
  const stretches: { from_ms: number; to_ms: number }[] = [];
  for (const { first_sample: first, samples } of pieces) {
    const last = stretches.at(-1);
    const [from_ms, to_ms] = [msOf(first), msOf(first + samples)];
    if (last !== undefined && from_ms <= last.to_ms) last.to_ms = Math.max(last.to_ms, to_ms);
    else stretches.push({ from_ms, to_ms });
  }
  return stretches;
}

function msOf(samples: number): number {
  return Math.round((samples * 1_000) / RECORDING_RATE);
}

/**
 * What happened at one moment of a conversation, by the definitions of the measures, in the order of the call. Nothing of it rests on how
 * the conversation was marked: those who review blind see it too.
 */
function marksOf(input: MeasuredInput): Mark[] {
  const timeline = timelineOf(input);
  const { answers, interjections } = turnTakingOf(timeline);
  const marks: Mark[] = [];
  const none = { outcome: null, after_ms: null };
  let interjected = 0;
  for (const [at, { turn, spoken }] of input.turns.entries()) {
    const answer = answers[at];
    if (answer?.kind === 'premature') {
      marks.push({ kind: 'premature_start', turn, from_ms: answer.at, to_ms: spoken.to_ms, ...none });
    }
    if (spoken.interjection === null) continue;
    const { kind, from_ms, to_ms } = spoken.interjection;
    const became = interjections[interjected++];
    marks.push({ kind, turn, from_ms, to_ms, outcome: became?.outcome ?? null, after_ms: became?.afterMs ?? null });
  }
  for (const { from, to } of floorOf(input, timeline).deadAir) {
    const turn = input.turns.findLast(({ spoken }) => spoken.from_ms <= from)?.turn ?? 1;
    marks.push({ kind: 'dead_air', turn, from_ms: from, to_ms: to, ...none });
  }
  const flag = redFlagIn(input.turns, input.redFlags);
  if (flag?.since === 'red_flag') {
    marks.push({ kind: 'red_flag', turn: flag.turn, from_ms: flag.from, to_ms: flag.to, ...none });
  }
  return marks.toSorted((one, other) => one.from_ms - other.from_ms);
}
