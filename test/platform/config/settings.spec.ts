import { resolve } from 'node:path';
import { createLog } from '../../../src/platform/config/log';
import { describeSettings, Settings, SettingsError, settingsFrom } from '../../../src/platform/config/settings';
import { answerToArguments } from '../../../src/start/usage';

const A_KEY = 'a-key-of-the-night-shift';

describe('settings', () => {
  it('has a default for everything', () => {
    expect({ ...settingsFrom({}) }).toEqual({
      port: 8000,
      host: '127.0.0.1',
      allowOpen: false,
      allowedHosts: [],
      publicUrl: null,
      traceUrlTemplate: null,
      databaseUrl: null,
      natsUrl: null,
      dataDir: resolve('data'),
      examiners: { tester: null, judge: null, allowed: [], keys: [], addresses: [] },
      patientAudit: true,
      speech: { speech: null, voice: null, transcription: null },
      speechTimingErrorMs: null,
      openaiApiKey: null,
      openaiApiKeyHosts: [],
      isGuarded: false,
      serviceKeys: [],
      signIn: null,
      secretsKeys: [],
      rateLimitPerMinute: null,
      maskCredentials: false,
      maxActiveScenarios: 500,
      spokenConversations: 4,
      maxEventStreams: 2000,
      maxScheduledRuns: 1000,
      maxSpendUsdPerDay: null,
      scheduleGraceMs: 24 * 3_600_000,
      maxSchedules: 100,
      minScheduleIntervalMs: 15 * 60_000,
      maxStartDelayMs: 10 * 60_000,
      auditDays: 365,
      retentionDays: null,
      keepRecordings: 'all',
      recordsTelephoneCalls: false,
      recordingsDays: 30,
      workers: 1,
      databasePoolSize: 10,
      metrics: true,
      metricsToken: null,
      logLevel: 'info',
      tracing: { isOn: false, capturesContent: false, variables: {} },
      browserExecutable: null,
      browserAllowNoSandbox: false,
      targets: { mode: 'local', allowed: [] },
      egress: { https: null, http: null, direct: [], byName: false },
    });
  });

  it('reads every variable', () => {
    const settings = settingsFrom({
      PORT: '0',
      HOST: '::1',
      ALLOWED_HOSTS: 'osce.example, *.clinic.example:8443,',
      PUBLIC_URL: 'https://osce.example/',
      TRACE_URL_TEMPLATE: 'https://langfuse.example/trace/{trace_id}?s={conversation_id}#{run_id}',
      DATABASE_URL: 'postgresql://u:p@db/x',
      NATS_URL: 'nats://bus:4222',
      DATA_DIR: '/var/lib/with space',
      ANTHROPIC_API_KEY: 'a',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:9/v1',
      TESTER_MODEL: 't',
      JUDGE_MODEL: 'openai/j',
      EXAMINER_API_KEY: 'e',
      EXAMINER_BASE_URL: 'http://127.0.0.1:10/v1',
      TESTER_API_KEY: 't',
      TESTER_BASE_URL: 'http://127.0.0.1:11',
      JUDGE_API_KEY: 'j',
      JUDGE_BASE_URL: 'http://127.0.0.1:12/v1',
      ALLOWED_MODELS: 'anthropic/t, openai/k/l',
      PATIENT_AUDIT: 'off',
      SPEECH_URL: 'http://127.0.0.1:13/v1/',
      SPEECH_MODEL: 'kokoro',
      SPEECH_API_KEY: 's',
      SPEECH_VOICE: 'nova',
      TRANSCRIPTION_URL: 'http://127.0.0.1:14/v1',
      TRANSCRIPTION_MODEL: 'Systran/faster-whisper-small',
      SPEECH_TIMING_ERROR_MS: '13',
      OPENAI_API_KEY: 'o',
      OPENAI_API_KEY_HOSTS: 'models.example:8080',
      ALLOW_OPEN: 'no',
      SERVICE_API_KEY: 'one-key-of-the-day-shift-01, ci:one-key-of-the-machines-01,',
      SERVICE_RUNNER_KEY: 'one-key-of-the-night-shift',
      SERVICE_REVIEWER_KEY: 'dr.osei:one-key-of-the-reviewers-1',
      SERVICE_VIEWER_KEY: 'audit.2:one:key:of:the:auditors:here',
      OIDC_ISSUER: 'https://login.example/realms/clinic/',
      OIDC_CLIENT_ID: 'osce',
      OIDC_CLIENT_SECRET: 'oidc-secret',
      OIDC_SCOPES: 'openid  groups',
      OIDC_GROUPS_CLAIM: 'realm_access.roles',
      OIDC_VIEWERS: 'ward staff, auditors,',
      OIDC_REVIEWERS: 'clinicians',
      OIDC_RUNNERS: 'night',
      OIDC_ADMINS: 'platform',
      SESSION_HOURS: '8',
      SECRETS_KEY: `plain, ${'A'.repeat(43)}=`,
      RATE_LIMIT_PER_MINUTE: '60',
      MASK_CREDENTIALS: 'TRUE',
      MAX_ACTIVE_SCENARIOS: '2000',
      SPOKEN_CONVERSATIONS: '10',
      MAX_EVENT_STREAMS: '9',
      MAX_SCHEDULED_RUNS: '0',
      MAX_SPEND_USD_PER_DAY: '7.50',
      SCHEDULE_GRACE: '90m',
      MAX_SCHEDULES: '7',
      MIN_SCHEDULE_INTERVAL: '1m',
      MAX_START_DELAY: '90s',
      AUDIT_DAYS: '0',
      RETENTION_DAYS: '365',
      KEEP_RECORDINGS: 'evidence',
      RECORD_TELEPHONE_CALLS: 'true',
      RECORDINGS_DAYS: '0',
      WORKERS: '1',
      DATABASE_POOL_SIZE: '20',
      METRICS: 'off',
      METRICS_TOKEN: 'a-token-of-the-scraper-01',
      LOG_LEVEL: 'debug',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=k',
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
      BROWSER_EXECUTABLE: '/usr/bin/chromium',
      BROWSER_ALLOW_NO_SANDBOX: 'yes',
      TARGETS: 'list',
      ALLOWED_TARGETS: 'agents.example, *.clinic.example:8443,',
      HTTPS_PROXY: 'https://proxy.example:3129',
      HTTP_PROXY: 'proxy.example:3128',
      NO_PROXY: '10.0.0.0/8:8080',
      PROXY_RESOLVES_NAMES: 'on',
    });
    const ofAnthropic = {
      vendor: 'anthropic',
      apiKey: 't',
      baseUrl: 'http://127.0.0.1:11',
      keyVariable: 'TESTER_API_KEY',
      addressVariable: 'TESTER_BASE_URL',
    };
    const ofOpenAi = {
      vendor: 'openai',
      apiKey: 'j',
      baseUrl: 'http://127.0.0.1:12/v1',
      keyVariable: 'JUDGE_API_KEY',
      addressVariable: 'JUDGE_BASE_URL',
    };
    const shared = {
      vendor: 'openai',
      apiKey: 'e',
      baseUrl: 'http://127.0.0.1:10/v1',
      keyVariable: 'EXAMINER_API_KEY',
      addressVariable: 'EXAMINER_BASE_URL',
    };
    expect({ ...settings }).toEqual({
      port: 0,
      host: '::1',
      allowOpen: false,
      allowedHosts: ['osce.example', '*.clinic.example:8443'],
      publicUrl: 'https://osce.example',
      traceUrlTemplate: 'https://langfuse.example/trace/{trace_id}?s={conversation_id}#{run_id}',
      databaseUrl: 'postgresql://u:p@db/x',
      natsUrl: 'nats://bus:4222',
      dataDir: '/var/lib/with space',
      examiners: {
        tester: { ...ofAnthropic, model: 't' },
        judge: { ...ofOpenAi, model: 'j' },
        allowed: [
          { name: 'anthropic/t', tester: { ...ofAnthropic, model: 't' }, judge: { ...ofAnthropic, model: 't' } },
          { name: 'openai/k/l', tester: { ...shared, model: 'k/l' }, judge: { ...ofOpenAi, model: 'k/l' } },
        ],
        keys: ['a', 'e', 't', 'j'],
        addresses: ['http://127.0.0.1:9/v1', 'http://127.0.0.1:10/v1', 'http://127.0.0.1:11', 'http://127.0.0.1:12/v1'],
      },
      patientAudit: false,
      speech: {
        speech: {
          baseUrl: 'http://127.0.0.1:13/v1',
          model: 'kokoro',
          apiKey: 's',
          variables: { url: 'SPEECH_URL', model: 'SPEECH_MODEL', key: 'SPEECH_API_KEY' },
        },
        voice: 'nova',
        transcription: {
          baseUrl: 'http://127.0.0.1:14/v1',
          model: 'Systran/faster-whisper-small',
          apiKey: null,
          variables: { url: 'TRANSCRIPTION_URL', model: 'TRANSCRIPTION_MODEL', key: 'TRANSCRIPTION_API_KEY' },
        },
      },
      speechTimingErrorMs: 13,
      openaiApiKey: 'o',
      openaiApiKeyHosts: ['models.example:8080'],
      isGuarded: true,
      signIn: {
        issuer: 'https://login.example/realms/clinic/',
        clientId: 'osce',
        clientSecret: 'oidc-secret',
        scopes: 'openid groups',
        groupsClaim: 'realm_access.roles',
        groups: {
          viewer: ['ward staff', 'auditors'],
          reviewer: ['clinicians'],
          runner: ['night'],
          admin: ['platform'],
        },
        sessionHours: 8,
        publicUrl: 'https://osce.example',
      },
      serviceKeys: [
        { name: 'admin 1', role: 'admin', key: 'one-key-of-the-day-shift-01' },
        { name: 'ci', role: 'admin', key: 'one-key-of-the-machines-01' },
        { name: 'runner 1', role: 'runner', key: 'one-key-of-the-night-shift' },
        { name: 'dr.osei', role: 'reviewer', key: 'one-key-of-the-reviewers-1' },
        { name: 'audit.2', role: 'viewer', key: 'one:key:of:the:auditors:here' },
      ],
      secretsKeys: ['plain', `${'A'.repeat(43)}=`],
      rateLimitPerMinute: 60,
      maskCredentials: true,
      maxActiveScenarios: 2000,
      spokenConversations: 10,
      maxEventStreams: 9,
      maxScheduledRuns: 0,
      maxSpendUsdPerDay: 7.5,
      scheduleGraceMs: 90 * 60_000,
      maxSchedules: 7,
      minScheduleIntervalMs: 60_000,
      maxStartDelayMs: 90_000,
      auditDays: null,
      retentionDays: 365,
      keepRecordings: 'evidence',
      recordsTelephoneCalls: true,
      recordingsDays: null,
      workers: 1,
      databasePoolSize: 20,
      metrics: false,
      metricsToken: 'a-token-of-the-scraper-01',
      logLevel: 'debug',
      tracing: {
        isOn: true,
        capturesContent: true,
        variables: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_EXPORTER_OTLP_HEADERS: 'x-key=k' },
      },
      browserExecutable: '/usr/bin/chromium',
      browserAllowNoSandbox: true,
      targets: {
        mode: 'list',
        allowed: [
          { kind: 'host', host: 'agents.example', port: null },
          { kind: 'suffix', suffix: '.clinic.example', port: 8443 },
        ],
      },
      egress: {
        https: {
          variable: 'HTTPS_PROXY',
          origin: 'https://proxy.example:3129',
          host: 'proxy.example',
          port: 3129,
          authorization: null,
          secrets: [],
        },
        http: {
          variable: 'HTTP_PROXY',
          origin: 'http://proxy.example:3128',
          host: 'proxy.example',
          port: 3128,
          authorization: null,
          secrets: [],
        },
        direct: [{ kind: 'range', range: [expect.anything(), 8], port: 8080 }],
        byName: true,
      },
    });
  });

  it('takes an empty value as unset and ignores white space around a value', () => {
    expect(settingsFrom({ PORT: '', HOST: ' ', SERVICE_API_KEY: '', DATABASE_URL: '' })).toEqual(settingsFrom({}));
    expect(settingsFrom({ PORT: ' 9000\n' }).port).toBe(9000);
  });

  it('does not listen beyond this machine because there is a key', () => {
    expect(settingsFrom({ SERVICE_API_KEY: A_KEY }).host).toBe('127.0.0.1');
  });

  it.each(['0.0.0.0', '::', '192.0.2.1', '127.0.0.1.example', 'osce.internal', 'x.localhost', '::ffff:192.0.2.1'])(
    'listens on %s with a key of any role, or where it is said that none is needed, and not otherwise',
    (HOST) => {
      for (const name of ['SERVICE_API_KEY', 'SERVICE_RUNNER_KEY', 'SERVICE_REVIEWER_KEY', 'SERVICE_VIEWER_KEY']) {
        expect(settingsFrom({ HOST, [name]: A_KEY }).host).toBe(HOST);
      }
      expect(settingsFrom({ HOST, ALLOW_OPEN: 'true' }).host).toBe(HOST);
      for (const ALLOW_OPEN of ['false', '']) {
        expect(() => settingsFrom({ HOST, ALLOW_OPEN })).toThrow(
          new SettingsError(
            `HOST is ${HOST} and no service key is set, so that whoever reaches this machine could do everything: set ` +
              'SERVICE_API_KEY to a key (openssl rand -hex 24 makes one), or ALLOW_OPEN=true if that is what you want.',
          ),
        );
      }
    },
  );

  it.each(['127.0.0.1', '127.8.8.8', '::1', '::1%lo', '::ffff:127.0.0.1', 'localhost', 'LOCALHOST'])(
    'listens on %s without a key',
    (HOST) => expect(settingsFrom({ HOST }).host).toBe(HOST),
  );

  it('calls keys by their names, otherwise by role and place; one name may have several keys', () => {
    const keys = ['a', 'b', 'c'].map((letter) => letter.repeat(24));
    const settings = settingsFrom({ SERVICE_RUNNER_KEY: `${keys[0]},ci:${keys[1]}, ci:${keys[2]}` });
    expect(settings.serviceKeys.map(({ name }) => name)).toEqual(['runner 1', 'ci', 'ci']);
  });

  it.each<readonly [string, Readonly<Record<string, string>>, string]>([
    [
      'a short key',
      { SERVICE_RUNNER_KEY: `${A_KEY},ci:hunter2-hunter2-hunter2` },
      'SERVICE_RUNNER_KEY: key 2 is shorter than 24 characters and could be guessed: make one with openssl rand -hex 24.',
    ],
    [
      'a name without a key',
      { SERVICE_VIEWER_KEY: 'night-shift-of-the-clinic-by-the-sea:' },
      'SERVICE_VIEWER_KEY: key 1 is shorter than 24 characters and could be guessed: make one with openssl rand -hex 24.',
    ],
    [
      'a name that is none',
      { SERVICE_API_KEY: 'hunter/2:hunter2-hunter2-hunter2-hunter2' },
      'SERVICE_API_KEY: key 1 has a name that is none: what stands before the first colon (name:key) is 1 to 64 letters, digits, ' +
        'dots, underscores and hyphens.',
    ],
    [
      'a key that would be called in the audit trail as the service itself is',
      { SERVICE_API_KEY: 'the service:hunter2-hunter2-hunter2-hunter2' },
      'SERVICE_API_KEY must be one key, or several separated by commas, without spaces inside; it is something else.',
    ],
    [
      'one key for two roles',
      { SERVICE_API_KEY: 'hunter2-hunter2-hunter2-hunter2', SERVICE_VIEWER_KEY: 'x:hunter2-hunter2-hunter2-hunter2' },
      'The same key stands in both SERVICE_API_KEY and SERVICE_VIEWER_KEY: a key has one name and one role; make another with ' +
        'openssl rand -hex 24.',
    ],
    [
      'one key for two names',
      { SERVICE_RUNNER_KEY: 'a:hunter2-hunter2-hunter2-hunter2,b:hunter2-hunter2-hunter2-hunter2' },
      'The same key stands twice in SERVICE_RUNNER_KEY: a key has one name and one role; make another with openssl rand -hex 24.',
    ],
    [
      'a key that opens /metrics and everything else',
      { SERVICE_API_KEY: 'night:hunter2-hunter2-hunter2-hunter2', METRICS_TOKEN: 'hunter2-hunter2-hunter2-hunter2' },
      'METRICS_TOKEN is also the service key "night", so that whoever may scrape could do what that key may: make another with ' +
        'openssl rand -hex 24.',
    ],
  ])('refuses %s, and shows no key', (_what, variables, sentence) => {
    expect(() => settingsFrom(variables)).toThrow(new SettingsError(sentence));
    expect(sentence).not.toContain('hunter');
  });

  it.each([
    [
      { SPEECH_URL: 'http://s/v1' },
      'SPEECH_URL is set and SPEECH_MODEL is not: set it to a model that the server has.',
    ],
    [
      { TRANSCRIPTION_API_KEY: 'hunter2' },
      "TRANSCRIPTION_API_KEY is set and TRANSCRIPTION_URL is not: set it to the server's address (OpenAI's is https://api.openai.com/v1), or leave TRANSCRIPTION_API_KEY out.",
    ],
    [
      { SPEECH_MODEL: 'tts-1' },
      "SPEECH_MODEL is set and SPEECH_URL is not: set it to the server's address (OpenAI's is https://api.openai.com/v1), or leave SPEECH_MODEL out.",
    ],
  ])('asks for a server of speech as a whole: %j', (variables, sentence) => {
    expect(() => settingsFrom(variables)).toThrow(new SettingsError(sentence));
  });

  it.each([
    ['PORT', '80a', 'PORT must be a whole number from 0 to 65535; it is "80a".'],
    ['PORT', '65536', 'PORT must be a whole number from 0 to 65535; it is "65536".'],
    ['PORT', '-1', 'PORT must be a whole number from 0 to 65535; it is "-1".'],
    ['PORT', '1e3', 'PORT must be a whole number from 0 to 65535; it is "1e3".'],
    ['HOST', 'a b', 'HOST must be an address or host name to listen on, such as 127.0.0.1 or 0.0.0.0; it is "a b".'],
    [
      'ALLOWED_HOSTS',
      'osce.example, *',
      'ALLOWED_HOSTS must be host names separated by commas, such as osce.example.org, *.example.org or 10.0.0.5:8000; it is "osce.example, *".',
    ],
    [
      'ALLOWED_HOSTS',
      'https://osce.example',
      'ALLOWED_HOSTS must be host names separated by commas, such as osce.example.org, *.example.org or 10.0.0.5:8000; it is "https://osce.example".',
    ],
    [
      'PUBLIC_URL',
      'https://user:secret@osce.example/',
      'PUBLIC_URL must be an address such as https://osce.example.org, without credentials, query or fragment; it is "https://…@osce.example/".',
    ],
    [
      'PUBLIC_URL',
      'https://osce.example/?a=1',
      'PUBLIC_URL must be an address such as https://osce.example.org, without credentials, query or fragment; it is "https://osce.example/?a=1".',
    ],
    ...[
      'javascript:alert({trace_id})',
      'https://langfuse.example/trace',
      'https://langfuse.example/{trace}',
      'https://{run_id}.example/{trace_id}',
      'https://langfuse.example:{run_id}/{trace_id}',
      'ftp://langfuse.example/{trace_id}',
      'https://langfuse.example/{trace_id} {run_id}',
      '/trace/{trace_id}',
    ].map((given) => [
      'TRACE_URL_TEMPLATE',
      given,
      'TRACE_URL_TEMPLATE must be an http or https address with {trace_id}, {conversation_id} or {run_id} behind its host, without ' +
        `credentials, such as https://langfuse.example/trace/{trace_id}; it is "${given}".`,
    ]),
    ['MASK_CREDENTIALS', 'maybe', 'MASK_CREDENTIALS must be "true" or "false"; it is "maybe".'],
    ['MASK_CREDENTIALS', 'constructor', 'MASK_CREDENTIALS must be "true" or "false"; it is "constructor".'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of debug, info, warn, error, silent; it is "loud".'],
    ['SPOKEN_CONVERSATIONS', '0', 'SPOKEN_CONVERSATIONS must be a whole number from 1 to 1000; it is "0".'],
    ['MAX_ACTIVE_SCENARIOS', '0', 'MAX_ACTIVE_SCENARIOS must be a whole number from 1 to 100000; it is "0".'],
    ['TARGETS', 'private', 'TARGETS must be one of local, public, list; it is "private".'],
    ['MAX_EVENT_STREAMS', '0', 'MAX_EVENT_STREAMS must be a whole number from 1 to 1000000; it is "0".'],
    ['SCHEDULE_GRACE', '24', 'SCHEDULE_GRACE must be a time such as 90s, 30m, 24h or 7d; it is "24".'],
    ['SCHEDULE_GRACE', 'PT24H', 'SCHEDULE_GRACE must be a time such as 90s, 30m, 24h or 7d; it is "PT24H".'],
    [
      'MAX_SPEND_USD_PER_DAY',
      '0.00',
      'MAX_SPEND_USD_PER_DAY must be an amount above 0, such as 20 or 7.50 (leave it out for no limit); it is "0.00".',
    ],
    ['WORKERS', '0', 'WORKERS must be auto, or a whole number from 1 to 64; it is "0".'],
    ['WORKERS', '1.5', 'WORKERS must be auto, or a whole number from 1 to 64; it is "1.5".'],
    ['WORKERS', '-1', 'WORKERS must be auto, or a whole number from 1 to 64; it is "-1".'],
    ['WORKERS', '1000', 'WORKERS must be auto, or a whole number from 1 to 64; it is "1000".'],
    ['DATABASE_POOL_SIZE', '2', 'DATABASE_POOL_SIZE must be a whole number from 3 to 200; it is "2".'],
  ])('ends the start with one sentence for %s=%s', (name, value, sentence) => {
    expect(() => settingsFrom({ [name]: value })).toThrow(new SettingsError(sentence));
  });

  it.each([
    ['DATABASE_URL', 'mysql://root:hunter2@db/x', 'postgresql://user:password@host:5432/database'],
    ['DATABASE_URL', 'hunter2', 'postgresql://user:password@host:5432/database'],
    ['NATS_URL', 'http://hunter2@bus', 'nats://host:4222'],
    ['ANTHROPIC_BASE_URL', 'ftp://hunter2@x', 'https://api.anthropic.com'],
    ['EXAMINER_BASE_URL', 'hunter2', 'https://models.example/v1'],
    ['JUDGE_API_KEY', 'hunter2 with spaces', 'without spaces'],
    ['SERVICE_API_KEY', 'hunter2 with spaces', 'separated by commas'],
    ['SERVICE_RUNNER_KEY', 'hunter2 with spaces', 'separated by commas'],
    ['SERVICE_VIEWER_KEY', 'hunter2 with spaces', 'separated by commas'],
    ['SERVICE_API_KEY', ',', 'separated by commas'],
    ['SECRETS_KEY', 'hunter2', '32 bytes in base64'],
    ['SECRETS_KEY', 'plain', '32 bytes in base64'],
    ['SECRETS_KEY', `${'A'.repeat(43)},plain`, '32 bytes in base64'],
    ['SECRETS_KEY', `${'A'.repeat(43)},${'A'.repeat(43)}=`, '32 bytes in base64'],
    ['SECRETS_KEY', ['A', 'B', 'C'].map((letter) => letter.repeat(43)).join(','), '32 bytes in base64'],
    ['SECRETS_KEY', `${'A'.repeat(44)}=`, '32 bytes in base64'],
  ])('says what %s accepts without showing what it is', (name, value, accepted) => {
    const start = () => settingsFrom({ [name]: value });
    expect(start).toThrow(SettingsError);
    expect(start).toThrow(accepted);
    expect(start).not.toThrow('hunter2');
  });

  it('refuses NATS without a database that several processes can share', () => {
    expect(() => settingsFrom({ NATS_URL: 'nats://hunter2@bus' })).toThrow(
      new SettingsError(
        'NATS_URL is set and DATABASE_URL is not: several processes need one PostgreSQL server; set both, or neither.',
      ),
    );
    expect(settingsFrom({ DATABASE_URL: 'postgresql://db/x' }).natsUrl).toBeNull();
  });

  it('refuses a list that no mode takes, and a mode without its list', () => {
    expect(() => settingsFrom({ TARGETS: 'list' })).toThrow(
      'TARGETS is list and ALLOWED_TARGETS is not set, which would allow no agent at all: set it to hosts,',
    );
    expect(() => settingsFrom({ TARGETS: 'list', ALLOWED_TARGETS: 'agents.example/path' })).toThrow(
      'ALLOWED_TARGETS must be hosts, *.suffix or CIDR ranges separated by commas, each with a port or without ' +
        '(agents.example, *.example, 10.0.0.0/8, [fd00::1]:8080); it is "agents.example/path".',
    );
    expect(() => settingsFrom({ ALLOWED_TARGETS: 'agents.example' })).toThrow(
      'ALLOWED_TARGETS is set and TARGETS is local, which takes no list: set TARGETS=list, or leave ALLOWED_TARGETS out.',
    );
  });

  it('cannot be changed', () => {
    const settings = settingsFrom({ SERVICE_API_KEY: A_KEY });
    expect(settings).toBeInstanceOf(Settings);
    expect(() => Object.assign(settings, { port: 1 })).toThrow(TypeError);
    expect(() => Object.assign(settings.serviceKeys, ['other'])).toThrow(TypeError);
    expect(() => Object.assign(settings.serviceKeys[0] ?? {}, { role: 'viewer' })).toThrow(TypeError);
  });
});

