import type { Agent, NamedKey, Scenario, Schedule, Suite, Webhook } from './connection/answers';
import type { TestRun } from './connection/run-answers';
import { listSchedules } from './connection/schedule-calls';
import type { ServiceApi } from './connection/service-api';
import { listKeys } from './connection/key-calls';
import { listWebhooks } from './connection/webhook-calls';
import { CommandFailure } from './failure';
import { findNamed } from './find-named';
import { oneLine } from './output/harmless-text';

/** Finds resources of the service by id or name. @throws CommandFailure */

export async function findAgent(api: ServiceApi, given: string): Promise<Agent> {
  return findNamed(await api.agents(), given, {
    noun: 'agent',
    listCommand: 'osce agents list',
    id: ({ id }) => id,
    name: ({ name }) => name,
  });
}

/** Each one in the order given; names are looked up among the active scenarios. */
export async function findScenarios(api: ServiceApi, given: readonly string[]): Promise<Scenario[]> {
  const all = await api.scenarios();
  return given.map((one) =>
    findNamed(all, one, {
      noun: 'scenario',
      listCommand: 'osce scenarios list',
      id: ({ scenario_id }) => scenario_id,
      name: ({ name }) => name,
    }),
  );
}

export async function findScenario(api: ServiceApi, given: string): Promise<Scenario> {
  const [found] = await findScenarios(api, [given]);
  if (found === undefined) throw new CommandFailure('No scenario was named.');
  return found;
}

export async function findSuite(api: ServiceApi, given: string): Promise<Suite> {
  return findNamed(await api.suites(), given, {
    noun: 'suite',
    listCommand: 'osce suites list',
    id: ({ id }) => id,
    name: ({ name }) => name,
  });
}

export async function findSchedule(api: ServiceApi, given: string): Promise<Schedule> {
  return findNamed(await listSchedules(api), given, {
    noun: 'schedule',
    listCommand: 'osce schedules list',
    id: ({ id }) => id,
    name: ({ name }) => name,
  });
}

/** A key that still opens something, by name or id. */
export async function findKey(api: ServiceApi, given: string): Promise<NamedKey> {
  const all = await listKeys(api);
  const keys = all.filter(({ state }) => state !== 'revoked');
  const isGiven = ({ id, name }: NamedKey): boolean => id === given || name === given;
  const revoked = keys.some(isGiven) ? undefined : all.find(isGiven);
  if (revoked !== undefined) throw new CommandFailure(`The key "${oneLine(revoked.name)}" is revoked already.`);
  return findNamed(keys, given, {
    noun: 'key',
    listCommand: 'osce keys list',
    id: ({ id }) => id,
    name: ({ name }) => name,
  });
}

/** By address or id. */
export async function findWebhook(api: ServiceApi, given: string): Promise<Webhook> {
  return findNamed(await listWebhooks(api), given, {
    noun: 'webhook',
    listCommand: 'osce webhooks list',
    id: ({ id }) => id,
    name: ({ url }) => url,
  });
}

/** The word for the newest run. */
const LATEST = 'latest';

/** By id, label or the word `latest`. */
export async function findRun(api: ServiceApi, given: string): Promise<TestRun> {
  if (given !== LATEST) return api.testRun(given);
  const [newest] = (await api.testRuns(1)).runs;
  if (newest === undefined) throw new CommandFailure('There are no runs yet. Start one: osce run --help');
  return newest;
}
