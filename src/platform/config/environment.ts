import { z } from 'zod';
import { editDistance } from '../../domain';
import { TARGET_MODES } from '../targets/target-policy';
import { LOG_LEVELS } from './log';
import { DEFAULT_MODEL } from './model-name';
import { fileVariable } from './secret-files';
import {
  duration,
  amount,
  directHosts,
  forwardProxy,
  groupList,
  hostList,
  key,
  keyList,
  longKey,
  modelList,
  modelName,
  modelServer,
  oidcIssuer,
  onOff,
  publicUrl,
  secretsKeys,
  targetList,
  traceUrlTemplate,
  urlOf,
  vendorName,
  wholeNumber,
  workerCount,
} from './setting-values';

/** What may be kept of the sound of spoken conversations. */
const KEPT_RECORDINGS = ['all', 'evidence', 'none'] as const;
export type KeptRecordings = (typeof KEPT_RECORDINGS)[number];

/** Every variable that the service reads, as it is written; the description is what the program's help says of it. */
export const environment = z.object({
  PORT: wholeNumber(0, 65_535).default(8_000).describe('where to listen; 0 picks a free port'),
  HOST: z
    .string()
    .regex(/^[\w.:%-]+$/, 'an address or host name to listen on, such as 127.0.0.1 or 0.0.0.0')
    .default('127.0.0.1')
    .describe('the address to listen on; 0.0.0.0 is all of them, and takes a service key'),
  ALLOW_OPEN: onOff
    .default(false)
    .describe('listen beyond this machine without a service key: whoever reaches the service may do everything'),
  ALLOWED_HOSTS: hostList
    .default([])
    .describe('host names, besides localhost, under which the service answers while no service key is set'),
  PUBLIC_URL: publicUrl
    .optional()
    .describe('where people open the page: sign-in leads back there, webhooks and JUnit files link to it'),
  TRACE_URL_TEMPLATE: traceUrlTemplate
    .optional()
    .describe('where the page finds the trace of a turn, with {trace_id}, {conversation_id} or {run_id}'),
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
  SPEECH_URL: modelServer
    .optional()
    .describe('an OpenAI-compatible server that speaks for the patient, instead of espeak-ng on this machine'),
  SPEECH_MODEL: vendorName.optional().describe('its model for speech'),
  SPEECH_API_KEY: key.optional().describe('its key; never sent to an agent'),
  SPEECH_VOICE: vendorName.optional().describe("the patient's voice, as the server or espeak-ng (en-us+f3) calls it"),
  TRANSCRIPTION_URL: modelServer
    .optional()
    .describe('an OpenAI-compatible server that hears agents; without one, their own account counts'),
  TRANSCRIPTION_MODEL: vendorName.optional().describe('its model for transcriptions'),
  TRANSCRIPTION_API_KEY: key.optional().describe('its key; never sent to an agent'),
  SPEECH_TIMING_ERROR_MS: wholeNumber(0, 10_000)
    .optional()
    .describe('what osce speech calibrate measured here at the 95th percentile; kept with spoken runs'),
  OPENAI_API_KEY: z.string().optional().describe('for openai agents without a key of their own'),
  OPENAI_API_KEY_HOSTS: hostList
    .default([])
    .describe("hosts besides the vendor's own that OPENAI_API_KEY may be sent to"),
  SERVICE_API_KEY: keyList
    .default([])
    .describe('keys for everything, separated by commas, each with "name:" before it or not; requests must carry one'),
  SERVICE_RUNNER_KEY: keyList
    .default([])
    .describe('keys, likewise, to read, start, cancel and try: no changes, no secrets'),
  SERVICE_REVIEWER_KEY: keyList.default([]).describe('keys, likewise, to read and to review: no secrets'),
  SERVICE_VIEWER_KEY: keyList.default([]).describe('keys, likewise, to read: no secrets'),
  OIDC_ISSUER: oidcIssuer.optional().describe('a provider of identities (OpenID Connect) with which people sign in'),
  OIDC_CLIENT_ID: z.string().optional().describe('what the provider calls this service'),
  OIDC_CLIENT_SECRET: z.string().optional().describe('its secret there; without one it is a public client, with PKCE'),
  OIDC_SCOPES: z.string().default('openid profile email').describe('what the provider is asked for'),
  OIDC_GROUPS_CLAIM: z.string().default('groups').describe('the claim that lists the groups of a person'),
  OIDC_VIEWERS: groupList.default([]).describe('groups, separated by commas, whose members may read'),
  OIDC_REVIEWERS: groupList.default([]).describe('groups, likewise, whose members review too'),
  OIDC_RUNNERS: groupList.default([]).describe('groups, likewise, whose members start runs too'),
  OIDC_ADMINS: groupList.default([]).describe('groups, likewise, whose members may do everything'),
  SESSION_HOURS: wholeNumber(1, 720).default(12).describe('hours after which a person signs in again'),
  SECRETS_KEY: secretsKeys
    .default([])
    .describe('encrypts the secrets that are stored: 32 bytes in base64; two separated by a comma while it is rotated'),
  RATE_LIMIT_PER_MINUTE: wholeNumber(0, 1_000_000)
    .default(0)
    .describe('requests per client address and key; 0 is no limit'),
  MASK_CREDENTIALS: onOff.default(false).describe("show agents' credentials as their first characters only"),
  WORKERS: workerCount
    .default(1)
    .describe('processes that share the port and the work of this machine; auto is one less than its processors'),
  MAX_ACTIVE_SCENARIOS: wholeNumber(1, 100_000).default(500).describe('scenario runs this process executes at a time'),
  SPOKEN_CONVERSATIONS: wholeNumber(1, 1_000)
    .default(4)
    .describe('spoken conversations this process holds at a time; more of them need more processors'),
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
  MAX_SCHEDULES: wholeNumber(0, 10_000).default(100).describe('schedules that start runs again and again'),
  MIN_SCHEDULE_INTERVAL: duration.default('15m').describe('the shortest time between two starts of a schedule'),
  MAX_START_DELAY: duration
    .default('10m')
    .describe('how late a schedule may still start a run; one later than this is missed'),
  AUDIT_DAYS: wholeNumber(0, 36_500)
    .default(365)
    .describe('days for which records of who changed what are kept; 0 keeps them for ever'),
  RETENTION_DAYS: wholeNumber(1, 36_500)
    .optional()
    .describe('runs that ended longer ago than so many days are deleted, except baselines; when not set, none are'),
  KEEP_RECORDINGS: z
    .enum(KEPT_RECORDINGS, { error: `one of ${KEPT_RECORDINGS.join(', ')}` })
    .default('all')
    .describe(
      'what is kept of spoken conversations: all; evidence: what holds evidence of marks, once a run has ended; none',
    ),
  RECORD_TELEPHONE_CALLS: onOff
    .default(false)
    .describe('record calls to telephone numbers too: declares that those who are rung have agreed to it'),
  RECORDINGS_DAYS: wholeNumber(0, 36_500)
    .default(30)
    .describe('days for which recordings are kept; 0 keeps them for as long as their runs'),
  DATABASE_POOL_SIZE: wholeNumber(3, 200).default(10).describe('connections this process opens to the database'),
  METRICS: onOff.default(true).describe('count what happens and show it at /metrics'),
  METRICS_TOKEN: longKey.optional().describe('what opens /metrics, besides any service key, and nothing else'),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `one of ${LOG_LEVELS.join(', ')}` })
    .default('info')
    .describe(`${LOG_LEVELS.join(', ')}`),
  OTEL_EXPORTER_OTLP_ENDPOINT: urlOf(/^https?$/, 'http://127.0.0.1:4318')
    .optional()
    .describe('an OpenTelemetry collector that gets a trace of every run; the other OTEL_ variables hold too'),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .optional()
    .describe('headers for that collector, such as its key: name=value, separated by commas'),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: z
    .string()
    .optional()
    .describe('the same, written in the way of exporters that send more than traces; it wins over the other'),
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: onOff
    .default(false)
    .describe('whether traces hold what patient and agent said'),
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
  HTTPS_PROXY: forwardProxy('HTTPS_PROXY')
    .optional()
    .describe('a forward proxy for https: models, agents, webhooks and traces; https_proxy wins over it'),
  HTTP_PROXY: forwardProxy('HTTP_PROXY').optional().describe('the same for http; http_proxy wins over it'),
  NO_PROXY: directHosts
    .optional()
    .describe('hosts that are reached without a proxy: names (and those below them), addresses, CIDR ranges, or *'),
  PROXY_RESOLVES_NAMES: onOff
    .default(false)
    .describe('ask a proxy for agents and webhooks by name, not by the address that was checked'),
  NODE_EXTRA_CA_CERTS: z
    .string()
    .optional()
    .describe('a PEM file with more certificate authorities, such as that of a proxy; Node reads it at its start'),
});

