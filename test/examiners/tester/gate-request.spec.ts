import { USUAL_PATIENT } from '../../../src/domain/patient';
import { agentTexts, boundedRequest } from '../../../src/examiners/tester/gate/gate-request';
import { roleCardOf } from '../../../src/examiners/tester/role-card';
import { exchangesOf, scenarioWith } from '../../setup/transcripts';

const card = roleCardOf(scenarioWith('You feel sick.').content);
const long = `${'a'.repeat(9_000)}${'b'.repeat(9_000)}`;
const heard = `${'a'.repeat(8_000)}\n${'b'.repeat(8_000)}`;

test.each([
  ['a reply of 16,000 characters is heard whole', 'c'.repeat(16_000), 'c'.repeat(16_000)],
  ['of a longer one, the beginning and the end', long, heard],
])('%s', (_what, reply, part) => {
  const history = exchangesOf([['My chest hurts.', reply]]);
  const request = { message: 'Yes.', card, patient: USUAL_PATIENT, criteria: [], greeting: reply, history };
  expect(agentTexts(request)).toEqual([part, part]);
  expect(boundedRequest(request)).toMatchObject({
    greeting: part,
    history: [{ patientMessage: 'My chest hurts.', agentMessage: part }],
  });
  expect(boundedRequest({ ...request, greeting: null }).greeting).toBeNull();
});
