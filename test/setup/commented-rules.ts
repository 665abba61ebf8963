/** The manifest as it is once somebody has taken the comment signs from the NetworkPolicy's rules: `# - to:` and what belongs to it. */
export function withCommentedRules(manifest: string): string {
  return manifest.replaceAll(/^( +)# ((?:- | {2,}).*)$/gm, '$1$2');
}
