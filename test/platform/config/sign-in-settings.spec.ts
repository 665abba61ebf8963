import { SettingsError, settingsFrom } from '../../../src/platform/config/settings';

const WHOLE = {
  OIDC_ISSUER: 'https://login.example/realms/clinic',
  OIDC_CLIENT_ID: 'osce',
  OIDC_ADMINS: 'platform',
  PUBLIC_URL: 'https://osce.example/',
};

it('a provider, a client, a place to come back to and one group with a role are enough', () => {
  const { signIn, isGuarded } = settingsFrom(WHOLE);
  expect(isGuarded).toBe(true);
  expect(signIn).toEqual({
    issuer: WHOLE.OIDC_ISSUER,
    clientId: 'osce',
    clientSecret: null,
    scopes: 'openid profile email',
    groupsClaim: 'groups',
    groups: { viewer: [], reviewer: [], runner: [], admin: ['platform'] },
    sessionHours: 12,
    publicUrl: 'https://osce.example',
  });
});

it('a service with a provider may listen beyond this machine without a key', () => {
  expect(settingsFrom({ ...WHOLE, HOST: '0.0.0.0' }).serviceKeys).toEqual([]);
});

it.each(['http://127.0.0.1:9/x', 'http://[::1]:9', 'http://localhost:8080/realms/a'])(
  '%s is on this machine',
  (issuer) => {
    expect(settingsFrom({ ...WHOLE, OIDC_ISSUER: issuer }).signIn).toMatchObject({ issuer });
  },
);

it.each([
  'http://login.example',
  'http://127.0.0.1.evil.example',
  'https://user:pass@login.example',
  'https://login.example/?a=1',
  'https://login.example/#a',
  'login.example',
])('%s is no issuer', (issuer) => {
  expect(() => settingsFrom({ ...WHOLE, OIDC_ISSUER: issuer })).toThrow(
    /^OIDC_ISSUER must be the address that your provider/,
  );
});

it.each([
  'https://login.microsoftonline.com/common/v2.0',
  'https://login.microsoftonline.com/organizations/v2.0',
  'https://login.microsoftonline.com/Common',
  'https://login.microsoftonline.com//common/v2.0',
  'https://login.microsoftonline.com/consumers/v2.0',
])('%s vouches for people of every organisation, and is refused', (issuer) => {
  expect(() => settingsFrom({ ...WHOLE, OIDC_ISSUER: issuer })).toThrow(
    /^OIDC_ISSUER names every organisation .* put the id of your tenant/,
  );
});

it('one organisation of Entra ID is an issuer', () => {
  const issuer = 'https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0';
  expect(settingsFrom({ ...WHOLE, OIDC_ISSUER: issuer }).signIn).toMatchObject({ issuer });
});

it.each<readonly [string, Readonly<Record<string, string>>, string]>([
  ['no client', { OIDC_CLIENT_ID: '' }, 'OIDC_ISSUER is set and OIDC_CLIENT_ID is not'],
  ['no place to come back to', { PUBLIC_URL: '' }, 'OIDC_ISSUER is set and PUBLIC_URL is not'],
  ['a page that others on the way can read', { PUBLIC_URL: 'http://osce.example' }, 'PUBLIC_URL must be https'],
  ['a page that pretends to be this machine', { PUBLIC_URL: 'http://localhost.example' }, 'PUBLIC_URL must be https'],
  ['no group', { OIDC_ADMINS: '' }, 'no group has a role'],
  ['no identity asked for', { OIDC_SCOPES: 'profile' }, 'OIDC_SCOPES must contain openid'],
  ['no provider', { OIDC_ISSUER: '' }, 'OIDC_ADMINS is set and OIDC_ISSUER is not'],
  ['sessions without end', { SESSION_HOURS: '0' }, 'SESSION_HOURS must be a whole number from 1 to 720'],
])('with %s it is refused in a sentence', (_what, changed, sentence) => {
  expect(() => settingsFrom({ ...WHOLE, ...changed })).toThrow(SettingsError);
  expect(() => settingsFrom({ ...WHOLE, ...changed })).toThrow(sentence);
});

it.each(['http://127.0.0.1:8000', 'http://localhost:8000', 'http://[::1]:8000', 'http://osce.localhost'])(
  'a page on this machine may be opened at %s',
  (publicUrl) => {
    expect(settingsFrom({ ...WHOLE, PUBLIC_URL: publicUrl }).signIn).toMatchObject({ publicUrl });
  },
);