describe('log', () => {
  function logged(write: (log: ReturnType<typeof createLog>) => void, level: 'debug' | 'warn' = 'debug') {
    const lines: string[] = [];
    write(createLog(level, { write: (line) => lines.push(line) }));
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  it('writes one JSON line a message, with the fields of its ancestors', () => {
    const [line] = logged((log) =>
      log.child({ run_id: 'r' }).child({ turn: 2 }).warn('Something happened', { delay_ms: 5 }),
    );
    expect(line).toMatchObject({ level: 'warn', msg: 'Something happened', run_id: 'r', turn: 2, delay_ms: 5 });
    expect(typeof line?.['time']).toBe('string');
  });

  it('leaves out what is below its level', () => {
    expect(logged((log) => log.info('Not now'), 'warn')).toEqual([]);
  });

  it('replaces values under secret-looking keys, also further down', () => {
    const config = {
      api_key: 'hunter2',
      nested: { apiKey: 'hunter2', token: 'hunter2' },
      headers: { 'x-api-key': 'hunter2' },
    };
    const lines = logged((log) => {
      log.info('Agent', { config: config.nested, authorization: 'Bearer hunter2', ...config });
      log.child({ password: 'hunter2' }).info('Child', { agent: { config } });
    });
    expect(lines).toHaveLength(2);
    expect(JSON.stringify(lines)).toContain('[redacted]');
    expect(JSON.stringify(lines[0])).not.toContain('hunter2');
    expect(lines[1]).toMatchObject({ password: '[redacted]', agent: { config: { api_key: '[redacted]' } } });
  });

  it('keeps of an error what tells where it is from, not the values it carries', () => {
    const cause = Object.assign(new Error('inner'), { code: '23505', detail: 'hunter2' });
    const error = Object.assign(new Error('outer', { cause }), { parameters: ['hunter2'], query: 'hunter2' });
    const [line] = logged((log) => log.error('It failed', { error }));
    expect(line?.['error']).toMatchObject({ message: expect.stringContaining('outer'), cause: { code: '23505' } });
    expect(JSON.stringify(line)).not.toContain('hunter2');
  });
});

describe('what the command line asks', () => {
  test('--help names every setting with its default', () => {
    const help = answerToArguments(['--help']);
    for (const { name } of describeSettings()) expect(help).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
    expect(help).toContain('(8000)');
  });

  test('nothing starts the service, and what it does not know is refused with what to do', () => {
    expect(answerToArguments([])).toBeNull();
    expect(answerToArguments(['--version'])).toMatch(/^\d+\.\d+\.\d+/);
    expect(() => answerToArguments(['--port', '9000'])).toThrow(
      'The service takes no arguments such as "--port 9000": configure it with environment variables; --help lists them.',
    );
  });
});
