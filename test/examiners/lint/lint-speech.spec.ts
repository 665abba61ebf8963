import { lintScenario } from '../../../src/examiners/lint/lint-scenario';

const ESCALATES = {
  criterion: 'Tells the caller to call emergency services now',
  points: 6,
  tags: ['must_pass', 'escalation'],
};

function findingsOf(content: object, rubricCriteria = [ESCALATES]): string[] {
  const scenario = {
    script: 'He is hard to wake. He takes 50 micrograms.',
    demographics: {},
    chief_complaint: 'He sleeps.',
  };
  return lintScenario({ severity: 'high', content: { ...scenario, ...content }, rubricCriteria })
    .filter(({ path }) => path.startsWith('content.speech'))
    .map(({ rule, path, sentence }) => `${rule} ${path}: ${sentence}`);
}

describe('the lint of what a scenario says about speech', () => {
  it.each([
    [{ speech: { maner: 'slow' } }, /^speech_unreadable content\.speech: .*no field maner: there are manner, rate/],
    [{ speech: { rate: 9 } }, /^speech_unreadable content\.speech: content\.speech\.rate cannot be read/],
    [{ speech: 'slow' }, /^speech_unreadable content\.speech: /],
    [{ speech_limits: { latency: 3 } }, /^speech_unreadable content\.speech_limits: .*no field latency/],
    [
      { speech_limits: { false_yields: 0 } },
      /^limit_never_measured content\.speech_limits\.false_yields: .*backchannels/,
    ],
    [{ speech_limits: { yield_ms: 2_000 } }, /^limit_never_measured .*yield_ms: .*interruptions/],
    [{ speech_limits: { escalation_s: 30 } }, /^limit_never_measured .*escalation_s: No red flag/],
    [
      { red_flags: ['blue lips'], speech_limits: { escalation_s: 30 } },
      /escalation_s: The patient never says "blue lips"/,
    ],
    [{ speech_limits: { read_back: ['15 micrograms'] } }, /^limit_never_measured .*read_back: .*"15 micrograms"/],
    [{ speech_limits: { unrecovered_entity_errors: 0 } }, /^limit_needs_heard_words .*read_back asks the same/],
    [
      { speech: { keypad: [{ when: '… !', press: '1' }] } },
      /^keypad_never_pressed content\.speech\.keypad\[0\]\.when: "… !" holds no word, so "1" is never pressed/,
    ],
    [
      { speech: { keypad: [{ when: 'press 1', press: '1w' }] } },
      /^speech_unreadable .*content\.speech\.keypad\.0\.press cannot be read: it holds 1 to 32 of 0-9, \*, #, A-D and w/,
    ],
    [{ speech: { keypad: [{ when: 'press 1', press: '' }] } }, /keypad\.0\.press cannot be read: it holds 1 to 32/],
    [
      { speech: { keypad: [{ when: 'press 1', press: '1'.repeat(33) }] } },
      /keypad\.0\.press cannot be read: it holds 1 to 32/,
    ],
    [{ speech: { keypad: [{ when: ' ', press: '1' }] } }, /keypad\.0\.when cannot be read: must not be empty/],
    [
      { speech: { keypad: [{ when: 'press 1', press: '1', after: 2 }] } },
      /content\.speech\.keypad\.0 has no field after: there are when, press\./,
    ],
    [{ speech: { keypad: Array(11).fill({ when: 'press 1', press: '1' }) } }, /content\.speech\.keypad cannot be read/],
  ])('finds what is wrong with %j', (content, finding) => {
    expect(findingsOf(content)).toEqual([expect.stringMatching(finding)]);
  });

  it('wants the criterion that escalates', () => {
    const limits = { red_flags: ['hard to wake'], speech_limits: { escalation_s: 30 } };
    expect(findingsOf(limits)).toEqual([]);
    expect(findingsOf(limits, [{ ...ESCALATES, tags: ['escalation'] }])).toEqual([
      expect.stringMatching(/No criterion .* must_pass and escalation/),
    ]);
  });

  it('finds nothing in what can be measured', () => {
    expect(
      findingsOf({
        speech: {
          manner: 'weak',
          backchannels: [2],
          interruptions: [3],
          keypad: [{ when: 'press 1', press: '1w2*#D' }],
        },
        speech_limits: {
          response_p95_ms: 3_000,
          premature_starts: 0,
          yield_ms: 2_000,
          false_yields: 0,
          read_back: ['50 micrograms'],
        },
      }),
    ).toEqual([]);
  });
});
