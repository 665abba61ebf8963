/**
 * Records which service key was shown the marks of a conversation, before the answer is sent: a review is blind only where
 * nothing was.
 */

export { ShownMarksModule } from './shown-marks';
export { ShownMarksStore } from './shown-marks.store';
