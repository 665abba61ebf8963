import { OfflineTester } from '../../../src/examiners/tester/offline.tester';
import { TesterError } from '../../../src/examiners/tester/tester';
import { openTextThreads } from '../../setup/text-threads';
import { scenarioWith, transcriptOf, turnAfter } from '../../setup/transcripts';
import { describeTester } from './tester.contract';

const tester = new OfflineTester(openTextThreads());

describeTester('offline', () => tester);

const SCENARIO = scenarioWith('You feel sick.');

it('has the patient say what the script has it say', async () => {
  const { content } = await tester.nextMessage(
    turnAfter(SCENARIO, transcriptOf(['Do you feel sick?'])),
    new AbortController().signal,
  );
  expect(content).toBe('I feel sick.');
});

it('fails as a tester where it was canceled', async () => {
  const failing = tester.nextMessage(turnAfter(SCENARIO, transcriptOf(['Go on.'])), AbortSignal.abort());
  await expect(failing).rejects.toBeInstanceOf(TesterError);
});

it('audits nothing: who recites a script cannot stray', async () => {
  expect(await tester.audit()).toBeNull();
});
