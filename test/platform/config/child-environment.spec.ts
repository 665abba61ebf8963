import fc from 'fast-check';
import { childEnvironment } from '../../../src/platform/config/environment';

const SECRET = 'nothing-for-others';
const SETTINGS = [
  'DATABASE_URL',
  'NATS_URL',
  'SERVICE_API_KEY',
  'SERVICE_RUNNER_KEY',
  'SERVICE_REVIEWER_KEY',
  'OIDC_CLIENT_SECRET',
  'SERVICE_VIEWER_KEY',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_BASE_URL',
  'OPENAI_API_KEY',
  'EXAMINER_API_KEY',
  'SPEECH_API_KEY',
  'TRANSCRIPTION_API_KEY',
  'JUDGE_API_KEY',
  'SECRETS_KEY',
  'SERVICE_API_KEY_FILE',
  'SECRETS_KEY_FILE',
  'DATA_DIR',
  'PGPASSWORD',
  'AWS_SECRET_ACCESS_KEY',
  'GITHUB_TOKEN',
];

describe('the environment of programs that are started beside the service', () => {
  it('holds no setting of the service, and no other secret of its surroundings', () => {
    const environment = childEnvironment({
      PATH: '/bin',
      ...Object.fromEntries(SETTINGS.map((name) => [name, SECRET])),
    });
    expect(environment).toEqual({ NODE_ENV: 'production', PATH: '/bin' });
  });

  it('holds nothing of a name that nobody thought of', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z][A-Z_]{0,30}$/), (name) => {
        expect(Object.values(childEnvironment({ [`X${name}`]: SECRET }))).not.toContain(SECRET);
      }),
    );
  });
});
