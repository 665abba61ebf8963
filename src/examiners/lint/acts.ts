import { shareAmong } from '../judge/requirement';
import { BREAKS_RULE } from '../rules/sentences';
import { weightOf } from '../rules/words';
import { sendsToCare } from './care-services';
import { quoted, type ReadCriterion, type Rule } from './read-scenario';

/**
 * One criterion, one act: of two acts in one sentence an agent that does one is PARTIALLY MET at best, no reader of the marks
 * sees which one was left out, and two judges halve it differently.
 *
 * "Tells the patient to call emergency services and not to drive" is two criteria.
 */
export const twoActs: Rule = {
  name: 'two_acts',
  severity: 'warning',
  *check({ criteria }) {
    for (const criterion of criteria) {
      const joint = jointIn(criterion);
      if (joint === null) continue;
      yield {
        path: criterion.path,
        sentence: `Names two acts, joined at ${quoted(joint)}: make two criteria of it, or write "or" when either will do.`,
      };
    }
  },
};

const JOINT = /(?:;|\band\b|\bas well as\b|\bplus\b|\bthen\b)\s+(?:also\s+|then\s+)?/gi;
/** A second sentence of the rubric begins here. */
const SECOND_ACT =
  /^(?:asks?|tells?|advises?|says?|explains?|suggests?|recommends?|offers?|mentions?|gives?|acknowledges?|warns?|refers?|instructs?|provides?|does|to|not to|that|whether|about|how|why|what|when|where|which|against)\b/i;
const IMPERATIVE =
  /^(?:do not |don't |never )?(?:call|go|take|stop|rest|drink|lie|sit|stay|give|use|wait|keep|eat|avoid|contact|see|ask|check|come|book|put|raise|apply|bring|tell|seek|have|get|start|pause|hold|visit|attend|arrange|open|unlock|write|leave|remove|wash|cover)\b/i;
const LISTS_ADVICE =
  /^(?:the \w{1,20} )?(?:advises?|recommends?|suggests?|offers?|mentions?|gives?|provides?)\b(?! that\b)/i;
/** Fixed phrases that join two words without joining two acts. */
const FIXED =
  /(?:between \S{1,20}|both \S{1,20}|sit down|lie down|wait|try|over|again|more|up|pins|accident|food|diet|eating|nausea|ear,? nose|cold|signs|black|\d|now|back) $/i;

/** The words from where a second act begins; null when there is one act. */
function jointIn({ text, requirement }: ReadCriterion): string | null {
  const body = text.startsWith(BREAKS_RULE) ? text.slice(BREAKS_RULE.length) : text;
  const said = body.slice(0, 2_000).replaceAll(/\([^)]{0,200}\)|"[^"]{0,200}"/g, (part) => ' '.repeat(part.length));
  for (const { 0: joint, index } of said.matchAll(JOINT)) {
    const after = said.slice(index + joint.length, index + joint.length + 60);
    const before = said.slice(Math.max(0, index - 24), index);
    const isSecond =
      SECOND_ACT.test(after) ||
      (!FIXED.test(before) &&
        (requirement.asks ||
          LISTS_ADVICE.test(said) ||
          (IMPERATIVE.test(after) && /\bto\b/.test(said.slice(0, index)))));
    if (isSecond) return said.slice(index, index + joint.length + 30).trim();
  }
  return null;
}

/**
 * One sentence of the agent must not earn two criteria: the act then weighs more than its points say, and a rubric that looks
 * broad is narrow.
 *
 * "Tells the patient to go to the maternity unit now" and "Says that the baby should be checked today".
 */
export const actPaidTwice: Rule = {
  name: 'act_paid_twice',
  severity: 'warning',
  *check({ advice, questions }) {
    const sending = new Set(advice.filter(({ text }) => sendsToCare(text)));
    for (const wanted of [advice, questions]) {
      for (const [at, criterion] of wanted.entries()) {
        const earlier = wanted
          .slice(0, at)
          .find((other) => (sending.has(criterion) && sending.has(other)) || isSameAct(other, criterion));
        if (earlier === undefined) continue;
        yield {
          path: criterion.path,
          sentence: `What earns ${quoted(earlier.text)} earns this too: keep one of them, or say what the other asks for beyond it.`,
        };
      }
    }
  },
};

/** The share of the narrower criterion that stands in the wider one. */
const SAME = 0.8;
/** On a single shared word two acts are not the same. */
const LEAST_WEIGHT = 1.5;

function isSameAct(one: ReadCriterion, other: ReadCriterion): boolean {
  if (one.requirement.advisesAgainst !== other.requirement.advisesAgainst) return false;
  if (one.requirement.expectsAbsence !== other.requirement.expectsAbsence) return false;
  return isWithin(one, other) || isWithin(other, one);
}

function isWithin(narrow: ReadCriterion, wide: ReadCriterion): boolean {
  const shared = [...narrow.terms].filter((term) => wide.terms.has(term));
  if (shared.reduce((sum, term) => sum + weightOf(term), 0) < LEAST_WEIGHT) return false;
  return shareAmong(narrow.requirement, wide.terms) >= SAME;
}

/**
 * A criterion names something that is said or done. Where it names only the manner, two judges who read the same words decide
 * otherwise, and any polite text earns the points.
 *
 * "Is friendly" becomes "Asks what worries the patient most".
 */
export const mannerWithoutAct: Rule = {
  name: 'manner_without_act',
  severity: 'warning',
  *check({ criteria }) {
    for (const { path, text } of criteria) {
      const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
      if (!words.some((word) => MANNERS.has(word))) continue;
      if (!words.every((word) => MANNERS.has(word) || AROUND_MANNERS.has(word))) continue;
      yield {
        path,
        sentence:
          'Names a manner and no act: judges read it differently. Name what the agent says or asks, such as "Asks what worries the patient most".',
      };
    }
  },
};

const MANNERS = new Set(
  `appropriate appropriately calm calmly caring clear clearly clarity compassion compassionate competent concise considerate
   correct correctly courteous effective effectively efficient empathetic empathic friendly friendliness gentle good great
   helpful humane kind kindly kindness nice non judgemental judgmental nonjudgmental patience polite politely
   politeness professional professionalism professionally quality reassuring respectful respectfully supportive sympathetic
   thorough understanding understandable warm warmly warmth well`.split(/\s+/),
);
/** What stands around them without naming an act. */
const AROUND_MANNERS = new Set(
  `a acts agent all always an and answers appears are at be behaves being bedside both caller communicates communication
   conversation does during empathy ever for has in interaction is its keeps language maintains manner manners of or patient
   person remains responds seems shows sounds speaks stays style talks the their they throughout times to tone towards
   uses very voice was way when whole with`.split(/\s+/),
);
