import { resolve } from 'node:path';
import { z } from 'zod';
import { TARGET_MODES, type TargetRules } from '../targets/target-policy';
import { duration, millisecondsOf } from './duration';
import { examinerModelsOf, type ExaminerModels } from './examiner-models';
import { LOG_LEVELS, type LogLevel } from './log';
import { DEFAULT_MODEL } from './model-name';
import {
  amount,
  hostList,
  key,
  keyList,
  modelList,
  modelName,
  modelServer,
  onOff,
  TARGET_LIST,
  targetList,
  urlOf,
  wholeNumber,
} from './setting-values';
import { SettingsError } from './settings-error';

export { SettingsError };

/** Everything a deployment can set, read once at start. Also the injection token. */
export class Settings {
  /** 0 asks the system for a free port. */
  readonly port: number;
  /** Loopback only, unless a service key guards the service or HOST says otherwise. */
  readonly host: string;
  /** A real PostgreSQL server; null runs the embedded one in `dataDir`. */
  readonly databaseUrl: string | null;
  /** A NATS server with JetStream; null keeps the bus inside the process. */
  readonly natsUrl: string | null;
  /** Absolute path. */
  readonly dataDir: string;
  /** Which language models play and mark. */
  readonly examiners: ExaminerModels;
  /** Whether a patient that a language model played is looked over when its conversation has ended. */
  readonly patientAudit: boolean;
  /** For `openai` agents whose config names no key. */
  readonly openaiApiKey: string | null;
  /** Hosts besides the vendor's own that it may be sent to, as in `allowedHosts`. */
  readonly openaiApiKeyHosts: readonly string[];
  /** Any of these opens the service; none: no authentication. */
  readonly serviceApiKeys: readonly string[];
  /** Host names and `*.suffix`, each with or without a port, that the service answers to without a key, besides loopback. */
  readonly allowedHosts: readonly string[];
  /** Per client address and key; null: no limit. */
  readonly rateLimitPerMinute: number | null;
  /** Whether answers show stored credentials as their first characters only. */
  readonly maskCredentials: boolean;
  /** Scenario runs this process executes at a time. */
  readonly maxActiveScenarios: number;
  /** Event streams this process serves at a time: of runs and of inspected actors. */
  readonly maxEventStreams: number;
  /** Runs waiting for their start time, over all processes. */
  readonly maxScheduledRuns: number;
  /** What the examiners' language models may cost per day (UTC), over all processes; null: no limit. */
  readonly maxSpendUsdPerDay: number | null;
  /** A scheduled run found later than this after its start time is no longer started. */
  readonly scheduleGraceMs: number;
  /** Connections this process opens to the database. */
  readonly databasePoolSize: number;
  readonly logLevel: LogLevel;
  /** A Chromium for `browser` agents; null: looked for in the usual places. */
  readonly browserExecutable: string | null;
  /** Whether a service that runs as root, and finds no other user for its browser, may start it without a sandbox. */
  readonly browserAllowNoSandbox: boolean;
  /** Where agents may live. */
  readonly targets: TargetRules;

