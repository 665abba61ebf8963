import { z } from 'zod';
import { description, filledText, givenId, name } from '../../platform/http/field';
import { PROVIDER_KINDS } from '../../domain/provider-kinds';
import { fieldsWithLongSecrets, LONGEST_SECRET } from '../../agents/secrets/secret-values';

/** Provider-specific: kept as sent, whatever its keys. */
export const agentConfig = z
  .record(z.string(), z.unknown())
  .superRefine((config, context) => {
    for (const field of fieldsWithLongSecrets(config)) {
      const message = `holds a secret of more than ${LONGEST_SECRET} characters, the most that one may have: check what was pasted`;
      context.addIssue({ code: 'custom', path: [field], message });
    }
  })
  .meta({
    description: 'Provider-specific connection fields, in snake_case or camelCase; stored and returned as sent.',
    examples: [{ base_url: 'http://127.0.0.1:9000/v1', model: 'clinic-agent', api_key: '<API_KEY>' }],
  });
// Checked by the service, whose sentence for another kind names all of them.
export const providerKind = filledText(100).meta({
  description: `One of ${PROVIDER_KINDS.join(', ')}.`,
  enum: [...PROVIDER_KINDS],
});

export const createAgentRequest = z
  .object({
    name,
    provider: providerKind,
    config: agentConfig,
    description: description.nullish(),
  })
  .meta({
    id: 'CreateAgent',
    examples: [
      {
        name: 'Triage assistant',
        provider: 'openai',
        config: { base_url: 'http://127.0.0.1:9000/v1', model: 'clinic' },
      },
    ],
  });
export type CreateAgentRequest = z.output<typeof createAgentRequest>;

export const updateAgentRequest = z
  .object({
    name: name.optional(),
    description: description.nullish(),
    config: agentConfig
      .describe('Merged key by key into the stored config; a key set to null is removed, others stay.')
      .optional(),
    is_active: z.boolean().optional(),
  })
  .meta({
    id: 'UpdateAgent',
    examples: [{ is_active: false }, { config: { model: 'clinic-2', system_prompt: null } }],
  });
export type UpdateAgentRequest = z.output<typeof updateAgentRequest>;

export const setBaselineRequest = z
  .object({ test_run_id: givenId.describe('UUID or label of a completed run of this agent.') })
  .meta({ id: 'SetBaseline', examples: [{ test_run_id: 'run_20261121103000_1f0c9a2e' }] });
export type SetBaselineRequest = z.output<typeof setBaselineRequest>;
