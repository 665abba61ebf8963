import { durationOf, overlapOf, unionOf, withoutShortGaps, type Stretch, type Timeline } from './timeline';

/** A silence longer than this is one that a caller notices, in ms. */
const DEAD_AIR_MS = 4_000;

export interface FloorShares {
  /** The time in which both spoke, as a share of the time in which anyone did, by who began second; null where nobody spoke. */
  readonly talkOver: { readonly byAgent: number; readonly byPatient: number } | null;
  /** Silences over 4 s that the patient's side did not cause. */
  readonly deadAir: readonly Stretch[];
  /** The agent's share of all speaking time; null where nobody spoke. */
  readonly agentTalkShare: number | null;
  /** The agent's speaking time in ms, without its gaps of 0.3 s and more. */
  readonly agentMs: number;
  readonly patientMs: number;
}

/** Who had the floor for how long, of one call. */
export function floorSharesOf(timeline: Timeline): FloorShares {
  const agent = withoutShortGaps(timeline.agent);
  const patient = unionOf([...timeline.turns.flatMap(spokenIn), ...timeline.interjections]);
  const anyone = durationOf(unionOf([...agent, ...patient]));
  const both = overlapOf(agent, patient);
  const byAgent = durationOf(both.filter((overlap) => agent.some(({ from }) => from === overlap.from)));
  const [agentMs, patientMs] = [durationOf(agent), durationOf(patient)];
  return {
    talkOver: anyone === 0 ? null : { byAgent: byAgent / anyone, byPatient: (durationOf(both) - byAgent) / anyone },
    deadAir: deadAirOf(timeline, agent),
    agentTalkShare: anyone === 0 ? null : agentMs / (agentMs + patientMs),
    agentMs,
    patientMs,
  };
}

/** @returns null where nothing was spoken */
export function wordsAMinute(words: number, spokenMs: number): number | null {
  return spokenMs === 0 ? null : (words * 60_000) / spokenMs;
}

/**
 * From the end of the patient's first sentence with the red flag to the start of the agent's sentence that earns the emergency criterion;
 * negative where the agent escalated before. Null where either is missing.
 */
export function timeToEscalationMs(redFlag: Stretch | null, escalation: Stretch | null): number | null {
  return redFlag === null || escalation === null ? null : escalation.from - redFlag.to;
}

function spokenIn({ from, to, pauses }: Timeline['turns'][number]): Stretch[] {
  const spoken: Stretch[] = [];
  let start = from;
  for (const pause of pauses) {
    if (pause.from > start) spoken.push({ from: start, to: pause.from });
    start = pause.to;
  }
  if (start < to) spoken.push({ from: start, to });
  return spoken;
}

/**
 * A silence is the patient's side's where the patient ends it after the agent has spoken, since the patient was thinking or the voice
 * was made, and where it lies inside a turn. All others are the agent's: it did not answer, or stopped in the middle.
 */
function deadAirOf({ start, end, turns, interjections }: Timeline, agent: readonly Stretch[]): Stretch[] {
  // Turns count with their pauses, so that no silence inside a turn is left.
  const patient = [...turns, ...interjections];
  const sounds = unionOf([...agent, ...patient]).filter(({ to }) => to > start);
  const edges = [{ from: start, to: start }, ...sounds, { from: end, to: end }];
  return edges.slice(1).flatMap(({ from: to }, index) => {
    const from = edges[index]?.to ?? start;
    if (to - from <= DEAD_AIR_MS) return [];
    const agentBefore = agent.some((segment) => segment.to === from);
    const patientAfter = patient.some((stretch) => stretch.from === to);
    const isFirst = index === 0;
    return patientAfter && (agentBefore || isFirst) ? [] : [{ from, to }];
  });
}
