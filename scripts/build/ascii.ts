/**
 * A program in ASCII: V8 holds its text in half the memory (scripts/code-cache.mjs). esbuild escapes other letters, except those
 * of comments and regular expressions.
 */
export const inAscii = (text: string): string =>
  text.replace(/[\u0080-\uffff]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
