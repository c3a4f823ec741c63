/** Remembers the reads that pages make of operations, as the addresses that a program would ask for the same. */
import type { App } from '../../runtime/app.ts'

export interface Recorded {
  readonly app: App
  /** Those since it was last called; it remembers none before its first call. */
  taken(): string[]
}

export function withRecord(app: App): Recorded {
  let reads: string[] | undefined
  return {
    app: {
      ...app,
      async call(request) {
        const { operation, surface, path } = request
        if (!reads || surface !== 'pages' || operation.method !== 'GET') return app.call(request)
        const taken = reads
        taken.push(addressOf(operation.path, path, await request.input()))
        return app.call(request)
      },
    },
    taken() {
      const taken = reads ?? []
      reads = []
      return taken
    },
  }
}

function addressOf(path: string, parameters: Readonly<Record<string, unknown>>, input: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams(
    Object.entries(input).map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]),
  )
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parameters[name])))
  return `${filled}.json${query.size > 0 ? `?${query}` : ''}`
}
