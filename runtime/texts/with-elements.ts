import type { Child } from 'hono/jsx'

/** A said text with elements in its blanks: `withParts(say('Made {at}'), { at: <Time … /> })`. */
export const withParts = (text: string, parts: Readonly<Record<string, Child>>): Child[] =>
  text.split(/\{(\w+)\}/).map((each, i) => (i % 2 === 1 && Object.hasOwn(parts, each) ? (parts[each] ?? '') : each))
