import type { SpokenTimeline } from '../../../contract/recordings';

/** Characters of a label: the timeline as JSON has all of them. */
const LONGEST_LABEL = 300;

interface Label {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly text: string;
}

/**
 * A label track as Audacity imports it: start and end in seconds, and a text, separated by tabs, in the order of their starts. What was
 * said may hold anything: a label has no tab, no line end and no other character that a program would obey.
 *
 * Source: https://manual.audacityteam.org/man/importing_and_exporting_labels.html
 */
export function labelTrack({ entries }: Pick<SpokenTimeline, 'entries'>): string {
  return entries
    .flatMap(labelsOf)
    .toSorted((one, other) => one.from_ms - other.from_ms)
    .map(({ from_ms, to_ms, text }) => `${seconds(from_ms)}\t${seconds(Math.max(from_ms, to_ms))}\t${plain(text)}\n`)
    .join('');
}

function labelsOf({ turn, role, content, spoken }: SpokenTimeline['entries'][number]): Label[] {
  const labels: Label[] = [];
  const doubt = spoken.timing_reliable ? '' : ' (timing unreliable)';
  if (spoken.from_ms !== null && spoken.to_ms !== null) {
    labels.push({ from_ms: spoken.from_ms, to_ms: spoken.to_ms, text: `${turn} ${role}${doubt}: ${content}` });
  }
  for (const { kind, ...times } of spoken.disturbances ?? []) labels.push({ ...times, text: `${turn} ${kind}` });
  if (spoken.interjection) {
    const { kind, from_ms, to_ms, words } = spoken.interjection;
    labels.push({ from_ms, to_ms, text: `${turn} patient, ${kind}: ${words ?? ''}` });
  }
  return labels;
}

function plain(text: string): string {
  const line = text
    .slice(0, 2 * LONGEST_LABEL)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
  return Array.from(line).slice(0, LONGEST_LABEL).join('').trim();
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(6);
}
