import { startFakeAnthropic } from '../fakes/anthropic-server';
import { sendJson, startHttpStub, type HttpStub } from '../fakes/http-stub';
import type { FakeAnswer } from '../fakes/model-server';
import { startFakeOpenAi } from '../fakes/openai-server';
import { startFakeOpenAiModel } from '../fakes/openai-model-server';
import { GOOD_REPLY, scenarioRunsOf } from '../setup/examination';
import { ExaminedService } from './examined-service';
import { A_MEGABYTE, PLANTED, plant, placesOf, type Path } from './planted-texts';
import { inTurn, shareOf } from './rotation';

/** The limit of what hangs. */
const WITHIN_MS = 400_000;
const MOST_HEAP_MB = 300;
const KEY = 'sk-planted-secret-0123456789';
/** Undici reads 16 KB of headers. */
const HEADER = 7_000;
const never = new AbortController().signal;

/** Who asks a model: it plays the patient, looks over what the patient said, or marks. */
type Purpose = 'patient' | 'audit' | 'judge';

/** What is wrong with each answer that a model gives to one purpose in one conversation. */
interface Plan {
  readonly name: string;
  readonly purpose: Purpose;
  readonly answer: (usual: unknown) => PlannedAnswer;
}

interface PlannedAnswer {
  readonly status: number;
  readonly document: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

let turn = 0;
/** Each text in turn, so that each stands in many places. */
function nextText(bytes = A_MEGABYTE): readonly [name: string, text: string] {
  const [name, textOf] = inTurn(PLANTED, turn);
  turn += 1;
  return [name, textOf(bytes)];
}

/** Where the text of an answer stands that is a document itself. */
const INNER: readonly Path[] = [
  ['content', 0, 'text'],
  ['choices', 0, 'message', 'content'],
  ['choices', 0, 'message', 'tool_calls', 0, 'function', 'arguments'],
];

const inPlace = (name: string, purpose: Purpose, path: Path, value: () => unknown): Plan => ({
  name: `${purpose}: ${name} in ${path.join('.')}`,
  purpose,
  answer: (usual) => ({ status: 200, document: planted(usual, path, value()) }),
});

/** As `plant`, for whatever stands there. */
function planted(document: unknown, path: Path, value: unknown): unknown {
  const MARK = 'planted here';
  return JSON.parse(JSON.stringify(plant(document, path, MARK)).replace(`"${MARK}"`, () => JSON.stringify(value)));
}

/** The places of an answer of each API, and one that none has. */
const OF_MESSAGES: readonly Path[] = [
  ...[['id'], ['type'], ['role'], ['model'], ['stop_reason'], ['content'], ['content', 0, 'type']],
  ...[
    ['content', 0, 'text'],
    ['usage', 'input_tokens'],
    ['usage', 'output_tokens'],
  ],
  ...[['usage', 'cache_read_input_tokens'], ['usage', 'cache_creation_input_tokens'], ['planted']],
];
const OF_COMPLETIONS: readonly Path[] = [
  ...[['id'], ['model'], ['object'], ['choices'], ['choices', 0, 'finish_reason'], ['usage']],
  ...[
    ['choices', 0, 'message', 'content'],
    ['choices', 0, 'message', 'refusal'],
    ['usage', 'prompt_tokens'],
  ],
  ...[['usage', 'completion_tokens'], ['usage', 'prompt_tokens_details', 'cached_tokens'], ['planted']],
];
const OF_TOOLS: Path = ['choices', 0, 'message', 'tool_calls', 0, 'function', 'arguments'];
/** What is in an answer is read in one way whichever API it came by: each of them has a share of the places, and the next with the next seed. */
const APIS = 3;

/** What the judge and the audit write; more of a place than there is begins anew. */
const MOST_INNER = 9;
const STATUSES = [400, 401, 403, 404, 413, 429, 500];
const OF_ERRORS = ['message', 'type', 'code', 'param'] as const;

function plans(api: number, places: readonly Path[]): readonly Plan[] {
  const everywhere = places.map((path): Plan => {
    const [name, text] = nextText();
    return inPlace(name, turn % 3 === 0 ? 'judge' : 'patient', path, () => text);
  });
  const within = (['judge', 'audit'] as const).flatMap((purpose) =>
    shareOf([...Array(MOST_INNER).keys()], api, APIS).map((number): Plan => {
      const [name, text] = nextText();
      return {
        name: `${purpose}: ${name} in text ${number} of its document`,
        purpose,
        answer: (usual) => ({ status: 200, document: plantedWithin(usual, number, text) }),
      };
    }),
  );
  const lists = (['judge', 'audit'] as const).map((purpose): Plan => ({
    name: `${purpose}: as many items as a megabyte holds`,
    purpose,
    answer: (usual) => ({ status: 200, document: multiplied(usual) }),
  }));
  const refusals = STATUSES.map((status, at): Plan => {
    const field = inTurn(OF_ERRORS, at + api);
    const [name, text] = nextText();
    const headers = Object.fromEntries(
      ['retry-after', 'retry-after-ms', 'request-id', 'x-planted'].map((header) => [header, nearNumber(status)]),
    );
    return {
      name: `patient: ${status} with ${name} in ${field}`,
      purpose: 'patient',
      answer: () => ({
        status,
        document: { type: 'error', error: { message: 'No.', type: 'api_error', [field]: text } },
        // Without it the service would try again for half a minute.
        headers: { ...headers, 'x-should-retry': 'false' },
      }),
    };
  });
  return [...everywhere, ...within, ...lists, ...refusals];
}

/** A header that a pattern for numbers or dates reads for long before it finds that it is none. */
function nearNumber(status: number): string {
  return status % 2 === 0 ? `${'1'.repeat(HEADER >> 2)}x` : `${' '.repeat(4)}${'1.'.repeat(HEADER >> 3)}x`;
}

function inner(document: unknown): readonly [path: Path, value: unknown] | null {
  for (const path of INNER) {
    const text = path.reduce<unknown>((value, key) => {
      return typeof value === 'object' && value !== null
        ? new Map<string, unknown>(Object.entries(value)).get(String(key))
        : undefined;
    }, document);
    if (typeof text !== 'string') continue;
    try {
      return [path, JSON.parse(text)];
    } catch {
      continue;
    }
  }
  return null;
}

function plantedWithin(document: unknown, number: number, text: string): unknown {
  const found = inner(document);
  if (found === null) return document;
  const [path, value] = found;
  const places = placesOf(value);
  const place = places[number % Math.max(1, places.length)] ?? ['planted'];
  return plant(document, path, JSON.stringify(plant(value, place, text)));
}

/** Every list holds its first item as often as fits. */
function multiplied(document: unknown): unknown {
  const found = inner(document);
  if (found === null) return document;
  const [path, value] = found;
  const many = (one: unknown): unknown => {
    if (Array.isArray(one)) {
      const item: unknown = one[0] ?? 'x';
      return Array.from({ length: Math.floor(A_MEGABYTE / (JSON.stringify(item).length + 1)) }, () => item);
    }
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([key, part]) => [key, many(part)]));
  };
  return plant(document, path, JSON.stringify(many(value)));
}

