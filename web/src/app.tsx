import { Suspense, type ComponentType } from 'react';
import { Route, Switch } from 'wouter';
import { KeyDialog } from './parts/key-dialog';
import { Loading } from './parts/loading';
import { Shell } from './parts/shell';
import { NoSuchPage } from './parts/no-such-page';
import { RunPage } from './runs/run-page';
import { RunsPage } from './runs/runs-page';
import { ScenarioRunPage } from './scenario-run/scenario-run-page';

/** Every view by its address. The first segments are listed in src/web/page-sections.ts, which the service serves. */
const VIEWS: readonly (readonly [path: string, view: ComponentType])[] = [
  ['/', RunsPage],
  ['/runs', RunsPage],
  ['/runs/:id', RunPage],
  ['/scenario-runs/:id', ScenarioRunPage],
];

export function App() {
  return (
    <Shell>
      <Suspense fallback={<Loading />}>
        <Switch>
          {VIEWS.map(([path, view]) => (
            <Route key={path} path={path} component={view} />
          ))}
          <Route component={NoSuchPage} />
        </Switch>
      </Suspense>
      <KeyDialog />
    </Shell>
  );
}
