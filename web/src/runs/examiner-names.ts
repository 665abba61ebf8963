/** The patient and the judge, from the metadata of the first scenario run that names them; null when none does. */
export function examinerNames(
  scenarioRuns: readonly { readonly metadata: Readonly<Record<string, unknown>> }[],
): string | null {
  for (const { metadata } of scenarioRuns) {
    const names = [metadata['tester'], metadata['judge']].map(nameOf);
    if (names.every((name) => name !== null)) return names.join(' and ');
  }
  return null;
}

function nameOf(maker: unknown): string | null {
  if (typeof maker !== 'object' || maker === null || !('name' in maker) || typeof maker.name !== 'string') return null;
  return 'model' in maker && typeof maker.model === 'string' ? `${maker.name} ${maker.model}` : maker.name;
}
