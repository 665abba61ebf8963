import { z } from 'zod';
import { USUAL_PATIENT } from '../../domain';

/** What was decided in a graded conversation; equal ones are one object, as a run has up to 20,000. */
export interface DecidedConversation {
  /** Trial and patient, by which it is found in another run. */
  readonly name: string;
  /** The decisions in the order of the rubric, a letter each. */
  readonly letters: string;
}

/** A must-pass criterion that a conversation violated. */
type Violation = z.infer<typeof storedViolation>;

/** A conversation in which must-pass criteria were violated. */
export interface ViolatedConversation {
  readonly scenario_id: string;
  readonly position: number;
  readonly violations: readonly Violation[];
}

/**
 * Conversations of a run as PostgreSQL sends them: column by column, each a list. A row for each would take the driver, and the collector
 * after it, longer than all that is made of them.
 */
export interface ConversationColumns {
  /** The last position of the run; null when it has no conversations. */
  readonly last: number | null;
  readonly positions: readonly number[];
  /** Of their scenarios. */
  readonly ids: readonly string[];
  readonly passed: readonly boolean[];
  /** Tenths of a percent; null where a conversation has no verdict, or no score. */
  readonly tenths: readonly (number | null)[];
  /** Letters, trial and patient, who is left out where it is the usual one; null where there is no verdict. */
  readonly decided: readonly (string | null)[];
  /** The must-pass criteria that were violated, as JSON; null where nothing is counted. */
  readonly violated: readonly (string | null)[];
}

const storedPatient = z.object({ style: z.string(), language: z.string() });
const storedViolation = z.object({ criterion: z.string(), kind: z.enum(['missed', 'committed']) });
const storedViolations = z.array(storedViolation);

/**
 * What conversations say with the same words, read once: two runs have up to 40,000, and far fewer ways to be decided. A scenario has one
 * text for its id, by which it is found faster than by one that only reads the same.
 */
export class KnownTexts {
  private readonly ids = new Map<string, string>();
  private readonly decided = new Map<string, DecidedConversation>();
  private readonly violated = new Map<string, readonly Violation[]>();
  private readonly patients = new Map<string, string>();

  id(text: string): string {
    const known = this.ids.get(text);
    if (known !== undefined) return known;
    this.ids.set(text, text);
    return text;
  }

  /** @param text letters, trial and patient */
  conversation(text: string): DecidedConversation {
    const known = this.decided.get(text) ?? this.read(text);
    this.decided.set(text, known);
    return known;
  }

  /** @param text as JSON */
  violations(text: string): readonly Violation[] {
    const known = this.violated.get(text) ?? storedViolations.parse(JSON.parse(text));
    this.violated.set(text, known);
    return known;
  }

  private read(text: string): DecidedConversation {
    const [first, second] = [text.indexOf(' '), text.indexOf(' ', text.indexOf(' ') + 1)];
    const patient = text.slice(second + 1);
    const behaves = this.patients.get(patient) ?? nameOf(patient);
    this.patients.set(patient, behaves);
    return { letters: text.slice(0, first), name: `${text.slice(first + 1, second)} ${behaves}` };
  }
}

/** As it is stored. */
export const USUAL = JSON.stringify(USUAL_PATIENT);

function nameOf(patient: string): string {
  const { style, language } = patient === '' ? USUAL_PATIENT : storedPatient.parse(JSON.parse(patient));
  return `${style} ${language}`;
}

/** A scenario of a run while its conversations are counted. */
export class CountedScenario {
  total = 0;
  graded = 0;
  passed = 0;
  violations = 0;
  private conversations: DecidedConversation[] = NONE;
  private scored = 0;
  private tenths = 0;

  constructor(
    readonly scenario_id: string,
    /** Of the first of its conversations. */
    public position: number,
  ) {}

  /** Percent, averaged over its graded conversations; null when none of them has one. Whole tenths add up to the same in any order. */
  get score(): number | null {
    return this.scored === 0 ? null : this.tenths / (10 * this.scored);
  }

  get decided(): readonly DecidedConversation[] {
    return this.conversations;
  }

  countScore(tenths: number): void {
    this.scored += 1;
    this.tenths += tenths;
  }

  countDecided(conversation: DecidedConversation): void {
    this.graded += 1;
    // With room for one: that is all of it in most of the largest runs.
    if (this.conversations === NONE) this.conversations = [conversation];
    else this.conversations.push(conversation);
  }
}

const NONE: DecidedConversation[] = [];

/** What was decided in the graded conversations of scenarios, by their id. */
export type Decisions = ReadonlyMap<string, Pick<CountedScenario, 'position' | 'decided'>>;

/** Counts the conversations of a run, piece by piece. */
export class CountedRun {
  /** By id. */
  readonly scenarios = new Map<string, CountedScenario>();
  readonly violated: ViolatedConversation[] = [];

  constructor(private readonly texts: KnownTexts) {}

  add({ positions, ids, passed, tenths, decided, violated }: ConversationColumns): void {
    for (const [row, position] of positions.entries()) {
      const scenario = this.scenario(ids[row] ?? '', position);
      scenario.total += 1;
      const [conversation, score, found] = [decided[row] ?? null, tenths[row] ?? null, violated[row] ?? null];
      if (passed[row] === true) scenario.passed += 1;
      if (conversation !== null) scenario.countDecided(this.texts.conversation(conversation));
      if (score !== null) scenario.countScore(score);
      if (found === null || found === '[]') continue;
      const violations = this.texts.violations(found);
      scenario.violations += violations.length;
      this.violated.push({ scenario_id: scenario.scenario_id, position, violations });
    }
  }

  /** In the run's order. */
  inOrder(): CountedScenario[] {
    return [...this.scenarios.values()].sort((one, other) => one.position - other.position);
  }

  private scenario(id: string, position: number): CountedScenario {
    const known = this.scenarios.get(id);
    if (known === undefined) {
      const first = new CountedScenario(this.texts.id(id), position);
      this.scenarios.set(first.scenario_id, first);
      return first;
    }
    known.position = Math.min(known.position, position);
    return known;
  }
}

/** Must-pass criteria that conversations violated and no conversation of their scenario did before, by position. */
export function newlyViolated(
  before: readonly ViolatedConversation[],
  after: readonly ViolatedConversation[],
): ViolatedConversation[] {
  const known = new Map<string, Set<string>>();
  for (const { scenario_id, violations } of before) {
    const criteria = known.get(scenario_id) ?? new Set();
    known.set(scenario_id, criteria);
    for (const { criterion } of violations) criteria.add(criterion);
  }
  return after
    .map((one) => ({
      ...one,
      violations: one.violations.filter(({ criterion }) => known.get(one.scenario_id)?.has(criterion) !== true),
    }))
    .filter(({ violations }) => violations.length > 0)
    .sort((one, other) => one.position - other.position);
}
