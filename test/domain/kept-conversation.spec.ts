import { conversationWarning, sendsSession } from '../../src/domain/conversation';

const URL = 'http://agent.example/chat';

describe('who keeps a conversation', () => {
  it.each<[string, object]>([
    ['the agent, under an id in the body', { body: { text: '{{message}}', deep: [{ id: '{{ session_id }}' }] } }],
    ['the agent, under an id in a text', { body: '<say session="{{session_id}}">{{message}}</say>' }],
    ['the agent, under an id in the address', { url: `${URL}/{{session_id}}?q={{message}}` }],
    ['the agent, under an id in an escaped address', { url: `${URL}?s=%7B%7Bsession_id%7D%7D` }],
    ['the agent, under an id in a header', { headers: { 'x-session': '{{session_id}}' } }],
    ['the agent, under an id in a masked header', { headers: { authorization: 'Bear••••••••{{session_id}}' } }],
    [
      'the agent, under an id in a masked field',
      { body: { text: '{{message}}', session: 'id-{••••••••{{session_id}}' } },
    ],
    ['the service, in messages', { body: { messages: '{{messages}}' } }],
    ['the service, in the history', { body: { q: '{{message}}', before: ['{{history}}'] } }],
  ])('%s', (_name, config) => {
    expect(conversationWarning('http', { url: URL, body: { text: '{{message}}' }, ...config })).toBeNull();
  });

  it.each<[string, object, string]>([
    ['nobody', {}, 'Nothing in the config carries the conversation'],
    ['nobody, beside a masked key', { headers: { authorization: 'Bear••••••••' } }, 'Nothing in the config'],
    ['nobody, though the agent names it', { session_id_path: 'id' }, 'session_id_path is set, but no message carries'],
    ['nobody, though the agent names it in camelCase', { sessionIdPath: 'id' }, 'session_id_path is set, but'],
  ])('%s', (_name, config, sentence) => {
    const warning = conversationWarning('http', { url: URL, body: { text: '{{message}}' }, ...config });
    expect(warning).toContain(sentence);
    expect(warning).toContain('{{session_id}}');
  });

  it('is not asked of kinds that keep it themselves, nor of a config without an address', () => {
    expect(conversationWarning('openai', { url: URL })).toBeNull();
    expect(conversationWarning('http', { body: { text: '{{message}}' } })).toBeNull();
  });

  it('knows whether messages carry the id of a session', () => {
    expect(sendsSession({ body: { id: '{{ session_id }}' } })).toBe(true);
    expect(sendsSession({ body: '{{messages}}' })).toBe(false);
  });
});
