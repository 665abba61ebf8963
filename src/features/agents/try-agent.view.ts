import { z } from 'zod';
import { ERROR_CODES } from '../../domain/failure';
import { filledText } from '../../platform/http/field';
import { agentConfig, providerKind } from './agent.requests';

/** Only an agent that knows the conversation can answer it. */
export const FOLLOW_UP = 'Could you please repeat in your own words what I have just said to you?';

/** A message that no agent has to act on. */
const HARMLESS_GREETING = 'Hello. I have a question about my health. Can you help me?';

const message = filledText(10_000)
  .default(HARMLESS_GREETING)
  .describe('What the patient says; a short greeting when it is left out.');

const followUp = z
  .boolean()
  .default(false)
  .describe(
    'Whether a second message is sent, which asks what the first one was: its reply shows whether the agent knows one conversation from the next.',
  );

export const tryAgentRequest = z
  .object({
    message,
    follow_up: followUp,
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

export const tryUnsavedAgentRequest = z
  .object({ provider: providerKind, config: agentConfig, message, follow_up: followUp })
  .meta({
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
        follow_up: z
          .object({ message: z.string(), reply: z.string(), latency_ms: z.number() })
          .nullable()
          .describe('The second message and its reply; null when none was asked for, or none could be sent.'),
        warnings: z
          .array(z.string())
          .describe('What would make the result of a run doubtful, such as that nothing carries the conversation.'),
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
