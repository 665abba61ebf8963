import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../cluster/cluster';
import { checkCancel } from './cancel-check';
import { Customer } from './customer';
import { Hurts } from './hurts';
import { planHistory, type Plan } from './plan';
import { checkRun, findRuns, isFinal } from './run-checks';
import { Timeline, type Happening } from './timeline';
import type { World } from './world';

/** From the end of the last hurt: a lease, the reconciler's next look, and the work that is left. */
const FINAL_WITHIN_MS = 60_000;
const HEALTHY_WITHIN_MS = 30_000;
const HEARD_WITHIN_MS = 20_000;
const LOOK_MS = 100;
const LATE_START_MS = 500;

export interface PlayedHistory {
  readonly seed: string;
  readonly number: number;
  readonly plan: Plan;
  readonly happenings: readonly Happening[];
  readonly runs: number;
  readonly scenarioRuns: number;
  readonly attempts: number;
  readonly canceled: number;
  readonly calls: number;
  readonly tookMs: number;
  /** From the end of the last hurt to the end of the last run. */
  readonly settledAfterMs: number;
  readonly longestStallMs: number;
  readonly violations: readonly string[];
  /** False: what it left behind may hurt the next one. */
  readonly isSettled: boolean;
}

/** Plays one history on a cluster in good health, and looks at what it left. */
export async function playHistory(
  cluster: Cluster,
  world: World,
  seed: string,
  number: number,
): Promise<PlayedHistory> {
  const plan = planHistory(seed, number);
  const outputBefore = cluster.members.map(({ process }) => ({ process, length: process.output.length }));
  const timeline = new Timeline();
  const hurts = new Hurts(cluster, timeline);
  const customers = await Promise.all(plan.runs.map((run) => Customer.prepare(run, cluster, timeline, world)));
  timeline.startClock();
  try {
    await Promise.all([hurts.carryOut(plan), ...customers.map((customer) => customer.act())]);
    const mendedAt = Date.now();
    let isSettled = await untilAllFinal(cluster, customers);
    const settledAfterMs = Date.now() - mendedAt;
    const violations = [...hurts.violations];
    const isHealthy = await untilHealthy(cluster);
    // A process that stood still may only now take the start of a run whose customer has long asked another one.
    await sleep(LATE_START_MS);
    isSettled = isSettled && (await untilAllFinal(cluster, customers));
    if (!isSettled) violations.push(`not every run is final ${FINAL_WITHIN_MS} ms after the last hurt`);
    if (!isHealthy) violations.push(`not every process is healthy ${HEALTHY_WITHIN_MS} ms later`);
    if (isSettled && isHealthy) {
      violations.push(...(await heardEverything(cluster, customers)));
      for (const customer of customers) violations.push(...(await checkCustomer(cluster, world, customer, timeline)));
    }
    violations.push(...complaints(cluster, hurts, outputBefore));
    const [totals] = await cluster.query<{ runs: number; scenario_runs: number; attempts: number; canceled: number }>(
      `SELECT count(DISTINCT t.id)::int AS runs, count(*)::int AS scenario_runs, sum(s.attempt)::int AS attempts,
              (count(DISTINCT t.id) FILTER (WHERE t.status = 'canceled'))::int AS canceled
       FROM test_runs t JOIN scenario_runs s ON s.test_run_id = t.id WHERE t.name = ANY($1)`,
      [plan.runs.map(({ tag }) => tag)],
    );
    return {
      seed,
      number,
      plan,
      happenings: timeline.happenings,
      runs: totals?.runs ?? 0,
      scenarioRuns: totals?.scenario_runs ?? 0,
      attempts: totals?.attempts ?? 0,
      canceled: totals?.canceled ?? 0,
      calls: plan.runs.reduce((sum, { tag }) => sum + world.callsOf(tag).length, 0),
      tookMs: Date.now() - timeline.began,
      settledAfterMs,
      longestStallMs: timeline.longestStallMs,
      violations,
      isSettled: isSettled && isHealthy,
    };
  } finally {
    timeline.stop();
    for (const customer of customers) customer.stop();
    for (const { tag } of plan.runs) world.forget(tag);
  }
}

async function checkCustomer(
  cluster: Cluster,
  world: World,
  { run, canceledAt, runIds }: Customer,
  timeline: Timeline,
): Promise<string[]> {
  const violations: string[] = [];
  const calls = world.callsOf(run.tag);
  const rows = await findRuns(cluster, run.tag);
  for (const row of rows) violations.push(...(await checkRun(cluster, row, calls, rows.length > 1)));
  if (canceledAt !== null && rows.length === 1) violations.push(...checkCancel(canceledAt, calls, timeline));
  if (canceledAt !== null && rows.find(({ id }) => runIds.includes(id))?.status !== 'canceled') {
    violations.push(`run ${run.tag}: cancel-run was answered with success, and the run is not canceled`);
  }
  return violations;
}

async function untilAllFinal(cluster: Cluster, customers: readonly Customer[]): Promise<boolean> {
  return eventually(FINAL_WITHIN_MS, async () => {
    for (const { run } of customers) if (!(await findRuns(cluster, run.tag)).every(isFinal)) return false;
    return true;
  });
}

function untilHealthy(cluster: Cluster): Promise<boolean> {
  return eventually(HEALTHY_WITHIN_MS, async () => {
    for (const { process } of cluster.members) {
      if ((await process.api.get('/health').catch(() => null))?.status !== 200) return false;
    }
    return true;
  });
}

/** Subscribers that went from process to process have heard each event once and in order. */
async function heardEverything(cluster: Cluster, customers: readonly Customer[]): Promise<string[]> {
  const violations: string[] = [];
  for (const { run, heard, runIds } of customers) {
    const row = (await findRuns(cluster, run.tag)).find(({ id }) => runIds.includes(id));
    if (row === undefined) continue;
    await eventually(HEARD_WITHIN_MS, async () => heard.at(-1) === row.last_seq);
    const isWhole = heard.length === row.last_seq && heard.every((seq, at) => seq === at + 1);
    if (!isWhole) violations.push(`run ${run.tag}: a subscriber heard [${heard.join()}] of ${row.last_seq} events`);
  }
  return violations;
}

/** What no process should ever log or do. */
function complaints(
  cluster: Cluster,
  { ended }: Hurts,
  before: readonly { readonly process: { readonly output: string }; readonly length: number }[],
): string[] {
  const violations: string[] = [];
  const processes = new Set([...ended, ...cluster.members.map(({ process }) => process)]);
  for (const process of processes) {
    const from = before.find((one) => one.process === process)?.length ?? 0;
    const lines = process.output.slice(from).split('\n');
    for (const line of lines) {
      if (/"level":"?(error|fatal|50|60)"?[,}]/.test(line) || /Warning: |^\s+at .*\(/.test(line)) {
        violations.push(`logged: ${line.slice(0, 600)}`);
      }
    }
  }
  for (const [number, { process }] of cluster.members.entries()) {
    if (!process.isRunning) violations.push(`process ${number} ended by itself: ${process.output.slice(-1_000)}`);
  }
  return violations;
}

async function eventually(withinMs: number, holds: () => Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    if (await holds().catch(() => false)) return true;
    if (Date.now() > deadline) return false;
    await sleep(LOOK_MS);
  }
}
