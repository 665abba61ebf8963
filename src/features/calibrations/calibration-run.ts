import { DEFAULT_PASS_THRESHOLD } from '../../domain';
import { namedUuid } from '../../domain/fingerprint';
import {
  IMPORTED,
  IN_TEXT,
  type ImportedConversation,
  type NewImportedRun,
  type ExaminerDocument,
} from '../../engine/ledger';
import { contentHashOf } from '../scenarios/scenario-revision';
import { toTurns } from './transcript-turns';
import type { LabelledItem } from '../../../contract/labelled-items';

/** Transcripts examined at once; each takes several calls side by side. */
const CONCURRENCY = 4;

export interface CalibrationPlan {
  /** Of the calibration and its run. */
  readonly id: string;
  readonly name: string;
  readonly judgeModel: string | null;
  readonly judge: ExaminerDocument;
  readonly items: readonly LabelledItem[];
  /** The seed of each repeat, from the first: repeats with the same seed see the criteria in the same order. */
  readonly seeds: readonly number[];
  /** The process that supervises it. */
  readonly owner: string;
}

/** The run of a calibration: every transcript is a scenario run of its own, once for each repeat, which are its trials. */
export function calibrationRunOf({
  id,
  name,
  judgeModel,
  judge,
  items,
  seeds,
  owner,
}: CalibrationPlan): NewImportedRun {
  const conversations = items.map((item) => conversationOf(id, item));
  return {
    id,
    test_run_id: `calibration_${id}`,
    name,
    // No agent has this id: whoever said what the transcripts hold is not examined.
    agent_id: id,
    agent_name: 'Labelled transcripts',
    agent_provider: IMPORTED,
    agent_version: null,
    agent_config: null,
    agent_config_hash: null,
    test_suite_id: null,
    trials: seeds.length,
    max_turns: Math.max(...conversations.map(({ turns }) => turns.length)),
    concurrency_limit: CONCURRENCY,
    pass_threshold: DEFAULT_PASS_THRESHOLD,
    region: null,
    ...IN_TEXT,
    tester_model: null,
    judge_model: judgeModel,
    scheduled_at: null,
    owner,
    calibrated_judge: judge,
    conversations: seeds.flatMap((seed, at) =>
      conversations.map(({ region, ...conversation }): ImportedConversation => {
        return { ...conversation, trial: at + 1, examination: { seed, region } };
      }),
    ),
  };
}

/** The judge is given no script, and no label. */
function conversationOf(calibrationId: string, { id, transcript, criteria, rubric_scale, region }: LabelledItem) {
  const scale = rubric_scale === undefined ? {} : { rubric_scale };
  const content = { script: '', demographics: {}, chief_complaint: '', ...scale };
  const rubric_criteria = criteria.map(({ criterion, points, tags, by_turn }) => ({
    criterion,
    points,
    tags,
    ...(by_turn === undefined ? {} : { by_turn }),
  }));
  return {
    scenarioId: namedUuid('labelled transcript', calibrationId, id),
    adHoc: {
      scenario: { name: id, content, rubric_criteria },
      contentHash: contentHashOf({ content, rubricCriteria: rubric_criteria }),
    },
    turns: toTurns(transcript),
    region: region ?? null,
  };
}
