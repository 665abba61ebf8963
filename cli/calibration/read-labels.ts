import { UsageFailure } from '../failure';
import { checked, isWrong } from '../import/checked';
import { valuesIn } from '../import/values-in';
import { isObject } from '../read-input';
import { isMetaEvaluation, readMetaEvaluation } from './meta-evaluation';
import { labelledItem, type LabelledItem } from '../../contract/labelled-items';

export interface LabelProblem {
  /** Such as `labels.jsonl:12`. */
  readonly where: string;
  readonly problem: string;
}

export interface ReadLabels {
  readonly items: readonly LabelledItem[];
  readonly problems: readonly LabelProblem[];
}

/** The service takes fewer; more than this need not be kept in memory to say so. */
const MOST_ITEMS = 20_000;

/**
 * Reads and checks every line before anything is sent: transcripts with labels as POST /api/v1/calibrations takes them, one a line, or
 * lines of HealthBench's meta-evaluation, where those about one answer become one transcript.
 * @throws UsageFailure when the file cannot be read
 */
export async function readLabels(path: string): Promise<ReadLabels> {
  const items = new Map<string, { item: Record<string, unknown>; criteria: object[]; where: string }>();
  const problems: LabelProblem[] = [];
  for await (const { value, where } of valuesIn(path)) {
    const wrong = take(value, where);
    if (wrong !== null) problems.push({ where, problem: wrong });
    if (items.size > MOST_ITEMS) throw new UsageFailure(`More than ${MOST_ITEMS} transcripts: give fewer.`);
  }
  const read: LabelledItem[] = [];
  for (const { item, criteria, where } of items.values()) {
    const found = checked(labelledItem, { ...item, criteria });
    if (isWrong(found)) problems.push({ where, problem: found.wrong });
    else read.push(found.data);
  }
  return { items: read, problems };

  /** Null when the line is right, as far as it can be told by itself. */
  function take(value: unknown, where: string): string | null {
    if (value instanceof UsageFailure) return value.message;
    if (!isObject(value)) return 'must be a JSON object';
    if (isMetaEvaluation(value)) return takeMetaEvaluation(value, where);
    const found = checked(labelledItem, value);
    if (isWrong(found)) return found.wrong;
    const { criteria, ...item } = found.data;
    const earlier = items.get(item.id);
    if (earlier !== undefined) return `has the same id as ${earlier.where} (${item.id})`;
    items.set(item.id, { item, criteria: [...criteria], where });
    return null;
  }

  function takeMetaEvaluation(value: Record<string, unknown>, where: string): string | null {
    const found = readMetaEvaluation(value);
    if ('wrong' in found) return found.wrong;
    const { id, transcript, criterion } = found;
    const earlier = items.get(id);
    if (earlier === undefined) {
      items.set(id, { item: { id, transcript, rubric_scale: 'binary' }, criteria: [criterion], where });
    } else earlier.criteria.push(criterion);
    return null;
  }
}
