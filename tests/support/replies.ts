/** Helpers to read replies. */
import type { Reply } from './world.ts'

/** The status, and the error's code if there is one. */
export function codeOf({ status, body }: Reply): [status: number, code: string | undefined] {
  return [status, body.error?.code]
}

/** Every fault as `/pointer code`, in order. */
export function faultsOf({ body }: Reply): string[] {
  return body.error.details.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)
}

/** One field of all records of a list. */
export function column({ body }: Reply, name: string): any[] {
  return body.data.map((record: Record<string, unknown>) => record[name])
}
