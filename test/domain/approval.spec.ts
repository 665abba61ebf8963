import { approvalState, approvalWords, STARTER_LIBRARY } from '../../src/domain/scenario';

const approval = (approved: boolean, approved_by: string | null = null, approved_role: string | null = null) => ({
  approved,
  approved_by,
  approved_role,
});

describe('the approval of a scenario', () => {
  it.each([
    ['draft', 'draft', approval(false)],
    ['starter', 'starter, not signed', approval(true, null, STARTER_LIBRARY)],
    ['unsigned', 'approved, not signed', approval(true)],
    ['unsigned', 'approved, not signed', approval(true, null, 'nurse')],
    ['signed', 'approved by Dr A. Ward', approval(true, 'Dr A. Ward')],
    ['signed', 'approved by Dr A. Ward (physician)', approval(true, 'Dr A. Ward', 'physician')],
    ['draft', 'draft', {}],
  ])('is %s, which reads "%s"', (state, words, given) => {
    expect(approvalState({ approved: false, ...given })).toBe(state);
    expect(approvalWords({ approved: false, ...given })).toBe(words);
  });
});
