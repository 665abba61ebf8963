import { hangsUp, startFakeChatPage } from '../fakes/chat-page';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { describeHangUp } from '../agents/hang-up.contract';
import { describeProvider, type ProviderFixture } from '../agents/provider.contract';

/** Short waits: the fake answers at once. */
const QUICK = { reply_idle_ms: 150, turn_timeout_ms: 8_000 };

const fixture: ProviderFixture = {
  kind: 'browser',
  resumable: false,
  startAgent: startFakeChatPage,
  configFor: ({ baseUrl }) => ({ url: baseUrl, message_selector: '.message.agent', ...QUICK }),
};

describeWithBrowser('browser provider', () => {
  describeProvider(fixture);
  describeHangUp({
    kind: 'browser',
    startAgent: () => startFakeChatPage(),
    configFor: (agent) => ({ ...fixture.configFor(agent), end_selector: '#ended' }),
    // Whatever the page says in words.
    doubtful: { end_selector: null },
    hangUpNext: (agent, words) => agent.next(hangsUp(words)),
  });
});
