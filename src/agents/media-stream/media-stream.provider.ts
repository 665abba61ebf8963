import { withRetries } from '../../platform/outbound';
import type { TargetGuard } from '../../platform/targets';
import { Afterwork } from '../afterwork';
import { readMediaStreamConfig } from '../config';
import { agentRetries } from '../outbound/agent-retries';
import type { Clock } from '../outbound/clock';
import { limiterKey, type Limiter } from '../outbound/limiter';
import { Provider, type Availability, type ConnectRequest, type Session } from '../provider';
import { Secrets } from '../secrets/secrets';
import { PatientCall } from '../voice/patient-call';
import { SpokenSession } from '../voice/spoken-session';
import { AgentLine, idsOf } from './agent-line';
import { needsEar, onlySpoken, StreamClosed } from './line-failure';
import type { LineThread } from './line-thread';

/** Ringing includes its retries. */
const RING_DEADLINE_MS = 60_000;

/** How long silence must last on a line, in milliseconds; tests shorten it. */
export interface LineTimes {
  /** An agent that greets begins by then. */
  readonly greeting: number;
  /** An agent may speak for this long in a turn: then the patient takes the floor. */
  readonly longestSpeech: number;
}

export const LINE_TIMES: LineTimes = { greeting: 4_000, longestSpeech: 120_000 };

export interface MediaStreamParts {
  readonly lines: LineThread;
  readonly targets: TargetGuard;
  readonly limiter: Limiter;
  readonly clock: Clock;
  readonly times?: LineTimes | undefined;
}

/** An agent that takes telephone calls: its server is rung as Twilio Media Streams rings it. Its call ends with the process, so a conversation starts again. */
export class MediaStreamProvider extends Provider {
  override readonly kind = 'media-stream';
  override readonly resumable = false;
  override readonly speaks = true;
  override readonly isVoiceOnly = true;
  private readonly afterwork = new Afterwork();

  constructor(private readonly parts: MediaStreamParts) {
    super();
  }

  override availability(): Availability {
    return { available: true };
  }

  override async connect(request: ConnectRequest, signal: AbortSignal): Promise<Session> {
    const config = readMediaStreamConfig(request.config);
    const { spoken: patient, scenarioRunId, attempt } = request;
    if (patient === undefined) throw onlySpoken();
    if (!patient.hearsWords) throw needsEar();
    const { lines, targets, limiter, clock, times = LINE_TIMES } = this.parts;
    const secrets = request.secrets ?? Secrets.of(request.config);
    const ids = idsOf(scenarioRunId, attempt);
    const address = { url: config.url, headers: config.headers, customParameters: config.custom_parameters, ids };
    const deadline = clock.now() + RING_DEADLINE_MS;
    const retries = { maxRetries: config.max_retries, deadline: () => deadline, clock, signal };
    await request.assureOwnership?.(signal);
    const ring = () => AgentLine.ring(lines, targets, address, secrets, signal);
    const line = await withRetries(ring, agentRetries(retries));
    const cleanUp = () => this.afterwork.keep(line.leave());
    try {
      const call = await PatientCall.begin(line, patient, signal);
      const greeting = await call.greeting(line, times.greeting, signal);
      return new SpokenSession(
        {
          call,
          account: line,
          failure: () => line.failure,
          hasHungUp: (error) => error instanceof StreamClosed && error.isOrderly && config.closing_ends_conversation,
          noVoice: () => line.neverHeard(),
          secrets,
          config,
          longestSpeechMs: times.longestSpeech,
          limiter,
          limiterKey: limiterKey(config.url.origin, config.headers['authorization'] ?? ''),
          assureOwnership: request.assureOwnership,
          facts: () => ({ stream_sid: ids.streamSid, call_sid: ids.callSid, ...line.facts }),
          cleanUp,
        },
        greeting,
      );
    } catch (error) {
      await cleanUp();
      throw error;
    }
  }

  /** Waits until all calls have been hung up. */
  settled(): Promise<void> {
    return this.afterwork.settled();
  }
}
