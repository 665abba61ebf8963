import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { BodyFor, Given } from '../../contract/call';
import { CommandFailure } from '../failure';
import { shortened } from '../output/harmless-text';
import * as answers from './answers';
import * as runAnswers from './run-answers';
import { CheckedCalls } from './checked-calls';
import { everyItem } from './every-item';

/** The most items on one page of the service. */
const PAGE = 100;
/** How often a scenario may be imported and deleted again within the 24 hours that the service remembers a request. */
const MOST_DELETED = 50;
/** Generating from a long document keeps a language model busy. */
const GENERATION_MS = 10 * 60_000;
/** A hundred of the longest scenarios keep the service busy. */
const LINT_MS = 5 * 60_000;
/** A slow agent may take two minutes to connect, two for its reply, and a while to disconnect. */
const TRIAL_MS = 4.5 * 60_000;
/** The pairs of eight large runs keep the service busy. */
const COMPARISONS_MS = 2 * 60_000;
/** The conversations of a large spoken run are measured when they are first asked for. */
const SPEECH_MS = 5 * 60_000;
/** A user who cancels wants an answer soon, even while the rest of the command is being aborted. */
const CANCEL_MS = 15_000;

export interface ComparisonOptions {
  readonly confidence?: number;
  readonly minCoverage?: number;
  /** Refused where the two are no twins. */
  readonly asTwins?: boolean;
}

/** The calls the command makes. They throw the same errors as CheckedCalls. */
export class ServiceApi extends CheckedCalls {
  /** All of them. */
  agents(): Promise<answers.Agent[]> {
    return everyItem(
      (query) => this.ask('GET /api/v1/agents', { query }, z.array(answers.agent)),
      ({ id }) => id,
    );
  }

  createAgent(body: object): Promise<answers.Agent> {
    return this.make('POST /api/v1/agents', { body }, answers.agent);
  }

  /**
   * Changes fields only while they are as in `known`; the service merges config fields, and removes those that are null.
   * @throws CommandFailure when another client has changed them since
   */
  changeAgent(
    known: answers.Agent,
    fields: { readonly config?: Readonly<Record<string, unknown>> },
  ): Promise<answers.Agent> {
    const merged = Object.entries({ ...known.config, ...fields.config }).filter(([, value]) => value !== null);
    const result = { ...fields, ...(fields.config && { config: Object.fromEntries(merged) }) };
    const what = called('agent', known.name);
    const calls = ['GET /api/v1/agents/{id}', 'PATCH /api/v1/agents/{id}'] as const;
    return this.change(calls, { id: known.id }, answers.agent, { what, known, fields, result });
  }

  /** @param run id or label of a completed run of the agent */
  setBaseline(agentId: string, run: string): Promise<answers.Agent> {
    const asked = { path: { id: agentId }, body: { test_run_id: run } };
    return this.ask('PUT /api/v1/agents/{id}/baseline', asked, answers.agent);
  }

  clearBaseline(agentId: string): Promise<void> {
    return this.tell('DELETE /api/v1/agents/{id}/baseline', { path: { id: agentId } });
  }

  /** The agent's results, the oldest run first. */
  agentHistory(
    id: string,
    query: Given<'GET /api/v1/agents/{id}/history'>['query'],
  ): Promise<z.infer<typeof answers.agentHistory>> {
    return this.ask('GET /api/v1/agents/{id}/history', { path: { id }, query }, answers.agentHistory);
  }

  deleteAgent(id: string): Promise<void> {
    return this.tell('DELETE /api/v1/agents/{id}', { path: { id } });
  }

  /** @param message undefined: the service's own greeting. An agent that fails is an answer too. */
  tryAgent(id: string, message: string | undefined, followsUp: boolean): Promise<answers.TriedAgent> {
    const body = { message, follow_up: followsUp };
    return this.ask('POST /api/v1/agents/{id}/try', { path: { id }, body, silentMs: TRIAL_MS }, answers.triedAgent);
  }

  /** The same for an agent that is not stored. */
  tryUnsavedAgent(body: BodyFor<'POST /api/v1/agents/try'>): Promise<answers.TriedAgent> {
    return this.ask('POST /api/v1/agents/try', { body, silentMs: TRIAL_MS }, answers.triedAgent);
  }

  /** All that are active. */
  scenarios(tag?: string): Promise<answers.Scenario[]> {
    return everyItem(
      async (page) =>
        (await this.ask('GET /api/v1/scenarios', { query: { ...page, tag } }, answers.scenarioList)).scenarios,
      ({ scenario_id }) => scenario_id,
    );
  }

