/** What was measured, by the command that the documentation names; bytes on the disk hold texts, rows and indexes. */
export interface Costs {
  readonly bytesOf: {
    readonly testRun: number;
    readonly scenarioRun: number;
    readonly turn: number;
    readonly event: number;
  };
  /** Write-ahead log for a turn with its event: most right after a checkpoint, when whole pages are logged. */
  readonly walBytesATurn: number;
  /** Milliseconds of a processor: the service's with models behind an API, and PostgreSQL's. */
  readonly serviceMsATurn: number;
  readonly databaseMsATurn: number;
  /** Resident bytes of each live scenario run. */
  readonly liveBytes: number;
}

/** What only the operator knows: how much is examined, and when. */
export interface Demand {
  readonly scenarioRunsADay: number;
  readonly scenariosARun: number;
  readonly turns: number;
  /** Seconds of a conversation besides its turns: connecting, marking. */
  readonly turnSeconds: number;
  readonly markingSeconds: number;
  /** The busiest hour in multiples of the average one. */
  readonly peak: number;
  readonly keptDays: number;
}

/** Events of a scenario run: started, one a turn, grading started, grading complete, complete. */
const EVENTS_BESIDE_TURNS = 4;
/** Changes of a scenario run: claimed, one a turn, marked; the last turn begins the grading. */
const COMMITS_BESIDE_TURNS = 2;
/** A processor that is busier than this makes work wait. */
const MOST_BUSY = 0.6;

export interface Needs {
  readonly turnsASecond: readonly [average: number, peak: number];
  readonly eventsASecond: readonly [average: number, peak: number];
  /** Without any that share a transaction. */
  readonly commitsASecond: readonly [average: number, peak: number];
  readonly walBytesASecond: readonly [average: number, peak: number];
  readonly walBytesADay: number;
  readonly bytesADay: number;
  readonly bytesKept: number;
  readonly rowsKept: { readonly turns: number; readonly events: number };
  /** Conversations under way at the peak. */
  readonly live: number;
  /** Processors at the peak, none of them busier than MOST_BUSY. */
  readonly serviceProcessors: number;
  readonly databaseProcessors: number;
  readonly liveBytes: number;
}

export function needsOf(demand: Demand, costs: Costs): Needs {
  const { scenarioRunsADay, scenariosARun, turns, peak, keptDays } = demand;
  const perSecond = scenarioRunsADay / 86_400;
  const rates = (each: number): readonly [number, number] => [perSecond * each, perSecond * each * peak];
  const events = turns + EVENTS_BESIDE_TURNS;
  const { testRun, scenarioRun, turn, event } = costs.bytesOf;
  const bytesADay = scenarioRunsADay * (testRun / scenariosARun + scenarioRun + turns * turn + events * event);
  const [, peakTurns] = rates(turns);
  return {
    turnsASecond: rates(turns),
    eventsASecond: rates(events),
    commitsASecond: rates(turns + COMMITS_BESIDE_TURNS),
    walBytesASecond: rates(turns * costs.walBytesATurn),
    walBytesADay: scenarioRunsADay * turns * costs.walBytesATurn,
    bytesADay,
    bytesKept: bytesADay * keptDays,
    rowsKept: { turns: scenarioRunsADay * turns * keptDays, events: scenarioRunsADay * events * keptDays },
    live: perSecond * peak * (turns * demand.turnSeconds + demand.markingSeconds),
    serviceProcessors: (peakTurns * costs.serviceMsATurn) / 1_000 / MOST_BUSY,
    databaseProcessors: (peakTurns * costs.databaseMsATurn) / 1_000 / MOST_BUSY,
    liveBytes: costs.liveBytes * perSecond * peak * (turns * demand.turnSeconds + demand.markingSeconds),
  };
}
