import { groupsIn, identityIn, roleOfGroups } from '../../../src/features/sign-in/identity';
import { safePath } from '../../../src/features/sign-in/sign-in-cookies';

const NONE = { viewer: [], reviewer: [], runner: [], admin: [] };

it.each([
  [{ groups: ['a', 'b'] }, 'groups', ['a', 'b']],
  [{ groups: 'one' }, 'groups', ['one']],
  [{ groups: '' }, 'groups', []],
  [{ groups: [1, null, 'a', { b: 1 }, 'x'.repeat(501)] }, 'groups', ['a']],
  [{ realm_access: { roles: ['a'] } }, 'realm_access.roles', ['a']],
  [{ 'https://example.org/groups': ['a'] }, 'https://example.org/groups', ['a']],
  [{ 'a.b': ['whole'], a: { b: ['path'] } }, 'a.b', ['whole']],
  [{}, 'groups', null],
  [{ groups: 7 }, 'groups', null],
  [{ groups: { a: 'b' } }, 'groups', null],
  [{}, 'constructor.name', null],
  [{ a: ['x'] }, 'a.length', null],
])('the groups of %j in %s are %j', (claims, claim, groups) => {
  expect(groupsIn(claims, claim)).toEqual(groups);
});

it('no more groups are read than a directory puts into a token', () => {
  expect(groupsIn({ groups: Array.from({ length: 5_000 }, String) }, 'groups')).toHaveLength(2_000);
});

it('names of groups are compared exactly', () => {
  const groups = { ...NONE, admin: ['Platform'] };
  expect(roleOfGroups(['platform', 'Platform '], groups)).toBeNull();
  expect(roleOfGroups(['Platform'], groups)).toBe('admin');
  expect(roleOfGroups([], groups)).toBeNull();
});

it.each([
  [{ preferred_username: 'ward', email: 'w@example.org' }, 'ward'],
  [{ email: 'w@example.org' }, 'w@example.org'],
  [{ email: 'w@example.org', email_verified: false }, 'subject'],
  [{ email: 'w@example.org', email_verified: 'false' }, 'subject'],
  [{ email: 'w@example.org', email_verified: 0 }, 'subject'],
  [{ email: 'w@example.org', email_verified: 'true' }, 'w@example.org'],
  [{ preferred_username: '\u202e\u200b ' }, 'subject'],
  [{ preferred_username: 7, email: null }, 'subject'],
  [{ preferred_username: 'x'.repeat(300) }, 'x'.repeat(200)],
  // Characters that take no room, or only room, though they count as letters and marks.
  [{ preferred_username: 'w\u034fa\ufe0frd\u3164\u115f' }, 'ward'],
  [{ preferred_username: '\u2800ward\u2800\u2800' }, 'ward'],
  // Written otherwise, and shown the same.
  [{ preferred_username: 'Ze\u0301' }, 'Z\u00e9'],
  [{ preferred_username: '\uff57\uff41\uff52\uff44' }, 'ward'],
  [{ preferred_username: 'Ze\u034f\u0301' }, 'Z\u00e9'],
  [{ preferred_username: '\ufdfa'.repeat(300) }, '\ufdfa'.repeat(300).normalize('NFKC').slice(0, 200)],
])('%j is called %s', (claims, name) => {
  expect(identityIn(claims, 'subject', 'groups').name).toBe(name);
});

it.each([
  ['/runs/1?a=b#c', '/runs/1?a=b#c'],
  ['/', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/a\\b', '/'],
  ['https://evil.example', '/'],
  ['/a\r\nSet-Cookie: x', '/'],
  ['/\u00e9', '/'],
  [undefined, '/'],
  [['/a'], '/'],
  [`/${'a'.repeat(2_001)}`, '/'],
])('after signing in, %j leads to %s', (given, path) => {
  expect(safePath(given)).toBe(path);
});
