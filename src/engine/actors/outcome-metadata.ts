import type { ScenarioRunMetadata, TurnMetadata } from '../../../contract/scenario-run-metadata';
import type { Notes, TurnRecord } from '../../domain';
import type { ExaminationRecord, JudgeErrorKind } from '../../examiners/judge';
import { sumOfUsage, type ModelUsage } from '../../examiners/model';
import type { GateFault } from '../../examiners/tester';
import type { ExaminerDocument, ExaminerPair } from '../ledger/run-examiners.store';
import type { CallFacts, SpokenNotes } from '../speech/spoken-call';
import type { PatientFacts } from './patient-record';

/** What is kept of an examiner. */
export interface Billed {
  readonly name: string;
  readonly model: string | null;
  readonly promptVersion: string | null;
}

/** The tester and the judge: kept in the metadata of every scenario run so that a score can be read together with who produced it. */
export interface NamedExaminers {
  readonly tester: Billed;
  readonly judge: Billed;
}

export function examinerMetadata(examiners: NamedExaminers) {
  const { tester, judge } = examinerPair(examiners);
  return { tester, judge, offline: tester.name === 'offline' || judge.name === 'offline' };
}

export function examinerPair({ tester, judge }: NamedExaminers): ExaminerPair {
  return { tester: documentOf(tester), judge: documentOf(judge) };
}

export function documentOf({ name, model, promptVersion }: Billed): ExaminerDocument {
  return { name, model, prompt_version: promptVersion };
}

/** What a conversation reports besides its turns. */
export interface ConversationFacts {
  /** Null when no session was opened. */
  readonly connectMs: number | null;
  /** Facts that the provider gathered until the session was closed. */
  readonly session: Notes;
  /** Null when nothing was examined. */
  readonly grading: Grading | null;
  readonly patient: PatientFacts;
  /** Null in text, and while the call has not ended. */
  readonly spoken: CallFacts | null;
}

export interface Grading {
  readonly ms: number;
  readonly record: ExaminationRecord;
  /** Why the judge came to no verdict; null when it came to one, or when something else ended the grading. */
  readonly failure: JudgeErrorKind | null;
}

export interface Outcome extends ConversationFacts {
  readonly provider: string;
  readonly examiners: NamedExaminers;
  readonly attempt: number;
  /** An earlier attempt held a conversation that this one did not continue. */
  readonly isRestarted: boolean;
  readonly turns: readonly TurnRecord[];
  /** A screenshot of the failure is stored with the scenario run. */
  readonly hasScreenshot: boolean;
}

/** Timings, token usage and doubts of one scenario run, over all attempts of its conversation. */
export function outcomeMetadata(outcome: Outcome): ScenarioRunMetadata {
  const { turns, connectMs, session, grading } = outcome;
  const inDoubt = turns.filter(({ metadata }) => metadata['in_doubt'] === true).map(({ turn }) => turn);
  const examiners = examinerMetadata(outcome.examiners);
  const record = grading?.record;
  const played = turns.map(testerUsageOf).reduce(sumOfUsage, outcome.patient.usage);
  return {
    provider: outcome.provider,
    ...examiners,
    ...(played.calls > 0 && { tester: { ...examiners.tester, answered_by: [...played.answeredBy] } }),
    ...(record && { judge: { ...examiners.judge, answered_by: [...record.answeredBy], seed: record.seed } }),
    attempts: outcome.attempt,
    ...(outcome.isRestarted ? { conversation_restarted: true } : {}),
    ...(inDoubt.length > 0 ? { in_doubt_turns: inDoubt } : {}),
    usage: {
      tester: usageDocument(played),
      judge: record === undefined ? null : usageDocument(record.usage),
      agent: sumOfAgentUsage(turns),
    },
    timings: {
      connect_ms: connectMs === null ? null : rounded(connectMs),
      turns: turns.map(({ turn, latencyMs, metadata }) => ({
        turn,
        tester_ms: numberIn(metadata, 'tester_ms'),
        agent_ms: latencyMs === null ? null : rounded(latencyMs),
      })),
      ...(outcome.patient.auditMs === null ? {} : { audit_ms: rounded(outcome.patient.auditMs) }),
      grading_ms: grading === null ? null : rounded(grading.ms),
    },
    ...patientMetadata(outcome.patient, turns),
    ...(record && gradingMetadata(record)),
    ...flagMetadata(record ?? null, turns),
    ...(grading?.failure ? { judge_failure: grading.failure } : {}),
    ...(Object.keys(session).length > 0 ? { session } : {}),
    ...(outcome.hasScreenshot ? { screenshot: true } : {}),
    ...(outcome.spoken === null ? {} : { spoken: outcome.spoken }),
  };
}

/** Kept with the turn whose message the tester wrote. */
export function testerNotes(ms: number, usage: ModelUsage, mended: readonly GateFault[]): TurnMetadata {
  const answered = { answered_by: [...usage.answeredBy] };
  return { tester_ms: rounded(ms), tester_usage: { ...usageDocument(usage), ...answered }, ...mendedNotes(mended) };
}

/**
 * Kept with the turn.
 * @param inDoubt it may have been sent before, by an attempt that did not record it (invariant 5)
 * @param spoken absent in text
 */
export function agentNotes(agent: Notes, inDoubt: boolean, spoken?: SpokenNotes): TurnMetadata {
  return {
    ...(Object.keys(agent).length > 0 ? { agent } : {}),
    ...(inDoubt ? { in_doubt: true } : {}),
    ...(spoken === undefined ? {} : { spoken }),
  };
}