/** Told apart as the fake models do. */
function purposeOf(raw: string): Purpose {
  const asksFor = (name: string): boolean => raw.includes(`"${name}":{`) || raw.includes(`\\"${name}\\":{`);
  if (!/"json_schema"|"tools"|It fits this JSON schema/.test(raw)) return 'patient';
  return asksFor('faults') ? 'audit' : 'judge';
}

interface PlantingModel extends HttpStub {
  /** Names of the plans whose answers were sent. */
  readonly sent: ReadonlySet<string>;
}

/** Stands before a model, and goes by the plan of the case that a request is about; other requests are answered as ever. */
async function startPlanting(model: string, planned: readonly Plan[]): Promise<PlantingModel> {
  const sent = new Set<string>();
  const stub = await startHttpStub(
    (response, { method, path, body }) => {
      const raw = JSON.stringify(body);
      const plan = planned[Number(/This is case (\d+) and I feel ill/.exec(raw)?.[1] ?? NaN)];
      void (async () => {
        const answered = await fetch(`${model}${path}`, {
          method,
          headers: { 'content-type': 'application/json' },
          ...(method === 'GET' ? {} : { body: raw }),
          signal: never,
        });
        const usual: unknown = await answered.json();
        if (plan === undefined || plan.purpose !== purposeOf(raw)) return sendJson(response, answered.status, usual);
        sent.add(plan.name);
        const { status, document, headers } = plan.answer(usual);
        sendJson(response, status, document, headers);
      })().catch(() => response.destroy());
    },
    { record: false },
  );
  return Object.assign(stub, { sent });
}

