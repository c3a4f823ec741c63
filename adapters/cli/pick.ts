/**
 * `--pick data[].domain`: the values at a path of the JSON answer, one a line, for scripts without jq. A path is a small part of
 * jq's own: names, `[0]`, `["any name"]`, and `[]` for each element. docs/decisions.md has the reason.
 */
import { withoutHidden } from '../../runtime/values/hidden-characters.ts'
import { isObject } from '../../runtime/values/json.ts'

type Step = string | number | typeof each
const each = Symbol('each element')
const step = /\.?([\p{L}_$][\p{L}\p{N}_$-]*)|\[(-?\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\]|(\[\])/uy

/** @returns undefined if the text is no path */
export function pathOf(text: string): readonly Step[] | undefined {
  const steps: Step[] = []
  step.lastIndex = text === '.' ? 1 : 0
  while (step.lastIndex < text.length) {
    const found = step.exec(text)
    if (!found) return undefined
    const [, name, index, quoted] = found
    const unquoted = quoted === undefined ? undefined : nameIn(quoted)
    if (quoted !== undefined && unquoted === undefined) return undefined
    steps.push(name ?? unquoted ?? (index === undefined ? each : Number(index)))
  }
  return text === '' ? undefined : steps
}

function nameIn(quoted: string): string | undefined {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return undefined
  }
}

/** Texts as they are, and other values as JSON; `null` where nothing is. */
export function picked(answer: unknown, path: readonly Step[]): string {
  let values: readonly unknown[] = [answer]
  for (const at of path) values = values.flatMap(value => inner(value, at))
  return values
    .map(value => `${typeof value === 'string' ? withoutHidden(value) : withoutHidden(JSON.stringify(value) ?? 'null')}\n`)
    .join('')
}

function inner(value: unknown, at: Step): readonly unknown[] {
  if (at === each) return Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []
  if (typeof at === 'number') return [Array.isArray(value) ? (value.at(at) ?? null) : null]
  return [isObject(value) && Object.hasOwn(value, at) ? (value[at] ?? null) : null]
}
