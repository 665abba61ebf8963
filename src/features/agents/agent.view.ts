import { z } from 'zod';
import { id, timestamp } from '../../platform/http/field';
import type { AgentEntity } from './agent.entity';
import { whyUnopened } from '../../platform/database/encryption/unopened';

export const agentView = z
  .object({
    id,
    provider: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    config: z
      .record(z.string(), z.unknown())
      .describe(
        'As stored; credentials are masked with MASK_CREDENTIALS=true, and for keys of runners and viewers. Where it cannot be decrypted, `$unopened` says why.',
      ),
    warnings: z
      .array(z.string())
      .describe(
        'What to mend: nothing carries the conversation from one message to the next; for keys of admins also what looks like a secret in a path.',
      ),
    is_active: z.boolean(),
    baseline_test_run_id: id
      .nullable()
      .describe('The run that its other runs are compared with when no other is named.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Agent' });
export type AgentView = z.output<typeof agentView>;

/** The stored row as the API shows it, credentials included and nothing warned of; a sentence in place of a config that does not open. */
export function viewOfAgent(agent: AgentEntity): Omit<AgentView, 'warnings'> {
  const unopened = whyUnopened(agent);
  return {
    id: agent.id,
    provider: agent.provider,
    name: agent.name,
    description: agent.description,
    config: unopened === null ? agent.config : { $unopened: unopened },
    is_active: agent.isActive,
    baseline_test_run_id: agent.baselineTestRunId,
    created_at: agent.createdAt.toISOString(),
    updated_at: agent.updatedAt.toISOString(),
  };
}
