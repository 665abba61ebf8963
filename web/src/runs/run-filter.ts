import type { Given } from '../../../contract/call';
import { MODALITIES, TEST_RUN_STATUSES } from '../../../src/domain';

/** What the service can be asked for. */
type RunFilter = Omit<
  NonNullable<Given<'GET /api/v1/tests'>['query']>,
  'limit' | 'offset' | 'derived_from' | 'twin_of'
>;

/** Which runs a list shows, as its address says it; a day is one of the reader’s zone. */
export type RunChoice = Pick<RunFilter, 'status' | 'modality'> & Partial<Record<TextChoice, string>>;

const TEXTS = ['q', 'tag', 'agent_id', 'agent_version', 'test_suite_id', 'from', 'to'] as const;
export type TextChoice = (typeof TEXTS)[number];

/** Longer texts and tags are refused by the service. */
export const LONGEST_SEARCH = 200;

/** What the address asks for; what it cannot ask for is left out. */
export function choiceOf(search: URLSearchParams): RunChoice {
  const status = TEST_RUN_STATUSES.find((one) => one === search.get('status'));
  const modality = MODALITIES.find((one) => one === search.get('modality'));
  return {
    ...(status !== undefined && { status }),
    ...(modality !== undefined && { modality }),
    ...Object.fromEntries(
      TEXTS.flatMap((name) => {
        const text = search.get(name)?.slice(0, LONGEST_SEARCH) ?? '';
        const isDay = name === 'from' || name === 'to';
        return text.trim() === '' || (isDay && midnightOf(text) === null) ? [] : [[name, text]];
      }),
    ),
  };
}

/** What the service is asked for. The last day is part of what is shown; a day that is none is left out. */
export function filterOf({ from, to, ...rest }: RunChoice): RunFilter {
  const [first, last] = [midnightOf(from ?? ''), midnightOf(to ?? '', 1)];
  return { ...rest, ...(first !== null && { from: first }), ...(last !== null && { to: last }) };
}

/** The search of the address that shows the same list. */
export function addressOf(choice: RunChoice): Record<string, string> {
  return Object.fromEntries(
    Object.entries(choice).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]])),
  );
}

/** When a day begins in this zone, or the one that comes so many days later. @param day `2026-11-27` */
function midnightOf(day: string, later = 0): string | null {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  if (year === undefined) return null;
  const midnight = new Date(Number(year), Number(month) - 1, Number(date));
  // 30 February is no day.
  if (midnight.getMonth() !== Number(month) - 1 || midnight.getDate() !== Number(date)) return null;
  midnight.setDate(midnight.getDate() + later);
  return midnight.toISOString();
}
