import type { AnyStateNode, AnyTransitionDefinition } from 'xstate';

/** What makes a transition happen, in the parts of a sentence. */
interface Reason {
  /** The effect that ended, or the event from outside; empty where only a guard decides. */
  readonly subject: string;
  /** How the effect ended. */
  readonly outcomes: string;
  readonly guard: string;
}

/** The transitions of a state itself, each guarded candidate by itself. */
export function transitionsOf(node: AnyStateNode): readonly AnyTransitionDefinition[] {
  return [...[...node.transitions.values()].flat(), ...(node.always ?? [])];
}

/** "connect done or failed [has failure]", "record turn, record verdict done [was canceled]": one item a reason. */
export function reasonsOf(transitions: readonly AnyTransitionDefinition[]): readonly string[] {
  const byOutcome = merged(transitions.map(reasonOf), 'outcomes', ' or ');
  return merged(byOutcome, 'subject', ', ')
    .map(({ subject, outcomes, guard }) => [subject, outcomes, guard].filter((part) => part !== '').join(' '))
    .filter((reason) => reason !== '');
}

/** "connect done", "run canceled"; empty for a transition that only a guard decides. */
export function eventWords(eventType: string): string {
  const { subject, outcomes } = eventOf(eventType);
  return outcomes === '' ? subject : `${subject} ${outcomes}`;
}

/** "event / action": what a transition does that does not leave its state. */
export function reactionOf(transition: AnyTransitionDefinition): string {
  return `${eventOf(String(transition.eventType)).subject} / ${transition.actions.map(nameOf).map(words).join(', ')}`;
}

/** `recordingTurn` → `recording turn`. */
export function words(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Joins the reasons that differ in one part only. */
function merged(reasons: readonly Reason[], part: 'subject' | 'outcomes', separator: string): readonly Reason[] {
  const groups = new Map<string, Reason>();
  for (const reason of reasons) {
    const rest = JSON.stringify({ ...reason, [part]: reason[part] === '' ? '' : null });
    const earlier = groups.get(rest);
    const joined = earlier === undefined ? reason[part] : `${earlier[part]}${separator}${reason[part]}`;
    groups.set(rest, { ...reason, [part]: joined });
  }
  return [...groups.values()];
}

function reasonOf(transition: AnyTransitionDefinition): Reason {
  const guard = transition.guard === undefined ? otherwise(transition) : words(nameOf(transition.guard));
  return { ...eventOf(String(transition.eventType)), guard: guard === '' ? '' : `[${guard}]` };
}

/** A candidate without a guard, after others that have one. */
function otherwise(transition: AnyTransitionDefinition): string {
  const candidates = transitionsOf(transition.source).filter(({ eventType }) => eventType === transition.eventType);
  return candidates.length > 1 ? 'otherwise' : '';
}

/** XState names the end of an invoked effect `xstate.done.actor.<id>` or `xstate.error.actor.<id>`. */
function eventOf(eventType: string): Pick<Reason, 'subject' | 'outcomes'> {
  const [, outcome, effect] = /^xstate\.(done|error)\.actor\.(.+)$/.exec(eventType) ?? [];
  if (effect === undefined) return { subject: words(eventType), outcomes: '' };
  return { subject: words(effect), outcomes: outcome === 'done' ? 'done' : 'failed' };
}

/** @throws Error for an inline guard or action: every one of a chart is named in its `setup()`. */
export function nameOf(part: unknown): string {
  if (typeof part === 'string') return part;
  if (typeof part === 'object' && part !== null && 'type' in part && typeof part.type === 'string') return part.type;
  throw new Error('Every guard and action of a chart has a name.');
}
