import type { JudgeAnswer, JudgeRequest } from '../judge/judge';
import { mark } from '../judge/marking';
import { review, type Review, type ReviewRequest } from '../judge/review';
import { casesIn } from '../tester/case-writing';
import { nextSpeech, type SpeechRequest } from '../tester/script-reply';
import type { GeneratedScenario, GenerationRequest } from '../tester/tester';

interface Jobs {
  /** The offline judge. */
  readonly mark: { readonly request: JudgeRequest; readonly result: JudgeAnswer };
  /** Looks for the quotes of any judge in the transcript. */
  readonly review: { readonly request: ReviewRequest; readonly result: Review };
  /** The offline tester. */
  readonly play: { readonly request: SpeechRequest; readonly result: string };
  /** The offline generator of scenarios. */
  readonly write: { readonly request: GenerationRequest; readonly result: readonly GeneratedScenario[] };
}

export type TextJobName = keyof Jobs;
export type RequestOf<Name extends TextJobName> = Jobs[Name]['request'];
export type ResultOf<Name extends TextJobName> = Jobs[Name]['result'];

/** What takes time in proportion to texts from outside. Pure, so that it may be done in any thread. */
const TEXT_JOBS: { readonly [Name in TextJobName]: (request: RequestOf<Name>) => ResultOf<Name> } = {
  mark,
  review,
  play: nextSpeech,
  write: casesIn,
};

/** Does a job where it is called. */
export function doTextJob<Name extends TextJobName>(name: Name, request: RequestOf<Name>): ResultOf<Name> {
  return TEXT_JOBS[name](request);
}
