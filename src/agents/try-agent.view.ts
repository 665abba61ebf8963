import { z } from 'zod';
import { ERROR_CODES } from '../../machines/failure';
import { filledText } from '../http/field';
import { agentConfig, providerKind } from './agent.requests';

/** Nothing that any agent has to act on. */
const HARMLESS_GREETING = 'Hello. I have a question about my health. Can you help me?';

const message = filledText(10_000)
  .default(HARMLESS_GREETING)
  .describe('What the patient says; a short greeting when it is left out.');

export const tryAgentRequest = z
  .object({
    message,
    config: agentConfig
      .describe(
        'Merged key by key into the stored config, for this message only: what a PATCH with it would make of the agent, with the same rules. `requests_per_minute` stays the stored one, whose budget the agent’s runs share.',
      )
      .optional(),
  })
  .prefault({})
  .meta({
    id: 'TryAgent',
    examples: [
      { message: 'Hello. I have had a headache since yesterday.' },
      { message: 'Hello.', config: { model: 'clinic-2' } },
    ],
  });
export type TryAgentRequest = z.output<typeof tryAgentRequest>;

export const tryUnsavedAgentRequest = z.object({ provider: providerKind, config: agentConfig, message }).meta({
  id: 'TryUnsavedAgent',
  examples: [
    {
      provider: 'openai',
      config: { base_url: 'http://127.0.0.1:9000/v1', model: 'clinic' },
      message: 'Hello. I have had a headache since yesterday.',
    },
  ],
});
export type TryUnsavedAgentRequest = z.output<typeof tryUnsavedAgentRequest>;

export const triedAgent = z
  .discriminatedUnion('ok', [
    z
      .object({
        ok: z.literal(true),
        reply: z.string(),
        greeting: z.string().nullable().describe('What the agent said before the message; null when it said nothing.'),
        latency_ms: z.number().describe('From sending the message until the whole reply arrived.'),
        metadata: z
          .record(z.string(), z.unknown())
          .describe('What the provider reports about the reply, such as token usage.'),
      })
      .meta({ id: 'AgentReplied' }),
    z
      .object({
        ok: z.literal(false),
        error_code: z.enum(ERROR_CODES),
        error: z.string().describe('One sentence to act on.'),
      })
      .meta({ id: 'AgentFailed' }),
  ])
  .meta({ id: 'TriedAgent' });
export type TriedAgent = z.output<typeof triedAgent>;