export type Environment = z.output<typeof environment>;

/** Their values are never shown; addresses may carry a password. */
export const SECRET: ReadonlySet<string> = new Set([
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
  'SPEECH_URL',
  'SPEECH_API_KEY',
  'TRANSCRIPTION_URL',
  'TRANSCRIPTION_API_KEY',
  'OPENAI_API_KEY',
  'SERVICE_API_KEY',
  'SERVICE_RUNNER_KEY',
  'SERVICE_REVIEWER_KEY',
  'SERVICE_VIEWER_KEY',
  'OIDC_CLIENT_SECRET',
  'SECRETS_KEY',
  'METRICS_TOKEN',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
  'HTTPS_PROXY',
  'HTTP_PROXY',
]);

/** Settings that other programs read too, in lower case before upper case. */
const SHARED_WITH_CURL: ReadonlySet<string> = new Set(['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY']);

/** The variables, with those that curl writes in lower case under their names in upper case. */
export function asCurlReads(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const read: NodeJS.ProcessEnv = { ...variables };
  for (const name of SHARED_WITH_CURL) {
    const lower = variables[name.toLowerCase()]?.trim() ?? '';
    if (lower !== '') read[name] = lower;
  }
  return read;
}

interface Slip {
  readonly variable: string;
  /** The setting that was probably meant. */
  readonly setting: string;
}

