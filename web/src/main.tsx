import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import * as z from 'zod/mini';
import { App } from './app';
import { createQueryClient } from './api/query-client';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/forms.css';
import './styles/lists.css';
import './styles/marks.css';
import './styles/statistics.css';
import './styles/trends.css';
import './styles/verdict.css';
import './styles/run.css';
import './styles/scenario-run.css';
import './styles/listening.css';
import './styles/derived.css';
import './styles/formatted.css';
import './styles/editing.css';
import './styles/wide-forms.css';
import './styles/inspection.css';
import './styles/schedules.css';
import './styles/webhooks.css';
import './styles/review.css';
import './styles/calibrations.css';
import './styles/side-by-side.css';
import './styles/contrast.css';
import './styles/print.css';

// Zod's compiled parsers need eval, which the page's content security policy forbids.
z.config({ jitless: true });

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element #root.');

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
