import { startFakeOpenAi, completion } from '../fakes/openai-server';
import { startFakeHttpAgent, talk } from '../fakes/http-agent-server';
import { chat, startFakeVapi } from '../fakes/vapi-server';
import { hostileAnswers, hostileTexts, SEED } from './corpus';
import { ExaminedService } from './examined-service';
import { hostileReply, startHostileServer, startJsonServer } from './hostile-agents';
import type { HostileText } from './hostile-text';
import { RunReader } from './read-everything';

const MAX_BODY_BYTES = 1024 * 1024;
const READABLE = /[^\s\p{Cc}\p{Cf}]/u;
/** The limit of what hangs; a quiet machine takes a quarter of it. */
const WITHIN_MS = 560_000;
/** What an agent's server can do to a scenario run. Anything else would be the harness' own failure. */
const SERVERS_FAULTS = [
  'auth_failed',
  'config_invalid',
  'connect_failed',
  'empty_reply',
  'not_found',
  'provider_error',
  'provider_timeout',
  'rate_limited',
  'transport_unsupported',
];

/** Its requests carry what was said before, and a session id that the agent names. */
const HTTP = {
  body: { say: '{{message}}', session: '{{session_id}}', earlier: '{{history}}' },
  reply_path: 'data.reply',
  session_id_path: 'id',
  api_key: 'http-hostile',
};

const texts = hostileTexts(SEED);
const answers = hostileAnswers();
const ended = answers.filter(({ isEndless }) => isEndless !== true);
let service: ExaminedService;
let textCases: readonly string[];
let answerCases: readonly string[];

beforeAll(async () => {
  service = await ExaminedService.start();
  textCases = await service.createCases(texts.map(({ name }) => name));
  answerCases = await service.createCases(answers.map(({ name }) => name));
}, 180_000);
afterAll(() => service?.close());

test('there are more than four hundred, each with a name of its own, and the same seed makes the same', () => {
  expect(texts.length).toBeGreaterThan(400);
  expect(new Set([...texts, ...answers].map(({ name }) => name)).size).toBe(texts.length + answers.length);
  expect(hostileTexts(SEED)).toEqual(texts);
  expect(hostileTexts(`another than ${SEED}`)).not.toEqual(texts);
});

describe('Agents that say hostile things', () => {
  test.each([
    ['openai', startFakeOpenAi, completion, { api_key: 'sk-hostile' }],
    ['vapi', startFakeVapi, vapiBody, { api_key: 'vapi-hostile', assistant_id: 'assistant-1' }],
    ['http', startFakeHttpAgent, talk, HTTP],
  ] as const)(
    '%s: each conversation is kept word for word and marked, and can be read in every form',
    async (provider, startAgent, bodyOf, config) => {
      const agent = await startAgent({ reply: hostileReply(texts), record: false });
      const addresses = { base_url: agent.baseUrl, api_base: agent.baseUrl, url: `${agent.baseUrl}/talk` };
      await service.survives(`${texts.length} texts, ${provider}`, async () => {
        const run = await service.examine(provider, { ...addresses, ...config }, textCases, WITHIN_MS);
        const reader = new RunReader(service.api, run.id);
        const scenarioRuns = await reader.exportedJson();
        expect(scenarioRuns).toHaveLength(texts.length);
        for (const text of texts) {
          const { status, error_code, transcript } = scenarioRuns.find((one) => one.scenario_name === text.name) ?? {};
          const firstReply = transcript?.find(({ role }: { role: string }) => role === 'agent')?.content;
          const outcome = { text: text.name, isMarked: ['passed', 'failed'].includes(status), error_code, firstReply };
          expect(outcome).toEqual({ text: text.name, ...expectedOf(text, bodyOf) });
        }
        await reader.details(scenarioRuns);
        await reader.csv(texts.length);
        await reader.junit(texts.length);
        await reader.events();
        await reader.inspection(scenarioRuns.filter((_, at) => at % 20 === 0));
        await reader.command(['terminal: title', 'terminal: colour', 'unicode: 20,000 times line separator']);
      });
      await agent.close();
    },
    WITHIN_MS,
  );
});

