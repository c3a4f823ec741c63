/**
 * `--jq '.data[].domain'`: the results of a jq filter on the JSON answer, one a line. Paths need no program: `.name`, `."any name"`,
 * `[0]`, `["any name"]`, and `[]` for each element. Any other filter is run by the program jq (docs/decisions.md §1).
 */
import { withoutHidden } from '../../runtime/values/hidden-characters.ts'
import { isObject } from '../../runtime/values/json.ts'
import type { RunProgram } from './terminal.ts'

type Step = string | number | typeof eachElement
const eachElement = Symbol('each element')
const quotedName = '"(?:[^"\\\\]|\\\\.)*"'
const step = new RegExp(`\\.([A-Za-z_]\\w*)|\\.?\\[(-?\\d{1,9})\\]|\\.(${quotedName})|\\.?\\[(${quotedName})\\]|\\.?(\\[\\])`, 'uy')

/** Formats the results of a filter on an answer. @throws Error if the filter does not fit the answer, as jq would */
type Printer = (answer: unknown) => string

/** @returns a string if the flag has a fault */
export function jqPrinter(filter: string, runProgram: RunProgram): Printer | string {
  const path = pathOf(filter.trim())
  if (path)
    return answer =>
      path
        .reduce<readonly unknown[]>((values, at) => values.flatMap(value => inner(value, at)), [answer])
        .map(line)
        .join('')
  const compiled = runProgram('jq', ['-n', `def filter: (${filter}\n); empty`], '')
  if (compiled === undefined) return `--jq: jq is not installed. Install it, or use a path, for example .data[].domain`
  if (compiled.code !== 0) return `--jq: ${firstLine(compiled.err)}`
  return answer => {
    // The space keeps jq from reading a filter that begins with "-" as a flag.
    const { code, out, err } = runProgram('jq', ['-r', '-c', ` ${filter}`], JSON.stringify(answer)) ?? compiled
    if (code !== 0) throw new Error(`--jq: ${firstLine(err)}`)
    return out
      .split('\n')
      .map(text => withoutHidden(text))
      .join('\n')
  }
}

const firstLine = (text: string): string => text.replace(/^jq: /, '').split('\n')[0] ?? ''

/** @returns undefined if the filter is not a path */
function pathOf(filter: string): readonly Step[] | undefined {
  const steps: Step[] = []
  if (!filter.startsWith('.')) return undefined
  step.lastIndex = filter === '.' ? 1 : 0
  while (step.lastIndex < filter.length) {
    const found = step.exec(filter)
    if (!found) return undefined
    const [, name, index, ...quoted] = found
    const text = quoted[0] ?? quoted[1]
    const unquoted = text === undefined ? undefined : nameIn(text)
    if (text !== undefined && unquoted === undefined) return undefined
    steps.push(name ?? unquoted ?? (index === undefined ? eachElement : Number(index)))
  }
  return steps
}

/** Undefined if the text contains values for jq to insert: `\(…)`. */
function nameIn(quoted: string): string | undefined {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return undefined
  }
}

/** Texts as they are, and other values as JSON. */
const line = (value: unknown): string => `${withoutHidden(typeof value === 'string' ? value : JSON.stringify(value))}\n`

function inner(value: unknown, at: Step): readonly unknown[] {
  if (at === eachElement) {
    if (Array.isArray(value)) return value
    return isObject(value) ? Object.values(value) : wrong(`iterate over ${kindOf(value)}`)
  }
  if (value === null) return [null]
  if (typeof at === 'number') return Array.isArray(value) ? [value.at(at) ?? null] : wrong(`index ${kindOf(value)} with number`)
  return isObject(value) ? [(Object.hasOwn(value, at) ? value[at] : null) ?? null] : wrong(`index ${kindOf(value)} with "${at}"`)
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value)

function wrong(what: string): never {
  throw new Error(`--jq: Cannot ${what}`)
}
