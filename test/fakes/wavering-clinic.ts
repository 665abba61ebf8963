import { createHash } from 'node:crypto';
import { replyTo } from '../../src/demo/dialogue';
import type { FakeAgent, FakeMessage } from './fake-agent';
import { startFakeOpenAi } from './openai-server';

export interface WaveringClinicOptions {
  /** How many of the conversations of a scenario go badly, 0 to 1, for scenarios that waver; a third of them never do. */
  readonly share: number;
  readonly seed: string;
  readonly delayMs?: number;
}

const ABSENT = 'Thank you for telling me. I have noted it for the clinic team.';

/**
 * The demo clinic agent with bad days: in some conversations it only takes notes. Which ones follows from the seed, the patient's
 * first words and how often it has heard them, whatever the order of requests.
 */
export function startWaveringClinic({ share, seed, delayMs = 0 }: WaveringClinicOptions): Promise<FakeAgent> {
  const heard = new Map<string, number>();
  const isBad = (opening: string): boolean => {
    const nth = heard.get(opening) ?? 0;
    heard.set(opening, nth + 1);
    return drawn(opening) >= 1 / 3 && drawn(`${seed} ${nth} ${opening}`) < share;
  };
  const reply = (messages: readonly FakeMessage[]): string => {
    const patient = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
    const [first] = messages.filter(({ role }) => role === 'assistant');
    const isAbsent = first === undefined ? isBad(patient[0] ?? '') : first.content === ABSENT;
    return isAbsent ? ABSENT : replyTo(patient);
  };
  return startFakeOpenAi({ reply, delayMs });
}

/** 0 to 1, the same for the same text. */
function drawn(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}
