import { KnownEar } from '../../demo/known-ear';
import { LINE_RATE } from '../../src/agents/media-stream/stream-messages';
import { idsOf } from '../../src/agents/media-stream/agent-line';
import { DEFAULT_REGION, localised } from '../../src/domain';
import { overLine, resampled } from '../../src/engine/audio';
import { controlTextOf } from '../../src/engine/speech';
import { scenarioFile } from '../../src/features/scenarios/scenario-file';
import type { NewScenario } from '../../src/features/scenarios/scenarios.store';
import { MediaStreamBot, type BotCall } from '../fakes/media-stream-bot';
import { scenarioRunsOf, untilFinal } from '../setup/examination';
import type { ApiClient, Answer } from '../setup/api-client';
import { KnownSounds } from './known-sounds';
import { KnownSpeaker, sentencesOf, SPEAKERS, type SpeakerName } from './known-speaker';
import { misheard } from './misheard';
import { RecognisingEar } from './recognising-ear';

/** How often something went wrong, of how often it could. */
export interface Share {
  readonly hits: number;
  readonly events: number;
}

/** How one known agent came out. */
export interface SpokenResult {
  readonly speaker: SpeakerName;
  readonly conversations: number;
  readonly graded: number;
  readonly passed: number;
  /** Of the graded ones, 0..100. */
  readonly meanScore: number;
  readonly falseYields: Share;
  /** Interruptions after which it was not silent within two seconds. */
  readonly talkedThrough: Share;
  /** Stations with something to read back in which not all of it was; those in which it fell silent for a backchannel tell nothing of what it heard. */
  readonly notReadBack: Share;
  /** What the service says of conversations without a mark. */
  readonly errors: readonly string[];
}

export interface ExaminationPlan {
  readonly stations: readonly NewScenario[];
  readonly trials: number;
  readonly speakers: readonly SpeakerName[];
  readonly seed: number;
}

const PATIENT = { voice: 'en-us', line: 'phone' } as const;
const AGENT_VOICE = { voice: 'en-gb', rate: 1.2 } as const;
const MAX_TURNS = 5;
const MOST_ATTEMPTS = 5;
/** Calls take as long as people take to say what is said. */
const A_CONVERSATION_MS = 10 * 60_000;

/** The known agents, and the ear that knows what they say. They know which patient rings by the id of the call. */
export class SpeakerClinic {
  private readonly replies = new Map<string, readonly string[]>();
  private readonly waiting = new Map<string, (replies: readonly string[]) => void>();
  private readonly bots = new Map<SpeakerName, MediaStreamBot>();

  private constructor(
    private readonly sounds: KnownSounds,
    private readonly known: RecognisingEar,
    private readonly ear: KnownEar,
  ) {}

  /** @throws SpeechError where espeak-ng is missing */
  static async open(stations: readonly NewScenario[]): Promise<SpeakerClinic> {
    const sounds = await KnownSounds.open(AGENT_VOICE.voice, AGENT_VOICE.rate);
    const known = new RecognisingEar();
    const clinic = new SpeakerClinic(sounds, known, await KnownEar.start((sound) => known.hear(sound)));
    await clinic.rehearse(stations);
    return clinic;
  }

  /** What the service is started with: the ear, and the voice of the patients. */
  get settings(): Readonly<Record<string, string>> {
    return { TRANSCRIPTION_URL: this.ear.baseUrl, TRANSCRIPTION_MODEL: 'known-sounds', SPEECH_VOICE: PATIENT.voice };
  }

  /** The address of an agent, which takes calls from now on. */
  async address(speaker: SpeakerName): Promise<string> {
    const known = this.bots.get(speaker);
    if (known !== undefined) return known.url;
    const taken = new WeakMap<BotCall, KnownSpeaker>();
    const bot = await MediaStreamBot.start({
      onStart: (call) => {
        const callSid = call.of('start')[0]?.message.start?.callSid ?? '';
        taken.set(call, new KnownSpeaker(call, this.sounds, SPEAKERS[speaker], this.repliesFor(callSid)));
      },
      onMedia: (call, codes) => taken.get(call)?.hear(codes),
    });
    this.bots.set(speaker, bot);
    return bot.url;
  }

