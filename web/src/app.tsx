import { lazy, Suspense, type ComponentType } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { AgentPage } from './agents/agent-page';
import { AgentsPage } from './agents/agents-page';
import { NewAgentPage } from './agents/new-agent-page';
import { ComparePage } from './compare/compare-page';
import { ActorPage } from './inspection/actor-page';
import { InspectPage } from './inspection/inspect-page';
import { ErrorBoundary } from './parts/error-boundary';
import { KeyDialog } from './parts/key-dialog';
import { Loading } from './parts/loading';
import { Shell } from './parts/shell';
import { NoSuchPage } from './parts/no-such-page';
import { ReviewQueuePage } from './review/queue-page';
import { ReviewPage } from './review/review-page';
import { RunPage } from './runs/run-page';
import { RunsPage } from './runs/runs-page';
import { ScenarioRunPage } from './scenario-run/scenario-run-page';
import { GeneratePage } from './scenarios/generate-page';
import { NewScenarioPage } from './scenarios/new-scenario-page';
import { ScenarioPage } from './scenarios/scenario-page';
import { ScenariosPage } from './scenarios/scenarios-page';
import { StartPage } from './start/start-page';
import { NewSuitePage } from './suites/new-suite-page';
import { SuitePage } from './suites/suite-page';
import { SuitesPage } from './suites/suites-page';
import { NewWebhookPage } from './webhooks/new-webhook-page';
import { WebhookPage } from './webhooks/webhook-page';
import { WebhooksPage } from './webhooks/webhooks-page';

// Not in the first load: few readers who watch a run also calibrate the judge or read the audit trail.
const CalibrationsPage = lazy(async () => {
  const { CalibrationsPage: view } = await import('./calibrations/calibrations-page');
  return { default: view };
});
const AuditPage = lazy(async () => {
  const { AuditPage: view } = await import('./audit/audit-page');
  return { default: view };
});
const CalibrationPage = lazy(async () => {
  const { CalibrationPage: view } = await import('./calibrations/calibration-page');
  return { default: view };
});

/** Every view by its address. The first segments are listed in src/platform/page/serve-page.ts, which the service serves. */
const VIEWS: readonly (readonly [path: string, view: ComponentType])[] = [
  ['/', RunsPage],
  ['/runs', RunsPage],
  ['/runs/:id', RunPage],
  ['/runs/:id/review', ReviewQueuePage],
  ['/scenario-runs/:id', ScenarioRunPage],
  ['/scenario-runs/:id/review', ReviewPage],
  ['/start', StartPage],
  ['/agents', AgentsPage],
  ['/agents/new', NewAgentPage],
  ['/agents/:id', AgentPage],
  ['/scenarios', ScenariosPage],
  ['/scenarios/new', NewScenarioPage],
  ['/scenarios/generate', GeneratePage],
  ['/scenarios/:id', ScenarioPage],
  ['/suites', SuitesPage],
  ['/suites/new', NewSuitePage],
  ['/suites/:id', SuitePage],
  ['/compare', ComparePage],
  ['/inspect', InspectPage],
  ['/inspect/:id', ActorPage],
  ['/calibrations', CalibrationsPage],
  ['/calibrations/:id', CalibrationPage],
  ['/audit', AuditPage],
  ['/webhooks', WebhooksPage],
  ['/webhooks/new', NewWebhookPage],
  ['/webhooks/:id', WebhookPage],
];

export function App() {
  const [location] = useLocation();
  return (
    <Shell>
      <ErrorBoundary resetBy={location}>
        <Suspense fallback={<Loading />}>
          <Switch>
            {VIEWS.map(([path, view]) => (
              <Route key={path} path={path} component={view} />
            ))}
            <Route component={NoSuchPage} />
          </Switch>
        </Suspense>
      </ErrorBoundary>
      <KeyDialog />
    </Shell>
  );
}
