import { agentFromLine } from '../../../src/agents/curl/agent-from-line';

const SURROUNDINGS = { environment: { KEY: 'abc' }, readFile: () => Promise.reject(new Error('There are no files.')) };
const agentOf = (line: string | readonly string[]) => agentFromLine(line, { replacesSession: true }, SURROUNDINGS);

it('A line makes an agent that is named after its host, with or without the prompt before it', async () => {
  const expected = {
    name: 'agents.example.org',
    config: { url: 'https://agents.example.org:8443/chat', api_key: 'abc', body: { message: '{{message}}' } },
    messageAt: 'body.message',
  };
  const line = `curl https://agents.example.org:8443/chat -H "Authorization: Bearer $KEY" -d '{"message": "Hi"}'`;
  expect(await agentOf(`  $ ${line}\n`)).toMatchObject(expected);
  expect(await agentOf(line)).toMatchObject(expected);
});

it('A dollar sign within a line is no prompt', async () => {
  const line = `curl http://a.example --json '{"message": "Hi", "note": "5 $ more"}'`;
  expect(await agentOf(line)).toMatchObject({ config: { body: { message: '{{message}}', note: '5 $ more' } } });
});

it('Words that a shell has split are taken as they are', async () => {
  const words = ['curl', 'http://a.example', '--json', '{"message": "$KEY | `x`"}'];
  expect(await agentOf(words)).toMatchObject({ name: 'a.example', config: { body: { message: '{{message}}' } } });
});

it.each([
  [
    'curl http://a.example -d message=Hi | jq .',
    'After the command the line goes on with "|": put the address in quotes',
  ],
  ['curl http://a.example?a=1&message=Hi', 'After the command the line goes on with "&": put the address in quotes'],
  [
    'curl http://a.example -d message=Hi\nls',
    'After the command the line goes on with another line: put the address in quotes',
  ],
])('A line that goes on after its command is refused: %j', async (line, sentence) => {
  await expect(agentOf(line)).rejects.toThrow(sentence);
});
