import type { Verdict } from '../../machines/rubric';
import type { Unread } from '../judge/judge';
import type { JsonObject } from '../persistence/ledger/scenario-run.changes';
import type { StoredTurn } from '../persistence/ledger/execution-record';
import { NO_USAGE, sumOfUsage, type ModelUsage } from '../model/model-usage';

interface Named {
  readonly name: string;
  readonly model: string | null;
}

/** Who plays and judges: kept in the metadata of every scenario run so that a number can be read with its makers. */
export interface Cast {
  readonly tester: Named;
  readonly judge: Named;
}

export function castMetadata({ tester, judge }: Cast): JsonObject {
  return {
    tester: { name: tester.name, model: tester.model },
    judge: { name: judge.name, model: judge.model },
    offline: tester.name === 'offline' || judge.name === 'offline',
  };
}

interface TurnNotes {
  readonly turn: number;
  readonly testerMs: number;
  readonly agentMs: number;
  readonly testerUsage: ModelUsage;
  readonly agent: JsonObject;
  /** The turn may have been sent before by an attempt that died before recording it (invariant 5). */
  readonly inDoubt: boolean;
}

/** Timings, token usage and doubts of one scenario run, gathered turn by turn and over its attempts. */
export class ExecutionJournal {
  private readonly turns: TurnNotes[] = [];
  private connectMs: number | null = null;
  private gradingMs: number | null = null;
  private judgeUsage: ModelUsage | null = null;
  private judgeCalls = 0;
  private judgeUnread: readonly Unread[] = [];
  private session: JsonObject = {};
  private hasScreenshot = false;

  constructor(
    private readonly provider: string,
    private readonly cast: Cast,
    private readonly attempt: number,
    private readonly isRestarted: boolean,
    earlier: readonly StoredTurn[],
  ) {
    for (const turn of earlier) this.turns.push(notesFromStored(turn));
  }

  /** A screenshot of the failure is stored beside the scenario run. */
  noteScreenshot(): void {
    this.hasScreenshot = true;
  }

  noteConnected(ms: number): void {
    this.connectMs = rounded(ms);
  }

  noteSession(metadata: JsonObject): void {
    this.session = metadata;
  }

  /** Answers what is stored beside the turn. */
  noteTurn(notes: TurnNotes): JsonObject {
    this.turns.push(notes);
    return {
      tester_ms: rounded(notes.testerMs),
      tester_usage: usageDocument(notes.testerUsage),
      ...(Object.keys(notes.agent).length > 0 ? { agent: notes.agent } : {}),
      ...(notes.inDoubt ? { in_doubt: true } : {}),
    };
  }

  noteGrading(ms: number, usage: ModelUsage, calls: number, unread: readonly Unread[]): void {
    this.gradingMs = rounded(ms);
    this.judgeUsage = usage;
    this.judgeCalls = calls;
    this.judgeUnread = unread;
  }

  metadata(verdict: Verdict | null): JsonObject {
    const inDoubt = this.turns.filter((turn) => turn.inDoubt).map((turn) => turn.turn);
    return {
      provider: this.provider,
      ...castMetadata(this.cast),
      attempts: this.attempt,
      ...(this.isRestarted ? { conversation_restarted: true } : {}),
      ...(inDoubt.length > 0 ? { in_doubt_turns: inDoubt } : {}),
      usage: {
        tester: usageDocument(this.turns.map((turn) => turn.testerUsage).reduce(sumOfUsage, NO_USAGE)),
        judge: this.judgeUsage === null ? null : usageDocument(this.judgeUsage),
        agent: sumOfAgentUsage(this.turns),
      },
      timings: {
        connect_ms: this.connectMs,
        turns: this.turns.map(({ turn, testerMs, agentMs }) => ({
          turn,
          tester_ms: rounded(testerMs),
          agent_ms: rounded(agentMs),
        })),
        grading_ms: this.gradingMs,
      },
      ...(verdict === null ? {} : { judge_calls: this.judgeCalls }),
      ...(this.judgeUnread.length === 0 ? {} : { judge_unread: this.judgeUnread }),
      ...(Object.keys(this.session).length > 0 ? { session: this.session } : {}),
      ...(this.hasScreenshot ? { screenshot: true } : {}),
    };
  }
}

function usageDocument({ inputTokens, outputTokens, costUsd }: ModelUsage): JsonObject {
  return { input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: costUsd };
}

/** Adds up the `usage` numbers that providers report per reply (OpenAI's prompt_tokens and so on). */
function sumOfAgentUsage(turns: readonly TurnNotes[]): JsonObject | null {
  const sums = new Map<string, number>();
  for (const { agent } of turns) {
    const usage = agent['usage'];
    if (typeof usage !== 'object' || usage === null) continue;
    for (const [key, value] of Object.entries(usage)) {
      if (typeof value === 'number') sums.set(key, (sums.get(key) ?? 0) + value);
    }
  }
  return sums.size === 0 ? null : Object.fromEntries(sums);
}

function notesFromStored({ turn, latencyMs, metadata }: StoredTurn): TurnNotes {
  const usage = metadata['tester_usage'];
  const agent = metadata['agent'];
  return {
    turn,
    testerMs: numberIn(metadata, 'tester_ms'),
    agentMs: latencyMs,
    testerUsage: {
      inputTokens: numberIn(usage, 'input_tokens'),
      outputTokens: numberIn(usage, 'output_tokens'),
      costUsd: isDocument(usage) && usage['cost_usd'] === null ? null : numberIn(usage, 'cost_usd'),
    },
    agent: isDocument(agent) ? agent : {},
    inDoubt: metadata['in_doubt'] === true,
  };
}

function isDocument(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function numberIn(value: unknown, key: string): number {
  const found = isDocument(value) ? value[key] : undefined;
  return typeof found === 'number' ? found : 0;
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
