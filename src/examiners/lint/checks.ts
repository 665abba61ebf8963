import type { Check } from '../../domain';
import { patternProblem, schemaProblem } from '../../domain/checks';
import { markByChecks } from '../checks/mark-checks';
import { isOmission } from '../judge/checked-marks';
import { FIXED_TEXTS } from './too-easy-passes';
import { quoted, type CheckedForLint, type Rule } from './read-scenario';

/** A criterion with a check of what is said. */
interface SaidCheck extends CheckedForLint {
  readonly check: Extract<Check, { kind: 'contains' | 'regex' }>;
}

/** Those whose rule is finished: a draft is linted while it is written. */
function saidChecks(checked: readonly CheckedForLint[]): SaidCheck[] {
  return checked.flatMap((one): SaidCheck[] => {
    const { check } = one;
    if (check.kind === 'regex')
      return patternProblem(check.pattern, check.flags) === null && check.pattern !== '' ? [{ ...one, check }] : [];
    return check.kind === 'contains' && check.texts.length > 0 ? [{ ...one, check }] : [];
  });
}

/** Whether a reply of these words meets the check, whichever reply it is about. */
function meets({ check, points }: SaidCheck, reply: string): boolean {
  const anywhere = { ...check, turn: undefined };
  const turns = [{ turn: 1, reply, latencyMs: null, tokens: null, costUsd: null, calls: null, areCallsCut: false }];
  const [mark] = markByChecks({ criteria: [{ index: 0, points, check: anywhere }], turns });
  return mark !== undefined && 'decision' in mark && mark.decision === 'MET';
}

/**
 * A check is met when its words are found. A criterion that says they are left out would be paid for saying them.
 *
 * "Does not name ibuprofen", 5 points, found by "ibuprofen": write "Names ibuprofen" with −5 points.
 */
export const checkSaysTheOpposite: Rule = {
  name: 'check_says_the_opposite',
  severity: 'error',
  *check({ checked }) {
    const ofActs = checked.filter(({ check }) => check.kind === 'tool_call');
    for (const one of [...saidChecks(checked), ...ofActs]) {
      if (one.points <= 0 || !isOmission({ criterion: one.text, points: one.points })) continue;
      yield {
        path: one.path,
        sentence:
          'The criterion is about what is left out, and its rule is met by what is found: name the act itself, and give it negative points.',
      };
    }
  },
};

/** A reply of nothing at all, and texts that fit everybody, are met by a rule that looks for next to nothing. */
export const checkMatchesAnything: Rule = {
  name: 'check_matches_anything',
  severity: 'error',
  *check({ checked }) {
    for (const one of saidChecks(checked)) {
      const isMet = meets(one, '') || FIXED_TEXTS.every(({ text }) => meets(one, text));
      if (!isMet) continue;
      yield {
        path: one.path,
        sentence: 'Its rule finds something in any reply: look for words that only this act has.',
      };
    }
  },
};

const QUOTED = /[“"]([^“”"]{2,200})[”"]/g;
const LONG_NUMBER = /\d{3,20}/g;
const MOST_WORDS = 20;

/**
 * What a criterion quotes, and the numbers it names, is what its rule should find.
 *
 * "Names 999" with a rule that looks for "911".
 */
export const checkMissesItsCriterion: Rule = {
  name: 'check_misses_its_criterion',
  severity: 'warning',
  *check({ checked }) {
    for (const one of saidChecks(checked)) {
      const named = [
        ...[...one.text.matchAll(QUOTED)].map(([, words = '']) => words),
        ...[...one.text.matchAll(LONG_NUMBER)].map(([number]) => number),
      ].slice(0, MOST_WORDS);
      if (named.length === 0 || meets(one, one.text) || named.some((words) => meets(one, words))) continue;
      yield {
        path: one.path,
        sentence: `The criterion names ${named.slice(0, 3).map(quoted).join(', ')}, and its rule does not find that.`,
      };
    }
  },
};

const SHORT_WORD = /^[\p{L}\p{N}]{1,3}$/u;

/** "no" stands in "now" and "know", "999" in "19990". */
export const checkFindsInsideWords: Rule = {
  name: 'check_finds_inside_words',
  severity: 'warning',
  *check({ checked }) {
    for (const { check, path } of saidChecks(checked)) {
      if (check.kind !== 'contains' || check.whole_words === true) continue;
      const short = check.texts.find((text) => SHORT_WORD.test(text.trim()));
      if (short === undefined) continue;
      yield { path, sentence: `${quoted(short)} is found inside longer words too: set whole_words.` };
    }
  },
};

/** A rule that cannot be read ends every scenario run in an error; such a scenario is from another version. */
export const checkUnreadable: Rule = {
  name: 'check_unreadable',
  severity: 'error',
  *check({ checked }) {
    for (const { check, path } of checked) {
      const problem =
        check.kind === 'regex' && check.pattern !== ''
          ? patternProblem(check.pattern, check.flags)
          : schemaProblemOf(check);
      if (problem !== null)
        yield { path, sentence: `Its ${check.kind === 'regex' ? 'pattern' : 'schema'} ${problem}.` };
    }
  },
};

function schemaProblemOf(check: Check): string | null {
  if (check.kind === 'json_schema') return schemaProblem(check.schema);
  const schema = check.kind === 'tool_call' ? check.arguments?.json_schema : undefined;
  return schema === undefined ? null : schemaProblem(schema);
}
