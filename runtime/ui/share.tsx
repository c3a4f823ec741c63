/** Parts that several views share. */

/** Drawn behind the first cell of a row, as wide as its part of the largest one. */
export const Bar = ({ value, most }: { value: number; most: number }) => (
  <svg class="bar" aria-hidden="true" focusable="false">
    <rect width={`${Math.round((1000 * value) / most) / 10}%`} height="100%" rx="4" />
  </svg>
)

/** Says in a sentence that there is nothing. */
export const Nothing = ({ children }: { children: string }) => (
  <div class="card empty">
    <p>{children}</p>
  </div>
)
