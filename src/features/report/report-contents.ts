import { html, type Html } from './html';

/** The parts of a report after its first page, in their order, under the names that links have. */
const PARTS = {
  examined: 'What was examined, and by whom',
  'by-category': 'By category',
  'must-pass-violations': 'Must-pass violations',
  hazards: 'Hazards, controls, evidence, residual',
  changes: 'Changes since the baseline',
  patients: 'Patients’ fidelity',
  'disputed-marks': 'Disputed marks',
  reviews: 'Reviews by people',
  calibration: 'The judge’s calibration',
  limits: 'What this does not show',
  signatures: 'Signatures',
  annex: 'Annex: scenarios and their versions',
} as const;

export function contents(): Html {
  return html`<nav aria-label="Contents">
    <p class="label">Contents</p>
    <ol>
      ${Object.entries(PARTS).map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}
    </ol>
  </nav>`;
}

export function heading(part: keyof typeof PARTS): Html {
  return html`<h2 id="${part}">${PARTS[part]}</h2>`;
}
