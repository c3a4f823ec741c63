/** The faults of one body, by field: all of them, in the order they were found. */
export type Faults = Record<string, string[]>

export function addFault(faults: Faults, field: string, message: string): void {
  ;(faults[field] ??= []).push(message)
}

export function isFaulty(faults: Faults): boolean {
  return Object.keys(faults).length > 0
}
