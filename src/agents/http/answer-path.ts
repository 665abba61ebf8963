import { compile, TreeInterpreter } from '@jmespath-community/jmespath';
import { PathBudget } from './path-budget';
import { TemplateFault } from '../placeholders';

type Expression = ReturnType<typeof compile>;
type Data = Parameters<typeof TreeInterpreter.search>[1];

const MAX_LENGTH = 300;
/** More than the longest path of a known API has, output[?type == 'message'].content[?type == 'output_text'].text | join('', @). */
const MOST_STEPS = 40;
/** Lists that a path makes itself multiply what later steps look at; two values put a text before or after another. */
const MOST_SELECTED = 2;
/** Fields of the records that a path may make: name, arguments, result and id of a call. */
const MOST_FIELDS = 4;
/** A slice of a text takes it apart into its characters: of a megabyte, 50 ms. */
const MOST_SLICES = 1;

/**
 * What a path may use: each step looks at a value once, so that a hostile answer costs no more than its size times the path's length.
 * The functions that read or make texts are counted against a budget. Not used are expressions as arguments, variables, arithmetic and
 * functions that repeat text.
 */
const STEPS: ReadonlySet<string> = new Set([
  'AndExpression',
  'Comparator',
  'Current',
  'Field',
  'FilterProjection',
  'Flatten',
  'Identity',
  'Index',
  'IndexExpression',
  'Literal',
  'MultiSelectList',
  'NotExpression',
  'OrExpression',
  'Pipe',
  'Projection',
  'Slice',
  'Subexpression',
  'ValueProjection',
]);
const FUNCTIONS: ReadonlySet<string> = new Set([
  'contains',
  'ends_with',
  'join',
  'keys',
  'length',
  'not_null',
  'starts_with',
  'to_string',
  'type',
  'values',
]);
/**
 * Arguments that stand in the path itself: with one from the answer, a join makes a text of the answer's length squared, and a search
 * compares the answer with itself.
 */
const WRITTEN_ARGUMENTS: ReadonlyMap<string, { readonly place: number; readonly what: string }> = new Map([
  ['join', { place: 0, what: "what it puts between the texts, its first argument, as in join(', ', texts)" }],
  ['contains', { place: 1, what: "what it looks for, its second argument, as in contains(state, 'closed')" }],
]);

/** A place in a JSON answer, in JMESPath (https://jmespath.org); `$.` before it, as in JSONPath, is passed over. */
export class AnswerPath {
  private constructor(
    readonly text: string,
    private readonly expression: Expression,
  ) {}

  /** @throws TemplateFault */
  static of(given: string): AnswerPath {
    return AnswerPath.read(given, false);
  }

  /** One that may make records once, as in `steps[].{ name: tool, arguments: input }`. @throws TemplateFault */
  static ofRecords(given: string): AnswerPath {
    return AnswerPath.read(given, true);
  }

  private static read(given: string, makesRecords: boolean): AnswerPath {
    const text = given.trim();
    if (text.length > MAX_LENGTH) throw new TemplateFault(`is longer than ${MAX_LENGTH} characters`);
    const expression = compiled(text.replace(/^\$\.?(?=[^.$])/, ''));
    check(expression, makesRecords);
    return new AnswerPath(text, expression);
  }

  /**
   * What is there; null when nothing is, or when the path does not fit the answer.
   * @param budget of all paths that read the same answer
   * @throws PathOverrun
   */
  in(answer: unknown, budget: PathBudget): unknown {
    if (!isGiven(answer)) return null;
    return budget.during(() => TreeInterpreter.search(this.expression, answer)) ?? null;
  }
}

/** Whether there is an answer; then it is what JSON can hold. */
function isGiven(answer: unknown): answer is Data {
  return answer !== undefined;
}

function compiled(text: string): Expression {
  try {
    return compile(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : 'it cannot be read';
    throw new TemplateFault(`is not a path in JMESPath, such as data.reply or choices[0].message.content: ${reason}`);
  }
}

function check(expression: Expression, makesRecords: boolean): void {
  let selected = 0;
  let records = 0;
  let slices = 0;
  let steps = 0;
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(walk);
    if (typeof value !== 'object' || value === null || !('type' in value) || typeof value.type !== 'string') return;
    const { type } = value;
    if (++steps > MOST_STEPS) throw new TemplateFault(`has more than ${MOST_STEPS} steps`);
    if (type === 'Literal') return;
    if (type === 'Function') checkFunction(value);
    else if (type === 'MultiSelectHash' && makesRecords) {
      const fields = 'children' in value && Array.isArray(value.children) ? value.children.length : 0;
      if (++records > 1) throw new TemplateFault('makes records more than once');
      if (fields > MOST_FIELDS) throw new TemplateFault(`makes records of more than ${MOST_FIELDS} fields`);
    } else if (type === 'KeyValuePair' && makesRecords) {
      steps -= 1;
    } else if (!STEPS.has(type)) {
      throw new TemplateFault(
        'uses more of JMESPath than fields, indexes, slices, projections, filters, comparisons, pipes, lists and functions',
      );
    }
    if (type === 'Slice' && ++slices > MOST_SLICES) throw new TemplateFault('holds more than one slice');
    if (type === 'MultiSelectList' && 'children' in value && Array.isArray(value.children)) {
      selected += value.children.length;
      if (selected > MOST_SELECTED) throw new TemplateFault(`makes lists of more than ${MOST_SELECTED} values`);
    }
    Object.values(value).forEach(walk);
  };
  walk(expression);
}

function checkFunction(call: object): void {
  const name = 'name' in call ? String(call.name) : '';
  if (!FUNCTIONS.has(name)) {
    throw new TemplateFault(
      `uses the function ${name.slice(0, 40)}: of functions there are ${[...FUNCTIONS].join(', ')}`,
    );
  }
  const written = WRITTEN_ARGUMENTS.get(name);
  const given: readonly unknown[] = 'children' in call && Array.isArray(call.children) ? call.children : [];
  const argument = written === undefined ? undefined : given[written.place];
  if (written === undefined || argument === undefined || isLiteral(argument)) return;
  throw new TemplateFault(`takes from the answer what ${name} needs in the path itself: ${written.what}`);
}

function isLiteral(argument: unknown): boolean {
  return typeof argument === 'object' && argument !== null && 'type' in argument && argument.type === 'Literal';
}
