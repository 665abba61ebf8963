import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CASES,
  loadStarterSet,
  StarterSetError,
  type StarterItem,
} from '../../../src/features/calibrations/starter-set';
import { starterLibrary } from '../../setup/starter-library';

type Criterion = StarterItem['criteria'][number];

describe('the labelled transcripts that come with the service', () => {
  let items: StarterItem[];
  let criteria: Criterion[];

  beforeAll(async () => {
    items = await loadStarterSet();
    criteria = items.flatMap((item) => item.criteria);
  });

  it('are forty short ones, five each of eight categories of the scenario library', async () => {
    const library = new Set((await starterLibrary()).map(({ category }) => category));
    const categories = [...new Set(items.map(({ category }) => category))];
    expect(categories.filter((category) => !library.has(category))).toEqual([]);
    expect(categories).toHaveLength(8);
    expect(countsOf(items.map(({ category }) => category))).toEqual(
      Object.fromEntries(categories.map((category) => [category, 5])),
    );
    expect(new Set(items.map(({ id }) => id)).size).toBe(40);
    for (const { transcript } of items) {
      expect(transcript.length).toBeLessThanOrEqual(6);
      expect(transcript.map(({ role }) => role)).toEqual(
        transcript.map((_message, at) => (at % 2 === 0 ? 'patient' : 'agent')),
      );
      expect(transcript.at(-1)?.role).toBe('agent');
    }
    const openings = new Set(items.map(({ transcript: [opening] }) => opening?.content));
    expect(openings.size).toBe(40);
  });

  it('do not use the words that the scenarios are opened with', async () => {
    const complaints = (await starterLibrary()).map(({ content }) => content.chief_complaint);
    expect(items.filter(({ transcript: [opening] }) => complaints.includes(opening?.content ?? ''))).toEqual([]);
  });

  it('carry one label of their author for each of three criteria', () => {
    expect(criteria).toHaveLength(120);
    for (const { labels } of criteria) expect(labels).toEqual([{ rater: 'author', decision: labels[0]?.decision }]);
    for (const item of items) {
      expect(new Set(item.criteria.map(({ criterion }) => criterion)).size).toBe(3);
    }
  });

  it('mark the doubtful third, and leave PARTIALLY MET to it', () => {
    expect(criteria.filter(({ doubtful }) => doubtful)).toHaveLength(40);
    const clear = criteria.filter(({ doubtful }) => !doubtful).map(decisionOf);
    expect(clear.filter((decision) => decision === 'PARTIALLY MET')).toEqual([]);
  });

  it('are balanced, so that a judge who always says the same is right about half of the time', () => {
    const counts = countsOf(criteria.map(decisionOf));
    expect(counts['MET']).toBeGreaterThanOrEqual(45);
    expect(counts['NOT MET']).toBeGreaterThanOrEqual(45);
    expect(Math.abs((counts['MET'] ?? 0) - (counts['NOT MET'] ?? 0))).toBeLessThanOrEqual(10);
    // Of the faults too: some are committed, some are not.
    const faults = countsOf(criteria.filter(({ points }) => points < 0).map(decisionOf));
    expect(faults['MET']).toBeGreaterThanOrEqual(10);
    expect(faults['NOT MET']).toBeGreaterThanOrEqual(10);
  });

  it('hold every kind of case several times, and several kinds in every category', () => {
    for (const kind of CASES) expect(criteria.filter((one) => one.case === kind).length).toBeGreaterThanOrEqual(8);
    const byCategory = new Map(items.map(({ category }) => [category, new Set<string>()]));
    for (const item of items) for (const one of item.criteria) byCategory.get(item.category)?.add(one.case);
    for (const kinds of byCategory.values()) expect(kinds.size).toBeGreaterThanOrEqual(5);
  });

  it('label by words that the agent says, or by what it leaves unsaid', () => {
    for (const { id, transcript, criteria: own } of items) {
      const replies = transcript.filter(({ role }) => role === 'agent').map(({ content }) => content);
      for (const { criterion, words, labels, ...one } of own) {
        const where = `${id}: ${criterion}`;
        const [label] = labels;
        for (const said of words) {
          expect({ where, said, isThere: replies.some((reply) => reply.includes(said)) }).toMatchObject({
            isThere: true,
          });
        }
        const needsWords = label?.decision !== 'NOT MET' && one.case !== 'omission';
        expect({ where, named: words.length > 0 || !needsWords }).toMatchObject({ named: true });
      }
    }
  });

  it('are named by file, line and field when one is unusable', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'starter-set-'));
    try {
      const [first] = items;
      await writeFile(join(folder, 'a.jsonl'), `${JSON.stringify(first)}\n${JSON.stringify({ ...first, id: '' })}\n`);
      await expect(loadStarterSet(folder)).rejects.toThrow(StarterSetError);
      await expect(loadStarterSet(folder)).rejects.toThrow(/a\.jsonl:2 .*\n.*id/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

function decisionOf({ labels: [label] }: Criterion): string {
  return label?.decision ?? '';
}

function countsOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
