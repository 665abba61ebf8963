import { createHash } from 'node:crypto';
import { BadRequestException, ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { MOST_PEAKS, RECORDING_RATE, type RecordingPeaks, type TrackChoice } from '../../../contract/recordings';
import { Settings } from '../../platform/config';
import { DamagedRecording, piecesIn } from './decoded-recording';
import { peaksOf } from './peaks';
import { RecordingsStore, type Recording, type SpokenConversation, type Track } from './recordings.store';
import { bytesOfWav, lengthOfWav, MOST_WAV_BYTES, samplesUnder, type ByteRange, type WavFile } from './wav-file';

const BOTH: readonly Track[] = ['patient', 'agent'];

/** A part of a call, in ms since it began. */
export interface AskedPart {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** A recording as a file, before any of it is read. */
export interface FoundRecording {
  readonly file: WavFile;
  readonly bytes: number;
  /** Differs where the file does. */
  readonly etag: string;
}

/** What was recorded of spoken conversations, as it is listened to and drawn. */
@Injectable()
export class RecordingsService {
  constructor(
    private readonly store: RecordingsStore,
    private readonly settings: Settings,
  ) {}

  /** @throws NotFoundException, ConflictException, BadRequestException with the sentence that says why there is nothing to hear */
  async find(scenarioRunId: string, part: AskedPart, track: TrackChoice): Promise<FoundRecording> {
    const recording = await this.recordingOf(await this.conversationOf(scenarioRunId));
    const file: WavFile = { recording, tracks: track === 'both' ? BOTH : [track], ...samplesOf(part, recording) };
    const bytes = lengthOfWav(file);
    if (bytes > MOST_WAV_BYTES) {
      throw new BadRequestException('A WAV file holds no more than 4 GB: ask for a part of the call by from and to.');
    }
    return { file, bytes, etag: tagOf(recording, [file.from, file.to, track]) };
  }

  /**
   * These bytes of the file, in chunks. What they are made from is checked before: what is damaged is refused with a sentence, and not in
   * the middle of an answer.
   * @throws ConflictException
   */
  async read(file: WavFile, range: ByteRange): Promise<AsyncGenerator<Buffer>> {
    const part = samplesUnder(file, range);
    await this.assertIntact(file.recording, file.tracks, part);
    return bytesOfWav(this.store, file, range);
  }

  /** @throws as `find`, and ConflictException where a piece is damaged */
  async peaks(scenarioRunId: string, part: AskedPart, perSecond: number): Promise<RecordingPeaks> {
    const recording = await this.recordingOf(await this.conversationOf(scenarioRunId));
    const samples = samplesOf(part, recording);
    await this.assertIntact(recording, BOTH, samples);
    const most = (MOST_PEAKS * RECORDING_RATE) / (samples.to - samples.from);
    try {
      const found = await peaksOf(this.store, recording, samples, Math.min(perSecond, most));
      return { scenario_run_id: recording.scenarioRunId, ...found };
    } catch (error) {
      throw refusalOf(error);
    }
  }

  /** The spoken conversation. @throws NotFoundException where there is none, or it was in text */
  async conversationOf(scenarioRunId: string): Promise<SpokenConversation> {
    const conversation = await this.store.conversation(scenarioRunId);
    if (conversation === null) throw new NotFoundException('Scenario run not found');
    if (conversation.modality === 'text') {
      throw new NotFoundException('The conversation was held in text: nothing was spoken in it.');
    }
    return conversation;
  }

  /** Null where no sound of it is kept. */
  kept({ id }: SpokenConversation): Promise<Recording | null> {
    return this.store.find(id);
  }

  /** Why no sound of a conversation is kept. */
  reasonFor({ taken_over_from: source, ended_days_ago: days }: SpokenConversation): string {
    const { keepRecordings, recordingsDays } = this.settings;
    if (source !== null) {
      return `No sound is kept here: the conversation, or its beginning, was held in the scenario run ${source}, whose recording it is.`;
    }
    if (recordingsDays !== null && days !== null && days >= recordingsDays) {
      return `The recording is deleted: this service keeps recordings for ${recordingsDays} days (RECORDINGS_DAYS).`;
    }
    if (keepRecordings === 'none') return 'This service keeps no recordings (KEEP_RECORDINGS=none).';
    if (keepRecordings === 'evidence') {
      return 'No recording is left: this service keeps only what holds evidence of a mark (KEEP_RECORDINGS=evidence).';
    }
    return 'No recording of this conversation is kept here: nothing was recorded, as calls to telephone numbers are not without RECORD_TELEPHONE_CALLS, or the service was restored from a backup without recordings.';
  }

  private async recordingOf(conversation: SpokenConversation): Promise<Recording> {
    if (conversation.status === 'pending' || conversation.status === 'running') {
      throw new ConflictException(
        `The conversation is ${conversation.status}: its recording can be heard when it has ended.`,
      );
    }
    const recording = await this.kept(conversation);
    if (recording === null) throw new NotFoundException(this.reasonFor(conversation));
    return recording;
  }

  private async assertIntact(
    recording: Recording,
    tracks: readonly Track[],
    { from, to }: { readonly from: number; readonly to: number },
  ): Promise<void> {
    const [damaged] = await this.store.damagedOf(recording, piecesIn(recording, tracks, from, to));
    if (damaged !== undefined) {
      throw refusalOf(new DamagedRecording(damaged, 'is not what was recorded: its hash differs'));
    }
  }
}

function refusalOf(error: unknown): unknown {
  return error instanceof DamagedRecording ? new ConflictException(error.message, { cause: error }) : error;
}

/** @throws BadRequestException */
function samplesOf({ from = 0, to }: AskedPart, { end }: Recording): { readonly from: number; readonly to: number } {
  if (to !== undefined && to <= from) throw new BadRequestException('from has to be before to.');
  const first = samplesIn(from);
  if (first >= end) {
    throw new BadRequestException(
      `The recording ends at ${Math.floor((end * 1_000) / RECORDING_RATE)} ms: from lies behind it.`,
    );
  }
  return { from: first, to: to === undefined ? end : Math.min(end, samplesIn(to)) };
}

function samplesIn(ms: number): number {
  return Math.round((ms * RECORDING_RATE) / 1_000);
}

/** Of what is made of a recording. @param how all that it depends on beside the recording */
export function tagOf({ attempt, pieces }: Recording, how: readonly unknown[]): string {
  const hash = createHash('sha256').update(JSON.stringify([attempt, how]));
  for (const { track, first_sample, sha256 } of pieces) hash.update(`${track}${first_sample}${sha256}`);
  return `"${hash.digest('base64url')}"`;
}
