import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { CommandFailure, RefusedFailure } from '../failure';
import { shortened } from '../output/harmless-text';
import * as answers from './answers';
import { CheckedCalls } from './checked-calls';
import { everyItem, queryOf, type PageQuery } from './every-item';
import type { Call } from './http-client';

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
/** A user who cancels wants an answer soon, even while the rest of the command is being aborted. */
const CANCEL_MS = 15_000;

/** The calls the command makes. They throw the same errors as CheckedCalls. */
export class ServiceApi extends CheckedCalls {
  /** All of them. */
  agents(): Promise<answers.Agent[]> {
    return everyItem(
      (page) => this.get(`/api/v1/agents${queryOf(page)}`, z.array(answers.agent)),
      ({ id }) => id,
    );
  }

  createAgent(fields: object): Promise<answers.Agent> {
    return this.make('/api/v1/agents', fields, answers.agent);
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
    const path = `/api/v1/agents/${encodeURIComponent(known.id)}`;
    return this.change(path, answers.agent, { what: called('agent', known.name), known, fields, result });
  }

  /** @param run id or label of a completed run of the agent */
  setBaseline(agentId: string, run: string): Promise<answers.Agent> {
    return this.send(
      'PUT',
      `/api/v1/agents/${encodeURIComponent(agentId)}/baseline`,
      { test_run_id: run },
      answers.agent,
    );
  }

  clearBaseline(agentId: string): Promise<void> {
    return this.delete(`/api/v1/agents/${encodeURIComponent(agentId)}/baseline`);
  }

  /** The agent's results, the oldest run first. @param query named as in the service; undefined values are left out */
  agentHistory(
    id: string,
    query: Readonly<Record<string, string | undefined>>,
  ): Promise<z.infer<typeof answers.agentHistory>> {
    const given = new URLSearchParams();
    for (const [key, value] of Object.entries(query)) if (value !== undefined) given.set(key, value);
    return this.get(`/api/v1/agents/${encodeURIComponent(id)}/history?${given.toString()}`, answers.agentHistory);
  }

  deleteAgent(id: string): Promise<void> {
    return this.delete(`/api/v1/agents/${encodeURIComponent(id)}`);
  }

  /** @param message undefined: the service's own greeting. An agent that fails is an answer too. */
  tryAgent(id: string, message: string | undefined, followsUp: boolean): Promise<answers.TriedAgent> {
    const path = `/api/v1/agents/${encodeURIComponent(id)}/try`;
    return this.ask(
      { method: 'POST', path, body: { message, follow_up: followsUp }, silentMs: TRIAL_MS },
      answers.triedAgent,
    );
  }

  /** The same for an agent that is not stored. */
  tryUnsavedAgent(body: {
    readonly provider: string;
    readonly config: Readonly<Record<string, unknown>>;
    readonly message: string;
    readonly follow_up: boolean;
  }): Promise<answers.TriedAgent> {
    return this.ask({ method: 'POST', path: '/api/v1/agents/try', body, silentMs: TRIAL_MS }, answers.triedAgent);
  }

  /** All that are active. */
  scenarios(tag?: string): Promise<answers.Scenario[]> {
    const tagged: PageQuery = tag === undefined ? {} : { tag };
    return everyItem(
      async (page) =>
        (await this.get(`/api/v1/scenarios${queryOf({ ...tagged, ...page })}`, answers.scenarioList)).scenarios,
      ({ scenario_id }) => scenario_id,
    );
  }

  scenario(id: string): Promise<answers.Scenario> {
    return this.get(`/api/v1/scenarios/${encodeURIComponent(id)}`, answers.scenario);
  }

  /** The newest groups of verdicts on a scenario. */
  scenarioHistory(id: string, limit: number): Promise<z.infer<typeof answers.scenarioHistory>> {
    return this.get(`/api/v1/scenarios/${encodeURIComponent(id)}/history?limit=${limit}`, answers.scenarioHistory);
  }

  createScenario(fields: object): Promise<answers.Scenario> {
    return this.make('/api/v1/scenarios', fields, answers.scenario);
  }