  constructor(environment: Environment) {
    this.port = environment.PORT;
    this.serviceApiKeys = Object.freeze(environment.SERVICE_API_KEY);
    this.host = environment.HOST ?? (this.serviceApiKeys.length > 0 ? '0.0.0.0' : '127.0.0.1');
    this.allowedHosts = Object.freeze(environment.ALLOWED_HOSTS);
    this.databaseUrl = environment.DATABASE_URL ?? null;
    this.natsUrl = environment.NATS_URL ?? null;
    this.dataDir = resolve(environment.DATA_DIR);
    this.examiners = Object.freeze(examinerModelsOf(environment));
    this.patientAudit = environment.PATIENT_AUDIT;
    this.openaiApiKey = environment.OPENAI_API_KEY ?? null;
    this.openaiApiKeyHosts = Object.freeze(environment.OPENAI_API_KEY_HOSTS);
    this.rateLimitPerMinute = environment.RATE_LIMIT_PER_MINUTE === 0 ? null : environment.RATE_LIMIT_PER_MINUTE;
    this.maskCredentials = environment.MASK_CREDENTIALS;
    this.maxActiveScenarios = environment.MAX_ACTIVE_SCENARIOS;
    this.maxEventStreams = environment.MAX_EVENT_STREAMS;
    this.maxScheduledRuns = environment.MAX_SCHEDULED_RUNS;
    this.maxSpendUsdPerDay = environment.MAX_SPEND_USD_PER_DAY ?? null;
    this.scheduleGraceMs = millisecondsOf(environment.SCHEDULE_GRACE);
    this.databasePoolSize = environment.DATABASE_POOL_SIZE;
    this.logLevel = environment.LOG_LEVEL;
    this.browserExecutable = environment.BROWSER_EXECUTABLE ?? null;
    this.browserAllowNoSandbox = environment.BROWSER_ALLOW_NO_SANDBOX;
    this.targets = Object.freeze({ mode: environment.TARGETS, allowed: Object.freeze(environment.ALLOWED_TARGETS) });
    Object.freeze(this);
  }
}

const environment = z.object({
  PORT: wholeNumber(0, 65_535).default(8_000).describe('where to listen; 0 picks a free port'),
  HOST: z
    .string()
    .regex(/^[\w.:%-]+$/, 'an address or host name to listen on, such as 127.0.0.1 or 0.0.0.0')
    .optional()
    .describe('the address to listen on: 127.0.0.1, or all addresses once a service key is set'),
  ALLOWED_HOSTS: hostList
    .default([])
    .describe('host names, besides localhost, under which the service answers while no service key is set'),
  DATABASE_URL: urlOf(/^postgres(ql)?$/, 'postgresql://user:password@host:5432/database')
    .optional()
    .describe('a PostgreSQL server of your own instead of the embedded one'),
  NATS_URL: urlOf(/^(nats|tls)$/, 'nats://host:4222')
    .optional()
    .describe('with DATABASE_URL: several equal processes form one service, over NATS with JetStream'),
  DATA_DIR: z.string().default('./data').describe('where the embedded PostgreSQL keeps everything'),
  ANTHROPIC_API_KEY: z.string().optional().describe('patient and judge run on a language model'),
  ANTHROPIC_BASE_URL: urlOf(/^https?$/, 'https://api.anthropic.com')
    .optional()
    .describe("a different address of the model's API"),
  TESTER_MODEL: modelName.default(DEFAULT_MODEL).describe('plays the patient: anthropic/MODEL or openai/MODEL'),
  JUDGE_MODEL: modelName.default(DEFAULT_MODEL).describe('marks the checklist, named in the same way'),
  EXAMINER_API_KEY: key.optional().describe('for openai/MODEL, which plays or marks; never sent to an agent'),
  EXAMINER_BASE_URL: modelServer
    .optional()
    .describe("an OpenAI-compatible server for openai/MODEL instead of the vendor's own"),
  TESTER_API_KEY: key.optional().describe('a key for the patient alone'),
  TESTER_BASE_URL: modelServer.optional().describe("an address for the patient's model alone"),
  JUDGE_API_KEY: key.optional().describe('a key for the judge alone'),
  JUDGE_BASE_URL: modelServer.optional().describe("an address for the judge's model alone"),
  ALLOWED_MODELS: modelList
    .default([])
    .describe('models that a run may ask for, separated by commas; those of patient and judge when it is not set'),
  PATIENT_AUDIT: onOff
    .default(true)
    .describe('whether the tester’s model looks over what its patient said, one call a conversation'),
  OPENAI_API_KEY: z.string().optional().describe('for openai agents without a key of their own'),
  OPENAI_API_KEY_HOSTS: hostList
    .default([])
    .describe("hosts besides the vendor's own that OPENAI_API_KEY may be sent to"),
  SERVICE_API_KEY: keyList.default([]).describe('one key, or several separated by commas, that requests must carry'),
  RATE_LIMIT_PER_MINUTE: wholeNumber(0, 1_000_000)
    .default(0)
    .describe('requests per client address and key; 0 is no limit'),
  MASK_CREDENTIALS: onOff.default(false).describe("show agents' credentials as their first characters only"),
  MAX_ACTIVE_SCENARIOS: wholeNumber(1, 100_000).default(500).describe('scenario runs this process executes at a time'),
  MAX_EVENT_STREAMS: wholeNumber(1, 1_000_000)
    .default(2_000)
    .describe('event streams this process serves at a time, of runs and of inspected actors'),
  MAX_SCHEDULED_RUNS: wholeNumber(0, 1_000_000).default(1_000).describe('runs waiting for their start time'),
  MAX_SPEND_USD_PER_DAY: amount
    .optional()
    .describe(
      'what language models for patients, judges and generation may cost per day (UTC); runs wait once it is spent',
    ),
  SCHEDULE_GRACE: duration
    .default('24h')
    .describe('a scheduled run found later than this after its start time fails and is not started'),
  DATABASE_POOL_SIZE: wholeNumber(2, 200).default(10).describe('connections this process opens to the database'),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `one of ${LOG_LEVELS.join(', ')}` })
    .default('info')
    .describe(`${LOG_LEVELS.join(', ')}`),
  BROWSER_EXECUTABLE: z.string().optional().describe('a Chromium for browser agents; looked for in the usual places'),
  BROWSER_ALLOW_NO_SANDBOX: onOff
    .default(false)
    .describe('let the browser run as root without a sandbox, where no other user can start it'),
  TARGETS: z
    .enum(TARGET_MODES, { error: `one of ${TARGET_MODES.join(', ')}` })
    .default('local')
    .describe('where agents may live: local (loopback and private addresses too), public, or list (ALLOWED_TARGETS)'),
  ALLOWED_TARGETS: targetList
    .default([])
    .describe('with TARGETS=list: hosts, *.suffix and CIDR ranges separated by commas, each with a port or without'),
});

