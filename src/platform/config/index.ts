/**
 * The settings of this process, read once from the environment and checked before anything starts; nothing else reads it. The log
 * is here too: what is wrong with a setting is the first thing it says.
 */

// What the service sees of its settings.
export {
  Settings,
  giveToOpenTelemetry,
  SettingsError,
  readSettings,
  readSettingsOfCommand,
  settingsFrom,
  describeSettings,
  type TraceSettings,
} from './settings';
export { ConfigModule } from './config.module';
export { childEnvironment, misspeltSettings } from './environment';
export { VERSION } from './version';

// What a setting may name.
export { readModelName, fullNameOf } from './model-name';
export { PUBLIC_ADDRESS, ROLES, type ModelConnection, type AllowedModel, type Role } from './examiner-models';
export type { SpeechServer, SpeechSettings } from './speech-servers';
export type { SignInSettings } from './sign-in-settings';
export { HostPattern, isOnLoopback } from './host-name';
export { parseNatsUrl, type NatsAddress } from './nats-address';

// The log.
export { Log, silentLog, createLog, type LogFields } from './log';
