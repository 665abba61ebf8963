import type { KeypadEntry } from '../../../contract/scenario-speech';
import type { Turn } from '../../domain';
import { comparableWords } from '../audio/spoken-text';
import type { ExecutionRecord } from '../ledger/execution-record';
import { requireSpeech } from './spoken-conversations';

/** What a patient has heard and said before a turn. */
export interface HeardSoFar {
  readonly greeting: string | null;
  readonly history: readonly Turn[];
}

/**
 * A turn of a spoken conversation: what the patient has heard, as its tester is told of it, and the keys that it presses in place of speaking;
 * null: it speaks.
 * @throws EffectFailed where what the scenario says about speech cannot be read
 */
export function patientTurn(
  { scenario, patient }: Pick<ExecutionRecord, 'scenario' | 'patient'>,
  before: HeardSoFar,
): { readonly heard: HeardSoFar; readonly keys: string | null } {
  const keypad = new Keypad(requireSpeech(scenario.content).speech.keypad ?? [], patient.language);
  const { greeting, history } = keypad.withoutKeys(before);
  return { heard: { greeting, history: history.map(withSilence) }, keys: keypad.next(before) };
}

/** Of a reply without an audible word, the patient heard silence. A model is not asked with an empty message. */
function withSilence(turn: Turn): Turn {
  return turn.agentMessage === '' ? { ...turn, agentMessage: '…' } : turn;
}

/**
 * The keypad of a spoken patient. What is pressed when follows from what was said alone, so that an attempt that reads the same turns presses the
 * same keys.
 */
export class Keypad {
  private readonly entries: readonly (KeypadEntry & { readonly words: string })[];

  /** @param language of the patient, BCP 47: numbers are words in English alone */
  constructor(
    entries: readonly KeypadEntry[],
    private readonly language: string,
  ) {
    this.entries = entries
      .map((entry) => ({ ...entry, words: this.wordsOf(entry.when) }))
      .filter(({ words }) => words.trim() !== '');
  }

  /** The keys to press in the turn after these; null: the patient speaks. */
  next({ greeting, history }: HeardSoFar): string | null {
    return this.pressed({ greeting, history }).at(-1) ?? null;
  }

  /**
   * What a patient who only speaks would have heard: an answer to keys goes on where the words before them ended. So the one who plays the
   * patient opens, answers and goes on as in a conversation without keys.
   */
  withoutKeys({ greeting, history }: HeardSoFar): HeardSoFar {
    const pressed = this.pressed({ greeting, history });
    const heard: { greeting: string | null; readonly history: Turn[] } = { greeting, history: [] };
    for (const [at, turn] of history.entries()) {
      const keys = pressed[at] ?? null;
      const last = heard.history.at(-1);
      if (keys === null) heard.history.push(turn);
      else if (last === undefined) heard.greeting = goingOn(heard.greeting ?? '', keys, turn);
      else heard.history.splice(-1, 1, { ...last, agentMessage: goingOn(last.agentMessage, keys, turn) });
    }
    return heard;
  }

  /** The keys of each of these turns and of the next one; null for those in which the patient spoke, or is to speak. */
  private pressed({ greeting, history }: HeardSoFar): (string | null)[] {
    const unused = [...this.entries];
    return [greeting ?? '', ...history.map(({ agentMessage }) => agentMessage)].map((reply, at) => {
      if (unused.length === 0) return null;
      const words = this.wordsOf(reply);
      const found = unused.findIndex((entry) => words.includes(entry.words));
      const entry = unused[found];
      const said = history[at]?.patientMessage;
      if (entry === undefined || (said !== undefined && said !== messageOf(entry.press))) return null;
      unused.splice(found, 1);
      return entry.press;
    });
  }

  /** With a blank around each, so that "press 1" is not found in "press 10". */
  private wordsOf(text: string): string {
    return ` ${comparableWords(text.slice(0, MOST_CHARACTERS), this.language).join(' ')} `;
  }
}

/** Longer replies are not read to their end: that is five minutes of a menu. */
const MOST_CHARACTERS = 4_000;

/** How a turn reads in which keys were pressed. */
export function messageOf(press: string): string {
  return `[presses ${shown(press)}]`;
}

/** What the agent had said, with its answer to keys behind it. */
function goingOn(before: string, keys: string, { agentMessage }: Turn): string {
  return [before, `(On the keypad you entered ${shown(keys)}.)`, agentMessage].filter((part) => part !== '').join('\n');
}

const shown = (press: string): string => press.replace(/w+/g, ' ').trim();
