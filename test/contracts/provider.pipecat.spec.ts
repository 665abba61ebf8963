import { join } from 'node:path';
import { startPipecatAgent } from '../fakes/pipecat-agent';
import { rtviBot, textBot } from '../fakes/pipecat-bots';
import { RoomBots } from '../fakes/room-bots';
import { describeWithLiveKit } from '../setup/describe-with-livekit';
import { LiveKitServer } from '../setup/livekit-server';
import { describeProvider, SECRET, type ProviderFixture } from './provider.contract';

// Rooms are held in a process of their own, which here has to compile what it runs.
process.env['NODE_OPTIONS'] = `-r ${join(__dirname, '..', 'setup', 'register-typescript.cjs')}`;

describeWithLiveKit('pipecat provider', () => {
  let livekit: LiveKitServer;
  let bots: RoomBots;

  beforeAll(async () => {
    livekit = await LiveKitServer.start();
    bots = RoomBots.start();
  });
  afterAll(async () => {
    await bots.close();
    await livekit.close();
  });

  const fixture = (bot: typeof rtviBot): ProviderFixture => ({
    kind: 'pipecat',
    resumable: false,
    startAgent: (options) => startPipecatAgent({ ...options, livekit, bots, bot }),
    configFor: ({ baseUrl }) => ({ base_url: baseUrl, api_key: SECRET, agent_name: 'clinic' }),
  });

  describe('over RTVI', () => describeProvider(fixture(rtviBot)));
});
void textBot;
