import { resolve } from 'node:path';
import type { EgressRules } from '../egress/egress';
import type { TargetRules } from '../targets/target-policy';
import { asCurlReads, environment, SECRET, type Environment, type KeptRecordings } from './environment';
import { checkExtraCertificates } from './extra-certificates';
import { examinerModelsOf, type ExaminerModels } from './examiner-models';
import type { LogLevel } from './log';
import { isOnLoopback } from './host-name';
import { speechSettingsOf, type SpeechSettings } from './speech-servers';
import { fileVariable, withSecretFiles } from './secret-files';
import { signInSettingsOf, type SignInSettings } from './sign-in-settings';
import { MAKE_A_KEY, serviceKeysOf, type ServiceKey } from './service-keys';
import { millisecondsOf, TARGET_LIST, SettingsError } from './setting-values';

export { SettingsError };

/** Everything a deployment can set, read once at start. Also the injection token. */
export class Settings {
  /** 0 asks the system for a free port. */
  readonly port: number;
  /** Where to listen. Beyond this machine only with a service key, or where ALLOW_OPEN says so. */
  readonly host: string;
  /** Whether it may be reached from elsewhere without a service key. */
  readonly allowOpen: boolean;
  /** Where people open the page, without a slash at its end; null: the service does not know by which name it is reached. */
  readonly publicUrl: string | null;
  /** Where a turn is traced, with places for its ids; null: turns have no links. */
  readonly traceUrlTemplate: string | null;
  /** A real PostgreSQL server; null runs the embedded one in `dataDir`. */
  readonly databaseUrl: string | null;
  /** A NATS server with JetStream; null keeps the bus inside the process. */
  readonly natsUrl: string | null;
  /** Absolute path. */
  readonly dataDir: string;
  /** Which language models play and mark. */
  readonly examiners: ExaminerModels;
  /** Whether a patient that a language model played is audited when its conversation has ended. */
  readonly patientAudit: boolean;
  /** Who speaks and hears in spoken examinations. */
  readonly speech: SpeechSettings;
  /** What `osce speech calibrate` measured on this machine, at the 95th percentile; null: it is not known. */
  readonly speechTimingErrorMs: number | null;
  /** For `openai` agents whose config names no key. */
  readonly openaiApiKey: string | null;
  /** Hosts besides the vendor's own that it may be sent to, as in `allowedHosts`. */
  readonly openaiApiKeyHosts: readonly string[];
  /** Whether every request has to show who sends it; otherwise all callers may everything. */
  readonly isGuarded: boolean;
  /** Any of these opens the service, to what its role may. */
  readonly serviceKeys: readonly ServiceKey[];
  /** How people sign in; null: they do not. */
  readonly signIn: SignInSettings | null;
  /** `plain` or base64, as SECRETS_KEY lists them: the first seals what is stored, all open it; none: it is stored in plain text. */
  readonly secretsKeys: readonly string[];
  /** Host names and `*.suffix`, each with or without a port, that the service answers to without a key, besides loopback. */
  readonly allowedHosts: readonly string[];
  /** Per client address and key; null: no limit. */
  readonly rateLimitPerMinute: number | null;
  /** Whether answers show stored credentials as their first characters only. */
  readonly maskCredentials: boolean;
  /** Processes that share this machine’s port and work; 1: this one alone. */
  readonly workers: number;
  /** Scenario runs this process executes at a time. */
  readonly maxActiveScenarios: number;
  /** Spoken conversations this process holds at a time, of those. */
  readonly spokenConversations: number;
  /** Event streams this process serves at a time: of runs and of inspected actors. */
  readonly maxEventStreams: number;
  /** Runs waiting for their start time, over all processes. */
  readonly maxScheduledRuns: number;
  /** What the examiners' language models may cost per day (UTC), over all processes; null: no limit. */
  readonly maxSpendUsdPerDay: number | null;
  /** A scheduled run found later than this after its start time is no longer started. */
  readonly scheduleGraceMs: number;
  /** Schedules that start runs again and again. */
  readonly maxSchedules: number;
  /** The shortest time between two starts of one of them. */
  readonly minScheduleIntervalMs: number;
  /** How late one of them may still start a run. */
  readonly maxStartDelayMs: number;
  /** Days for which audit records are kept; null: for ever. */
  readonly auditDays: number | null;
  /** Runs that ended more days ago are deleted; null: none are. */
  readonly retentionDays: number | null;
  /** What is kept of the sound of spoken conversations. */
  readonly keepRecordings: KeptRecordings;
  /** Those who are rung at a telephone number have agreed to be recorded. */
  readonly recordsTelephoneCalls: boolean;
  /** Days for which it is kept; null: for as long as its run. */
  readonly recordingsDays: number | null;
  /** Connections this process opens to the database. */
  readonly databasePoolSize: number;
  /** Whether anything is counted for /metrics. */
  readonly metrics: boolean;
  /** Opens /metrics and nothing else; null: service keys do, when there are any. */
  readonly metricsToken: string | null;
  readonly logLevel: LogLevel;
  readonly tracing: TraceSettings;
  /** A Chromium for `browser` agents; null: looked for in the usual places. */
  readonly browserExecutable: string | null;
  /** Whether a service that runs as root, and finds no other user for its browser, may start it without a sandbox. */
  readonly browserAllowNoSandbox: boolean;
  /** Where agents may live. */
  readonly targets: TargetRules;
  /** How requests leave the service. */
  readonly egress: EgressRules;

