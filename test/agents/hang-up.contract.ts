import { AgentHungUp } from '../../src/agents/errors';
import type { AgentConfig, Session } from '../../src/agents/provider';
import type { FakeAgent } from '../fakes/fake-agent';
import { ProviderBench, unaborted, type ProviderFixture } from './provider.contract';

/** How an agent of a kind ends a conversation on purpose. */
export interface HangUpFixture {
  readonly kind: ProviderFixture['kind'];
  readonly startAgent: () => Promise<FakeAgent>;
  /** With what makes the sign count. */
  readonly configFor: (agent: FakeAgent) => AgentConfig;
  /** With what makes it count for nothing: this kind's doubt. */
  readonly doubtful: AgentConfig;
  /** Has the agent end the conversation at the next message, after these words, or without any. */
  readonly hangUpNext: (agent: FakeAgent, words: string | null) => void;
}

/** What every kind promises whose agents can end a conversation. */
export function describeHangUp({ kind, startAgent, configFor, doubtful, hangUpNext }: HangUpFixture): void {
  describe(`${kind} provider: an agent that ends the conversation`, () => {
    let bench: ProviderBench;
    let agent: FakeAgent;
    let session: Session;

    const talk = async (config: AgentConfig = {}): Promise<void> => {
      agent = await startAgent();
      bench = await ProviderBench.start({ kind, startAgent: async () => agent, configFor: () => configFor(agent) });
      session = await bench.provider().connect(bench.request(config), unaborted());
      const first = await session.send('My chest hurts.', unaborted());
      expect(first.endsConversation ?? false).toBe(false);
    };
    afterEach(async () => {
      await session.close();
      await bench.close();
    });

    it('says so with its last reply, whole', async () => {
      await talk();
      hangUpNext(agent, 'Please call an ambulance. Goodbye.');
      const last = await session.send('Since this morning.', unaborted());
      expect(last.content).toBe('Please call an ambulance. Goodbye.');
      if (last.endsConversation === true) return;
      // A server may tell late who has left: then the next message comes after the end.
      await expect(session.send('Thank you.', unaborted())).rejects.toBeInstanceOf(AgentHungUp);
    });

    it('says so in place of a reply', async () => {
      await talk();
      hangUpNext(agent, null);
      await expect(session.send('Since this morning.', unaborted())).rejects.toBeInstanceOf(AgentHungUp);
    });

    it('is not taken to have done so in doubt', async () => {
      await talk(doubtful);
      hangUpNext(agent, 'Please call an ambulance. Goodbye.');
      const outcome: unknown = await session.send('Since this morning.', unaborted()).catch((error: unknown) => error);
      expect(outcome).not.toBeInstanceOf(AgentHungUp);
      expect(outcome).not.toMatchObject({ endsConversation: true });
    });
  });
}
