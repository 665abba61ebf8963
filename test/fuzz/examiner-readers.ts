import type { Turn } from '../../src/domain/conversation';
import { USUAL_PATIENT } from '../../src/domain/patient';
import { ANYONE } from '../../src/platform/access/caller';
import { addressedAmong } from '../../src/examiners/judge/addressed-to-examiner';
import { controlQuestions } from '../../src/examiners/judge/control-questions';
import { checkMarks } from '../../src/examiners/judge/checked-marks';
import { numberTranscript } from '../../src/examiners/judge/numbered-transcript';
import { OfflineJudge } from '../../src/examiners/judge/offline.judge';
import { judgeMessage } from '../../src/examiners/judge/prompts';
import { ReplyIndex } from '../../src/examiners/judge/reply-index';
import { requirementOf } from '../../src/examiners/judge/requirement';
import { SeededRandom } from '../../src/examiners/judge/seeded-random';
import type { MarkingRequest } from '../../src/examiners/judge/marking-request';
import { plainText, visibleText } from '../../src/examiners/rules/plain-text';
import { sentenceSpans } from '../../src/examiners/rules/sentence-spans';
import { lintScenario } from '../../src/examiners/lint/lint-scenario';
import { randomMarker } from '../../src/examiners/model/language-model';
import { contentFrom, topicOf } from '../../src/examiners/tester/clinical-patient';
import { criterionOf } from '../../src/examiners/tester/case-writing';
import { sectionsOf } from '../../src/examiners/tester/clinical-sections';
import { OfflineScenarioGenerator, OfflineTester } from '../../src/examiners/tester/offline.tester';
import { faultsOf } from '../../src/examiners/tester/gate/message-gate';
import { factsOf, saysNo } from '../../src/examiners/tester/patient-script';
import { roleCardOf } from '../../src/examiners/tester/role-card';
import { agreeingWithYou, firstPerson, lowered } from '../../src/examiners/tester/patient-speech';
import { generatorMessage, patientMessages, patientSystemPrompt } from '../../src/examiners/tester/prompts';
import { medicinesIn } from '../../src/examiners/rules/named-medicines';
import { namedTimesIn, quantitiesIn } from '../../src/examiners/rules/quantities';
import { sentencesOf } from '../../src/examiners/rules/sentences';
import type { GateRequest } from '../../src/examiners/tester/gate/gate-request';
import { inParts } from '../../src/examiners/tester/language-model.generator';
import { stem, tokensOf } from '../../src/examiners/rules/words';
import { NO_USAGE } from '../../src/examiners/model/model-usage';
import { openTextThreads } from '../setup/text-threads';
import { criterion, scenarioWith, transcriptOf, turnAfter } from '../setup/transcripts';
import type { TextReader } from './growth';

const never = new AbortController().signal;
const threads = openTextThreads();
const tester = new OfflineTester(threads);
const judge = new OfflineJudge(threads);
const generator = new OfflineScenarioGenerator(threads);
const RUBRIC = [
  criterion('Tells the patient to call emergency services now'),
  criterion('Asks whether the pain spreads to the arm or jaw'),
  criterion('Does not recommend waiting until tomorrow'),
  criterion('Advises against driving', -5),
];

function sheetOf(transcript: readonly Turn[], criteria = RUBRIC): MarkingRequest {
  return {
    extent: 'whole',
    questions: criteria.map(({ criterion: text, points }, index) => ({
      number: index + 1,
      criterion: text,
      isFault: points < 0,
      objection: null,
    })),
    sentences: numberTranscript({ transcript, criteria: criteria.map(({ criterion: text }) => text) }).sentences,
    region: 'UK',
    scale: ['MET', 'PARTIALLY MET', 'NOT MET'],
    marker: randomMarker(),
  };
}

function gateRequest(part: Partial<GateRequest>): GateRequest {
  const card = roleCardOf(scenarioWith('You feel sick. If asked about smoking, you smoke.').content);
  const message = 'As I said, for two days I have smoked since Tuesday and taken ibuprofen. You should call 911.';
  const patient = USUAL_PATIENT;
  return {
    message,
    card,
    patient,
    criteria: ['Asks about smoking'],
    greeting: null,
    history: transcriptOf(['And?']),
    ...part,
  };
}

/** A refusal is as good an answer as any: only its time counts. */
const settled = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);

/** A scenario all of whose texts are this one. */
function lintedAs(text: string): unknown {
  const content = {
    script: `${text}. If asked about pain: ${text}`,
    chief_complaint: text,
    demographics: {},
    gold_standard: text,
  };
  const rubricCriteria = [
    { criterion: text, points: 5, tags: ['must_pass', text] },
    { criterion: `Asks ${text}`, points: 5, tags: [] },
    { criterion: `Tells the patient to ${text}`, points: -5, tags: [] },
  ];
  return lintScenario({ severity: 'low', content, rubricCriteria });
}

