import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../cluster/cluster';
import type { Answer } from '../setup/api-client';
import { EventClient } from '../setup/event-client';
import { createAgent } from '../setup/examination';
import type { PlannedRun } from './plan';
import type { Timeline } from './timeline';
import type { World } from './world';

const ASK_WITHIN_MS = 12_000;
const AGAIN_MS = 300;

/** What one person does in a history: starts a run, follows its events, and sometimes cancels it. */
export class Customer {
  /** Ids of the runs that were started: more than one when an answer was lost and the start was repeated. */
  readonly runIds: string[] = [];
  /** Numbers of the events of the last run started, in the order they were heard. */
  readonly heard: number[] = [];
  /** When cancel-run answered (`Date.now()`); null: it was not called, or was too late. */
  canceledAt: number | null = null;
  private isOver = false;
  private stream: EventClient | null = null;

  private constructor(
    readonly run: PlannedRun,
    private readonly cluster: Cluster,
    private readonly timeline: Timeline,
    private readonly body: object,
  ) {}

  /** Makes the agent and the scenarios, before anything is hurt. */
  static async prepare(run: PlannedRun, cluster: Cluster, timeline: Timeline, world: World): Promise<Customer> {
    const { api } = cluster.process(run.on);
    const agent_id = await createAgent(api, world.agentUrl(run));
    const scenario_ids = await Promise.all(
      Array.from({ length: run.scenarios }, async (_, at) => {
        const { status, body } = await api.post('/api/v1/scenarios', scenario(`${run.tag}${at + 1}`));
        if (status !== 201) throw new Error(`The scenario was not created: ${status} ${JSON.stringify(body)}`);
        return String(body.scenario_id);
      }),
    );
    return new Customer(run, cluster, timeline, {
      agent_id,
      scenario_ids,
      name: run.tag,
      max_turns: run.turns,
      concurrency_limit: run.concurrency,
    });
  }

  /** Resolves when the run is started and, if it is to be, canceled. */
  async act(): Promise<void> {
    const { at, on, scheduledIn, cancel } = this.run;
    await this.timeline.until(at);
    const scheduled = scheduledIn === null ? {} : { scheduled_at: new Date(Date.now() + scheduledIn).toISOString() };
    const started = await this.ask(on, '/start-run', { ...this.body, ...scheduled }, [200]);
    const id = String(started.body.id);
    this.runIds.push(id);
    void this.follow(id);
    if (cancel === null) return;
    await this.timeline.until(cancel.at);
    const canceled = await this.ask(cancel.on, '/cancel-run', { test_run_id: id }, [200]);
    this.canceledAt = canceled.body.status === 'canceled' ? Date.now() : null;
  }

  /** Nothing more is listened to. */
  stop(): void {
    this.isOver = true;
    this.stream?.close();
  }

  /** Asks one process after the other until one answers with a status that settles the matter. */
  private async ask(first: number, path: string, body: object, statuses: readonly number[]): Promise<Answer> {
    for (let tries = 0; ; tries += 1) {
      const { process } = this.cluster.member((first + tries) % this.cluster.members.length);
      const answer = await this.post(process.url + path, body);
      if (answer !== null && statuses.includes(answer.status)) return answer;
      if (answer !== null && answer.status < 500) {
        throw new Error(`${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      }
      await sleep(AGAIN_MS);
    }
  }

  /** Null when there was no answer. */
  private async post(url: string, body: object): Promise<Answer | null> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(ASK_WITHIN_MS),
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    } catch {
      return null;
    }
  }

  /** Listens on one process after the other, each time from where the last one left off. */
  private async follow(id: string): Promise<void> {
    for (let tries = this.run.on; !this.isOver; tries += 1) {
      const { process } = this.cluster.member(tries % this.cluster.members.length);
      const last = this.heard.at(-1);
      const headers = last === undefined ? {} : { 'last-event-id': String(last) };
      try {
        this.stream = await EventClient.open(`${process.url}/events?run_id=${id}`, headers);
        const wasEnded = await this.stream.ended;
        for (const seq of this.stream.ids) if (seq !== undefined) this.heard.push(seq);
        if (wasEnded && this.stream.status === 200 && isFinal(this.stream)) return;
      } catch {
        // The next process will do.
      }
      await sleep(AGAIN_MS);
    }
  }
}

function isFinal({ events }: EventClient): boolean {
  return /^test_run_(complete|failed|canceled)$/.test(String(events.at(-1)?.data['type']));
}

function scenario(words: string): object {
  return {
    name: `Chest pain of ${words}`,
    category: 'emergency',
    approved: true,
    content: {
      script: `You are ${words}. You have had chest pain for two hours.`,
      demographics: { age: 61, gender: 'female' },
      chief_complaint: `I am ${words} and my chest hurts.`,
    },
    rubric_criteria: [{ criterion: 'Tells the patient to call an ambulance', points: 5, tags: [] }],
    tags: ['soak'],
  };
}
