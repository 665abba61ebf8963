import type { ChatMessages } from '../chat-messages';
import { isList, piecesOf, TemplateFault, type Piece, type Placeholder } from '../placeholders';

/** A field of a form with the pieces of its value. */
type FormField = readonly [name: string, pieces: readonly Piece[]];

/** A form: a flat object, whose values are encoded; a list is the same field several times. */
export class FormBody implements BodyTemplate {
  readonly contentType = 'application/x-www-form-urlencoded';
  readonly placeholders: ReadonlySet<Placeholder>;
  private readonly fields: readonly FormField[];

  /** @throws TemplateFault */
  constructor(template: unknown) {
    if (typeof template !== 'object' || template === null || Array.isArray(template)) {
      throw new TemplateFault('must be an object for a form, such as { "message": "{{message}}" }');
    }
    this.fields = Object.entries(template).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((item): FormField => [name, textPieces(formText(name, item))]),
    );
    this.placeholders = placeholdersIn(this.fields.flatMap(([, pieces]) => pieces));
  }

  write(values: Values): string {
    const fields = this.fields.filter(([, pieces]) => !isUnknownSession(pieces, values));
    return new URLSearchParams(
      fields.map(([name, pieces]): [string, string] => [name, filled(pieces, values)]),
    ).toString();
  }
}

/** A text, in which values stand as they are, or, in XML, escaped. */
export class TextBody implements BodyTemplate {
  readonly placeholders: ReadonlySet<Placeholder>;
  private readonly pieces: readonly Piece[];

  /** @throws TemplateFault */
  constructor(
    template: unknown,
    readonly contentType: string,
  ) {
    if (typeof template !== 'string') {
      throw new TemplateFault(`must be text for the content-type ${contentType}, or the content-type another`);
    }
    this.pieces = textPieces(template);
    this.placeholders = placeholdersIn(this.pieces);
  }

  write(values: Values): string {
    return filled(this.pieces, values, /\bxml\b/.test(this.contentType) ? inXml : undefined);
  }
}

/** @throws TemplateFault for a list, which only JSON can hold */
export function textPieces(text: string): readonly Piece[] {
  const pieces = piecesOf(text);
  for (const piece of pieces) {
    if (typeof piece !== 'string' && isList(piece.placeholder)) {
      throw new TemplateFault(`holds {{${piece.placeholder}}}, a list, which only a body of JSON can hold`);
    }
  }
  return pieces;
}

export function filled(pieces: readonly Piece[], values: Values, encode = (text: string): string => text): string {
  return pieces
    .map((piece) => (typeof piece === 'string' ? piece : encode(textFor(piece.placeholder, values))))
    .join('');
}

/** Whether the text is nothing but the id of a session that has none yet: then it is left out. */
export function isUnknownSession(pieces: readonly Piece[], { sessionId }: Values): boolean {
  const [only, ...others] = pieces;
  const isSession = typeof only === 'object' && only.placeholder === 'session_id' && others.length === 0;
  return isSession && sessionId === null;
}

export function placeholdersIn(pieces: readonly Piece[]): ReadonlySet<Placeholder> {
  return new Set(pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.placeholder])));
}

function formText(name: string, value: unknown): string {
  if (value === null) return '';
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TemplateFault(`holds something other than text in ${name}: a form is flat`);
}

const XML_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function inXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => XML_ESCAPES[character] ?? '');
}

/** What a template is filled with for one message. */
export interface Values {
  readonly message: string;
  /** The turns before it. */
  readonly conversation: ChatMessages;
  /** Null until the agent has named one. */
  readonly sessionId: string | null;
}

/** A request's body with placeholders, read once for a conversation and filled for each message. */
export interface BodyTemplate {
  readonly contentType: string;
  readonly placeholders: ReadonlySet<Placeholder>;
  write(values: Values): string | Buffer | Promise<Buffer>;
}

/** A placeholder's text; that of a session without an id is empty. */
export function textFor(placeholder: Placeholder, { message, sessionId }: Values): string {
  return placeholder === 'message' ? message : placeholder === 'session_id' ? (sessionId ?? '') : '';
}
