import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Log, Settings } from '../../platform/config';
import type { ExecutionRecord } from '../ledger/execution-record';
import { RecordingPieces } from '../ledger/recordings.store';
import { speechOfScenario, type SpeechOfScenario } from '../../../contract/scenario-speech';
import { EffectFailed, isOnTelephone, type ExaminedTurn, type SpokenRun } from '../../domain';
import type { SpokenCall } from '../speech/spoken-call';
import type { SpokenCalls } from '../speech/spoken-calls';
import type { EnginesRequest, FoundEngines } from '../speech/speech-jobs';
import type { AttemptLease } from './attempt-leases';

/** What of a scenario run determines how it sounds. */
type SpokenRecord = Pick<
  ExecutionRecord,
  'testRunId' | 'scenarioId' | 'scenario' | 'trial' | 'patient' | 'agentProvider' | 'agentConfig'
>;

type Calls = Pick<SpokenCalls, 'open' | 'engines' | 'close'>;

/** The way from text to speech: what speaks and hears is loaded with the first spoken conversation, and a process without one has none of it. */
@Injectable()
export class SpokenConversations implements OnApplicationShutdown {
  private loading: Promise<Calls> | null = null;

  constructor(
    private readonly settings: Settings,
    private readonly pieces: RecordingPieces,
    private readonly log: Log,
  ) {}

  /**
   * The call of one attempt, whose examiner has shown that it can speak and hear.
   * @throws SpeechError
   * @throws EffectFailed where what the scenario says about speech cannot be read
   */
  async open(spoken: SpokenRun, record: SpokenRecord, lease: AttemptLease, signal: AbortSignal): Promise<SpokenCall> {
    const calls = await this.loaded();
    const { testRunId, scenarioId, scenario, trial, patient } = record;
    const request = {
      testRunId,
      spoken,
      language: patient.language,
      scenarioId,
      speech: requireSpeech(scenario.content).speech,
      trial,
      attempt: lease.ref.attempt,
      keep: this.isRecorded(record)
        ? (piece: Parameters<RecordingPieces['keep']>[1]) => this.pieces.keep(lease.ref, piece)
        : null,
      onGap: (error: unknown) =>
        this.log.error('A part of a recording could not be kept; the conversation goes on', { error, ...lease.names }),
    };
    return calls.open(request, signal);
  }

  /** Who would speak and hear in a run, before it is stored. @throws SpeechError */
  async engines(request: EnginesRequest): Promise<FoundEngines> {
    return (await this.loaded()).engines(request);
  }

  async onApplicationShutdown(): Promise<void> {
    // What could not be loaded was told to the conversations that wanted it.
    (await this.loading?.catch(() => null))?.close();
  }

  private loaded(): Promise<Calls> {
    this.loading ??= this.load().catch((error: unknown) => {
      this.loading = null;
      throw error;
    });
    return this.loading;
  }

  /** What is at a telephone number may be a person: such a call is recorded only where consent was declared. */
  private isRecorded({ agentProvider, agentConfig }: SpokenRecord): boolean {
    const { keepRecordings, recordsTelephoneCalls } = this.settings;
    if (keepRecordings === 'none') return false;
    return recordsTelephoneCalls || (agentConfig !== null && !isOnTelephone(agentProvider, agentConfig));
  }

  protected async load(): Promise<Calls> {
    const { SpokenCalls } = await import('../speech/spoken-calls.js');
    const { speech, egress } = this.settings;
    return new SpokenCalls({ speech, egress });
  }
}

/** @throws EffectFailed where it cannot be read */
export function requireSpeech(content: Readonly<Record<string, unknown>>): SpeechOfScenario {
  const read = speechOfScenario(content);
  if (typeof read === 'string') throw new EffectFailed({ code: 'config_invalid', message: `The scenario’s ${read}` });
  return read;
}

/**
 * The transcript as it may be marked: of a spoken reply that was inaudible nothing, whatever the agent says that it said.
 * @throws EffectFailed for a call in which nothing of the agent was audible: that is no conversation to mark
 */
export function audibleTranscript(transcript: readonly ExaminedTurn[]): readonly ExaminedTurn[] {
  if (transcript.every(({ metadata }) => metadata?.['spoken'] === undefined)) return transcript;
  const audible = transcript.map((turn) => (isInaudible(turn) ? { ...turn, agentMessage: '' } : turn));
  if (audible.some(({ agentMessage }) => agentMessage !== '')) return audible;
  throw new EffectFailed({
    code: 'empty_reply',
    message:
      'Nothing that the agent said in the call was audible, so there is nothing to mark: listen to the recording, and look into the sound of the agent.',
  });
}

function isInaudible({ metadata }: ExaminedTurn): boolean {
  const spoken = metadata?.['spoken'];
  return typeof spoken === 'object' && spoken !== null && 'inaudible' in spoken && spoken.inaudible === true;
}
