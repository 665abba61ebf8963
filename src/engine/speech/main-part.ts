/** Of a language (BCP 47) or a voice of espeak-ng what names the language: `pt` of `pt-BR`, `en` of `en-us+f3`. */
export function mainPartOf(name: string): string {
  return name.toLowerCase().split(/[-_+]/)[0] ?? '';
}
