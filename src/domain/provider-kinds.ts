/** How an agent can be reached. Every list of them is a record by kind, so that the compiler asks for a new one everywhere. */
export const PROVIDER_KINDS = ['vapi', 'openai', 'livekit', 'pipecat', 'browser', 'http', 'media-stream'] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

/** Those whose agents can be examined by voice: of Pipecat Cloud those in LiveKit rooms, which their config says. */
const SPEAKING_KINDS: ReadonlySet<string> = new Set<ProviderKind>(['livekit', 'pipecat', 'media-stream']);

/** @param kind of an agent, which a later version may know alone */
export function canSpeak(kind: string): boolean {
  return SPEAKING_KINDS.has(kind);
}

/** Those whose agents take telephone calls and nothing else: there is no text of what they say. */
const VOICE_ONLY_KINDS: ReadonlySet<string> = new Set<ProviderKind>(['media-stream']);

/** In either spelling; it need not be one that can be read. */
type StoredConfig = Readonly<Record<string, unknown>>;

/** Whether an agent is rung at a telephone number. */
export function isOnTelephone(kind: string, config: StoredConfig): boolean {
  const numbers = [config['phone_number'], config['phoneNumber']];
  return kind === 'livekit' && numbers.some((number) => number !== undefined && number !== null && number !== '');
}

/** Whether an agent can be examined by voice alone. @param kind of an agent, which a later version may know alone */
export function isVoiceOnly(kind: string, config: StoredConfig = {}): boolean {
  return VOICE_ONLY_KINDS.has(kind) || isOnTelephone(kind, config);
}
