import { SHAPES, type Shape } from './answer-shapes';

/**
 * What is known about how one server wants to be asked for one model. A shape counts as proven once an answer had it; until then a
 * refusal leads to the next shape, and an answer of a different shape leads to asking in words.
 */
export class ServerDialect {
  private proven: Shape | null = null;
  private begin: Shape = 'schema';
  /** Reasoning models refuse the old name, and some self-hosted servers do not know the new one. */
  limitField: 'max_completion_tokens' | 'max_tokens' = 'max_completion_tokens';

  /** In the order in which to try them. */
  get shapes(): readonly Shape[] {
    return this.proven === null ? SHAPES.slice(SHAPES.indexOf(this.begin)) : [this.proven];
  }

  /** The server accepted a request for this shape, after refusing those for the shapes before it. */
  noteAccepted(shape: Shape): void {
    this.begin = shape;
  }

  /** @param hadShape false may mean that the server accepts a schema and ignores it: then words have to say it */
  noteAnswer(shape: Shape, hadShape: boolean): void {
    if (hadShape) this.proven ??= shape;
    else if (this.proven === null) this.begin = 'words';
  }
}
