import { ConflictException, Injectable } from '@nestjs/common';
import type { PairOfRuns } from '../../../contract/comparison';
import type { ComparisonsView } from '../../../contract/run-sets';
import { isFinalTestRun } from '../../domain';
import type { TestRunRecord } from '../runs/test-run.row';
import { differenceView } from '../statistics/comparison.service';
import { doubtsAbout, haveSameExaminers, haveSamePatients } from '../statistics/comparison-doubts';
import { matchedView, matchScenarios, type Matched } from '../statistics/matched-scenarios';
import { coverageOf, RunPairsStore, type RunSide } from '../statistics/run-pairs.store';
import type { CriterionKind } from '../statistics/read-rubrics';
import { askThree, familiesOf, type Answered, type Family } from '../statistics/three-questions';
import { concludePair, sentenceOfPairs, sideWords } from './pair-words';
import { RunSets, type SetWithRuns } from './run-sets.service';

/** A run of the set with what it is compared by. */
interface Member {
  readonly run: TestRunRecord;
  readonly title: string;
  readonly side: RunSide;
}

interface Pair {
  readonly before: Member;
  readonly after: Member;
  readonly matched: Matched;
  readonly answered: readonly Answered[];
}

export interface AskedComparisons {
  readonly confidencePercent: number;
  /** Percent of the conversations that need a verdict in either run of a pair. */
  readonly minCoverage: number;
}

/** Compares every run of a set with every other; the questions of all pairs are one family. */
@Injectable()
export class RunSetComparisons {
  constructor(
    private readonly sets: RunSets,
    private readonly store: RunPairsStore,
  ) {}

  /** @throws NotFoundException, ConflictException while a run is live, or when one was deleted meanwhile */
  async compare(id: string, asked: AskedComparisons): Promise<ComparisonsView> {
    const found = await this.sets.withRuns(id);
    const live = found.runs.find(({ run }) => !isFinalTestRun(run.status));
    if (live !== undefined) {
      throw new ConflictException(
        `The run ${live.run.test_run_id} (${live.title}) is ${live.run.status}: compare when all runs of the set have ended.`,
      );
    }
    const members = await this.read(found);
    const confidence = asked.confidencePercent / 100;
    const pairs = await askedPairs(members, await this.rubrics(members), confidence);
    const families = familiesOf(
      pairs.map(({ answered }) => answered),
      confidence,
    );
    // What was read of a run that was deleted meanwhile may be a part of it.
    if ((await this.sets.withRuns(id)).runs.length !== members.length) {
      throw new ConflictException('A run of the set was deleted in this moment: ask again.');
    }
    const views = pairs.flatMap((pair, place): PairOfRuns[] => {
      const family = families[place];
      return family === undefined ? [] : [pairView(pair, family, asked)];
    });
    return {
      id: found.set.id,
      name: found.set.name,
      confidence: asked.confidencePercent,
      sentence: sentenceOfPairs(views.map(({ verdict }) => verdict)),
      pairs: views,
    };
  }

  private async read({ runs }: SetWithRuns): Promise<Member[]> {
    const members: Member[] = [];
    for (const { run, title } of runs) members.push({ run, title, side: await this.store.side(run.id) });
    return members;
  }

  /** All runs of a set have the same copies of their scenarios. */
  private async rubrics([first]: readonly Member[]): Promise<ReadonlyMap<string, readonly CriterionKind[]>> {
    if (first === undefined) return new Map();
    return this.store.rubrics(first.run.id, first.side.tallies.scenarios);
  }
}

async function askedPairs(
  members: readonly Member[],
  rubrics: ReadonlyMap<string, readonly CriterionKind[]>,
  confidence: number,
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  const count = (members.length * (members.length - 1)) / 2;
  for (const [place, before] of members.entries()) {
    for (const after of members.slice(place + 1)) {
      const matched = await matchScenarios(before.side, after.side);
      pairs.push({ before, after, matched, answered: await askThree(matched.compared, rubrics, confidence, count) });
    }
  }
  return pairs;
}

function pairView({ before, after, matched }: Pair, family: Family, asked: AskedComparisons): PairOfRuns {
  const titles = { before: before.title, after: after.title };
  const { verdict, grounds, sentence } = concludePair(
    {
      ...asked,
      coverage: { before: coverageOf(before.side), after: coverageOf(after.side) },
      haveSameExaminers: haveSameExaminers(before.side.tallies.examiners, after.side.tallies.examiners),
      haveSamePatients: haveSamePatients(before.side, after.side),
      compared: matched.compared.length,
      family,
    },
    titles,
  );
  return {
    before: sideView(before),
    after: sideView(after),
    scenarios: matchedView(matched),
    difference: differenceView(family.tests[0]),
    tests: [...family.tests],
    verdict,
    grounds,
    sentence,
    // That the agents differ is what the set is for.
    doubts: doubtsAbout(before, after, matched, sideWords(titles)).filter(({ kind }) => kind !== 'agent_config'),
  };
}

function sideView({ run: { id, test_run_id, agent_name }, title }: Member): PairOfRuns['before'] {
  return { id, test_run_id, agent_name, title };
}
