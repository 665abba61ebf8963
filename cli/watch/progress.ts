import { MultiBar, Presets, SingleBar } from 'cli-progress';
import type { RunEventFields } from '../../src/domain';
import { shortened } from '../output/harmless-text';
import type { Screen } from '../output/terminal';
import { endsScenario, type ScenarioEnd, type Tally } from './tally';

/** The progress that a person waiting for a run sees. */
export interface Progress {
  show(event: RunEventFields): void;
  /** Shows a message, such as that the connection was lost. */
  say(sentence: string): void;
  /** Restores the screen. Idempotent. */
  stop(): void;
}

/** A live bar on a terminal; elsewhere a line for each scenario that ends (twenty in all for a large run), and one a minute when none ends. */
export function startProgress(screen: Screen, tally: Tally): Progress {
  return screen.isTerminal ? progressBar(screen, tally) : progressLines(screen, tally);
}

/** A run of several that are shown together. */
export interface TitledTally {
  readonly title: string;
  readonly tally: Tally;
}

/** The progress of several runs, in their order: a bar for each on a terminal; elsewhere the lines of all, each with the title of its run. */
export function startProgressOfSet(screen: Screen, runs: readonly TitledTally[]): readonly Progress[] {
  if (screen.isTerminal) return progressBars(screen, runs);
  return runs.map(({ title, tally }) => progressLines(screen, tally, `${shortened(title, LONGEST_TITLE)}: `));
}

const LONGEST_TITLE = 40;

const BAR = 24;
/** The most columns taken besides bar and name: spaces, counts and words. */
const BESIDE = 46;

function progressBar(screen: Screen, tally: Tally): Progress {
  const { colors } = screen;
  const bar = new SingleBar(
    { ...optionsOf(screen), format: '{bar} {ended}/{scenarios}  {passed} passed{others}  {name}', forceRedraw: true },
    Presets.shades_classic,
  );
  const facts = () => ({
    ...countsIn(screen, tally),
    name: colors.dim(shortened(tally.newestName, Math.max(1, screen.width - BAR - BESIDE))),
  });
  bar.start(1, 0, facts());
  let isStopped = false;
  return {
    show: (event) => {
      tally.note(event);
      bar.update(tally.progress, facts());
    },
    say: (sentence) => {
      screen.write('\r\u001b[K');
      screen.line(sentence);
      bar.update(facts());
    },
    stop: () => {
      if (!isStopped) bar.stop();
      isStopped = true;
    },
  };
}

function optionsOf({ stream }: Screen) {
  return {
    barsize: BAR,
    hideCursor: true,
    clearOnComplete: true,
    stream,
    // Signals are handled by the command: it may have a run to cancel.
    gracefulExit: false,
  };
}

function countsIn({ colors }: Screen, tally: Tally) {
  return {
    ended: tally.ended,
    scenarios: tally.total,
    passed: colors.green(String(tally.passed)),
    others: othersOf(tally, (text) => colors.red(text)),
  };
}

/** They are taken away together, when the last of them is stopped. */
function progressBars(screen: Screen, runs: readonly TitledTally[]): Progress[] {
  const bars = new MultiBar(
    { ...optionsOf(screen), format: '{bar} {ended}/{scenarios}  {passed} passed{others}  {title}' },
    Presets.shades_classic,
  );
  const shown = new Set(runs);
  return runs.map((one) => {
    const { title, tally } = one;
    const facts = () => ({
      ...countsIn(screen, tally),
      title: shortened(title, Math.max(1, screen.width - BAR - BESIDE)),
    });
    const bar = bars.create(1, 0, facts());
    return {
      show: (event) => {
        tally.note(event);
        bar.update(tally.progress, facts());
      },
      say: (sentence) => bars.log(`${sentence}\n`),
      stop: () => {
        if (shown.delete(one) && shown.size === 0) bars.stop();
      },
    };
  });
}

function othersOf({ failed, error, canceled }: Tally, paint: (text: string) => string): string {
  const parts = [
    ...(failed > 0 ? [paint(`${failed} failed`)] : []),
    ...(error > 0 ? [paint(`${error} in error`)] : []),
    ...(canceled > 0 ? [`${canceled} canceled`] : []),
  ];
  return parts.map((part) => `, ${part}`).join('');
}

/** A log needs no line for each of hundreds: the results name those that did not pass. */
const TOLD_ONE_BY_ONE = 40;
const TOLD_OF_LARGE = 20;

/** CI servers end jobs that print nothing for some minutes. */
const SIGN_OF_LIFE_MS = 60_000;

/** @param title stands before each line */
function progressLines(screen: Screen, tally: Tally, title = ''): Progress {
  const width = String(tally.total).length;
  const sign = setInterval(() => {
    screen.line(`${title}${tally.ended}/${tally.total} ended, ${tally.underWay} running`);
  }, SIGN_OF_LIFE_MS).unref();
  return {
    show: (event) => {
      const ending = endsScenario(event) ? lineOf(event, tally) : null;
      tally.note(event);
      if (ending === null) return;
      if (tally.total > TOLD_ONE_BY_ONE) {
        if (tally.ended % Math.ceil(tally.total / TOLD_OF_LARGE) === 0 || tally.ended === tally.total) {
          const counts = `${tally.passed} passed${othersOf(tally, (text) => text)}`;
          screen.line(`${title}${String(tally.ended).padStart(width)}/${tally.total} ended: ${counts}`);
          sign.refresh();
        }
        return;
      }
      screen.line(`${title}${String(tally.ended).padStart(width)}/${tally.total} ${ending}`);
      sign.refresh();
    },
    say: (sentence) => screen.line(`${title}${sentence}`),
    stop: () => clearInterval(sign),
  };
}

const LONGEST_NAME = 100;

function lineOf(event: ScenarioEnd, tally: Tally): string {
  const { name, score } = tally.describe(event.scenario_run_id);
  const shown = shortened(name, LONGEST_NAME);
  switch (event.type) {
    case 'scenario_complete':
      return `${event.status}  ${shown}${score === null ? '' : ` (${score} %)`}`;
    case 'scenario_error':
      return `error   ${shown}: ${event.error_code}, ${shortened(event.error, LONGEST_NAME)}`;
    case 'scenario_canceled':
      return `canceled ${shown}`;
  }
}
