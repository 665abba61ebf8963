// The version of a release, which stands in several files, and its section of the changelog. Works on the folder that it is started in.
//   node scripts/release-version.mjs 0.2.0           writes it everywhere, and dates the section
//   node scripts/release-version.mjs --check v0.2.0  says what stands against releasing this tag
//   node scripts/release-version.mjs --agree         says which file has another version than package.json
//   node scripts/release-version.mjs --notes 0.2.0   prints the section
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;
const CHANGELOG = 'CHANGELOG.md';
const UNRELEASED = /^## .*, not released yet$/m;

/** What stands before a version, in each file that has it. Each pattern is found once at least. */
const PLACES = {
  'package.json': [/^ {2}"version": "/m],
  'package-lock.json': [/^ {2}"version": "/m, /^ {4}"": \{\n {6}"name": "agent-osce",\n {6}"version": "/m],
  'packages/command/package.json': [/^ {2}"version": "/m],
  'packages/python/pyproject.toml': [/^version = "/m],
  'client/openapi.json': [/^ {4}"version": "/m],
  'deploy/helm/agent-osce/Chart.yaml': [/^version: /m, /^appVersion: /m],
  'deploy/helm/agent-osce/README.md': [/\/agent-osce:/g],
  'deploy/kubernetes/agent-osce.yaml': [/agent-osce:(?=\d)/g],
  'README.md': [/agent-osce-(?=\d)/g],
  'docs/command-line.md': [/agent-osce-(?=\d)/g],
  'docs/ci.md': [/agent-osce-(?:command-)?(?=\d)/g],
};

const after = (pattern) => new RegExp(`(${pattern.source})(\\d+\\.\\d+\\.\\d+)`, pattern.flags);
const read = (path) => readFileSync(path, 'utf8');

/** Which places lack the version or have another one, as sentences. */
function disagreements(version) {
  return Object.entries(PLACES).flatMap(([path, patterns]) =>
    patterns.flatMap((pattern) => {
      const global = new RegExp(after(pattern).source, 'gm');
      const found = [...read(path).matchAll(global)].map((match) => match.at(-1));
      if (found.length === 0) return [`${path} has no version where one is expected (${pattern.source}).`];
      return found.filter((one) => one !== version).map((one) => `${path} has version ${one}, not ${version}.`);
    }),
  );
}

function write(version) {
  for (const [path, patterns] of Object.entries(PLACES)) {
    const text = patterns.reduce(
      (before, pattern) => before.replace(after(pattern), (_, prefix) => prefix + version),
      read(path),
    );
    writeFileSync(path, text);
  }
  const today = new Date().toISOString().slice(0, 10);
  const changelog = read(CHANGELOG);
  if (!UNRELEASED.test(changelog)) return [`${CHANGELOG} has no section "…, not released yet" to release.`];
  writeFileSync(CHANGELOG, changelog.replace(UNRELEASED, `## ${version}, ${today}`));
  return [];
}

/** The text of a version's section, without its heading; null when there is none with a date. */
function notesOf(version) {
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')}, \\d{4}-\\d{2}-\\d{2}$`, 'm');
  const [, section] = read(CHANGELOG).split(heading);
  return section === undefined ? null : section.split(/^## /m)[0].trim();
}

function check(tag) {
  if (!tag.startsWith('v')) return [`The tag ${tag} does not begin with v.`];
  const version = tag.slice(1);
  const undated = notesOf(version) === null ? [`${CHANGELOG} has no section "## ${version}, YYYY-MM-DD".`] : [];
  return [...disagreements(version), ...undated];
}

function main([first = '', second = '']) {
  const version = first.startsWith('--') ? second.replace(/^v/, '') : first;
  if (first !== '--agree' && !VERSION.test(version))
    return ['Name a version such as 0.2.0: see the head of this file.'];
  if (first === '--check') return check(second);
  if (first === '--agree') return disagreements(JSON.parse(read('package.json')).version);
  if (first !== '--notes') return write(version);
  const notes = notesOf(version);
  if (notes === null) return [`${CHANGELOG} has no section "## ${version}, YYYY-MM-DD".`];
  process.stdout.write(`${notes}\n`);
  return [];
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const problems = main(process.argv.slice(2));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
