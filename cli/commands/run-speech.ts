import type { Command } from 'commander';
import type { SpeechMeasures } from '../connection/answers';
import { findRun } from '../named-resources';
import { oneLine } from '../output/harmless-text';
import { tableOf } from '../output/table';
import type { Screen } from '../output/terminal';
import type { Host, Session } from '../session';

const EXAMPLES = `
Nothing of it passes or fails a scenario. Figures from fewer than ten events are counts; what is not known is said, and is no 0. docs/spoken.md
defines each.

Examples:
  $ osce runs speech latest
  $ osce runs speech latest --json | jq .response_latency`;

/** `osce runs speech`: what the voice of a run is worth. */
export function addRunSpeechCommand(runs: Command, host: Host): void {
  runs
    .command('speech <run>')
    .description('Show how a spoken run went by ear: latencies, interruptions, the words and doses that arrived.')
    .addHelpText('after', EXAMPLES)
    .action((run: string, _: object, command: Command) => host.run(command, (session) => showSpeech(session, run)));
}

async function showSpeech({ api, output }: Session, given: string): Promise<void> {
  const { id } = await findRun(api, given);
  const measures = await api.runSpeech(id);
  output.answer(measures, (screen) => {
    const { turns, conversations, line, noise, voice, ear, timing_error_ms: error } = measures;
    screen.line(
      `${conversations.spoken} of ${conversations.total} conversations were spoken, in ${turns.spoken} turns; ${turns.unreliable} of them were disturbed on our side and are in no figure.`,
    );
    const heardBy = ear ? `heard by ${ear.engine} ${ear.model}` : 'marked by the agent’s own account';
    screen.line(
      oneLine(`Line ${line}${noise ? `, noise ${noise}` : ''}; voice ${voice.engine} ${voice.voice}; ${heardBy}.`),
    );
    screen.line(
      error === null || error === undefined
        ? 'The error of the times is not known.'
        : `Times are right within ${error} ms (95 %).`,
    );
    screen.line();
    screen.line(measureTable(screen, measures));
    for (const sentence of measures.not_measurable) screen.line(oneLine(`- ${sentence}`));
  });
}

interface Row {
  readonly what: string;
  readonly figure: string;
  readonly interval: string;
  readonly of: string;
}

type Rate = SpeechMeasures['premature_starts'];
type Spread = SpeechMeasures['response_latency'];
type Estimate = Rate['rate'];

function measureTable(screen: Screen, measures: SpeechMeasures): string {
  const { heard_words: heard, entities, own_against_heard: own, time_to_escalation: escalation } = measures;
  const rows: Row[] = [
    ...spreadRows('Response latency', measures.response_latency),
    ...spreadRows('Time to first word', measures.time_to_first_word),
    rateRow('Premature starts', measures.premature_starts),
    countRow('Unanswered turns', measures.unanswered),
    {
      what: 'Pause tolerated',
      figure: secondsOf(measures.pause_tolerance.tolerated_ms ?? null),
      interval: '',
      of: '',
    },
    ...spreadRows('Yield to an interruption', measures.yield),
    rateRow('Yielded within 2 s', measures.yielded_in_time),
    rateRow('False yields to "mm-hm"', measures.false_yields),
    ratioRow('Talk-over by the agent', measures.talk_over.by_agent),
    {
      what: 'Dead air',
      figure: secondsOf(measures.dead_air.total_ms),
      interval: '',
      of: `${measures.dead_air.silences} silences`,
    },
    ratioRow('Talk share of the agent', measures.talk_share.agent),
    countRow('Words a minute, agent', rounded(measures.words_a_minute.agent)),
    ratioRow('Word errors, heard by the agent', heard.error_rate, `${heard.words} words`),
    ...(entities
      ? [
          rateRow('Entity errors', entities.errors),
          rateRow('Entity errors not recovered', entities.unrecovered),
          rateRow('Entities read back', entities.read_back),
        ]
      : []),
    ...(own
      ? [
          ratioRow('Word errors, text against sound', own.words.error_rate, `${own.words.words} words`),
          rateRow('Sentences not heard', own.sentences_not_heard),
        ]
      : []),
    ...spreadRows('Time to escalation', escalation),
  ];
  return tableOf<Row>(
    screen,
    [
      { title: 'Measure', cell: ({ what }) => what, flexible: true },
      { title: 'Figure', cell: ({ figure }) => figure, align: 'right' },
      { title: `${measures.confidence} %`, cell: ({ interval }) => interval, align: 'right' },
      { title: 'Of', cell: ({ of }) => of, align: 'right' },
    ],
    rows,
  );
}

const UNKNOWN = '–';

function spreadRows(what: string, { events, p50_ms, p95_ms, max_ms }: Spread): Row[] {
  const of = String(events);
  if (!p50_ms || !p95_ms) return [{ what: `${what}, longest`, figure: secondsOf(max_ms ?? null), interval: '', of }];
  return [
    { what: `${what}, p50`, figure: secondsOf(p50_ms.value), interval: intervalOf(p50_ms, secondsOf), of },
    { what: `${what}, p95`, figure: secondsOf(p95_ms.value), interval: intervalOf(p95_ms, secondsOf), of },
  ];
}

function rateRow(what: string, { events, hits, rate }: Rate): Row {
  return {
    what,
    figure: rate ? percentOf(rate.value) : events === 0 ? UNKNOWN : String(hits),
    interval: intervalOf(rate, percentOf),
    of: String(events),
  };
}

function ratioRow(what: string, estimate: Estimate, of = ''): Row {
  return { what, figure: percentOf(estimate?.value ?? null), interval: intervalOf(estimate, percentOf), of };
}

function countRow(what: string, value: number | null): Row {
  return { what, figure: value === null ? UNKNOWN : String(value), interval: '', of: '' };
}

function intervalOf(estimate: Estimate, written: (value: number | null) => string): string {
  if (!estimate) return '';
  return `${written(estimate.low ?? null)} to ${written(estimate.high ?? null)}`;
}

function secondsOf(ms: number | null): string {
  return ms === null ? UNKNOWN : `${(ms / 1_000).toFixed(2)} s`;
}

function percentOf(share: number | null): string {
  return share === null ? UNKNOWN : `${(share * 100).toFixed(1)} %`;
}

function rounded(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : Math.round(value);
}
