/** All faults of a body by field, in order. */
export type Faults = Record<string, string[]>

export function addFault(faults: Faults, field: string, message: string): void {
  ;(faults[field] ??= []).push(message)
}

export function isFaulty(faults: Faults): boolean {
  return Object.keys(faults).length > 0
}
