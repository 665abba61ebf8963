import { Pool, type Dispatcher } from 'undici';
import { monotonicMs } from '../clock';
import { percentile } from '../statistics';
import { answerCommands } from './commands';
import { readCommand, type Served } from './read-load';

async function read(url: string, connections: number, seconds: number): Promise<Served> {
  const { origin, pathname, search } = new URL(url);
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const latencies: number[] = [];
  const usageBefore = process.cpuUsage();
  const began = monotonicMs();
  const until = began + seconds * 1000;
  const reader = async (): Promise<void> => {
    for (let sentAt = monotonicMs(); sentAt < until;) {
      await readOnce(pool, pathname + search);
      const answeredAt = monotonicMs();
      latencies.push(answeredAt - sentAt);
      sentAt = answeredAt;
    }
  };
  await Promise.all(Array.from({ length: connections }, reader));
  const wallMs = monotonicMs() - began;
  const { user, system } = process.cpuUsage(usageBefore);
  await pool.close();
  return {
    requestsPerSecond: (latencies.length * 1000) / wallMs,
    p99Ms: percentile(latencies, 99),
    processorShare: (user + system) / 1000 / wallMs,
  };
}

/** Uses undici's `dispatch`, without a stream for each body: the generator itself must not limit the measurement. */
function readOnce(pool: Pool, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined,
      onResponseStart: (controller, status) => {
        if (status !== 200) controller.abort(new Error(`${path} was answered ${status}.`));
      },
      onResponseData: () => undefined,
      onResponseEnd: () => resolve(),
      onResponseError: (_, error) => reject(error),
    };
    pool.dispatch({ path, method: 'GET' }, handler);
  });
}

answerCommands(readCommand, ({ url, connections, seconds }) => read(url, connections, seconds));
