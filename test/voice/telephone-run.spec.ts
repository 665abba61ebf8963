import { AccessToken } from 'livekit-server-sdk';
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { controlTextOf } from '../../src/engine/speech';
import type { HttpStub } from '../fakes/http-stub';
import { SipFront, type Dialed } from '../fakes/sip-front';
import { startSpeechServer } from '../fakes/speech-server';
import { ApiClient } from '../setup/api-client';
import { CALLS_AMBULANCE, createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { LiveKitServer } from '../setup/livekit-server';
import { startTestService, type TestService } from '../setup/service';
import { SAYS } from '../setup/spoken-calls';

/** Runs of the real service that ring an agent: espeak-ng speaks, a bot in a room of a real LiveKit server answers as a telephone does, an ear that is a stub hears. */
const WORDS = 'Please call an ambulance now.';

let livekit: LiveKitServer;
let front: SipFront;
let ear: HttpStub;
let heard = 0;
const services: TestService[] = [];
const telephones: ChildProcess[] = [];

beforeAll(async () => {
  livekit = await LiveKitServer.start();
  front = await SipFront.start(livekit.port, answered);
  ear = await startSpeechServer(() => (heard++ === 0 ? controlTextOf('en').sentence : WORDS));
});
afterEach(async () => {
  for (const telephone of telephones.splice(0)) telephone.kill('SIGKILL');
  for (const service of services.splice(0)) await service.close();
});
afterAll(async () => {
  await front.close();
  await ear.close();
  await livekit.close();
});

async function answered({ body }: Dialed): Promise<readonly [number, unknown]> {
  const [room, identity] = [String(body['room_name']), String(body['participant_identity'])];
  const token = new AccessToken(livekit.apiKey, livekit.apiSecret, { identity });
  token.kind = 'sip';
  token.addGrant({ room, roomJoin: true, canPublish: true, canSubscribe: true, canPublishData: true });
  const telephone = fork(join(__dirname, '..', 'fakes', 'spoken-bot-program.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  telephones.push(telephone);
  const joined = new Promise((resolve) => telephone.once('message', resolve));
  const replies = Array(20).fill({ ...SAYS, text: null, soundMs: 1_600 });
  telephone.send({
    ...{ name: identity, url: livekit.url, token: await token.toJwt(), hasVoice: true, greeting: null },
    ...{ greetingWrittenAfterMs: null, replies, isNoisy: false, speaksRtvi: false, firstHeardReady: 1 },
  });
  await joined;
  return [200, { participant_identity: identity }];
}

test.each([
  ['is not recorded unless consent is declared', {}, false],
  ['is recorded where consent is declared', { RECORD_TELEPHONE_CALLS: 'true' }, true],
])(
  'a call to a telephone number is marked by what the ear heard, and %s',
  async (_name, settings, isRecorded) => {
    heard = 0;
    const transcription = { TRANSCRIPTION_URL: `${ear.origin}/v1`, TRANSCRIPTION_MODEL: 'ear-1' };
    const service = await startTestService({ ...transcription, ...settings });
    services.push(service);
    const api = new ApiClient(service.url);
    const keys = { url: front.url, api_key: livekit.apiKey, api_secret: livekit.apiSecret };
    const config = { ...keys, phone_number: '+15550100', sip_trunk_id: 'ST_1' };
    const { body: agent } = await api.post('/api/v1/agents', { name: 'Hotline', provider: 'livekit', config });
    const scenario_ids = await createScenarios(api, 1, { rubric_criteria: [CALLS_AMBULANCE] });
    const fields = { agent_id: agent.id, scenario_ids, max_turns: 5 };
    expect(await api.post('/start-run', fields)).toMatchObject({
      status: 400,
      body: {
        error:
          'modality: agent "Hotline" is rung at its phone_number, so it can only be spoken with: set modality to spoken',
      },
    });
    const { body: run } = await api.post('/start-run', { ...fields, modality: 'spoken', spoken: { seed: 3 } });
    const final = await untilFinal(api, run.id, 200_000);
    const [scenarioRun] = await scenarioRunsOf(api, run.id);
    expect(scenarioRun.error_message).toBeNull();
    expect(final).toMatchObject({ status: 'completed', passed_count: 1, error_count: 0 });
    const { status } = await fetch(`${service.url}/api/v1/scenario-runs/${scenarioRun.id}/recording.wav`);
    expect(status).toBe(isRecorded ? 200 : 404);
    if (isRecorded) return;
    const { body } = await api.get(`/api/v1/scenario-runs/${scenarioRun.id}/recording.wav`);
    expect(body.error).toMatch(/RECORD_TELEPHONE_CALLS/);
  },
  300_000,
);
