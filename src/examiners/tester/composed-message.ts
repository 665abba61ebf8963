import type { RubricCriterion } from '../../domain';
import { sumOfUsage } from '../model/model-usage';
import { TextJobFailed } from '../threads/text-thread';
import type { TextReader } from '../threads/text-threads';
import type { GateFault } from './gate/gate-request';
import { objectionTo } from './gate/message-gate';
import { openingOf } from './role-card';
import { TesterError, type ComposedMessage, type PatientTurnRequest, type Tester } from './tester';

const GATE_DEADLINE_MS = 30_000;

export interface Composing {
  readonly tester: Tester;
  readonly threads: TextReader;
  /** Known to the gate, not to the tester. */
  readonly criteria: readonly RubricCriterion[];
  /** Awaited before the tester is asked again. */
  readonly assureOwnership: (signal: AbortSignal) => Promise<void>;
}

export interface GatedMessage extends ComposedMessage {
  /** What was wrong with the first message, and no longer is. */
  readonly mended: readonly GateFault[];
}

/**
 * The patient's next message, fit to be sent: if the gate refuses it, it is written once more with its faults named.
 * @throws TesterError when the tester fails, or when the gate refuses the second message too; then the error carries the faults
 */
export async function composeMessage(
  { tester, threads, criteria, assureOwnership }: Composing,
  request: Omit<PatientTurnRequest, 'refused'>,
  signal: AbortSignal,
): Promise<GatedMessage> {
  const faultsOf = (message: string): Promise<readonly GateFault[]> => {
    const { card, patient, greeting, history } = request;
    // The scenario's own words.
    if (history.length === 0 && message === openingOf(card, patient)) return Promise.resolve([]);
    const texts = criteria.map(({ criterion }) => criterion);
    const held = { message, card, patient, criteria: texts, greeting, history };
    return threads.run('gate', held, GATE_DEADLINE_MS, signal).catch((error: unknown) => {
      throw error instanceof TextJobFailed ? new TesterError(error.message, { cause: error }) : error;
    });
  };
  const first = await tester.nextMessage({ ...request, refused: null }, signal);
  const mended = await faultsOf(first.content);
  if (mended.length === 0) return { ...first, mended };
  await assureOwnership(signal);
  const refused = { content: first.content, objection: objectionTo(mended) };
  const second = await tester.nextMessage({ ...request, refused }, signal).catch((error: unknown) => {
    if (!(error instanceof TesterError)) throw error;
    const { message, faults } = error;
    throw new TesterError(message, { cause: error, faults, usage: sumOfUsage(first.usage, error.usage) });
  });
  const faults = await faultsOf(second.content);
  const usage = sumOfUsage(first.usage, second.usage);
  if (faults.length === 0) return { content: second.content, usage, mended };
  throw new TesterError(`The patient broke its role twice in turn ${request.turn}: ${objectionTo(faults)}`, {
    faults: faults.map((fault) => ({ turn: request.turn, ...fault })),
    usage,
  });
}