/** Tokens of the cache are a part of the input's. */
function usageDocument({ calls, inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, costUsd }: ModelUsage) {
  return {
    calls,
    input_tokens: inputTokens,
    cache_read_tokens: cacheReadTokens,
    cache_write_tokens: cacheWriteTokens,
    output_tokens: outputTokens,
    cost_usd: costUsd,
  };
}

function testerUsageOf({ metadata }: TurnRecord): ModelUsage {
  const usage = metadata['tester_usage'];
  return {
    calls: numberIn(usage, 'calls'),
    answeredBy: textsIn(usage, 'answered_by'),
    inputTokens: numberIn(usage, 'input_tokens'),
    cacheReadTokens: numberIn(usage, 'cache_read_tokens'),
    cacheWriteTokens: numberIn(usage, 'cache_write_tokens'),
    outputTokens: numberIn(usage, 'output_tokens'),
    costUsd: isDocument(usage) && usage['cost_usd'] === null ? null : numberIn(usage, 'cost_usd'),
  };
}

/** Adds up the `usage` numbers that providers report per reply (OpenAI's prompt_tokens and so on). */
function sumOfAgentUsage(turns: readonly TurnRecord[]): Record<string, number> | null {
  const sums = new Map<string, number>();
  for (const { metadata } of turns) {
    const { agent } = metadata;
    const usage = isDocument(agent) ? agent['usage'] : null;
    if (!isDocument(usage)) continue;
    for (const [key, value] of Object.entries(usage)) {
      if (typeof value === 'number') sums.set(key, (sums.get(key) ?? 0) + value);
    }
  }
  return sums.size === 0 ? null : Object.fromEntries(sums);
}

function isDocument(value: unknown): value is Notes {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function numberIn(value: unknown, key: string): number {
  const found = isDocument(value) ? value[key] : undefined;
  return typeof found === 'number' ? found : 0;
}

function textsIn(value: unknown, key: string): readonly string[] {
  const found = isDocument(value) ? value[key] : undefined;
  return Array.isArray(found) ? found.filter((text) => typeof text === 'string') : [];
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** Sentences kept for the reviewer of a flagged conversation. */
const MOST_SENTENCES = 20;

/** What is kept of how the transcript was examined, beside a verdict or beside the failure to come to one. */
export function gradingMetadata({
  calls,
  votes,
  controls,
  unread,
  addressedToExaminer,
}: ExaminationRecord): ScenarioRunMetadata {
  return {
    judge_calls: calls,
    judge_votes: votes,
    judge_controls: { ...controls },
    ...(unread.length === 0 ? {} : { judge_unread: [...unread] }),
    ...(addressedToExaminer.length > 0 ? { examiner_addressed: addressedToExaminer.slice(0, MOST_SENTENCES) } : {}),
  };
}

/**
 * The reasons to review the conversation; none of them alters the verdict.
 * @param record null when nothing was examined
 */
export function flagMetadata(
  record: ExaminationRecord | null,
  turns: readonly (Pick<TurnRecord, 'agentMessage'> & Partial<Pick<TurnRecord, 'metadata'>>)[],
): ScenarioRunMetadata {
  const flags = [
    ...(record !== null && record.addressedToExaminer.length > 0 ? ['examiner_addressed'] : []),
    // A sentence that no reading covered may hold what was found absent.
    ...(record !== null && record.unread.length > 0 ? ['judge_unread'] : []),
    ...(isSameReply(turns) ? ['same_reply'] : []),
    // Words that were left out because they were doubted may be those that were missed.
    ...(turns.some(isDoubtful) ? ['heard_doubtful'] : []),
  ];
  return flags.length > 0 ? { flags } : {};
}

/** An agent that says the same whatever it is told has most likely not heard the conversation: it was examined without a session. */
function isSameReply(turns: readonly Pick<TurnRecord, 'agentMessage'>[]): boolean {
  const [first, ...others] = turns;
  if (first === undefined || others.length === 0) return false;
  const reply = first.agentMessage.trim();
  return others.every(({ agentMessage }) => agentMessage.trim() === reply);
}

/** Words of a spoken reply were left out, because the examiner's ear may have made them up. */
function isDoubtful({ metadata }: Partial<Pick<TurnRecord, 'metadata'>>): boolean {
  const spoken = metadata?.['spoken'];
  return isDocument(spoken) && spoken['heard_doubtful'] === true;
}

/** Faults kept for the reviewer. */
const MOST_FAULTS = 50;
const MAX_TEXT = 500;

/** What is kept of the patient of a scenario run: its faults, and how often a message had to be written again. */
function patientMetadata({ faults, audit }: PatientFacts, turns: readonly TurnRecord[]): ScenarioRunMetadata {
  const retries = turns.filter(({ metadata }) => metadata['patient_mended'] !== undefined).length;
  return {
    ...(audit === null ? {} : { patient_audit: audit }),
    ...(faults.length > 0 ? { patient_faults: faults.slice(0, MOST_FAULTS).map(shortened) } : {}),
    ...(retries > 0 ? { patient_retries: retries } : {}),
  };
}

/** Kept with the turn whose message was written twice: what was wrong with the first one. */
function mendedNotes(mended: readonly GateFault[]): TurnMetadata {
  return mended.length > 0 ? { patient_mended: mended.slice(0, MOST_FAULTS).map(shortened) } : {};
}

function shortened<Fault extends GateFault>(fault: Fault): Fault {
  return { ...fault, text: fault.text.slice(0, MAX_TEXT).toWellFormed() };
}
