/** What is used of it: its own types cannot be found by way of its `exports`. */
declare module 'cephes' {
  /** Done once the functions may be called. */
  export const compiled: Promise<void>
  /** Of the standard normal distribution: the area left of z, and its inverse. */
  export function ndtr(z: number): number
  export function ndtri(area: number): number
  /** Of the chi-square distribution: the area right of x. */
  export function chdtrc(degreesOfFreedom: number, x: number): number
}
