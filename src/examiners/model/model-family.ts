/** Families, recognised by the names of their models, on whichever server they run. */
const FAMILIES: readonly (readonly [family: string, sign: RegExp])[] = [
  ['Claude', /claude/],
  ['GPT', /gpt|\bo[1-9]\b|codex/],
  ['Gemini', /gemini|gemma/],
  ['Llama', /llama/],
  ['Mistral', /mistral|mixtral|ministral|magistral/],
  ['Qwen', /qwen|qwq/],
  ['DeepSeek', /deepseek/],
  ['Grok', /grok/],
  ['Phi', /\bphi\b/],
  ['Command', /command-[ar]/],
];

/** Null when the name does not say. A distilled model is named after both families: the last one is what it was made from. */
export function familyOf(model: string): string | null {
  const name = model.toLowerCase().slice(0, 300);
  let found: string | null = null;
  let at = -1;
  for (const [family, sign] of FAMILIES) {
    const index = name.search(sign);
    if (index > at) [found, at] = [family, index];
  }
  return found;
}
