/** How an agent can be reached. Every list of them is a record by kind, so that the compiler asks for a new one everywhere. */
export const PROVIDER_KINDS = ['vapi', 'openai', 'livekit', 'pipecat', 'browser', 'http'] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

/** Those whose agents can be examined by voice: of Pipecat Cloud those in LiveKit rooms, which their config says. */
const SPEAKING_KINDS: ReadonlySet<string> = new Set<ProviderKind>(['livekit', 'pipecat']);

/** @param kind of an agent, which a later version may know alone */
export function canSpeak(kind: string): boolean {
  return SPEAKING_KINDS.has(kind);
}
