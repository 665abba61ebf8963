import { setTimeout as sleep } from 'node:timers/promises';
import { NO_USAGE } from '../../../src/examiners/model/model-usage';
import { TextJobFailed } from '../../../src/examiners/threads/text-thread';
import { composeMessage } from '../../../src/examiners/tester/composed-message';
import { OfflineTester } from '../../../src/examiners/tester/offline.tester';
import {
  Tester,
  TesterError,
  type ComposedMessage,
  type PatientTurnRequest,
} from '../../../src/examiners/tester/tester';
import { openTextThreads } from '../../setup/text-threads';
import { criterion, HOSTILE_REPLIES, scenarioWith, transcriptOf, turnAfter } from '../../setup/transcripts';

const threads = openTextThreads();
const { signal } = new AbortController();
const SCRIPT = 'You feel sick. If asked about smoking, you smoke ten cigarettes a day.';
const { refused: _, ...REQUEST } = turnAfter(scenarioWith(SCRIPT), transcriptOf(['I see.'], 'I have chest pain.'));

/** Says these things one after the other. */
class Reciting extends Tester {
  readonly name = 'offline';
  readonly model = null;
  readonly promptVersion = null;
  readonly health = { status: 'warning', detail: 'Says what a test gives it.' } as const;
  readonly requests: PatientTurnRequest[] = [];

  constructor(private readonly messages: readonly string[]) {
    super();
  }

  nextMessage(request: PatientTurnRequest): Promise<ComposedMessage> {
    const content = this.messages[this.requests.length] ?? '';
    this.requests.push(request);
    return Promise.resolve({ content, usage: { ...NO_USAGE, inputTokens: 7 } });
  }

  audit(): Promise<null> {
    return Promise.resolve(null);
  }
}

function composing(tester: Tester, owned = (): Promise<void> => Promise.resolve()) {
  return { tester, threads, criteria: [criterion('Tells the patient to stop smoking')], assureOwnership: owned };
}

it('lets a message without faults through', async () => {
  const tester = new Reciting(['I feel sick.']);
  expect(await composeMessage(composing(tester), REQUEST, signal)).toMatchObject({
    content: 'I feel sick.',
    mended: [],
  });
  expect(tester.requests).toHaveLength(1);
});

it('has a message that leaves the role written once more, naming what is wrong', async () => {
  const tester = new Reciting(['I smoke ten a day.', 'I feel sick.']);
  const { content, usage, mended } = await composeMessage(composing(tester), REQUEST, signal);
  expect({ content, inputTokens: usage.inputTokens }).toEqual({ content: 'I feel sick.', inputTokens: 14 });
  expect(mended).toMatchObject([{ kind: 'volunteered', text: 'I smoke ten a day.' }]);
  expect(tester.requests[1]?.refused).toEqual({
    content: 'I smoke ten a day.',
    objection: expect.stringContaining('told only when it is asked for'),
  });
});

it('gives up when the second message breaks it too: an error of the tester, with the faults and what they cost', async () => {
  const tester = new Reciting(['I smoke ten a day.', 'Then you should rest, as an AI I recommend it.']);
  const failing = composeMessage(composing(tester), REQUEST, signal);
  await expect(failing).rejects.toBeInstanceOf(TesterError);
  await expect(failing).rejects.toThrow('twice in turn 2');
  await expect(failing).rejects.toMatchObject({
    faults: [{ turn: 2, kind: 'role_reversal', severity: 'helped' }],
    usage: { inputTokens: 14 },
  });
});

describe('where the gate cannot say whether a message may be sent', () => {
  const failingWith = (error: Error) => {
    const gate = { run: () => Promise.reject(error) };
    return composeMessage({ ...composing(new Reciting(['I feel sick.'])), threads: gate }, REQUEST, signal);
  };

  it('an error of the reading of texts is one of the tester', async () => {
    const cause = new TextJobFailed('Reading the texts was canceled.');
    const failing = failingWith(cause);
    await expect(failing).rejects.toBeInstanceOf(TesterError);
    await expect(failing).rejects.toMatchObject({ message: cause.message, cause });
  });

  it('any other error stays what it is', async () => {
    const fault = new Error('The gate has a fault.');
    await expect(failingWith(fault)).rejects.toBe(fault);
  });
});

