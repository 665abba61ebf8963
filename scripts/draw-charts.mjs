// Draws the statecharts anew into docs/charts, after a build: `npm run charts`.
import { readFileSync, writeFileSync } from 'node:fs';
import { drawChart } from '../dist/machines/drawing.js';
import { scenarioRunMachine } from '../dist/machines/scenario-run.machine.js';
import { testRunMachine } from '../dist/machines/test-run.machine.js';

const drawings = { 'scenario-run': scenarioRunMachine, 'test-run': testRunMachine };

for (const [name, chart] of Object.entries(drawings)) {
  const page = new URL(`../docs/charts/${name}.md`, import.meta.url);
  const text = readFileSync(page, 'utf8');
  const fence = /```mermaid\n[^]*?```/;
  if (!fence.test(text)) throw new Error(`docs/charts/${name}.md has no Mermaid block to put the drawing into.`);
  writeFileSync(
    page,
    text.replace(fence, () => `\`\`\`mermaid\n${drawChart(chart)}\`\`\``),
  );
}
