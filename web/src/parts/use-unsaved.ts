import { useEffect, useState } from 'react';
import type { Saving } from './saving';

/** What is asked on Back, while there is something to lose. */
let onBack: ((event: PopStateEvent) => void) | null = null;
// Listeners of the window are called in the order in which they came: this one is there before that of the router.
window.addEventListener('popstate', (event) => onBack?.(event));

const QUESTION = 'Leave without saving? Your changes are lost.';

/**
 * Whether a form holds something that is not saved; while it does, whoever leaves is asked first, wherever they go.
 * @param draft everything that the form holds, as text
 */
export function useUnsaved(
  draft: string,
  { isPending, isSuccess }: Pick<Saving<never>, 'isPending' | 'isSuccess'>,
): boolean {
  const [clean, setClean] = useState(draft);
  const [wasPending, setWasPending] = useState(isPending);
  if (wasPending !== isPending) {
    setWasPending(isPending);
    if (!isPending && isSuccess) setClean(draft);
  }
  const isUnsaved = draft !== clean;
  useEffect(() => (isUnsaved ? askBeforeLeaving() : undefined), [isUnsaved]);
  return isUnsaved;
}

/** Answers what ends it. */
function askBeforeLeaving(): () => void {
  const here = window.location.href;
  let mayLeave = false;
  const ask = (): boolean => {
    mayLeave ||= window.confirm(QUESTION);
    return mayLeave;
  };
  const onUnload = (event: BeforeUnloadEvent) => {
    if (!mayLeave) event.preventDefault();
  };
  const onClick = (event: MouseEvent) => {
    if (!leadsAway(event) || ask()) return;
    event.preventDefault();
    event.stopPropagation();
  };
  // The address has changed by then: whoever stays gets it back, and nobody else hears of it.
  onBack = (event) => {
    if (window.location.pathname === new URL(here).pathname || ask()) return;
    event.stopImmediatePropagation();
    window.history.pushState(null, '', here);
  };
  window.addEventListener('beforeunload', onUnload);
  document.addEventListener('click', onClick, true);
  return () => {
    window.removeEventListener('beforeunload', onUnload);
    document.removeEventListener('click', onClick, true);
    onBack = null;
  };
}

/** A plain press of a link to another view; what opens another tab leaves this one as it is. */
function leadsAway({ target, button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey || !(target instanceof Element)) return false;
  const link = target.closest('a');
  if (link === null || link.href === '' || link.target === '_blank' || link.hasAttribute('download')) return false;
  const { origin, pathname } = new URL(link.href);
  return origin === window.location.origin && pathname !== window.location.pathname;
}
