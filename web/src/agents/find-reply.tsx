import { useMutation } from '@tanstack/react-query';
import { answersIn, isWholeStream, replyPlaceIn, WHOLE_ANSWER, WHOLE_EVENTS } from '../../../src/domain';
import type { AgentConfig, AgentTrial } from '../api/agents';
import { ApiError } from '../api/client';
import { Problem } from '../parts/problem';

export interface Connection {
  readonly provider: string;
  readonly config: AgentConfig;
}

/** The field of the config that says where the reply is, and its path. */
export interface FoundReply {
  readonly field: 'reply_path' | 'stream_reply_path';
  readonly path: string;
}

interface Props {
  readonly connection: Connection;
  readonly ask: (connection: Connection) => Promise<AgentTrial>;
  /** What the agent is told: a text that repeats it is no reply. */
  readonly message: string;
  readonly onFound: (connection: Connection, found: FoundReply) => void;
}

/** Finds where the answer of an HTTP API holds the reply, when the form does not say it. */
export function FindReply({ connection, ask, message, onFound }: Props) {
  const finding = useMutation({
    mutationFn: async () => placeIn(await ask(whole(connection)), message),
    onSuccess: (found) => onFound(connection, found),
  });
  const { provider, config } = connection;
  const isSaid = [config['reply_path'], config['stream_reply_path']].some((path) => typeof path === 'string');
  if (provider !== 'http' || isSaid) return null;
  return (
    <div className="stack">
      <button type="button" className="button" disabled={finding.isPending} onClick={() => finding.mutate()}>
        {finding.isPending ? 'Asking once more…' : 'Find the reply in its answer'}
      </button>
      {finding.isError && <Problem error={finding.error} />}
    </div>
  );
}

/** Shows the whole answer in place of the reply. */
function whole({ provider, config }: Connection): Connection {
  return { provider, config: { ...config, reply_path: WHOLE_ANSWER, stream_reply_path: WHOLE_EVENTS } };
}

function placeIn(trial: AgentTrial, message: string): FoundReply {
  if (!trial.ok) throw new ApiError(trial.error, 0);
  const place = replyPlaceIn(answersIn(trial.reply), message);
  if (place === null) {
    throw new ApiError('Nothing in the answer looks like a reply: enter its place under “Where the reply is”.', 0);
  }
  return { field: isWholeStream(trial.reply) ? 'stream_reply_path' : 'reply_path', path: place.path };
}
