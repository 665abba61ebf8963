/**
 * The agents that are examined, whatever their kind: a `Provider` opens a `Session`, and a session answers messages. The engine
 * finds the provider of a kind in the registry; what stores agents comes here for what a config may hold.
 */

// The port, and where a kind’s implementation is found.
export { Provider, type Session, type TraceHeaders, type AgentConfig, type Reply, type Branching } from './provider';
export type {
  AgentSound,
  InterjectionKind,
  PressedKey,
  SpokenInterjection,
  HeldFloor,
  SpokenPatient,
  SpokenSpan,
  SpokenTurn,
  Utterance,
} from './provider';
export type { Json } from './json-value';
export { ProviderRegistry } from './registry';
export { AgentHungUp, ProviderError } from './errors';
export { ProvidersModule } from './providers.module';

// What an agent’s config holds.
export { readPace, CONFIG_FIELDS } from './config';
export { givenValue, fieldOf } from './config-reader';
export { configWithoutSecrets, examinedConfig } from './examined-config';

// What stands in an answer instead of a secret.
export { REMOVED, Removal } from './removal';

// How exactly spoken conversations are timed on this machine.
export { RoomProcesses } from './livekit/room-processes';
export { inRoomsOf } from './livekit/timing/known-room';
export { LineThread } from './media-stream/line-thread';
export { onLinesOf } from './media-stream/timing/known-line';
export { calibrationTurns, timeKnownAgents, type CallKnownAgent, type TimedTurn } from './voice/timing/timing-check';
export { timingErrorOf, type TimingError } from './voice/timing/timing-error';
export type { KnownTurn } from './voice/timing/known-agent-wire';

// The other end of a telephone line, for agents of this project's own.
export { LineServer, type LineAgent, type TakenCall } from './media-stream/line-server';
