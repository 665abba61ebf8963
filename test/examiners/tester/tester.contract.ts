import { HOSTILE_REPLIES, scenarioWith, transcriptOf, turnAfter } from '../../setup/transcripts';
import type { Tester } from '../../../src/examiners/tester/tester';

const SCRIPT = 'The pain started two hours ago. You feel sick. You take warfarin. You are not allergic to anything.';

/** What every tester does, whoever writes the words. */
export function describeTester(name: string, make: () => Tester): void {
  const signal = new AbortController().signal;

  describe(`Tester contract: ${name}`, () => {
    it('writes the first message of a patient', async () => {
      const { content, usage } = await make().nextMessage(turnAfter(scenarioWith(SCRIPT), []), signal);
      expect(content.trim()).not.toBe('');
      expect(content).toBe(content.toWellFormed());
      expect(usage.inputTokens).toBeGreaterThanOrEqual(0);
      expect(usage.outputTokens).toBeGreaterThanOrEqual(0);
    });

    it('continues from another process’s transcript', async () => {
      const history = transcriptOf(['When did it start?', 'Do you take any medicines?']);
      const { content } = await make().nextMessage(turnAfter(scenarioWith(SCRIPT), history), signal);
      expect(content.trim()).not.toBe('');
    });

    it('begins with the initial message of a scenario that has one', async () => {
      const scenario = scenarioWith(SCRIPT, { initial_message: 'Hi, is this the nurse line?' });
      const { content } = await make().nextMessage(turnAfter(scenario, []), signal);
      expect(content).toBe('Hi, is this the nurse line?');
    });

    it('plays a scenario without a script', async () => {
      const scenario = scenarioWith('', { chief_complaint: '', demographics: {} });
      for (const history of [[], transcriptOf(['How can I help?'])]) {
        const { content } = await make().nextMessage(turnAfter(scenario, history), signal);
        expect(content.trim()).not.toBe('');
      }
    });

    it('hears the greeting of an agent that speaks first', async () => {
      const request = turnAfter(scenarioWith(SCRIPT), [], 'Welcome to the clinic. How can I help?');
      const { content } = await make().nextMessage(request, signal);
      expect(content.trim()).not.toBe('');
    });

    it.each(HOSTILE_REPLIES)('stays a patient after a reply of %s', async (_, reply) => {
      const history = transcriptOf([reply, reply, reply]);
      const { content } = await make().nextMessage(turnAfter(scenarioWith(SCRIPT), history), signal);
      expect(content.trim()).not.toBe('');
      expect(content).toBe(content.toWellFormed());
      expect(content).not.toContain('\0');
      expect(content.length).toBeLessThanOrEqual(4_000);
    });

    it('says how good it is for real examinations', () => {
      const tester = make();
      expect(tester.health.status).toBe(tester.name === 'offline' ? 'warning' : 'ok');
      expect(tester.health.detail).not.toBe('');
      expect(tester.model === null).toBe(tester.name === 'offline');
    });
  });
}
