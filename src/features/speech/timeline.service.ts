import { Injectable, NotFoundException } from '@nestjs/common';
import { RECORDING_RATE, type SpokenTimeline } from '../../../contract/recordings';
import type { StoredTurn } from '../../engine/ledger';
import { ScenarioRunsStore } from '../runs/scenario-runs.store';
import { RecordingsService } from './recordings.service';
import type { Recording } from './recordings.store';
import { spokenEntryOf, spokenIn } from '../../engine/measures';

const PARTLY =
  'Only the pieces that hold evidence of marks are kept (KEEP_RECORDINGS=evidence): what lies between them is silent in the file.';

/** Who said what when in a spoken conversation, and what of it can be heard. */
@Injectable()
export class TimelineService {
  constructor(
    private readonly recordings: RecordingsService,
    private readonly scenarioRuns: ScenarioRunsStore,
  ) {}

  /** @throws NotFoundException where there is no such scenario run, or it was in text */
  async find(scenarioRunId: string): Promise<SpokenTimeline> {
    const conversation = await this.recordings.conversationOf(scenarioRunId);
    const { id, modality, start_ms, timing_error_ms, status } = conversation;
    const turns = (await this.scenarioRuns.turnsOf([id])).get(id) ?? [];
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
      entries: turns.flatMap(entriesOf),
    };
  }
}

function entriesOf({ turn, patientMessage, agentMessage, metadata }: StoredTurn): SpokenTimeline['entries'] {
  const kept = spokenIn(metadata);
  if (kept === null) return [];
  return [
    { turn, role: 'patient', content: patientMessage, spoken: spokenEntryOf('patient', kept) },
    { turn, role: 'agent', content: agentMessage, spoken: spokenEntryOf('agent', kept) },
  ];
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
