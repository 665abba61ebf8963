import { ownTurn } from '../../../platform/concurrency/own-turn';
import type { ScenarioRunDetail } from '../scenario-run.views';

/** A piece ends with the entry of the transcript that reaches it. */
const PIECE_CHARACTERS = 65_536;

/** A scenario run as `JSON.stringify` writes it, in pieces: a transcript may hold seven megabytes. */
export async function* jsonPieces({ transcript, ...rest }: ScenarioRunDetail): AsyncGenerator<string> {
  let piece = `${JSON.stringify(rest).slice(0, -1)},"transcript":[`;
  for (const [at, entry] of transcript.entries()) {
    await ownTurn(entry.content.length);
    piece += (at === 0 ? '' : ',') + JSON.stringify(entry);
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}]}`;
}
