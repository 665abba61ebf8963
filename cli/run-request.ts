import { Option, type Command } from 'commander';
import {
  DEFAULT_REGION,
  DISTURBANCES,
  LINES,
  PATIENT_STYLES,
  REGIONS,
  type Disturbance,
  type Region,
} from '../src/domain';
import { UsageFailure } from './failure';
import { findScenarios, findSuite } from './named-resources';
import {
  collected,
  numberOfTrials,
  patientsCollected,
  disturbancesCollected,
  filled,
  percentage,
  positiveInteger,
  positiveNumber,
  seedOfSounds,
  type PatientChoice,
} from './option-values';
import type { Session } from './session';

/** The options that say how agents are examined, whichever they are. */
export interface ConditionOptions {
  readonly scenario?: readonly string[];
  readonly suite?: string;
  readonly tag?: readonly string[];
  readonly maxScenarios?: number;
  readonly trials?: number;
  readonly patient?: readonly PatientChoice[];
  readonly testerModel?: string;
  readonly judgeModel?: string;
  readonly turns?: number;
  readonly concurrency?: number;
  readonly passThreshold?: number;
  readonly region?: Region;
  readonly spoken?: boolean;
  readonly voice?: string;
  readonly rate?: number;
  readonly line?: string;
  readonly noise?: string;
  readonly sounds?: readonly Disturbance[];
  readonly spokenSeed?: number;
}

/** Options of spoken runs by their names in the API. */
const SPOKEN = {
  voice: '--voice',
  rate: '--rate',
  line: '--line',
  noise: '--noise',
  sounds: '--sounds',
  seed: '--spoken-seed',
} as const;

/** Adds them to a command. */
export function withConditionOptions(command: Command): Command {
  return command
    .addOption(new Option('--suite <name>', 'run the scenarios of a suite').conflicts(['tag', 'scenario']))
    .addOption(
      new Option('--tag <tag>', 'run approved scenarios with this tag; repeatable: any of them')
        .argParser(collected)
        .conflicts(['suite', 'scenario']),
    )
    .addOption(
      new Option('--scenario <name>', 'run this scenario, by name or id; may be given several times')
        .argParser(collected)
        .conflicts(['suite', 'tag', 'maxScenarios']),
    )
    .option('--max-scenarios <n>', 'run at most this many scenarios', positiveInteger)
    .option('--trials <n>', 'how many times each scenario is examined, 1 to 20 (default 1)', numberOfTrials)
    .addOption(
      new Option(
        '--patient <style>',
        'a patient to examine with, such as demanding or anxious/de; repeatable: each scenario with each of them',
      )
        .choices([...PATIENT_STYLES])
        .argParser(patientsCollected),
    )
    .option('--tester-model <name>', 'the model that plays the patients, one of the service’s ALLOWED_MODELS')
    .option('--judge-model <name>', 'the model that marks, one of the service’s ALLOWED_MODELS')
    .option('--turns <n>', 'turns of each conversation, 5 to 7 (default 6)', positiveInteger)
    .option('--concurrency <n>', 'conversations at once, 1 to 2000 (default 6)', positiveInteger)
    .option('--pass-threshold <percent>', 'points a scenario needs to pass (default 50)', percentage)
    .addOption(
      new Option(
        '--region <region>',
        `where the agent’s patients are: decides which emergency number is right (default ${DEFAULT_REGION})`,
      ).choices([...REGIONS]),
    )
    .option(
      '--spoken',
      'by voice: agents in LiveKit rooms, and telephone bots (media-stream); the service needs espeak-ng or a speech server',
    )
    .option(
      '--voice <name>',
      'the patient’s voice, as the speech server or espeak-ng calls it: alloy, or en-us+f3',
      filled,
    )
    .option('--rate <factor>', 'how fast the patient speaks, 0.5 to 2 (default 1)', positiveNumber)
    .addOption(
      new Option('--line <line>', 'what lies between patient and agent (default wideband)').choices([...LINES]),
    )
    .option(
      '--noise <kind:dB>',
      'noise behind the patient, who is so much louder: babble:10, pink:15 or hum:20',
      filled,
    )
    .addOption(
      new Option(
        '--sounds <kinds>',
        `what disturbs the conversation, several with commas: ${DISTURBANCES.join(', ')}`,
      ).argParser(disturbancesCollected),
    )
    .option('--spoken-seed <n>', 'what disturbs which turn: the same seed, the same disturbances', seedOfSounds);
}

/** What they ask for in the body of a start; names are looked up. @throws CommandFailure */
export async function conditionsOf(
  { api }: Session,
  options: ConditionOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const { suite, scenario } = options;
  return {
    ...(suite !== undefined && { test_suite_id: (await findSuite(api, suite)).id }),
    ...(scenario !== undefined && {
      scenario_ids: (await findScenarios(api, scenario)).map(({ scenario_id }) => scenario_id),
    }),
    tags: options.tag,
    max_scenarios: options.maxScenarios,
    trials: options.trials,
    patients: options.patient,
    tester_model: options.testerModel,
    judge_model: options.judgeModel,
    max_turns: options.turns,
    concurrency_limit: options.concurrency,
    pass_threshold: options.passThreshold,
    region: options.region,
    ...spokenOf(options),
  };
}

/** What a twin is asked to sound like: spoken where anything is said of it, else the other way than its twin. */
export function twinConditionsOf(options: ConditionOptions): object {
  const isSpoken = options.spoken === true || givenOf(options).length > 0;
  return { concurrency_limit: options.concurrency, ...(isSpoken && spokenOf({ ...options, spoken: true })) };
}

/** Options of a voice by their names in the API and in the command. */
function givenOf(options: ConditionOptions): [name: string, option: string][] {
  const asked = new Map<string, unknown>(Object.entries(soundOf(options)));
  return Object.entries(SPOKEN).filter(([name]) => asked.get(name) !== undefined);
}

function soundOf({ voice, rate, line, noise, sounds, spokenSeed: seed }: ConditionOptions): object {
  return { voice, rate, line, noise, sounds, seed };
}

/** @throws UsageFailure for options of a voice in a run in text */
function spokenOf(options: ConditionOptions): object {
  const { spoken = false } = options;
  const given = givenOf(options);
  if (spoken) return { modality: 'spoken', ...(given.length > 0 && { spoken: soundOf(options) }) };
  const [first] = given;
  if (first !== undefined) throw new UsageFailure(`${first[1]} is for spoken runs: add --spoken, or leave it out.`);
  return {};
}
