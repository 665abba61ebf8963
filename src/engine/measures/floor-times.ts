import { floorSharesOf } from '../audio/floor-shares';
import type { Stretch, Timeline } from '../audio/timeline';
import { utteredIn, wordsOf, type MeasuredTurn } from './measured-turn';

export interface FloorTimes {
  readonly agentMs: number;
  readonly patientMs: number;
  /** In which anyone spoke, and in which both did, by who came second. */
  readonly anyoneMs: number;
  readonly overByAgentMs: number;
  readonly overByPatientMs: number;
  /** Dead silences, in ms since the call began. */
  readonly deadAir: readonly Stretch[];
  readonly agentWords: number;
  readonly patientWords: number;
}

/**
 * Who spoke for how long, of the reliable turns alone: a turn's part of the call lasts until the next one begins. Parts that follow each
 * other are read together, so that the silence between them is one.
 */
export function floorOf(
  { turns, language }: { readonly turns: readonly MeasuredTurn[]; readonly language: string },
  whole: Timeline,
): FloorTimes {
  const sum = {
    agentMs: 0,
    patientMs: 0,
    anyoneMs: 0,
    overByAgentMs: 0,
    overByPatientMs: 0,
    agentWords: 0,
    patientWords: 0,
  };
  const silences: Stretch[] = [];
  for (const { start, end } of reliableParts(whole)) {
    const within = ({ from }: { readonly from: number }): boolean => from >= start && from < end;
    const [spoken, interjected] = [whole.turns.filter(within), whole.interjections.filter(within)];
    const agent = whole.agent.filter(within).map(({ from, to }) => ({ from, to: Math.min(to, end) }));
    // After the agent's last words the patient thinks: a part that is cut off there has no silence of the agent's at its end.
    const lastOfAgent = agent.at(-1)?.to ?? start;
    const lastOfPatient = Math.max(start, ...[...spoken, ...interjected].map(({ to }) => to));
    const { talkOver, deadAir, agentMs, patientMs } = floorSharesOf({
      start,
      end: end < whole.end && lastOfAgent > lastOfPatient ? lastOfAgent : end,
      turns: spoken,
      interjections: interjected,
      agent,
    });
    const overlap = talkOver === null ? 0 : talkOver.byAgent + talkOver.byPatient;
    const anyoneMs = (agentMs + patientMs) / (1 + overlap);
    sum.agentMs += agentMs;
    sum.patientMs += patientMs;
    sum.anyoneMs += anyoneMs;
    sum.overByAgentMs += (talkOver?.byAgent ?? 0) * anyoneMs;
    sum.overByPatientMs += (talkOver?.byPatient ?? 0) * anyoneMs;
    silences.push(...deadAir);
  }
  for (const { said, replied, spoken } of turns) {
    if (!spoken.timing_reliable) continue;
    sum.patientWords += wordsOf(utteredIn(said, spoken), language).length;
    if (!spoken.inaudible) sum.agentWords += wordsOf(spoken.heard ?? spoken.own ?? replied, language).length;
  }
  return { ...sum, deadAir: silences };
}

function reliableParts({ turns, start, end }: Timeline): { readonly start: number; readonly end: number }[] {
  const parts: { start: number; end: number }[] = [];
  let isOpen = false;
  for (const [at, { from, reliable }] of turns.entries()) {
    const until = turns[at + 1]?.from ?? end;
    const last = parts.at(-1);
    if (!reliable) isOpen = false;
    else if (isOpen && last !== undefined) last.end = until;
    else {
      parts.push({ start: at === 0 ? Math.min(start, from) : from, end: until });
      isOpen = true;
    }
  }
  return parts;
}
