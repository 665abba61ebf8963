import { z } from 'zod';
import type { AgentEntity, NewAgent } from '../features/agents';
import { CLINIC_MODEL } from './chat-requests';
import { isReferenceModel } from './reference-agents';

/** The agent that a first start registers. */
export const DEMO_AGENT_NAME = 'Demo clinic agent';

const DESCRIPTION =
  'A rule-based clinic assistant that runs inside this service, to try examinations on: good at emergencies, careless about medication. Delete it when you do not need it.';

export function demoAgentAt(baseUrl: string): NewAgent {
  return {
    provider: 'openai',
    name: DEMO_AGENT_NAME,
    description: DESCRIPTION,
    config: { base_url: baseUrl, model: CLINIC_MODEL },
  };
}

const demoConfig = z.object({
  model: z.string().refine((model) => model === CLINIC_MODEL || isReferenceModel(model)),
  base_url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d{1,5}\/v1$/),
});

/** The address at which an agent expects the clinic agent; null for other agents, and for one that a user pointed elsewhere. */
export function clinicAddressOf({ provider, config }: AgentEntity): string | null {
  const parsed = demoConfig.safeParse(config);
  return provider === 'openai' && parsed.success ? parsed.data.base_url : null;
}

/** Whether a clinic agent of another process is at this address. */
export async function isClinicAgentAt(baseUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${baseUrl}/models`, {
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
      // No redirects: a program that has the port now must not choose the address that we call next.
      redirect: 'error',
    });
    return modelList.safeParse(await response.json()).success;
  } catch {
    return false;
  }
}

const ANSWERS_WITHIN_MS = 1_000;
const modelList = z.object({ data: z.tuple([z.object({ id: z.literal(CLINIC_MODEL) })]).rest(z.unknown()) });
