import { filledText } from './field';
import { z } from 'zod';
import { NOT_FOUND, agentConfig, providerKind } from './agents';
import { ERROR_CODES } from '../src/domain';
import { operation } from './operation';

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

const tryAgentRequest = z
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

const tryUnsavedAgentRequest = z
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

const triedAgent = z
  .discriminatedUnion('ok', [
    z
      .object({
        ok: z.literal(true),
        reply: z.string(),
        greeting: z.string().nullable().describe('What the agent said before the message; null when it said nothing.'),
        latency_ms: z.number().nullable().describe('From sending the message until the whole reply arrived.'),
        follow_up: z
          .object({ message: z.string(), reply: z.string(), latency_ms: z.number().nullable() })
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

export const tryAgent = operation({
  id: 'tryAgent',
  method: 'POST',
  path: '/api/v1/agents/{id}/try',
  tag: 'Agents',
  role: 'runner',
  summary: 'Send one message to an agent',
  description:
    'Connects, sends the message and returns the reply, the way a run would; nothing is stored. A failing agent is ' +
    'an answer too: `ok` is false. Connecting and the reply may take `turn_timeout_ms` each, with at most one retry. ' +
    'With `config` it is tried as a change of it would make it, before the change is stored.',
  body: tryAgentRequest,
  answers: {
    200: { description: 'The reply, or why there is none.', schema: triedAgent },
    400: 'A field is wrong, this deployment cannot run agents of the kind, or stored secrets would follow a changed address.',
    404: NOT_FOUND,
  },
});

export const tryUnsavedAgent = operation({
  id: 'tryUnsavedAgent',
  method: 'POST',
  path: '/api/v1/agents/try',
  tag: 'Agents',
  role: 'runner',
  summary: 'Send one message to an agent that is not registered',
  description: 'The same for a complete connection in the body: to see that it works before it is stored.',
  body: tryUnsavedAgentRequest,
  answers: {
    200: { description: 'The reply, or why there is none.', schema: triedAgent },
    400: 'A field is missing or wrong, or this deployment cannot run agents of the kind.',
  },
});

const readCurlLineRequest = z
  .object({
    curl: filledText(100_000).describe('The line as it is typed into a shell, beginning with `curl`.'),
    message: filledText(10_000)
      .optional()
      .describe(
        'The text in the line that the patient’s messages replace; found by its usual names when it is left out.',
      ),
    keep_session: z
      .boolean()
      .default(false)
      .describe('Whether session ids of the line stay as they are; otherwise each conversation has one of its own.'),
  })
  .meta({
    id: 'ReadCurlLine',
    examples: [{ curl: `curl https://agents.example.org/chat -d '{"message": "Hello"}'` }],
  });

export type ReadCurlLineRequest = z.output<typeof readCurlLineRequest>;

const agentOfCurlLine = z
  .object({
    name: z.string().describe('The host of the address.'),
    provider: z.literal('http'),
    config: agentConfig,
    message_at: z.string().describe('Where in the request the patient’s message stands, such as `body.message`.'),
    session_at: z.array(z.string()).describe('Where the id of the conversation stands; empty when nothing carries it.'),
    remarks: z.array(z.string()).describe('What of the line is left out, and why.'),
    warnings: z.array(z.string()).describe('What would make the result of a run doubtful, as of a stored agent.'),
  })
  .meta({ id: 'AgentOfCurlLine' });

export type AgentOfCurlLine = z.output<typeof agentOfCurlLine>;

export const readCurlLine = operation({
  id: 'readCurlLine',
  method: 'POST',
  path: '/api/v1/agents/read-curl',
  tag: 'Agents',
  role: 'runner',
  summary: 'Read a curl line as an agent that is called over HTTP',
  description:
    'Answers the fields of an agent of the kind `http` that sends what the line sends. Nothing is run, sent or stored. A line ' +
    'that takes its data from a file, or a value from a variable, is refused: put the text there. Where an answer holds the reply is seen by trying the agent.',
  body: readCurlLineRequest,
  answers: {
    200: { description: 'The fields of the agent.', schema: agentOfCurlLine },
    400: 'The line cannot be used; the sentence names what to change.',
  },
});