/** What tester, judge and generator read of agents, clients and models. */
export const EXAMINER_READERS: readonly TextReader[] = [
  ['sentencesOf', sentencesOf],
  ['tokensOf', tokensOf],
  ['stem', stem],
  ['inParts', (text) => inParts(text, 24_000)],
  ['firstPerson', firstPerson],
  ['lowered', lowered],
  ['agreeingWithYou', agreeingWithYou],
  ['saysNo', saysNo],
  ['sectionsOf', sectionsOf],
  ['criterionOf', criterionOf],
  ['topicOf', topicOf],
  ['contentFrom a text', (text) => contentFrom(text, sentencesOf(text), null)],
  ['contentFrom one sentence', (text) => contentFrom('', [text, `he ${text}`, `The man who ${text}`], text)],
  ['factsOf a script', (text) => factsOf(scenarioWith(text).content)],
  ['the gate, of a message', (text) => faultsOf(gateRequest({ message: text }))],
  ['the gate, of a script', (text) => faultsOf(gateRequest({ card: roleCardOf(scenarioWith(text).content) }))],
  [
    'the gate, of what was said',
    (text) => faultsOf(gateRequest({ greeting: text, history: transcriptOf([text, text], text) })),
  ],
  ['the gate, of criteria', (text) => faultsOf(gateRequest({ criteria: [text, text] }))],
  ['quantitiesIn', quantitiesIn],
  ['namedTimesIn', namedTimesIn],
  ['medicinesIn', medicinesIn],
  [
    'the offline tester, of a reply',
    (text) => tester.nextMessage(turnAfter(scenarioWith('You smoke.'), transcriptOf([text])), never),
  ],
  [
    'the offline tester, of its own messages',
    (text) => tester.nextMessage(turnAfter(scenarioWith('You smoke.'), transcriptOf(['And?', 'And?'], text)), never),
  ],
  [
    'the offline tester, of script and reply',
    (text) => tester.nextMessage(turnAfter(scenarioWith(text), transcriptOf([text, text], text)), never),
  ],
  [
    'the offline generator, of all cases',
    (text) => settled(generator.generate({ text, extent: 'all' }, never, ANYONE)),
  ],
  [
    'the offline generator, of a text with rules',
    (text) =>
      settled(
        generator.generate({ text: `Chest pain\n\nAlways ask about pain. ${text}`, extent: 'one' }, never, ANYONE),
      ),
  ],
  [
    'the messages for a model tester',
    (text) => patientMessages(turnAfter(scenarioWith('You smoke.'), transcriptOf([text]), text)),
  ],
  [
    'the role card for a model tester',
    (text) => patientSystemPrompt(roleCardOf(scenarioWith(text).content), USUAL_PATIENT, 'marker'),
  ],
  ['the message for a model generator', generatorMessage],
  ['sentenceSpans', sentenceSpans],
  ['visibleText', visibleText],
  ['plainText', plainText],
  ['addressedAmong', (text) => addressedAmong([text, text.slice(0, 50), text.slice(50, 90)], [text])],
  ['numberTranscript', (text) => numberTranscript({ transcript: transcriptOf([text], text), criteria: [text] })],
  [
    'controlQuestions',
    (text) => controlQuestions(sheetOf(transcriptOf([text])).sentences, new SeededRandom(1), new Set()),
  ],
  ['ReplyIndex', (text) => ReplyIndex.of(sheetOf(transcriptOf([text])).sentences, 'all')],
  ['requirementOf', (text) => requirementOf(criterion(text))],
  ['requirementOf a fault', (text) => requirementOf(criterion(`The agent must ${text}`, -5))],
  ['the offline judge, of a reply', (text) => judge.mark(sheetOf(transcriptOf([text])), never)],
  [
    'the offline judge, of a criterion',
    (text) => judge.mark(sheetOf(transcriptOf(['Call now.']), [criterion(text)]), never),
  ],
  ['the message for a model judge', (text) => judgeMessage(sheetOf(transcriptOf([text])))],
  ['lintScenario', lintedAs],
  [
    'checkMarks',
    (text) => {
      const marks = RUBRIC.map((_, at) => ({
        number: at + 1,
        evidence: [text, text.slice(0, 20)],
        absence: true,
        rationale: text,
        decision: 'MET' as const,
      }));
      const asked = new Map(RUBRIC.map((one, index) => [index + 1, { ...one, index }]));
      const answer = { marks, addressedToExaminer: [text], summary: text, usage: NO_USAGE, answeredBy: text };
      return checkMarks(asked, sheetOf(transcriptOf([text])), answer, false);
    },
  ],
];