  scenario(id: string): Promise<answers.Scenario> {
    return this.ask('GET /api/v1/scenarios/{id}', { path: { id } }, answers.scenario);
  }

  /** The newest groups of verdicts on a scenario. */
  scenarioHistory(id: string, limit: number): Promise<z.infer<typeof answers.scenarioHistory>> {
    return this.ask('GET /api/v1/scenarios/{id}/history', { path: { id }, query: { limit } }, answers.scenarioHistory);
  }

  createScenario(body: object): Promise<answers.Scenario> {
    return this.make('POST /api/v1/scenarios', { body }, answers.scenario);
  }

  /**
   * Creates it once, even when another process creates the same at the same moment: the idempotency key is derived from the scenario.
   * A scenario that was created in this way and has been deleted since is created again.
   * @param key identifies the scenario
   */
  async createScenarioOnce(body: object, key: string): Promise<answers.Scenario> {
    for (let number = 1; number <= MOST_DELETED; number += 1) {
      const idempotencyKey = createHash('sha256')
        .update(JSON.stringify([key, body, number]))
        .digest('hex');
      const asked = { body, idempotencyKey };
      const { item, isReplayed } = await this.askTagged('POST /api/v1/scenarios', asked, answers.scenario);
      if (!isReplayed) return item;
      const now = await this.scenario(item.scenario_id);
      if (now['is_active'] === true) return now;
    }
    throw new CommandFailure(
      `It was imported and deleted ${MOST_DELETED} times in the last 24 hours: import it tomorrow.`,
    );
  }

  /**
   * Changes fields only while they, and those of `basis`, are as in `known`.
   * @throws CommandFailure when another client has changed them since
   */
  changeScenario(known: answers.Scenario, fields: object, basis: readonly string[] = []): Promise<answers.Scenario> {
    const what = called('scenario', known.name);
    const calls = ['GET /api/v1/scenarios/{id}', 'PATCH /api/v1/scenarios/{id}'] as const;
    return this.change(calls, { id: known.scenario_id }, answers.scenario, { what, known, fields, basis });
  }

  /** @param purge deletes it for good, if nothing refers to it */
  deleteScenario(id: string, { purge }: { readonly purge: boolean } = { purge: false }): Promise<void> {
    return this.tell('DELETE /api/v1/scenarios/{id}', { path: { id }, query: { purge: purge ? 'true' : undefined } });
  }

  async generateScenarios(body: object, extent: 'one' | 'all'): Promise<z.infer<typeof answers.generated>[]> {
    const asked = { body, silentMs: GENERATION_MS };
    if (extent === 'one') return [await this.make('POST /api/v1/scenarios/generate', asked, answers.generated)];
    return (await this.make('POST /api/v1/scenarios/generate-batch', asked, answers.generatedList)).scenarios;
  }

  /** @param body a scenario, or `scenario_ids`. Nothing is stored, so it may be sent again. */
  lintScenarios(body: object): Promise<z.infer<typeof answers.lintedList>> {
    const asked = { body, isRepeatable: true, silentMs: LINT_MS };
    return this.ask('POST /api/v1/scenarios/lint', asked, answers.lintedList);
  }

  /** All of them. */
  suites(): Promise<answers.Suite[]> {
    return everyItem(
      async (query) => (await this.ask('GET /api/v1/test-suites', { query }, answers.suiteList)).test_suites,
      ({ id }) => id,
    );
  }

  createSuite(body: object): Promise<answers.Suite> {
    return this.make('POST /api/v1/test-suites', { body }, answers.suite);
  }

  /** Changes fields only while they are as in `known`. @throws CommandFailure when another client has changed them since */
  changeSuite(known: answers.Suite, fields: object): Promise<answers.Suite> {
    const what = called('suite', known.name);
    const calls = ['GET /api/v1/test-suites/{id}', 'PATCH /api/v1/test-suites/{id}'] as const;
    return this.change(calls, { id: known.id }, answers.suite, { what, known, fields });
  }

  deleteSuite(id: string): Promise<void> {
    return this.tell('DELETE /api/v1/test-suites/{id}', { path: { id } });
  }

  /** Newest first, at most `most` of them. */
  async testRuns(
    most: number,
    filter: Omit<NonNullable<Given<'GET /api/v1/tests'>['query']>, 'limit' | 'offset'> = {},
  ): Promise<{ readonly runs: runAnswers.TestRun[]; readonly total: number }> {
    const runs: runAnswers.TestRun[] = [];
    for (;;) {
      const query = { limit: Math.min(PAGE, most - runs.length), offset: runs.length, ...filter };
      const page = await this.ask('GET /api/v1/tests', { query }, runAnswers.testRunList);
      runs.push(...page.runs);
      if (page.runs.length === 0 || runs.length >= most || runs.length >= page.total)
        return { runs, total: page.total };
    }
  }

