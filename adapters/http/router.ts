/**
 * Finds the route of a path, a segment at a time: a concrete one first, then a parameter (OpenAPI 3.1, Paths Object), then
 * a pattern. Hono's fast router refuses parameters next to concrete segments. Its other router collects all matching routes,
 * which takes several times as long.
 */
import type { ParamIndexMap, Result, Router } from 'hono/router'

interface Route<T> {
  readonly handler: T
  /** The place of each parameter among the values. */
  readonly places: ParamIndexMap
}

/** The continuations of a path prefix that routes share. */
interface Node<T> {
  readonly concrete: Map<string, Node<T>>
  /** The node of a parameter. */
  parameter: Node<T> | undefined
  /** Parameters with a pattern, which take the rest of the path. */
  readonly patterns: Array<{ readonly pattern: RegExp; readonly route: Route<T> }>
  /** The route whose path ends here. */
  route: Route<T> | undefined
}

const node = <T>(): Node<T> => ({ concrete: new Map(), parameter: undefined, patterns: [], route: undefined })

/** Takes `/concrete/:parameter`, with `:parameter{pattern}` at the end only. Of two equal routes the first one stays. */
export class SegmentRouter<T> implements Router<T> {
  readonly name = 'SegmentRouter'
  readonly #roots = new Map<string, Node<T>>()

  add(method: string, path: string, handler: T): void {
    const places: ParamIndexMap = {}
    const route: Route<T> = { handler, places }
    let parameters = 0
    let at = this.#roots.get(method)
    if (!at) this.#roots.set(method, (at = node()))
    for (const segment of path.split('/').slice(1)) {
      const [, name, pattern] = /^:(\w+)(?:\{(.+)\})?$/.exec(segment) ?? []
      if (name !== undefined) places[name] = parameters++
      if (pattern !== undefined) {
        at.patterns.push({ pattern: new RegExp(`^${pattern}$`), route })
        return
      }
      if (name === undefined && /[:*?]/.test(segment)) throw new Error(`the route ${path} has a part that is neither text nor a parameter`)
      if (name !== undefined) at = at.parameter ??= node()
      else {
        const next: Node<T> = at.concrete.get(segment) ?? node()
        at.concrete.set(segment, next)
        at = next
      }
    }
    at.route ??= route
  }

  match(method: string, path: string): Result<T> {
    const root = this.#roots.get(method)
    const values: string[] = []
    const route = root && search(root, path, 1, values)
    return route ? [[[route.handler, route.places]], values] : [[]]
  }
}

/** @param values receives the values of the parameters; complete if a route is found */
function search<T>(from: Node<T>, path: string, start: number, values: string[]): Route<T> | undefined {
  const end = path.indexOf('/', start)
  const segment = end < 0 ? path.slice(start) : path.slice(start, end)
  const beyond = (next: Node<T>) => (end < 0 ? next.route : search(next, path, end + 1, values))
  const concrete = from.concrete.get(segment)
  const found = concrete && beyond(concrete)
  if (found) return found
  if (from.parameter && segment !== '') {
    values.push(segment)
    const taken = beyond(from.parameter)
    if (taken) return taken
    values.pop()
  }
  if (from.patterns.length === 0) return undefined
  const rest = path.slice(start)
  values.push(rest)
  const matched = from.patterns.find(({ pattern }) => pattern.test(rest))
  if (!matched) values.pop()
  return matched?.route
}
