import { LONGEST_SECRET } from '../../src/agents/secrets/secret-values';
import { startFakeOpenAi } from '../fakes/openai-server';
import { GOOD_REPLY } from '../setup/examination';
import { eachAtOnce } from '../setup/at-once';
import { hostileTexts } from './corpus';
import { ExaminedService } from './examined-service';
import type { HostileText } from './hostile-text';
import { RunReader } from './read-everything';
import { SEED, shareOf } from './rotation';

/** The limit of what hangs; a quiet machine takes a quarter of it. */
const WITHIN_MS = 560_000;
/** As much as a field of each sort may hold (`contract/field.ts`, `src/features/scenarios`). */
const LONGEST = { name: 500, tag: 200, criterion: 5_000, complaint: 10_000, script: 100_000, protocol: 200_000 };
/** Done, or refused with a reason. */
const ANSWERS = [200, 201, 400, 413];
const KINDS = ['openai', 'vapi', 'livekit', 'pipecat', 'browser', 'http'];

const texts = hostileTexts(SEED);
/** Every text comes through one of these doors, and through the next with the next seed. */
const thirds = { played: shareOf(texts, 0, 3), named: shareOf(texts, 1, 3), configured: shareOf(texts, 2, 3) };
let service: ExaminedService;

beforeAll(async () => {
  service = await ExaminedService.start();
}, 180_000);
afterAll(() => service?.close());

/** Sends one body a text; answers what was made of those that were taken. */
async function postAll(
  given: readonly HostileText[],
  path: string,
  bodyOf: (text: string, number: number) => object,
): Promise<unknown[]> {
  const answers = await eachAtOnce(given, async ({ name, text }, number) => {
    const { status, body } = await service.api.post(path, bodyOf(text, number));
    if (!ANSWERS.includes(status))
      throw new Error(`${path} with "${name}" was answered ${status}: ${JSON.stringify(body)}`);
    if (status >= 300) expect(body).toEqual({ error: expect.any(String) });
    return { isTaken: status < 300, body };
  });
  return answers.filter(({ isTaken }) => isTaken).map(({ body }): unknown => body);
}

test(
  'scenarios whose names, scripts, complaints, tags and criteria are hostile are played and marked',
  async () => {
    const agent = await startFakeOpenAi({ reply: () => GOOD_REPLY, record: false });
    await service.survives(`${thirds.played.length} scenarios`, async () => {
      const scenarios = await postAll(thirds.played, '/api/v1/scenarios', (text) => ({
        name: text.slice(0, LONGEST.name),
        approved: true,
        content: {
          script: text.slice(0, LONGEST.script),
          chief_complaint: text.slice(0, LONGEST.complaint),
          demographics: { gender: text.slice(0, 100) },
          [text.slice(0, 50)]: text.slice(0, LONGEST.criterion),
        },
        rubric_criteria: [1, 2, -1].map((points) => ({
          criterion: text.slice(0, LONGEST.criterion),
          points,
          tags: [text.slice(0, LONGEST.tag)],
        })),
        tags: [text.slice(0, LONGEST.tag)],
      }));
      const ids = scenarios.map(idOf);
      expect(ids.length).toBeGreaterThan(thirds.played.length / 2);
      const config = { base_url: agent.baseUrl, api_key: 'sk-test' };
      const run = await service.examine('openai', config, ids, WITHIN_MS);
      const reader = new RunReader(service.api, run.id);
      const scenarioRuns = await reader.exportedJson();
      // A script that has its patient speak as a clinician is nobody's fault but its own: the patient is not let through with it.
      const isMarked = ({ status, error_code }: { status: string; error_code: string | null }) =>
        ['passed', 'failed'].includes(status) || error_code === 'tester_failed';
      const unmarked = scenarioRuns.filter((scenarioRun) => !isMarked(scenarioRun));
      expect(scenarioRuns.filter(({ status }) => status === 'error').length).toBeLessThan(scenarioRuns.length / 4);
      expect(unmarked.map(({ scenario_name, error_code }) => ({ scenario_name, error_code }))).toEqual([]);
      await reader.details(scenarioRuns);
      await reader.csv(ids.length);
      await reader.junit(ids.length);
      await reader.events();
      await reader.command([]);
    });
    await agent.close();
  },
  WITHIN_MS,
);

// They read a protocol in one way: each of them reads a third.
test.each([
  ['generate-preview', 0],
  ['generate', 1],
  ['generate-batch', 2],
])(
  '%s from a hostile protocol is answered',
  async (operation, share) => {
    const protocols = shareOf(texts, share, 3);
    await service.survives(`${protocols.length} protocols, ${operation}`, async () => {
      await postAll(protocols, `/api/v1/scenarios/${operation}`, (text) => ({ text: text.slice(0, LONGEST.protocol) }));
    });
  },
  WITHIN_MS,
);

test(
  'agents and suites with hostile names, descriptions and config values are stored, tried and refused in words',
  async () => {
    await service.survives(`${thirds.named.length} agents and suites`, async () => {
      await postAll(thirds.named, '/api/v1/test-suites', (text) => ({
        name: text.slice(0, LONGEST.name),
        description: text.slice(0, 10_000),
        scenario_ids: [],
      }));
      const agents = await postAll(thirds.named, '/api/v1/agents', (text) => ({
        name: text.slice(0, LONGEST.name),
        provider: 'openai',
        description: text.slice(0, 10_000),
        config: {
          base_url: 'http://127.0.0.1:9/v1',
          api_key: text.slice(0, LONGEST_SECRET),
          model: text,
          headers: { [text.slice(0, 1_000)]: text.slice(0, 1_000) },
          max_retries: 0,
        },
      }));
      await eachAtOnce(agents, async (agent) => {
        const { status, body } = await service.api.post(`/api/v1/agents/${idOf(agent)}/try`, { message: 'Hello.' });
        expect(JSON.stringify(body).length).toBeLessThan(10_000);
        expect(status).toBeLessThan(500);
      });
    });
  },
  WITHIN_MS,
);

test(
  'addresses, headers and selectors of every kind that are hostile are refused in words',
  async () => {
    const [scenario = ''] = await service.createCases(['A conversation that never begins']);
    await service.survives(`${thirds.configured.length} configs`, async () => {
      // Families lie together, so that each kind gets some of every one.
      const agents = await postAll(thirds.configured, '/api/v1/agents', (text, number) => {
        // All of them together are one body, and one of them is a secret.
        const value = text.slice(0, LONGEST_SECRET);
        const names = ['base_url', 'api_base', 'url', 'token_url', 'transport_url', 'api_key', 'assistant_id'];
        const more = ['agent_name', 'auth_mode', 'message_selector', 'turn_timeout_ms', 'storage_state', 'headers'];
        const http = ['body', 'reply_path', 'session_id_path', 'end_path', 'message_format', 'method'];
        const config = Object.fromEntries([...names, ...more, ...http].map((name) => [name, value]));
        return { name: 'x', provider: KINDS[number % KINDS.length], config };
      });
      expect(agents.length).toBeGreaterThan(thirds.configured.length / 2);
      await eachAtOnce(agents, async (agent) => {
        const { status } = await service.api.post('/start-run', { agent_id: idOf(agent), scenario_ids: [scenario] });
        expect(ANSWERS).toContain(status);
      });
    });
  },
  WITHIN_MS,
);

function idOf(body: unknown): string {
  if (typeof body !== 'object' || body === null) throw new Error('The answer is no object.');
  if ('scenario_id' in body) return String(body.scenario_id);
  if ('id' in body) return String(body.id);
  throw new Error('The answer has no id.');
}
