/** The fields of a scenario's file, in the order in which people read them. */
const FILE = [
  ...['$schema', 'key', 'name', 'category', 'scenario_type', 'severity', 'approved', 'approved_by', 'approved_role'],
  ...['priority', 'tags', 'content', 'rubric_criteria'],
];
const CONTENT = [
  ...['chief_complaint', 'initial_message', 'demographics', 'disposition', 'asks_for', 'twin_of', 'hazard', 'script'],
  ...['gold_standard', 'model_replies', 'sources'],
];
const DEMOGRAPHICS = ['age', 'age_in_weeks', 'age_in_months', 'gender', 'speaker'];
const SOURCE = ['publisher', 'title', 'year', 'says', 'supports'];
const CRITERION = ['criterion', 'points', 'tags', 'by_turn', 'check'];
const CHECK = [
  ...['kind', 'texts', 'need', 'case_sensitive', 'whole_words', 'pattern', 'flags', 'schema', 'max', 'percentile'],
  ...['turn'],
];

/** The values of what a scenario leaves open: a file states them, so that its readers need not know them. */
const DEFAULTS = {
  category: 'general',
  scenario_type: 'custom',
  severity: 'medium',
  approved: false,
  approved_by: null,
  priority: null,
  tags: [],
  rubric_criteria: [],
};

type Fields = Readonly<Record<string, unknown>>;

/**
 * The same scenario always in the same words and order, whatever wrote and stored it: known fields in the order in which people
 * read them, others after them by name. What does not have the expected shape is kept as it is.
 */
export function canonicalScenario(scenario: object): Fields {
  return ordered({ ...DEFAULTS, ...given(scenario) }, FILE, {
    content: (content) =>
      inOrder(content, CONTENT, {
        demographics: (demographics) => inOrder(demographics, DEMOGRAPHICS),
        sources: eachOf((source) => inOrder(source, SOURCE)),
      }),
    rubric_criteria: eachOf((criterion) =>
      inOrder(withoutEmptyTags(criterion), CRITERION, { check: (check) => inOrder(check, CHECK) }),
    ),
  });
}

type Parts = Readonly<Record<string, (value: unknown) => unknown>>;

function ordered(fields: Fields, order: readonly string[], parts: Parts = {}): Fields {
  const known = new Set(order);
  const others = Object.keys(fields).filter((key) => !known.has(key));
  const keys = [...order.filter((key) => Object.hasOwn(fields, key)), ...others.sort()];
  return Object.fromEntries(
    keys.map((key) => [key, (Object.hasOwn(parts, key) ? (parts[key] ?? byName) : byName)(fields[key])]),
  );
}

function inOrder(value: unknown, order: readonly string[], parts?: Parts): unknown {
  return isFields(value) ? ordered(given(value), order, parts) : byName(value);
}

const eachOf = (part: (value: unknown) => unknown) => (value: unknown) =>
  Array.isArray(value) ? value.map(part) : byName(value);

/** Orders fields that have no order of their own by their names. */
function byName(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(byName);
  return isFields(value) ? ordered(given(value), []) : value;
}

function withoutEmptyTags(criterion: unknown): unknown {
  if (!isFields(criterion)) return criterion;
  const { tags, ...others } = criterion;
  return Array.isArray(tags) && tags.length === 0 ? others : criterion;
}

/** A field that is undefined is not there, as in JSON. */
function given(fields: object): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
