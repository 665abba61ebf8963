import { BadRequestException } from '@nestjs/common';

/** What one run's actor, its page and its export are designed for. */
const MAX_SCENARIO_RUNS = 20_000;

/** @throws BadRequestException when a run would have more scenario runs than one run may have */
export function checkSize(scenarios: number, patients: number, trials: number): void {
  const scenarioRuns = scenarios * patients * trials;
  if (scenarioRuns <= MAX_SCENARIO_RUNS) return;
  const [would, may, chosen] = [scenarioRuns, MAX_SCENARIO_RUNS, scenarios].map((count) => count.toLocaleString('en'));
  const more = [
    ...(patients === 1 ? [] : [{ count: patients, noun: 'patients' }]),
    ...(trials === 1 ? [] : [{ count: trials, noun: 'trials' }]),
  ];
  const product = more.map(({ count, noun }) => ` × ${count} ${noun}`).join('');
  const made = product === '' ? '' : ` (${chosen} scenarios${product})`;
  const fewer = product === '' ? '' : `, ask for fewer ${more.map(({ noun }) => noun).join(' or ')}`;
  throw new BadRequestException(
    `This run would have ${would} scenario runs${made}; a run has at most ${may}. ` +
      `Set max_scenarios${fewer}, or start several runs with tags or test suites.`,
  );
}
