import type { INestApplicationContext } from '@nestjs/common';
import { AgentsStore } from '../features/agents';
import { Database, whyUnopened } from '../platform/database';
import { FirstStartStore } from './first-start.store';
import { ScenariosStore, seedStarterLibrary, type ScenarioSeeds } from '../features/scenarios';
import { startClinicAgent, type ClinicAgent } from './clinic-agent';
import { clinicAddressOf, demoAgentAt, isClinicAgentAt } from './demo-agent';

export interface DemoSeeding {
  readonly firstStart: FirstStartStore;
  readonly agents: AgentsStore;
  readonly scenarios: ScenarioSeeds;
}

/** The part of a service that serves the demo agent. */
export interface DemoAgentHost {
  close(): Promise<void>;
}

/** How often a process checks whether the one that served the demo agent has left its port. */
const STAND_BY_MS = 5_000;

const NOTHING: DemoAgentHost = { close: () => Promise.resolve() };

/**
 * Seeds an empty database with the starter library and the demo agent, and runs the clinic agent behind it for as long
 * as the agent is registered. Its address is kept from start to start, so that runs in progress continue with it.
 * Processes on one machine share one clinic agent; processes on several machines run one each, at the same port.
 * @throws StarterLibraryError
 */
export function seedDemo({ firstStart, agents, scenarios }: DemoSeeding): Promise<DemoAgentHost> {
  return firstStart.takeTurns(async (isFirst) => {
    const opened = (await agents.list()).filter((agent) => whyUnopened(agent) === null);
    const stored = opened.find((agent) => clinicAddressOf(agent) !== null);
    let host = NOTHING;
    if (stored !== undefined) host = await serveAgain(stored.id, clinicAddressOf(stored) ?? '', agents);
    else if (isFirst) host = await serveNew(async (baseUrl) => void (await agents.create(demoAgentAt(baseUrl))));
    if (isFirst) await seedStarterLibrary(scenarios);
    return host;
  });
}

/** Call it before the service takes on work: the runs it resumes may need the demo agent. */
export function seedDemoService(app: INestApplicationContext): Promise<DemoAgentHost> {
  return seedDemo({
    firstStart: new FirstStartStore(app.get(Database)),
    agents: app.get(AgentsStore),
    scenarios: app.get(ScenariosStore),
  });
}

/** Starts it at any free port; `onReady` is called with its address. */
async function serveNew(onReady: (baseUrl: string) => Promise<void>): Promise<ClinicAgent> {
  const clinic = await startClinicAgent();
  try {
    await onReady(clinic.baseUrl);
    return clinic;
  } catch (error) {
    await clinic.close();
    throw error;
  }
}

/** Starts it at its previous port, or at a new one if another program has taken that. */
async function serveAgain(id: string, baseUrl: string, agents: AgentsStore): Promise<DemoAgentHost> {
  const port = Number(new URL(baseUrl).port);
  const clinic = await startAt(port);
  if (clinic !== null) return clinic;
  if (await isClinicAgentAt(baseUrl)) return standBy(port);
  return serveNew(
    async (moved) => void (await agents.update(id, { config: ({ config }) => ({ ...config, base_url: moved }) })),
  );
}

/** Null when the port is taken. */
async function startAt(port: number): Promise<ClinicAgent | null> {
  try {
    return await startClinicAgent({ port });
  } catch (error) {
    if (isTaken(error)) return null;
    throw error;
  }
}

function isTaken(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  // Some systems reserve ranges of ports, which come and go.
  return error.code === 'EADDRINUSE' || error.code === 'EACCES';
}

/** Another process serves it: this one takes over when that process ends. */
function standBy(port: number): DemoAgentHost {
  let taking: Promise<ClinicAgent | null> = Promise.resolve(null);
  const timer = setInterval(() => {
    taking = startAt(port).then(
      (clinic) => {
        if (clinic !== null) clearInterval(timer);
        return clinic;
      },
      () => null,
    );
  }, STAND_BY_MS).unref();
  return {
    close: async () => {
      clearInterval(timer);
      await (await taking)?.close();
    },
  };
}
