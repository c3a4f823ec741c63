/** An expensive resource that operations share and that must be closed: a pool of threads, the store of hits. */
import type { Config } from './config.ts'
import type { Log } from '../observability/log.ts'
import type { Store } from '../../storage/store.ts'

export interface ResourceContext {
  readonly store: Store
  readonly config: Config
  readonly log: Log
  now(): number
  random(size: number): Buffer
  use<T>(resource: Resource<T>): T
}

export interface Resource<T> {
  readonly name: string
  open(context: ResourceContext): T
  close(resource: T): Promise<void>
}

export function resource<T>(declared: Resource<T>): Resource<T> {
  return Object.freeze(declared)
}

/** Opens a resource at its first use; closes all that were opened. */
export interface Resources {
  use<T>(resource: Resource<T>): T
  close(): Promise<void>
}

export function openResources(context: Omit<ResourceContext, 'use'>): Resources {
  const open = new Map<Resource<never>, { value: unknown; close(): Promise<void> }>()
  const resources: Resources = {
    use<T>(declared: Resource<T>): T {
      const key = declared as Resource<never>
      const known = open.get(key)
      if (known) return known.value as T // stored below under the same declaration
      const value = declared.open({ ...context, use: resources.use })
      open.set(key, { value, close: () => declared.close(value) })
      return value
    },
    async close() {
      const all = [...open.values()].reverse()
      open.clear()
      for (const { close } of all) await close()
    },
  }
  return resources
}
