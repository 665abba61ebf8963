import { MUST_PASS_TAG, type Check, type RubricCriterion, type ScenarioContent } from '../../domain';
import { requirementOf, termsIn, type Requirement } from '../judge/requirement';
import { sentencesOf } from '../rules/sentences';
import { termsOf } from '../rules/words';
import { factsOf, type Fact } from '../tester/patient-script';
import type { FindingSeverity } from '../../../contract/scenario-lint';

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

/** A criterion that a rule decides: its words say what the rule looks for, and earn nothing by themselves. */
export interface CheckedForLint extends Pick<ReadCriterion, 'path' | 'text' | 'points'> {
  readonly check: Check;
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
  /** Those that the judge decides. */
  readonly criteria: readonly ReadCriterion[];
  /** Those that rules decide. */
  readonly checked: readonly CheckedForLint[];
  /** Positive points that are earned by asking. */
  readonly questions: readonly ReadCriterion[];
  /** Positive points that are earned by saying something. */
  readonly advice: readonly ReadCriterion[];
  /** Negative points. */
  readonly faults: readonly ReadCriterion[];
  /** What the patient begins with. */
  readonly opening: readonly Volunteered[];
  /** What the patient says further without having been asked. */
  readonly volunteered: readonly Volunteered[];
  /** What the patient says only when asked. */
  readonly heldBack: readonly Fact[];
  /** What an ideal clinician does, sentence by sentence; empty when the scenario does not say. */
  readonly goldStandard: readonly string[];
}

export function readScenario({ severity, content, rubricCriteria }: LintedScenario): ReadScenario {
  const criteria = rubricCriteria.flatMap(({ criterion, points, tags, check }, index): ReadCriterion[] => {
    if (criterion.trim() === '' || check !== undefined) return [];
    const requirement = requirementOf({ criterion, points });
    return [
      {
        path: pathOf(index),
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
    checked: rubricCriteria.flatMap(({ criterion, points, check }, index) =>
      check === undefined
        ? []
        : [{ path: pathOf(index), text: criterion.trim().slice(0, MOST_CHARACTERS), points, check }],
    ),
    questions: wanted.filter(({ requirement }) => requirement.asks),
    advice: wanted.filter(({ requirement }) => !requirement.asks),
    faults: criteria.filter(({ points }) => points < 0),
    opening: openingOf(content),
    volunteered: facts.filter(({ onlyWhenAsked }) => !onlyWhenAsked),
    heldBack: facts.filter(({ onlyWhenAsked }) => onlyWhenAsked),
    goldStandard: goldStandardOf(content),
  };
}

function pathOf(index: number): string {
  return `rubric_criteria[${index}].criterion`;
}

/** Only the beginning of an opening or a criterion is read, however long it is. */
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

/** What is linted of a scenario; it need not be stored, nor complete: an empty field is not read. */
export interface LintedScenario {
  /** `low`, `medium`, `high` or `critical`; other words are taken for none of them. */
  readonly severity: string;
  readonly content: ScenarioContent;
  readonly rubricCriteria: readonly RubricCriterion[];
}

/** A longer text is no standard but a chapter. */
const MOST_GOLD_CHARACTERS = 20_000;
const MOST_ITEMS = 100;

/** `content.gold_standard`, which is free: a text, or a list of texts; anything else says nothing here. */
function goldStandardOf({ gold_standard: given }: ScenarioContent): readonly string[] {
  const texts = Array.isArray(given) ? given.slice(0, MOST_ITEMS) : [given];
  const text = texts.filter((one) => typeof one === 'string').join('\n');
  return sentencesOf(text.slice(0, MOST_GOLD_CHARACTERS)).slice(0, MOST_ITEMS);
}

/** "and offers …", but not "rest and ice": where a new verb begins, so does a new item. */
const ITEM_BREAK = /[,;]\s+(?:and\s+|then\s+|but\s+)?|\s+and\s+(?=(?:[a-z]{2,20}s|not|no|never)\s)/i;
/** "Possible sepsis: an ambulance now" */
const INTRODUCTION = /^[^:]{1,500}:\s+(?=\S)/;
const REASON = /^(?:although|because|since|even|so that|as|whatever|whoever)\b/i;

/**
 * The single things that a sentence of a gold standard names. What stands before a colon, in brackets or after "because" explains
 * them.
 */
export function itemsOf(sentence: string): string[] {
  return sentence
    .replace(INTRODUCTION, '')
    .replaceAll(/\([^)]{0,500}\)/g, ' ')
    .split(ITEM_BREAK)
    .map((item) => item.trim())
    .filter((item) => item !== '' && !REASON.test(item))
    .slice(0, MOST_ITEMS);
}

/** One way in which a scenario can mislead. Pure, and linear in what it reads. */
export interface Rule {
  /** As findings name it, in the documentation too. */
  readonly name: string;
  readonly severity: FindingSeverity;
  readonly check: (scenario: ReadScenario) => Iterable<Found>;
}

/** Something that makes a scenario a poorer instrument. */
export interface Finding {
  /** See `RULES`. */
  readonly rule: string;
  readonly severity: FindingSeverity;
  /** Where it stands in the scenario's JSON: `rubric_criteria[3].criterion`, `content.script`. */
  readonly path: string;
  /** What is wrong with it and what to write instead. */
  readonly sentence: string;
}

/** What a rule found; its name and severity are the rule's. */
type Found = Pick<Finding, 'path' | 'sentence'>;
