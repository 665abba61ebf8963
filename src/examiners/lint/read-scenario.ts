import { MUST_PASS_TAG } from '../../domain/rubric';
import { requirementOf, termsIn, type Requirement } from '../judge/requirement';
import { sentencesOf } from '../rules/sentences';
import { termsOf } from '../rules/words';
import { factsOf, type Fact } from '../tester/patient-script';
import { goldStandardOf } from './gold-standard';
import type { LintedScenario } from './linted-scenario';

/** A criterion as the rules read it. */
export interface ReadCriterion {
  /** `rubric_criteria[3].criterion` */
  readonly path: string;
  readonly text: string;
  readonly points: number;
  readonly tags: readonly string[];
  readonly isMustPass: boolean;
  /** What it asks of the agent's words, as the offline judge reads it. */
  readonly requirement: Requirement;
  /** Its content words as terms. */
  readonly terms: ReadonlySet<string>;
}

/** Something that the patient says unasked. */
export interface Volunteered {
  readonly speech: string;
  readonly terms: ReadonlySet<string>;
}

/** A scenario, taken apart once for all rules. */
export interface ReadScenario {
  readonly severity: string;
  /** Script, complaint and opening, for rules that look for words. */
  readonly content: LintedScenario['content'];
  readonly criteria: readonly ReadCriterion[];
  /** Positive points that are earned by asking. */
  readonly questions: readonly ReadCriterion[];
  /** Positive points that are earned by saying something. */
  readonly advice: readonly ReadCriterion[];
  /** Negative points. */
  readonly faults: readonly ReadCriterion[];
  /** What the patient begins with. */
  readonly opening: readonly Volunteered[];
  /** What it says further without having been asked. */
  readonly volunteered: readonly Volunteered[];
  /** What it says only when asked. */
  readonly heldBack: readonly Fact[];
  /** What an ideal clinician does, sentence by sentence; empty when the scenario does not say. */
  readonly goldStandard: readonly string[];
}

export function readScenario({ severity, content, rubricCriteria }: LintedScenario): ReadScenario {
  const criteria = rubricCriteria.flatMap(({ criterion, points, tags }, index): ReadCriterion[] => {
    if (criterion.trim() === '') return [];
    const requirement = requirementOf({ criterion, points });
    return [
      {
        path: `rubric_criteria[${index}].criterion`,
        text: criterion.trim().slice(0, MOST_CHARACTERS),
        points,
        tags,
        isMustPass: tags.includes(MUST_PASS_TAG),
        requirement,
        terms: termsIn(requirement),
      },
    ];
  });
  const wanted = criteria.filter(({ points }) => points > 0);
  const facts = factsOf(content);
  return {
    severity,
    content,
    criteria,
    questions: wanted.filter(({ requirement }) => requirement.asks),
    advice: wanted.filter(({ requirement }) => !requirement.asks),
    faults: criteria.filter(({ points }) => points < 0),
    opening: openingOf(content),
    volunteered: facts.filter(({ onlyWhenAsked }) => !onlyWhenAsked),
    heldBack: facts.filter(({ onlyWhenAsked }) => onlyWhenAsked),
    goldStandard: goldStandardOf(content),
  };
}

/** Of an opening or a criterion without end only the beginning is read. */
const MOST_CHARACTERS = 10_000;

function openingOf({ initial_message: initial, chief_complaint: complaint }: LintedScenario['content']): Volunteered[] {
  const said = typeof initial === 'string' && initial.trim() !== '' ? initial : complaint;
  return sentencesOf(said.slice(0, MOST_CHARACTERS)).map((speech) => ({ speech, terms: new Set(termsOf(speech)) }));
}

/** The beginning of a text, to be quoted in a finding. */
export function quoted(text: string): string {
  const most = 80;
  return `"${text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text}"`;
}
