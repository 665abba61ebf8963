import { isHttpUrl } from '../config-fields';
import { piecesOf, TemplateFault, type Piece, type Placeholder } from '../placeholders';
import { filled, placeholdersIn, textPieces } from './text-body';
import type { Values } from './values';

/** An address with placeholders in its path and query, where values are encoded: none of them can lead to another host or path. */
export class UrlTemplate {
  /** The address before it is filled. */
  readonly url: URL;
  readonly placeholders: ReadonlySet<Placeholder>;
  private readonly pieces: readonly Piece[];

  /** @throws TemplateFault */
  constructor(text: string) {
    if (!isHttpUrl(text) || /[{}]/.test(new URL(text).host)) {
      throw new TemplateFault(
        'must be a complete http or https address, without user and password, and with placeholders in its path and query only',
      );
    }
    // Says of an unknown name how it was written.
    piecesOf(text);
    this.url = new URL(text);
    this.pieces = textPieces(unescapedBraces(this.url.pathname + this.url.search));
    this.placeholders = placeholdersIn(this.pieces);
  }

  /** Path and query. */
  pathFor(values: Values): string {
    return filled(this.pieces, values, inUrl);
  }
}

/** The URL parser has escaped the braces of a path, and spaces in them. */
function unescapedBraces(path: string): string {
  return path.replace(/(?:%7B|\{){2}((?:[\w-]|%20){0,100})(?:%7D|\}){2}/gi, (_, name: string) => {
    return `{{${name.replaceAll('%20', ' ')}}}`;
  });
}

function inUrl(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed());
  // A step to the folder above, however it is encoded.
  return encoded === '.' || encoded === '..' ? encoded.replaceAll('.', '%252E') : encoded;
}
