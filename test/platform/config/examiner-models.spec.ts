import { SettingsError, settingsFrom } from '../../../src/platform/config/settings';

const MODEL_NAMES = "a model such as anthropic/claude-sonnet-5-5 or openai/gpt-5.1 (a bare name is Anthropic's)";

function examiners(variables: Readonly<Record<string, string>>) {
  return settingsFrom(variables).examiners;
}

describe('which models play and mark', () => {
  it('is nobody without a key', () => {
    expect(examiners({})).toMatchObject({ tester: null, judge: null, allowed: [] });
    expect(examiners({ TESTER_MODEL: 'claude-haiku-4-5' })).toMatchObject({ tester: null, judge: null });
    // A key of agents is none of examiners.
    expect(examiners({ OPENAI_API_KEY: 'sk-agents' })).toMatchObject({ tester: null, judge: null, keys: [] });
  });

  it('is Anthropic’s by a bare name, and by its prefix', () => {
    const { tester, judge, allowed } = examiners({
      ANTHROPIC_API_KEY: 'sk-ant',
      TESTER_MODEL: 'claude-haiku-4-5',
      JUDGE_MODEL: 'anthropic/claude-haiku-4-5',
    });
    const connection = {
      vendor: 'anthropic',
      model: 'claude-haiku-4-5',
      apiKey: 'sk-ant',
      baseUrl: null,
      keyVariable: 'ANTHROPIC_API_KEY',
      addressVariable: 'ANTHROPIC_BASE_URL',
    };
    expect(tester).toEqual(connection);
    expect(judge).toEqual(connection);
    expect(allowed).toEqual([{ name: 'anthropic/claude-haiku-4-5', tester: connection, judge: connection }]);
  });

  it('is any server’s by EXAMINER_BASE_URL, beside another vendor’s', () => {
    const { tester, judge } = examiners({
      ANTHROPIC_API_KEY: 'sk-ant',
      EXAMINER_API_KEY: 'sk-examiner',
      EXAMINER_BASE_URL: 'http://models.internal:8000/v1',
      JUDGE_MODEL: 'openai/meta-llama/Llama-3.1-8B',
    });
    expect(tester).toMatchObject({ vendor: 'anthropic', apiKey: 'sk-ant', baseUrl: null });
    expect(judge).toMatchObject({
      vendor: 'openai',
      model: 'meta-llama/Llama-3.1-8B',
      apiKey: 'sk-examiner',
      baseUrl: 'http://models.internal:8000/v1',
    });
  });

  it('plays offline where only the judge has a model', () => {
    const { tester, judge } = examiners({ EXAMINER_API_KEY: 'sk-examiner', JUDGE_MODEL: 'openai/gpt-4o' });
    expect(tester).toBeNull();
    expect(judge).toMatchObject({ model: 'gpt-4o', baseUrl: null });
  });

  it('has a role’s own key and address before the shared ones', () => {
    const { tester, judge } = examiners({
      TESTER_MODEL: 'openai/small',
      JUDGE_MODEL: 'openai/large',
      EXAMINER_API_KEY: 'sk-shared',
      EXAMINER_BASE_URL: 'http://shared:1/v1',
      JUDGE_API_KEY: 'sk-judge',
      JUDGE_BASE_URL: 'http://judge:2/v1',
    });
    expect(tester).toMatchObject({ apiKey: 'sk-shared', baseUrl: 'http://shared:1/v1' });
    expect(judge).toMatchObject({
      apiKey: 'sk-judge',
      baseUrl: 'http://judge:2/v1',
      keyVariable: 'JUDGE_API_KEY',
      addressVariable: 'JUDGE_BASE_URL',
    });
  });

  it('lets a configured model take the other role where it is', () => {
    const { allowed } = examiners({
      ANTHROPIC_API_KEY: 'sk-ant',
      JUDGE_MODEL: 'openai/large',
      JUDGE_API_KEY: 'sk-judge',
      JUDGE_BASE_URL: 'http://judge:2/v1',
    });
    expect(allowed.map(({ name }) => name)).toEqual(['anthropic/claude-sonnet-5-5', 'openai/large']);
    expect(allowed[1]?.tester).toMatchObject({ apiKey: 'sk-judge', baseUrl: 'http://judge:2/v1' });
  });

  it.each([
    [
      'an unknown prefix',
      { TESTER_MODEL: 'mistral/large' },
      `TESTER_MODEL must be ${MODEL_NAMES}; it is "mistral/large".`,
    ],
    ['a name without a model', { JUDGE_MODEL: 'openai/' }, `JUDGE_MODEL must be ${MODEL_NAMES}; it is "openai/".`],
    ['a name with spaces', { JUDGE_MODEL: 'gpt 4o' }, `JUDGE_MODEL must be ${MODEL_NAMES}; it is "gpt 4o".`],
    [
      'an unknown prefix in the list',
      { ALLOWED_MODELS: 'claude-haiku-4-5,google/gemini' },
      `ALLOWED_MODELS must be models separated by commas, each ${MODEL_NAMES}; it is "claude-haiku-4-5,google/gemini".`,
    ],
    [
      'a missing key',
      { JUDGE_MODEL: 'openai/gpt-4o', OPENAI_API_KEY: 'sk-agents' },
      'JUDGE_MODEL names openai/gpt-4o, and there is no key for it as a judge: set EXAMINER_API_KEY or JUDGE_API_KEY (for a server that asks for none, any word).',
    ],
    [
      'a missing key for a full name',
      { TESTER_MODEL: 'anthropic/claude-haiku-4-5' },
      'TESTER_MODEL names anthropic/claude-haiku-4-5, and there is no key for it as a tester: set ANTHROPIC_API_KEY or TESTER_API_KEY (for a server that asks for none, any word).',
    ],
    [
      'a missing key in the list',
      { ANTHROPIC_API_KEY: 'sk-ant', ALLOWED_MODELS: 'claude-haiku-4-5, openai/gpt-4o' },
      'ALLOWED_MODELS names openai/gpt-4o, and there is no key for it as a tester: set EXAMINER_API_KEY (for a server that asks for none, any word).',
    ],
    [
      'a key that would go elsewhere',
      { JUDGE_MODEL: 'openai/large', EXAMINER_API_KEY: 'sk-shared', JUDGE_BASE_URL: 'http://judge:2/v1' },
      'JUDGE_BASE_URL is set and JUDGE_API_KEY is not: EXAMINER_API_KEY was given for another server and is not sent there. Set JUDGE_API_KEY too.',
    ],
  ])('refuses %s at start, in one sentence', (_, variables, sentence) => {
    expect(() => settingsFrom(variables)).toThrow(new SettingsError(sentence));
  });

  it('sends a shared key to another path of the server that it was given for', () => {
    const { judge } = examiners({
      JUDGE_MODEL: 'openai/large',
      EXAMINER_API_KEY: 'sk-shared',
      EXAMINER_BASE_URL: 'https://azure.example/one/v1',
      JUDGE_BASE_URL: 'https://azure.example/two/v1',
    });
    expect(judge).toMatchObject({ apiKey: 'sk-shared', baseUrl: 'https://azure.example/two/v1' });
  });
});