  /** The patient of a scenario run is that of a station. */
  expect(scenarioRunId: string, station: NewScenario): void {
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      const { callSid } = idsOf(scenarioRunId, attempt);
      this.replies.set(callSid, repliesOf(station));
      this.waiting.get(callSid)?.(repliesOf(station));
    }
  }

  async close(): Promise<void> {
    for (const bot of this.bots.values()) await bot.close();
    await this.ear.close();
  }

  private repliesFor(callSid: string): Promise<readonly string[]> {
    const known = this.replies.get(callSid);
    return known === undefined ? new Promise((resolve) => this.waiting.set(callSid, resolve)) : Promise.resolve(known);
  }

  /** Everything that may be said is said once before anything rings: then the agents answer at once, and the ear knows it. */
  private async rehearse(stations: readonly NewScenario[]): Promise<void> {
    for (const reply of stations.flatMap(repliesOf)) {
      for (const words of [...sentencesOf(reply), ...sentencesOf(misheard(reply))]) {
        this.known.learn(words, await this.sounds.of(words), LINE_RATE);
      }
    }
    const patient = await KnownSounds.open(PATIENT.voice, 1);
    const control = controlTextOf('en').sentence;
    const spoken = resampled({ samples: await patient.of(control), rate: LINE_RATE }, 48_000);
    const { samples } = resampled(overLine(spoken, PATIENT.line, 0), LINE_RATE);
    this.known.learn(control, samples, LINE_RATE);
  }
}

function repliesOf({ content }: NewScenario): string[] {
  const { model_replies = [] } = scenarioFile.shape.content.parse(content);
  return [...model_replies, 'Please tell me if anything changes.'].map((reply) => localised(reply, DEFAULT_REGION));
}

/** The stations of a library that only a spoken run examines whole. */
export function spokenStations(library: readonly NewScenario[]): NewScenario[] {
  return library.filter(({ content }) => content['speech_limits'] !== undefined);
}

/**
 * Examines each known agent by a spoken run of the service; how many calls there are at a time is up to the service.
 * @throws Error where the service refuses
 */
export async function examineSpeakers(
  api: ApiClient,
  clinic: SpeakerClinic,
  { stations, trials, speakers, seed }: ExaminationPlan,
): Promise<SpokenResult[]> {
  const ids = new Map<string, NewScenario>();
  for (const station of stations) ids.set(await stored(api, station), station);
  const examined = speakers.map(async (speaker) => {
    const agent = await created(api, '/api/v1/agents', {
      name: speaker,
      provider: 'media-stream',
      config: { url: await clinic.address(speaker) },
    });
    const run = await created(api, '/start-run', {
      agent_id: agent.id,
      scenario_ids: [...ids.keys()],
      trials,
      max_turns: MAX_TURNS,
      modality: 'spoken',
      spoken: { voice: PATIENT.voice, line: PATIENT.line, seed },
    });
    for (const { id, scenario_id } of await scenarioRunsOf(api, run.id)) {
      const station = ids.get(scenario_id);
      if (station !== undefined) clinic.expect(id, station);
    }
    await untilFinal(api, run.id, speakers.length * stations.length * trials * A_CONVERSATION_MS);
    return resultOf(api, run.id, speaker);
  });
  return Promise.all(examined);
}

/** Of all runs of the service. */
export async function endedConversations(api: ApiClient): Promise<number> {
  const { body } = await api.get('/api/v1/tests');
  const runs: { passed_count: number; failed_count: number; error_count: number }[] = body.results;
  return runs.reduce((sum, run) => sum + run.passed_count + run.failed_count + run.error_count, 0);
}

