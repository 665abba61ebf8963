import { startFakeOpenAi, completion } from '../fakes/openai-server';
import { startFakeHttpAgent, talk } from '../fakes/http-agent-server';
import { chat, startFakeVapi } from '../fakes/vapi-server';
import { hostileAnswers, hostileTexts } from './corpus';
import { ExaminedService } from './examined-service';
import { hostileReplies, SAID_ONCE, startHostileServer, startJsonServer } from './hostile-agents';
import type { HostileText } from './hostile-text';
import { RunReader } from './read-everything';
import { SEED, shareOf } from './rotation';

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

/** What the command prints, of the kind that says it. */
const PRINTED = ['terminal: title', 'terminal: colour', 'unicode: 20,000 times line separator'];
/** Of servers of five kinds, two give each answer: their HTTP is read by the same client, and what is made of it by each. */
const SERVERS = 5;

const texts = hostileTexts(SEED);
const answers = hostileAnswers();
const ended = answers.filter(({ isEndless }) => isEndless !== true);
let service: ExaminedService;
/** What an agent says in one conversation, one text a turn; alone if it ends the conversation or is very long. */
interface Talk {
  readonly name: string;
  readonly texts: readonly HostileText[];
}
const TEXTS_A_TALK = 3;
const talks = talksOf(texts);
/** Of scenarios, in the order of the talks. */
let talkCases: readonly string[];
let answerCases: readonly string[];

beforeAll(async () => {
  service = await ExaminedService.start();
  talkCases = await service.createCases(talks.map(({ name }) => name));
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
    ['openai', 0, startFakeOpenAi, completion, { api_key: 'sk-hostile' }],
    ['vapi', 1, startFakeVapi, vapiBody, { api_key: 'vapi-hostile', assistant_id: 'assistant-1' }],
    ['http', 2, startFakeHttpAgent, talk, HTTP],
  ] as const)(
    '%s: each conversation is kept word for word and marked, and can be read in every form',
    async (provider, share, startAgent, bodyOf, config) => {
      // Kinds of agents read what they get in their own way and keep it in one: the next kind says it with the next seed.
      const said = shareOf([...talks.entries()], share, 3);
      const agent = await startAgent({ reply: hostileReplies(talks.map((talk) => talk.texts)), record: false });
      const addresses = { base_url: agent.baseUrl, api_base: agent.baseUrl, url: `${agent.baseUrl}/talk` };
      const count = said.reduce((sum, [, talk]) => sum + talk.texts.length, 0);
      await service.survives(`${count} texts in ${said.length} conversations, ${provider}`, async () => {
        const scenarios = said.map(([at]) => talkCases[at] ?? '');
        const run = await service.examine(provider, { ...addresses, ...config }, scenarios, WITHIN_MS);
        const reader = new RunReader(service.api, run.id);
        const scenarioRuns = await reader.exportedJson();
        expect(scenarioRuns).toHaveLength(said.length);
        for (const [, talk] of said) {
          const { status, error_code, transcript } = scenarioRuns.find((one) => one.scenario_name === talk.name) ?? {};
          const replies = (transcript ?? [])
            .filter(({ role }: { role: string }) => role === 'agent')
            .map(({ content }: { content: string }) => content)
            .slice(0, talk.texts.length);
          const outcome = { talk: talk.name, isMarked: ['passed', 'failed'].includes(status), error_code, replies };
          expect(outcome).toEqual({ talk: talk.name, ...expectedOf(talk, bodyOf) });
        }
        await reader.details(scenarioRuns);
        await reader.csv(said.length);
        await reader.junit(said.length);
        await reader.events();
        await reader.inspection(scenarioRuns.filter((_, at) => at % 20 === 0));
        const printed = said.filter(([, talk]) => talk.texts.some(({ name }) => PRINTED.includes(name)));
        await reader.command(printed.map(([, { name }]) => name));
      });
      await agent.close();
    },
    WITHIN_MS,
  );
});

describe('Servers that answer with hostile HTTP', () => {
  // Pipecat's start may take two minutes, for a bot that sleeps: what never ends is left out there.
  test.each([
    ['pipecat', 0, (url: string) => ({ base_url: url, api_key: 'pk-hostile', agent_name: 'clinic' }), ended],
    ['openai', 1, (url: string) => ({ base_url: url, api_key: 'sk-hostile' }), answers],
    ['vapi', 2, (url: string) => ({ api_base: url, api_key: 'vapi-hostile', assistant_id: 'assistant-1' }), answers],
    ['livekit', 3, (url: string) => ({ url: 'ws://127.0.0.1:9', auth_mode: 'token', token_url: url }), answers],
    ['http', 4, (url: string) => ({ ...HTTP, url }), answers],
  ] as const)(
    '%s: every scenario run ends, by its own fault',
    async (provider, share, configOf, all) => {
      const given = [...shareOf(all, share, SERVERS), ...shareOf(all, share + 1, SERVERS)];
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
      0,
      (url: string) => ({ base_url: url, api_key: 'pk-hostile', agent_name: 'clinic' }),
      (text: string) => ({ sessionId: text, url: text, token: text, room: text, code: text }),
    ],
    [
      'livekit',
      1,
      (url: string) => ({ url: 'ws://127.0.0.1:9', auth_mode: 'token', token_url: url }),
      (text: string) => ({ [text.slice(0, 1_000)]: text, error: text, message: [text], token: { token: text } }),
    ],
    [
      'http',
      2,
      (url: string) => ({ ...HTTP, url, end_path: 'over' }),
      (text: string) => ({ [text.slice(0, 1_000)]: text, id: text, data: { reply: { [text.slice(0, 1_000)]: text } } }),
    ],
  ])(
    '%s: texts in the fields of its JSON',
    async (provider, share, configOf, bodyOf) => {
      const said = shareOf(texts, share, 3);
      const scenarios = talkCases.slice(0, said.length);
      expect(scenarios).toHaveLength(said.length);
      const server = await startJsonServer(said, bodyOf);
      await service.survives(`${said.length} texts, ${provider}`, async () => {
        const run = await service.examine(provider, configOf(server.origin), scenarios, WITHIN_MS);
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
function expectedOf({ texts: said }: Talk, bodyOf: (text: string) => object): object {
  const isTooLong = said.some(({ text }) => Buffer.byteLength(JSON.stringify(bodyOf(text))) > MAX_BODY_BYTES);
  if (isTooLong) return { isMarked: false, error_code: 'provider_error', replies: [] };
  if (!said.every(({ text }) => READABLE.test(text))) {
    return { isMarked: false, error_code: 'empty_reply', replies: [] };
  }
  const replies = said.map(({ text }) => text.toWellFormed().replaceAll('\0', '\ufffd'));
  return { isMarked: true, error_code: null, replies };
}

function talksOf(given: readonly HostileText[]): readonly Talk[] {
  const isSaidAmongOthers = ({ text }: HostileText): boolean =>
    text.length <= SAID_ONCE && READABLE.test(text) && Buffer.byteLength(JSON.stringify(text)) < MAX_BODY_BYTES / 2;
  const among = given.filter(isSaidAmongOthers);
  const groups = Array.from({ length: Math.ceil(among.length / TEXTS_A_TALK) }, (_, at) =>
    among.slice(at * TEXTS_A_TALK, (at + 1) * TEXTS_A_TALK),
  );
  return [...given.filter((text) => !isSaidAmongOthers(text)).map((text) => [text]), ...groups].map((together) => ({
    name: together.map(({ name }) => name).join(' + '),
    texts: together,
  }));
}
