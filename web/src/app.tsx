import { lazy, Suspense, useEffect, type ComponentType } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { ApiError } from './api/client';
import { getHealth } from './api/health';
import { ErrorBoundary } from './parts/error-boundary';
import { KeyDialog } from './parts/key-dialog';
import { Loading } from './parts/loading';
import { Problem } from './parts/problem';
import { Shell } from './parts/shell';
import { NoSuchPage } from './parts/no-such-page';
import { RunPage } from './runs/run-page';
import { RunsPage } from './runs/runs-page';

/** The views that are not in the first load; each is fetched when it is opened, or a little after the first view. */
const loads: (() => Promise<unknown>)[] = [];

function onDemand<Name extends string>(name: Name, load: () => Promise<Readonly<Record<Name, ComponentType>>>) {
  loads.push(load);
  return lazy(async () => ({ default: await load().then((views) => views[name], notFetched) }));
}

/** Browsers remember what could not be fetched until the page is loaded again. */
async function notFetched(): Promise<ComponentType> {
  const error = await getHealth(new AbortController().signal).then(
    () => new ApiError('This view could not be fetched. Load the page again.', 0),
    (outOfReach: unknown) => outOfReach,
  );
  return () => <Problem error={error} onRetry={() => location.reload()} />;
}

/** Every view by its address. The first segments are listed in src/platform/page/serve-page.ts, which the service serves. */
const VIEWS: readonly (readonly [path: string, view: ComponentType])[] = [
  ['/', RunsPage],
  ['/runs', RunsPage],
  ['/runs/:id', RunPage],
  ['/runs/:id/review', onDemand('ReviewQueuePage', () => import('./review/queue-page'))],
  ['/scenario-runs/:id', onDemand('ScenarioRunPage', () => import('./scenario-run/scenario-run-page'))],
  ['/scenario-runs/:id/review', onDemand('ReviewPage', () => import('./review/review-page'))],
  ['/start', onDemand('StartPage', () => import('./start/start-page'))],
  ['/agents', onDemand('AgentsPage', () => import('./agents/agents-page'))],
  ['/agents/new', onDemand('NewAgentPage', () => import('./agents/new-agent-page'))],
  ['/agents/:id/:tab?', onDemand('AgentPage', () => import('./agents/agent-page'))],
  ['/scenarios', onDemand('ScenariosPage', () => import('./scenarios/scenarios-page'))],
  ['/scenarios/new', onDemand('NewScenarioPage', () => import('./scenarios/new-scenario-page'))],
  ['/scenarios/generate', onDemand('GeneratePage', () => import('./scenarios/generate-page'))],
  ['/scenarios/import', onDemand('ImportPage', () => import('./scenarios/import-page'))],
  ['/scenarios/:id', onDemand('ScenarioPage', () => import('./scenarios/scenario-page'))],
  ['/suites', onDemand('SuitesPage', () => import('./suites/suites-page'))],
  ['/suites/new', onDemand('NewSuitePage', () => import('./suites/new-suite-page'))],
  ['/suites/:id', onDemand('SuitePage', () => import('./suites/suite-page'))],
  ['/schedules', onDemand('SchedulesPage', () => import('./schedules/schedules-page'))],
  ['/schedules/new', onDemand('NewSchedulePage', () => import('./schedules/schedule-page'))],
  ['/schedules/:id', onDemand('SchedulePage', () => import('./schedules/schedule-page'))],
  ['/compare', onDemand('ComparePage', () => import('./compare/compare-page'))],
  ['/sets/:id', onDemand('RunSetPage', () => import('./sets/run-set-page'))],
  ['/side-by-side', onDemand('SideBySidePage', () => import('./side-by-side/side-by-side-page'))],
  ['/inspect', onDemand('InspectPage', () => import('./inspection/inspect-page'))],
  ['/inspect/:id', onDemand('ActorPage', () => import('./inspection/actor-page'))],
  ['/calibrations', onDemand('CalibrationsPage', () => import('./calibrations/calibrations-page'))],
  ['/calibrations/:id', onDemand('CalibrationPage', () => import('./calibrations/calibration-page'))],
  ['/audit', onDemand('AuditPage', () => import('./audit/audit-page'))],
  ['/keys', onDemand('KeysPage', () => import('./keys/keys-page'))],
  ['/webhooks', onDemand('WebhooksPage', () => import('./webhooks/webhooks-page'))],
  ['/webhooks/new', onDemand('NewWebhookPage', () => import('./webhooks/new-webhook-page'))],
  ['/webhooks/:id', onDemand('WebhookPage', () => import('./webhooks/webhook-page'))],
];

/** When the other views are fetched: by then the first one has what it asked for. */
const SOON_MS = 3_000;

function fetchAll(): void {
  // One that cannot be fetched now is asked for again when it is opened, and says so there.
  void Promise.allSettled(loads.map((load) => load()));
}

export function App() {
  const [location] = useLocation();
  useEffect(() => {
    const waiting = setTimeout(fetchAll, SOON_MS);
    return () => clearTimeout(waiting);
  }, []);
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