describe('Servers that answer with hostile HTTP', () => {
  // Pipecat's start may take two minutes, for a bot that sleeps: what never ends is left out there.
  test.each([
    ['pipecat', (url: string) => ({ base_url: url, api_key: 'pk-hostile', agent_name: 'clinic' }), ended],
    ['openai', (url: string) => ({ base_url: url, api_key: 'sk-hostile' }), answers],
    ['vapi', (url: string) => ({ api_base: url, api_key: 'vapi-hostile', assistant_id: 'assistant-1' }), answers],
    ['livekit', (url: string) => ({ url: 'ws://127.0.0.1:9', auth_mode: 'token', token_url: url }), answers],
    ['http', (url: string) => ({ ...HTTP, url }), answers],
  ] as const)(
    '%s: every scenario run ends, by its own fault',
    async (provider, configOf, given) => {
      const server = await startHostileServer(given);
      await service.survives(`${given.length} answers, ${provider}`, async () => {
        const config = { ...configOf(server.origin), turn_timeout_ms: 2_000 };
        const run = await service.examine(provider, config, answerCases.slice(0, given.length), WITHIN_MS);
        const reader = new RunReader(service.api, run.id);
        await expectServersFaults(reader);
        await reader.csv(given.length);
        await reader.junit(given.length);
        await reader.events();
      });
      await server.close();
    },
    WITHIN_MS,
  );

  test.each([
    [
      'pipecat',
      (url: string) => ({ base_url: url, api_key: 'pk-hostile', agent_name: 'clinic' }),
      (text: string) => ({ sessionId: text, url: text, token: text, room: text, code: text }),
    ],
    [
      'livekit',
      (url: string) => ({ url: 'ws://127.0.0.1:9', auth_mode: 'token', token_url: url }),
      (text: string) => ({ [text.slice(0, 1_000)]: text, error: text, message: [text], token: { token: text } }),
    ],
    [
      'http',
      (url: string) => ({ ...HTTP, url, end_path: 'over' }),
      (text: string) => ({ [text.slice(0, 1_000)]: text, id: text, data: { reply: { [text.slice(0, 1_000)]: text } } }),
    ],
  ])(
    '%s: texts in the fields of its JSON',
    async (provider, configOf, bodyOf) => {
      const server = await startJsonServer(texts, bodyOf);
      await service.survives(`${texts.length} texts, ${provider}`, async () => {
        const run = await service.examine(provider, configOf(server.origin), textCases, WITHIN_MS);
        await expectServersFaults(new RunReader(service.api, run.id));
      });
      await server.close();
    },
    WITHIN_MS,
  );
});

async function expectServersFaults(reader: RunReader): Promise<void> {
  for (const { scenario_name, status, error_code } of await reader.exportedJson()) {
    const isKnown = status === 'error' ? SERVERS_FAULTS.includes(error_code) : ['passed', 'failed'].includes(status);
    expect({ scenario_name, status, error_code, isKnown }).toMatchObject({ isKnown: true });
  }
}

function vapiBody(content: string): object {
  return chat([{ role: 'assistant', content }]);
}

/** What no agent can spoil: it was examined, and what it said is kept. */
function expectedOf({ text }: HostileText, bodyOf: (text: string) => object): object {
  const isTooLong = Buffer.byteLength(JSON.stringify(bodyOf(text))) > MAX_BODY_BYTES;
  if (isTooLong) return { isMarked: false, error_code: 'provider_error', firstReply: undefined };
  if (!READABLE.test(text)) return { isMarked: false, error_code: 'empty_reply', firstReply: undefined };
  const firstReply = text.toWellFormed().replaceAll('\0', '\ufffd');
  return { isMarked: true, error_code: null, firstReply };
}
