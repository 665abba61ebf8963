import type { Step } from '../fakes/http-stub';

/** What a server does instead of answering like its kind of agent. */
export interface HostileAnswer {
  readonly name: string;
  readonly step: Step;
  /** Only the deadline ends it. */
  readonly isEndless?: boolean;
}
