import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { examineOffline, type OfflineResult } from '../../setup/examine-offline';
import { starterLibrary } from '../../setup/starter-library';
import { openTextThreads } from '../../setup/text-threads';

/** By scenario, what somebody answered who was shown the patient and the gold standard, and neither rubric nor model replies. */
const BLIND = z
  .record(z.string(), z.array(z.string()).length(6))
  .parse(JSON.parse(readFileSync(join(__dirname, 'blind-consultations.json'), 'utf8')));

const threads = openTextThreads();

describe('good consultations, written without a look at the rubrics', () => {
  let results: OfflineResult[];
  beforeAll(async () => {
    results = [];
    for (const scenario of await starterLibrary()) {
      const replies = BLIND[scenario.name] ?? [];
      results.push(await examineOffline(scenario, (heard) => replies[heard.length - 1] ?? '', threads));
    }
  }, 180_000);

  it('are one for each scenario of the library', () => {
    expect(results.map(({ scenario }) => scenario.name).sort()).toEqual(Object.keys(BLIND).sort());
  });

  it('pass nine times in ten, with seven eighths of the points, although the offline judge reads words', () => {
    const scores = results.map(({ verdict }) => verdict.scorePercent);
    const failed = results.filter(({ verdict }) => !verdict.passed).map(({ scenario }) => scenario.name);
    expect(failed.length).toBeLessThanOrEqual(6);
    expect(scores.reduce((sum, score) => sum + score, 0) / scores.length).toBeGreaterThanOrEqual(87.5);
  });

  it('are hardly ever blamed', () => {
    const blamed = results.flatMap(({ scenario, verdict }) =>
      verdict.criteria.filter(({ points }) => points < 0).map(({ criterion }) => `${scenario.name}: ${criterion}`),
    );
    expect(blamed.length).toBeLessThanOrEqual(1);
  });
});
