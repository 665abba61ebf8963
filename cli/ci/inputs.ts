import { UsageFailure } from '../failure';
import type { Session } from '../session';

/** What a CI job asks for. All of it comes from the environment, where it needs no quoting and appears in no command line. */
export interface CiInputs {
  readonly agent: string;
  /** Options of `osce run`, each with its value. */
  readonly runOptions: readonly string[];
  /** The run to compare with: an id, a label or `latest`; null when an agent's baseline is to be used. */
  readonly baseline: string | null;
  /** The agent whose baseline the run is compared with; null for that of the agent under examination. */
  readonly baselineAgent: string | null;
  /** A shell script that starts the agent under examination; null for none. */
  readonly setup: string | null;
  /** Folder for everything that is worth keeping. */
  readonly report: string;
  /** Whether the run becomes the agent's baseline when nothing speaks against it. */
  readonly becomesBaseline: boolean;
}

/** One value. */
const SINGLE: Readonly<Record<string, string>> = {
  OSCE_SUITE: '--suite',
  OSCE_MAX_SCENARIOS: '--max-scenarios',
  OSCE_TRIALS: '--trials',
  OSCE_TURNS: '--turns',
  OSCE_CONCURRENCY: '--concurrency',
  OSCE_PASS_THRESHOLD: '--pass-threshold',
  OSCE_REGION: '--region',
  OSCE_TESTER_MODEL: '--tester-model',
  OSCE_JUDGE_MODEL: '--judge-model',
  OSCE_VOICE: '--voice',
  OSCE_RATE: '--rate',
  OSCE_LINE: '--line',
  OSCE_NOISE: '--noise',
  OSCE_SOUNDS: '--sounds',
  OSCE_SPOKEN_SEED: '--spoken-seed',
  OSCE_RUN_NAME: '--name',
  OSCE_AGENT_VERSION: '--agent-version',
  OSCE_FAIL_UNDER: '--fail-under',
  OSCE_FAIL_ON: '--fail-on',
  OSCE_MIN_COVERAGE: '--min-coverage',
  OSCE_TIMEOUT: '--timeout',
};

/** Several values, one on each line. */
const REPEATED: Readonly<Record<string, string>> = {
  OSCE_TAGS: '--tag',
  OSCE_SCENARIOS: '--scenario',
  OSCE_PATIENTS: '--patient',
};

const DEFAULT_REPORT = 'osce-report';

/** An empty variable is one that is not set: CI servers set those of inputs that were left out. @throws UsageFailure */
export function ciInputs({ environment, settings }: Session): CiInputs {
  const valueOf = (name: string): string | null => {
    const value = environment[name]?.trim() ?? '';
    return value === '' ? null : value;
  };
  if (settings.agent === null) throw new UsageFailure('OSCE_AGENT is not set: it names the agent to examine.');
  const baseline = valueOf('OSCE_BASELINE');
  const baselineAgent = valueOf('OSCE_BASELINE_AGENT');
  if (baseline !== null && baselineAgent !== null) {
    throw new UsageFailure('OSCE_BASELINE names a run and OSCE_BASELINE_AGENT an agent: set one of them.');
  }
  const single = Object.entries(SINGLE).flatMap(([name, option]) => optionWith(option, valueOf(name)));
  const repeated = Object.entries(REPEATED).flatMap(([name, option]) =>
    (valueOf(name)?.split('\n') ?? []).flatMap((line) => optionWith(option, line.trim() === '' ? null : line.trim())),
  );
  const spoken = isOn('OSCE_SPOKEN', valueOf('OSCE_SPOKEN')) ? ['--spoken'] : [];
  return {
    agent: settings.agent.value,
    runOptions: [...single, ...repeated, ...spoken],
    baseline,
    baselineAgent,
    setup: valueOf('OSCE_SETUP'),
    report: valueOf('OSCE_REPORT') ?? DEFAULT_REPORT,
    becomesBaseline: isOn('OSCE_SET_BASELINE', valueOf('OSCE_SET_BASELINE')),
  };
}

/** Name and value are one word, so that a value that begins with a dash is not taken for an option. */
function optionWith(option: string, value: string | null): string[] {
  return value === null ? [] : [`${option}=${value}`];
}

function isOn(name: string, value: string | null): boolean {
  if (value === null || value === 'false') return false;
  if (value === 'true') return true;
  throw new UsageFailure(`${name} must be true or false.`);
}
