// In place of a program of agents of known delays: what an agent is commanded to do says what becomes of it.
const agents = new Set();

function tell(agent, event) {
  process.send({ agent, event });
}

process.on('message', ({ type, agent, command }) => {
  if (type === 'end') {
    agents.delete(agent);
    // The others tell that they were told of it.
    for (const other of agents) {
      tell(other, { type: 'answered', turn: 0, heardEnd: 1, from: 2, to: 3, isReliable: true, interruptedAt: null });
    }
    return;
  }
  agents.add(agent);
  if (command.exits !== undefined) process.exit(command.exits);
  if (command.killed) process.kill(process.pid, 'SIGTERM');
  process.send('no report');
  tell('of somebody else', { type: 'ready' });
  if (command.fails) tell(agent, { type: 'failed', reason: command.fails });
  else if (!command.killed && !command.waits) tell(agent, { type: 'ready', url: `ws://${process.pid}/${agent}` });
});
