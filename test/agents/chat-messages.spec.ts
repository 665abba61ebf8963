import { ChatMessages } from '../../src/agents/chat-messages';

const FORMAT = { role: 'from', content: 'text', user: 'human', assistant: 'bot' };

async function conversation(format?: typeof FORMAT): Promise<ChatMessages> {
  const messages = new ChatMessages(format);
  await messages.add('system', 'Be kind.');
  await messages.add('user', 'Hi "there"');
  await messages.add('assistant', 'Hello.');
  return messages;
}

const SPOKEN = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: 'Hi "there"' },
  { role: 'assistant', content: 'Hello.' },
];
const NEXT = { role: 'user', content: 'What now?' };

it('A conversation is sent whole, with the next message after it and other fields before it', async () => {
  const messages = await conversation();
  const body = async (fields: object) => JSON.parse((await messages.bodyWith({ ...fields }, 'What now?')).toString());
  expect(await body({ model: 'm', temperature: undefined })).toEqual({ model: 'm', messages: [...SPOKEN, NEXT] });
  expect(await body({ temperature: undefined })).toEqual({ messages: [...SPOKEN, NEXT] });
  expect(messages.bytes).toBe(SPOKEN.reduce((sum, message) => sum + JSON.stringify(message).length, 0));
});

it('A conversation is a list, with or without the next message', async () => {
  const messages = await conversation();
  expect(JSON.parse(messages.listWith('What now?').toString())).toEqual([...SPOKEN, NEXT]);
  expect(JSON.parse(messages.listWith(null).toString())).toEqual(SPOKEN);
  expect(new ChatMessages().listWith(null).toString()).toBe('[]');
  expect(JSON.parse(new ChatMessages().listWith('What now?').toString())).toEqual([NEXT]);
});

it('A conversation is written in the names of the agent’s API', async () => {
  const messages = await conversation(FORMAT);
  expect(JSON.parse(messages.listWith('What now?').toString())).toEqual([
    { from: 'system', text: 'Be kind.' },
    { from: 'human', text: 'Hi "there"' },
    { from: 'bot', text: 'Hello.' },
    { from: 'human', text: 'What now?' },
  ]);
});

it('A conversation counts its bytes, not its characters', async () => {
  const messages = new ChatMessages();
  await messages.add('user', 'é');
  expect(messages.bytes).toBe('{"role":"user","content":""}'.length + 2);
});