async function stored(api: ApiClient, station: NewScenario): Promise<string> {
  const { name, category, severity, content, rubricCriteria, tags } = station;
  const fields = { name, category, severity, content, rubric_criteria: rubricCriteria, tags, approved: true };
  return String((await created(api, '/api/v1/scenarios', fields)).scenario_id);
}

async function created(api: ApiClient, path: string, fields: object): Promise<Answer['body']> {
  const { status, body } = await api.post(path, fields);
  if (status >= 300) throw new Error(`${path} was refused: ${status} ${JSON.stringify(body)}`);
  return body;
}

async function resultOf(api: ApiClient, runId: string, speaker: SpeakerName): Promise<SpokenResult> {
  const runs = await scenarioRunsOf(api, runId);
  const graded = runs.filter(({ status }) => status === 'passed' || status === 'failed');
  const { body: speech } = await api.get(`/api/v1/tests/${runId}/speech`);
  const readBacks = [];
  for (const { id } of graded) {
    const { body: timeline } = await api.get(`/api/v1/scenario-runs/${id}/speech`);
    const marked: { readonly outcome: string | null }[] = timeline.marks;
    if (marked.some(({ outcome }) => outcome === 'gave_up')) continue;
    const { body } = await api.get(`/api/v1/scenario-runs/${id}`);
    const marks: { readonly criterion: string; readonly decision: string }[] = body.criteria_results;
    readBacks.push(...marks.filter(({ criterion }) => criterion.startsWith('Reads back ')));
  }
  const { hits: yielded, events: interruptions } = speech.yielded_in_time;
  return {
    speaker,
    conversations: runs.length,
    graded: graded.length,
    passed: runs.filter(({ status }) => status === 'passed').length,
    meanScore: graded.reduce((sum, { score_percent }) => sum + Number(score_percent), 0) / Math.max(1, graded.length),
    falseYields: { hits: speech.false_yields.hits, events: speech.false_yields.events },
    talkedThrough: { hits: interruptions - yielded, events: interruptions },
    notReadBack: {
      hits: readBacks.filter(({ decision }) => decision !== 'MET').length,
      events: readBacks.length,
    },
    errors: runs.flatMap(({ scenario_name, error_message }) =>
      error_message === null ? [] : [`${scenario_name}: ${error_message}`],
    ),
  };
}

/** Best first: by passes, then by score. */
export function inOrder(results: readonly SpokenResult[]): SpokenResult[] {
  const passRate = ({ passed, graded }: SpokenResult): number => passed / Math.max(1, graded);
  return results.toSorted((one, other) => passRate(other) - passRate(one) || other.meanScore - one.meanScore);
}

/** What an agent does, by what was measured alone; empty where nothing was. */
export function namesFor({ falseYields, talkedThrough, notReadBack }: SpokenResult): SpeakerName[] {
  const isUsual = ({ hits, events }: Share): boolean => events > 0 && hits * 2 > events;
  const found: SpeakerName[] = [
    ...(isUsual(falseYields) ? ['stops-at-uh-huh' as const] : []),
    ...(isUsual(talkedThrough) ? ['never-yields' as const] : []),
    ...(isUsual(notReadBack) ? ['mishears-doses' as const] : []),
  ];
  if (found.length > 0) return found;
  const isMeasured = [falseYields, talkedThrough, notReadBack].some(({ events }) => events > 0);
  return isMeasured ? ['good'] : [];
}

/** Why the agents did not come out as they are known to be; empty where they did. */
export function surprises(results: readonly SpokenResult[]): string[] {
  const ordered = inOrder(results);
  const wrong = results.flatMap((result) => {
    const names = namesFor(result);
    return names.length === 1 && names[0] === result.speaker
      ? []
      : [`${result.speaker} was taken for ${names.join(' and ') || 'nothing, since nothing was measured'}`];
  });
  const first = ordered[0]?.speaker;
  return results.some(({ speaker }) => speaker === 'good') && first !== 'good'
    ? [...wrong, `${first ?? 'nothing'} came out best`]
    : wrong;
}