/** The shortest name looked at: shorter ones are too near to others, such as HOME and HOST. */
const SHORTEST = 7;
/** From this length on a name with two slips is still no other word. */
const LONG = 10;
/** Variables of curl that are near to those of ours. */
const OF_OTHERS: ReadonlySet<string> = new Set(['FTP_PROXY']);

/**
 * Variables that are no settings and whose names are nearly those of settings: otherwise the operator would notice only when the
 * setting is missed.
 */
export function misspeltSettings(variables: NodeJS.ProcessEnv = process.env): readonly Slip[] {
  const plain = Object.keys(environment.shape);
  const known = [...plain, ...plain.filter((name) => SECRET.has(name)).map(fileVariable)];
  const names = new Set(known);
  return Object.entries(variables).flatMap(([variable, value]) => {
    if (names.has(variable) || OF_OTHERS.has(variable) || (value?.trim() ?? '') === '') return [];
    // Only secrets are taken from files.
    const setting =
      plain.find((name) => fileVariable(name) === variable) ?? known.find((name) => isNear(variable, name));
    return setting === undefined ? [] : [{ variable, setting }];
  });
}

function isNear(given: string, name: string): boolean {
  const most = name.length < LONG ? 1 : 2;
  if (name.length < SHORTEST || Math.abs(given.length - name.length) > most) return false;
  return editDistance(given, name) <= most;
}

/** What a program needs to find its libraries, certificates and modules, and nothing secret. */
const HANDED_ON = [
  'PATH',
  'HOME',
  'TMPDIR',
  'LANG',
  'TZ',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'SystemRoot',
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
] as const;

/**
 * The environment for a Node program that the service starts beside itself: no key, no database address, no setting of ours.
 * NODE_ENV is `production`, which keeps libraries from logging.
 */
export function childEnvironment(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const handed: Record<string, string> = { NODE_ENV: 'production' };
  for (const name of HANDED_ON) {
    const value = env[name];
    if (value !== undefined) handed[name] = value;
  }
  return handed;
}
