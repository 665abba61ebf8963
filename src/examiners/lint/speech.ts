import {
  redFlagsIn,
  speechOfScenario,
  type SpeechLimit,
  type SpeechOfScenario,
} from '../../../contract/scenario-speech';
import type { ScenarioContent } from '../../domain';
import { wordsOf } from '../rules/words';
import { quoted, type ReadScenario, type Rule } from './read-scenario';

/** A scenario that says about speech what cannot be read ends each of its spoken conversations in an error; a misspelt field would be lost. */
export const speechUnreadable: Rule = {
  name: 'speech_unreadable',
  severity: 'error',
  *check({ content }) {
    const read = speechOfScenario(content);
    if (typeof read !== 'string') return;
    yield {
      path: read.startsWith('content.speech_limits') ? 'content.speech_limits' : 'content.speech',
      sentence: read,
    };
  },
};

/**
 * A limit for which nothing is ever measured ends each spoken conversation in an error.
 *
 * `false_yields: 0` in a scenario whose patient never says "uh-huh": add `speech.backchannels: [2, 4]`.
 */
export const limitNeverMeasured: Rule = {
  name: 'limit_never_measured',
  severity: 'error',
  *check(scenario) {
    const read = speechOfScenario(scenario.content);
    if (typeof read === 'string') return;
    for (const [limit, sentence] of neverMeasured(read, scenario)) {
      yield { path: `content.speech_limits.${limit}`, sentence };
    }
  },
};

function* neverMeasured(
  { speech, limits }: SpeechOfScenario,
  { content, criteria }: ReadScenario,
): Generator<readonly [SpeechLimit, string]> {
  if (limits.false_yields !== undefined && speech.backchannels === undefined) {
    yield [
      'false_yields',
      'The patient never says “uh-huh” while the agent speaks: name turns in speech.backchannels.',
    ];
  }
  if (limits.yield_ms !== undefined && speech.interruptions === undefined) {
    yield ['yield_ms', 'The patient never interrupts: name turns in speech.interruptions.'];
  }
  if (limits.escalation_s !== undefined) {
    const isEscalation = criteria.some(
      ({ isMustPass, tags, points }) => isMustPass && points > 0 && tags.includes('escalation'),
    );
    if (!isEscalation) {
      yield [
        'escalation_s',
        'No criterion with points has the tags must_pass and escalation: tag the one that escalates.',
      ];
    }
    const flags = redFlagsIn(content.red_flags);
    const unsaid = flags.find((flag) => !saysIn(content, flag));
    if (flags.length === 0)
      yield ['escalation_s', 'No red flag is named: put the patient’s words for it into red_flags.'];
    else if (unsaid !== undefined) {
      yield [
        'escalation_s',
        `The patient never says ${quoted(unsaid)}: red_flags are words of the script or the complaint.`,
      ];
    }
  }
  for (const words of limits.read_back ?? []) {
    if (saysIn(content, words)) continue;
    yield ['read_back', `The patient never says ${quoted(words)}: name words of the script or the complaint.`];
  }
}

/** Many agents do not tell what they heard of the patient: with those the limit ends in an error. */
export const limitNeedsHeardWords: Rule = {
  name: 'limit_needs_heard_words',
  severity: 'warning',
  *check({ content }) {
    const read = speechOfScenario(content);
    if (typeof read === 'string' || read.limits.unrecovered_entity_errors === undefined) return;
    yield {
      path: 'content.speech_limits.unrecovered_entity_errors',
      sentence:
        'Agents that do not tell what they heard, such as telephone bots, end in an error here: read_back asks the same of what they say.',
    };
  },
};

/** Words without a letter or a digit are in no reply: their keys are never pressed. */
export const keypadNeverPressed: Rule = {
  name: 'keypad_never_pressed',
  severity: 'warning',
  *check({ content }) {
    const read = speechOfScenario(content);
    if (typeof read === 'string') return;
    for (const [at, { when, press }] of (read.speech.keypad ?? []).entries()) {
      if (wordsOf(when).length > 0) continue;
      yield {
        path: `content.speech.keypad[${at}].when`,
        sentence: `${quoted(when)} holds no word, so ${quoted(press)} is never pressed: name words that the agent says before.`,
      };
    }
  },
};

/** Only the beginning of a long script is read. */
const MOST_READ = 20_000;

function saysIn({ script, chief_complaint, initial_message }: ScenarioContent, phrase: string): boolean {
  const said = [initial_message, chief_complaint, script].filter((text) => typeof text === 'string');
  const words = wordsOf(said.map((text) => text.slice(0, MOST_READ)).join(' . ')).join(' ');
  return ` ${words} `.includes(` ${wordsOf(phrase).join(' ')} `);
}
