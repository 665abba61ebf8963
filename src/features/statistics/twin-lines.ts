import { ConflictException, Injectable } from '@nestjs/common';
import { isFinalTestRun, twinsInOrder } from '../../domain';
import { othersTurn } from '../../platform/concurrency';
import { firstOfTwins, type TestRunRecord } from '../runs/test-run.row';
import { markedScenarios } from './compared-criteria';
import type { Matched } from './matched-scenarios';
import { RunPairsStore } from './run-pairs.store';
import { askThree, type Answered } from './three-questions';
import { markedInPairs, TwinCriteria, type FoundTwinGroup } from './twin-criteria';
import { TwinPairsStore, type FamilyMember, type PairedOutcome, type PairedScenario } from './twin-pairs.store';

type TwoRuns = Readonly<Record<'before' | 'after', TestRunRecord>>;

/** Two twins, and the lines of their family that are adjusted together with the two. */
export interface Twins {
  readonly first: string;
  readonly scenarios: readonly PairedScenario[];
  readonly outcomes: readonly PairedOutcome[];
  /** The run that all lines are compared with: of the two that are compared the one that is held more easily. */
  readonly against: FamilyMember;
  /** From the best one to the worst; the other of the two among them. */
  readonly lines: readonly FamilyMember[];
  /** The lines without that one. */
  readonly others: readonly FamilyMember[];
}

/** What a line is adjusted with: its three questions, and its kinds of criteria. */
export interface AskedLine {
  readonly answered: readonly Answered[];
  readonly criteria: readonly FoundTwinGroup[];
}

/** Lines of a family that are asked beside the two that are compared. What is beyond them weighs as if it had shown nothing. */
const MOST_ASKED = 24;

/** Scenarios whose marks are looked at in some milliseconds. */
const SCENARIOS_A_TURN = 100;

/** Reads what two twins are compared by: their pairs of conversations, and the other lines of their family. */
@Injectable()
export class TwinLines {
  constructor(
    private readonly pairs: TwinPairsStore,
    private readonly store: RunPairsStore,
  ) {}

  /** @throws ConflictException when one of the two was deleted in this moment */
  async read({ before, after }: TwoRuns): Promise<Twins> {
    const first = firstOfTwins(before);
    const family = twinsInOrder(await this.pairs.family(first));
    const [against, line] = family.filter(({ id }) => id === before.id || id === after.id);
    if (against === undefined || line === undefined) throw new ConflictException(DELETED);
    const lines = family.slice(family.indexOf(against) + 1).filter((one) => one === line || isFinalTestRun(one.status));
    return {
      first,
      scenarios: await this.pairs.scenarios(before.id, after.id),
      outcomes: await this.pairs.outcomes(before.id, after.id),
      against,
      lines,
      others: lines.filter((one) => one !== line),
    };
  }

  /** Asks the other lines what the two are asked. @param two what they answered @param confidence 0..1, both excluded */
  async askOthers({ first, against, others }: Twins, two: AskedLine, confidence: number): Promise<AskedLine[]> {
    const asked: AskedLine[] = [];
    for (const { id } of others.slice(0, MOST_ASKED))
      asked.push(await this.ask(against.id, id, others.length, confidence));
    if (others.length === 0) return asked;
    const there = new Set((await this.pairs.family(first)).map(({ id }) => id));
    if (others.some(({ id }) => !there.has(id))) throw new ConflictException(DELETED);
    return [...asked, ...others.slice(MOST_ASKED).map(() => showingNothing(two))];
  }

  private async ask(before: string, after: string, lines: number, confidence: number): Promise<AskedLine> {
    const scenarios = await this.pairs.scenarios(before, after);
    const rubrics = await this.store.rubrics(
      before,
      scenarios.map(({ scenario_id, before: { position } }) => ({ scenario_id, position })),
    );
    const marks = markedScenarios(
      scenarios,
      rubrics,
      await this.store.decisions(before),
      await this.store.decisions(after),
    );
    const criteria = new TwinCriteria(scenarios);
    let seen = 0;
    for (const scenario of markedInPairs(marks)) {
      criteria.add(scenario);
      seen += 1;
      if (seen % SCENARIOS_A_TURN === 0) await othersTurn();
    }
    return {
      answered: await askThree(scenarios, rubrics, confidence, lines),
      criteria: await criteria.found(confidence),
    };
  }
}

const DELETED = 'A twin of these runs was deleted in this moment: ask again.';

/** A line that was not asked: with p-values of 1 it makes those of the others no smaller than they may be. */
function showingNothing({ answered, criteria }: AskedLine): AskedLine {
  return {
    answered: answered.map((one) => ({ ...one, p_value: one.p_value === null ? null : 1 })),
    criteria: criteria.map((one) => ({ ...one, p_value: 1 })),
  };
}

/** The scenarios of two twins over their pairs alone: a conversation whose pair has no verdict counts in no figure. */
export function inPairs(matched: Matched, { scenarios }: Pick<Twins, 'scenarios'>): Matched {
  const paired = new Map(scenarios.map(({ scenario_id, before, after }) => [scenario_id, { before, after }]));
  const compared = matched.compared.flatMap((one) => {
    const outcomes = paired.get(one.scenario_id);
    return outcomes === undefined ? [] : [{ ...one, ...outcomes }];
  });
  return { ...matched, compared, ungraded: matched.ungraded + matched.compared.length - compared.length };
}
