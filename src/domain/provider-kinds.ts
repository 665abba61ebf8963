/** How an agent can be reached. Every list of them is a record by kind, so that the compiler asks for a new one everywhere. */
export const PROVIDER_KINDS = ['vapi', 'openai', 'livekit', 'pipecat', 'browser', 'http'] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];
