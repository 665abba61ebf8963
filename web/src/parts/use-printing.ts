import { flushSync } from 'react-dom';
import { useSyncExternalStore } from 'react';

let isPrinting = false;
let isWatched = false;
const listeners = new Set<() => void>();

/** Whether the page is being printed: parts that are cut or windowed on the screen are then drawn whole. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => isPrinting);
}

function subscribe(listener: () => void): () => void {
  watch();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function watch(): void {
  if (isWatched) return;
  isWatched = true;
  const media = window.matchMedia('print');
  isPrinting = media.matches;
  media.addEventListener('change', ({ matches }) => become(matches));
  window.addEventListener('beforeprint', () => become(true));
  window.addEventListener('afterprint', () => become(false));
}

/** Draws before it returns: the browser prints what is drawn when the event is over. */
function become(printing: boolean): void {
  if (printing === isPrinting) return;
  isPrinting = printing;
  flushSync(() => {
    for (const listener of listeners) listener();
  });
}
