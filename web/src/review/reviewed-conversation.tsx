import { useRef, useState, type KeyboardEvent } from 'react';
import type { Quote, ReviewSheet } from '../api/reviews';
import { Name, UntrustedText } from '../parts/untrusted-text';
import { PlayButton } from '../listening/heard-call';
import { spanOf } from '../listening/spoken-words';
import { Acts } from '../scenario-run/acts';
import { sentencesOf } from './sentences';

interface Props {
  readonly transcript: ReviewSheet['transcript'];
  /** The criterion that a sentence is picked for, from 1. */
  readonly criterion: number;
  readonly isPicked: (quote: Quote) => boolean;
  readonly onPick: (quotes: readonly Quote[]) => void;
  /** The words of what can be heard are hidden, until those of a message are asked for. */
  readonly isByEar: boolean;
  readonly onByEar: (isByEar: boolean) => void;
  /** Called when a reviewer has finished picking by keyboard. */
  readonly onLeave: () => void;
}

/** Marks are not shown to a reviewer. */
const NO_MARKS: ReadonlyMap<number, readonly number[]> = new Map();
/** Characters of a reply shown at first, and added by each press of the button. */
const SHOWN_AT_FIRST = 6_000;
const SHOWN_MORE = 20_000;

/** The conversation; the agent’s sentences can be picked as evidence: by selecting text, by clicking, by keyboard. */
export function ReviewedConversation(props: Props) {
  const { transcript, criterion, isPicked, onPick, isByEar, onByEar, onLeave } = props;
  const list = useRef<HTMLOListElement>(null);
  // Messages whose words are shown all the same.
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  const canHear = transcript.some((entry) => spanOf(entry) !== null);
  const pressed = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (event.key === 'Escape') onLeave();
    else if (step !== undefined) moveFocus(list.current, step);
    else return;
    event.preventDefault();
  };
  const selected = () => {
    const quotes = selectedQuotes(list.current);
    if (quotes.length === 0) return;
    onPick(quotes.filter((quote) => !isPicked(quote)));
    document.getSelection()?.removeAllRanges();
  };
  return (
    <section className="transcript" aria-labelledby="conversation-title">
      <div className="transcript-head">
        <h2 id="conversation-title">Conversation</h2>
        <a className="to-checklist" href="#checklist">
          To the checklist
        </a>
        {canHear && (
          <button type="button" className="button small" aria-pressed={isByEar} onClick={() => onByEar(!isByEar)}>
            By ear
          </button>
        )}
      </div>
      {isByEar && (
        <p className="hint quiet small">
          The words are hidden: listen, and show a message where you pick evidence in it.
        </p>
      )}
      <ol ref={list} onKeyDown={pressed} onMouseUp={selected}>
        {transcript.map((entry) => {
          const key = `${entry.turn} ${entry.role}`;
          const isHidden = isByEar && spanOf(entry) !== null && !shown.has(key);
          return (
            <li key={key} className={`message ${entry.role}`}>
              <p className="who">
                <span className="role">{entry.role === 'patient' ? 'Patient' : 'Agent'}</span>
                <span className="turn number">turn {entry.turn}</span>
                <PlayButton span={spanOf(entry)} what={`what the ${entry.role} said in turn ${entry.turn}`} />
              </p>
              <div className="says">
                {isHidden ? (
                  <button
                    type="button"
                    className="button small"
                    aria-label={`Show the words of the ${entry.role} in turn ${entry.turn}`}
                    onClick={() => setShown(new Set([...shown, key]))}
                  >
                    Show the words
                  </button>
                ) : entry.role === 'patient' ? (
                  <UntrustedText text={entry.content} />
                ) : (
                  <Reply
                    turn={entry.turn}
                    text={entry.content}
                    criterion={criterion}
                    isPicked={isPicked}
                    onPick={onPick}
                  />
                )}
              </div>
              <Acts turn={entry.turn} acts={entry.acts} marks={NO_MARKS} active={null} />
            </li>
          );
        })}
      </ol>
    </section>
  );
}

interface ReplyProps extends Pick<Props, 'criterion' | 'isPicked' | 'onPick'> {
  readonly turn: number;
  readonly text: string;
}

function Reply({ turn, text, criterion, isPicked, onPick }: ReplyProps) {
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  const visible = text.slice(0, shown);
  return (
    <>
      <div className="reply" dir="auto">
        {sentencesOf(visible).map(({ start, end, next }) => {
          const quote = { turn, quote: visible.slice(start, end) };
          const toggle = () => onPick([quote]);
          return (
            <span key={start}>
              <span
                className="sentence"
                role="button"
                tabIndex={-1}
                aria-pressed={isPicked(quote)}
                title={`Evidence for criterion ${criterion}`}
                data-turn={turn}
                data-quote={quote.quote}
                onClick={() => {
                  if (document.getSelection()?.isCollapsed !== false) toggle();
                }}
                onKeyDown={(event) => {
                  if (event.key !== ' ' && event.key !== 'Enter') return;
                  event.preventDefault();
                  toggle();
                }}
              >
                <Name>{quote.quote}</Name>
              </span>
              {visible.slice(end, next).includes('\n') ? <br /> : ' '}
            </span>
          );
        })}
      </div>
      {text.length > shown && (
        <button type="button" className="button small quiet" onClick={() => setShown(shown + SHOWN_MORE)}>
          Show more: {(text.length - shown).toLocaleString()} characters left
        </button>
      )}
    </>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

function sentencesIn(list: Element | null): HTMLElement[] {
  return list === null ? [] : [...list.querySelectorAll<HTMLElement>('.sentence')];
}

function moveFocus(list: Element | null, step: number): void {
  const sentences = sentencesIn(list);
  const at = sentences.findIndex((sentence) => sentence === document.activeElement);
  sentences[Math.min(sentences.length - 1, Math.max(0, at + step))]?.focus();
}

/** The whole sentences of the agent that a selection touches: a quote is what was said, word for word. */
function selectedQuotes(list: Element | null): Quote[] {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return [];
  const range = selection.getRangeAt(0);
  return sentencesIn(list)
    .filter((sentence) => range.intersectsNode(sentence))
    .map(({ dataset }) => ({ turn: Number(dataset['turn']), quote: dataset['quote'] ?? '' }));
}
