import { BusError } from './bus';

/** Whole tokens only: `*` stands for one token, `>` for one or more and only at the end (NATS subject rules). */
const SUBJECT = /^[^\s.*>]+(\.[^\s.*>]+)*$/;
const PATTERN = /^(([^\s.*>]+|\*)\.)*([^\s.*>]+|\*|>)$/;

/** @throws BusError `invalid_subject` */
export function assertSubject(subject: string): void {
  if (!SUBJECT.test(subject)) throw new BusError('invalid_subject', `Not a subject to publish on: ${subject}`);
}

/** @throws BusError `invalid_subject` */
export function assertPattern(pattern: string): void {
  if (!PATTERN.test(pattern)) throw new BusError('invalid_subject', `Not a subject pattern: ${pattern}`);
}

interface Node<T> {
  readonly children: Map<string, Node<T>>;
  /** Values whose pattern ends at this token. */
  readonly here: Set<T>;
  /** Values whose pattern continues with `>`. */
  readonly rest: Set<T>;
}

/** From a node to its child. */
interface Step<T> {
  readonly from: Node<T>;
  readonly token: string;
  readonly to: Node<T>;
}

/**
 * Values by subject pattern. A pattern without wildcards costs one look-up in a map however many there are (one for each
 * run, say); the few with wildcards are in a tree of tokens.
 */
export class SubjectMap<T> {
  private readonly exact = new Map<string, Set<T>>();
  private readonly root: Node<T> = newNode();
  private wildcards = 0;

  /** Adds a value and returns a function that removes it. @throws BusError `invalid_subject` */
  add(pattern: string, value: T): () => void {
    assertPattern(pattern);
    return /[*>]/.test(pattern) ? this.addToTree(pattern.split('.'), value) : this.addExact(pattern, value);
  }

  /** Every value whose pattern covers the subject; the same value once for each of its patterns. */
  match(subject: string): T[] {
    const exact = this.exact.get(subject);
    const found = exact ? [...exact] : [];
    if (this.wildcards > 0) collect(this.root, subject.split('.'), 0, found);
    return found;
  }

  private addExact(subject: string, value: T): () => void {
    const values = this.exact.get(subject) ?? new Set<T>();
    this.exact.set(subject, values.add(value));
    return () => {
      values.delete(value);
      if (values.size === 0 && this.exact.get(subject) === values) this.exact.delete(subject);
    };
  }

  private addToTree(tokens: readonly string[], value: T): () => void {
    const path: Step<T>[] = [];
    let node = this.root;
    let values = node.here;
    for (const token of tokens) {
      if (token === '>') {
        values = node.rest;
        break;
      }
      const next = node.children.get(token) ?? newNode<T>();
      node.children.set(token, next);
      path.push({ from: node, token, to: next });
      node = next;
      values = node.here;
    }
    values.add(value);
    this.wildcards += 1;
    return () => {
      if (!values.delete(value)) return;
      this.wildcards -= 1;
      prune(path);
    };
  }
}

function newNode<T>(): Node<T> {
  return { children: new Map(), here: new Set(), rest: new Set() };
}

function collect<T>(node: Node<T>, tokens: readonly string[], at: number, found: T[]): void {
  const token = tokens[at];
  if (token === undefined) {
    found.push(...node.here);
    return;
  }
  found.push(...node.rest);
  for (const key of [token, '*']) {
    const child = node.children.get(key);
    if (child) collect(child, tokens, at + 1, found);
  }
}

/** Removes the empty end of a path, so that patterns which name a run leave nothing behind. */
function prune<T>(path: readonly Step<T>[]): void {
  for (const { from, token, to } of path.toReversed()) {
    if (to.children.size + to.here.size + to.rest.size > 0) return;
    from.children.delete(token);
  }
}