type Environment = z.output<typeof environment>;

/** Their values are never shown; addresses may carry a password. */
const SECRET = new Set([
  'DATABASE_URL',
  'NATS_URL',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_BASE_URL',
  'EXAMINER_API_KEY',
  'EXAMINER_BASE_URL',
  'TESTER_API_KEY',
  'TESTER_BASE_URL',
  'JUDGE_API_KEY',
  'JUDGE_BASE_URL',
  'OPENAI_API_KEY',
  'SERVICE_API_KEY',
]);

/**
 * The settings from these environment variables. White space around a value is ignored; an empty value is unset.
 * @throws SettingsError for the first bad value
 */
export function settingsFrom(variables: NodeJS.ProcessEnv): Settings {
  const given = Object.fromEntries(
    Object.keys(environment.shape).flatMap((name) => {
      const value = variables[name]?.trim();
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
  const parsed = environment.safeParse(given);
  if (parsed.success) return checked(new Settings(parsed.data));
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0]);
  const shown = SECRET.has(name) ? 'something else' : JSON.stringify(given[name]);
  throw new SettingsError(`${name} must be ${issue?.message}; it is ${shown}.`);
}

/** @throws SettingsError for settings that do not go together */
function checked(settings: Settings): Settings {
  if (settings.natsUrl !== null && settings.databaseUrl === null) {
    throw new SettingsError(
      'NATS_URL is set and DATABASE_URL is not: several processes need one PostgreSQL server; set both, or neither.',
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

export interface SettingDescription {
  readonly name: string;
  readonly description: string;
  /** Null: there is none, or it depends on other settings. */
  readonly default: string | null;
}

/** Every setting, for the program's help text. */
export function describeSettings(): SettingDescription[] {
  return Object.entries(environment.shape).map(([name, schema]) => {
    const unset = schema.safeParse(undefined);
    // A list that is not set is empty.
    const value = unset.success && unset.data !== undefined && !Array.isArray(unset.data) ? String(unset.data) : '';
    return { name, description: schema.description ?? '', default: value === '' ? null : value };
  });
}
