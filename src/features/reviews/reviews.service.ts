import {
  BadRequestException,
  ConflictException,
  Injectable,
  HttpException,
  HttpStatus,
  InternalServerErrorException,
  NotFoundException,
} from '@nestjs/common';
import {
  currentOf,
  effectiveDecisions,
  reviewerKey,
  reviewerOf,
  type GivenDecisions,
  scoreRubric,
  type Decision,
  DECISIONS,
} from '../../domain';
import { type QuotedTurn, MOST_PROBLEMS, TextJobFailed, TextThreads, LineFull } from '../../examiners/threads';
import { keyNameOf, type Caller } from '../../platform/access';
import type { WriteWith } from '../../platform/database';
import { ScenarioRunsStore, type StoredCriterionResult } from '../runs/scenario-runs.store';
import { ShownMarks } from '../shown-marks/shown-marks';
import { ShownMarksStore, type NotBlind } from '../shown-marks/shown-marks.store';
import { viewOfReview, notBlindSentence } from './review.views';
import {
  ReviewsStore,
  type GivenReview,
  type GradedRun,
  type ReviewedRun,
  type StoredReview,
  type Together,
  type ReviewedCriterion,
} from './reviews.store';
import type { ReviewSheetView } from '../../../contract/review-sheet';
import type { CreateReviewRequest } from '../../../contract/review-decisions';
import type { ReviewList, ReviewView } from '../../../contract/reviews';
import type { StoredTurn } from '../../engine/ledger';
import { transcriptOf } from '../runs/scenario-run.views';

/** The caller that asks for the sheet, by what the service knows. */
interface SheetReader {
  /** Null on a service without keys. */
  readonly keyName: string | null;
  readonly notBlind: NotBlind | null;
}

function sheetOf(
  run: GradedRun,
  turns: readonly StoredTurn[],
  reviews: readonly StoredReview[],
  { keyName, notBlind }: SheetReader,
): ReviewSheetView {
  const mine =
    keyName === null
      ? undefined
      : reviews.findLast((review) => review.role === 'reviewer' && review.key_name === keyName);
  return {
    scenario_run_id: run.id,
    test_run_id: run.test_run_id,
    scenario_name: run.scenario_name,
    trial: run.trial,
    chief_complaint: run.chief_complaint,
    region: run.region,
    decisions: run.rubric_scale === 'binary' ? [DECISIONS[0], DECISIONS[2]] : [...DECISIONS],
    criteria: run.criteria_results.map(({ criterion, max_points, tags, check = null }, index) => ({
      index,
      criterion,
      points: max_points,
      tags: [...tags],
      check,
    })),
    transcript: transcriptOf(turns),
    reviewers: [...new Set(reviews.map(({ reviewer }) => reviewer))],
    disagreements: reviews.at(-1)?.disagreements ?? 0,
    you: {
      key_name: keyName,
      reviewer: mine?.reviewer ?? null,
      blind: notBlind === null,
      not_blind_because: notBlind && notBlindSentence(notBlind, keyName),
    },
  };
}

/** More than people write about one conversation. */
const MOST_REVIEWS = 100;
/** The most that is read for one review takes about a second. */
const QUOTES_WITHIN_MS = 30_000;

/** People's decisions on what the judge has marked. */
@Injectable()
export class ReviewsService {
  constructor(
    private readonly reviews: ReviewsStore,
    private readonly scenarioRuns: ScenarioRunsStore,
    private readonly threads: TextThreads,
    private readonly shownBefore: ShownMarksStore,
    private readonly shown: ShownMarks,
  ) {}

  /** Oldest first. @throws NotFoundException */
  async list(scenarioRunId: string, caller: Caller): Promise<ReviewList> {
    const run = existing(await this.reviews.runOf(scenarioRunId));
    const reviews = await this.reviews.list(run.id);
    const keyName = keyNameOf(caller);
    const isAnothers = ({ key_name }: StoredReview): boolean => keyName === null || key_name !== keyName;
    if (reviews.some(isAnothers)) await this.shown.ofReviews(caller, run);
    return {
      reviews: reviews.map((review) => viewOfReview(review, run)),
      total: reviews.length,
      disagreements: reviews.at(-1)?.disagreements ?? 0,
    };
  }