  /**
   * Creates it once, even when another process creates the same at the same moment: the idempotency key is derived from the scenario.
   * A scenario that was created in this way and has been deleted since is created again.
   * @param key identifies the scenario
   */
  async createScenarioOnce(fields: object, key: string): Promise<answers.Scenario> {
    for (let number = 1; number <= MOST_DELETED; number += 1) {
      const idempotencyKey = createHash('sha256')
        .update(JSON.stringify([key, fields, number]))
        .digest('hex');
      const call: Call = { method: 'POST', path: '/api/v1/scenarios', body: fields, idempotencyKey };
      const { item, isReplayed } = await this.askTagged(call, answers.scenario);
      if (!isReplayed) return item;
      const now = await this.get(`/api/v1/scenarios/${encodeURIComponent(item.scenario_id)}`, answers.scenario);
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
    const path = `/api/v1/scenarios/${encodeURIComponent(known.scenario_id)}`;
    return this.change(path, answers.scenario, { what: called('scenario', known.name), known, fields, basis });
  }

  /** @param purge deletes it for good, if nothing refers to it */
  deleteScenario(id: string, { purge }: { readonly purge: boolean } = { purge: false }): Promise<void> {
    return this.delete(`/api/v1/scenarios/${encodeURIComponent(id)}${purge ? '?purge=true' : ''}`);
  }

  async generateScenarios(fields: object, extent: 'one' | 'all'): Promise<z.infer<typeof answers.generated>[]> {
    const body = { body: fields, silentMs: GENERATION_MS, idempotencyKey: randomUUID() };
    if (extent === 'one') {
      return [await this.ask({ method: 'POST', path: '/api/v1/scenarios/generate', ...body }, answers.generated)];
    }
    const path = '/api/v1/scenarios/generate-batch';
    return (await this.ask({ method: 'POST', path, ...body }, answers.generatedList)).scenarios;
  }

  /** @param request a scenario, or `scenario_ids`. Nothing is stored, so it may be sent again. */
  lintScenarios(request: object): Promise<z.infer<typeof answers.lintedList>> {
    return this.ask(
      { method: 'POST', path: '/api/v1/scenarios/lint', body: request, isRepeatable: true, silentMs: LINT_MS },
      answers.lintedList,
    );
  }

  /** All of them. */
  suites(): Promise<answers.Suite[]> {
    return everyItem(
      async (page) => (await this.get(`/api/v1/test-suites${queryOf(page)}`, answers.suiteList)).test_suites,
      ({ id }) => id,
    );
  }

  createSuite(fields: object): Promise<answers.Suite> {
    return this.make('/api/v1/test-suites', fields, answers.suite);
  }

  /** Changes fields only while they are as in `known`. @throws CommandFailure when another client has changed them since */
  changeSuite(known: answers.Suite, fields: object): Promise<answers.Suite> {
    const path = `/api/v1/test-suites/${encodeURIComponent(known.id)}`;
    return this.change(path, answers.suite, { what: called('suite', known.name), known, fields });
  }

  deleteSuite(id: string): Promise<void> {
    return this.delete(`/api/v1/test-suites/${encodeURIComponent(id)}`);
  }

  /** Newest first, at most `most` of them. */
  async testRuns(most: number, status?: string): Promise<{ readonly runs: answers.TestRun[]; readonly total: number }> {
    const runs: answers.TestRun[] = [];
    for (;;) {
      const query = new URLSearchParams({
        limit: String(Math.min(PAGE, most - runs.length)),
        offset: String(runs.length),
      });
      if (status !== undefined) query.set('status', status);
      const page = await this.get(`/api/v1/tests?${query.toString()}`, answers.testRunList);
      runs.push(...page.runs);
      if (page.runs.length === 0 || runs.length >= most || runs.length >= page.total)
        return { runs, total: page.total };
    }
  }

  testRun(idOrLabel: string): Promise<answers.TestRun> {
    return this.get(`/api/v1/tests/${encodeURIComponent(idOrLabel)}`, answers.testRun);
  }

  /** The comparison of a run with an earlier one. */
  compare(
    before: string,
    after: string,
    { confidence, minCoverage }: { readonly confidence?: number; readonly minCoverage?: number },
  ): Promise<answers.Comparison> {
    const query = new URLSearchParams({ before });
    if (confidence !== undefined) query.set('confidence', String(confidence));
    if (minCoverage !== undefined) query.set('min_coverage', String(minCoverage));
    return this.get(`/api/v1/tests/${encodeURIComponent(after)}/comparison?${query.toString()}`, answers.comparison);
  }

  deleteTestRun(id: string): Promise<void> {
    return this.delete(`/api/v1/tests/${encodeURIComponent(id)}`);
  }

  /** All of them, in the run's order, without transcripts. */
  async scenarioRuns(testRunId: string): Promise<answers.ScenarioRun[]> {
    const all: answers.ScenarioRun[] = [];
    for (;;) {
      const query = new URLSearchParams({ test_run_id: testRunId, limit: String(PAGE), offset: String(all.length) });
      const page = await this.get(`/api/v1/scenario-runs?${query.toString()}`, answers.scenarioRunList);
      all.push(...page.results);
      if (page.results.length === 0 || all.length >= page.total) return all;
    }
  }

  scenarioRun(id: string): Promise<answers.ScenarioRunDetail> {
    return this.get(`/api/v1/scenario-runs/${encodeURIComponent(id)}`, answers.scenarioRunDetail);
  }

  /** @param signal by default the command's: a start is better finished than left in doubt */
  startRun(request: object, signal?: AbortSignal): Promise<answers.StartedRun> {
    return this.make('/start-run', request, answers.startedRun, signal);
  }

  /** @param signal of its own, since a command that was interrupted still has to cancel */
  cancelRun(id: string, signal?: AbortSignal): Promise<answers.Cancellation> {
    return this.ask(
      {
        method: 'POST',
        path: '/cancel-run',
        body: { test_run_id: id },
        isRepeatable: true,
        silentMs: CANCEL_MS,
        ...(signal && { signal }),
      },
      answers.cancellation,
    );
  }

  /** The owner of this key; null from older releases of the service, which do not tell. */
  async me(): Promise<answers.Me | null> {
    try {
      return await this.get('/api/v1/me', answers.me);
    } catch (error) {
      if (error instanceof RefusedFailure && error.status === 404) return null;
      throw error;
    }
  }

  /** Also returned when the service is unhealthy: then with 503 and the same body. */
  health(): Promise<answers.Health> {
    return this.ask({ method: 'GET', path: '/health', alsoAnswers: 503 }, answers.health);
  }
}

function called(noun: string, name: string): string {
  return `The ${noun} "${shortened(name, 80)}"`;
}
