import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { InProcessRequestBudget } from '../../../src/agents/outbound/in-process.request-budget';
import { ProviderRegistry } from '../../../src/agents/registry';
import { UnknownKey, UnopenedSecret, Vault } from '../../../src/platform/database/encryption/vault';

const newKey = () => randomBytes(32).toString('base64');
const PLACE = 'agents.config of 1';

describe('the vault', () => {
  const [old, young] = [newKey(), newKey()];
  const vault = Vault.of([young, old]);

  it('gives back what it has sealed, whatever it is, and never seals the same twice alike', () => {
    const documents = fc.dictionary(
      fc.string().filter((name) => name !== '$sealed' && name !== '__proto__'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), documents, (text, document) => {
        const stored = JSON.parse(JSON.stringify(document));
        expect(vault.openText(vault.sealText(text, PLACE), PLACE)).toBe(text.toWellFormed());
        expect(vault.openDocument(vault.sealDocument(stored, PLACE), PLACE)).toEqual(stored);
      }),
    );
    expect(vault.sealText('same', PLACE)).not.toBe(vault.sealText('same', PLACE));
  });

  it('shows nothing of what it has sealed but a model’s name', () => {
    const config = {
      api_key: 'sk-canary',
      base_url: 'https://canary.example',
      model: 'gpt-4o-mini',
      headers: { canary: 1 },
    };
    const sealed = vault.sealDocument(config, PLACE);
    expect(Object.keys(sealed)).toEqual(['$sealed', 'model', 'base_url']);
    expect(sealed['model']).toBe('gpt-4o-mini');
    expect(JSON.stringify(sealed)).not.toContain('canary');
    for (const model of ['https://me:pw@models.example/x?key=1', 'two words', 7, { secret: 1 }, 'x'.repeat(600)]) {
      expect(vault.sealDocument({ model }, PLACE)['model']).toBeUndefined();
    }
  });

  it('opens nothing that was moved to another place, or changed', () => {
    const sealed = vault.sealText('secret', PLACE);
    expect(() => vault.openText(sealed, 'agents.config of 2')).toThrow(UnopenedSecret);
    expect(() => vault.openText(sealed, 'webhooks.secret of 1')).toThrow(UnopenedSecret);
    const at = sealed.lastIndexOf('$') + 1;
    for (const place of [at, at + 20, at + 40, sealed.length - 3]) {
      const other = sealed[place] === 'A' ? 'B' : 'A';
      expect(() => vault.openText(sealed.slice(0, place) + other + sealed.slice(place + 1), PLACE)).toThrow(
        UnopenedSecret,
      );
    }
    expect(() => vault.openText(sealed.slice(0, at + 10), PLACE)).toThrow(UnopenedSecret);
  });

  it('seals with the first key and opens with both', () => {
    const before = Vault.of([old]).sealText('secret', PLACE);
    expect(vault.openText(before, PLACE)).toBe('secret');
    expect(Vault.of([young]).openText(vault.sealText('secret', PLACE), PLACE)).toBe('secret');
    expect(() => Vault.of([young]).openText(before, PLACE)).toThrow(
      `${PLACE} is encrypted with the key ${Vault.of([old]).sealingKeyId}, and SECRETS_KEY has ${Vault.of([young]).sealingKeyId}.`,
    );
    expect(() => Vault.of([]).openText(before, PLACE)).toThrow('SECRETS_KEY is not set');
    expect(() => Vault.of([young]).openText(before, PLACE)).toThrow(UnknownKey);
    expect(() => vault.openText(before, 'agents.config of 2')).not.toThrow(UnknownKey);
  });

  it('leaves plain text as it is where plain comes first, and still opens', () => {
    const plain = Vault.of(['plain', old]);
    expect(plain.sealText('secret', PLACE)).toBe('secret');
    expect(plain.sealDocument({ api_key: 'x' }, PLACE)).toEqual({ api_key: 'x' });
    expect(plain.openText(Vault.of([old]).sealText('secret', PLACE), PLACE)).toBe('secret');
    expect(vault.openDocument({ api_key: 'x' }, PLACE)).toEqual({ api_key: 'x' });
  });

  it('takes no sealed text from a client', () => {
    const forged = vault.sealDocument({ api_key: 'x' }, PLACE);
    for (const some of [vault, Vault.of([])]) {
      expect(some.openDocument(some.sealDocument(forged, PLACE), PLACE)).not.toHaveProperty('$sealed');
    }
  });

  it('does not name keys by what tells anything of them', () => {
    for (const id of vault.keyIds) expect(id).toMatch(/^[0-9a-f]{8}$/);
    expect(new Set(vault.keyIds).size).toBe(2);
  });
});

/** A release that knows nothing of sealed configs takes them for configs with an unknown field. */
describe('a sealed config', () => {
  const registry = new ProviderRegistry({ budget: new InProcessRequestBudget() });
  afterAll(() => registry.close());
  const given = {
    url: 'https://agent.example',
    base_url: 'https://agent.example/v1',
    api_key: 'k',
    model: 'gpt-4o-mini',
  };

  it.each(registry.kinds)('is refused by %s, so that nothing is sent anywhere', async (kind) => {
    const config = Vault.of([newKey()]).sealDocument(given, PLACE);
    const connecting = registry
      .find(kind)
      ?.connect(
        { agentId: 'a', config, scenarioRunId: 's', attempt: 1, history: [], continuation: null },
        new AbortController().signal,
      );
    await expect(connecting).rejects.toMatchObject({ code: 'config_invalid' });
  });
});