  constructor(environment: Environment) {
    this.port = environment.PORT;
    this.serviceKeys = Object.freeze(serviceKeysOf(environment));
    this.signIn = signInSettingsOf(environment);
    this.isGuarded = this.serviceKeys.length > 0 || this.signIn !== null;
    this.host = environment.HOST;
    this.allowOpen = environment.ALLOW_OPEN;
    this.secretsKeys = Object.freeze(environment.SECRETS_KEY);
    this.allowedHosts = Object.freeze(environment.ALLOWED_HOSTS);
    this.publicUrl = environment.PUBLIC_URL?.replace(/\/+$/, '') ?? null;
    this.traceUrlTemplate = environment.TRACE_URL_TEMPLATE ?? null;
    this.databaseUrl = environment.DATABASE_URL ?? null;
    this.natsUrl = environment.NATS_URL ?? null;
    this.dataDir = resolve(environment.DATA_DIR);
    this.examiners = Object.freeze(examinerModelsOf(environment));
    this.patientAudit = environment.PATIENT_AUDIT;
    this.speech = Object.freeze(speechSettingsOf(environment));
    this.speechTimingErrorMs = environment.SPEECH_TIMING_ERROR_MS ?? null;
    this.openaiApiKey = environment.OPENAI_API_KEY ?? null;
    this.openaiApiKeyHosts = Object.freeze(environment.OPENAI_API_KEY_HOSTS);
    this.rateLimitPerMinute = environment.RATE_LIMIT_PER_MINUTE === 0 ? null : environment.RATE_LIMIT_PER_MINUTE;
    this.maskCredentials = environment.MASK_CREDENTIALS;
    this.workers = environment.WORKERS;
    this.maxActiveScenarios = environment.MAX_ACTIVE_SCENARIOS;
    this.spokenConversations = environment.SPOKEN_CONVERSATIONS;
    this.maxEventStreams = environment.MAX_EVENT_STREAMS;
    this.maxScheduledRuns = environment.MAX_SCHEDULED_RUNS;
    this.maxSpendUsdPerDay = environment.MAX_SPEND_USD_PER_DAY ?? null;
    this.scheduleGraceMs = millisecondsOf(environment.SCHEDULE_GRACE);
    this.maxSchedules = environment.MAX_SCHEDULES;
    this.minScheduleIntervalMs = millisecondsOf(environment.MIN_SCHEDULE_INTERVAL);
    this.maxStartDelayMs = millisecondsOf(environment.MAX_START_DELAY);
    this.auditDays = environment.AUDIT_DAYS === 0 ? null : environment.AUDIT_DAYS;
    this.retentionDays = environment.RETENTION_DAYS ?? null;
    this.keepRecordings = environment.KEEP_RECORDINGS;
    this.recordsTelephoneCalls = environment.RECORD_TELEPHONE_CALLS;
    this.recordingsDays = environment.RECORDINGS_DAYS === 0 ? null : environment.RECORDINGS_DAYS;
    this.databasePoolSize = environment.DATABASE_POOL_SIZE;
    this.metrics = environment.METRICS;
    this.metricsToken = environment.METRICS_TOKEN ?? null;
    this.logLevel = environment.LOG_LEVEL;
    this.tracing = Object.freeze(traceSettingsOf(environment));
    this.browserExecutable = environment.BROWSER_EXECUTABLE ?? null;
    this.browserAllowNoSandbox = environment.BROWSER_ALLOW_NO_SANDBOX;
    this.targets = Object.freeze({ mode: environment.TARGETS, allowed: Object.freeze(environment.ALLOWED_TARGETS) });
    this.egress = Object.freeze(egressRulesOf(environment));
    Object.freeze(this);
  }
}

function egressRulesOf(environment: Environment): EgressRules {
  const { HTTPS_PROXY, HTTP_PROXY, NO_PROXY, PROXY_RESOLVES_NAMES } = environment;
  return {
    https: HTTPS_PROXY ?? null,
    http: HTTP_PROXY ?? null,
    direct: NO_PROXY ?? [],
    byName: PROXY_RESOLVES_NAMES,
  };
}

