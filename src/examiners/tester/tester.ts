import type { Turn, PatientProfile, RubricCriterion, ScenarioContent } from '../../domain';
import type { Caller } from '../../platform/access';
import { ExaminerPool } from '../model/examiner-pool';
import type { AdapterHealth } from '../model/language-model';
import { NO_USAGE, type ModelUsage } from '../model/model-usage';
import type { AuditRequest } from './audit/audit-prompt';
import type { PatientAudit } from './audit/patient-audit';
import type { PatientFault } from './patient-fault';
import type { RoleCard } from './role-card';

export interface PatientTurnRequest {
  readonly card: RoleCard;
  readonly patient: PatientProfile;
  readonly history: readonly Turn[];
  /** The turn to write, from 1. */
  readonly turn: number;
  readonly maxTurns: number;
  readonly greeting: string | null;
  /** Set when the first version of the message cannot be sent. */
  readonly refused: RefusedMessage | null;
}

/** A message that the gate refused, and why. */
export interface RefusedMessage {
  readonly content: string;
  /** In words addressed to its author. */
  readonly objection: string;
}

/** What the patient says next, and what writing it cost. */
export interface ComposedMessage {
  readonly content: string;
  readonly usage: ModelUsage;
}

/** Port: plays the standardized patient. */
export abstract class Tester {
  /** `offline`, or the vendor whose API is used. */
  abstract readonly name: string;
  /** Model identifier; null when no model is used. */
  abstract readonly model: string | null;
  /** A hash of the fixed texts of the prompts; null when no model is used. */
  abstract readonly promptVersion: string | null;
  abstract readonly health: AdapterHealth;
  /** @throws TesterError */
  abstract nextMessage(request: PatientTurnRequest, signal: AbortSignal): Promise<ComposedMessage>;
  /**
   * Checks what its patient said in a whole conversation; null when that is pointless: a patient who recites a script cannot stray.
   * @throws TesterError
   */
  abstract audit(request: AuditRequest, signal: AbortSignal): Promise<PatientAudit | null>;
}

/** The tester could not write the next message: an error of the harness, never of the agent. */
export class TesterError extends Error {
  override readonly name = 'TesterError';
  /** What the patient did wrong, when that is why. */
  readonly faults: readonly PatientFault[];
  /** The usage of calls whose messages were not used. */
  readonly usage: ModelUsage;

  constructor(
    message: string,
    { faults = [], usage = NO_USAGE, ...options }: ErrorOptions & Partial<Pick<TesterError, 'faults' | 'usage'>> = {},
  ) {
    super(message, options);
    this.faults = faults;
    this.usage = usage;
  }
}

export interface GenerationRequest {
  readonly text: string;
  /** `one` makes the single most important case, `all` one for each case in the text. */
  readonly extent: 'one' | 'all';
}

export interface GeneratedScenario {
  readonly name: string;
  readonly category: string;
  readonly content: ScenarioContent;
  readonly rubricCriteria: readonly RubricCriterion[];
}

/** Port: turns clinical text into scenarios. */
export abstract class ScenarioGenerator {
  abstract readonly name: string;
  /**
   * @param caller whose request asks for it
   * @returns none when the text states no rule to examine
   * @throws TesterError when the model fails, or its answer stays unusable after one repair; LineFull when too much of the caller waits already
   */
  abstract generate(
    request: GenerationRequest,
    signal: AbortSignal,
    caller: Caller,
  ): Promise<readonly GeneratedScenario[]>;
}

/** The testers of this process; also the injection token. */
export class Testers extends ExaminerPool<Tester> {}
