import { HangingUpAgents } from '../../fakes/hanging-up';
import { startLiveKitAgent } from '../../fakes/livekit-agent';
import { textBot } from '../../fakes/pipecat-bots';
import { RoomBots } from '../../fakes/room-bots';
import { describeWithLiveKit } from '../../setup/describe-with-livekit';
import { LiveKitServer } from '../../setup/livekit-server';
import { describeHangUp } from '../hang-up.contract';
import { describeProvider } from '../provider.contract';

describeWithLiveKit('livekit provider', () => {
  let livekit: LiveKitServer;
  let bots: RoomBots;

  beforeAll(async () => {
    livekit = await LiveKitServer.start();
    bots = RoomBots.start();
  });
  afterEach(async () => {
    // Each test clears up after itself: what is left behind belongs to a session that nobody closed.
    for (const room of await livekit.roomNames()) await livekit.rooms.deleteRoom(room);
  });
  afterAll(async () => {
    await bots.close();
    await livekit.close();
  });

  describeProvider({
    kind: 'livekit',
    resumable: false,
    failsSilently: true,
    startAgent: (options) => startLiveKitAgent({ ...options, livekit, bots }),
    configFor: () => ({ url: livekit.url, api_key: livekit.apiKey, api_secret: livekit.apiSecret }),
  });

  const agents = new HangingUpAgents();
  describeHangUp({
    kind: 'livekit',
    startAgent: () =>
      agents.start((hangingUp) => {
        const bot = hangingUp.bot(textBot, (one, words) => one.say([words]));
        return startLiveKitAgent({ livekit, bots, bot });
      }),
    configFor: () => ({
      url: livekit.url,
      api_key: livekit.apiKey,
      api_secret: livekit.apiSecret,
      leaving_ends_conversation: true,
    }),
    // It may have been stopped, or have crashed in order.
    doubtful: { leaving_ends_conversation: false },
    hangUpNext: agents.hangUpNext,
  });
});