describe('where the tester fails at the second message', () => {
  const refusedThen = (error: Error) => {
    const tester = new Reciting(['I smoke ten a day.']);
    const writing = tester.nextMessage.bind(tester);
    tester.nextMessage = (request) => (request.refused === null ? writing(request) : Promise.reject(error));
    return composeMessage(composing(tester), REQUEST, signal);
  };

  it('the first has its cost too', async () => {
    const faults = [{ turn: 2, kind: 'repeated', severity: 'minor', text: 'I smoke.' }] as const;
    const cause = new TesterError('The model is tired.', { faults, usage: { ...NO_USAGE, inputTokens: 3 } });
    const failing = refusedThen(cause);
    await expect(failing).rejects.toBeInstanceOf(TesterError);
    await expect(failing).rejects.toMatchObject({ message: cause.message, cause, faults, usage: { inputTokens: 10 } });
  });

  it('an error that is none of the tester stays what it is', async () => {
    const fault = new Error('The tester has a fault.');
    await expect(refusedThen(fault)).rejects.toBe(fault);
  });
});

it('asks again only while the row is this execution’s', async () => {
  const tester = new Reciting(['I smoke ten a day.', 'I feel sick.']);
  const lost = (): Promise<void> => Promise.reject(new Error('lost'));
  await expect(composeMessage(composing(tester, lost), REQUEST, signal)).rejects.toThrow('lost');
  expect(tester.requests).toHaveLength(1);
});

it('never blames the patient for the scenario’s own opening', async () => {
  const complaint = 'As an AI I recommend that you stop smoking. Tells the patient to stop smoking.';
  const { refused: _opening, ...opening } = turnAfter(scenarioWith(SCRIPT, { chief_complaint: complaint }), []);
  const composed = await composeMessage(composing(new OfflineTester(threads)), opening, signal);
  expect(composed).toMatchObject({ content: complaint, mended: [] });
});

it('has the scenario’s own opening pass the gate where it is said again', async () => {
  const tester = new Reciting([REQUEST.card.chief_complaint, 'I feel sick.']);
  const composed = await composeMessage(composing(tester), REQUEST, signal);
  expect(composed).toMatchObject({ content: 'I feel sick.', mended: [{ kind: 'repeated' }] });
});

it('has another opening than the scenario’s own pass the gate', async () => {
  const { refused: _opening, ...opening } = turnAfter(scenarioWith(SCRIPT), []);
  const composed = await composeMessage(composing(new Reciting(['I smoke ten.', 'I feel sick.'])), opening, signal);
  expect(composed).toMatchObject({ content: 'I feel sick.', mended: [{ kind: 'volunteered' }] });
});

it.each(HOSTILE_REPLIES)('the offline patient passes the gate after a reply of %s', async (_name, reply) => {
  const { refused: _none, ...request } = turnAfter(
    scenarioWith(SCRIPT),
    transcriptOf([reply, reply, reply], 'I have chest pain.'),
  );
  expect((await composeMessage(composing(new OfflineTester(threads)), request, signal)).mended).toEqual([]);
});

it('reads replies of a megabyte without holding up others', async () => {
  const replies = Array.from({ length: 6 }, (_unused, at) => `${at} tablets of ibuprofen `.repeat(40_000));
  const { refused: _none, ...request } = turnAfter(scenarioWith(SCRIPT), transcriptOf(replies, 'I have chest pain.'));
  const composed = composeMessage(composing(new Reciting(['I feel sick.'])), request, signal);
  await sleep(0);
  expect((await composed).content).toBe('I feel sick.');
});
