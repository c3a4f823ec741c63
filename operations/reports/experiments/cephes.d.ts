/** Types of the functions we use: the package's own types cannot be resolved through its `exports`. */
declare module 'cephes' {
  /** Resolves when the functions can be called. */
  export const compiled: Promise<void>
  /** Standard normal distribution: the area left of z, and its inverse. */
  export function ndtr(z: number): number
  export function ndtri(area: number): number
  /** Chi-square distribution: the area right of x. */
  export function chdtrc(degreesOfFreedom: number, x: number): number
}
