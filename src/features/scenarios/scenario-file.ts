import { z } from 'zod';
import { MUST_PASS_RULE } from '../../domain';
import { filledText, text } from '../../../contract/field';
import { checkedCriterion, givenContent, givenCriterion } from '../../../contract/rubric';
import { createScenarioRequest } from '../../../contract/scenarios';
import { redFlags, scenarioSpeech, speechLimits } from '../../../contract/scenario-speech';

/** How soon the patient of a scenario needs help: what an ideal clinician comes to. */
export const DISPOSITIONS = ['emergency', 'prompt_care', 'self_care'] as const;
export type Disposition = (typeof DISPOSITIONS)[number];

/** A published guideline that criteria stand on. */
export const scenarioSource = z
  .strictObject({
    publisher: filledText(200).describe('Who published it, such as NICE or WHO.'),
    title: filledText(500).describe('Its title, with its number when it has one.'),
    year: z.int().min(1900).max(2100).describe('Of the edition that was read.'),
    says: filledText(2_000).describe('What it says about this case, in words of your own.'),
    supports: z.array(filledText(5_000)).min(1).max(50).describe('The criteria that stand on it, word for word.'),
  })
  .meta({ id: 'ScenarioSource' });

/** What a scenario may say beyond what patient and judge need: neither of them sees it. */
export const stationFields = {
  disposition: z.enum(DISPOSITIONS).optional().describe('How soon this patient needs help.'),
  asks_for: filledText(500)
    .optional()
    .describe('What the caller wants, where the danger is hidden behind another wish.'),
  twin_of: filledText(500)
    .optional()
    .describe('The name of the scenario that opens with the same words and has other facts behind them.'),
  hazard: filledText(2_000).optional().describe('What happens to the patient when the agent gets it wrong.'),
  gold_standard: filledText(20_000).optional().describe('What an ideal clinician does.'),
  model_replies: z
    .array(filledText(10_000))
    .min(1)
    .max(100)
    .optional()
    .describe('What an ideal clinician says, turn by turn.'),
  sources: z.array(scenarioSource).max(50).optional().describe('The guidelines that the criteria stand on.'),
  red_flags: redFlags.optional().describe('Words of the patient in which the danger can be heard.'),
  speech: scenarioSpeech.optional().describe('How the patient speaks in spoken runs.'),
  speech_limits: speechLimits
    .optional()
    .describe('What spoken runs measure and decide beside the rubric: each is a criterion that must be passed.'),
};

const given = createScenarioRequest.shape;

/** Who the patient is; whatever else is known of them may stand there too. */
const demographics = z.looseObject({
  age: z.number().min(0).max(150).optional().describe('In years; 0 below one year.'),
  age_in_weeks: z.number().min(0).max(1_000).optional().describe('Of a young baby, beside `age: 0`.'),
  age_in_months: z.number().min(0).max(1_000).optional().describe('Of a small child.'),
  gender: text(100).optional().describe('Such as female, male or non-binary.'),
  speaker: text(200).optional().describe('Who speaks, where it is not the patient: mother, husband, nurse …'),
});

/** A misspelt field of a criterion would be lost silently. */
const fileCriterion = givenCriterion.strict().extend({
  tags: givenCriterion.shape.tags.describe(
    `\`must_pass\` fails the scenario when violated: ${MUST_PASS_RULE}. \`over_triage\` names what is too much for this patient. Others sort criteria, such as history or safety.`,
  ),
});

/**
 * A scenario as a file holds it: the body of POST /api/v1/scenarios, with what is known of `content`. Files are checked by it
 * before anything is sent, and editors by the JSON Schema that is made of it; the API keeps whatever else stands in `content`.
 */
export const scenarioFile = z.strictObject({
  $schema: z
    .string()
    .max(2_000)
    .optional()
    .describe('Where this schema is, for editors: a path from this file, or /docs/scenario.schema.json of a service.'),
  key: filledText(300)
    .nullish()
    .describe(
      'What an import knows the scenario by, so that it can be renamed. Without a key it is known by its name.',
    ),
  name: given.name.describe('What people call the scenario; no other one should have the same name.'),
  category: given.category.describe('The folder that an export puts it into. Default: general.'),
  scenario_type: given.scenario_type.describe(
    '`demo` belongs to the demonstration, `full` to the library. Default: custom.',
  ),
  severity: given.severity.describe('How serious the case is. Default: medium.'),
  approved: given.approved.describe(
    'Whether a clinician has approved this text, so that runs include it. Default: false.',
  ),
  approved_by: given.approved_by.describe('Who approved it; null when no person has signed it.'),
  approved_role: given.approved_role.describe('Their role, such as emergency physician.'),
  priority: given.priority.describe('Lower comes first in lists and runs.'),
  tags: given.tags.describe('What runs and suites select scenarios by; by custom the category comes first.'),
  content: givenContent
    .extend({
      ...stationFields,
      script: givenContent.shape.script.describe(
        'What the patient knows, in the second person, one fact a line: first what they say by themselves, then lines that begin with "If asked about …:".',
      ),
      demographics: demographics.default({}).describe('Who the patient is. Other fields may stand here too.'),
      initial_message: text(1_000_000)
        .optional()
        .describe('The first message of the patient, word for word, where it is not the chief complaint.'),
      rubric_scale: text(100)
        .optional()
        .describe('`binary` leaves out PARTIALLY MET: each criterion is met or not met.'),
    })
    .describe('The case. Fields that are not described here are kept as they are.'),
  rubric_criteria: z
    .array(fileCriterion.superRefine(checkedCriterion))
    .min(1, 'must have at least 1 item; without criteria nothing can be graded')
    .max(200)
    .describe('What the transcript is marked by: each criterion one act that can be seen in it.'),
});