  /** @throws NotFoundException, ConflictException when there is nothing to review */
  async sheet(scenarioRunId: string, caller: Caller): Promise<ReviewSheetView> {
    const run = gradedOf(existing(await this.reviews.runOf(scenarioRunId)));
    const keyName = keyNameOf(caller);
    const [turns, reviews, notBlind] = await Promise.all([
      this.scenarioRuns.turnsOf([run.id]),
      this.reviews.list(run.id),
      this.shownBefore.notBlind(run.id, keyName, false),
    ]);
    return sheetOf(run, turns.get(run.id) ?? [], reviews, { keyName, notBlind });
  }

  /**
   * @param remember is written with it
   * @throws NotFoundException, BadRequestException naming fields by their paths, ConflictException; HttpException 429 when too much of the caller waits already
   */
  async add(
    scenarioRunId: string,
    request: CreateReviewRequest,
    caller: Caller,
    remember: WriteWith<ReviewView>,
  ): Promise<ReviewView> {
    const run = gradedOf(existing(await this.reviews.runOf(scenarioRunId)));
    const turns = (await this.scenarioRuns.turnsOf([run.id])).get(run.id) ?? [];
    const quoteProblems = await this.quoteProblemsOf(request, turns, caller);
    const criteria = decisionsOf(request, {
      criteria: run.criteria_results,
      rubricScale: run.rubric_scale,
      quoteProblems,
    });
    const alone = scored(
      run,
      criteria.map(({ decision }) => decision),
    );
    const review: GivenReview = {
      reviewer: reviewerNamed(request, caller),
      key_name: keyNameOf(caller),
      role: request.role,
      hasSeenMarks: request.blind === false,
      global_rating: request.global_rating ?? null,
      comment: request.comment,
      criteria,
      passed: alone.passed,
      score_percent: alone.scorePercent,
    };
    const stored = await this.reviews.add(
      run.id,
      review,
      (before) => togetherOf(run, before, review),
      (tx, made) => remember(tx, viewOfReview(made, run)),
    );
    return viewOfReview(existing(stored), run);
  }

  /** Long replies are read in threads. */
  private async quoteProblemsOf(
    request: CreateReviewRequest,
    turns: readonly QuotedTurn[],
    caller: Caller,
  ): Promise<readonly string[]> {
    const evidence = request.criteria.map((criterion) => criterion.evidence);
    const quoted = new Set(evidence.flat().map(({ turn }) => turn));
    const words = turns
      .filter(({ turn }) => quoted.has(turn))
      .map(({ turn, patientMessage, agentMessage }) => ({ turn, patientMessage, agentMessage }));
    try {
      const signal = new AbortController().signal;
      return await this.threads.run('quotes', { evidence, turns: words }, QUOTES_WITHIN_MS, signal, caller);
    } catch (error) {
      if (error instanceof LineFull) throw new HttpException(error.message, HttpStatus.TOO_MANY_REQUESTS);
      if (!(error instanceof TextJobFailed)) throw error;
      throw new InternalServerErrorException(`The review's quotes could not be looked up: ${error.message}`);
    }
  }
}

export function existing<Row>(row: Row | null): Row {
  if (row === null) throw new NotFoundException('Scenario run not found');
  return row;
}

/** @throws ConflictException when there is nothing to review */
export function gradedOf(run: ReviewedRun): GradedRun {
  const { status, criteria_results } = run;
  if ((status === 'passed' || status === 'failed') && criteria_results !== null && criteria_results.length > 0) {
    return { ...run, criteria_results };
  }
  throw new ConflictException(
    status === 'pending' || status === 'running' || status === 'grading'
      ? 'This scenario run is under way: it can be reviewed once the judge has marked it.'
      : 'This scenario run was not graded: there are no marks to review.',
  );
}

/** A person reviews under their own name, and a key under its name unless it gives another. @throws BadRequestException when there is none */
function reviewerNamed({ reviewer }: CreateReviewRequest, caller: Caller): string {
  if (caller.isPerson === true) return caller.name;
  const name = reviewer?.trim() ?? keyNameOf(caller);
  if (name === null)
    throw new BadRequestException('reviewer: is required on a service without keys; say who has reviewed.');
  return name;
}

function decisionsOf(request: CreateReviewRequest, reviewable: Parameters<typeof checkedDecisions>[1]) {
  try {
    return checkedDecisions(request.criteria, reviewable);
  } catch (error) {
    throw error instanceof UnfitReview ? new BadRequestException(error.message) : error;
  }
}

