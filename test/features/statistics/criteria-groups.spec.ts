import { MOST_GROUPS } from '../../../contract/comparison';
import { CriteriaGroups } from '../../../src/features/statistics/criteria-groups';

/** Marks of one conversation on each side: `worth` of every criterion. */
const marks = (worth: readonly number[]) => new Map([['one', worth]]);

async function groupsOf(scenarios: readonly (readonly string[])[], confidence = 0.95) {
  const groups = new CriteriaGroups();
  for (const tags of scenarios) {
    groups.add({
      scenario_id: 'one',
      scenario_name: 'One',
      rubric: tags.map((tag) => ({ criterion: `about ${tag}`, points: 1, tags: [tag] })),
      before: marks(tags.map(() => 1)),
      after: marks(tags.map(() => 0)),
    });
  }
  return groups.compared(confidence);
}

describe('kinds of criteria', () => {
  it('are the twelve that most scenarios have, in the order of their names', async () => {
    const tags = Array.from({ length: 34 }, (_, place) => `kind ${String(place).padStart(2, '0')}`);
    // The last four are in two scenarios, the others in one.
    const found = await groupsOf([tags, tags.slice(30)]);
    const names = found.map(({ group }) => group);
    expect(names).toEqual([...names].sort());
    for (const tag of tags.slice(30)) expect(names).toContain(tag);
    expect(names).toHaveLength(MOST_GROUPS);
    // Of those in as many scenarios, the first by name.
    expect(names[0]).toBe('kind 00');
  });

  it('are asked about only where scenarios enough have them to show a change', async () => {
    const six = await groupsOf(Array.from({ length: 6 }, () => ['history']));
    const five = await groupsOf(Array.from({ length: 5 }, () => ['history']));
    expect(six[0]?.adjusted_p_value).toBeCloseTo(2 / 2 ** 6, 12);
    expect(five[0]?.adjusted_p_value).toBeNull();
    // 2 of 2 ** 5 is a level that five scenarios reach, and do not fall below.
    expect(
      (
        await groupsOf(
          Array.from({ length: 5 }, () => ['history']),
          1 - 2 / 2 ** 5,
        )
      )[0]?.adjusted_p_value,
    ).toBeNull();
  });

  it('draw fewer patterns of signs, the more scenarios there are: many kinds cost no more than one question', async () => {
    // All of 2,000 changed one way, which no drawn pattern does: 1 in 5,001, where a question of its own would draw 20,000.
    const [group] = await groupsOf(Array.from({ length: 2_000 }, () => ['history']));
    expect(group?.p_value).toBe(1 / 5_001);
  });
});