/**
 * The settings from these environment variables, and from the files that they name for secrets. White space around a value is
 * ignored; an empty value is unset.
 * @throws SettingsError for the first bad value
 */
export function settingsFrom(given: NodeJS.ProcessEnv): Settings {
  const variables = asCurlReads(withSecretFiles(given, SECRET));
  const written = Object.fromEntries(
    Object.keys(environment.shape).flatMap((name) => {
      const value = variables[name]?.trim();
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
  const parsed = environment.safeParse(written);
  if (parsed.success) {
    checkExtraCertificates(parsed.data.NODE_EXTRA_CA_CERTS);
    return checked(new Settings(parsed.data));
  }
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0]);
  // An address that is not meant to hold credentials may hold some all the same.
  const shown = SECRET.has(name) ? 'something else' : JSON.stringify(written[name]?.replace(/\/\/[^/@]*@/, '//…@'));
  throw new SettingsError(`${name} must be ${issue?.message}; it is ${shown}.`);
}

/** @throws SettingsError for settings that do not go together */
function checked(settings: Settings): Settings {
  if (settings.natsUrl !== null && settings.databaseUrl === null) {
    throw new SettingsError(
      'NATS_URL is set and DATABASE_URL is not: several processes need one PostgreSQL server; set both, or neither.',
    );
  }
  if (settings.workers > 1 && settings.natsUrl !== null) {
    throw new SettingsError(
      `WORKERS is ${settings.workers} and NATS_URL is set: workers are for one machine without NATS. Unset WORKERS and start the service several times, or unset NATS_URL.`,
    );
  }
  if (!settings.isGuarded && !settings.allowOpen && !isOnLoopback(settings.host)) {
    throw new SettingsError(
      `HOST is ${settings.host} and no service key is set, so that whoever reaches this machine could do everything: set SERVICE_API_KEY ` +
        `to a key (${MAKE_A_KEY} makes one), or ALLOW_OPEN=true if that is what you want.`,
    );
  }
  const opener = settings.serviceKeys.find(({ key }) => key === settings.metricsToken);
  if (opener !== undefined) {
    throw new SettingsError(
      `METRICS_TOKEN is also the service key "${opener.name}", so that whoever may scrape could do what that key may: make another with ${MAKE_A_KEY}.`,
    );
  }
  const { mode, allowed } = settings.targets;
  if (mode === 'list' && allowed.length === 0) {
    throw new SettingsError(
      `TARGETS is list and ALLOWED_TARGETS is not set, which would allow no agent at all: set it to ${TARGET_LIST}.`,
    );
  }
  if (mode !== 'list' && allowed.length > 0) {
    throw new SettingsError(
      `ALLOWED_TARGETS is set and TARGETS is ${mode}, which takes no list: set TARGETS=list, or leave ALLOWED_TARGETS out.`,
    );
  }
  return settings;
}

/** The settings of this process. @throws SettingsError */
export function readSettings(): Settings {
  return settingsFrom(process.env);
}

/** The settings of a command that works on the database alone: it listens nowhere, so that HOST asks for no key. @throws SettingsError */
export function readSettingsOfCommand(): Settings {
  return settingsFrom({ ...process.env, HOST: undefined });
}

export interface SettingDescription {
  readonly name: string;
  readonly description: string;
  /** Null: there is none, or it depends on other settings. */
  readonly default: string | null;
  /** The variable that may name a file with the value instead; null for what is no secret. */
  readonly fileVariable: string | null;
}

/** Every setting, for the program's help text. */
export function describeSettings(): SettingDescription[] {
  return Object.entries(environment.shape).map(([name, schema]) => {
    const unset = schema.safeParse(undefined);
    // A list that is not set is empty.
    const value = unset.success && unset.data !== undefined && typeof unset.data !== 'object' ? String(unset.data) : '';
    return {
      name,
      description: schema.description ?? '',
      default: value === '' ? null : value,
      fileVariable: SECRET.has(name) ? fileVariable(name) : null,
    };
  });
}

/** What a deployment can set about traces. Where they go is read by OpenTelemetry's own library, like all its other variables. */
export interface TraceSettings {
  readonly isOn: boolean;
  /** Whether spans hold what patient and agent said. */
  readonly capturesContent: boolean;
  /** Variables of the library that may have been read from files. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

function traceSettingsOf(environment: Environment): TraceSettings {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, OTEL_EXPORTER_OTLP_TRACES_HEADERS } = environment;
  return {
    isOn: OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    capturesContent: environment.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT,
    variables: { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, OTEL_EXPORTER_OTLP_TRACES_HEADERS },
  };
}

/** The library does not know `NAME_FILE`: it finds in the environment what stood in the files. */
export function giveToOpenTelemetry({ variables }: TraceSettings, env: NodeJS.ProcessEnv = process.env): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined) env[name] = value;
  }
}