/** @throws ConflictException */
function togetherOf(run: GradedRun, before: readonly StoredReview[], review: GivenReview): Together {
  if (before.length >= MOST_REVIEWS) {
    throw new ConflictException(`This scenario run has ${MOST_REVIEWS} reviews already, as many as may be.`);
  }
  const current = currentOf(before);
  const mine = current.find((one) => reviewerOf(one) === reviewerOf(review));
  if (review.role === 'reviewer' && mine !== undefined && reviewerKey(mine.reviewer) !== reviewerKey(review.reviewer)) {
    throw new ConflictException(
      `reviewer: "${review.key_name}" has reviewed this conversation as "${mine.reviewer}", and a key is one reviewer. Write that name to ` +
        'change its review, or review with a key of your own.',
    );
  }
  if (review.role === 'adjudicator') {
    if (mine !== undefined && review.key_name !== null) {
      throw new ConflictException(
        `role: "${review.key_name}" wrote one of the reviews ("${mine.reviewer}"); an adjudicator is a person, or has a key, that wrote none of them.`,
      );
    }
    const others = current.filter((one) => one !== mine);
    if (others.length < 2) {
      throw new ConflictException(
        'role: an adjudicator settles what two other reviewers see differently, and there are not two reviews by others yet.',
      );
    }
  }
  const given = [...before, review].map(({ reviewer, key_name, role, criteria }): GivenDecisions => ({
    reviewer,
    key_name,
    role,
    decisions: criteria.map(({ decision }) => decision),
  }));
  const { decisions, disagreements } = effectiveDecisions(
    given,
    run.criteria_results.map(({ max_points }) => max_points),
  );
  const { passed, scorePercent } = scored(run, decisions);
  return { effective_passed: passed, effective_score_percent: scorePercent, disagreements };
}

/** By the same arithmetic as the judge's verdict. */
function scored({ criteria_results, pass_threshold }: GradedRun, decisions: readonly Decision[]) {
  return scoreRubric(
    criteria_results.map(({ max_points, tags }, index) => ({
      decision: decisions[index] ?? 'NOT MET',
      maxPoints: max_points,
      tags,
    })),
    pass_threshold,
  );
}

/** What a review is about. */
interface Reviewable {
  readonly criteria: readonly StoredCriterionResult[];
  readonly rubricScale: string | null;
  /** What is wrong with its quotes, by path (`quoteProblems`). */
  readonly quoteProblems: readonly string[];
}

/** A review that does not fit its conversation: by path, what is wrong. */
class UnfitReview extends Error {
  override readonly name = 'UnfitReview';
}

/**
 * The decisions in the rubric's order: one for each criterion that the judge marked (what a check decided stands where the reviewer leaves it out), of its scale, with quotes that stand word for word in the agent's reply of
 * their turn, as the judge's do. Of a review with more than MOST_PROBLEMS the first of them are named.
 * @throws UnfitReview
 */
function checkedDecisions(
  given: CreateReviewRequest['criteria'],
  { criteria, rubricScale, quoteProblems }: Reviewable,
): ReviewedCriterion[] {
  const problems: string[] = [];
  const decided = new Map<number, ReviewedCriterion>();
  for (const [place, { index, decision, rationale, evidence }] of given.entries()) {
    const path = `criteria[${place}]`;
    if (index >= criteria.length) {
      problems.push(
        `${path}.index: there is no criterion ${index}; the ${criteria.length} of this rubric are 0 to ${criteria.length - 1}`,
      );
    } else if (decided.has(index)) {
      problems.push(`${path}.index: criterion ${index} is decided twice`);
    }
    if (rubricScale === 'binary' && decision === DECISIONS[1]) {
      problems.push(`${path}.decision: this rubric is marked MET or NOT MET, without ${DECISIONS[1]}`);
    }
    decided.set(index, { decision, rationale, evidence });
  }
  problems.push(...quoteProblems);
  for (const [index, { check, decision }] of criteria.entries()) {
    if (check !== undefined && !decided.has(index)) decided.set(index, { decision, rationale: '', evidence: [] });
  }
  const missing = criteria.flatMap((_, index) => (decided.has(index) ? [] : [index]));
  if (missing.length > 0) {
    problems.push(
      `criteria: no decision on ${missing.slice(0, 10).join(', ')}${missing.length > 10 ? ', …' : ''}; each criterion needs one`,
    );
  }
  if (problems.length > 0) throw new UnfitReview(problems.slice(0, MOST_PROBLEMS).join('; '));
  return criteria.flatMap((_, index) => decided.get(index) ?? []);
}
