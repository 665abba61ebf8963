/**
 * Text that any reader of a file can handle: replies of agents may hold anything. Characters that XML 1.0 does not allow
 * (https://www.w3.org/TR/xml/#charsets) become U+FFFD, which covers what disturbs spreadsheets and terminals too.
 */
export function plainText(text: string): string {
  return text.toWellFormed().replace(NOT_A_CHARACTER, '\uFFFD');
}

const NOT_A_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/g;
