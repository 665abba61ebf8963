import { z } from 'zod';
import { description, filledText, givenId, id, name, timestamp } from './field';
import { PROVIDER_KINDS } from '../src/domain';
import { WHOLE_LIST, wholeListFields } from './page';
import { CHANGED_MEANWHILE, pageHeaders, tagHeaders } from './headers';
import { operation } from './operation';

/** Provider-specific: kept as sent, whatever its keys. */
export const agentConfig = z.record(z.string(), z.unknown()).meta({
  description: 'Provider-specific connection fields, in snake_case or camelCase; stored and returned as sent.',
  examples: [{ base_url: 'http://127.0.0.1:9000/v1', model: 'clinic-agent', api_key: '<API_KEY>' }],
});

// Checked by the service, whose sentence for another kind names all of them.
export const providerKind = filledText(100).meta({
  description: `One of ${PROVIDER_KINDS.join(', ')}.`,
  enum: [...PROVIDER_KINDS],
});

const createAgentRequest = z
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

const updateAgentRequest = z
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

const setBaselineRequest = z
  .object({ test_run_id: givenId.describe('UUID or label of a completed run of this agent.') })
  .meta({ id: 'SetBaseline', examples: [{ test_run_id: 'run_20261121103000_1f0c9a2e' }] });

export type SetBaselineRequest = z.output<typeof setBaselineRequest>;

const listQuery = z.object(wholeListFields);

export const NOT_FOUND = 'Agent not found';

const agentView = z
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

export const listAgents = operation({
  id: 'listAgents',
  method: 'GET',
  path: '/api/v1/agents',
  tag: 'Agents',
  role: 'viewer',
  summary: 'List agents, by name',
  description: WHOLE_LIST,
  query: listQuery,
  answers: { 200: { description: 'The agents.', schema: z.array(agentView), headers: pageHeaders } },
});

export const createAgent = operation({
  id: 'createAgent',
  method: 'POST',
  path: '/api/v1/agents',
  tag: 'Agents',
  role: 'admin',
  summary: 'Create an agent',
  body: createAgentRequest,
  isKeyed: true,
  answers: {
    201: { description: 'The agent as stored.', schema: agentView, headers: tagHeaders },
    400: 'A field is missing or wrong, or the provider is not supported.',
  },
});

export const getAgent = operation({
  id: 'getAgent',
  method: 'GET',
  path: '/api/v1/agents/{id}',
  tag: 'Agents',
  role: 'viewer',
  summary: 'Get an agent',
  answers: { 200: { description: 'The agent.', schema: agentView, headers: tagHeaders }, 404: NOT_FOUND },
});

export const updateAgent = operation({
  id: 'updateAgent',
  method: 'PATCH',
  path: '/api/v1/agents/{id}',
  tag: 'Agents',
  role: 'admin',
  summary: 'Update an agent',
  description:
    'Fields that are left out stay as they are. `config` is merged key by key. A change of an address to another scheme, ' +
    'host or port must give the stored secrets again, or remove them with null.',
  body: updateAgentRequest,
  takesIfMatch: true,
  answers: {
    200: { description: 'The agent as it is now.', schema: agentView, headers: tagHeaders },
    400: 'A field is wrong, or stored secrets would follow a changed address.',
    404: NOT_FOUND,
    412: CHANGED_MEANWHILE,
  },
});

export const deleteAgent = operation({
  id: 'deleteAgent',
  method: 'DELETE',
  path: '/api/v1/agents/{id}',
  tag: 'Agents',
  role: 'admin',
  summary: 'Delete an agent',
  description: 'Its past runs stay and live ones finish.',
  answers: { 204: { description: 'Deleted.' }, 404: NOT_FOUND },
});

export const setBaseline = operation({
  id: 'setBaseline',
  method: 'PUT',
  path: '/api/v1/agents/{id}/baseline',
  tag: 'Agents',
  role: 'admin',
  summary: 'Set the baseline of an agent',
  description:
    'Runs of the agent name it in `baseline_test_run_id`; the page and the command compare them with it when no other run is ' +
    'named. When the run is deleted, the agent has no baseline.',
  body: setBaselineRequest,
  answers: {
    200: { description: 'The agent as it is now.', schema: agentView },
    400: 'test_run_id is missing, or the run examined another agent, failed or was canceled.',
    404: 'The agent or the run is not found.',
    409: 'The run is under way.',
  },
});

export const clearBaseline = operation({
  id: 'clearBaseline',
  method: 'DELETE',
  path: '/api/v1/agents/{id}/baseline',
  tag: 'Agents',
  role: 'admin',
  summary: 'Clear the baseline of an agent',
  answers: { 204: { description: 'It has no baseline.' }, 404: NOT_FOUND },
});
