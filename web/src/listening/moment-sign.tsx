import type { MomentKind } from './moments';

/** Outlines in a square of 16. */
const OUTLINES: Readonly<Record<MomentKind, string>> = {
  // A flash.
  interruption: 'M9 1.5 3.5 9H7.5L6.5 14.5 12.5 6.5H8.5Z',
  // Three dots.
  backchannel:
    'M2 8a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0M6.5 8a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0M11 8a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0',
  // A flag.
  red_flag: 'M3.5 1.5H5V2.5H13L11 5.75 13 9H5V14.5H3.5Z',
  // An arrow to before a bar.
  premature_start: 'M12 2.5H13.5V13.5H12ZM2.5 8 7.5 3.5V7H11V9H7.5V12.5Z',
  // An hourglass.
  dead_air: 'M3.5 1.5H12.5V3L9 8L12.5 13V14.5H3.5V13L7 8L3.5 3Z',
  // A cross.
  escalation: 'M6 2H10V6H14V10H10V14H6V10H2V6H6Z',
};

/** The sign of a kind of moment, in the colour of the text around it. */
export function MomentSign({ kind }: { readonly kind: MomentKind }) {
  return (
    <svg className={`moment-sign ${kind}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={OUTLINES[kind]} />
    </svg>
  );
}
