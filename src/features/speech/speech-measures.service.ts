import { Injectable, NotFoundException } from '@nestjs/common';
import { METRICS_VERSION, type SpeechMeasures, type TurnMeasuresView } from '../../../contract/speech-measures';
import { isFinalScenarioRun } from '../../domain';
import { othersTurn, RecentMap } from '../../platform/concurrency';
import { assertRunExists, TestRunsStore } from '../runs/test-runs.store';
import type { Measured, TurnMeasures } from '../../engine/measures';
import { inputOf } from './measured-input';
import { MeasuringThread } from './measuring-thread';
import { figuresOf, notMeasurableIn, type Part } from './run-measures';
import { SpokenConversationsStore, type ListedConversation, type SpokenTestRun } from './spoken-conversations.store';

/** Conversations read at a time: a few hundred kilobytes. */
const READ_AT_ONCE = 10;
/** Conversations that have ended and whose measures are kept: they do not change. Each is a few kilobytes. */
const MOST_KEPT = 4_000;
const LIMITS = { turn: 4_000, card: 20_000 } as const;

/** A page of conversations, whose turns are told one by one. */
export interface AskedTurns {
  readonly limit: number;
  readonly offset: number;
}

/**
 * What the voice of a run is worth, derived from what was kept of its turns each time it is read: conversation by conversation in a
 * thread, and added up here.
 */
@Injectable()
export class SpeechMeasuresService {
  private readonly ended = new RecentMap<Part>(MOST_KEPT);

  constructor(
    private readonly store: SpokenConversationsStore,
    private readonly testRuns: TestRunsStore,
    private readonly thread: MeasuringThread,
  ) {}

  /**
   * @param asked null: no turns one by one
   * @throws NotFoundException where there is no such run, or it was in text
   */
  async find(idOrLabel: string, confidencePercent: number, asked: AskedTurns | null): Promise<SpeechMeasures> {
    const run = await this.store.run(idOrLabel);
    if (run === null) throw new NotFoundException('Test run not found');
    const { spoken } = run;
    if (spoken === null) throw new NotFoundException('The run was in text: nothing was spoken in it.');
    const listed = await this.store.list(run.id);
    const parts = await this.partsOf(listed);
    const turns = asked === null ? null : await this.turnsOf(listed, asked);
    await assertRunExists(this.testRuns, run.id);
    const figures = await figuresOf(parts, confidencePercent / 100);
    return {
      ...described(run, spoken, confidencePercent),
      conversations: { total: run.total, spoken: parts.filter((part) => part.turns.spoken > 0).length },
      ...figures,
      not_measurable: notMeasurableIn(figures, {
        hasEar: spoken.ear !== null,
        timingErrorMs: spoken.timing_error_ms,
      }),
      by_turn: turns,
    };
  }

  private async partsOf(listed: readonly ListedConversation[]): Promise<Part[]> {
    const parts = new Map<string, Part>();
    const left: ListedConversation[] = [];
    for (const one of listed) {
      const known = this.ended.get(one.id);
      if (known === undefined) left.push(one);
      else parts.set(one.id, known);
    }
    for await (const [one, { conversation }] of this.measured(left)) {
      const part = { ...conversation, scenarioId: one.scenario_id };
      parts.set(one.id, part);
      if (isFinalScenarioRun(one.status)) this.ended.set(one.id, part);
    }
    return listed.flatMap(({ id }) => parts.get(id) ?? []);
  }

  private async turnsOf(
    listed: readonly ListedConversation[],
    { limit, offset }: AskedTurns,
  ): Promise<SpeechMeasures['by_turn']> {
    const results: TurnMeasuresView[] = [];
    for await (const [one, { turns }] of this.measured(listed.slice(offset, offset + limit))) {
      results.push(...turns.map((turn) => viewOf(one, turn)));
    }
    return { conversations: listed.length, results };
  }

  /** In their order, a few at a time. */
  private async *measured(
    listed: readonly ListedConversation[],
  ): AsyncGenerator<readonly [ListedConversation, Measured]> {
    for (let at = 0; at < listed.length; at += READ_AT_ONCE) {
      const page = listed.slice(at, at + READ_AT_ONCE);
      const ids = page.map(({ id }) => id);
      const byId = new Map((await this.store.read(ids, LIMITS)).map((one) => [one.id, one]));
      const found = page.flatMap((one) => {
        const stored = byId.get(one.id);
        return stored === undefined ? [] : [{ one, stored }];
      });
      await othersTurn();
      const results = await this.thread.measure(found.map(({ stored }) => inputOf(stored)));
      for (const [place, result] of results.entries()) {
        const one = found[place]?.one;
        if (one !== undefined) yield [one, result];
      }
    }
  }
}

function described(run: SpokenTestRun, spoken: NonNullable<SpokenTestRun['spoken']>, confidence: number) {
  const { line, noise, voice_engine, ear, timing_error_ms } = spoken;
  return {
    test_run_id: run.id,
    status: run.status,
    metrics_version: METRICS_VERSION,
    confidence,
    line,
    noise,
    voice: { ...voice_engine },
    ear: ear && { ...ear },
    timing_error_ms,
  };
}

function viewOf(
  { id, scenario_name, trial }: ListedConversation,
  { turn: { turn, spoken }, answer, interjection, wordErrors, mentions }: TurnMeasures,
): TurnMeasuresView {
  return {
    scenario_run_id: id,
    scenario_name,
    trial,
    turn,
    from_ms: spoken.from_ms,
    to_ms: spoken.to_ms,
    timing_reliable: spoken.timing_reliable,
    inaudible: spoken.inaudible,
    answer: answer.kind,
    latency_ms: answer.kind === 'answered' ? answer.latencyMs : null,
    interjection: interjection && {
      kind: interjection.kind,
      outcome: interjection.outcome,
      after_ms: interjection.afterMs,
    },
    word_errors: wordErrors && { ...wordErrors },
    entities: mentions.map(({ kind, text, outcome, heardAs, isUnrecovered, readBack }) => ({
      kind,
      text,
      outcome,
      heard_as: heardAs,
      unrecovered: isUnrecovered,
      read_back: readBack,
    })),
  };
}
