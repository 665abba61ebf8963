import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Section } from '../bench';
import { LOOP_WATCH_PORT } from '../processes/loop-watch';
import { listenOnLoopback } from '../processes/listen';
import { untilFinal } from '../runs';
import { benchScenarios } from '../scenarios';
import { findFreePort, ServiceProcess } from '../service-process';
import { largest, median, rangeOf } from '../statistics';

const SCENARIOS = 6;
const TURNS = 5;
const IDLE_FOR_MS = 5_000;
/** A little less than the limit of an answer, since its envelope counts too. */
const ALMOST_A_MIB = 1024 * 1024 - 4_096;

/** What the agent answers in every turn, in place of advice. */
const REPLIES: readonly (readonly [name: string, reply: string])[] = [
  ['a sentence', 'Please call an ambulance now.'],
  ['30,000 full stops and a letter', `${'.'.repeat(30_000)}a`],
  ['1 MiB of full stops', '.'.repeat(ALMOST_A_MIB)],
  ['1 MiB of blanks between two letters', `a${' '.repeat(ALMOST_A_MIB - 2)}a`],
  ['1 MiB without a blank', 'a'.repeat(ALMOST_A_MIB)],
  ['1 MiB of sentences', 'Please call an ambulance now. '.repeat(ALMOST_A_MIB / 30)],
  ['1 MiB of marks that join', '\u0301'.repeat(ALMOST_A_MIB / 2)],
  ['1 MiB of quotation marks', '"'.repeat(ALMOST_A_MIB / 2)],
];

/** How long the event loop of a service stands still while agents send extreme replies. */
export const loop: Section = {
  name: 'loop',
  about: `longest pause of the event loop while ${SCENARIOS} agents at a time give hostile replies; floor: an idle service`,
  run: async (bench) => {
    let reply = '';
    const agent = createServer((request, response) => {
      request.resume().on('end', () => {
        const body = JSON.stringify({ choices: [{ message: { role: 'assistant', content: reply } }] });
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
      });
    });
    const agentUrl = await listenOnLoopback(agent);
    bench.keep({ stop: () => new Promise((done) => agent.close(done).closeAllConnections()) });
    const port = await findFreePort();
    const service = bench.keep(
      await ServiceProcess.start({
        nodeArguments: ['--require', resolve(__dirname, '..', 'processes', 'loop-watch.js')],
        settings: { [LOOP_WATCH_PORT]: String(port) },
      }),
    );
    const longestPause = async (): Promise<number> => Number(await (await fetch(`http://127.0.0.1:${port}`)).text());
    const agentId = await service.client.createAgent(agentUrl);
    const scenarioIds = await service.client.createScenarios(benchScenarios(SCENARIOS));
    const examine = async (text: string): Promise<number> => {
      reply = text;
      await longestPause();
      const runId = await service.client.startRun({ agentId, scenarioIds, turns: TURNS, concurrency: SCENARIOS });
      await untilFinal(service.client, runId);
      return longestPause();
    };
    // Warms up the compiler.
    for (const [, text] of REPLIES.slice(0, 2)) await examine(text);
    for (const [name, text] of REPLIES) await measure(bench, name, () => examine(text), longestPause);
  },
};

async function measure(
  bench: Bench,
  name: string,
  examine: () => Promise<number>,
  longestPause: () => Promise<number>,
): Promise<void> {
  const floors: number[] = [];
  const values: number[] = [];
  for (let round = 1; round <= bench.rounds(3); round += 1) {
    bench.progress(`loop: ${name}, round ${round}`);
    await longestPause();
    await sleep(IDLE_FOR_MS);
    floors.push(await longestPause());
    values.push(await examine());
  }
  bench.report({
    section: 'loop',
    what: `longest pause of the event loop: ${name}`,
    load: `${SCENARIOS} scenarios at once, ${TURNS} turns, answered at once`,
    unit: 'ms',
    value: median(values),
    range: rangeOf(values),
    floor: largest(floors),
    goal: { of: 'value', is: 'at most', limit: 50 },
  });
}
