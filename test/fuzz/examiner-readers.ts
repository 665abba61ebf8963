import type { Exchange } from '../../machines/conversation';
import { DecisionReview } from '../../src/judge/decision-review';
import { EvidenceCheck } from '../../src/judge/evidence-check';
import { OfflineJudge } from '../../src/judge/offline.judge';
import { judgeMessage } from '../../src/judge/prompts';
import { ReplyIndex } from '../../src/judge/reply-index';
import { requirementOf } from '../../src/judge/requirement';
import type { JudgeRequest } from '../../src/judge/judge';
import { contentFrom, topicOf } from '../../src/tester/clinical-patient';
import { criterionOf } from '../../src/tester/clinical-rules';
import { sectionsOf } from '../../src/tester/clinical-sections';
import { OfflineScenarioGenerator } from '../../src/tester/offline.generator';
import { OfflineTester } from '../../src/tester/offline.tester';
import { factsOf, openingOf, saysNo } from '../../src/tester/patient-script';
import { agreeingWithYou, firstPerson, lowered } from '../../src/tester/patient-speech';
import { generatorMessage, patientMessages, patientSystemPrompt } from '../../src/tester/prompts';
import { sentencesOf } from '../../src/language/sentences';
import { inParts } from '../../src/tester/text-parts';
import { stem, tokensOf } from '../../src/language/words';
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

function request(transcript: readonly Exchange[], criteria = RUBRIC): JudgeRequest {
  return {
    scenarioName: 'Chest pain',
    chiefComplaint: 'I have chest pain.',
    transcript,
    criteria: criteria.map((one, index) => ({ ...one, index })),
    objections: new Map(),
  };
}

/** A refusal is as good an answer as any: only its time counts. */
const settled = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);

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
  ['openingOf a complaint', (text) => openingOf(scenarioWith('', { chief_complaint: text }).content, [])],
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
  ['the offline generator, of all cases', (text) => settled(generator.generate({ text, extent: 'all' }, never))],
  [
    'the offline generator, of a text with rules',
    (text) =>
      settled(generator.generate({ text: `Chest pain\n\nAlways ask about pain. ${text}`, extent: 'one' }, never)),
  ],
  [
    'the messages for a model tester',
    (text) => patientMessages(turnAfter(scenarioWith('You smoke.'), transcriptOf([text]), text)),
  ],
  ['the role card for a model tester', (text) => patientSystemPrompt(scenarioWith(text), 'marker')],
  ['the message for a model generator', generatorMessage],
  ['ReplyIndex', (text) => ReplyIndex.of(transcriptOf([text]))],
  ['requirementOf', (text) => requirementOf(criterion(text))],
  ['requirementOf a fault', (text) => requirementOf(criterion(`The agent must ${text}`, -5))],
  ['the offline judge, of a reply', (text) => judge.grade(request(transcriptOf([text])), never)],
  [
    'the offline judge, of a criterion',
    (text) => judge.grade(request(transcriptOf(['Call now.']), [criterion(text)]), never),
  ],
  ['the message for a model judge', (text) => judgeMessage(request(transcriptOf([text])))],
  ...quotes(),
  [
    'DecisionReview',
    (text) => {
      const review = new DecisionReview(request([]).criteria, transcriptOf([text]));
      const evidence = [{ turn: 1, quote: `${text.slice(0, 9_000)} call` }];
      review.take(RUBRIC.map((_, index) => ({ index, decision: 'MET', rationale: text, evidence })));
      return review.settle();
    },
  ],
];

/** Quotes made of the message itself are the worst to look for: they nearly stand everywhere in it. */
function quotes(): TextReader[] {
  const quoting =
    (quoteFrom: (text: string) => string) =>
    (text: string): unknown =>
      new EvidenceCheck(transcriptOf([text])).verified([{ turn: 1, quote: quoteFrom(text) }]);
  return [
    ['EvidenceCheck, of a part', quoting((text) => text.slice(0, 15_000))],
    ['EvidenceCheck, of a quarter', quoting((text) => text.slice(0, text.length / 4))],
    ['EvidenceCheck, of a part with another end', quoting((text) => `${text.slice(0, 9_000)}chest`)],
    ['EvidenceCheck, of a part with another beginning', quoting((text) => `chest${text.slice(0, 9_000)}`)],
    ['EvidenceCheck, of a word', quoting(() => 'a')],
  ];
}
