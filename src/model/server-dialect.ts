import { SHAPES, type Shape } from './answer-shapes';

/**
 * What is known of how one server wants one model to be asked. A shape counts as proven once an answer had it; until then each
 * refusal, and each answer of another shape, leads to the next.
 */
export class ServerDialect {
  private proven: Shape | null = null;
  private begin: Shape = 'schema';
  /** Reasoning models refuse the old name, some servers of one's own do not know the new one. */
  limitField: 'max_completion_tokens' | 'max_tokens' = 'max_completion_tokens';

  /** In the order in which they are to be tried. */
  get shapes(): readonly Shape[] {
    return this.proven === null ? SHAPES.slice(SHAPES.indexOf(this.begin)) : [this.proven];
  }

  /** The server took a request for it, and refused those for the shapes before. */
  noteAccepted(shape: Shape): void {
    this.begin = shape;
  }

  /** @param hadShape false also shows a server that takes a schema and does not look at it: then words must say it */
  noteAnswer(shape: Shape, hadShape: boolean): void {
    if (hadShape) this.proven ??= shape;
    else if (this.proven === null) this.begin = 'words';
  }
}
