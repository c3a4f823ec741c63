/** What tests read out of a reply. */
import type { Reply } from './world.ts'

/** Status, and the code of the error where it is one. */
export function codeOf({ status, body }: Reply): [status: number, code: string | undefined] {
  return [status, body.error?.code]
}

/** Every fault as `/pointer code`, in the order it was said. */
export function faultsOf({ body }: Reply): string[] {
  return body.error.details.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)
}

/** One field of every record of a list. */
export function column({ body }: Reply, name: string): any[] {
  return body.data.map((record: Record<string, unknown>) => record[name])
}
