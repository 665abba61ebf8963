import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { InProcessRequestBudget } from '../../src/providers/in-process.request-budget';
import type { AgentConfig, Session } from '../../src/providers/provider';
import { ProviderRegistry } from '../../src/providers/registry';
import { unaborted } from '../contracts/provider.contract';
import { startStreamingModel, type ModelAnswer } from '../fakes/streaming-model';
import type { FakeMessage } from '../fakes/fake-agent';
import { ApiClient } from '../setup/api-client';
import { eventually } from '../setup/eventually';
import { CALLS_AMBULANCE, createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { LiveKitServer } from '../setup/livekit-server';
import { startTestService, type TestService } from '../setup/service';
import { requireVoicePeers, startLiveKitTextAgent, type PythonAgent } from '../setup/voice-peers';

requireVoicePeers();

const NUMBERED = /^Reply (\d+): .* Please call an ambulance now\.$/s;
const GREETING = 'Good morning, this is the clinic.';

/** Counts the patient's messages, so that a lost, repeated or torn reply shows. */
function answer(messages: readonly FakeMessage[]): ModelAnswer {
  const last = messages.at(-1);
  if (last?.role === 'tool') return `The number is ${textOf(last.content)}.`;
  const said = messages.filter(({ role }) => role === 'user');
  const text = textOf(said.at(-1)?.content);
  if (text.includes('Which number'))
    return { tool: 'find_emergency_number', arguments: { country: 'DE' }, say: 'Let me see.' };
  return `Reply ${said.length}: I hear you say ${JSON.stringify(text)}. ${'One moment. '.repeat(5)}Please call an ambulance now.`;
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}

function memoryOf(pid: number): number {
  const resident = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(resident) / 1024;
}

describe('a livekit-agents agent', () => {
  let livekit: LiveKitServer;
  let model: Awaited<ReturnType<typeof startStreamingModel>>;

  beforeAll(async () => {
    livekit = await LiveKitServer.start();
    model = await startStreamingModel({ answer, pauseMs: 5 });
  });
  afterAll(async () => {
    await model.close();
    await livekit.close();
  });

  const keys = () => ({ url: livekit.url, api_key: livekit.apiKey, api_secret: livekit.apiSecret });

  describe.each([
    ['session', 'on'],
    ['text streams', 'off'],
  ])('over %s', (protocol, switched) => {
    let agent: PythonAgent;
    let service: TestService;
    let api: ApiClient;

    beforeAll(async () => {
      agent = await startLiveKitTextAgent(livekit, model.baseUrl, { SESSION_PROTOCOL: switched, GREETING });
      service = await startTestService();
      api = new ApiClient(service.url);
    });
    afterAll(async () => {
      await service.close();
      await agent.close();
    });

    const createAgent = async (config: AgentConfig = keys()): Promise<string> => {
      const body = { name: 'LiveKit agent', provider: 'livekit', config };
      return String((await api.post('/api/v1/agents', body)).body.id);
    };

    it('is examined with 10 scenarios of 5 turns: every reply whole, in order, none twice; no room is left', async () => {
      const scenario_ids = await createScenarios(api, 10, { rubric_criteria: [CALLS_AMBULANCE] });
      const agent_id = await createAgent();
      const began = performance.now();
      const { body: run } = await api.post('/start-run', {
        agent_id,
        scenario_ids,
        max_turns: 5,
        concurrency_limit: 3,
      });
      const final = await untilFinal(api, run.id, 240_000);
      const errors = (await scenarioRunsOf(api, run.id)).map(({ error_message }) => error_message);
      expect(errors.filter((message) => message !== null)).toEqual([]);
      expect(final).toMatchObject({ status: 'completed', passed_count: 10, error_count: 0 });
      const latencies: number[] = [];
      const connects: number[] = [];
      for (const { id } of await scenarioRunsOf(api, run.id)) {
        const { body: detail } = await api.get(`/api/v1/scenario-runs/${id}`);
        const replies = detail.transcript.filter(({ role }: { role: string }) => role === 'agent');
        expect(replies.map(({ content }: { content: string }) => NUMBERED.exec(content)?.[1])).toEqual([
          '1',
          '2',
          '3',
          '4',
          '5',
        ]);
        expect(detail.metadata.session).toMatchObject({ protocol, room: expect.stringContaining(id) });
        latencies.push(...replies.map(({ latency_ms }: { latency_ms: number }) => latency_ms));
        connects.push(detail.metadata.timings?.connect_ms ?? 0);
      }
      await eventually(async () => expect(await livekit.roomNames()).toEqual([]));
      const median = (all: number[]) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)];
      console.info(
        `${protocol}: 10 x 5 turns in ${Math.round(performance.now() - began)} ms; connect ${median(connects)} ms, reply ${median(latencies)} ms (medians)`,
      );
    });

    it('is left within a second, and its room deleted, when the run is canceled', async () => {
      const scenario_ids = await createScenarios(api, 1);
      const { body: run } = await api.post('/start-run', { agent_id: await createAgent(), scenario_ids });
      const room = `osce-${(await scenarioRunsOf(api, run.id))[0]?.id}-1`;
      const requests = model.requests.length;
      await eventually(() => expect(model.requests.length).toBeGreaterThan(requests), 60_000);
      const canceled = performance.now();
      expect((await api.post('/cancel-run', { test_run_id: run.id })).status).toBe(200);
      await eventually(async () => expect(await livekit.identitiesIn(room)).toEqual([]));
      await eventually(async () => expect(await livekit.roomNames()).toEqual([]));
      console.info(`${protocol}: room gone ${Math.round(performance.now() - canceled)} ms after cancel-run`);
    });
  });

  describe('one conversation', () => {
    let registry: ProviderRegistry;
    let agent: PythonAgent;

    beforeAll(async () => {
      registry = new ProviderRegistry({ budget: new InProcessRequestBudget() });
      agent = await startLiveKitTextAgent(livekit, model.baseUrl, { GREETING, AGENT_NAME: 'clinic' });
    });
    afterAll(async () => {
      await registry.close();
      await agent.close();
    });

    const connect = (config: AgentConfig): Promise<Session> => {
      const provider = registry.find('livekit');
      if (provider === undefined) throw new Error('There is no livekit provider.');
      const ids = { agentId: randomUUID(), scenarioRunId: randomUUID(), attempt: 1, history: [], continuation: null };
      return provider.connect({ ...ids, config }, unaborted());
    };
    const named = () => ({ ...keys(), agent_name: 'clinic', dispatch_mode: 'explicit' });

    it('has its greeting, and its tool calls in metadata', async () => {
      const session = await connect(named());
      expect(session.greeting).toBe(GREETING);
      const { content, metadata } = await session.send('Which number shall I call?', unaborted());
      expect(content).toBe('Let me see.\nThe number is 112.');
      expect(metadata).toEqual({
        tool_calls: [{ name: 'find_emergency_number', arguments: expect.stringContaining('"DE"'), output: '112' }],
      });
      await session.close();
    });

    it('comes into a room of the user’s when it is dispatched', async () => {
      const session = await connect({ ...named(), room_name: 'ward-1' });
      expect((await session.send('hello', unaborted())).content).toMatch(NUMBERED);
      await session.close();
      expect(await livekit.roomNames()).toEqual([]);
    });

    it('is not joined by a name that nobody has, and the sentence says what to check', async () => {
      await expect(connect({ ...named(), agent_name: 'nobody' })).rejects.toMatchObject({
        code: 'agent_not_joined',
        message: expect.stringMatching(/within 60 s.*"nobody"/),
      });
      expect(await livekit.roomNames()).toEqual([]);
    });

    it('leaves resident memory within 60 MB of where 5 conversations left it after 50', async () => {
      const talk = async (): Promise<void> => {
        const session = await connect(named());
        expect((await session.send('hello', unaborted())).content).toMatch(NUMBERED);
        await session.close();
      };
      // This process also holds Jest and what the fakes have recorded: where memory could stay is with the native library.
      const resident = (): number => registry.roomProcessIds.reduce((sum, pid) => sum + memoryOf(pid), 0);
      for (let session = 1; session <= 5; session += 1) await talk();
      const after5 = resident();
      for (let session = 6; session <= 50; session += 1) await talk();
      const after50 = resident();
      console.info(`room processes after 5: ${after5.toFixed(0)} MB, after 50: ${after50.toFixed(0)} MB`);
      expect(after50 - after5).toBeLessThan(60);
    });

    it('ends with a typed error when the agent is killed in the middle', async () => {
      const session = await connect(named());
      await session.send('hello', unaborted());
      await agent.close();
      await expect(session.send('are you there?', unaborted())).rejects.toMatchObject({
        code: 'provider_error',
        message: expect.stringContaining('left the LiveKit room'),
      });
      await session.close();
      agent = await startLiveKitTextAgent(livekit, model.baseUrl, { GREETING, AGENT_NAME: 'clinic' });
    });

    it('ends with a typed error when the server is killed in the middle', async () => {
      const session = await connect(named());
      await session.send('hello', unaborted());
      await livekit.kill();
      const began = performance.now();
      await expect(session.send('are you there?', unaborted())).rejects.toMatchObject({
        code: 'connect_failed',
        message: expect.stringContaining('LiveKit server'),
      });
      console.info(`server killed: failed after ${Math.round(performance.now() - began)} ms`);
      await session.close();
      await livekit.start();
    });
  });
});
