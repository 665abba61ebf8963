import {
  parseScenarioFile,
  readScenarioFile,
  ScenarioFileError,
} from '../../../src/features/scenarios/files/read-scenario-file';

const problemsOf = (text: string, syntax?: 'yaml' | 'json') => {
  try {
    parseScenarioFile(text, syntax);
    return [];
  } catch (error) {
    if (error instanceof ScenarioFileError) return error.problems;
    throw error;
  }
};

describe('reading a file', () => {
  it('takes YAML and JSON, with line ends of Windows and a byte order mark', () => {
    const value = { name: 'A', content: { script: 'One.\nTwo.\n' }, tags: ['yes', '1e3'] };
    for (const text of [
      'name: A\ncontent:\n  script: |\n    One.\n    Two.\ntags: [yes, "1e3"]\n',
      '\uFEFFname: A\r\ncontent:\r\n  script: |\r\n    One.\r\n    Two.\r\ntags: [yes, "1e3"]\r\n',
      JSON.stringify(value),
      `\uFEFF${JSON.stringify(value, null, '\t')}`,
    ]) {
      expect(readScenarioFile(text)).toEqual(value);
    }
  });

  it.each([
    ['a field that stands there twice', 'name: A\ntags: []\nname: B', 3, 'name: stands here twice'],
    ['the same in JSON', '{"name": "A",\n"name": "B"}', 2, 'name: stands here twice'],
    ['a broken line', 'name: A\ncontent: {script: "x"\ntags: []', 3, 'is not valid YAML'],
    ['an alias', 'a: 1\nb: *a', 2, 'aliases (*) are not read'],
    ['an anchor', 'a: 1\nb: &c 2', 2, 'anchors (&) are not read'],
    ['a tag', 'a: 1\nb: !!binary aGk=', 2, 'tags (!) are not read'],
    ['a directive', '%YAML 1.1\n---\na: 1', 1, 'directives (%) are not read'],
    ['a second document', 'a: 1\n---\nb: 2', 2, 'several documents'],
    ['a name of a field that is no text', 'a: 1\n2: b', 2, 'a name of a field must be a text'],
    ['a list as the name of a field', 'a: 1\n? [b]\n: c', 2, 'a name of a field must be a text'],
    ['what is nested far too deep', `a:\n  ${'['.repeat(70)}`, 2, 'nested deeper than 64 levels'],
  ])('names the line of %s', (_, text, line, message) => {
    expect(problemsOf(text)).toMatchObject([{ line, message: expect.stringContaining(message) }]);
  });

  it.each([
    ['{"name": "A",\n"tags": [],\n}', 3],
    ['{"name": "A",\n"tags": [1 2]}', 2],
    ['{"name": "A",\n\n"tags": yes}', 3],
    ["{\n'name': 1}", 2],
    ['{"name": 1 // no\n}', 1],
  ])('says where %j stops being JSON', (text, line) => {
    expect(problemsOf(text, 'json')).toMatchObject([{ line, message: expect.stringContaining('is not valid JSON') }]);
  });

  it('merges nothing: what looks like a merge is a field of that name', () => {
    expect(readScenarioFile('a:\n  <<: {b: 1}\n')).toEqual({ a: { '<<': { b: 1 } } });
  });

  it('knows where everything stands', () => {
    const { lineOf } = parseScenarioFile(
      'name: A\ncontent:\n  script: |\n    One.\nrubric:\n  - a: 1\n    b: 2\n  - c: 3\n',
    );
    expect(lineOf(['content', 'script'])).toBe(3);
    expect(lineOf(['rubric', 0, 'b'])).toBe(7);
    expect(lineOf(['rubric', 1])).toBe(8);
    expect(lineOf(['rubric', 1, 'missing'])).toBe(8);
    expect(lineOf([])).toBe(1);
  });

  it.each(['a', '[', '- ', ']', '"'])(
    'takes no more than in proportion for a quarter of a MiB of %j',
    (pattern) => {
      const processorSeconds = (bytes: number): number => {
        const started = process.cpuUsage();
        problemsOf(pattern.repeat(bytes / pattern.length));
        return process.cpuUsage(started).user / 1e6;
      };
      const whole = 1024 ** 2 / 4;
      const eighth = Math.max(0.05, processorSeconds(whole / 8));
      // Eight times as much takes eight times as long, not sixty-four times.
      expect(processorSeconds(whole) / eighth).toBeLessThan(32);
    },
    120_000,
  );

  it('refuses more than a MiB unread', () => {
    expect(problemsOf('a'.repeat(1024 ** 2 + 1))).toEqual([{ line: 1, message: 'is larger than 1 MiB' }]);
    expect(problemsOf('é'.repeat(1024 ** 2 / 2 + 1))).toEqual([{ line: 1, message: 'is larger than 1 MiB' }]);
  });
});

describe('reading JSON', () => {
  it('gives what JSON says, also where YAML would read something else', () => {
    const value = { name: 'A', tags: ['a', 'b'], content: { script: 'One.\r\nTwo.\u0085\u2028\ud800', big: 1e21 } };
    const text = JSON.stringify(value, null, 1);
    for (const end of ['\n', '\r\n', '\r']) {
      expect(parseScenarioFile(text.replaceAll('\n', end), 'json').value).toEqual(value);
    }
  });

  it('counts lines that end with a carriage return alone', () => {
    const { lineOf } = parseScenarioFile('{\r"name": "A",\r"tags": []\r}', 'json');
    expect(lineOf(['tags'])).toBe(3);
    expect(problemsOf('{\r"name": "A",\r"name": "B"\r}', 'json')).toMatchObject([{ line: 3 }]);
  });
});
