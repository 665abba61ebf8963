import { useEffect, useState } from 'react';
import type { Saving } from './saving';

/** The question on Back, while there are unsaved changes. */
let onBack: ((event: PopStateEvent) => void) | null = null;
// Listeners of the window are called in the order in which they came: this one is there before that of the router.
window.addEventListener('popstate', (event) => onBack?.(event));

const QUESTION = 'Leave without saving? Your changes are lost.';

/**
 * Whether a form has unsaved changes; while it does, the page asks before the reader leaves it in any way.
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

/** Returns a function that ends the asking. */
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
  // The address has changed by then: a reader who stays gets it back, and no other listener learns of it.
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

/** Whether it is a plain press of a link to another view; one that opens another tab leaves this view as it is. */
function leadsAway({ target, button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey || !(target instanceof Element)) return false;
  const link = target.closest('a');
  if (link === null || link.href === '' || link.target === '_blank' || link.hasAttribute('download')) return false;
  const { origin, pathname } = new URL(link.href);
  return origin === window.location.origin && pathname !== window.location.pathname;
}
