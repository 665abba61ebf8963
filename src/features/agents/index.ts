/** The agents that clients have stored, with their configs and baselines: `/api/v1/agents`. */

export { AgentsModule } from './agents.module';
export { AgentEntity } from './agent.entity';
export { AgentsStore, type NewAgent } from './agents.store';
