import { DEFAULT_TURNS, type Exchange } from '../../domain/conversation';
import { DECISIONS, DEFAULT_PASS_THRESHOLD, scoreRubric } from '../../domain/rubric';
import { markByWords } from '../judge/marking';
import { numberTranscript } from '../judge/numbered-transcript';
import type { NumberedSentence } from '../judge/marking-request';
import { sentencesOf } from '../rules/sentences';
import { FIXED_TEXTS } from './fixed-texts';
import type { Rule } from './rule';

/**
 * A rubric that a fixed text passes does not examine whether the agent looked at this patient. Three texts are marked by the
 * offline judge, each said whole in one reply (again in the next it would say nothing new), and spread over the turns.
 *
 * A rubric of "Tells the patient to call emergency services now" and "Asks about allergies" for 15 of 20 points.
 */
export const fixedTextPasses: Rule = {
  name: 'fixed_text_passes',
  severity: 'error',
  *check({ criteria, content }) {
    if (!criteria.some(({ points }) => points > 0)) return;
    const questions = criteria.map(({ text, points }, at) => ({
      number: at + 1,
      criterion: text,
      isFault: points < 0,
      objection: null,
    }));
    const scale = content['rubric_scale'] === 'binary' ? (['MET', 'NOT MET'] as const) : DECISIONS;
    for (const { name, how, sentences } of monologues()) {
      const { marks } = markByWords({ extent: 'whole', questions, sentences, scale, region: null });
      const results = criteria.map(({ points, tags }, at) => ({
        decision: marks[at]?.decision ?? ('NOT MET' as const),
        maxPoints: points,
        tags,
      }));
      const { passed, scorePercent } = scoreRubric(results, DEFAULT_PASS_THRESHOLD);
      if (!passed) continue;
      yield {
        path: 'rubric_criteria',
        sentence: `A fixed text (${name}, ${how}) passes with ${scorePercent} %: let more of the points depend on what only this patient says.`,
      };
      return;
    }
  },
};

interface Monologue {
  readonly name: string;
  readonly how: string;
  readonly sentences: readonly NumberedSentence[];
}

let remembered: readonly Monologue[] | null = null;

/** The texts as conversations, numbered as a judge reads them. */
function monologues(): readonly Monologue[] {
  remembered ??= FIXED_TEXTS.flatMap(({ name, text }) => {
    const said = sentencesOf(text);
    const aTurn = said.length / DEFAULT_TURNS;
    const spread = Array.from({ length: DEFAULT_TURNS }, (_, turn) =>
      said.slice(Math.floor(turn * aTurn), Math.floor((turn + 1) * aTurn)).join(' '),
    );
    return [
      { name, how: 'said whole', sentences: numbered([text]) },
      { name, how: 'spread over the turns', sentences: numbered(spread) },
    ];
  });
  return remembered;
}

function numbered(replies: readonly string[]): readonly NumberedSentence[] {
  const transcript = replies.map((agentMessage, at): Exchange => {
    return { turn: at + 1, patientMessage: '', patientAt: '', agentMessage, agentAt: '', latencyMs: 0 };
  });
  return numberTranscript({ transcript, criteria: [] }).sentences;
}
