import { UsageFailure } from '../failure';
import { checked, isWrong, type Wrong } from '../import/checked';
import { isHealthBenchLine } from '../import/healthbench-format';
import { valuesIn } from '../import/values-in';
import { isObject } from '../read-input';
import {
  isChat,
  isInspectLog,
  readChat,
  readHealthBench,
  readInspectSample,
  samplesOf,
  type Conversation,
} from './foreign-formats';
import { transcriptItem, type TranscriptItem } from '../../contract/transcripts';

export interface TranscriptProblem {
  /** Such as `transcripts.jsonl:12`. */
  readonly where: string;
  readonly problem: string;
}

export interface ReadTranscripts {
  readonly items: readonly TranscriptItem[];
  readonly problems: readonly TranscriptProblem[];
  /** The name of the agent, where a file gives it. */
  readonly agentName: string | null;
}

/** The service takes fewer; more than this need not be kept in memory to say so. */
const MOST_ITEMS = 20_000;

/**
 * Reads and checks every line before anything is sent: conversations as POST /api/v1/transcripts takes them, OpenAI's chat messages,
 * HealthBench's lines with an answer, Inspect's logs.
 * @param scenarioId the scenario for conversations that name neither scenario nor rubric; null for none
 * @throws UsageFailure when the file cannot be read
 */
export async function readTranscripts(path: string, scenarioId: string | null): Promise<ReadTranscripts> {
  const items: TranscriptItem[] = [];
  const problems: TranscriptProblem[] = [];
  let agentName: string | null = null;
  const take = (given: Conversation | Wrong, where: string): void => {
    const read = isWrong(given) ? given : checked(transcriptItem, marked(given, scenarioId));
    if (isWrong(read)) problems.push({ where, problem: read.wrong });
    else items.push(read.data);
    if (items.length > MOST_ITEMS) throw new UsageFailure(`More than ${MOST_ITEMS} conversations: give fewer.`);
  };
  for await (const { value, where } of valuesIn(path)) {
    if (value instanceof UsageFailure) take({ wrong: value.message }, where);
    else if (!isObject(value)) take({ wrong: 'must be a JSON object' }, where);
    else if (isInspectLog(value)) {
      const log = samplesOf(value);
      if (isWrong(log)) take(log, where);
      else {
        agentName ??= log.model;
        for (const [place, sample] of log.samples.entries())
          take(readInspectSample(sample), `${where} samples[${place}]`);
      }
    } else take(conversationOf(value), where);
  }
  return { items, problems, agentName };
}

function conversationOf(value: Conversation): Conversation | Wrong {
  if (isHealthBenchLine(value)) return readHealthBench(value);
  return isChat(value) ? readChat(value) : value;
}

function marked(given: Conversation, scenarioId: string | null): Conversation {
  const says = ['scenario_id', 'rubric_criteria'].some((field) => given[field] !== undefined && given[field] !== null);
  return says || scenarioId === null ? given : { ...given, scenario_id: scenarioId };
}
