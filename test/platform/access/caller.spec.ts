import { ANYONE, callerOf, identify, suffices } from '../../../src/platform/access/caller';
import { ROLES } from '../../../contract/operation';

describe('who sent a request', () => {
  it('is who it was identified as', () => {
    const request = {};
    identify(request, { id: 'key 1', name: 'night shift', role: 'runner' });
    expect(callerOf(request)).toEqual({ id: 'key 1', name: 'night shift', role: 'runner' });
    expect(callerOf({})).not.toEqual(callerOf(request));
  });

  it('is somebody who may least as long as no key was checked', () => {
    expect(callerOf({})).toEqual({ id: 'stranger', name: 'anyone', role: 'viewer' });
  });

  it('is anyone, who may everything, where there are no keys', () => {
    expect(ANYONE).toEqual({ id: 'anyone', name: 'anyone', role: 'admin' });
  });
});

describe('a role', () => {
  it('may all that the ones before it may', () => {
    const allowed = ROLES.map((role) => ROLES.filter((needed) => suffices(role, needed)));
    expect(allowed).toEqual([
      ['viewer'],
      ['viewer', 'reviewer'],
      ['viewer', 'reviewer', 'runner'],
      ['viewer', 'reviewer', 'runner', 'admin'],
    ]);
  });
});
