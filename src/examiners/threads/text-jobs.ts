import { costOfChecks, markByChecks, type CheckMark, type ChecksRequest } from '../checks/mark-checks';
import { markByWords } from '../judge/marking';
import { numberTranscript, type NumberedTranscript, type NumberingRequest } from '../judge/numbered-transcript';
import type { MarkingRequest, MarkingAnswer } from '../judge/marking-request';
import { quoteProblems, type QuotesRequest } from './review-quotes';
import type { Finding, LintedScenario } from '../lint/read-scenario';
import { lintScenario } from '../lint/lint-scenario';
import { casesIn } from '../tester/case-writing';
import type { GateFault, GateRequest } from '../tester/gate/gate-request';
import { faultsOf } from '../tester/gate/message-gate';
import { nextSpeech, type SpeechRequest } from '../tester/script-reply';
import type { GeneratedScenario, GenerationRequest } from '../tester/tester';

interface Jobs {
  /** Decides criteria by their checks, without a judge. */
  readonly check: { readonly request: ChecksRequest; readonly result: readonly CheckMark[] };
  /** Checks a patient's message before it is sent, whichever tester wrote it. */
  readonly gate: { readonly request: GateRequest; readonly result: readonly GateFault[] };
  /** The offline judge. */
  readonly mark: { readonly request: MarkingRequest; readonly result: MarkingAnswer };
  /** Splits a conversation into sentences with ids, for any judge. */
  readonly number: { readonly request: NumberingRequest; readonly result: NumberedTranscript };
  /** What makes a scenario a poorer instrument. */
  readonly lint: { readonly request: LintedScenario; readonly result: readonly Finding[] };
  /** The offline tester. */
  readonly play: { readonly request: SpeechRequest; readonly result: string };
  /** Looks up what a review quotes. */
  readonly quotes: { readonly request: QuotesRequest; readonly result: readonly string[] };
  /** The offline generator of scenarios. */
  readonly write: { readonly request: GenerationRequest; readonly result: readonly GeneratedScenario[] };
}

export type TextJobName = keyof Jobs;
export type RequestOf<Name extends TextJobName> = Jobs[Name]['request'];
export type ResultOf<Name extends TextJobName> = Jobs[Name]['result'];

/** Work that takes time in proportion to texts from outside. Pure, so that any thread may do it. */
const TEXT_JOBS: { readonly [Name in TextJobName]: (request: RequestOf<Name>) => ResultOf<Name> } = {
  check: markByChecks,
  gate: faultsOf,
  lint: lintScenario,
  mark: markByWords,
  number: numberTranscript,
  play: nextSpeech,
  quotes: quoteProblems,
  write: casesIn,
};

/** Each question is looked for in each sentence: characters of the sentences times questions; likewise each check. 0 for any other job. */
export function costOfMarking(request: RequestOf<TextJobName>): number {
  if ('turns' in request && 'criteria' in request) return costOfChecks(request);
  if (!('sentences' in request && 'questions' in request)) return 0;
  return request.sentences.reduce((sum, { text }) => sum + text.length, 0) * request.questions.length;
}

/** Does a job where it is called. */
export function doTextJob<Name extends TextJobName>(name: Name, request: RequestOf<Name>): ResultOf<Name> {
  return TEXT_JOBS[name](request);
}