const FAULT = {
  sentence: 'P2.1',
  reason: 'The script says otherwise.',
  kind: 'invented',
  severity: 'minor',
  criterion: 0,
};
const faulty = (request: { readonly purpose: string }): FakeAnswer | undefined =>
  request.purpose === 'audit' ? { kind: 'json', value: { faults: [FAULT] } } : undefined;

interface Examiner {
  readonly origin: string;
  close(): Promise<void>;
}

const anthropic = (): Promise<Examiner> => startFakeAnthropic({ answer: faulty });
const openAi = (ability: 'schema' | 'tools') => (): Promise<Examiner> =>
  startFakeOpenAiModel({ ability, answer: faulty });

describe('A megabyte of hostile text', () => {
  type Row = readonly [
    api: string,
    share: number,
    places: readonly Path[],
    start: () => Promise<Examiner>,
    variablesOf: (origin: string) => Readonly<Record<string, string>>,
  ];
  const anthropics = (origin: string) => ({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: origin });
  test.each<Row>([
    ['the Messages API', 0, OF_MESSAGES, anthropic, anthropics],
    ['chat completions', 1, shareOf(OF_COMPLETIONS, 0, 2), openAi('schema'), chatCompletions],
    ['chat completions with tools', 2, [OF_TOOLS, ...shareOf(OF_COMPLETIONS, 1, 2)], openAi('tools'), chatCompletions],
  ])(
    'in every field of what tester and judge get from %s ends the conversation at most, keeps its turns, and holds nobody up',
    async (_api, share, places, start, variablesOf) => {
      turn = 0;
      const planned = plans(share, places);
      const model = await start();
      const planting = await startPlanting(model.origin, planned);
      const agent = await startFakeOpenAi({ reply: () => GOOD_REPLY, record: false });
      const service = await ExaminedService.start(variablesOf(planting.origin), { mostHeapMb: MOST_HEAP_MB });
      try {
        const cases = await service.createCases(planned.map(({ name }) => name));
        await service.staysAwake(`${planned.length} answers of models`, async () => {
          const config = { base_url: agent.baseUrl, api_key: KEY };
          const limits = { max_turns: 2, concurrency_limit: 4 };
          const { id } = await service.examine('openai', config, cases, WITHIN_MS, limits);
          const runs = await scenarioRunsOf(service.api, id);
          const wrong = runs.filter(({ error_code, turns }) => error_code === 'internal' || turns < 1);
          expect(wrong.map(({ scenario_name, error_code, turns }) => ({ scenario_name, error_code, turns }))).toEqual(
            [],
          );
          // An error is that of the examiner, in a short sentence.
          const blamed = runs.filter(
            ({ status, error_code }) => status === 'error' && !/^(tester|grading)_failed$/.test(error_code),
          );
          expect(blamed.map(({ scenario_name, error_code }) => ({ scenario_name, error_code }))).toEqual([]);
          const said = runs.map(({ error_message }) => String(error_message ?? ''));
          expect(said.filter((sentence) => sentence.length > 1_000)).toEqual([]);
        });
        expect(planned.filter(({ name }) => !planting.sent.has(name)).map(({ name }) => name)).toEqual([]);
      } finally {
        await service.close();
        await Promise.all([agent.close(), planting.close(), model.close()]);
      }
    },
    WITHIN_MS + 60_000,
  );
});

function chatCompletions(origin: string): Readonly<Record<string, string>> {
  const model = { EXAMINER_API_KEY: KEY, EXAMINER_BASE_URL: `${origin}/v1` };
  return { ...model, TESTER_MODEL: 'openai/our-model', JUDGE_MODEL: 'openai/our-model' };
}