  testRun(idOrLabel: string): Promise<runAnswers.TestRun> {
    return this.ask('GET /api/v1/tests/{id}', { path: { id: idOrLabel } }, runAnswers.testRun);
  }

  /** What the voice of a spoken run is worth. */
  runSpeech(id: string): Promise<answers.SpeechMeasures> {
    return this.ask('GET /api/v1/tests/{id}/speech', { path: { id }, silentMs: SPEECH_MS }, answers.speechMeasures);
  }

  /** The comparison of a run with an earlier one. */
  compare(
    before: string,
    after: string,
    { confidence, minCoverage, asTwins = false }: ComparisonOptions,
  ): Promise<runAnswers.Comparison> {
    const query = { before, confidence, min_coverage: minCoverage, ...(asTwins && { as: 'twins' as const }) };
    return this.ask('GET /api/v1/tests/{id}/comparison', { path: { id: after }, query }, runAnswers.comparison);
  }

  updateTestRun(id: string, body: BodyFor<'PATCH /api/v1/tests/{id}'>): Promise<runAnswers.TestRun> {
    return this.ask('PATCH /api/v1/tests/{id}', { path: { id }, body }, runAnswers.testRun);
  }

  deleteTestRun(id: string): Promise<void> {
    return this.tell('DELETE /api/v1/tests/{id}', { path: { id } });
  }

  /** All of them, in the run's order, without transcripts. */
  async scenarioRuns(testRunId: string): Promise<runAnswers.ScenarioRun[]> {
    const all: runAnswers.ScenarioRun[] = [];
    for (;;) {
      const query = { test_run_id: testRunId, limit: PAGE, offset: all.length };
      const page = await this.ask('GET /api/v1/scenario-runs', { query }, runAnswers.scenarioRunList);
      all.push(...page.results);
      if (page.results.length === 0 || all.length >= page.total) return all;
    }
  }

  scenarioRun(id: string): Promise<runAnswers.ScenarioRunDetail> {
    return this.ask('GET /api/v1/scenario-runs/{id}', { path: { id } }, runAnswers.scenarioRunDetail);
  }

  /** @param signal by default the command's: a start is better finished than left in doubt */
  startRun(body: object, signal?: AbortSignal): Promise<runAnswers.StartedRun> {
    return this.make('POST /start-run', { body, ...(signal && { signal }) }, runAnswers.startedRun);
  }

  /** @param signal as for startRun */
  startRunSet(body: object, signal?: AbortSignal): Promise<runAnswers.StartedSet> {
    return this.make('POST /start-run-set', { body, ...(signal && { signal }) }, runAnswers.startedSet);
  }

  runSet(id: string): Promise<runAnswers.RunSet> {
    return this.ask('GET /api/v1/run-sets/{id}', { path: { id } }, runAnswers.runSet);
  }

  /** @param signal as for cancelRun */
  cancelRunSet(id: string, signal?: AbortSignal): Promise<z.infer<typeof runAnswers.canceledSet>> {
    const asked = { path: { id }, isRepeatable: true, silentMs: CANCEL_MS, ...(signal && { signal }) };
    return this.ask('POST /api/v1/run-sets/{id}/cancel', asked, runAnswers.canceledSet);
  }

  /** Every pair of the runs of a set, which have ended. */
  compareRunSet(id: string, minCoverage?: number): Promise<runAnswers.SetComparisons> {
    const asked = { path: { id }, query: { min_coverage: minCoverage }, silentMs: COMPARISONS_MS };
    return this.ask('GET /api/v1/run-sets/{id}/comparisons', asked, runAnswers.setComparisons);
  }

  /** @param signal of its own, since a command that was interrupted still has to cancel */
  cancelRun(id: string, signal?: AbortSignal): Promise<runAnswers.Cancellation> {
    const asked = {
      body: { test_run_id: id },
      isRepeatable: true,
      silentMs: CANCEL_MS,
      ...(signal && { signal }),
    };
    return this.ask('POST /cancel-run', asked, runAnswers.cancellation);
  }

  /** The owner of this key. */
  me(): Promise<answers.Me> {
    return this.ask('GET /api/v1/me', {}, answers.me);
  }

  /** Also returned when the service is unhealthy: then with 503 and the same body. */
  health(): Promise<answers.Health> {
    return this.ask('GET /health', { alsoAnswers: 503 }, answers.health);
  }
}

function called(noun: string, name: string): string {
  return `The ${noun} "${shortened(name, 80)}"`;
}
