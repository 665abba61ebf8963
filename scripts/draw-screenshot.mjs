// Draws the pictures of README and docs anew, after a build: `npm run screenshot`. Needs a Chromium, as `browser` agents do.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { startOwnService } from '../dist/cli/own-service.js';
import { findBrowser } from '../dist/src/agents/browser/browser-choice.js';

const IMAGES = new URL('../docs/images/', import.meta.url).pathname;
const PICTURE = join(IMAGES, 'evidence.png');
/** Agents of known quality, as versions of one agent. */
const VERSIONS = [
  ['1.0', 'reference/friendly-and-careless'],
  ['1.1', 'demo-clinic-agent'],
  ['1.2', 'reference/ideal-clinician'],
];
const SCENARIO = 'Crushing chest pain at rest';
const PATIENCE_MS = 120_000;

const stop = new AbortController();
const dataDir = mkdtempSync(join(tmpdir(), 'agent-osce-screenshot-'));
const service = await startOwnService({
  environment: { PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: 'warn' },
  signal: stop.signal,
  onFailure: (failure) => stop.abort(failure),
});
try {
  const scenarioRunId = await examinedScenarioRun(service.url);
  const installation = findBrowser({ configured: process.env.BROWSER_EXECUTABLE ?? null, dataDir }).found;
  if (installation === null) throw new Error('No Chromium was found: install one, or name it in BROWSER_EXECUTABLE.');
  const { path, args, environment } = await installation.prepare(installation.paths[0], stop.signal);
  const browser = await chromium.launch({
    executablePath: path,
    args: [...args, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    env: { ...process.env, ...environment },
  });
  const page = await browser.newPage({
    viewport: { width: 1280, height: 720 },
    colorScheme: 'light',
    locale: 'en-US',
    // The click scrolls to the evidence: at once, so that nothing moves any more when the picture is taken.
    reducedMotion: 'reduce',
  });
  await page.goto(`${service.url}/scenario-runs/${scenarioRunId}`);
  await page
    .getByRole('button', { name: /call 911|emergency services/i })
    .first()
    .click();
  // The conversation beside the checklist, without what surrounds them.
  const conversation = page.getByRole('heading', { name: 'Conversation' });
  await conversation.evaluate((heading) => {
    heading.style.scrollMarginTop = '16px';
    heading.scrollIntoView({ block: 'start' });
  });
  // The pointer highlights whatever it rests on.
  await page.mouse.move(0, 0);
  const corner = await conversation.boundingBox();
  if (corner === null) throw new Error('The page shows no conversation.');
  const clip = { x: corner.x - 12, y: Math.max(0, corner.y - 12), width: 1280 - corner.x - 28, height: 430 };
  mkdirSync(join(PICTURE, '..'), { recursive: true });
  await page.screenshot({ path: PICTURE, clip });
  await drawVersions(page, service.url);
  await browser.close();
  console.log(`Drew ${PICTURE}`);
} finally {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Three versions of an agent over the same scenarios, in one grid; and two of their conversations side by side. */
async function drawVersions(page, url) {
  const [agent] = await json(`${url}/api/v1/agents`);
  const runs = [];
  for (const [agent_version, model] of VERSIONS) {
    await json(`${url}/api/v1/agents/${agent.id}`, { config: { model } }, 'PATCH');
    runs.push(await finishedRun(url, { agent_id: agent.id, agent_version, max_scenarios: 12, trials: 2 }));
  }
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.goto(`${url}/compare?runs=${runs.join(',')}`);
  await page
    .getByRole('link', { name: /^Side by side/ })
    .first()
    .waitFor();
  await page.screenshot({ path: join(IMAGES, 'grid.png') });
  await page.goto(`${url}/compare?base=${runs[0]}&head=${runs[2]}`);
  await page.getByRole('link', { name: /^Side by side: Crushing chest pain/ }).click();
  await page.getByRole('heading', { name: 'Conversations', exact: true }).waitFor();
  await page.locator('.conversations .message').first().waitFor();
  await page.screenshot({ path: join(IMAGES, 'side-by-side.png') });
  await page.goto(`${url}/agents/${agent.id}`);
  await page.getByRole('region', { name: 'Runs of this agent' }).waitFor();
  await page.screenshot({ path: join(IMAGES, 'agent-over-time.png') });
  console.log(`Drew grid.png, side-by-side.png and agent-over-time.png in ${IMAGES}`);
}

async function examinedScenarioRun(url) {
  const [agent] = await json(`${url}/api/v1/agents`);
  const { scenarios } = await json(`${url}/api/v1/scenarios`);
  const chosen = scenarios.find(({ name }) => name === SCENARIO);
  if (chosen === undefined) throw new Error(`The library has no scenario “${SCENARIO}”.`);
  const id = await finishedRun(url, { agent_id: agent.id, scenario_ids: [chosen.scenario_id] });
  const { results } = await json(`${url}/api/v1/scenario-runs?test_run_id=${id}`);
  return results[0].id;
}

/** Starts a run, and answers its id once it has ended. */
async function finishedRun(url, body) {
  const { id } = await json(`${url}/start-run`, body);
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const run = await json(`${url}/api/v1/tests/${id}`);
    if (['completed', 'failed', 'canceled'].includes(run.status)) return id;
    if (Date.now() > until) throw new Error(`The run ${id} did not end in time.`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function json(url, body, method = 'POST') {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(30_000),
    ...(body === undefined
      ? {}
      : { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}
