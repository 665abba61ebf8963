import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, HttpException, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { getRecording, getRecordingPeaks, getSpokenTimeline } from '../../../contract/recordings';
import type { QueryOf } from '../../../contract/operation';
import { jsonDocument, LinesOfCallers, sendDocument, Serves } from '../../platform/http';
import { labelTrack } from './label-track';
import { RecordingsService } from './recordings.service';
import { TimelineService } from './timeline.service';
import type { ByteRange } from './wav-file';

/** Decoding an hour of sound takes some seconds of the processor. */
const DECODED_AT_ONCE = 2;
const RANGE_NOT_SATISFIABLE = 416;

/** Spoken conversations, as they are listened to. A recording tells nothing of marks. */
@Controller()
export class RecordingsController {
  private readonly lines = new LinesOfCallers(DECODED_AT_ONCE);

  constructor(
    private readonly recordings: RecordingsService,
    private readonly timelines: TimelineService,
  ) {}

  @Serves(getRecording)
  async listen(
    @Param('id') id: string,
    @Query({ schema: getRecording.query }) { track, ...part }: QueryOf<typeof getRecording>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { file, bytes, etag } = await this.recordings.find(id, part, track);
    const range = askedRange(request, bytes, etag);
    const asked = range ?? { start: 0, end: bytes - 1 };
    await this.lines.inLine(response, async () => {
      const chunks = await this.recordings.read(file, asked);
      response.set({
        'Accept-Ranges': 'bytes',
        // no-transform: players seek by bytes.
        'Cache-Control': 'private, no-cache, no-transform',
        'Content-Disposition': `inline; filename="${file.recording.scenarioRunId}.wav"`,
        ETag: etag,
      });
      response.setHeader('Content-Type', 'audio/wav');
      if (request.fresh) {
        response.status(304).end();
        return;
      }
      response.status(range === null ? 200 : 206).set('Content-Length', String(asked.end - asked.start + 1));
      if (range !== null) response.set('Content-Range', `bytes ${range.start}-${range.end}/${bytes}`);
      // The client has gone, or a piece has since it was checked: only a broken connection shows that the answer is incomplete.
      if (request.method === 'HEAD') response.end();
      else await pipeline(Readable.from(chunks), response).catch(() => response.destroy());
    });
  }

  @Serves(getRecordingPeaks)
  async peaks(
    @Param('id') id: string,
    @Query({ schema: getRecordingPeaks.query }) { per_second, ...part }: QueryOf<typeof getRecordingPeaks>,
    @Res() response: Response,
  ): Promise<void> {
    const peaks = await this.lines.inLine(response, () => this.recordings.peaks(id, part, per_second));
    sendDocument(response, jsonDocument(peaks));
  }

  @Serves(getSpokenTimeline)
  async timeline(
    @Param('id') id: string,
    @Query({ schema: getSpokenTimeline.query }) { format }: QueryOf<typeof getSpokenTimeline>,
    @Res() response: Response,
  ): Promise<void> {
    const timeline = await this.timelines.find(id);
    if (format === 'json') return sendDocument(response, jsonDocument(timeline));
    response.set({
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Disposition': `attachment; filename="${timeline.scenario_run_id}.txt"`,
    });
    response.send(labelTrack(timeline));
  }
}

/** Null where the whole file is to be sent: no range is asked for, several are, or they are of another state of it. */
function askedRange(request: Request, bytes: number, etag: string): ByteRange | null {
  const condition = request.get('If-Range');
  if (condition !== undefined && condition !== etag) return null;
  const ranges = request.range(bytes);
  if (ranges === -1) {
    request.res?.set('Content-Range', `bytes */${bytes}`);
    throw new HttpException('Range begins behind the end of the recording.', RANGE_NOT_SATISFIABLE);
  }
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  return ranges[0] ?? null;
}
